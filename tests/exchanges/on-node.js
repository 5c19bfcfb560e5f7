// Records what Node's servers answer over sockets: `node on-node.js --dist=DIR --out=FILE`.
import { begin } from "./fixed.js";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http2";
import * as native from "./applications/native.js";
import * as polyfill from "./applications/polyfill.js";
import * as semantics from "./applications/semantics.js";
import { errorText } from "./applications/around.js";
import { modulesOf } from "./build.js";
import { Recording } from "./exchange.js";
import { withFiles } from "./files.js";
import { turn } from "./over-fetch.js";
import { askByHttp1, askRaw, raws } from "./over-http1.js";
import { askByHttp2 } from "./over-http2.js";
import { converse, conversations, nativeConversations } from "./over-websockets.js";
import { fetchApplications } from "./served.js";
import { notesOf } from "./notes.js";

const { dist, out } = Object.fromEntries(process.argv.slice(2).map((one) => one.replace(/^--/, "").split("=")));
const modules = await modulesOf(dist);
const recording = new Recording();
const { notes, note } = notesOf();
/** Begins an exchange with an application, and has what was reported at its end. */
const controlOf = (app) => ({
  begin(name) {
    begin(name);
    notes.length = 0;
  },
  async notes() {
    await turn();
    await app.settled?.();
    await turn();
    return notes;
  },
});
const onError = (error) => note(`served ${errorText(error)}`);
const stop = new AbortController();
const servers = [];

async function http1Of(app) {
  const server = await modules.node.serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal, onError });
  return server.address().port;
}

async function http2Of(app) {
  const server = createServer(modules.node.listener(app, { onError })).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return server.address().port;
}

const few = ["none", "cors", "Awaits", "Changes", "Mutates", "Errors", "a stack", "onError, with a response"];

await withFiles(async (folder) => {
  const source = modules.folder.snapshot(folder);
  const { rows, ...chains } = fetchApplications(modules, note, source);
  for (const [chain, asked, alone, sockets] of [
    ["semantics", semantics.asked, semantics.askedAlone, conversations],
    ["native", native.asked, native.askedAlone, nativeConversations],
  ]) {
    for (const [name, app] of Object.entries(chains[chain])) {
      const port = await http1Of(app);
      const control = controlOf(app);
      const all = name === "none" ? [...asked, ...alone] : asked;
      await askByHttp1(recording, `${chain} · HTTP/1.1 · ${name}`, port, all, control, rows[name]);
      const isMain = few.includes(name);
      if (isMain || name === "basic, refused")
        await converse(recording, `${chain} · WebSocket · ${name}`, port, sockets, control, rows[name]);
      if (isMain)
        await askByHttp2(recording, `${chain} · HTTP/2 · ${name}`, await http2Of(app), all, control, rows[name]);
      if (name === "none" && chain === "semantics") await askRaw(recording, `${chain} · wire`, port, raws, control);
    }
  }
  for (const [name, row] of Object.entries(rows)) {
    let app;
    try {
      app = polyfill.polyfillApplication(modules, row, note);
    } catch (error) {
      recording.add(`polyfill · build · ${name}`, [`! ${errorText(error)}`]);
      continue;
    }
    const control = controlOf(app);
    await askByHttp1(recording, `polyfill · HTTP/1.1 · ${name}`, await http1Of(app), polyfill.asked, control, row);
    if (few.includes(name))
      await askByHttp2(recording, `polyfill · HTTP/2 · ${name}`, await http2Of(app), polyfill.asked, control, row);
  }
});
stop.abort();
for (const server of servers) server.close();
writeFileSync(out, recording.toString());
console.log(`${recording.count} exchanges`);
process.exit(0);
