// The server of the soak runs over sockets, in a process of its own; tells its heap when it is asked.
import * as native from "../../dist/modules/http.native.js";
import * as polyfill from "../../dist/modules/http.polyfill.js";
import { serve } from "../../dist/servers/node.js";
import { heapBytes } from "./growth.js";

const [chain, isLeaky] = process.argv.slice(2);
const kept = [];
const keep = (value) => {
  if (isLeaky === "leaky") kept.push(value);
};

class NativeItem extends native.Resource {
  paths = ["/item/:id"];
  GET(request) {
    keep(request.url + "x".repeat(100));
    return new Response(`item ${request.params.pathParam("id")}`);
  }
  /** Answers when the client is gone, or never. */
  PUT(request) {
    keep(request);
    return new Promise((resolve) => request.signal.addEventListener("abort", () => resolve(new Response(null))));
  }
  async POST(request) {
    keep(request);
    return new Response(await request.text());
  }
}

class PolyfillItem extends polyfill.Resource {
  paths = ["/item/:id"];
  GET({ params, url, response }) {
    keep(url + "x".repeat(100));
    response.end(`item ${params.pathParam("id")}`);
  }
  PUT({ request, response }) {
    keep(request);
    return new Promise((resolve) => response.once("close", resolve));
  }
  async POST({ request, response }) {
    keep(request);
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    response.end(`${bytes}`);
  }
}

const module = { native, polyfill }[chain];
const builder = module.Application.builder().resources({ native: NativeItem, polyfill: PolyfillItem }[chain]);
// A client that leaves makes handlers fail that read its content; the console is not what is measured.
builder.onError?.(() => {});
const app = builder.build();
// A connection for which there is no room in the queue waits for a second: resetting them by the thousand fills the
// usual one.
const server = await serve(app, { port: 0, hostname: "127.0.0.1", backlog: 4096, onError() {} });
server.keepAliveTimeout = 60_000;

process.on("message", async () => {
  // Connections that were reset are gone once the server has noticed.
  const connections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  for (let i = 0; i < 1000 && (await connections()) > 64; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  process.send(await heapBytes());
});
process.send(server.address().port);
