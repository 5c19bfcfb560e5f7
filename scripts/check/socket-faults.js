// Causes each fault of tests/faults/ a thousand times (FAULTS=n for another number) over real sockets, against dist/ in
// a process of its own: that must not exit, nothing may surface there, every request gets one answer, no connection
// hangs.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
// In the repository, so that the package finds itself, and that is dist/.
const program = `${root}reports/faults.mjs`;
await build({
  entryPoints: [`${root}tests/faults/program.ts`],
  outfile: program,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "es2022",
  logLevel: "error",
});

const times = Number(process.env.FAULTS ?? 1000);
const { cause, faults } = await import(pathToFileURL(program));
const server = fork(program, ["serve"]);
let exit = null;
server.once("exit", (code, signal) => (exit = { code, signal }));
const [[native, polyfill]] = await once(server, "message");

const result = await cause({ native, polyfill }, times);
const problems = [...new Set(result.faults)];
let health = await ask("health");
for (let i = 0; i < 100 && health.connections > 0; i++) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  health = await ask("health");
}
if (health.connections > 0) problems.push(`${health.connections} connections are still open`);
problems.push(...new Set(health.surfaced));
if (exit !== null) problems.push(`the server exited: ${JSON.stringify(exit)}`);
server.send("stop");
const [code] = await once(server, "exit");
if (code !== 0) problems.push(`the server exited with ${code}`);

console.log(
  `faults: ${faults.length} faults, ${times} times each, ${result.requests} requests, ${problems.length} problems`,
);
for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function ask(question) {
  if (exit !== null) return { connections: 0, surfaced: [] };
  server.send(question);
  const [answer] = await once(server, "message");
  return answer;
}
