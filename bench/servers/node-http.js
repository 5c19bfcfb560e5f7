import { createServer } from "node:http";
import { answer } from "../lib/server-routes.js";

/** No framework and no routes: what all the others stand on. */
export function start(port) {
  createServer((request, response) => {
    response.setHeader("content-type", "text/plain");
    response.end(answer(request.url));
  }).listen(port);
}
