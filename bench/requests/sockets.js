import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Connections } from "../lib/http-client.js";
import { commandOf } from "../lib/runtimes.js";
import { differenceOf } from "./agreement.js";

const connectionCount = 50;
const path = (file) => fileURLToPath(new URL(file, import.meta.url));

/** A server in a process of its own. */
export class Server {
  #child;
  #port;

  constructor(child, port) {
    this.#child = child;
    this.#port = port;
  }

  static async start(runtime, { file, args }, port) {
    const [command, ...before] = commandOf(runtime);
    const child = spawn(
      command,
      [...before, path("../lib/server-process.js"), path(`servers/${file}.js`), String(port), ...args],
      { stdio: ["ignore", "inherit", "inherit", "ipc"], env: { ...process.env, NODE_ENV: "production" } },
    );
    const failed = once(child, "exit").then(() => {
      throw new Error(`The server ${file} ended`);
    });
    failed.catch(() => {});
    await Promise.race([once(child, "message"), failed]);
    // Some listen only after start() has fulfilled.
    await wait(200);
    return new Server(child, port);
  }

  /** Checks what it answers to the requests of a row, and returns them with the length of each answer. */
  async checked(requests) {
    const connections = await Connections.open(this.#port, 1);
    try {
      const measured = [];
      for (const request of requests) {
        const answer = await connections.exchange(request.text);
        const difference = differenceOf(request, answer);
        if (difference !== null) throw new Error(`${request.text.slice(0, 60).split("\r\n")[0]}: ${difference}`);
        measured.push({ text: request.text, length: answer.length });
      }
      return measured;
    } finally {
      connections.close();
    }
  }

  /** Microseconds of its CPU time for each request. */
  async cpuFor(requests, milliseconds) {
    const connections = await Connections.open(this.#port, connectionCount);
    try {
      await connections.drive(requests, 50);
      const before = await this.#usage();
      const count = await connections.drive(requests, milliseconds);
      return ((await this.#usage()) - before) / count;
    } finally {
      connections.close();
    }
  }

  async #usage() {
    this.#child.send("usage");
    const [{ user, system }] = await once(this.#child, "message");
    return user + system;
  }

  stop() {
    this.#child.disconnect();
  }
}
