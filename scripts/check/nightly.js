// What takes too long for every push, one step after the other: `npm run nightly`. With names of steps, only those;
// ends with a line of counts, as ok.js does.
import { runAll } from "./lib/steps.js";

const untyped = ["--typecheck.enabled=false"];
/** Suites of which `npm test` takes a part. */
const sampledSuites = [
  "answer/answer-plan",
  "growth/client-text",
  "security/expressions",
  "security/guards-of-replacements",
  "security/pollution",
  "servers/frames",
  "types/completion",
  "types/semantics-messages",
];
const steps = [
  ["build", "npm", ["run", "--silent", "build"]],
  ["docs", process.execPath, ["scripts/build/docs.js"]],
  ["site-in-browser", process.execPath, ["scripts/check/site-in-browser.js", "--all"]],
  ["index-oracle", process.execPath, ["scripts/check/index-oracle.js", "1000000"]],
  ["build-growth", process.execPath, ["scripts/check/build-growth.js"]],
  ["jsr", process.execPath, ["scripts/release/jsr.js"]],
  ["properties", "npm", ["run", "--silent", "properties"]],
  ["socket-faults", process.execPath, ["scripts/check/socket-faults.js"], { env: { FAULTS: "1000" } }],
  [
    "attack",
    "npx",
    ["--no-install", "vitest", "run", "tests/openapi/attack", ...untyped],
    { env: { FINGERPOST_RUNS: "10000" } },
  ],
  ["payments", process.execPath, ["scripts/check/postgres-tests.js", "-t", "C12.5"], { env: { KILLS: "2000" } }],
  [
    "sessions",
    process.execPath,
    ["scripts/check/redis-tests.js", "-t", "C13.1"],
    { env: { SESSION_REQUESTS: "100000" } },
  ],
  ["fuzz", process.execPath, ["scripts/check/fuzz.js"]],
  [
    "attack on Conduit",
    process.execPath,
    ["scripts/check/example-application.js", "conduit", "attack"],
    { env: { ATTACKS: "10000" } },
  ],
  [
    "lines",
    "npx",
    ["--no-install", "vitest", "run", "tests/growth/lines.test.ts", ...untyped],
    { env: { LINES: "10000000" } },
  ],
  [
    "upload",
    "npx",
    ["--no-install", "vitest", "run", "tests/growth/upload.test.ts", ...untyped],
    { env: { MEGABYTES: "1024" } },
  ],
  [
    "whole-suites",
    "npx",
    ["--no-install", "vitest", "run", ...sampledSuites, ...untyped],
    { env: { FINGERPOST_WHOLE: "1" } },
  ],
  ["clients", process.execPath, ["scripts/check/generated-clients.js"]],
  ["packages of clients", process.execPath, ["scripts/build/system-packages.js", "--clients"]],
  [
    "real-clients",
    "npx",
    ["--no-install", "vitest", "run", "tests/clients/real-clients.test.ts", ...untyped],
    { env: { FINGERPOST_CLIENTS: "all" } },
  ],
  ["overload", process.execPath, ["bench/overload/main.js", "--check"], { env: { SECONDS: "30" } }],
  ["soak", process.execPath, ["bench/soak/main.js"]],
  ["events", process.execPath, ["bench/soak/events.js"]],
  ["chaos", process.execPath, ["bench/soak/chaos.js"]],
  ["runtimes", process.execPath, ["scripts/check/runtimes.js"], { env: { FINGERPOST_ROUND_TRIPS: "10000" } }],
  ["exchanges", process.execPath, ["scripts/check/exchanges.js", "--on=node,bun,deno"]],
  ["release", process.execPath, ["scripts/release/pack.js"]],
  ["type-cost", process.execPath, ["scripts/check/type-cost.js", "--all"]],
  ["completion", process.execPath, ["bench/completion.js", "--compilers=typescript", "--limit=200"]],
  ["mutation", process.execPath, ["scripts/check/mutation.js"]],
];

await runAll(steps, { lanes: 1 });
