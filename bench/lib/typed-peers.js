// The same API in several frameworks: two handlers for each thing, with params, query or content, a status beside 200,
// and calls of their typed clients. Each is written as its documentation says.

const two = (handlers, write) => Array.from({ length: handlers / 2 }, (_, n) => write(n)).join("\n");

/** What all declare: schemas by zod, whose cost is not theirs. */
export function schemasOf(handlers) {
  return `import { z } from "zod";
declare function use(value: string | number | undefined): void;
export const used = [use];
${two(
  handlers,
  (n) => `
export const thing${n} = z.object({ id: z.string(), name: z.string(), n: z.int() });
export const search${n} = z.object({ q: z.string().optional(), limit: z.int() });
export const input${n} = search${n}.extend({ id${n}: z.string() });
export const change${n} = thing${n}.extend({ id${n}: z.string() });
export const params${n} = z.object({ id${n}: z.string() });
export const texts${n} = z.object({ q: z.string().optional(), limit: z.string().transform(Number) });`,
)}
const none = z.object({ detail: z.string() });
export { none };
`;
}

/** Each peer: the packages by which it is named, its server, the line that makes its client, and its calls. */
export const typedPeers = {
  fingerpost: {
    packages: [],
    server: (handlers) => `
import { Application, reply, Resource, type Answer, type Call } from "fingerpost";
import { client } from "fingerpost/client";
${two(
  handlers,
  (n) => `
class Thing${n} extends Resource {
  paths = ["/things${n}/:id${n}"] as const;
  static GET = { query: search${n}, 200: thing${n}, 404: "None" };
  override async GET({ path, query }: Call<typeof Thing${n}, "GET">): Promise<Answer<typeof Thing${n}, "GET">> {
    return query.limit > 4 ? reply(404) : { id: path.id${n}, name: query.q ?? "", n: 1 };
  }
  static PUT = { content: thing${n}, 200: thing${n}, 404: "None" };
  override async PUT({ path, content }: Call<typeof Thing${n}, "PUT">): Promise<Answer<typeof Thing${n}, "PUT">> {
    return content.n > 4 ? reply(404) : { id: path.id${n}, name: content.name, n: 1 };
  }
}`,
)}
const app = Application.builder().resources(${two(handlers, (n) => `Thing${n},`)}).build();`,
    client: `export const api = client<typeof app>("/api");`,
    calls: (n) => `
  const found = await api["/things${n}/:id${n}"].GET({ path: { id${n}: "1" }, query: { limit: 5 } });
  if (found.status === 200) use(found.content.n);
  const put = await api["/things${n}/:id${n}"].PUT({ path: { id${n}: "1" }, content: { id: "1", name: "x", n: 1 } });
  if (put.status === 200) use(put.content.name);`,
  },
  oRPC: {
    packages: ["@orpc/server", "@orpc/client"],
    server: (handlers) => `
import { ORPCError, os, type RouterClient } from "@orpc/server";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
const router = {${two(
      handlers,
      (n) => `
  thing${n}: {
    get: os.route({ method: "GET", path: "/things${n}/{id${n}}" }).errors({ NOT_FOUND: {} })
      .input(input${n}).output(thing${n})
      .handler(async ({ input, errors }) => {
        if (input.limit > 4) throw errors.NOT_FOUND();
        return { id: input.id${n}, name: input.q ?? "", n: 1 };
      }),
    put: os.route({ method: "PUT", path: "/things${n}/{id${n}}" }).errors({ NOT_FOUND: {} })
      .input(change${n}).output(thing${n})
      .handler(async ({ input, errors }) => {
        if (input.n > 4) throw errors.NOT_FOUND();
        return { id: input.id${n}, name: input.name, n: 1 };
      }),
  },`,
    )}
};
export type Used = ORPCError<string, unknown>;`,
    client: `export const api: RouterClient<typeof router> = createORPCClient(
  new RPCLink({ url: "http://localhost" }));`,
    calls: (n) => `
  const found = await api.thing${n}.get({ id${n}: "1", limit: 5 });
  use(found.n);
  const put = await api.thing${n}.put({ id${n}: "1", id: "1", name: "x", n: 1 });
  use(put.name);`,
  },
  "Elysia with Eden": {
    packages: ["elysia", "@elysiajs/eden"],
    server: (handlers) => `
import { Elysia } from "elysia";
import { treaty } from "@elysiajs/eden";
const app = new Elysia()${two(
      handlers,
      (n) => `
    .get("/things${n}/:id${n}", ({ params, query, status }) => query.limit > 4 ? status(404, { detail: "None" })
      : { id: params.id${n}, name: query.q ?? "", n: 1 },
      { query: search${n}, response: { 200: thing${n}, 404: none } })
    .put("/things${n}/:id${n}", ({ params, body, status }) => body.n > 4 ? status(404, { detail: "None" })
      : { id: params.id${n}, name: body.name, n: 1 }, { body: thing${n}, response: { 200: thing${n}, 404: none } })`,
    )};`,
    client: `export const api = treaty<typeof app>("localhost");`,
    calls: (n) => `
  const found = await api.things${n}({ id${n}: "1" }).get({ query: { limit: 5 } });
  if (found.status === 200) use(found.data?.n);
  const put = await api.things${n}({ id${n}: "1" }).put({ id: "1", name: "x", n: 1 });
  if (put.status === 200) use(put.data?.name);`,
  },
  "Hono zod-openapi with hc": {
    packages: ["@hono/zod-openapi", "hono"],
    server: (handlers) => `
import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { hc } from "hono/client";
const json = <const Schema>(schema: Schema) => ({ description: "", content: { "application/json": { schema } } });
${two(
  handlers,
  (n) => `
const get${n} = createRoute({ method: "get", path: "/things${n}/{id${n}}",
  request: { params: params${n}, query: texts${n} },
  responses: { 200: json(thing${n}), 404: json(none) } });
const put${n} = createRoute({ method: "put", path: "/things${n}/{id${n}}",
  request: { params: params${n}, body: { content: { "application/json": { schema: thing${n} } } } },
  responses: { 200: json(thing${n}), 404: json(none) } });`,
)}
const app = new OpenAPIHono()${two(
      handlers,
      (n) => `
  .openapi(get${n}, (c) => {
    const { q, limit } = c.req.valid("query");
    return limit > 4 ? c.json({ detail: "None" }, 404)
      : c.json({ id: c.req.valid("param").id${n}, name: q ?? "", n: 1 }, 200);
  })
  .openapi(put${n}, (c) => {
    const { name, n } = c.req.valid("json");
    return n > 4 ? c.json({ detail: "None" }, 404) : c.json({ id: c.req.valid("param").id${n}, name, n: 1 }, 200);
  })`,
    )};`,
    client: `export const api = hc<typeof app>("http://localhost");`,
    calls: (n) => `
  const found = await api.things${n}[":id${n}"].$get({ param: { id${n}: "1" }, query: { limit: "5" } });
  if (found.status === 200) use((await found.json()).n);
  const put = await api.things${n}[":id${n}"].$put({ param: { id${n}: "1" }, json: { id: "1", name: "x", n: 1 } });
  if (put.status === 200) use((await put.json()).name);`,
  },
  tRPC: {
    packages: ["@trpc/server", "@trpc/client"],
    server: (handlers) => `
import { initTRPC, TRPCError } from "@trpc/server";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
const t = initTRPC.create();
const app = t.router({${two(
      handlers,
      (n) => `
  thing${n}: t.router({
    get: t.procedure.input(input${n}).output(thing${n}).query(({ input }) => {
      if (input.limit > 4) throw new TRPCError({ code: "NOT_FOUND" });
      return { id: input.id${n}, name: input.q ?? "", n: 1 };
    }),
    put: t.procedure.input(change${n}).output(thing${n}).mutation(({ input }) => {
      if (input.n > 4) throw new TRPCError({ code: "NOT_FOUND" });
      return { id: input.id${n}, name: input.name, n: 1 };
    }),
  }),`,
    )}
});`,
    client: `export const api = createTRPCClient<typeof app>({ links: [httpBatchLink({ url: "http://localhost" })] });`,
    calls: (n) => `
  const found = await api.thing${n}.get.query({ id${n}: "1", limit: 5 });
  use(found.n);
  const put = await api.thing${n}.put.mutate({ id${n}: "1", id: "1", name: "x", n: 1 });
  use(put.name);`,
  },
};

/** A program with the handlers of a peer, and one with a call of its client for each of them as well. */
export function programsOf(peer, handlers) {
  const server = schemasOf(handlers) + peer.server(handlers);
  const calls = two(
    handlers,
    (n) => `async function call${n}(): Promise<void> {${peer.calls(n)}\n}\nused.push(call${n} as never);`,
  );
  return {
    server: `${server}\nexport default [${/\brouter\b = \{/.test(server) ? "router" : "app"}] as unknown[];`,
    called: `${server}\n${peer.client}\n${calls}`,
  };
}
