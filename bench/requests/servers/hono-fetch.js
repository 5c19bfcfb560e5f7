import * as content from "../content.js";
import { honoApp } from "./hono-app.js";

/** On Bun and Deno, by their own servers. */
export async function start(port) {
  const root = content.folderOfFile();
  const rewriteRequestPath = (path) => path.slice(6);
  if (typeof Bun === "object") {
    const { serveStatic } = await import("hono/bun");
    Bun.serve({ port, fetch: honoApp(serveStatic({ root, rewriteRequestPath })).fetch });
  } else {
    const { serveStatic } = await import("hono/deno");
    const app = honoApp(serveStatic({ root, rewriteRequestPath }));
    Deno.serve({ port, hostname: "localhost", onListen() {} }, app.fetch);
  }
}
