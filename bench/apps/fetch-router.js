import { createRouter } from "@remix-run/fetch-router";
import { withHandlers } from "../lib/app-handlers.js";

export const fetchRouter = {
  read: (name) => `input.params[${JSON.stringify(name)}]`,
  rest: (pattern) => ({ pattern: pattern.replace("*", "*rest"), name: "rest" }),
  create(routes) {
    const app = createRouter();
    for (const { method, pattern, handler } of withHandlers(routes)) app.route(method, pattern, handler);
    return (request) => app.fetch(request);
  },
};
