// Types what README, docs/getting-started.md and the template for Node say, word by word, in an empty directory.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, openRegistry, shell } from "./registry.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const textOf = (page) => readFileSync(join(root, page), "utf8");
const port = String(await freePort());
const atPort = (text) => text.replaceAll("3000", port);

const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
const { env, close } = await openRegistry();
let server = null;

/** Runs a command; one that goes on is left to run, as in a terminal of its own. */
async function type(command, cwd) {
  console.log(`newcomer: $ ${command}`);
  if (!/^(?:node \w\S*|npm start)$/.test(command)) return shell(command, { cwd, env: { ...env, PORT: port } });
  server = spawn("bash", ["-c", `exec ${command}`], { cwd, env: { ...env, PORT: port }, detached: true });
  await new Promise((resolve, reject) => {
    server.stdout.on("data", (data) => String(data).includes(`http://localhost:${port}`) && resolve());
    server.once("exit", () => reject(new Error(`${command} ended`)));
  });
  return "";
}

function stop() {
  if (server?.exitCode === null) process.kill(-server.pid);
  server = null;
}

function expect(found, wanted) {
  if (found !== wanted) throw new Error(`Expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`);
}

try {
  let cwd = folder;
  const blocks = textOf("docs/getting-started.md").matchAll(
    /^```(?<language>sh|js)(?: \[(?<file>[^\]]+)\])?\n(?<text>.*?)^```\n(?:\n```\n(?<output>.*?)^```$)?/gms,
  );
  for (const [, language, file, text, output] of blocks) {
    if (language === "js") writeFileSync(join(cwd, file), atPort(text));
    else
      for (const line of text.trim().split("\n")) {
        const printed = await type(atPort(line), cwd);
        if (line.startsWith("mkdir ")) cwd = join(cwd, "library");
        if (output !== undefined) expect(`${printed}\n`, output);
      }
  }
  stop();

  const [, hello, greeting] = /^```js\n(.*?; \/\/ (.*?)\n)```$/ms.exec(textOf("README.md"));
  writeFileSync(join(cwd, "hello.mjs"), hello);
  expect(await shell("node hello.mjs", { cwd }), `${greeting}\n`);

  // The command of the page, and then those of the template.
  const [, copy] = /^```sh\n(.*)\n```$/m.exec(textOf("docs/templates.md"));
  await type(copy, folder);
  const [, lines] = /^```sh\n(.*?)^```$/ms.exec(textOf("examples/template-node/README.md"));
  for (const line of lines.trim().split("\n")) await type(line.replace(/\s+#.*/, ""), join(folder, "template-node"));
  expect(await (await fetch(`http://localhost:${port}/hello/Ada`)).text(), "Hello, Ada\n");
  console.log("newcomer: all of it works");
} finally {
  stop();
  close();
  rmSync(folder, { recursive: true });
}
