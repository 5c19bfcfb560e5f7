import { H3, serve } from "h3";
import { answer, serverRoutes } from "../lib/server-routes.js";

export function start(port) {
  const app = new H3();
  for (const { method, pattern, name } of serverRoutes) {
    const isRest = name === "0";
    const param = isRest ? "rest" : name;
    app.on(method, isRest ? pattern.replace("*", "**:rest") : pattern, (event) =>
      answer(param === undefined ? "" : event.context.params[param]),
    );
  }
  serve(app, { port, silent: true });
}
