// What harms processes, databases and connections in the chaos run.
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { listening } from "../../../scripts/check/lib/ports.js";

const between = (least, most) => least + Math.random() * (most - least);

/** A process that is killed and started again, over and over. Notes the lines that it logs. */
export class Doomed {
  kills = 0;
  lines = new Map();
  #start;
  #port;
  #child;

  /** @param start starts the process. */
  constructor(start, port) {
    this.#start = start;
    this.#port = port;
  }

  async begin() {
    this.#child = this.#start();
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output.setEncoding("utf8").on("data", (text) => {
        for (const line of text.split("\n").filter(Boolean)) {
          const shape = line.replace(/\d+/g, "#").slice(0, 160);
          this.lines.set(shape, (this.lines.get(shape) ?? 0) + 1);
        }
      });
    }
    await listening(this.#port, this.#child);
  }

  /** Kills and starts it until `isOver()`. */
  async run(isOver) {
    while (!isOver()) {
      // Some live longer than a store waits.
      await wait(Math.random() < 0.2 ? between(2_000, 6_000) : between(50, 800));
      await this.end();
      this.kills++;
      await this.begin();
    }
  }

  get pid() {
    return this.#child.pid;
  }

  async end() {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}

/** Stops a process and its children for a while, over and over, until `isOver()`. Returns how often. */
export async function stopping(pidOf, isOver) {
  let stops = 0;
  while (!isOver()) {
    await wait(between(1_000, 4_000));
    const pids = [pidOf(), ...childrenOf(pidOf())];
    // Half of the stops are longer than a store waits.
    for (const pid of pids) signal(pid, "SIGSTOP");
    await wait(between(100, 3_000));
    for (const pid of pids) signal(pid, "SIGCONT");
    stops++;
  }
  return stops;
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Passes connections on to a port by a delay that changes. Returns its own port, and what ends it. */
export async function delaying(target) {
  let delayMs = 0;
  const turns = setInterval(() => (delayMs = [0, 0, 2, 20, 100][Math.floor(Math.random() * 5)]), 700);
  const sockets = new Set();
  const server = createServer((near) => {
    const far = connect({ port: target, host: "127.0.0.1" });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      let last = Promise.resolve();
      sockets.add(from);
      from.on("data", (bytes) => {
        const due = wait(delayMs);
        last = last.then(() => due).then(() => void to.write(bytes));
      });
      from.once("close", () => {
        sockets.delete(from);
        last = last.then(() => void to.destroy());
      });
      from.on("error", () => {});
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    clearInterval(turns);
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: server.address().port, close };
}
