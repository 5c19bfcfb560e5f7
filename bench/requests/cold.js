// A process that has done nothing yet: loads what an application of declared operations needs, builds it, and has it
// answer once: `node bench/requests/cold.js CANDIDATE ROW`, as in "200 operations". Gives milliseconds.
import { start, stop } from "../lib/clock.js";

const [, , name, row = "200 operations"] = process.argv;
const count = Number(row.replace(/[^\d]/g, ""));
// zod is part of what it takes for those that use it.
start();
const { z } = name === "fastify" || name === "elysia" ? {} : await import("zod");
const applications = { "fingerpost semantics": semantics, fastify, elysia };
const fetching = await (applications[name] ?? hono)();
const response = await fetching(new Request("http://localhost/things/150/7?limit=10"));
const content = await response.text();
const median = stop();
if (response.status !== 200 || content !== '{"id":7,"name":"thing","limit":10}')
  throw new Error(`${name} answers ${content}`);
console.log(JSON.stringify({ median }));
process.exit(0);

function schemas() {
  return {
    path: z.object({ id: z.coerce.number().int() }),
    query: z.object({ limit: z.coerce.number().int().min(1).max(100) }),
    thing: z.object({ id: z.int(), name: z.string(), limit: z.int() }),
  };
}

async function semantics() {
  const { Application, Resource } = await import(
    new URL("modules/http.semantics.js", (await import("../lib/dist.js")).dist).href
  );
  const classes = Array.from({ length: count }, (_, at) => {
    const { path, query, thing } = schemas();
    return class Thing extends Resource {
      paths = [`/things/${at}/:id`];
      static GET = { path, query, 200: thing };
      GET(call) {
        return { id: call.path.id, name: "thing", limit: call.query.limit };
      }
    };
  });
  return Application.builder()
    .resources(...classes)
    .build().fetch;
}

/** By JSON Schema, as it is used most. */
async function fastify() {
  const { default: createApp } = await import("fastify");
  const app = createApp();
  for (let at = 0; at < count; at++) {
    const params = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
    const limit = { type: "integer", minimum: 1, maximum: 100 };
    const querystring = { type: "object", properties: { limit }, required: ["limit"] };
    const members = { id: { type: "integer" }, name: { type: "string" }, limit: { type: "integer" } };
    const thing = { type: "object", properties: members, required: Object.keys(members) };
    app.get(`/things/${at}/:id`, { schema: { params, querystring, response: { 200: thing } } }, (request) => ({
      id: request.params.id,
      name: "thing",
      limit: request.query.limit,
    }));
  }
  return async (request) => {
    const { statusCode, payload } = await app.inject(request.url);
    return new Response(payload, { status: statusCode });
  };
}

/** With its own schemas, as it is used most. */
async function elysia() {
  const { Elysia, t } = await import("elysia");
  const app = new Elysia();
  for (let at = 0; at < count; at++) {
    const params = t.Object({ id: t.Integer() });
    const query = t.Object({ limit: t.Integer({ minimum: 1, maximum: 100 }) });
    const response = t.Object({ id: t.Integer(), name: t.String(), limit: t.Integer() });
    app.get(`/things/${at}/:id`, (call) => ({ id: call.params.id, name: "thing", limit: call.query.limit }), {
      params,
      query,
      response,
    });
  }
  return app.fetch;
}

async function hono() {
  const { Hono } = await import("hono");
  const { zValidator } = await import("@hono/zod-validator");
  const app = new Hono();
  for (let at = 0; at < count; at++) {
    const { path, query } = schemas();
    app.get(`/things/${at}/:id`, zValidator("param", path), zValidator("query", query), (context) =>
      context.json({ id: context.req.valid("param").id, name: "thing", limit: context.req.valid("query").limit }),
    );
  }
  return app.fetch;
}
