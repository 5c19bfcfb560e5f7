// Asks a build some thousand requests under a fixed clock, and compares its answers with those that are kept in
// tests/exchanges/recorded, byte for byte but for the mask. Prints each exchange that differs, with both texts.
//
//   node scripts/check/exchanges.js                        the build of this repository, on Node
//   node scripts/check/exchanges.js --dist=DIR             another build, which is DIR, beside its package.json
//   node scripts/check/exchanges.js --before=DIR           compares with a build in place of the recording
//   node scripts/check/exchanges.js --on=bun,deno          on other runtimes
//   node scripts/check/exchanges.js --only=TEXT --show=5   only exchanges whose names have the text; at most five
//   node scripts/check/exchanges.js --record               keeps the answers, after a change that is meant
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { mask } from "../../tests/exchanges/mask.js";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "tests/exchanges");
const reports = join(root, "reports/exchanges");
const runtimes = join(root, "tests/runtimes");

const bun = [join(runtimes, "node_modules/bun/bin/bun.exe")];
const deno = [join(runtimes, "node_modules/deno/deno"), "run", "--allow-all", "--no-lock", "--node-modules-dir=manual"];
const node = [process.execPath];
/** The programs that record the parts of each runtime, and what comes after their own arguments. */
const parts = {
  node: [
    [node, "in-process.js"],
    [node, "on-node.js"],
  ],
  bun: [
    [bun, "in-process.js"],
    [node, "on-others.js", "--", ...bun],
  ],
  deno: [
    [deno, "in-process.js"],
    [node, "on-others.js", "--", ...deno],
  ],
};

const options = Object.fromEntries(
  process.argv.slice(2).map((one) => {
    const [name, value = true] = one.replace(/^--/, "").split("=");
    return [name, value];
  }),
);
const { dist = join(root, "dist"), before, on = "node", only = "", show = "20", record = false } = options;

/** The recording of a build on a runtime, masked. */
async function recorded(of, runtime, name) {
  const texts = await Promise.all(
    parts[runtime].map(async ([command, file, ...rest]) => {
      const out = join(reports, `${name}.${runtime}.${file}.txt`);
      await run([...command, join(folder, file), `--dist=${resolve(of)}`, `--out=${out}`, ...rest]);
      return readFileSync(out, "utf8");
    }),
  );
  const text = masked(texts.join(""));
  writeFileSync(join(reports, `${name}.${runtime}.txt`), text);
  return text;
}

function masked(text) {
  return mask.reduce((whole, [expression, by]) => whole.replaceAll(expression, by), text);
}

/** Runs a program, whose outputs are shown if it fails: what servers write there of errors is meant. */
function run([file, ...args]) {
  return new Promise((done, failed) => {
    const child = spawn(file, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: environment() });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.once("error", failed);
    child.once("close", (code) =>
      code === 0 ? done() : failed(new Error(`${file} ${args.join(" ")} exited with ${code}:\n${said.slice(-4000)}`)),
    );
  });
}

const environment = () => ({ ...process.env, NODE_ENV: "production", NO_COLOR: "1", TZ: "UTC", LANG: "C" });

/** Exchanges by name. */
function exchangesOf(text) {
  const all = text.split(/^=== /m).slice(1);
  return new Map(all.map((one) => [one.slice(0, one.indexOf("\n")), one.slice(one.indexOf("\n") + 1).trimEnd()]));
}

/** Names, and both texts, of those that differ; what one of both lacks is null. */
function differencesOf(old, now) {
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names]
    .filter((name) => name.includes(only) && old.get(name) !== now.get(name))
    .map((name) => [name, old.get(name) ?? null, now.get(name) ?? null]);
}

/** Lines of both, those that only one has with its sign. */
function shown(old, now) {
  if (old === null) return marked("+", now);
  if (now === null) return marked("-", old);
  const [left, right] = [old.split("\n"), now.split("\n")];
  let [from, end] = [0, 0];
  while (from < left.length && left[from] === right[from]) from++;
  while (end < Math.min(left.length, right.length) - from && left.at(-1 - end) === right.at(-1 - end)) end++;
  return [
    ...marked(" ", left.slice(0, from).join("\n")),
    ...marked("-", left.slice(from, left.length - end).join("\n")),
    ...marked("+", right.slice(from, right.length - end).join("\n")),
    ...marked(" ", left.slice(left.length - end).join("\n")),
  ];
}

function marked(sign, text) {
  return text === "" ? [] : text.split("\n").map((line) => `${sign} ${line}`);
}

if (mask.length > 10) throw new Error("The mask has more than ten lines");
mkdirSync(reports, { recursive: true });
let [count, differing] = [0, 0];
for (const runtime of on.split(",")) {
  if (parts[runtime] === undefined)
    throw new Error(`No runtime is called ${runtime}: ${Object.keys(parts).join(", ")}`);
  if (runtime !== "node") install(runtimes, "the runtimes");
  const kept = join(folder, `recorded/${runtime}.txt.gz`);
  const now = await recorded(dist, runtime, "after");
  if (record) {
    writeFileSync(kept, gzipSync(now, { level: 9 }));
    console.log(`recorded ${exchangesOf(now).size} exchanges on ${runtime}`);
    continue;
  }
  const isKept = before === undefined;
  const old = isKept ? masked(gunzipSync(readFileSync(kept)).toString()) : await recorded(before, runtime, "before");
  writeFileSync(join(reports, `before.${runtime}.txt`), old);
  const all = exchangesOf(now);
  const differences = differencesOf(exchangesOf(old), all);
  for (const [name, ...texts] of differences.slice(0, Number(show)))
    console.log(`=== ${runtime} · ${name}\n${shown(...texts).join("\n")}\n`);
  count += all.size;
  differing += differences.length;
  if (differences.length > 0) console.log(`Compare reports/exchanges/before.${runtime}.txt and after.${runtime}.txt`);
}
if (!record) console.log(`exchanges: ${count} on ${on}, ${differing} differ`);
process.exitCode = differing > 0 ? 1 : 0;
