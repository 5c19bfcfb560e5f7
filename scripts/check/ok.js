// What can fail beside `npm test`, two steps at a time; with names of steps, only those. Ends with a line of counts.
// What is only found by hours of trying is in nightly.js, and tried for minutes here.
import { runAll } from "./lib/steps.js";

const alone = { alone: true };
const node = `Node ${process.versions.node.split(".")[0]}`;
const steps = [
  ["build", "npm", ["run", "--silent", "build"], alone],
  ["types", "npx", ["--no-install", "tsc", "--noEmit"]],
  ["lint", "npm", ["run", "--silent", "lint"]],
  ["format", "npm", ["run", "--silent", "format:check"]],
  ["names", process.execPath, ["scripts/check/names.js"]],
  ["imports", process.execPath, ["scripts/check/imports.js"]],
  ["walk", process.execPath, ["scripts/check/walk.js", "--hold"]],
  ["size", process.execPath, ["scripts/check/size.js"]],
  ["request-functions", process.execPath, ["scripts/check/request-functions.js"]],
  ["api", process.execPath, ["scripts/check/api.js"]],
  ["since-last", process.execPath, ["scripts/check/since-last.js"]],
  ["prose", process.execPath, ["scripts/check/prose.js"]],
  ["unused", process.execPath, ["scripts/check/unused.js"]],
  ["cli-docs", process.execPath, ["scripts/check/cli-docs.js"]],
  ["packed-package", process.execPath, ["scripts/check/packed-package.js"]],
  // The longest first, so that no lane waits for one of them at the end.
  // Two are between others that are tried here, and `npm test` tries the same on this one. nightly.js has them all.
  [
    "runtimes",
    process.execPath,
    ["scripts/check/runtimes.js"],
    { env: { FINGERPOST_WITHOUT: `Node 22,Node 24,${node}` } },
  ],
  ["exchanges", process.execPath, ["scripts/check/exchanges.js"]],
  // With `npm run coverage`, unless the tests that have just run have taken it.
  ["messages", process.execPath, ["scripts/check/messages.js"]],
  ["type-cost", process.execPath, ["scripts/check/type-cost.js"]],
  ["docs", process.execPath, ["scripts/build/docs.js"]],
  ["site-search", process.execPath, ["scripts/check/site-search.js"], { after: ["docs"] }],
  ["site-in-browser", process.execPath, ["scripts/check/site-in-browser.js"], { after: ["docs"] }],
  ["example-mounting", process.execPath, ["scripts/check/example-mounting.js"]],
  ["example-conduit", process.execPath, ["scripts/check/example-application.js", "conduit"]],
  ["example-notes", process.execPath, ["scripts/check/example-application.js", "notes"]],
  [
    "programs-under-fire",
    process.execPath,
    ["scripts/check/programs-under-fire.js"],
    // The other steps install what examples need.
    { after: ["example-mounting", "example-conduit", "example-notes"] },
  ],
  ["postgres-tests", process.execPath, ["scripts/check/postgres-tests.js"], { env: { KILLS: "50" } }],
  ["redis-tests", process.execPath, ["scripts/check/redis-tests.js"]],
  [
    "real-clients",
    "npx",
    ["--no-install", "vitest", "run", "tests/clients/real-clients.test.ts", "--typecheck.enabled=false"],
    // The runtimes that serve are installed by their own step.
    { env: { FINGERPOST_CLIENTS: "quick" }, after: ["runtimes"] },
  ],
  ["document-tools", process.execPath, ["scripts/check/document-tools.js"]],
  ["newcomer-steps", process.execPath, ["scripts/check/newcomer-steps.js"]],
  ["templates", process.execPath, ["scripts/check/templates.js"]],
  // Baits ask whether the mutation run says the truth: nightly.js has it judge the tests.
  ["mutation-baits", "npm", ["run", "--silent", "mutation:baits"]],
  ["hardened-node", process.execPath, ["scripts/check/hardened-node.js"]],
  ["index-oracle", process.execPath, ["scripts/check/index-oracle.js", "30000"]],
  ["socket-faults", process.execPath, ["scripts/check/socket-faults.js"], { env: { FAULTS: "200" } }],
  ["events", process.execPath, ["bench/soak/events.js"], { env: { EVENTS: "100,10" } }],
  // The gate compares times, alone, and should not wait for the network meanwhile.
  ["bench-packages", "npm", ["run", "--silent", "tools", "--", "bench"]],
  ["speed", process.execPath, ["bench/gate.js"], alone],
];

await runAll(steps, { lanes: 2 });
