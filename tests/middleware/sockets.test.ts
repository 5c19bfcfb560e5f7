// A WebSocket behind each bundled middleware: the handshake passes through it untouched.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { upgrade } from "fingerpost/native/content";
import { serve } from "fingerpost/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { nativeAround } from "./around.ts";
import { rows } from "./table.ts";

describe("WebSockets behind middleware", () => {
  it.each(rows)("C20.1 $name leaves a handshake as it is", async ({ middleware, headers = {} }) => {
    const errors: unknown[] = [];
    const app = nativeAround(
      middleware,
      (request) =>
        upgrade(
          request,
          { open: (peer) => peer.send("hello"), message: (peer, message) => peer.send(message) },
          { origins: "*" },
        ),
      (error) => void errors.push(error),
    );
    const stop = new AbortController();
    const server = await serve(app, { port: 0, signal: stop.signal, graceMs: 100 });
    onTestFinished(() => stop.abort());
    const { port } = server.address() as AddressInfo;
    const client = new WebSocket(`ws://127.0.0.1:${port}/items`, { headers: { ...headers } });
    const got: string[] = [];
    client.on("message", (data: Buffer) => got.push(data.toString()));
    client.on("error", (error) => errors.push(error));
    await Promise.race([once(client, "open"), once(client, "close")]);
    expect(errors).toEqual([]);
    client.send("x");
    await expect.poll(() => got).toEqual(["hello", "x"]);
    client.terminate();
  });
});
