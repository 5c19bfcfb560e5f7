import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { OpenAPIHandler } from "@orpc/openapi/node";
import { ORPCError, os } from "@orpc/server";
import * as content from "../content.js";

/** By its handler of OpenAPI, with zod both ways. */
export function start(port) {
  const base = os.$context();
  const shown = content.Params.extend(content.Query.shape);
  const show = ({ input: { id, limit, lang } }) => content.shownItemOf(id, { limit, lang });
  const guard = base.middleware(({ context, next }) => {
    context.response.setHeader("x-request-id", randomUUID());
    context.response.setHeader("access-control-allow-origin", "*");
    if (!content.isAuthorized(context.request.headers.authorization)) throw new ORPCError("UNAUTHORIZED");
    return next();
  });
  const created = base
    .route({ method: "POST", path: "/items", successStatus: 201, outputStructure: "detailed" })
    .input(content.NewItem)
    .handler(({ input }) => ({ headers: { location: content.createdAt }, body: content.createdOf(input) }));
  const router = {
    show: base.route({ method: "GET", path: "/items/{id}" }).input(shown).output(content.ShownItem).handler(show),
    list: base
      .route({ method: "GET", path: "/items" })
      .output(content.List)
      .handler(() => content.listed()),
    created,
    guarded: base
      .use(guard)
      .route({ method: "GET", path: "/guarded/{id}" })
      .input(shown)
      .output(content.ShownItem)
      .handler(show),
  };
  const handler = new OpenAPIHandler(router);
  const send = (response, problem) => {
    response.writeHead(problem.status, { "content-type": content.problemType });
    response.end(JSON.stringify(problem));
  };
  createServer(async (request, response) => {
    const { matched } = await handler.handle(request, response, { context: { request, response } });
    if (!matched) send(response, content.notFound);
  }).listen(port);
}
