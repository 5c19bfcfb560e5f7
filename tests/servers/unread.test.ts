import { once } from "node:events";
import { Agent, createServer, type IncomingMessage } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { memory } from "fingerpost/files";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { linesOf, partsOf } from "fingerpost/native/content";
import * as semantics from "fingerpost";
import { z } from "zod";
import { HTTPError } from "../../src/http/protocol/http-error.ts";
import { Status } from "../../src/http/protocol/status.ts";
import { listener, type NodeApplication } from "../../src/servers/node.ts";
import { http2Session, sessionOf } from "../support/http2.ts";
import { begin, gate, listening, native, polyfill, portOf, started, turn } from "../support/sockets.ts";

const statuses = [200, 201, 202, 204, 205, 206, 301, 303, 304, 307, 400, 404, 412, 413, 417, 500, 503];

/** Answers by the status that the path names, with or without content. */
const applications: readonly (readonly [string, NodeApplication])[] = [
  ["native", native(({ url }) => responseTo(url))],
  [
    "native, half read",
    native(async ({ url, body }) => {
      await body!.getReader().read();
      return responseTo(url);
    }),
  ],
  [
    "polyfill",
    polyfill(({ url, response }) => {
      response.statusCode = Number(url.slice(1, 4));
      response.end(url.endsWith("x") ? "x" : undefined);
    }),
  ],
  [
    "polyfill, half read",
    polyfill(async ({ url, request, response }) => {
      await once(request, "data");
      request.pause();
      response.statusCode = Number(url.slice(1, 4));
      response.end(url.endsWith("x") ? "x" : undefined);
    }),
  ],
  ["an error", polyfill(({ url }) => Promise.reject(new HTTPError(statusOf(url.slice(1, 4)))))],
];

function responseTo(url: string): Response {
  const [, status, content] = /\/(\d+)(x?)$/.exec(url)!;
  return new Response(content === "x" ? "x" : null, { status: Number(status) });
}

function statusOf(code: string): typeof Status.OK {
  return Object.values(Status).find(({ status }) => status === Number(code)) as typeof Status.OK;
}

const withoutContent = new Set([204, 205, 304]);

describe.each(applications)("an answer to an upload that nobody reads: %s", (name, app) => {
  it("RFC 9112 §9.6 receives no content without end over HTTP/1.1, and lets the answer arrive", async () => {
    const server = await started(app, { onError: () => {} });
    const received = new Map<number, Promise<number>>();
    server.on("connection", (socket) => {
      const bytes = new Promise<number>((resolve) => socket.on("close", () => resolve(socket.bytesRead)));
      received.set(socket.remotePort!, bytes);
    });
    const upload = async (status: string, framing: string): Promise<void> => {
      const socket = connect(portOf(server), "127.0.0.1").on("error", () => {});
      await once(socket, "connect");
      const { localPort } = socket;
      socket.write(`PUT /${status} HTTP/1.1\r\nHost: h\r\n${framing}\r\n\r\n`);
      const part = Buffer.from(`10000\r\n${"x".repeat(0x10000)}\r\n`);
      const send = (): void => {
        while (!socket.destroyed && socket.write(part));
      };
      socket.on("drain", send);
      send();
      let answer = "";
      socket.on("data", (chunk) => (answer += String(chunk)));
      await new Promise((resolve) => socket.on("close", resolve));
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status.slice(0, 3)} `));
      if (!name.includes("polyfill")) expect(answer).toMatch(/\r\nConnection: close\r\n/);
      expect(await received.get(localPort!)).toBeLessThan(20_000_000);
    };
    const uploads = ["200x", "204", "303", "413x"].flatMap((status) =>
      ["Content-Length: 10000000000", "Transfer-Encoding: chunked"].map((framing) => upload(status, framing)),
    );
    await Promise.all(uploads);
  });

  it("answers a client that reads nothing before it has sent all, over HTTP/1.1", async () => {
    const server = await started(app, { onError: () => {} });
    const socket = connect(portOf(server), "127.0.0.1");
    socket.pause().write(`PUT /200x HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n`);
    for (let left = 9; left > 0; left--) await new Promise((resolve) => socket.write("x".repeat(100_000), resolve));
    await turn(20);
    socket.end();
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  });

  // One that read a part does not know that it was the last.
  it.skipIf(name === "native, half read")("keeps a connection whose content is all there, over HTTP/1.1", async () => {
    const server = await started(app, { onError: () => {} });
    const socket = connect(portOf(server), "127.0.0.1");
    const put = `PUT /200x HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n`;
    socket.write(`${put}\r\ncontent`);
    await once(socket, "data");
    await turn(20);
    socket.write(`${put}Connection: close\r\n\r\ncontent`);
    expect(await text(socket)).toMatch(/HTTP\/1.1 200 /);
  });

  it("leaves nothing on a connection of HTTP/1.1 that goes on", async () => {
    const server = await started(app, { onError: () => {} });
    const counts: number[] = [];
    server.on("request", ({ socket }) => void counts.push(socket.listenerCount("close")));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; n < 12; n++) {
      const headers = { "content-length": "5" };
      const outgoing = begin(server, { path: "/404", method: "POST", headers, agent });
      const [response] = (await once(outgoing.end("hello"), "response")) as [IncomingMessage];
      await text(response);
    }
    agent.destroy();
    expect(new Set(counts)).toEqual(new Set([counts[0]]));
  });

  it("RFC 9113 §8.1 closes the stream of HTTP/2, whatever the status is", async () => {
    const session = await http2Session(app, { onError: () => {} });
    const paths = statuses.flatMap((status) =>
      withoutContent.has(status) ? [`/${status}`] : [`/${status}`, `/${status}x`],
    );
    await Promise.all(
      [...paths, ...paths].map(async (path, at) => {
        const upload = session.request({ ":path": path, ":method": "PUT" });
        upload.write("x".repeat(1_000_000 / paths.length));
        // The other half is all there, and read by nobody either.
        if (at >= paths.length) upload.end();
        const closed = once(upload, "close");
        const [headers] = await once(upload, "response");
        expect(String(headers[":status"])).toBe(path.slice(1, 4));
        await text(upload);
        await closed;
        expect([path, upload.rstCode]).toEqual([path, 0]);
      }),
    );
    expect(session.destroyed).toBe(false);
  });
});

describe("an answer behind which a handler of the polyfill module reads on", () => {
  const received = gate<number>();
  const app = polyfill(({ request, response }) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => received.open(bytes));
    response.writeHead(202).end();
  });

  it("leaves the connection of HTTP/1.1 open for it", async () => {
    const own = gate<number>();
    const reading = polyfill(({ request, response }) => {
      let bytes = 0;
      request.on("data", (chunk: Buffer) => (bytes += chunk.length));
      request.on("end", () => own.open(bytes));
      response.writeHead(202).end();
    });
    const socket = connect(portOf(await started(reading)), "127.0.0.1").resume();
    socket.write(`PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n${"x".repeat(1000)}`);
    await turn(1500);
    socket.end("x".repeat(1000));
    expect(await own.opened).toBe(2000);
  });

  it("leaves the stream of HTTP/2 open for it", async () => {
    const session = await http2Session(app);
    const upload = session.request({ ":path": "/", ":method": "PUT" });
    upload.write("x".repeat(1000));
    const [headers] = await once(upload, "response");
    expect(headers[":status"]).toBe(202);
    await turn(1500);
    upload.end("x".repeat(1000));
    expect(await received.opened).toBe(2000);
  });
});

describe("Expect: 100-continue", () => {
  const reads = native(async (request) => new Response(await request.text()));
  const readsByItself = polyfill(({ request, response }) => request.pipe(response));
  const iterates = polyfill(async ({ request, response }) => {
    let content = "";
    for await (const part of request) content += String(part);
    response.end(content);
  });
  const head = "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 7\r\n";

  it.each([
    ["native", reads, {}],
    ["native, whole requests", reads, { lightRequests: false }],
    ["polyfill", readsByItself, {}],
    ["polyfill, iterated", iterates, {}],
  ] as const)("RFC 9110 §10.1.1 has the client send its content when it is first read: %s", async (_, app, options) => {
    const socket = connect(portOf(await started(app, options)), "127.0.0.1");
    socket.write(`${head}Connection: close\r\n\r\n`);
    const [first] = await once(socket, "data");
    expect(String(first)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("content");
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*content/);
  });

  it.each([
    ["native", native(() => Promise.reject(new HTTPError(Status.ContentTooLarge)))],
    [
      "native, that looks at its body",
      native(async ({ body }) => {
        await turn(10);
        return new Response(null, { status: body === null ? 200 : 413 });
      }),
    ],
    [
      "native, by bodyLimit()",
      Application.builder()
        .middleware(bodyLimit({ maxBytes: 6 }))
        .build(),
    ],
    ["polyfill", polyfill(() => Promise.reject(new HTTPError(Status.ContentTooLarge)))],
  ] as const)("RFC 9110 §10.1.1 answers before the content is sent where nobody reads it: %s", async (_, app) => {
    const socket = connect(portOf(await started(app, { onError: () => {} })), "127.0.0.1");
    socket.write(`${head}\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
  });

  const multipart = "multipart/form-data; boundary=x";
  const { form, json, lines } = semantics;

  it.each([
    ["a form", { content: form({ a: z.string() }, { maxBytes: 100 }) }, multipart],
    [
      "a form with a file",
      { content: form({ a: semantics.upload({ to: memory(), maxBytes: 50 }) }, { maxBytes: 100 }) },
      multipart,
    ],

    ["lines", { content: lines(z.int(), { maxBytes: 100 }) }, "application/jsonl"],
    ["JSON", { content: json(z.int(), { maxBytes: 100 }) }, "application/json"],
  ] as const)("RFC 9110 §10.1.1 refuses %s at once that says that it is too long", async (_, declared, type) => {
    class Items extends semantics.Resource {
      override paths = ["/"] as const;
      static PUT = { ...declared, 204: "Stored" };
      async PUT({ content }: { content: unknown }): Promise<void> {
        await (content as AsyncGenerator<unknown>).next();
      }
    }
    await expectRefusal(semantics.Application.builder().resources(Items).build(), type);
  });

  it.each([
    ["partsOf()", multipart, (request: Request) => partsOf(request, { maxBytes: 100 }).next()],
    ["linesOf()", "application/jsonl", (request: Request) => linesOf(request, { maxBytes: 100 }).next()],
  ] as const)("RFC 9110 §10.1.1 has %s refuse at once what says that it is too long", async (_, type, read) => {
    class Items extends Resource {
      override paths = ["/"];
      override async PUT(request: Request): Promise<Response> {
        await read(request);
        return new Response();
      }
    }
    await expectRefusal(Application.builder().resources(Items).build(), type);
  });

  async function expectRefusal(app: NodeApplication, type: string): Promise<void> {
    const socket = connect(portOf(await started(app, { onError: () => {} })), "127.0.0.1");
    const fields = `Host: h\r\nExpect: 100-continue\r\nContent-Length: 101\r\nContent-Type: ${type}`;
    socket.write(`PUT / HTTP/1.1\r\n${fields}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 [^]*\r\nConnection: close\r\n[^]*is longer than 100 bytes/);
    socket.destroy();
  }

  it("is left to a listener of the server's own", async () => {
    const own = createServer();
    own.on("checkContinue", (_request, response) => response.writeHead(418).end());
    const socket = connect(portOf(await started(reads, { server: own })), "127.0.0.1");
    socket.write(`${head}\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 418 /);
  });

  it("is met by Node at once where listener() listens for requests alone", async () => {
    const server = await listening(createServer(listener(reads)));
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write(`${head}Connection: close\r\n\r\ncontent`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
  });

  it.each([
    ["native", reads],
    ["polyfill", readsByItself],
  ] as const)("has the client of HTTP/2 send its content when it is first read: %s", async (_, app) => {
    const answer = listener(app);
    for (const listens of [true, false]) {
      const server = createHttp2Server(answer);
      if (listens) server.on("checkContinue", answer);
      const upload = (await sessionOf(server)).request({ ":path": "/", ":method": "PUT", expect: "100-continue" });
      let continues = 0;
      upload.on("continue", () => {
        continues++;
        upload.end("content");
      });
      expect(await text(upload)).toBe("content");
      expect(continues).toBe(1);
    }
  });

  it("is answered before the content over HTTP/2, too, where nobody reads it", async () => {
    const answer = listener(native(() => new Response(null, { status: 413 })));
    const server = createHttp2Server(answer).on("checkContinue", answer);
    const upload = (await sessionOf(server)).request({ ":path": "/", ":method": "PUT", expect: "100-continue" });
    const continues = vi.fn();
    upload.on("continue", continues);
    const [headers] = await once(upload, "response");
    expect(headers[":status"]).toBe(413);
    await once(upload.resume(), "close");
    expect(continues).not.toHaveBeenCalled();
  });
});
