// Runs the tests that need PostgreSQL, with a server of their own from the registry; those of several processes and
// machines need Redis and HAProxy, too.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";
import { withPostgres } from "./lib/postgres-server.js";
import { withRedis } from "./lib/redis-server.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const examples = ["conduit", "notes"];
for (const name of examples) install(join(root, "examples", name), `what examples/${name} needs`);
if (!existsSync(join(root, "dist")))
  execFileSync(process.execPath, ["scripts/build/build.js"], { cwd: root, stdio: "inherit" });
// Processes of the examples run what is compiled.
for (const name of examples)
  execFileSync("npm", ["run", "--silent", "compile"], { cwd: join(root, "examples", name), stdio: "inherit" });

await withPostgres(["feed", ...examples], async (urlOf) => {
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
});
