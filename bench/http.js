// Measures what servers use of a core for each request, beside raw node:http: `node bench/http.js`; see README.md.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { check, drive } from "./lib/http-client.js";
import { randomFrom, shuffled } from "./lib/random.js";
import { median } from "./lib/sampling.js";
import { tableOf } from "./lib/tables.js";

const files = {
  "node:http": "node-http",
  "fingerpost polyfill": "fingerpost-polyfill",
  "fingerpost native on srvx": "fingerpost-srvx",
  "fingerpost Response": "fingerpost-response",
  "fingerpost light": "fingerpost-light",
  "fingerpost native": "fingerpost-native",
  srvx: "srvx",
  fastify: "fastify",
  hono: "hono",
  h3: "h3",
  koa: "koa",
  express: "express",
};
const { values: options } = parseArgs({
  options: {
    servers: { type: "string", default: Object.keys(files).join(",") },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "16" },
    pipelined: { type: "string", default: "8" },
    json: { type: "boolean", default: false },
  },
});
const load = { connections: Number(options.connections), pipelined: Number(options.pipelined), milliseconds: 700 };
const requests = tableOf("hono").rows["all together"].map(
  ({ method, path }) =>
    `${method} ${path}?q=1 HTTP/1.1\r\nHost: localhost\r\n${method === "POST" ? "Content-Length: 0\r\n" : ""}\r\n`,
);

const servers = [];
try {
  for (const name of options.servers.split(",")) servers.push(await started(name, 39_400 + servers.length));
  await measure();
} finally {
  for (const { child } of servers) child.disconnect();
}

async function started(name, port) {
  if (files[name] === undefined) throw new Error(`No server is called "${name}": ${Object.keys(files).join(", ")}`);
  const path = (file) => fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path("lib/server-process.js"), [path(`servers/${files[name]}.js`), String(port)]);
  await once(child, "message");
  await check(port, requests);
  await drive(port, requests, { ...load, milliseconds: 1500 });
  return { name, port, child, cpu: [], rate: [] };
}

/** Each round loads every server in turn, in random order. */
async function measure() {
  const random = randomFrom(Date.now());
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const server of shuffled(servers, random)) {
      const before = await usageOf(server.child);
      const from = performance.now();
      const count = await drive(server.port, requests, load);
      const elapsed = performance.now() - from;
      server.cpu.push(((await usageOf(server.child)) - before) / count);
      server.rate.push((count / elapsed) * 1000);
    }
  }
  const [raw] = servers;
  const results = servers.map(({ name, cpu, rate }) => ({
    name,
    cpu: median(cpu),
    over: median(cpu.map((used, round) => used - raw.cpu[round])),
    rate: median(rate.map((perSecond, round) => perSecond / raw.rate[round])),
  }));
  if (options.json) return console.log(JSON.stringify({ row: `pipelined ${options.pipelined}`, results }));
  for (const { name, cpu, over, rate } of results) {
    console.log(
      `${name.padEnd(26)} ${cpu.toFixed(1)} us a request, ${over.toFixed(1)} over raw, ${rate.toFixed(2)} x its requests a second`,
    );
  }
}

/** The microseconds of CPU time that a server has used. */
async function usageOf(child) {
  child.send("usage");
  const [{ user, system }] = await once(child, "message");
  return user + system;
}
