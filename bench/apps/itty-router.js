import { Router } from "itty-router";
import { withHandlers } from "../lib/app-handlers.js";

export const ittyRouter = {
  read: (name) => `input.params[${JSON.stringify(name)}]`,
  rest: (pattern) => ({ pattern: pattern.replace("*", ":rest+"), name: "rest" }),
  create(routes) {
    const app = Router();
    for (const { method, pattern, handler } of withHandlers(routes)) app[method.toLowerCase()](pattern, handler);
    return app.fetch;
  },
};
