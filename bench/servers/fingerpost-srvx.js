import { FastResponse, serve } from "srvx";
import { dist } from "../lib/dist.js";
import { resourcesOf } from "../lib/resources.js";
import { answer, serverRoutes } from "../lib/server-routes.js";

const { Application, Resource } = await import(new URL("modules/http.native.js", dist).href);

/** The `Request` chain on srvx, with its light `Response`. */
export function start(port) {
  const handle = (request, name) => new FastResponse(answer(name === undefined ? "" : request.params.pathParam(name)));
  const app = Application.builder()
    .resources(resourcesOf(Resource, serverRoutes, handle))
    .build();
  serve({ fetch: app.fetch, port, silent: true });
}
