// The process's own limit of descriptors, reached for real.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";
import { folderOf } from "./folders.ts";

const src = fileURLToPath(new URL("../../src", import.meta.url));

const program = `
import { closeSync, openSync } from "node:fs";
import { Files } from ${JSON.stringify(join(src, "content/files.ts"))};
import { folder } from ${JSON.stringify(join(src, "content/folder.ts"))};
import { Application } from ${JSON.stringify(join(src, "modules/http.native.ts"))};

const root = process.argv[2];
const codes = [];
class Assets extends Files {
  paths = ["/:path*"];
  source = folder(root);
}
const app = Application.builder().resources(Assets).onError((error) => void codes.push(error.code)).build();
const ask = async () => {
  const response = await app.fetch(new Request("http://h/a.txt"));
  return [response.status, await response.text()];
};

await ask();
const taken = [];
try {
  for (;;) taken.push(openSync(root, "r"));
} catch {}
const [status, text] = await ask();
for (const descriptor of taken) closeSync(descriptor);
const after = await Promise.all(Array.from({ length: 20 }, ask));
const isServed = after.every(([own, t]) => own === 200 && t === "text");
console.log(JSON.stringify({ status, leaks: text.includes(root), codes, after: isServed }));
`;

it("F3 answers 500 while the process has no descriptor left, and goes on afterwards", () => {
  const root = folderOf({ "public/a.txt": "text" });
  writeFileSync(join(root, "program.mjs"), program);
  buildSync({
    entryPoints: [join(root, "program.mjs")],
    outfile: join(root, "bundle.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
  });
  const command = 'ulimit -n 64 && exec "$0" "$@"';
  const args = [process.execPath, join(root, "bundle.mjs"), join(root, "public")];
  const said = execFileSync("sh", ["-c", command, ...args], { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual({ status: 500, leaks: false, codes: ["EMFILE"], after: true });
});
