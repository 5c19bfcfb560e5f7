import { Elysia } from "elysia";
import { withHandlers } from "../lib/app-handlers.js";

/**
 * Generates code: it reads the source text of handlers to learn what they need. What is not async is answered without a
 * Promise.
 */
export const elysia = {
  generatesCode: true,
  isSync: true,
  read: (name) => `input.params[${JSON.stringify(name)}]`,
  rest: (pattern) => ({ pattern, name: "*" }),
  create(routes) {
    const app = new Elysia();
    for (const { method, pattern, handler } of withHandlers(routes)) app.route(method, pattern, handler);
    app.compile();
    return app.fetch;
  },
};
