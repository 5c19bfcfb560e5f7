// A Redis or Valkey server of one's own, where this machine has one.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./ports.js";

const has = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

/**
 * Calls a function with the URL and the process id of a server that runs until it is done, or with undefined where
 * there is none.
 */
export async function withRedis(act) {
  const name = ["redis", "valkey"].find((one) => has(`${one}-server`, "--version"));
  if (name === undefined) return act(undefined);
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-redis-"));
  const port = String(await freePort());
  const options = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const server = spawn(`${name}-server`, options, { stdio: "ignore" });
  const ended = once(server, "exit");
  try {
    await listening(name, port);
    return await act(`redis://127.0.0.1:${port}`, server.pid);
  } finally {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true });
  }
}

async function listening(name, port) {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (has(`${name}-cli`, "-p", port, "ping")) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Cannot test with Redis: ${name}-server does not answer`);
}
