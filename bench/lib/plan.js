import { fastNames } from "./adapters.js";

const fast = `--peers=${fastNames.join(",")}`;
// Whether there is a native URLPattern is for the runtime to say that measures.
const slow = "--peers=radix3,native?";
const sizes = [10, 100, 1000, 10_000, 100_000];
const both = ["--read", "--match-only"];

const match = (...args) => ({ script: "match.js", args });

/**
 * What is measured, by section: scripts and their arguments; `processes` is how many each figure of a script is the
 * median of already.
 */
export const plan = {
  hono: [
    match("--table=hono", "--mode=url", fast, ...both),
    match("--table=hono", "--mode=urlnq", fast, ...both),
    match("--table=hono", "--mode=slice", fast),
    match("--table=hono", "--mode=target", fast),
    match("--table=hono", "--mode=url", slow, "--rows=all together,miss"),
  ],
  github: ["github-v3", "github-octokit"].flatMap((table) => [
    match(`--table=${table}`, "--mode=url", fast, ...both),
    match(`--table=${table}`, "--mode=url", slow, "--rows=all together,miss"),
  ]),
  special: ["optional-heavy", "constrained-heavy", "expression-heavy"].flatMap((table) => [
    match(`--table=${table}`, "--mode=url", fast),
    match(`--table=${table}`, "--mode=url", slow),
  ]),
  hostile: [match("--table=hostile", "--mode=url", fast), match("--table=hostile", "--mode=url", slow)],
  // What it costs to have a thousand routes is one thing, what reading by a thousand functions does is another.
  scale: sizes.map((size) => match(`--table=synthetic-${size}`, "--mode=slice", fast, ...(size <= 1000 ? both : []))),
  build: sizes.map((size) => ({ script: "build.js", args: [`--table=synthetic-${size}`], processes: 3 })),
  cold: [
    { script: "cold.js", args: ["--kind=router"], processes: 15 },
    { script: "cold.js", args: ["--kind=app"], processes: 15 },
  ],
  handle: ["shared", "async", "new"].map((response) => ({
    script: "handle.js",
    args: [`--response=${response}`, "--processes=1"],
  })),
  refuse: [{ script: "refuse.js", args: [] }],
  // JavaScriptCore does not say what was allocated.
  bytes: [{ script: "bytes.js", args: [], processes: 1, runsOn: /^(?:node|deno)/ }],
};
