import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ask, turn, type Answer } from "./sockets.ts";

/** A process that takes payments. */
export interface PaymentsProcess {
  readonly port: number;
  readonly child: ChildProcess;
}

/** Starts a process that takes payments. */
export async function paymentsProcess(...args: readonly string[]): Promise<PaymentsProcess> {
  const child = fork(fileURLToPath(new URL("./payments-server.js", import.meta.url)), args, { execArgv: [] });
  const failed = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the process ended with ${String(code ?? signal)}`);
  });
  failed.catch(() => {});
  const [port] = (await Promise.race([once(child, "message"), failed])) as [number];
  return { port, child };
}

/** Sends a payment, whose name is its key. */
export function pay(port: number, name: string): Promise<Answer> {
  const headers = { "content-type": "application/json", "idempotency-key": name };
  return ask(port, { method: "POST", path: "/payments", headers }, JSON.stringify({ name }));
}

/** Sends a payment until it has its answer, as a client does. */
export async function paid(port: number, name: string): Promise<Answer> {
  for (let tries = 0; tries < 400; tries++) {
    const answer = await pay(port, name).catch(() => null);
    if (answer !== null && answer.status !== 409 && answer.status! < 500) return answer;
    await turn(25);
  }
  throw new Error(`${name} has no answer`);
}
