import { Router } from "@koa/router";
import Koa from "koa";
import { answer, serverRoutes } from "../lib/server-routes.js";

export function start(port) {
  const router = new Router();
  for (const { method, pattern, name } of serverRoutes) {
    const isRest = name === "0";
    router[method.toLowerCase()](isRest ? pattern.replace("*", "{*rest}") : pattern, (context) => {
      context.type = "text/plain";
      context.body = answer(context.params[isRest ? "rest" : name]);
    });
  }
  new Koa().use(router.routes()).listen(port);
}
