import { randomUUID } from "node:crypto";
import cors from "cors";
import createApp from "express";
import * as content from "../content.js";

/** With zod. Answers are not validated. */
export function start(port) {
  const app = createApp();
  app.disable("x-powered-by");
  app.disable("etag");
  const show = (request, response) => {
    const { id } = content.Params.parse(request.params);
    response.json(content.shownItemOf(id, content.Query.parse(request.query)));
  };
  app.get("/items/:id", show);
  app.get("/items", (_, response) => response.json(content.listed()));
  app.post("/items", createApp.json(), (request, response) => {
    const { success, data } = content.NewItem.safeParse(request.body);
    if (!success) return response.status(422).type(content.problemType).end(JSON.stringify(content.unfit));
    response.status(201).location(content.createdAt).json(content.createdOf(data));
  });
  app.get("/text", (_, response) => response.type("text/plain").send(content.greeting));
  const identify = (_, response, next) => {
    response.set("x-request-id", randomUUID());
    next();
  };
  const guard = (request, response, next) =>
    content.isAuthorized(request.headers.authorization) ? next() : response.status(401).end();
  app.get("/guarded/:id", identify, cors(), guard, show);
  app.use("/files", createApp.static(content.folderOfFile()));
  app.use((_, response) => response.status(404).type(content.problemType).end(JSON.stringify(content.notFound)));
  app.listen(port);
}
