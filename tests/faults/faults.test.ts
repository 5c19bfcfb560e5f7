import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { cause } from "./client.ts";
import { faults } from "./faults.ts";
import { started } from "./server.ts";

const times = Number(process.env["FAULTS"] ?? 3);

describe("faults of handlers, clients and servers", () => {
  it(
    "C6.3 leave the process alive, each request with one answer, and no connection open",
    { timeout: 120_000 },
    async () => {
      // What observers of errors throw goes here.
      const reported = vi.spyOn(console, "error").mockReturnValue();
      const stop = new AbortController();
      const servers = await started(stop.signal);
      const [native, polyfill] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number];
      const result = await cause({ native, polyfill }, times);
      expect(faults.length).toBeGreaterThan(60);
      expect(result.requests).toBeGreaterThan(faults.length * times);
      expect([...new Set(result.faults)]).toEqual([]);
      await Promise.all(servers.map(connectionsEnd));
      const closed = servers.map((server) => once(server, "close"));
      stop.abort();
      await Promise.all(closed);
      expect(reported).toHaveBeenCalled();
      reported.mockRestore();
    },
  );
});

/** Connections that clients have left are gone once the server has noticed. */
async function connectionsEnd(server: Server): Promise<void> {
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  for (let i = 0; i < 500 && (await connections()) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await connections()).toBe(0);
}
