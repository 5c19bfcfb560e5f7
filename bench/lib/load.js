import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listening } from "../../scripts/check/lib/ports.js";
import { Connections } from "./http-client.js";
import { randomFrom, shuffled } from "./random.js";
import { here } from "./runtimes.js";

/*
 * Servers under load, each a process of its own. A server is { name, port, usage, stop }: `usage()` gives the
 * microseconds of CPU time that it has used.
 */

/**
 * Starts a server whose file exports `start(port, …args)`, on another runtime if its command is given; waits until it
 * listens.
 */
export async function startServer(name, file, port, { runtime = here(), args = [], env = {} } = {}) {
  const [command, ...before] = runtime;
  const script = fileURLToPath(new URL("server-process.js", import.meta.url));
  const child = spawn(command, [...before, script, fileURLToPath(file), String(port), ...args], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  await Promise.race([once(child, "message"), endOf(child, name)]);
  // Some listen only after start() has fulfilled.
  await listening(port, child);
  async function usage() {
    child.send("usage");
    const [{ user, system }] = await once(child, "message");
    return user + system;
  }
  return { name, port, usage, stop: () => child.disconnect() };
}

/** Starts a server that is a program of the system; Linux tells what it and its workers use. */
export async function startProgram(name, [program, ...args], port, env = {}) {
  const child = spawn(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-2000)));
  await Promise.race([listening(port, child), endOf(child, name, () => said)]);
  return { name, port, usage: async () => usageOfTree(child.pid), stop: () => child.kill() };
}

/** Rejects when a process ends. */
function endOf(child, name, said = () => "") {
  const end = once(child, "exit").then(() => Promise.reject(new Error(`${name} has ended: ${said()}`)));
  // Once it has started, nobody waits for that.
  end.catch(() => {});
  return end;
}

/**
 * The microseconds of CPU time of a process and of those that it started: of each thread the system keeps nanoseconds.
 */
function usageOfTree(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  const own = threads.map((thread) => Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[0]) / 1000);
  const children = threads.flatMap((thread) => readFileSync(`${thread}/children`, "utf8").match(/\d+/g) ?? []);
  return [...own, ...children.map(usageOfTree)].reduce((sum, microseconds) => sum + microseconds, 0);
}

/** Sends requests of known answers over some connections for a while; returns how many were answered. */
export async function drive(port, requests, { connections, milliseconds }) {
  const open = await Connections.open(port, connections);
  try {
    return await open.drive(requests, milliseconds);
  } finally {
    open.close();
  }
}

/**
 * Loads every server in turn, in random order, round by round: compare what was taken in one round, and nothing else.
 *
 * @param load how to send requests (`drive()`).
 * @param requestsOf for a server, the requests to send.
 * @returns for each server what a request took of its CPU, in microseconds, and the requests a second, by round.
 */
export async function loadInTurn(servers, rounds, load, requestsOf) {
  const random = randomFrom(Date.now());
  const taken = new Map(servers.map((server) => [server, { cpu: [], rate: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const server of shuffled(servers, random)) {
      const requests = requestsOf(server);
      const open = await Connections.open(server.port, load.connections);
      try {
        // Requests do not pay for connections that are opened.
        await open.drive(requests, 50);
        const before = await server.usage();
        const from = performance.now();
        const count = await open.drive(requests, load.milliseconds);
        const elapsed = performance.now() - from;
        const { cpu, rate } = taken.get(server);
        cpu.push(((await server.usage()) - before) / count);
        rate.push((count / elapsed) * 1000);
      } finally {
        open.close();
      }
    }
  }
  return servers.map(({ name }, at) => ({ name, ...taken.get(servers[at]) }));
}
