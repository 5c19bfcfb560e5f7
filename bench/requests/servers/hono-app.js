import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import * as content from "../content.js";

/** With zod. Answers are not validated: there is nothing for that. */
export function honoApp(serveFiles) {
  const app = new Hono();
  const refuse = (result, context) => {
    if (!result.success)
      return context.body(JSON.stringify(content.unfit), 422, { "content-type": content.problemType });
  };
  const valid = (target, schema) => zValidator(target, schema, refuse);
  const show = (context) =>
    context.json(content.shownItemOf(context.req.valid("param").id, context.req.valid("query")));
  app.get("/items/:id", valid("param", content.Params), valid("query", content.Query), show);
  app.get("/items", (context) => context.json(content.listed()));
  app.post("/items", valid("json", content.NewItem), (context) =>
    context.json(content.createdOf(context.req.valid("json")), 201, { location: content.createdAt }),
  );
  app.get("/text", (context) => context.text(content.greeting));
  app.use("/guarded/*", requestId(), cors(), bearerAuth({ token: content.token }));
  app.get("/guarded/:id", valid("param", content.Params), valid("query", content.Query), show);
  app.get("/files/*", serveFiles);
  app.notFound((context) =>
    context.body(JSON.stringify(content.notFound), 404, { "content-type": content.problemType }),
  );
  return app;
}
