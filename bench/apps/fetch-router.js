import { createRouter } from "@remix-run/fetch-router";
import { handlerOf } from "../lib/app-handlers.js";

export const fetchRouter = {
  read: (name) => `input.params[${JSON.stringify(name)}]`,
  rest: (pattern) => ({ pattern: pattern.replace("*", "*rest"), name: "rest" }),
  create(routes) {
    const app = createRouter();
    for (const route of routes) app.route(route.method, route.pattern, handlerOf(route));
    return (request) => app.fetch(request);
  },
};
