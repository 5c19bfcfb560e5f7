// Clients that still write when the answer comes: each receives it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Question } from "./question.ts";

const run = promisify(execFile);
// This file becomes part of dist/driver.main.js.
const cwd = fileURLToPath(new URL("..", import.meta.url));
const size = 8_000_000;

/** Prints the status that `fetch()` receives, of content that the server has refused long before its end. */
const program = `
const response = await fetch(URL, {
  method: "POST",
  headers: { "content-type": "application/octet-stream" },
  body: new Uint8Array(${size}),
});
console.log(response.status, (await response.json()).status);
`;

/** Each client by its command. */
const clients: Readonly<Record<string, (folder: string) => readonly string[]>> = {
  "Node 20": (folder) => ["node_modules/node20/bin/node", `${folder}/client.mjs`],
  "Node 26": (folder) => ["node_modules/node26/bin/node", `${folder}/client.mjs`],
  Bun: (folder) => ["node_modules/bun/bin/bun.exe", `${folder}/client.mjs`],
  Deno: (folder) => ["node_modules/deno/deno", "run", "--allow-all", "--no-lock", `${folder}/client.mjs`],
};

export const stillWriting: readonly Question[] = [
  {
    name: "C16.3 the 413 is received by clients that still write",
    // serve() promises it. Elsewhere the runtime decides.
    isFor: ({ kind, name }) => kind === "node" && name === "http native",
    async ask({ server: { port } }) {
      const folder = await mkdtemp(join(tmpdir(), "fingerpost-client-"));
      try {
        const url = `http://127.0.0.1:${port}/framed`;
        writeFileSync(join(folder, "client.mjs"), program.replace("URL", JSON.stringify(url)));
        writeFileSync(join(folder, "content"), new Uint8Array(size));
        for (const [name, command] of Object.entries(clients)) {
          const [file, ...args] = command(folder) as [string, ...string[]];
          const { stdout } = await run(file, args, { cwd });
          assert.equal(stdout.trim(), "413 413", name);
        }
        const field = ["-H", "content-type: application/octet-stream"];
        for (const more of [[], ["-H", "transfer-encoding: chunked"], ["-H", "expect:"]]) {
          const args = ["-s", "-w", " %{http_code}", ...field, ...more, "--data-binary", `@${folder}/content`, url];
          const { stdout } = await run("curl", args);
          assert.match(stdout, /"status":413.* 413$/, `curl ${more.join(" ")}`);
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
];
