import { once } from "node:events";
import { Agent, createServer as createPlainServer, type IncomingMessage, type Server } from "node:http";
import { Agent as SecureAgent, createServer } from "node:https";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ask,
  begin,
  gate,
  listening,
  native,
  polyfill,
  portOf,
  started,
  turn,
} from "../../../tests/support/sockets.ts";
import { tls } from "../../../tests/support/tls.ts";
import { listener, serve, stoppingSignalOf, type NodeContext } from "../node.ts";

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

  it("knows the connection of a response whose message was destroyed", async () => {
    const server = await started(
      polyfill(async ({ request, response }) => {
        for await (const chunk of request) {
          response.end(chunk);
          break;
        }
      }),
    );
    for (let round = 0; round < 2; round++)
      expect((await ask(server, { method: "POST" }, "content")).text).toBe("content");
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

  it("RFC 9112 §9.6 begins nothing that comes after the last response", async () => {
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

describe("sockets that were handed over", () => {
  /** Says in upper case what it hears, and ends when its client does. */
  function take(_request: IncomingMessage, socket: Duplex): void {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n");
    socket.on("data", (chunk) => socket.write(String(chunk).toUpperCase()));
    socket.on("end", () => socket.end()).on("error", () => {});
  }
  const upgrade = "GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n";
  const tunnel = "CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n";
  const answer = native(({ url }) => new Response(url));

  it.each([
    ["upgrade", "before", upgrade],
    ["upgrade", "after", upgrade],
    ["connect", "before", tunnel],
    ["connect", "after", tunnel],
  ])(
    "C6.3 stay open when the signal aborts, until who took them ends them: %s, listened for %s the start",
    async (event, when, head) => {
      const stop = new AbortController();
      const own = createPlainServer();
      if (when === "before") own.on(event, take);
      const server = await started(answer, { server: own, signal: stop.signal });
      if (when === "after") server.on(event, take);
      const socket = connect(portOf(server), "127.0.0.1");
      const idle = connect(portOf(server), "127.0.0.1").resume();
      socket.write(head);
      expect(String(await once(socket, "data"))).toContain(" 101 ");
      stop.abort();
      await once(idle, "close");
      socket.write("under way");
      expect(String(await once(socket, "data"))).toBe("UNDER WAY");
      await turn(50);
      expect(socket.destroyed).toBe(false);
      const closed = [once(server, "close"), once(socket, "close")];
      socket.end();
      await Promise.all(closed);
    },
  );

  it("are destroyed after graceMs, as responses are that do not end", async () => {
    const stop = new AbortController();
    const aborted = gate<number>();
    const arrived = gate();
    const server = await started(
      native((request) => {
        request.signal.addEventListener("abort", () => aborted.open(Date.now()));
        arrived.open();
        return new Promise<never>(() => {});
      }),
      { signal: stop.signal, graceMs: 200 },
    );
    server.on("upgrade", take);
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write(upgrade);
    await once(socket, "data");
    const waiting = begin(server).on("error", () => {});
    waiting.end();
    await arrived.opened;
    const from = Date.now();
    stop.abort();
    await Promise.all([once(socket.resume(), "close"), once(server, "close"), aborted.opened]);
    expect(Date.now() - from).toBeGreaterThan(150);
    expect((await aborted.opened) - from).toBeGreaterThan(150);
  });

  it("are none where nobody listens, or nobody any more: an upgrade is answered like other requests", async () => {
    const server = await started(answer);
    const answerTo = async (): Promise<string> => {
      const socket = connect(portOf(server), "127.0.0.1");
      socket.write(upgrade.replace("upgrade\r\nUpgrade", "upgrade, close\r\nUpgrade"));
      const [data] = (await once(socket, "data")) as [Buffer];
      socket.destroy();
      return String(data);
    };
    // Listeners that complete the WebSockets of the application.
    const own = server.listenerCount("upgrade");
    expect(await answerTo()).toMatch(/^HTTP\/1.1 200 OK/);
    server.on("upgrade", take);
    server.off("upgrade", take);
    expect(server.listenerCount("upgrade")).toBe(own);
    expect(await answerTo()).toMatch(/^HTTP\/1.1 200 OK/);
    server.once("upgrade", (_request, socket) => socket.end("taken"));
    expect(await answerTo()).toBe("taken");
    expect(await answerTo()).toMatch(/^HTTP\/1.1 200 OK/);
  });
});

describe("stoppingSignalOf()", () => {
  it.each([
    ["a light Request", "GET", {}],
    ["a whole Request", "GET", { lightRequests: false }],
    ["what stands for a Request", "TRACE", {}],
  ] as const)(
    "tells a handler that the server is stopping, and request.signal does not: %s",
    async (_, method, options) => {
      const stop = new AbortController();
      const arrived = gate<Request>();
      const leave = gate();
      const server = await started(
        native(async (request) => {
          arrived.open(request);
          await leave.opened;
          return new Response("done");
        }),
        { signal: stop.signal, ...options },
      );
      const exchange = ask(server, { method });
      const request = await arrived.opened;
      const signal = stoppingSignalOf(request);
      expect(stoppingSignalOf(request)).toBe(signal);
      expect(signal.aborted).toBe(false);
      const aborts = once(signal, "abort");
      stop.abort();
      await aborts;
      expect([signal.aborted, stoppingSignalOf(request).aborted, request.signal.aborted]).toEqual([true, true, false]);
      leave.open();
      expect((await exchange).status).toBe(200);
    },
  );

  it("takes contexts, and the requests of Node that listeners for upgrade get", async () => {
    const stop = new AbortController();
    const handled = gate<NodeContext>();
    const upgraded = gate<[IncomingMessage, Duplex]>();
    const server = await started(
      polyfill((context) => {
        handled.open(context);
        return once(context.response, "close");
      }),
      { signal: stop.signal },
    );
    server.on("upgrade", (request, socket) => upgraded.open([request, socket]));
    const exchange = ask(server);
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n");
    const [context, [request, taken]] = await Promise.all([handled.opened, upgraded.opened]);
    const signals = [context, request].map((input) => stoppingSignalOf(input));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    stop.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    taken.end();
    context.response.end();
    await Promise.all([text(socket), exchange]);
  });

  it("never aborts where serve() does not have the server, nor for what came from elsewhere", async () => {
    const signals: AbortSignal[] = [];
    const app = native((request) => {
      signals.push(stoppingSignalOf(request), stoppingSignalOf(new Request("http://h/")), stoppingSignalOf({}));
      return new Response();
    });
    const server = await listening(createPlainServer(listener(app)));
    await ask(server);
    server.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
  });

  it("refuses anything but an object", () => {
    expect(() => stoppingSignalOf(null as never)).toThrow(
      new TypeError("Cannot get the signal of a stopping server: expected the input of a handler, got null"),
    );
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
