import { createServer } from "node:http";
import { dist } from "../lib/dist.js";
import { answer, serverRoutes } from "../lib/server-routes.js";
import { resourcesOf } from "../lib/resources.js";

const { Application, Resource } = await import(new URL("modules/http.polyfill.js", dist).href);
const { listener } = await import(new URL("servers/node.js", dist).href);

/** The context chain: handlers write to Node's own response. */
export function start(port) {
  const handle = (input, name) => {
    input.response.setHeader("content-type", "text/plain");
    input.response.end(answer(name === undefined ? "" : input.params.pathParam(name)));
    return null;
  };
  const app = Application.builder()
    .resources(resourcesOf(Resource, serverRoutes, handle))
    .build();
  createServer(listener(app)).listen(port);
}
