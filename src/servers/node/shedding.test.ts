import { once } from "node:events";
import { connect } from "node:net";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { Application as PolyfillApplication, Resource as PolyfillResource } from "fingerpost/modules/http.polyfill.js";
import { upgrade } from "fingerpost/native/content";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { measured } from "../../../tests/support/measured.ts";
import { ask, gate, portOf } from "../../../tests/support/sockets.ts";
import { health, serve, type NodeApplication, type NodeContext, type ServeOptions } from "../node.ts";

async function serving(app: NodeApplication, options: ServeOptions): Promise<Awaited<ReturnType<typeof serve>>> {
  const spy = vi.spyOn(console, "error").mockImplementation(() => {});
  const server = await serve(app, { port: 0, hostname: "127.0.0.1", ...options });
  onTestFinished(() => {
    spy.mockRestore();
    server.close();
    server.closeAllConnections();
  });
  return server;
}

describe("maxRequests of serve()", () => {
  it("answers what is too much by 503 before content is read, and probes first", async () => {
    const waiting = gate();
    class Work extends Resource {
      paths = ["/work"];
      override async POST(request: Request): Promise<Response> {
        await waiting.opened;
        return new Response(await request.text());
      }
    }
    const app = Application.builder().resources(Work, health()).build();
    const server = await serving(app, { maxRequests: 1 });
    const first = ask(server, { method: "POST", path: "/work" }, "content");
    await once(server, "request");
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("POST /work HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    const [head] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(head.toString()).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n/is);
    expect(await ask(server, { path: "/nothing" })).toMatchObject({ status: 503 });
    expect(await ask(server, { path: "/livez?x" })).toMatchObject({ status: 200 });
    waiting.open();
    expect(await first).toMatchObject({ status: 200, text: "content" });
    expect(await ask(server, { path: "/nothing" })).toMatchObject({ status: 404 });
  });

  it("does not count what is sent, nor open WebSockets, but refuses handshakes", async () => {
    const waiting = gate();
    class Stream extends Resource {
      paths = ["/stream"];
      override GET(): Response {
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("part")) }));
      }
      override async POST(): Promise<Response> {
        await waiting.opened;
        throw new Error("no");
      }
    }
    class Chat extends Resource {
      paths = ["/chat"];
      override GET(request: Request): Response {
        return upgrade(request, { message: () => {} });
      }
    }
    const server = await serving(Application.builder().resources(Stream, Chat).build(), { maxRequests: 1 });
    const port = portOf(server);
    const stream = await fetch(`http://127.0.0.1:${port}/stream`);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/chat`);
    await once(socket, "open");
    const held = ask(server, { method: "POST", path: "/stream" });
    await once(server, "request");
    const [, refused] = (await once(new WebSocket(`ws://127.0.0.1:${port}/chat`), "unexpected-response")) as [
      unknown,
      { statusCode: number },
    ];
    expect(refused.statusCode).toBe(503);
    waiting.open();
    expect(await held).toMatchObject({ status: 500 });
    expect(await ask(server, { path: "/nothing" })).toMatchObject({ status: 404 });
    socket.terminate();
    await stream.body?.cancel();
  });

  it("counts requests of the polyfill module, and of other packages, which throw or reject", async () => {
    const waiting = gate();
    class Work extends PolyfillResource {
      paths = ["/work"];
      async GET({ response }: NodeContext): Promise<unknown> {
        await waiting.opened;
        return response.end("done");
      }
    }
    const app = PolyfillApplication.builder().resources(Work).build();
    const server = await serving(app, { maxRequests: 1 });
    const first = ask(server, { path: "/work" });
    await once(server, "request");
    expect(await ask(server, { path: "/work" })).toMatchObject({ status: 503 });
    waiting.open();
    expect(await first).toMatchObject({ status: 200 });
    expect(await ask(server, { path: "/work" })).toMatchObject({ status: 200 });
    let fails = 0;
    const other = {
      fetch(): Promise<Response> {
        fails++;
        if (fails === 1) throw new Error("at once");
        if (fails === 2) return Promise.reject(new Error("later"));
        return new Promise<never>(() => {});
      },
    };
    const others = await serving(other, { maxRequests: 1 });
    for (let i = 0; i < 2; i++) expect(await ask(others, {})).toMatchObject({ status: 500 });
    void ask(others, {}).catch(() => {});
    await once(others, "request");
    expect(await ask(others, {})).toMatchObject({ status: 503 });
  });

  it("may be without end", async () => {
    const server = await serving(Application.builder().build(), { maxRequests: Infinity });
    expect(await ask(server, {})).toMatchObject({ status: 404 });
    await expect(serve(Application.builder().build(), { maxRequests: 0 })).rejects.toThrow('"maxRequests" must be');
  });
});

describe("maxConnections of serve()", () => {
  it("closes more connections at once, and measures it", async () => {
    const found = measured();
    const server = await serving(Application.builder().build(), { maxConnections: 1 });
    const first = connect(portOf(server), "127.0.0.1");
    await once(server, "connection");
    const second = connect(portOf(server), "127.0.0.1").on("error", () => {});
    await once(second, "close");
    first.destroy();
    expect(found).toEqual([["fingerpost.refused_requests", 1, { "error.type": "maxConnections" }]]);
  });
});

describe("maxSlowMs of serve()", () => {
  const waited = gate();
  class Work extends Resource {
    paths = ["/work"];
    override GET(): Response {
      return new Response(Buffer.alloc(20 * 2 ** 20));
    }
    override CONNECT(): Response {
      return this.GET();
    }
    override async POST(request: Request): Promise<Response> {
      return new Response(await request.text());
    }
    override async PUT(): Promise<Response> {
      await waited.opened;
      return new Response("late");
    }
  }
  const app = Application.builder().resources(Work).build();
  const websocket = "Connection: Upgrade\r\nUpgrade: websocket\r\n";

  it.each([
    ["does not read", "GET /work HTTP/1.1\r\nHost: h\r\n\r\n"],
    ["does not read what it got for a WebSocket", `GET /work HTTP/1.1\r\nHost: h\r\n${websocket}\r\n`],
    ["does not read what it got for a tunnel", "CONNECT /work HTTP/1.1\r\nHost: h\r\n\r\n"],
    ["does not send", "POST /work HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\npart"],
  ])("cuts a client that %s", async (_, text) => {
    const found = measured();
    const server = await serving(app, { maxSlowMs: 100 });
    const socket = connect(portOf(server), "127.0.0.1").on("error", () => {});
    const [own] = (await once(server, "connection")) as [typeof socket];
    socket.pause();
    socket.write(text);
    await once(own, "close");
    socket.destroy();
    expect(found).toEqual([["fingerpost.refused_requests", 1, { "error.type": "maxSlowMs" }]]);
  });

  it("waits for slow handlers, and closes idle connections as Node does", async () => {
    const found = measured();
    const server = await serving(app, { maxSlowMs: 50 });
    let times = 0;
    server.on("timeout", () => void (++times === 2 && waited.open()));
    expect(await ask(server, { method: "PUT", path: "/work" })).toMatchObject({ status: 200 });
    const socket = connect(portOf(server), "127.0.0.1").on("error", () => {});
    await once(socket.resume(), "close");
    expect(found).toEqual([]);
  });
});
