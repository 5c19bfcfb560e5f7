import { agents } from "../questions/agents.ts";
import { aborts } from "../questions/aborts.ts";
import { bytes } from "../questions/bytes.ts";
import { decided } from "../questions/decided.ts";
import { answersOfHost } from "../questions/hosts.ts";
import { framings } from "../questions/framing.ts";
import { hibernation } from "../questions/hibernation.ts";
import { questions } from "../questions/http.ts";
import { sockets } from "../questions/sockets.ts";
import { stillWriting } from "../questions/still-writing.ts";
import { webhooks } from "../questions/webhooks.ts";
import { answersOf } from "../questions/question.ts";
import type { Outcome } from "../suite/registry.ts";
import { runtimes as all, type Runtime } from "./runtimes.ts";
import { hostNames, startHost } from "./hosts.ts";
import { start } from "./servers.ts";
import { outcomesOf } from "./suites.ts";
import { add, tableOf, totalOf, type Results } from "./table.ts";

const suiteTasks = ["globals", "suite"] as const;
const workersTasks = [...suiteTasks, "stores"] as const;
const patienceMs = 20 * 60_000;

/**
 * Runs everything on every runtime, prints the table, and tells whether all passed. FINGERPOST_WITHOUT names
 * runtimes that are left out, FINGERPOST_ONLY is an expression for the files of the suite: then nothing else runs.
 */
export async function main(): Promise<boolean> {
  const without = process.env["FINGERPOST_WITHOUT"]?.split(",") ?? [];
  const runtimes = all.filter(({ name }) => !without.includes(name));
  const results: Results = new Map(runtimes.map(({ name }) => [name, new Map()]));
  const watchdog = setTimeout(() => {
    console.error(`Gave up after ${patienceMs / 60_000} minutes:\n${tableOf(results)}`);
    process.exit(1);
  }, patienceMs);
  // Two at a time: there are two cores.
  const waiting = [...runtimes];
  const work = async (): Promise<void> => {
    for (let runtime = waiting.shift(); runtime !== undefined; runtime = waiting.shift())
      await testOn(runtime, results);
  };
  await Promise.all([work(), work()]);
  clearTimeout(watchdog);
  for (const [runtime, row] of results) {
    for (const [suite, { failed }] of row) {
      for (const { name, error } of failed) console.log(`\n${runtime}, ${suite}: ${name}\n${error.slice(0, 2000)}`);
    }
  }
  const { passed, failed, skipped } = totalOf(results);
  console.log(`\n${tableOf(results)}\n\nTests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0;
}

async function testOn(runtime: Runtime, results: Results): Promise<void> {
  const report = (suite: string, outcome: Outcome): void => add(results, runtime.name, suite, outcome);
  const failure = (name: string, error: unknown): Outcome => ({
    passed: 0,
    skipped: 0,
    failed: [{ name, error: String(error) }],
  });
  if (process.env["FINGERPOST_ONLY"] !== undefined) {
    for (const [file, outcome] of Object.entries(await outcomesOf(runtime, "suite"))) report(suiteOf(file), outcome);
    return;
  }
  // Its objects sleep meanwhile.
  const hibernated = runtime.kind === "workerd" ? askSocketsOf(runtime, report, "hibernation", hibernation) : null;
  const slept = hibernated?.catch((error: unknown) => report("sockets", failure("hibernation", error)));
  for (const task of runtime.kind === "workerd" ? workersTasks : suiteTasks) {
    try {
      for (const [file, outcome] of Object.entries(await outcomesOf(runtime, task))) report(suiteOf(file), outcome);
    } catch (error) {
      report(task, failure(task, error));
    }
  }
  for (const name of hostNames(runtime)) {
    await askHost(runtime, name, report).catch((error: unknown) => report("hosts", failure(name, error)));
  }
  await askServersOf(runtime, report).catch((error: unknown) => report("http", failure("servers", error)));
  for (const task of runtime.kind === "workerd" ? (["sockets", "sockets-object"] as const) : (["sockets"] as const))
    await askSocketsOf(runtime, report, task).catch((error: unknown) => report("sockets", failure(task, error)));
  await askAgentsOf(runtime, report).catch((error: unknown) => report("agents", failure("agents", error)));
  // On Node this is a test of the suite.
  if (runtime.kind === "node") return;
  if (runtime.kind === "workerd") {
    await slept;
    const failed = (error: unknown): void => report("http", failure("servers with nodejs_compat", error));
    await askServersOf(runtime, report, "servers-compat").catch(failed);
  }
  await askDecisionsOf(runtime, report).catch((error: unknown) => report("http", failure("decisions", error)));
}

async function askHost(
  runtime: Runtime,
  name: string,
  report: (suite: string, outcome: Outcome) => void,
): Promise<void> {
  const host = await startHost(runtime, name);
  report("hosts", await answersOfHost(host).finally(() => host.program.stop()));
}

async function askServersOf(
  runtime: Runtime,
  report: (suite: string, outcome: Outcome) => void,
  task: "servers" | "servers-compat" = "servers",
): Promise<void> {
  const { servers, program } = await start(runtime, task);
  try {
    for (const server of servers) {
      report("http", await answersOf(server, questions));
      report("bytes", await answersOf(server, bytes));
      report("framing", await answersOf(server, framings));
      report("aborts", await answersOf(server, aborts));
      report("aborts", await answersOf(server, stillWriting));
      report("webhooks", await answersOf(server, webhooks));
    }
  } finally {
    await program.stop();
  }
}

async function askDecisionsOf(runtime: Runtime, report: (suite: string, outcome: Outcome) => void): Promise<void> {
  const { servers, program } = await start(runtime, "decisions");
  try {
    for (const server of servers) report("http", await answersOf(server, decided));
  } finally {
    await program.stop();
  }
}

async function askSocketsOf(
  runtime: Runtime,
  report: (suite: string, outcome: Outcome) => void,
  task: "sockets" | "sockets-object" | "hibernation",
  asked = sockets,
): Promise<void> {
  const { servers, program } = await start(runtime, task);
  try {
    for (const server of servers) report("sockets", await answersOf(server, asked));
  } finally {
    await program.stop();
  }
}

async function askAgentsOf(runtime: Runtime, report: (suite: string, outcome: Outcome) => void): Promise<void> {
  const { servers, program } = await start(runtime, "agents");
  try {
    for (const server of servers) report("agents", await answersOf(server, agents));
  } finally {
    await program.stop();
  }
}

/** `contract` for `contract/4-paths`. */
function suiteOf(file: string): string {
  return file.startsWith("globals") ? "globals" : file.split("/")[0]!;
}
