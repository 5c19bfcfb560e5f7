// WebSockets of fingerpost and of others: CPU of the server for an echo and for a delivery to a room, and memory of an
// idle peer. All must give the same answers first. `npm run tools -- bench` and `npm run tools -- tests/runtimes`
// install the others. With names of runtimes, only those. Reads /proc, so it needs Linux. A process needs 16,000 open
// files (`ulimit -n`). With `--short`, there are fewer peers.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";

const runtimes = fileURLToPath(new URL("../../tests/runtimes/node_modules/", import.meta.url));
const server = fileURLToPath(new URL("server.js", import.meta.url));
const crowd = fileURLToPath(new URL("clients.js", import.meta.url));
const candidates = {
  Node: [[process.execPath], ["fingerpost", "runtime", "crossws", "hono", "fastify"]],
  Bun: [[`${runtimes}bun/bin/bun.exe`], ["fingerpost", "runtime", "crossws", "hono", "elysia"]],
  Deno: [
    [`${runtimes}deno/deno`, "run", "--allow-all"],
    ["fingerpost", "runtime", "crossws", "hono"],
  ],
};
const isShort = process.argv.includes("--short");
const idlePeers = isShort ? 2_000 : 10_000;
const roomPeers = isShort ? 200 : 1_000;
const rounds = 5;
const wanted = process.argv.slice(2).filter((name) => !name.startsWith("--"));

for (const [runtime, [command, names]] of Object.entries(candidates)) {
  if (wanted.length > 0 && !wanted.includes(runtime)) continue;
  const running = [];
  for (const name of names) running.push({ name, ...(await started([...command, server, name])) });
  for (const one of running) await agree(one);
  for (const one of running) await echo(one, 5_000);
  const figures = running.map(({ name }) => ({ name, echo: [], fan: [] }));
  for (const one of running) one.room = await connected(one.port, "/room", roomPeers);
  for (const one of running) await fan(one, 20);
  for (let round = 0; round < rounds; round++) {
    for (const [at, one] of running.entries()) {
      figures[at].echo.push(await echo(one, 6_000));
      figures[at].fan.push(await fan(one, isShort ? 100 : 40));
    }
  }
  for (const [at, one] of running.entries()) {
    for (const { socket } of one.room) socket.terminate();
    figures[at].idle = await idle(one);
    one.child.kill();
  }
  console.log(`\n${runtime}, load ${loadavg()[0].toFixed(1)}`);
  console.log("| library | echo, µs | delivery to a room, µs | idle peer, kB |\n|---|---:|---:|---:|");
  for (const { name, echo: echoes, fan: fans, idle: kilobytes } of figures) {
    const cells = [middle(echoes).toFixed(1), middle(fans).toFixed(2), kilobytes.toFixed(1)];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}
process.exit();

async function started([file, ...args]) {
  const child = spawn(file, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith("LISTENING ")) return { child, port: Number(line.slice(10)) };
  }
  throw new Error(`${args.at(-1)} ended`);
}

async function connected(port, path, count) {
  const peers = [];
  while (peers.length < count) {
    const batch = Array.from({ length: Math.min(50, count - peers.length) }, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
      const peer = { socket, got: 0, last: "", wake: () => {} };
      socket.on("message", (data) => {
        peer.got++;
        peer.last = data.toString();
        peer.wake();
      });
      await once(socket, "open");
      return peer;
    });
    peers.push(...(await Promise.all(batch)));
  }
  return peers;
}

/** Each echoes, and sends what is said in a room to all others once. */
async function agree({ name, port }) {
  const [one] = await connected(port, "/echo", 1);
  for (const text of ["", "x", "κόσμε", "x".repeat(60_000)]) {
    one.socket.send(text);
    await until(() => one.last === text && one.got > 0, name);
  }
  const peers = await connected(port, "/room", 3);
  peers[0].socket.send("hello");
  await until(() => peers[1].got === 1 && peers[2].got === 1, name);
  if (peers[0].got !== 0 || peers[1].last !== "hello")
    throw new Error(`${name} sends to others than those of the room`);
  for (const { socket } of [one, ...peers]) socket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 50));
}

async function until(holds, name) {
  for (const from = Date.now(); !holds(); await new Promise((resolve) => setTimeout(resolve, 2))) {
    if (Date.now() - from > 10_000) throw new Error(`${name} does not answer as the others: ${holds}`);
  }
}

/** Microseconds of CPU that an echo costs the server. */
async function echo({ child, port }, count) {
  const peers = await connected(port, "/echo", 8);
  const before = cpuOf(child);
  await Promise.all(
    peers.map(async (peer) => {
      for (let at = 0; at < count / peers.length; at++) {
        const answered = new Promise((resolve) => (peer.wake = resolve));
        peer.socket.send("x".repeat(64));
        await answered;
      }
    }),
  );
  const spent = cpuOf(child) - before;
  for (const { socket } of peers) socket.terminate();
  return spent / count;
}

/** Microseconds of CPU that a delivery to one peer of a room costs the server. */
async function fan({ child, name, room: peers }, count) {
  const total = () => peers.reduce((sum, { got }) => sum + got, 0);
  const goal = total() + count * (peers.length - 1);
  const before = cpuOf(child);
  for (let at = 0; at < count; at++) {
    peers[0].socket.send("x".repeat(64));
    if (at % 10 === 9) await new Promise(setImmediate);
  }
  await until(() => total() >= goal, name);
  return (cpuOf(child) - before) / (count * (peers.length - 1));
}

/** Kilobytes of memory that an idle peer takes, when the server has grown by half as many. */
async function idle({ child, port }) {
  const clients = fork(crowd, [String(port)]);
  const more = async (count) => {
    clients.send(count);
    await once(clients, "message");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return memoryOf(child);
  };
  const before = await more(idlePeers / 2);
  const after = await more(idlePeers);
  clients.kill();
  return (after - before) / idlePeers;
}

function memoryOf({ pid }) {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
}

/** In microseconds, of all threads. */
function cpuOf({ pid }) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]);
  return times.reduce((sum, time) => sum + Number(time) / 1_000, 0);
}

function middle(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}
