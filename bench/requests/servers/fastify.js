import { randomUUID } from "node:crypto";
import bearer from "@fastify/bearer-auth";
import cors from "@fastify/cors";
import serveFiles from "@fastify/static";
import createApp from "fastify";
import * as content from "../content.js";

/** With schemas both ways. */
export async function start(port) {
  const { Params, Query, ShownItem, List, NewItem, Created } = content.json;
  const app = createApp();
  const shown = { params: Params, querystring: Query, response: { 200: ShownItem } };
  const show = ({ params, query }) => content.shownItemOf(params.id, query);
  app.get("/items/:id", { schema: shown }, (request, reply) => reply.send(show(request)));
  app.get("/items", { schema: { response: { 200: List } } }, (_, reply) => reply.send(content.listed()));
  app.post("/items", { schema: { body: NewItem, response: { 201: Created } } }, ({ body }, reply) => {
    reply.code(201).header("location", content.createdAt);
    reply.send(content.createdOf(body));
  });
  app.get("/text", (_, reply) => reply.type("text/plain").send(content.greeting));
  app.register(async (guarded) => {
    guarded.addHook("onRequest", async (_, reply) => void reply.header("x-request-id", randomUUID()));
    await guarded.register(cors, { origin: "*" });
    await guarded.register(bearer, { keys: new Set([content.token]) });
    guarded.get("/guarded/:id", { schema: shown }, (request, reply) => reply.send(show(request)));
  });
  app.register(serveFiles, { root: content.folderOfFile(), prefix: "/files/" });
  app.setNotFoundHandler((_, reply) =>
    reply.code(404).type(content.problemType).send(JSON.stringify(content.notFound)),
  );
  app.setErrorHandler((error, _, reply) => {
    if (error.validation === undefined) throw error;
    reply.code(422).type(content.problemType).send(JSON.stringify(content.unfit));
  });
  await app.listen({ port });
}
