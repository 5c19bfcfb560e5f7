// All figures of whole requests, on all runtimes: `npm run bench:requests`, on a machine with nothing else to do, some
// two hours. Writes results/requests-*.json and the page, and says what README may say of the CPU on Node 20. Options
// are those of bench/requests.js; with --short, only those over sockets, which the page cites, in some fifteen minutes.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { install } from "../../scripts/build/install.js";
import { cpuOf, measuredRequests } from "../lib/requests.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
const isShort = process.argv.includes("--short");
const ofNode = isShort ? "sockets" : "kernel-less,sockets,in-process,cold,idle,memory";
const plan = { node: ofNode, "node-24": ofNode, bun: "sockets", deno: "sockets" };
const series = isShort ? [3, 1, 1500] : [7, 4, 8000];
const given = process.argv.slice(2).filter((option) => option !== "--short");

install(`${root}bench/`, "what the benchmarks compare with");
install(`${root}tests/runtimes`, "the runtimes");
for (const [runtime, measure] of Object.entries(plan)) {
  const [rounds, launches, warmup] = series;
  const options = [`--rounds=${rounds}`, `--launches=${launches}`, `--warmup=${warmup}`, ...given];
  run("bench/requests.js", `--runtime=${runtime}`, `--measure=${measure}`, "--write", ...options);
}
run("bench/report.js");

const node = measuredRequests().find(({ label }) => label === "node-20");
for (const peer of ["fastify", "hono, zod"]) {
  const ratios = Object.entries(node?.rows ?? {})
    // Files are not an operation.
    .filter(([row]) => row !== "R7")
    .map(([row, taken]) => ({ row, ratio: cpuOf(taken, "fingerpost semantics") / cpuOf(taken, peer) }))
    .toSorted((a, b) => a.ratio - b.ratio);
  const said = ratios.map(({ row, ratio }) => `${row} ${ratio.toFixed(2)}`).join(", ");
  console.log(`Operations on Node 20 take so many times the CPU of ${peer}, over sockets: ${said}`);
}
