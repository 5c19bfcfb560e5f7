import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import * as content from "../content.js";
import { honoApp } from "./hono-app.js";

export function start(port) {
  const root = content.folderOfFile();
  const app = honoApp(serveStatic({ root, rewriteRequestPath: (path) => path.slice(6) }));
  serve({ fetch: app.fetch, port });
}
