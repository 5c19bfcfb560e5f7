import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, begin, gate, native, polyfill, portOf, started } from "../../tests/sockets.ts";

describe("closerOf()", () => {
  it("closes when the signal aborts: idle connections at once, others after their response", async () => {
    const stop = new AbortController();
    const arrived = gate();
    const leave = gate();
    const server = await started(
      native(async (request) => {
        if (!request.url.endsWith("/slow")) return new Response("quick");
        arrived.open();
        await leave.opened;
        return new Response("slow");
      }),
      { signal: stop.signal },
    );
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    await ask(server, { agent });
    const slow = ask(server, { agent, path: "/slow" });
    const idle = connect(portOf(server), "127.0.0.1");
    await Promise.all([arrived.opened, once(idle, "connect"), once(server, "connection")]);

    const port = portOf(server);
    stop.abort();
    idle.resume();
    await once(idle, "close");
    await expect(ask(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    leave.open();
    const [answer] = await Promise.all([slow, once(server, "close")]);
    expect(answer).toMatchObject({ text: "slow", headers: { connection: "close" } });
  });

  it("sends all of a response that was ended before the signal aborted", async () => {
    const stop = new AbortController();
    const server = await started(
      polyfill(({ response }) => response.end(Buffer.alloc(20_000_000))),
      { signal: stop.signal },
    );
    const exchange = begin(server).end();
    const [response] = await once(exchange, "response");
    const closed = once(server, "close");
    stop.abort();
    let bytes = 0;
    for await (const part of response) bytes += part.length;
    expect(bytes).toBe(20_000_000);
    await closed;
  });
});
