// The heap of a connection that was answered once and is kept, of 10,000 or as many as CONNECTIONS says:
// `node bench/requests/idle.js CANDIDATE`. Gives bytes. The server has a process of its own.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Connections } from "../lib/http-client.js";
import { liveBytes } from "../lib/memory.js";
import { listening } from "./listening.js";
import { rows } from "./rows.js";

const [, script, name, part] = process.argv;
const count = Number(process.env.CONNECTIONS ?? 10_000);
await (part === "server" ? serve() : measure());

async function serve() {
  const server = await listening(name, 0);
  // Node ends idle connections after seconds.
  server.keepAliveTimeout = 0;
  process.on("message", () => process.send(liveBytes()));
  process.on("disconnect", () => process.exit());
  process.send(server.address().port);
}

async function measure() {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [name, "server"], { execArgv: ["--expose-gc"] });
  const [port] = await once(child, "message");
  const [request] = rows.R1.requests;
  const warm = await Connections.open(port, 50);
  await warm.drive([{ text: request.text, length: (await warm.exchange(request.text)).length }], 1000);
  warm.close();
  const before = await bytesOf(child);
  for (let opened = 0; opened < count; opened += 500) {
    const connections = await Connections.open(port, Math.min(500, count - opened));
    await connections.exchangeAll(request.text);
  }
  const after = await bytesOf(child);
  console.log(JSON.stringify({ median: (after - before) / count }));
  process.exit(0);
}

async function bytesOf(child) {
  child.send("bytes");
  return (await once(child, "message"))[0];
}
