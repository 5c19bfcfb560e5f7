// Runs the tests that need a Redis server, with one of their own.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withRedis } from "./lib/redis-server.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

await withRedis((url) => {
  if (url === undefined) {
    console.log("redis: SKIPPED, there is no redis-server on this machine; on Debian: apt-get install redis-server");
    return;
  }
  if (!existsSync(join(root, "dist")))
    execFileSync(process.execPath, ["scripts/build/build.js"], { cwd: root, stdio: "inherit" });
  const vitest = ["--no-install", "vitest", "run", "tests/redis", "examples/guarded", ...process.argv.slice(2)];
  const env = { ...process.env, REDIS_URL: url };
  process.exitCode = spawnSync("npx", vitest, { cwd: root, env, stdio: "inherit" }).status ?? 1;
});
