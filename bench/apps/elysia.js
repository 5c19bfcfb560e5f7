import { Elysia } from "elysia";
import { handlerOf } from "../lib/app-handlers.js";

/** Generates code: it reads the source text of handlers to learn what they need. */
export const elysia = {
  generatesCode: true,
  read: (name) => `input.params[${JSON.stringify(name)}]`,
  rest: (pattern) => ({ pattern, name: "*" }),
  create(routes) {
    const app = new Elysia();
    for (const route of routes) app.route(route.method, route.pattern, handlerOf(route));
    app.compile();
    return app.fetch;
  },
};
