import { createServer } from "node:http";
import { dist } from "../../lib/dist.js";

const { Application } = await import(new URL("modules/http.native.js", dist).href);
const { Files } = await import(new URL("content/files.js", dist).href);
const { folder, snapshot } = await import(new URL("content/folder.js", dist).href);
const { listener } = await import(new URL("servers/node.js", dist).href);
const sources = { folder, snapshot };

/** `Files` on our own listener; on Bun, on its server. */
export function start(port, root, kind) {
  class Assets extends Files {
    paths = ["/:path*"];
    source = sources[kind](root);
  }
  const app = Application.builder().resources(Assets).build();
  if ("Bun" in globalThis) Bun.serve({ port, fetch: app.fetch });
  else createServer(listener(app)).listen(port);
}
