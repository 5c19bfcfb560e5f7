import { once } from "node:events";
import { Agent, type Server } from "node:http";
import { Agent as SecureAgent, createServer } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, begin, gate, native, polyfill, portOf, started, turn } from "../../../tests/support/sockets.ts";
import { tls } from "../../../tests/support/tls.ts";
import { serve } from "../node.ts";

describe("trackConnections()", () => {
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

  it("closes a server of node:https in the same way, also where a client does not begin to speak TLS", async () => {
    const stop = new AbortController();
    const arrived = gate();
    const leave = gate();
    const app = native(async (request) => {
      if (request.url !== `https://127.0.0.1:${portOf(server)}/slow`) return new Response(request.url);
      arrived.open();
      await leave.opened;
      return new Response("slow");
    });
    const server = await started(app, { server: createServer(tls), signal: stop.signal });
    const agent = new SecureAgent({ keepAlive: true, ca: tls.cert });
    onTestFinished(() => agent.destroy());
    const options = { agent, protocol: "https:" };
    expect((await ask(server, options)).text).toBe(`https://127.0.0.1:${portOf(server)}/`);
    const [idle] = Object.values(agent.freeSockets).flat();
    const slow = ask(server, { ...options, agent: new SecureAgent({ ca: tls.cert }), path: "/slow" });
    await arrived.opened;
    // Node would wait for it for two minutes.
    const silent = connect(portOf(server), "127.0.0.1").on("error", () => {});
    await Promise.all([once(silent, "connect"), once(server, "connection")]);

    stop.abort();
    await Promise.all([once(idle!, "close"), once(silent.resume(), "close")]);
    leave.open();
    const [answer] = await Promise.all([slow, once(server, "close")]);
    expect(answer).toMatchObject({ text: "slow", headers: { connection: "close" } });
  });

  it("has closeAllConnections() break off a response to CONNECT, too, once the signal has aborted", async () => {
    const stop = new AbortController();
    const arrived = gate();
    const app = native(() => {
      arrived.open();
      return new Promise(() => {});
    });
    const server = await started(app, { signal: stop.signal });
    const socket = connect(portOf(server), "127.0.0.1").resume();
    socket.write("CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n");
    await arrived.opened;
    stop.abort();
    await turn(20);
    expect(socket.destroyed).toBe(false);
    const closed = [once(socket, "close"), once(server, "close")];
    server.closeAllConnections();
    await Promise.all(closed);
  });

  it("listens no more when the signal has aborted before the server listens", async () => {
    const free = await serve(
      native(() => new Response()),
      { port: 0, hostname: "127.0.0.1" },
    );
    const port = portOf(free);
    await once(free.close(), "close");
    const stop = new AbortController();
    const serving = serve(
      native(() => new Response()),
      { port, hostname: "127.0.0.1", signal: stop.signal },
    );
    stop.abort(new Error("stopped"));
    await expect(serving).rejects.toThrow("stopped");
    await expect(ask(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
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

  it("C6.3 sends all responses that were begun when the signal aborts, where the client waited for none", async () => {
    const stop = new AbortController();
    const { opened, open } = gate();
    const all = gate();
    const begun: string[] = [];
    const server = await started(
      native(async ({ url }) => {
        const { pathname } = new URL(url);
        if (begun.push(pathname) === 3) all.open();
        await opened;
        return new Response(pathname);
      }),
      { signal: stop.signal },
    );
    const closed = once(server, "close");
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write(requests("GET /1", "GET /2", "GET /3"));
    await all.opened;
    stop.abort();
    open();
    const answers = (await text(socket)).split(/(?=HTTP)/);
    expect(answers.map((answer) => answer.split("\r\n\r\n")[1])).toEqual(["/1", "/2", "/3"]);
    expect(answers.map((answer) => answer.includes("Connection: close\r\n"))).toEqual([false, false, true]);
    await closed;
  });

  it("RFC 9112 §9.6 begins nothing that comes behind the last response", async () => {
    const stop = new AbortController();
    const { opened, open } = gate();
    const arrived = gate();
    const begun: string[] = [];
    const server = await started(
      native(async ({ url }) => {
        begun.push(new URL(url).pathname);
        arrived.open();
        await opened;
        return new Response("x".repeat(1_000_000));
      }),
      { signal: stop.signal },
    );
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write(requests("GET /1"));
    await arrived.opened;
    stop.abort();
    // Left unread, it would reset the connection, and what the client has not read yet would be lost.
    const come = once(server, "request");
    socket.write(`POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n${"x".repeat(1_000_000)}`);
    const [second] = await come;
    await once(second, "end");
    open();
    const [head, content] = (await text(socket)).split("\r\n\r\n");
    expect(head).toContain("\r\nConnection: close");
    expect(content).toMatch(/^x{1000000}$/);
    expect(begun).toEqual(["/1"]);
  });

  it("leaves nothing that holds the server once it has closed", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const server = await closedServer();
    for (let time = 0; time < 50 && server.deref() !== undefined; time++) {
      await turn();
      collectGarbage();
    }
    expect(server.deref()).toBeUndefined();
  });
});

/** A server that has answered a request and was closed by its signal. */
async function closedServer(): Promise<WeakRef<Server>> {
  const stop = new AbortController();
  const server = await serve(
    native(() => new Response("done")),
    { port: 0, hostname: "127.0.0.1", signal: stop.signal },
  );
  await ask(server);
  stop.abort();
  await once(server, "close");
  return new WeakRef(server);
}

const requests = (...lines: readonly string[]): string =>
  lines.map((line) => `${line} HTTP/1.1\r\nHost: h\r\n\r\n`).join("");
