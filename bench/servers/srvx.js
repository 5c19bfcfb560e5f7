import { FastResponse, serve } from "srvx";
import { answer } from "../lib/server-routes.js";

/** No routes: what the applications on srvx stand on. */
export function start(port) {
  serve({ fetch: (request) => new FastResponse(answer(request.url)), port, silent: true });
}
