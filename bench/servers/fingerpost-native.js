import { createServer } from "node:http";
import { dist } from "../lib/dist.js";
import { resourcesOf } from "../lib/resources.js";
import { answer, serverRoutes } from "../lib/server-routes.js";

const { Application, Resource } = await import(new URL("modules/http.native.js", dist).href);
const { listener } = await import(new URL("servers/node.js", dist).href);

/** The `Request` chain on our own listener, with the runtime's `Response` or a light one. */
export function start(port, Response = globalThis.Response) {
  const handle = (request, name) => new Response(answer(name === undefined ? "" : request.params.pathParam(name)));
  const app = Application.builder()
    .resources(resourcesOf(Resource, serverRoutes, handle))
    .build();
  createServer(listener(app)).listen(port);
}
