// A process that has done nothing yet: loads what an application of 200 declared operations needs, builds it, and has
// it answer once: `node bench/requests/cold.js CANDIDATE`. Gives milliseconds.
import { start, stop } from "../lib/clock.js";

const [, , name] = process.argv;
const count = 200;
// zod is part of what it takes, as every such application has it.
start();
const { z } = await import("zod");
const fetching = await (name.startsWith("hono") ? hono() : semantics());
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
