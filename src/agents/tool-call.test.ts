import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Application, Resource, type Call } from "fingerpost";
import { mcp } from "fingerpost/mcp";
import { serve } from "fingerpost/node";
import { findStoppingBy, stoppingSignalFor } from "../dispatch/stopping-signal.ts";

class Sum extends Resource {
  override paths = ["/sum"] as const;

  static POST = {
    content: z.object({ a: z.int(), b: z.int() }),
    200: z.object({ sum: z.int() }),
    tool: { name: "sum" },
  };
  override POST({ content, request }: Call<typeof Sum, "POST">): { sum: number } {
    signals.push(stoppingSignalFor(request));
    return { sum: content.a + content.b };
  }
}

const signals: (AbortSignal | null)[] = [];

describe("a call of a tool", () => {
  it.each([undefined, "2026-07-28"])(
    "comes over a socket, with the signal of the server, by protocol %s",
    async (pin) => {
      const stop = new AbortController();
      const app = Application.builder()
        .resources(Sum, mcp({ name: "sums", version: "1" }))
        .build();
      const server = await serve(app, { port: 0, signal: stop.signal });
      const { port } = server.address() as AddressInfo;
      const client = new Client(
        { name: "test", version: "1" },
        pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://localhost:${port}/mcp`)));
      const result = await client.callTool({ name: "sum", arguments: { a: 2, b: 3 } });
      expect(result.structuredContent).toEqual({ sum: 5 });
      expect(signals.pop()).toBeInstanceOf(AbortSignal);
      await client.close();
      stop.abort();
    },
  );

  it("has no such signal where nobody knows one", async () => {
    findStoppingBy(() => null);
    const app = Application.builder()
      .resources(Sum, mcp({ name: "sums", version: "1" }))
      .build();
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "sum", arguments: { a: 1, b: 1 } } };
    const headers = { accept: "application/json, text/event-stream" };
    const response = await app.request("/mcp", { method: "POST", headers, json: call });
    expect(await response.text()).toContain('"sum\\":2');
    expect(signals.pop()).toBeNull();
  });
});
