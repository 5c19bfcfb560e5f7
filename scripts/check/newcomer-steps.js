// Types what README, docs/getting-started.md and the template for Node say, word by word, in an empty directory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, listening } from "./lib/ports.js";
import { openRegistry, shell } from "./lib/registry.js";

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
  const goesOn = /^(?:node (?:--watch )?server\.js|npm start)$/.test(command);
  if (!goesOn) return shell(command, { cwd, env: { ...env, PORT: port } });
  await stop();
  server = spawn("bash", ["-c", `exec ${command}`], { cwd, env: { ...env, PORT: port }, detached: true });
  await listening(Number(port), server);
  return "";
}

async function stop() {
  if (server?.exitCode === null) {
    process.kill(-server.pid);
    await once(server, "exit");
  }
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
    if (language === "js") {
      if (file === "server.js") await stop();
      writeFileSync(join(cwd, file), atPort(text));
    } else
      // A backslash continues a command on the next line.
      for (const line of text.trim().split(/(?<!\\)\n/)) {
        const printed = await type(atPort(line), cwd);
        if (line.startsWith("mkdir ")) cwd = join(cwd, "library");
        if (output !== undefined) expect(`${printed.trimEnd()}\n`, output);
      }
  }
  await stop();

  // The program of README, its commands, and what they answer.
  cwd = join(folder, "readme");
  mkdirSync(cwd);
  const readme = textOf("README.md").split("\n## ")[0];
  const [, program] = /^```js\n(.*?)^```$/ms.exec(readme);
  writeFileSync(join(cwd, "server.js"), atPort(program));
  for (const [, text] of readme.matchAll(/^```sh\n(.*?)^```$/gms)) await type(atPort(text.trim()), cwd);
  const rows = [...readme.matchAll(/^\| `(curl [^`]*)` \| .*?`([^`]*)` \|$/gm)];
  expect(rows.length, 3);
  for (const [, command, answer] of rows) {
    const printed = await type(atPort(command.replace("curl", "curl --silent")), cwd);
    if (!printed.includes(answer)) throw new Error(`${command} printed ${printed}, which has no ${answer}`);
  }
  expect((await fetch(`http://localhost:${port}/docs`)).status, 200);
  await stop();

  // The command of the page, and then those of the template.
  const [, make] = /^```sh\n(.*)\n```$/m.exec(textOf("docs/templates.md"));
  cwd = join(folder, "new");
  mkdirSync(cwd);
  await type(make, cwd);
  cwd = join(cwd, "library");
  const [, lines] = /^```sh\n(.*?)^```$/ms.exec(readFileSync(join(cwd, "README.md"), "utf8"));
  for (const line of lines.trim().split("\n")) await type(line.replace(/\s+#.*/, ""), cwd);
  expect(await (await fetch(`http://localhost:${port}/books/1`)).text(), '{"title":"Kindred","year":1979}');
  console.log("newcomer: all of it works");
} finally {
  await stop();
  close();
  rmSync(folder, { recursive: true });
}
