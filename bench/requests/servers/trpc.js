import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { initTRPC, TRPCError } from "@trpc/server";
import { createOpenApiHttpHandler } from "trpc-to-openapi";
import { z } from "zod";
import * as content from "../content.js";

/** By `trpc-to-openapi`, with zod both ways: what tRPC sends by itself has an envelope that no other candidate has. */
export function start(port) {
  const t = initTRPC.meta().context().create();
  const shown = content.Params.extend(content.Query.shape);
  const show = ({ input: { id, limit, lang } }) => content.shownItemOf(id, { limit, lang });
  const guard = t.middleware(({ ctx: { req, res }, next }) => {
    res.setHeader("x-request-id", randomUUID());
    res.setHeader("access-control-allow-origin", "*");
    if (!content.isAuthorized(req.headers.get("authorization"))) throw new TRPCError({ code: "UNAUTHORIZED" });
    return next();
  });
  const meta = (method, path) => ({ openapi: { method, path } });
  const router = t.router({
    show: t.procedure.meta(meta("GET", "/items/{id}")).input(shown).output(content.ShownItem).query(show),
    list: t.procedure
      .meta(meta("GET", "/items"))
      .input(z.void())
      .output(content.List)
      .query(() => content.listed()),
    create: t.procedure
      .meta(meta("POST", "/items"))
      .input(content.NewItem)
      .output(content.Created)
      .mutation(({ input }) => content.createdOf(input)),
    guarded: t.procedure
      .use(guard)
      .meta(meta("GET", "/guarded/{id}"))
      .input(shown)
      .output(content.ShownItem)
      .query(show),
  });
  const responseMeta = ({ type }) =>
    type === "mutation" ? { status: 201, headers: { location: content.createdAt } } : {};
  createServer(createOpenApiHttpHandler({ router, responseMeta, createContext: (context) => context })).listen(port);
}
