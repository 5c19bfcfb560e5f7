import { createServer } from "node:http";
import send from "send";

export function start(port, root) {
  createServer((request, response) => send(request, request.url, { root }).pipe(response)).listen(port);
}
