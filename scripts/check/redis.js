// Runs the tests that need a Redis server, with one of their own.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./registry.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const has = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
const isThere = () => has("redis-server", "--version");

if (isThere()) await test();
else console.log("redis: SKIPPED, there is no redis-server on this machine; on Debian: apt-get install redis-server");

async function test() {
  if (!existsSync(join(root, "dist")))
    spawnSync(process.execPath, ["scripts/build/build.js"], { cwd: root, stdio: "inherit" });
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-redis-"));
  const port = String(await freePort());
  const server = spawn("redis-server", ["--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder], {
    stdio: "ignore",
  });
  const ended = once(server, "exit");
  try {
    await listening(port);
    const vitest = ["--no-install", "vitest", "run", "tests/redis", "examples/guarded"];
    const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${port}` };
    process.exitCode = spawnSync("npx", vitest, { cwd: root, env, stdio: "inherit" }).status ?? 1;
  } finally {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true });
  }
}

async function listening(port) {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (has("redis-cli", "-p", port, "ping")) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Cannot test with Redis: redis-server does not answer");
}
