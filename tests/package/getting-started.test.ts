// Does what docs/getting-started.md tells a newcomer to do, in its order.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/sockets.ts";
import { install, root, snippetsOf } from "./snippets.ts";

const page = readFileSync(join(root, "docs/getting-started.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = async (file: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(file, args, { cwd: folder })).stdout;

describe("docs/getting-started.md", () => {
  it("leads from nothing to a resource with an optional param, a guard, a group, a test that passes and a server", async () => {
    const commands = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, lines]) => lines!.trim().split("\n"));
    expect(commands.slice(0, 3)).toEqual([
      "mkdir library && cd library",
      "npm init -y && npm pkg set type=module",
      "npm install fingerpost",
    ]);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "library", version: "1.0.0", type: "module" }));
    await install(folder);

    const port = await freePort();
    const files = snippetsOf("docs/getting-started.md").filter(({ file }) => file !== null);
    expect(page.match(/^```js/gm)).toHaveLength(files.length);
    // Neither GitHub nor the site shows the name that stands behind the language.
    for (const { file } of files)
      expect(page).toMatch(new RegExp(`\`${file}\`(?:(?!^\`\`\`)[^])*^\`\`\`js \\[${file}\\]$`, "m"));
    for (const { file, code } of files) writeFileSync(join(folder, file!), code.replaceAll("3000", port));
    expect(files.map(({ code }) => code).join()).toMatch(/:id\?.*extends Middleware.*ResourceGroup\.builder/s);

    expect(commands[3]).toBe("node --test");
    expect(await run(process.execPath, ["--test", "--test-reporter=tap"])).toMatch(/^# pass 3\n# fail 0$/m);

    expect(commands[4]).toBe("node server.js");
    const server = spawn(process.execPath, ["server.js"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void server.kill());
    await new Promise((resolve) => server.stdout.once("data", resolve));

    const questions = [...page.matchAll(/^```sh\ncurl (\S+)\n```\n\n```\n(.*?)^```$/gms)];
    expect(questions.length).toBe(commands.length - 5);
    for (const [, url, answer] of questions) {
      const response = await fetch(url!.replace("3000", port));
      expect(`${await response.text()}\n`).toBe(answer);
    }
  }, 30_000);
});

it("the site begins with the first program of README", () => {
  const [program] = snippetsOf("README.md");
  expect(program?.code).toContain('from "fingerpost/semantics"');
  expect(snippetsOf("docs/index.md")[0]?.code).toBe(program?.code);
});
