// What a server keeps after a load of 40,000 requests, or as many as REQUESTS says, when garbage is collected and no
// connection is left: `node bench/requests/memory.js CANDIDATE ROW`, as in "R1, live heap" or "R2, resident set". Gives
// megabytes. The server has a process of its own.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Connections } from "../lib/http-client.js";
import { liveBytes } from "../lib/memory.js";
import { listening } from "./listening.js";
import { rows } from "./rows.js";
import { checked } from "./sockets.js";

const [, script, name, asked, part] = process.argv;
const [row, what] = asked.split(", ");
const count = Number(process.env.REQUESTS ?? 40_000);
await (part === "server" ? serve() : measure());

async function serve() {
  const server = await listening(name, 0);
  process.on("message", () => process.send({ "live heap": liveBytes(), "resident set": process.memoryUsage.rss() }));
  process.on("disconnect", () => process.exit());
  process.send(server.address().port);
}

async function measure() {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [name, asked, "server"], {
    execArgv: ["--expose-gc"],
  });
  const [port] = await once(child, "message");
  const requests = await checked(port, rows[row].requests);
  const connections = await Connections.open(port, 50);
  for (let answered = 0; answered < count;) answered += await connections.drive(requests, 100);
  connections.close();
  await wait(200);
  child.send("memory");
  const [taken] = await once(child, "message");
  console.log(JSON.stringify({ median: taken[what] / 2 ** 20 }));
  process.exit(0);
}
