import { writeSync } from "node:fs";
import { printable } from "./printable-text.ts";
import { run, type Outcome } from "./run.ts";
import { thrownText } from "./thrown-text.ts";

/**
 * Runs a command line as a process that ends with its exit code. The code is also 2 if the module, which is imported
 * into this process, tampers with the process.
 */
export class Program {
  /** Writes to the standard output. Others read the outcome, so the module must not write there. */
  readonly #write = process.stdout.write.bind(process.stdout);
  #outcome: Outcome | null = null;
  #isDone = false;

  start(args: readonly string[]): void {
    process.stdout.write = process.stderr.write.bind(process.stderr);
    process.on("exit", () => {
      if (this.#isDone) return;
      complain("Cannot carry out the command: the module ended the process while it was used");
      process.exitCode = 2;
    });
    // Nothing is left to wait for, but the import is not done.
    process.on("beforeExit", () => {
      this.#fail("Cannot carry out the command: the module awaits something at its top level that never settles");
    });
    // Also of a Promise that nobody handles.
    process.on("uncaughtException", (error) => this.#fail(thrownText(error)));
    void run(args).then((outcome) => this.#end(outcome));
  }

  #fail(text: string): void {
    this.#end({ output: `${printable(text)}\n`, code: 2 });
  }

  /**
   * Prints the first outcome. Then it exits, because the module may have started a server that would keep the process;
   * but not where the command itself serves.
   */
  #end(outcome: Outcome): void {
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    const stream = outcome.code === 2 ? process.stderr : process.stdout;
    const written = (error?: Error | null): void => this.#written(outcome, error ?? null);
    stream.once("error", written);
    if (stream === process.stdout) this.#write(outcome.output, written);
    else stream.write(outcome.output, written);
  }

  #written({ code, stop }: Outcome, error: NodeJS.ErrnoException | null): void {
    if (this.#isDone) return;
    this.#isDone = true;
    if (stop !== undefined) return;
    // The reader may have enough, as `head` has.
    if (error === null || error.code === "EPIPE") process.exit(code);
    complain(`Cannot write the output: ${error.message}`);
    process.exit(2);
  }
}

/** Writes to the standard error at once, if that is possible: the process is about to end. */
function complain(text: string): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // Nobody is left to report to.
  }
}
