import { Router } from "itty-router";
import { handlerOf } from "../lib/app-handlers.js";

export const ittyRouter = {
  read: (name) => `input.params[${JSON.stringify(name)}]`,
  rest: (pattern) => ({ pattern: pattern.replace("*", ":rest+"), name: "rest" }),
  create(routes) {
    const app = Router();
    for (const route of routes) app[route.method.toLowerCase()](route.pattern, handlerOf(route));
    return app.fetch;
  },
};
