import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

export function start(port, root) {
  const app = new Hono();
  app.use("/*", serveStatic({ root }));
  serve({ fetch: app.fetch, port });
}
