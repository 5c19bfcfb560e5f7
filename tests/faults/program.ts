/**
 * What `scripts/check/socket-faults.js` runs, bundled into one file: the servers in one process, the clients in
 * another.
 */
import type { AddressInfo, Server } from "node:net";
import { started } from "./server.ts";

export { cause } from "./client.ts";
export { faults } from "./faults.ts";

/** What a server process says of itself when it is asked. */
export interface Health {
  readonly connections: number;
  /** What came to the surface that a library must keep below it. */
  readonly surfaced: readonly string[];
}

/** Serves until the parent process says `stop`; answers each message `health`. */
export async function serveFaults(): Promise<void> {
  const surfaced: string[] = [];
  for (const event of ["uncaughtException", "unhandledRejection", "warning"]) {
    process.on(event, (error: unknown) => void surfaced.push(`${event}: ${String((error as Error)?.stack ?? error)}`));
  }
  // What observers throw is expected; it would fill the terminal.
  console.error = () => {};
  const stop = new AbortController();
  const servers = await started(stop.signal);
  process.on("message", async (message) => {
    if (message === "health") {
      const counts = await Promise.all(servers.map(connectionsOf));
      process.send!({ connections: counts.reduce((sum, count) => sum + count), surfaced } satisfies Health);
    } else {
      stop.abort();
      process.disconnect();
    }
  });
  process.send!(servers.map((server) => (server.address() as AddressInfo).port));
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

if (process.argv[2] === "serve") await serveFaults();
