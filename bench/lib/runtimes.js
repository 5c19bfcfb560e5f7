import { fileURLToPath } from "node:url";

const flags = {
  node: { gc: ["--expose-gc"], "big nursery": ["--min-semi-space-size=512", "--max-semi-space-size=512"] },
  bun: { gc: [], "big nursery": [] },
  deno: {
    gc: ["--v8-flags=--expose-gc"],
    "big nursery": ["--v8-flags=--min-semi-space-size=512,--max-semi-space-size=512"],
  },
};

/** The runtime that this process runs on, as its kind and version. */
export const kind = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node";
export const version =
  kind === "bun" ? process.versions.bun : kind === "deno" ? process.versions.deno : process.versions.node;

/** What results and records are kept under: `node-20`, `bun`. */
export const label = kind === "node" ? `node-${version.split(".")[0]}` : kind;

/** The command line that runs a script on this very runtime. */
export function here(features = []) {
  return commandLine(kind, process.execPath, features);
}

function commandLine(kind, binary, features) {
  const extra = features.flatMap((feature) => flags[kind][feature]);
  return kind === "deno" ? [binary, "run", "--allow-all", "--quiet", ...extra] : [binary, ...extra];
}

// The tests install them.
const binaries = {
  "node-22": "node22/bin/node",
  "node-24": "node24/bin/node",
  "node-26": "node26/bin/node",
  bun: "bun/bin/bun.exe",
  deno: "deno/deno",
};

/** The runtimes that can be asked for: `node` is the one at hand. */
export const runtimeNames = ["node", ...Object.keys(binaries)];

/** The command line that runs a script on a runtime of that name. */
export function commandOf(name, features = []) {
  if (name === "node") return here(features);
  const binary = fileURLToPath(new URL(`../../tests/runtimes/node_modules/${binaries[name]}`, import.meta.url));
  return commandLine(name.split("-")[0], binary, features);
}
