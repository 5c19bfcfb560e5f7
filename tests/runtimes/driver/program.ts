import { spawn, type ChildProcess } from "node:child_process";
import { readlinkSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Readable } from "node:stream";

// This file becomes part of dist/driver.main.js.
const folder = fileURLToPath(new URL("..", import.meta.url));

/** A process under test: what it says, and what the system says about it. */
export class Program {
  /** What it wrote to either output, for when something fails. */
  output = "";
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #wake: () => void = () => {};

  constructor(command: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const [file, ...args] = command as [string, ...string[]];
    this.#child = spawn(file, args, {
      cwd: folder,
      env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1", ...environment },
      // The fourth is where workerd says at which port it listens.
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    for (const stream of this.#child.stdio.slice(1) as Readable[]) {
      createInterface(stream).on("line", (line) => {
        this.output += `${line}\n`;
        this.#lines.push(line);
        this.#wake();
      });
    }
    this.#child.once("error", (error) => (this.output += String(error)));
    this.#child.once("close", () => this.#wake());
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined;
  }

  /** The rest of the first line that begins so. */
  async line(beginning: string, patienceMs = 300_000): Promise<string> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const found = this.#lines.find((line) => line.startsWith(beginning));
      if (found !== undefined) return found.slice(beginning.length);
      if (!this.isAlive || Date.now() > deadline) {
        throw new Error(
          `${this.isAlive ? "Waited in vain" : "It ended"} before it wrote ${beginning}:\n${this.output.slice(-2000)}`,
        );
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** How many sockets it holds, those included that listen. */
  get sockets(): number {
    const folderOfFiles = `/proc/${this.#child.pid}/fd`;
    return readdirSync(folderOfFiles).filter((name) => linkOf(`${folderOfFiles}/${name}`).startsWith("socket:")).length;
  }

  /** The memory it takes, in bytes. */
  get memory(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  }

  async stop(): Promise<void> {
    if (this.isAlive) await this.end("SIGKILL");
  }

  /** Ends it, and gives its exit code. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    // Not its close: processes of its own may still hold its outputs.
    const closed = new Promise<number | null>((resolve) => this.#child.once("exit", resolve));
    this.#child.kill(signal);
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    return closed.finally(() => clearTimeout(patience));
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
