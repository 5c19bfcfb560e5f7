// Serves the reading list by each module: try `npm start`, then what it prints.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve, type NodeApplication } from "fingerpost/node";
import { application as native } from "./native/application.ts";
import { application as polyfill } from "./polyfill/application.ts";
import { application as semantics } from "./semantics/application.ts";

const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
const stop = new AbortController();

try {
  const port = portOf(PORT);
  const addresses: string[] = [];
  for (const [at, application] of [semantics, native, polyfill].entries()) {
    addresses.push(await started(application, port === 0 ? 0 : port + at));
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  console.log(greeting(addresses));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  stop.abort();
}

function portOf(text: string): number {
  const port = Number(text);
  // The others take the next two.
  if (/^\d+$/.test(text) && port < 65_534) return port;
  throw new Error(`Cannot listen: expected PORT to be a number below 65534, got ${JSON.stringify(text.slice(0, 80))}`);
}

async function started(application: NodeApplication, port: number): Promise<string> {
  const server: Server = await serve(application, { port, hostname: HOST, signal: stop.signal });
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${(server.address() as AddressInfo).port}`;
}

function greeting([declared, web, node]: readonly string[]): string {
  return `The reading list is served by three modules:

  ${declared}  fingerpost: declared operations
  ${web}  fingerpost/native: a Request comes in, a Response goes out
  ${node}  fingerpost/polyfill: handlers write to Node's own response

Open ${declared}/docs in a browser, or try these in another terminal. Ctrl+C stops all three.

  curl ${declared}/books
  curl ${declared}/books --header 'Content-Type: application/json' --data '{"title": "Emma", "author": "Jane Austen"}'
  curl ${declared}/books --header 'Content-Type: application/json' --data '{"title": ""}'
  curl --include ${web}/books/99
  curl --user librarian:shelf ${node}/admin/statistics
`;
}
