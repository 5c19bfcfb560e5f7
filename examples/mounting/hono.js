import { mount } from "fingerpost/mount";
import { Hono } from "hono";
import { guard, user } from "./user.js";

const hono = new Hono().basePath("/legacy");
hono.get("/greet/:word", (context) => context.text(`${context.req.param("word")} ${context.env.user}`));
hono.post("/echo", async (context) => context.json(await context.req.json(), 201));

// The second parameter of Hono's fetch is what its handlers find as `env`.
export class Legacy extends mount(["/legacy/:path*"], (request) => hono.fetch(request, { user: user.get(request) })) {
  static middleware = [guard];
}
