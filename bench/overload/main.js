// A load of three times what a server can do: how many good answers it gives a second, of its best, and how long they
// take. SECONDS=120 node bench/overload/main.js; `npm run tools -- bench` installs Fastify. With --check it fails where
// the default of serve() gives less than 90 %, or a p99 above one second.
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

const seconds = Number(process.env.SECONDS ?? 120);
const isCheck = process.argv.includes("--check");
const times = Number(process.env.TIMES ?? 3);
const giveUpMs = 10_000;
const connections = 4000;

const candidates =
  process.env.CANDIDATES?.split(",") ??
  (isCheck
    ? ["fingerpost"]
    : [
        "fingerpost",
        "fingerpost maxRequests=Infinity",
        "fingerpost maxLoopDelayMs=200",
        "fastify",
        "fastify maxEventLoopDelay=200",
      ]);

/** Connections that are there before the load: Node accepts one new one a turn of its loop, which would be measured. */
class Pool {
  #free = [];
  #all = [];

  static async open(port, size) {
    const pool = new Pool();
    for (let left = size; left > 0; left--) pool.#free.push(await pool.#connected(port));
    return pool;
  }

  async #connected(port) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }).setEncoding("latin1");
    this.#all.push(socket);
    let text = "";
    socket.on("data", (part) => {
      text += part;
      const head = text.indexOf("\r\n\r\n");
      if (head === -1) return;
      if (text.length < head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)) return;
      const { answered } = socket;
      const status = Number(text.slice(9, 12));
      text = "";
      socket.answered = null;
      // One of which the client has given up is used again once its answer is there.
      this.#free.push(socket);
      answered?.(status);
    });
    socket.on("error", () => socket.answered?.(0));
    socket.on("close", () => socket.answered?.(0));
    await once(socket, "connect");
    return socket;
  }

  /** Sends a request, and returns its status: 0 if it took longer than clients wait, or no connection is free. */
  ask() {
    const socket = this.#free.pop();
    if (socket === undefined) return Promise.resolve(0);
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(0), giveUpMs);
      socket.answered = (status) => {
        clearTimeout(late);
        resolve(status);
      };
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    });
  }

  close() {
    for (const socket of this.#all) socket.destroy();
  }
}

/** The most good answers a second that clients get who wait for theirs. */
async function bestOf(pool) {
  let count = 0;
  const from = performance.now();
  const over = from + Math.min(10_000, seconds * 500);
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      while (performance.now() < over) if ((await pool.ask()) === 200) count++;
    }),
  );
  return (count / (performance.now() - from)) * 1000;
}

/** Sends so many requests a second, whatever comes back. */
async function load(pool, rate) {
  const waits = [];
  const counts = new Map();
  const pending = new Set();
  const from = performance.now();
  let sent = 0;
  let good = 0;
  for (let now = from; now < from + seconds * 1000; now = performance.now()) {
    for (; sent < ((now - from) / 1000) * rate; sent++) {
      const at = performance.now();
      const one = pool.ask().then((status) => {
        counts.set(status, (counts.get(status) ?? 0) + 1);
        pending.delete(one);
        if (status !== 200) return;
        waits.push(performance.now() - at);
        if (performance.now() < from + seconds * 1000) good++;
      });
      pending.add(one);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(pending);
  waits.sort((a, b) => a - b);
  const at = (share) => Math.round(waits[Math.floor(waits.length * share)] ?? Infinity);
  return { good: good / seconds, refused: counts.get(503) ?? 0, lost: counts.get(0) ?? 0, p50: at(0.5), p99: at(0.99) };
}

console.log(
  `| server | best, a second | good at ${times} x | of its best | p50 ms | p99 ms | refused | given up | MB |`,
);
console.log("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
for (const candidate of candidates) {
  const child = fork(fileURLToPath(new URL("server.js", import.meta.url)), candidate.split(" "), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [port] = await once(child, "message");
  const pool = await Pool.open(port, connections);
  await bestOf(pool);
  const best = await bestOf(pool);
  const { good, refused, lost, p50, p99 } = await load(pool, best * times);
  child.send("memory");
  const [bytes] = await once(child, "message");
  pool.close();
  child.kill();
  const share = Math.round((good / best) * 100);
  const cells = [candidate, Math.round(best), Math.round(good), `${share} %`, p50, p99, refused, lost];
  console.log(`| ${[...cells, Math.round(bytes / 1e6)].join(" | ")} |`);
  if (isCheck && (share < 90 || p99 > 1000)) process.exitCode = 1;
}
