import { H3 } from "h3";
import { withHandlers } from "../lib/app-handlers.js";

export const h3 = {
  read: (name) => `input.context.params[${JSON.stringify(name)}]`,
  rest: (pattern) => ({ pattern: pattern.replace("*", "**:rest"), name: "rest" }),
  create(routes) {
    const app = new H3();
    for (const { method, pattern, handler } of withHandlers(routes)) app.on(method, pattern, handler);
    return (request) => app.fetch(request);
  },
};
