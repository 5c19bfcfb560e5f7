// The tutorial after its first page, in order and in one folder: its commands print what it says, and its tests pass.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { install, root, snippetsOf } from "../package/snippets.ts";
import { freePort } from "../support/sockets.ts";

const modules = fileURLToPath(new URL("node_modules", import.meta.url));
const script = new URL("../../scripts/check/lib/ports.js", import.meta.url).href;
const { listening } = (await import(script)) as { listening(port: number, child: ChildProcess): Promise<void> };
const blocks = /^```(?<language>sh|js)(?: \[(?<file>[^\]]+)\])?\n(?<text>.*?)^```\n(?:\n```\n(?<output>.*?)^```$)?/gms;

/** How many tests pass on each page. */
const passing = { validation: 5, database: 2, "sign-in": 0, "tests-and-deploy": 4 };

describe.skipIf(process.env["POSTGRES_URL"] === undefined)(
  "the tutorial (run by scripts/check/postgres-tests.js)",
  () => {
    let folder: string;
    let port: string;
    let server: ChildProcess | undefined;
    const run = async (command: string): Promise<string> =>
      (await promisify(execFile)("sh", ["-c", command], { cwd: folder })).stdout;
    const stop = async (): Promise<void> => {
      if (server?.kill() === true) await once(server, "exit");
      server = undefined;
    };
    beforeAll(async () => {
      // Below node_modules/, so that what is installed there is found.
      folder = mkdtempSync(join(modules, ".tutorial-"));
      port = await freePort();
      await install(folder);
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      for (const { file, code } of snippetsOf("docs/getting-started.md"))
        writeFileSync(join(folder, file!), code.replaceAll("3000", port));
      symlinkSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod"));
    }, 60_000);
    afterAll(async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    });

    // PGlite begins slowly, and keeps a timer of ten seconds after it was closed.
    it.each(Object.entries(passing))("%s leads on from the page before", { timeout: 180_000 }, async (name, count) => {
      const page = readFileSync(join(root, `docs/tutorial/${name}.md`), "utf8");
      for (const { groups } of page.replaceAll("3000", port).matchAll(blocks)) {
        const { language, file, text, output } = groups as Record<string, string>;
        const command = text!.trim();
        if (language === "js") {
          expect(page.replaceAll(`\`\`\`js [${file}]`, "")).toContain(`\`${file}\``);
          writeFileSync(join(folder, file!), text!);
        } else if (command === "node server.js") {
          await stop();
          server = spawn(process.execPath, ["server.js"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
          await listening(Number(port), server);
        } else if (command.endsWith("node --test")) {
          const found = await run(`${command} --test-reporter=tap`);
          expect(found).toMatch(new RegExp(`^# pass ${count}\n# fail 0$`, "m"));
        } else if (!command.startsWith("npm install")) {
          expect(`${(await run(command.replace(/^curl/, "curl --silent"))).trimEnd()}\n`).toBe(output);
        }
      }
      await stop();
    });
  },
);
