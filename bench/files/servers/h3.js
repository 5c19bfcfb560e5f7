import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { H3, serve, serveStatic } from "h3";

/** What its guide gives it: how to look a file up, and how to read it. */
export function start(port, root) {
  const app = new H3();
  app.use((event) =>
    serveStatic(event, {
      async getMeta(id) {
        const stats = await stat(join(root, id)).catch(() => undefined);
        return stats?.isFile() ? { size: stats.size, mtime: stats.mtimeMs } : undefined;
      },
      getContents: (id) => Readable.toWeb(createReadStream(join(root, id))),
    }),
  );
  serve(app, { port, silent: true });
}
