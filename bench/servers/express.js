import createApp from "express";
import { answer, serverRoutes } from "../lib/server-routes.js";

export function start(port) {
  const app = createApp();
  app.disable("x-powered-by");
  app.disable("etag");
  for (const { method, pattern, name } of serverRoutes) {
    const isRest = name === "0";
    app[method.toLowerCase()](isRest ? pattern.replace("*", "*rest") : pattern, (request, response) => {
      const value = isRest ? request.params.rest.join("/") : request.params[name];
      response.setHeader("content-type", "text/plain");
      response.send(answer(value));
    });
  }
  app.listen(port);
}
