// All figures of whole requests, on all runtimes: `npm run bench:requests`, on a machine with nothing else to do, some
// two hours. Writes results/requests-*.json and the page, and says what README may say of the CPU on Node 20. Options
// are those of bench/requests.js.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { install } from "../../scripts/build/install.js";
import { cpuOf, measuredRequests } from "../lib/requests.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
const ofNode = "kernel-less,sockets,in-process,cold,idle";
const plan = { node: ofNode, "node-24": ofNode, bun: "sockets", deno: "sockets" };

install(`${root}bench/`, "what the benchmarks compare with");
install(`${root}tests/runtimes`, "the runtimes");
for (const [runtime, measure] of Object.entries(plan)) {
  const options = ["--rounds=7", "--launches=4", "--warmup=8000", ...process.argv.slice(2)];
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
