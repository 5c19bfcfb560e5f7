import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { ask, turn, type Answer } from "./sockets.ts";

const program = fileURLToPath(new URL("./payments-server.js", import.meta.url));

/** A process that takes payments. */
export interface PaymentsProcess {
  readonly port: number;
  readonly child: ChildProcess;
}

/** Starts a process that takes payments. */
export function paymentsProcess(...args: readonly string[]): Promise<PaymentsProcess> {
  return startedProcess(program, args);
}

async function startedProcess(file: string, args: readonly string[]): Promise<PaymentsProcess> {
  const stdio = ["ignore", "inherit", "inherit", "ipc", "pipe"] as const;
  const child = fork(file, args, { execArgv: [], stdio: [...stdio] });
  const failed = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the process ended with ${String(code ?? signal)}`);
  });
  failed.catch(() => {});
  const [port] = (await Promise.race([once(child, "message"), failed])) as [number];
  return { port, child };
}

/** Writes the program of the processes as one file, which starts in half the time. */
export async function bundledProgram(folder: string): Promise<string> {
  const { build } = await import("esbuild");
  const outfile = `${folder}/payments-server.mjs`;
  const require = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  await build({
    ...{ entryPoints: [program], outfile, bundle: true, minify: true, platform: "node", format: "esm" },
    ...{ target: "node20", external: ["@redis/client"], banner: { js: require }, logLevel: "error" },
  });
  return outfile;
}

/** When a process is killed: as its payments have reached a phase so often, or any phases. */
export interface Kill {
  /** Null if the process is killed from outside, which lets it go on for a while. */
  readonly phase: string | null;
  readonly times: number;
}

/** A process that is killed while it takes payments. */
export class DoomedProcess {
  readonly #process: PaymentsProcess;
  readonly #phases = new Map<string, string>();
  readonly #ended: Promise<unknown>;

  private constructor(process: PaymentsProcess, { phase, times }: Kill) {
    this.#process = process;
    const { child } = process;
    let reached = 0;
    const lines = createInterface(child.stdio[4] as Readable);
    lines.on("line", (line) => {
      const at = line.indexOf(" ");
      this.#phases.set(line.slice(0, at), line.slice(at + 1));
      if (phase === null && ++reached === times) child.kill("SIGKILL");
    });
    this.#ended = Promise.all([once(lines, "close"), once(child, "exit")]);
  }

  static async start(file: string, args: readonly string[], kill: Kill): Promise<DoomedProcess> {
    return new DoomedProcess(await startedProcess(file, [...args, JSON.stringify(kill)]), kill);
  }

  /** Sends payments at once, and returns when the process is dead. */
  async take(names: readonly string[]): Promise<readonly Taken[]> {
    const { port, child } = this.#process;
    const answers = await Promise.all(names.map((name) => pay(port, name).catch(() => null)));
    child.kill("SIGKILL");
    await this.#ended;
    return names.map((name, at) => ({ name, answer: answers[at]!, phase: this.#phases.get(name) ?? "request" }));
  }
}

/** A payment that a process took before it was killed. */
export interface Taken {
  readonly name: string;
  /** Null if the process was killed first. */
  readonly answer: Answer | null;
  /** The last phase that the payment reached. */
  readonly phase: string;
}

/** Sends a payment, whose name is its key. */
export function pay(port: number, name: string): Promise<Answer> {
  const headers = { "content-type": "application/json", "idempotency-key": name };
  return ask(port, { method: "POST", path: "/payments", headers }, JSON.stringify({ name }));
}

/** Sends a payment until it has its answer, and waits as `Retry-After` says. */
export async function paid(port: number, name: string): Promise<Answer> {
  let last: unknown;
  for (let tries = 0; tries < 100; tries++) {
    const answer = await pay(port, name).catch((error: unknown) => void (last = error));
    if (answer !== undefined && answer.status !== 409 && answer.status! < 500) return answer;
    last = answer ?? last;
    await turn(1_000 * Number(answer?.headers["retry-after"] ?? 0.25));
  }
  throw new Error(`${name} has no answer: ${inspect(last)}`);
}
