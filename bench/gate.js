// Fails when three runs of a row (seven of `handle()`) say that we are more than 15 % slower than at the commit that is
// recorded: `npm run bench:gate`. Both builds are measured side by side, in one process where that can be. With
// --record, the commit that is checked out is the one to be compared with from now on. With --requests, only whole
// requests are measured. Rows of middleware have limits of their own: that commit went through it in another way.
//
// Whole requests are held to ratios to peers: the least CPU time of each candidate in one to six launches, which take
// turns. Other work makes a batch dearer, up to twice, and never cheaper. So the least one is what the build takes, and
// a slower build cannot get there.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../scripts/build/install.js";
import { checkCases } from "./lib/cases.js";
import { figure } from "./lib/markdown.js";
import { linesOf } from "./lib/processes.js";
import { randomFrom, shuffled } from "./lib/random.js";

const slack = 1.15;
const tries = 3;
const match = (...args) => ["match.js", [...args, "--peers=fingerpost before", "--rounds=9", "--json"]];
const handle = (...args) => [
  "handle.js",
  ["--apps=fingerpost,fingerpost before", "--together", "--rounds=7", "--processes=1", ...args, "--json"],
];
/** The rows of `handle()` vary most, and are asked up to so often, each time in so many processes. */
const triesOfHandle = 7;
const processesOfHandle = 3;
const commands = {
  "hono, read": match("--table=hono", "--rows=all together", "--mode=url"),
  "hono, match only": match("--table=hono", "--rows=all together", "--mode=url", "--match-only"),
  "hono, static": match("--table=hono", "--rows=long static", "--mode=urlnq"),
  "github-v3, read": match("--table=github-v3", "--rows=all together", "--mode=url"),
  "github-v3, match only": match("--table=github-v3", "--rows=all together", "--mode=url", "--match-only"),
  "constrained, read": match("--table=constrained-heavy", "--rows=all together", "--mode=url"),
  // Of whole calls: 1.15, 0.7 and 0.75 of what `handle()` adds to a floor of some 150 ns.
  "handle()": [...handle(), 1.09, triesOfHandle, processesOfHandle],
  "handle(), one middleware": [...handle("--middleware=1"), 0.755, triesOfHandle, processesOfHandle],
  "handle(), three middlewares": [...handle("--middleware=3"), 0.785, triesOfHandle, processesOfHandle],
};

/**
 * Whole requests: by row, whose cost may be how many times that of whom, without a kernel or in process (decision 126).
 */
const goals = [
  { row: "R1", own: "fingerpost native", peer: "hono, zod", most: 0.8 },
  { row: "R1", own: "fingerpost native, platform's Response", peer: "hono, zod", most: 2.5 },
  { row: "R1", own: "fingerpost semantics", peer: "hono, zod", most: 1 },
  { row: "R2", own: "fingerpost semantics", peer: "hono, zod", most: 1 },
  { row: "R4", own: "fingerpost semantics", peer: "hono, zod", most: 0.85 },
  { row: "R1", own: "fingerpost semantics", peer: "fastify", most: 1.1 },
  { row: "R2", own: "fingerpost semantics", peer: "fastify", most: 1.3 },
  // 1.27 on one machine, 1.4 on another with the same build.
  { row: "R4", own: "fingerpost semantics", peer: "fastify", most: 1.3 },
  { row: "R6 422", own: "fingerpost semantics", peer: "hono, zod", most: 0.9 },
  { row: "R6 404", own: "fingerpost semantics", peer: "hono, zod", most: 1.1 },
  { row: "R5", own: "fingerpost native", peer: "hono, zod", most: 1.1 },
  { row: "R1", own: "fingerpost semantics", peer: "elysia", most: 1.2, at: "in-process" },
  { row: "R2", own: "fingerpost semantics", peer: "elysia", most: 1.2, at: "in-process" },
];
/**
 * How often each candidate of a row is launched: at least, and until a row passes. One launch does for less than such a
 * part of the limit: other work would have to make all batches of the peer dearer by a quarter, and none of ours.
 */
const launches = { least: 2, most: 6, plain: 0.8 };
/** Requests before the first batch, in a batch, and batches. */
const counts = { "kernel-less": ["12000", "500", "20"], "in-process": [] };

/**
 * Files: in which cases a server has at least how many of the requests a second of peers (decision 090). The CPU of the
 * server is what is compared: other work on the machine changes it less. All that serve the same cases are loaded in
 * turn, so that ours is measured once.
 */
const every = "1 kB,64 kB,1 MB,304 for 64 kB,1 kB of 1 MB,64 kB of 1 MB";
const files = [
  ["fingerpost snapshot", "1 kB,64 kB", { sirv: 1.5 }],
  ["fingerpost snapshot", "1 MB", { sirv: 1 }],
  ["fingerpost snapshot", "304 for 64 kB", { send: 1, "@fastify/static": 1 }],
  // Short files cost more than with send since each member of a response is read once (1.20 on a busy machine).
  ["fingerpost folder", every, { send: 0.87, "@fastify/static": 1 }],
];

const root = fileURLToPath(new URL("..", import.meta.url));
const env = { NODE_ENV: "production" };
const file = new URL("gate.json", import.meta.url);
const git = (...args) =>
  execFileSync("git", args, { cwd: root, maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "ignore"] });

if (process.argv.includes("--record")) {
  const commit = git("rev-parse", "HEAD").toString().trim();
  writeFileSync(file, `${JSON.stringify({ commit }, null, 2)}\n`);
  console.log(`bench:gate: ${commit} is what builds are compared with from now on`);
} else if (process.argv.includes("--requests")) {
  checkRequests();
} else {
  await check(JSON.parse(readFileSync(file, "utf8")).commit);
}

async function check(commit) {
  if (!existsSync(`${root}dist/core.js`)) throw new Error('There is no build to measure; run "npm run build" first');
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
  try {
    build(commit, folder);
    process.env.BENCH_BEFORE = join(folder, "dist");
    console.log(`bench:gate: the build gives the expected answers to ${await checkCases()} rows of the case table`);
    for (const [row, [script, args, limit = slack, most = tries, processes = 1]] of Object.entries(commands)) {
      const measure = () => nearMedian(processes, limit, () => ratioOf(script, args));
      hold(row, `x ${commit.slice(0, 7)}`, limit, measure, most);
    }
    checkRequests();
    checkFiles();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Holds whole requests to what they may cost beside a peer. */
function checkRequests() {
  install(`${root}bench/`, "what the benchmarks compare with");
  for (const place of ["kernel-less", "in-process"]) {
    const here = goals.filter(({ at = "kernel-less" }) => at === place);
    const ofRow = (row) => here.filter((goal) => goal.row === row);
    for (const row of new Set(here.map(({ row }) => row))) holdRow(row, place, ofRow(row));
  }
}

/** Holds requests for files to what they may cost beside peers, as `hold()` does. Those that pass are done. */
function checkFiles() {
  for (const [own, cases, peers] of files) {
    const ratios = Object.fromEntries(Object.keys(peers).map((peer) => [peer, []]));
    const limitOf = (peer) => slack / peers[peer];
    let open = Object.keys(peers);
    for (let at = 0; open.length > 0 && at < tries; at++) {
      const args = [
        `--servers=${[own, ...open].join(",")}`,
        `--cases=${cases}`,
        "--rounds=5",
        "--milliseconds=400",
        "--json",
      ];
      const rows = linesOf("files/main.js", args, { env });
      // The case that is furthest behind. A peer that was not measured is behind nobody.
      for (const peer of open) ratios[peer].push(Math.max(...rows.map(({ cpu }) => cpu[peer] ?? NaN)));
      open = open.filter((peer) => !(ratios[peer].at(-1) <= limitOf(peer)));
    }
    for (const [peer, taken] of Object.entries(ratios)) {
      print(`${cases}, ${own}`, taken, `x ${peer}, at most ${figure(limitOf(peer) / slack)}`, open.includes(peer));
    }
  }
}

/** Fails where the least costs of all launches say that a ratio is over its limit. */
function holdRow(row, place, goals) {
  const costs = {};
  const random = randomFrom(Date.now());
  const ratioOf = ({ own, peer }) => costs[own] / costs[peer];
  let open = goals;
  for (let round = 1; open.length > 0 && round <= launches.most; round++) {
    for (const name of shuffled([...new Set(open.flatMap(({ own, peer }) => [own, peer]))], random)) {
      const [{ samples }] = linesOf(`requests/${place}.js`, [name, row, ...counts[place]], { env });
      costs[name] = Math.min(costs[name] ?? Infinity, ...samples);
    }
    const share = round >= launches.least ? 1 : launches.plain;
    open = open.filter((goal) => ratioOf(goal) > goal.most * slack * share);
  }
  if (open.length > 0) process.exitCode = 1;
  for (const goal of goals) {
    const { own, peer, most } = goal;
    const each = `${costs[own].toFixed(1)} us for ${costs[peer].toFixed(1)}`;
    const over = open.includes(goal) ? "  OVER" : "";
    console.log(
      `bench:gate ${row}, ${own}, ${place}: ${ratioOf(goal).toFixed(2)} x ${peer}, at most ${most} (${each})${over}`,
    );
  }
}

/** Fails where each of some runs says that a ratio is over its limit, and prints all that were taken. */
function hold(row, against, limit, measure, most = tries) {
  const ratios = [];
  const isOver = () => !ratios.some((ratio) => ratio <= limit);
  while (ratios.length < most && isOver()) ratios.push(measure());
  print(row, ratios, against, isOver());
}

function print(row, ratios, against, isOver) {
  if (isOver) process.exitCode = 1;
  const all = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  console.log(`bench:gate ${row}: ${all} ${against}${isOver ? "  OVER" : ""}`);
}

/**
 * A ratio that is over a limit where the median of so many is: as soon as most are on one side, the others change
 * nothing.
 */
function nearMedian(count, limit, measure) {
  const most = (count + 1) / 2;
  const sides = { over: [], within: [] };
  for (;;) {
    const ratio = measure();
    const side = ratio <= limit ? sides.within : sides.over;
    side.push(ratio);
    if (side.length === most) return side === sides.within ? Math.max(...side) : Math.min(...side);
  }
}

/** Builds a commit in a folder of its own. */
function build(commit, folder) {
  let archive;
  try {
    archive = git("archive", commit);
  } catch (cause) {
    throw new Error(`The commit ${commit} is not in this clone; fetch its history first`, { cause });
  }
  execFileSync("tar", ["-x"], { cwd: folder, input: archive });
  symlinkSync(`${root}node_modules`, join(folder, "node_modules"));
  execFileSync(
    process.execPath,
    [existsSync(`${folder}/scripts/build/build.js`) ? "scripts/build/build.js" : "scripts/build.js"],
    { cwd: folder, stdio: ["ignore", "ignore", "inherit"] },
  );
}

/** Our cost in relation to that of the other build. */
function ratioOf(script, args) {
  const [{ results }] = linesOf(script, args);
  // The floor of handlers is twice as fast in one process as in another, so what is left without it varies too much:
  // one build beside itself gives 0.86 to 1.29, and with the floor 0.91 to 1.18.
  const { ratio: own, wholeRatio: ratio = own } = results.find(({ name }) => name === "fingerpost before");
  if (!(ratio > 0 && ratio < Infinity)) throw new Error(`${script} ${args.join(" ")} gave no ratio: ${ratio}`);
  return ratio;
}
