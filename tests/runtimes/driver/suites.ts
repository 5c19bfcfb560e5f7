import type { Outcome } from "../suite/registry.ts";
import { Program } from "./program.ts";
import { portOf, type Runtime, type Task } from "./runtimes.ts";

/** Runs a program of tests on a runtime, and gives what became of each of its files. */
export async function outcomesOf(runtime: Runtime, task: Task): Promise<Record<string, Outcome>> {
  const program = new Program(runtime.command(task));
  try {
    if (runtime.kind !== "workerd") return JSON.parse(await program.line("RESULTS ", 600_000));
    const response = await fetch(`http://127.0.0.1:${await portOf(program)}/`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${text}\n${program.output.slice(-2000)}`);
    return JSON.parse(text);
  } finally {
    await program.stop();
  }
}
