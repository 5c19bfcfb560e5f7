import { Hono } from "hono";
import { handlerOf } from "../lib/app-handlers.js";

export const hono = {
  read: (name) => `input.req.param(${JSON.stringify(name)})`,
  rest: (pattern) => ({ pattern: pattern.replace("*", ":rest{.+}"), name: "rest" }),
  create(routes) {
    const app = new Hono();
    for (const route of routes) app.on(route.method, route.pattern, handlerOf(route));
    return (request) => app.fetch(request);
  },
};
