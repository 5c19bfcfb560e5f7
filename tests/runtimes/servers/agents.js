// Applications with tools of agents, on Node, Bun and Deno.
import { createServer } from "node:http";
import { listener } from "fingerpost/node";
import { fetch } from "./agents.ts";

const options = { port: 0, hostname: "127.0.0.1" };
let port;
if ("Deno" in globalThis) port = Deno.serve({ ...options, onListen: () => {} }, fetch).addr.port;
else if ("Bun" in globalThis) port = Bun.serve({ ...options, fetch }).port;
else {
  const server = createServer(listener({ fetch })).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  ({ port } = server.address());
}
console.log(`LISTENING ${JSON.stringify({ agents: port })}`);
