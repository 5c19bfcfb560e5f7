import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Bun's own: a route for each file, which is in memory (`bytes`), or which it reads (`file`). */
export async function start(port, root, kind) {
  const routes = {};
  for (const name of readdirSync(root)) {
    const file = Bun.file(join(root, name));
    routes[`/${name}`] = new Response(kind === "file" ? file : await file.bytes(), {
      headers: { "Content-Type": file.type },
    });
  }
  Bun.serve({ port, routes, fetch: () => new Response(null, { status: 404 }) });
}
