import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serve } from "fingerpost/node";
import { expect, it, onTestFinished } from "vitest";
import { portOf } from "../../support/sockets.ts";
import { folder, node22 } from "../tools.ts";
import { app } from "./application.ts";

const suite = `${folder}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const baseline = fileURLToPath(new URL("expected-failures.yaml", import.meta.url));
/** The suite needs Node 22. */
const isInstalled = existsSync(suite) && node22 !== undefined;
if (!isInstalled) {
  console.warn(
    "The suite of MCP is not run: run `npm run tools -- tests/openapi`, and on Node 20 `npm run tools -- " +
      "tests/runtimes`",
  );
}

it.skipIf(!isInstalled)("C21.2 passes the suite of the protocol, but for what mcp() leaves out", async () => {
  const stop = new AbortController();
  const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal, graceMs: 100 });
  onTestFinished(async () => {
    const closed = once(server, "close");
    stop.abort();
    await closed;
  });
  const url = `http://127.0.0.1:${portOf(server)}/mcp`;
  const output = await new Promise<string>((resolve) => {
    const args = [suite, "server", "--url", url, "--suite", "all", "--expected-failures", baseline];
    execFile(node22!, args, { maxBuffer: 1e7 }, (error, stdout) => resolve(`${stdout}\nexit ${error?.code ?? 0}`));
  });
  expect(output).toContain("Baseline check passed");
  expect(output.slice(-7)).toBe("\nexit 0");
  const passed = [...output.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)].map(([, scenario]) => scenario);
  expect(passed).toEqual([
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-error",
    "dns-rebinding-protection",
  ]);
});
