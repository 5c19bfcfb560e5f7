// The server of the soak run of events, in a process of its own: sends a number every few milliseconds, to all who
// listen.
import { eventStream } from "../../dist/content/events.js";
import { Inbox, lastEventIdOf } from "../../dist/content/inbox.js";
import { Resource } from "../../dist/modules/http.native.js";
import * as semantics from "../../dist/modules/http.semantics.js";
import { serve } from "../../dist/servers/node.js";
import { heapBytes } from "./growth.js";

const isLeaky = process.argv[2] === "leaky";
/** As many events a second for all clients together, however many there are. */
const intervalMs = Number(process.argv[3]) / 5;
const kept = [];
const inbox = new Inbox();
const schema = { "~standard": { version: 1, vendor: "none", validate: (value) => ({ value }) } };

class Native extends Resource {
  paths = ["/native"];
  GET(request) {
    if (isLeaky) kept.push([request, "x".repeat(10_000).split("")]);
    return eventStream(request, (signal) => inbox.listen(signal, { after: lastEventIdOf(request) }), {
      heartbeatMs: 50,
    });
  }
}

class Declared extends semantics.Resource {
  paths = ["/declared"];
  static GET = { 200: semantics.events(schema, { heartbeatMs: 50 }) };
  GET({ request, signal }) {
    if (isLeaky) kept.push([request, "x".repeat(10_000).split("")]);
    return inbox.listen(signal, { after: lastEventIdOf(request) });
  }
}

const stop = new AbortController();
const app = semantics.Application.builder().resources(Native, Declared).build();
const server = await serve(app, {
  port: 0,
  hostname: "127.0.0.1",
  backlog: 4096,
  signal: stop.signal,
  graceMs: 60_000,
});
let sent = 0;
const timer = setInterval(() => inbox.send({ n: sent }, { id: String(sent++) }), intervalMs);

process.on("message", async (question) => {
  if (question !== "stop") {
    // What is written to connections is not in the heap.
    const heap = (await heapBytes()) + process.memoryUsage().external;
    return process.send({ heap, listeners: inbox.listeners, sent });
  }
  clearInterval(timer);
  const from = performance.now();
  server.once("close", () => {
    process.send({ stoppedMs: performance.now() - from, listeners: inbox.listeners });
    process.disconnect();
  });
  stop.abort();
});
process.send({ port: server.address().port });
