// Serves the reading list by both modules: try `npm start`, then what it prints.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve, type NodeApplication } from "fingerpost/servers/node.js";
import { application as native } from "./native/application.ts";
import { application as polyfill } from "./polyfill/application.ts";

const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
const stop = new AbortController();

try {
  const port = portOf(PORT);
  const first = await started(native, port);
  const second = await started(polyfill, port === 0 ? 0 : port + 1);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  console.log(greeting(first, second));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  stop.abort();
}

function portOf(text: string): number {
  const port = Number(text);
  // The second one takes the next.
  if (/^\d+$/.test(text) && port < 65_535) return port;
  throw new Error(`Cannot listen: expected PORT to be a number below 65535, got ${JSON.stringify(text.slice(0, 80))}`);
}

async function started(application: NodeApplication, port: number): Promise<string> {
  const server: Server = await serve(application, { port, hostname: HOST, signal: stop.signal });
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${(server.address() as AddressInfo).port}`;
}

function greeting(first: string, second: string): string {
  return `The reading list is served by two modules, with the same answers:

  ${first}  http.native.js: a Request comes in, a Response goes out
  ${second}  http.polyfill.js: handlers write to Node's own response

Try one of them in another terminal; Ctrl+C stops both.

  curl ${first}/books
  curl ${second}/books/2
  curl ${first}/books --data '{"title": "Emma", "author": "Jane Austen"}'
  curl --include ${second}/books/99
  curl --user librarian:shelf ${first}/admin/statistics
`;
}
