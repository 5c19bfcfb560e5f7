import { Hono } from "hono";
import { withHandlers } from "../lib/app-handlers.js";

export const hono = {
  read: (name) => `input.req.param(${JSON.stringify(name)})`,
  rest: (pattern) => ({ pattern: pattern.replace("*", ":rest{.+}"), name: "rest" }),
  create(routes) {
    const app = new Hono();
    for (const { method, pattern, handler } of withHandlers(routes)) app.on(method, pattern, handler);
    return (request) => app.fetch(request);
  },
};
