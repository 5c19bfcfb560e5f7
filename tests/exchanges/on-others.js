// Records what the servers of Bun or Deno answer: `node on-others.js --dist=DIR --out=FILE -- COMMAND …`.
import { begin } from "./fixed.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as native from "./applications/native.js";
import * as semantics from "./applications/semantics.js";
import { aroundsOf } from "./around.js";
import { modulesOf } from "./build.js";
import { Recording } from "./exchange.js";
import { askByHttp1 } from "./over-http1.js";
import { converse, conversations, nativeConversations } from "./over-websockets.js";
import { around } from "./served.js";

const given = process.argv.slice(2, process.argv.indexOf("--"));
const { dist, out } = Object.fromEntries(given.map((one) => one.replace(/^--/, "").split("=")));
const [file, ...args] = process.argv.slice(process.argv.indexOf("--") + 1);
const serving = fileURLToPath(new URL("serving.js", import.meta.url));
const child = spawn(file, [...args, serving, `--dist=${dist}`], { stdio: ["pipe", "pipe", "inherit"] });
const [first] = await once(createInterface(child.stdout), "line");
const { ports, control } = JSON.parse(first.slice("LISTENING ".length));

async function told(message) {
  const asking = request({ port: control, host: "127.0.0.1", method: "POST" });
  asking.end(JSON.stringify(message));
  const [answer] = await once(asking, "response");
  return JSON.parse(await text(answer));
}

begin("applications");
const rows = aroundsOf(await modulesOf(dist), () => {});
const recording = new Recording();
for (const [chain, { asked, askedAlone }, sockets] of [
  ["semantics", semantics, conversations],
  ["native", native, nativeConversations],
]) {
  for (const name of around) {
    const port = ports[chain][name];
    const controlled = { begin: (exchange) => told({ name: exchange }), notes: () => told({ chain, around: name }) };
    const all = name === "none" ? [...asked, ...askedAlone] : asked;
    await askByHttp1(recording, `${chain} · server · ${name}`, port, all, controlled, rows[name]);
    if (["none", "basic, refused", "Awaits", "Changes", "a stack"].includes(name))
      await converse(recording, `${chain} · WebSocket · ${name}`, port, sockets, controlled, rows[name]);
  }
}
writeFileSync(out, recording.toString());
child.stdin.end();
await once(child, "exit");
console.log(`${recording.count} exchanges`);
