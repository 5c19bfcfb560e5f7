import { segmentsOf } from "./pattern.js";
import { routesOf } from "./routes.js";
import { routes as lines } from "../tables/hono.js";

/** Hono's table for a server: each route with the name of the param that its handler reads, if it has one. */
export const serverRoutes = routesOf(lines).map(({ method, pattern }) => ({
  method,
  pattern,
  name: segmentsOf(pattern).find(({ name }) => name !== undefined)?.name,
}));

let read = 0;

/** Consumes what a handler has read, and gives what it answers. */
export function answer(value = "") {
  read += value.length;
  return read < 0 ? "" : "ok";
}
