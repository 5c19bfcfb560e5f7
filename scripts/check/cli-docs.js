// Runs the commands of docs/cli.md and compares their output with the page; `--write` puts it there.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}docs/cli.md`, "utf8");

let commands = 0;
const written = page.replace(/^```console\n\$ npx fingerpost (.*)\n[^]*?^```$/gm, (_block, line) => {
  commands++;
  const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
  const { stdout, stderr } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
    cwd: root,
    encoding: "utf8",
  });
  return `\`\`\`console\n$ npx fingerpost ${line}\n${stdout}${stderr}\`\`\``;
});

if (commands === 0 || commands !== page.split("```console").length - 1) {
  console.error("docs/cli.md shows something that is no command of the program");
  process.exitCode = 1;
} else if (process.argv.includes("--write")) {
  writeFileSync(`${root}docs/cli.md`, written);
} else if (written !== page) {
  console.error("docs/cli.md is not what the program prints; run node scripts/check/cli-docs.js --write");
  process.exitCode = 1;
}
console.log(`cli: ${commands} commands of docs/cli.md`);
