import { randomUUID } from "node:crypto";
import { cors } from "@elysiajs/cors";
import { node } from "@elysiajs/node";
import { Elysia, file, t } from "elysia";
import * as content from "../content.js";

/** With its own schemas, both ways. On Node by its adapter. */
export function elysiaApp(options) {
  const Id = t.Object({ id: t.Integer() });
  const Asked = t.Object({
    limit: t.Integer({ minimum: 1, maximum: 100 }),
    lang: t.Union([t.Literal("en"), t.Literal("de"), t.Literal("fr")]),
  });
  const item = {
    id: t.Integer(),
    name: t.String(),
    description: t.String(),
    price: t.Number(),
    inStock: t.Boolean(),
    tags: t.Array(t.String()),
  };
  const shown = { params: Id, query: Asked, response: t.Object({ ...item, limit: t.Integer(), lang: t.String() }) };
  const supplier = t.Object({ name: t.String(), city: t.String(), email: t.String() });
  const NewItem = t.Object({
    name: t.String({ minLength: 1, maxLength: 80 }),
    description: t.String({ maxLength: 400 }),
    price: t.Number({ minimum: 0 }),
    quantity: t.Integer({ minimum: 1 }),
    tags: t.Array(t.String(), { maxItems: 10 }),
    supplier,
  });
  const Created = t.Object({ id: t.Integer(), name: t.String(), quantity: t.Integer() });
  const root = content.folderOfFile();
  return new Elysia(options)
    .onError(({ code }) => {
      const problem = { NOT_FOUND: content.notFound, VALIDATION: content.unfit }[code];
      if (problem === undefined) return;
      const headers = { "content-type": content.problemType };
      return new Response(JSON.stringify(problem), { status: problem.status, headers });
    })
    .get("/items/:id", ({ params: { id }, query }) => content.shownItemOf(id, query), shown)
    .get("/items", () => content.listed(), { response: t.Array(t.Object(item)) })
    .post(
      "/items",
      ({ body, set }) => {
        set.status = 201;
        set.headers.location = content.createdAt;
        return content.createdOf(body);
      },
      { body: NewItem, response: { 201: Created } },
    )
    .get("/text", () => content.greeting)
    .get("/files/:name", ({ params: { name } }) => file(`${root}/${name}`))
    .group("/guarded", (app) =>
      app
        .use(cors({ origin: "*" }))
        .onBeforeHandle(({ set, headers, status }) => {
          set.headers["x-request-id"] = randomUUID();
          if (!content.isAuthorized(headers.authorization)) return status(401);
        })
        .get("/:id", ({ params: { id }, query }) => content.shownItemOf(id, query), shown),
    );
}

export function start(port) {
  elysiaApp(typeof Bun === "object" ? {} : { adapter: node() }).listen(port);
}
