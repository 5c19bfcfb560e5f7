import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { answer, serverRoutes } from "../lib/server-routes.js";

export function start(port) {
  const app = new Hono();
  for (const { method, pattern, name } of serverRoutes) {
    const isRest = name === "0";
    const param = isRest ? "rest" : name;
    app.on(method, isRest ? pattern.replace("*", ":rest{.+}") : pattern, (context) =>
      context.text(answer(param === undefined ? "" : context.req.param(param))),
    );
  }
  serve({ fetch: app.fetch, port });
}
