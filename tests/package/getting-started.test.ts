// Does what docs/getting-started.md tells a newcomer to do, in its order.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/sockets.ts";
import { install, root, snippetsOf } from "./snippets.ts";

const script = new URL("../../scripts/check/lib/ports.js", import.meta.url).href;
const { listening } = (await import(script)) as { listening(port: number, child: ChildProcess): Promise<void> };

const page = readFileSync(join(root, "docs/getting-started.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a command prints. */
const run = async (command: string): Promise<string> =>
  (await promisify(execFile)("sh", ["-c", command], { cwd: folder })).stdout;

const blocks = /^```(?<language>sh|js)(?: \[(?<file>[^\]]+)\])?\n(?<text>.*?)^```\n(?:\n```\n(?<output>.*?)^```$)?/gms;

describe("docs/getting-started.md", () => {
  it("leads from nothing to a server, a guard, a group, tests that pass, a document and a client", async () => {
    const commands = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, lines]) => lines!.trim().split("\n"));
    const making = ["mkdir library && cd library", "npm init -y && npm pkg set type=module"];
    expect(commands.slice(0, 3)).toEqual([...making, "npm install fingerpost zod"]);
    expect(commands[3]).toBe("node --watch server.js");
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "library", version: "1.0.0", type: "module" }));
    await install(folder);
    symlinkSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod"));
    // Neither GitHub nor the site shows the name after the language.
    for (const { file } of snippetsOf("docs/getting-started.md"))
      expect(page).toMatch(new RegExp(`\`${file}\`(?:(?!^\`\`\`)[^])*^\`\`\`js \\[${file}\\]$`, "m"));

    const port = await freePort();
    let server: ChildProcess | undefined;
    const stop = async (): Promise<void> => {
      if (server?.kill() === true) await once(server, "exit");
    };
    onTestFinished(stop);
    const answers: string[] = [];
    for (const { groups } of page.replaceAll("3000", port).matchAll(blocks)) {
      const { language, file, text, output } = groups as Record<string, string>;
      const command = text!.trim();
      if (language === "js") {
        if (file === "server.js") await stop();
        writeFileSync(join(folder, file!), text!);
      } else if (command === "node --watch server.js") {
        server = spawn(process.execPath, ["--watch", "server.js"], { cwd: folder, stdio: "inherit" });
        await listening(Number(port), server);
      } else if (command === "node --test") {
        expect(await run("node --test --test-reporter=tap")).toMatch(/^# pass 3\n# fail 0$/m);
      } else if (!command.startsWith("mkdir")) {
        expect(`${(await run(command.replace(/^curl/, "curl --silent"))).trimEnd()}\n`).toBe(output);
        answers.push(command);
      }
    }
    expect(answers.map((command) => command.replace(/ .*/s, ""))).toEqual(["curl", "curl", "curl", "curl", "node"]);
    expect((await fetch(`http://localhost:${port}/docs`)).status).toBe(200);
  }, 60_000);
});

it("the site begins with the first program of README", () => {
  const [program] = snippetsOf("README.md");
  expect(program?.code).toContain('from "fingerpost"');
  expect(snippetsOf("docs/index.md")[0]?.code).toBe(program?.code);
});
