import { request } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "./registry.ts";
import { expectUntouched } from "./snapshot.ts";

describe("globals", () => {
  it("C1.1 are not touched by the server for Node", async () => {
    await expectUntouched(async () => {
      const { serve } = await import("fingerpost/node");
      const stop = new AbortController();
      const options = { port: 0, hostname: "127.0.0.1", signal: stop.signal };
      const handle = async ({ response }: { response: { end(content: string): void } }) => response.end("done");
      for (const app of [{ fetch: async () => new Response("done") }, { handle }]) {
        const server = await serve(app as never, options);
        const exchange = request({
          host: "127.0.0.1",
          port: (server.address() as AddressInfo).port,
          agent: false,
        }).end();
        const [response] = await once(exchange, "response");
        expect(await text(response)).toBe("done");
      }
      stop.abort();
    });
  });
});
