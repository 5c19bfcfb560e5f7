import { H3 } from "h3";
import { handlerOf } from "../lib/app-handlers.js";

export const h3 = {
  read: (name) => `input.context.params[${JSON.stringify(name)}]`,
  rest: (pattern) => ({ pattern: pattern.replace("*", "**:rest"), name: "rest" }),
  create(routes) {
    const app = new H3();
    for (const route of routes) app.on(route.method, route.pattern, handlerOf(route));
    return (request) => app.fetch(request);
  },
};
