import { once } from "node:events";
import { Agent, createServer, Server, type IncomingMessage, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { Readable, type Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Application, Middleware } from "fingerpost/modules/http.native.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import {
  ask,
  begin,
  failingContent,
  gate,
  listening,
  native,
  polyfill,
  portOf,
  started,
  turn,
  type Answer,
} from "../../tests/support/sockets.ts";
import { listener, serve } from "./node.ts";

const unanswered = new Promise<never>(() => {});
const echo = native(({ method, url, headers }) => Response.json({ method, url, host: headers.get("host") }));

describe("listener() of an application with fetch", () => {
  it("C6.1 passes method, URL, header fields and content, and sends what comes back", async () => {
    const server = await started(
      native(async (request) => {
        const content =
          `${request.method} ${new URL(request.url).pathname} ${request.headers.get("x-a")}: ` +
          `${await request.text()}`;
        return new Response(content, { ...Status.Created, headers: { "x-b": "2" } });
      }),
    );
    const answer = await ask(server, { method: "POST", path: "/a?b", headers: { "x-a": "1" } }, "content");
    expect(answer).toMatchObject({ status: 201, reason: "Created", text: "POST /a 1: content" });
    expect(answer.headers).toMatchObject({
      "x-b": "2",
      "content-type": "text/plain;charset=UTF-8",
      "content-length": "18",
    });
  });

  it.each([
    ["OPTIONS", "*", 404],
    ["GET", "http://[::1/", 400],
  ])("passes %s %s on, whose URL middleware cannot parse", async (method, path, status) => {
    const parsed: boolean[] = [];
    class Parsing extends Middleware {
      override ALL(request: Request): Response | Promise<Response> {
        parsed.push(URL.canParse(request.url));
        return this.next(request);
      }
    }
    const app = Application.builder().middleware(Parsing).build();
    expect(await ask(await started(app), { method, path })).toMatchObject({ status });
    expect(parsed).toEqual([false]);
  });

  it("answers pipelined requests in order", async () => {
    const server = await started(
      native(async ({ url }) => {
        if (url.endsWith("/1")) await turn(20);
        return new Response(new URL(url).pathname);
      }),
    );
    const socket = connect(portOf(server), "127.0.0.1");
    const fields = ["Host: h", "Host: h", "Host: h\r\nConnection: close"];
    socket.write(fields.map((field, i) => `GET /${i + 1} HTTP/1.1\r\n${field}\r\n\r\n`).join(""));
    expect((await text(socket)).match(/(?<=\r\n\r\n)\/\d/g)).toEqual(["/1", "/2", "/3"]);
  });

  it("C6.3 survives a client that leaves before the handler waits for the content that it asked for", async () => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const ways: readonly ((request: Request) => Promise<string>)[] = [
      (request) => request.text(),
      (request) => request.clone().text(),
      (request) => request.clone().clone().text(),
    ];
    for (const lightRequests of [true, false]) {
      for (const read of ways) {
        const failed = gate();
        const app = native(async (request) => {
          const content = read(request);
          request.signal.addEventListener("abort", () => setTimeout(failed.open, 20));
          await failed.opened;
          return new Response(await content.catch(({ message }: Error) => message));
        });
        const socket = connect(portOf(await started(app, { lightRequests })), "127.0.0.1");
        socket.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\npart");
        await turn(20);
        socket.destroy();
        await failed.opened;
      }
    }
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("leaves no listeners on a connection that is kept", async () => {
    const server = await started(native(async (request) => new Response(await request.text())));
    const counts: number[] = [];
    server.on("request", ({ socket }) =>
      counts.push(socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0)),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (let i = 0; i < 20; i++) await ask(server, { agent, method: "POST" }, "content");
    expect(new Set(counts.slice(1)).size).toBe(1);
  });

  it("holds no signal by a connection that is kept, not even one that was asked for after the answer", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const asked: WeakRef<AbortSignal>[] = [];
    let late = (): void => {};
    const server = await started(
      native((request) => {
        late = () => void asked.push(new WeakRef(request.signal));
        return new Response("done");
      }),
    );
    server.on("request", (_, response) => response.once("close", () => (late(), (late = () => {}))));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    await ask(server, { agent });
    while (asked.length === 0) await turn();
    for (let time = 0; time < 50 && asked[0]!.deref() !== undefined; time++) {
      await turn();
      collectGarbage();
    }
    expect(asked[0]!.deref()).toBeUndefined();
  });
});

describe("listener() of an application without fetch", () => {
  it("C6.1 passes the request target and Node's own objects", async () => {
    const server = await started(
      polyfill(({ url, method, request, response }) => void response.end(`${method} ${url} ${request.headers["x-a"]}`)),
    );
    expect(await ask(server, { path: "//a?b", headers: { "x-a": "1" } })).toMatchObject({
      status: 200,
      text: "GET //a?b 1",
    });
    expect(await ask(server, { path: "http://h/a", method: "TRACE" })).toMatchObject({
      text: "TRACE http://h/a undefined",
    });
  });

  it("C7.3 makes problem details from an HTTPError, and keeps the others to itself", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const thrown: Record<string, unknown> = {
      "/404": new HTTPError(Status.NotFound),
      "/401": new HTTPError(Status.Unauthorized, "Who are you?", { headers: { "www-authenticate": "Basic" } }),
      "/503": new HTTPError(Status.ServiceUnavailable, "secret"),
      "/error": new Error("secret"),
      "/text": "secret",
      "/undefined": undefined,
      "/frozen": Object.freeze({ message: "secret" }),
    };
    const server = await started(
      polyfill(({ url }) => Promise.reject(thrown[url])),
      { onError: errors },
    );
    const answers = new Map<string, Answer>();
    for (const path of Object.keys(thrown)) answers.set(path, await ask(server, { path }));
    expect(answers.get("/404")).toMatchObject({
      status: 404,
      reason: "Not Found",
      text: '{"title":"Not Found","status":404}',
    });
    expect(answers.get("/401")).toMatchObject({
      text: '{"title":"Unauthorized","status":401,"detail":"Who are you?"}',
    });
    expect(answers.get("/401")?.headers).toMatchObject({
      "www-authenticate": "Basic",
      "content-type": "application/problem+json",
    });
    expect(answers.get("/503")).toMatchObject({ status: 503, text: '{"title":"Service Unavailable","status":503}' });
    for (const path of ["/error", "/text", "/undefined", "/frozen"]) {
      expect(answers.get(path)).toMatchObject({ status: 500, text: '{"title":"Internal Server Error","status":500}' });
    }
    expect(errors.mock.calls.map(([error]) => error)).toEqual(Object.values(thrown));
  });

  it("C7.3 reports the server's faults to the console by default", async () => {
    const reported = vi.spyOn(console, "error").mockReturnValue();
    const fault = new Error("disk");
    const server = await started(
      polyfill(({ url }) => Promise.reject(url === "/404" ? new HTTPError(Status.NotFound) : fault)),
    );
    await ask(server, { path: "/404" });
    await ask(server, { path: "/500" });
    expect(reported.mock.calls).toEqual([["%s:", 'GET "/500"', fault]]);
    reported.mockRestore();
  });

  it("C7.3 passes an onError the input that the application was given, whichever module it is of", async () => {
    const given: unknown[] = [];
    const told: unknown[] = [];
    const failing = (input: object): never => {
      given.push(input);
      throw new Error("disk");
    };
    const onError = (_error: unknown, input: object | undefined, { url }: IncomingMessage): void =>
      void told.push(url, input);
    const breaking = native((request) => {
      given.push(request);
      return new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("disk")) }));
    });
    for (const app of [polyfill(failing), breaking]) await ask(await started(app, { onError })).catch(() => {});
    expect([told[0], told[2]]).toEqual(["/", "/"]);
    expect(told[1]).toBe(given[0]);
    expect(told[3]).toBe(given[1]);
  });

  it("C6.3 survives an onError that fails", async () => {
    const reported = vi.spyOn(console, "error").mockReturnValue();
    const server = await started(
      polyfill(() => Promise.reject(new Error("disk"))),
      {
        onError(_error, _input, { url }) {
          if (url === "/async") return Promise.reject(new Error("later"));
          throw new Error("now");
        },
      },
    );
    for (const path of ["/", "/async"]) expect(await ask(server, { path })).toMatchObject({ status: 500 });
    const disk = [new Error("disk")];
    expect(reported.mock.calls).toEqual([disk, [new Error("now")], disk, [new Error("later")]]);
    reported.mockRestore();
  });

  it("C6.3 answers 500 for an error that makes no response", async () => {
    const reported = vi.spyOn(console, "error").mockReturnValue();
    const trap = (): never => {
      throw new Error("trapped");
    };
    const thrown: Record<string, unknown> = {
      "/informational": new HTTPError(Status.Continue),
      "/proxy": new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap }),
    };
    const server = await started(polyfill(({ url }) => Promise.reject(thrown[url])));
    for (const path of Object.keys(thrown)) {
      expect(await ask(server, { path })).toMatchObject({
        status: 500,
        text: '{"title":"Internal Server Error","status":500}',
      });
    }
    expect(reported).toHaveBeenCalled();
    reported.mockRestore();
  });

  it("breaks off a response whose handler fails after the head was sent", async () => {
    const server = await started(
      polyfill(async ({ response }) => {
        response.write("half");
        await turn();
        throw new Error("disk");
      }),
      { onError: () => {} },
    );
    await expect(ask(server, {})).rejects.toThrow("aborted");
  });

  it.each(["GET / HTTP/1.0", "CONNECT h:80 HTTP/1.1"])(
    "C6.3 resets the connection of %s, the end of which would end the content (RFC 9112 §8)",
    async (line) => {
      for (const chain of ["native", "polyfill"]) {
        const { opened, open } = gate();
        // Where data and the reset are there at once, a client on libuv reports the end that POLLHUP shows.
        const fail = (): Promise<never> => opened.then(() => Promise.reject(new Error("disk")));
        const whole = native(
          () => new Response(new ReadableStream({ start: (to) => to.enqueue(Buffer.from("half")), pull: fail })),
        );
        const part = polyfill(({ response }) => {
          response.write("half");
          return fail();
        });
        const server = await started(chain === "native" ? whole : part, { onError: () => {} });
        const socket = connect(portOf(server), "127.0.0.1");
        socket.write(`${line}\r\nHost: h\r\n\r\n`);
        socket.on("data", (data) => String(data).endsWith("half") && open());
        await expect(text(socket)).rejects.toMatchObject({ code: "ECONNRESET" });
      }
    },
  );

  it("resets no connection if a length shows that content is not whole: earlier content may be under way", async () => {
    const server = await started(
      native(() => new Response(failingContent(new Error("disk")), { headers: { "content-length": "8" } })),
      { onError: () => {} },
    );
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("GET / HTTP/1.0\r\n\r\n");
    expect(await text(socket)).toMatch(/\r\n\r\nhalf$/);
  });

  it("C6.3 closes what cannot be reset, such as a Unix socket", async () => {
    const path = `${tmpdir()}/fingerpost-${process.pid}`;
    const server = createServer(
      listener(
        native(() => new Response(failingContent(new Error("disk")))),
        { onError: () => {} },
      ),
    );
    await listening(server.listen(path));
    const socket = connect(path);
    socket.write("GET / HTTP/1.0\r\n\r\n");
    expect(await text(socket)).toMatch(/\r\n\r\nhalf$/);
  });

  it("leaves a response alone that was ended before the handler failed", async () => {
    const server = await started(
      polyfill(({ response }) => {
        response.end("done");
        throw new Error("afterwards");
      }),
      { onError: () => {} },
    );
    expect(await ask(server, {})).toMatchObject({ status: 200, text: "done" });
  });

  it("C6.3 answers 500 when handle() fulfills and nothing was written", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const server = await started(
      polyfill(() => {}),
      { onError: errors },
    );
    expect(await ask(server, { path: "/a" })).toMatchObject({ status: 500 });
    expect(errors.mock.calls[0]?.[0]).toEqual(
      new TypeError("Cannot answer GET /a: handle() fulfilled before anything was written"),
    );
  });

  it.each([null, new HTTPError(Status.NotFound)])(
    "blames nobody when the client has left, %o thrown",
    async (thrown) => {
      const printed = vi.spyOn(console, "error").mockImplementation(() => {});
      onTestFinished(() => printed.mockRestore());
      const errors: unknown[] = [];
      const arrived = gate();
      const settled = gate();
      const server = await started(
        polyfill(async ({ response }) => {
          arrived.open();
          await once(response, "close");
          setImmediate(settled.open);
          if (thrown !== null) throw thrown;
        }),
        { onError: (error) => void errors.push(error) },
      );
      const exchange = begin(server).on("error", () => {});
      exchange.end();
      await arrived.opened;
      exchange.destroy();
      await settled.opened;
      expect(errors).toEqual(thrown === null ? [] : [thrown]);
      // Nor is there an answer whose sending could fail.
      expect(printed).not.toHaveBeenCalled();
    },
  );

  it("C6.3 answers 500 if a piped source fails, and cancels it if the client leaves", async () => {
    const told: unknown[] = [];
    const missing = new Error("no such file");
    const sources: Readable[] = [];
    const server = await started(
      polyfill(({ url, response }) => {
        const source = new Readable({
          read() {
            if (url === "/missing") setImmediate(() => this.destroy(missing));
            else if (sources.length === 1) this.push("part");
          },
        });
        sources.push(source);
        return source.pipe(response);
      }),
      { onError: (error) => void told.push(error) },
    );
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("GET /long HTTP/1.1\r\nHost: h\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
    await once(sources[0]!, "close");
    expect((await ask(server, { path: "/missing" })).status).toBe(500);
    expect(told).toEqual([missing]);
  });

  it("keeps nothing of what was piped to its end, where much is piped one by one", async () => {
    const listeners: number[] = [];
    const server = await started(
      polyfill(async ({ response }) => {
        for (const part of ["a", "b", "c"]) {
          const source = Readable.from([part]);
          source.pipe(response, { end: false });
          await once(source, "close");
          listeners.push(response.listenerCount("close"));
        }
        response.end();
      }),
    );
    expect((await ask(server)).text).toBe("abc");
    expect(new Set(listeners).size).toBe(1);
  });

  it("waits for what is piped, or written in part, when handle() fulfills", async () => {
    const server = await started(
      polyfill(({ url, request, response }) => {
        if (url === "/pipe") return request.pipe(response);
        response.writeHead(200).flushHeaders();
        setImmediate(() => response.end("later"));
        return undefined;
      }),
    );
    expect(await ask(server, { path: "/pipe", method: "POST" }, "content")).toMatchObject({
      status: 200,
      text: "content",
    });
    expect(await ask(server, { path: "/later" })).toMatchObject({ status: 200, text: "later" });
  });

  it("C6.3 survives a handler that writes after the end", async () => {
    const errors = vi.fn<(error: unknown, input: unknown, request: { url?: string | undefined }) => void>();
    const server = await started(
      polyfill(async ({ response }) => {
        response.end("done");
        response.write("more");
        await turn();
        response.write("and more");
      }),
      { onError: errors },
    );
    expect(await ask(server, { path: "/late" })).toMatchObject({ status: 200, text: "done" });
    while (errors.mock.calls.length === 0) await turn();
    expect(errors.mock.calls[0]![2].url).toBe("/late");
    expect(await ask(server, {})).toMatchObject({ status: 200 });
  });
});

describe("listener()", () => {
  it("refuses anything but an application", () => {
    const expected = 'Cannot serve the application: expected an object with a method "fetch" or "handle"';
    for (const app of [undefined, null, {}, Application, { handle: 5 }]) {
      expect(() => listener(app as never)).toThrow(new TypeError(expected));
    }
    expect(() => listener(Application.builder() as never)).toThrow(
      new TypeError("Cannot serve the application: it is not built yet; call build()"),
    );
  });
});

describe("serve()", () => {
  it("fulfills with the server when it listens", async () => {
    const server = await started(echo);
    expect(server.listening).toBe(true);
    expect(server.address()).toMatchObject({ address: "127.0.0.1" });
  });

  it("keeps idle connections for longer than load balancers do, but for a server that was given", async () => {
    const given = createServer({ keepAliveTimeout: 1_234 });
    expect((await started(echo)).keepAliveTimeout).toBe(72_000);
    expect((await started(echo, { server: given })).keepAliveTimeout).toBe(1_234);
  });

  it("hands on where it listens, and how many connections may wait", async () => {
    const listen = vi.spyOn(Server.prototype, "listen");
    onTestFinished(() => listen.mockRestore());
    await started(echo, { backlog: 7 });
    expect(listen.mock.calls[0]?.[0]).toEqual({ port: 0, host: "127.0.0.1", backlog: 7 });
  });

  it("rejects when it cannot listen", async () => {
    const server = await started(echo);
    await expect(serve(echo, { port: portOf(server), hostname: "127.0.0.1" })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    await expect(serve(echo, { port: 99_999 })).rejects.toThrow("must be a number from 0 to 65535, got 99999");
  });

  it("leaves a server as it was given where it cannot listen, to be given again, or to whom it belongs", async () => {
    const taken = await started(echo);
    const server = createServer();
    const port = portOf(taken);
    await expect(serve(echo, { server, port, hostname: "127.0.0.1" })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await expect(serve(echo, { server, port: 99_999 })).rejects.toThrow("must be a number from 0 to 65535");
    expect((await ask(await started(echo, { server }))).status).toBe(200);

    const other = await listening(createServer());
    const events = other.eventNames();
    await expect(serve(echo, { server: other })).rejects.toMatchObject({ code: "ERR_SERVER_ALREADY_LISTEN" });
    expect(other.eventNames()).toEqual(events);
  });

  it("rejects with the reason of a signal that has aborted, before it listens or meanwhile", async () => {
    await expect(serve(echo, { port: 0, signal: AbortSignal.abort("stop") })).rejects.toBe("stop");
    const stop = new AbortController();
    const starting = serve(echo, { port: 0, signal: stop.signal });
    stop.abort("stop");
    await expect(starting).rejects.toBe("stop");
  });

  it("answers CONNECT like other methods", async () => {
    const server = await started(echo);
    for (const [path, url] of [
      ["/tunnel", "http://h/tunnel"],
      ["h:80", "h:80"],
    ]) {
      const exchange = begin(server, { method: "CONNECT", path: path!, headers: { host: "h" } }).end();
      const [response, socket, head] = await once(exchange, "connect");
      expect(response.statusCode).toBe(200);
      expect(response.headers).not.toHaveProperty("content-length");
      expect(JSON.parse(head + (await text(socket)))).toMatchObject({ method: "CONNECT", url });
    }
  });

  it("leaves CONNECT to a listener that makes tunnels, be it there before or later", async () => {
    const tunnel = async (_: unknown, socket: Duplex): Promise<void> => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      await turn(20);
      socket.end("tunnel");
    };
    const before = await started(echo, { server: createServer().on("connect", tunnel) });
    const later = (await started(echo)).on("connect", tunnel);
    for (const server of [before, later]) {
      const socket = connect(portOf(server), "127.0.0.1");
      socket.write("CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n");
      expect(await text(socket)).toBe("HTTP/1.1 200 OK\r\n\r\ntunnel");
    }
  });

  it("C6.3 answers CONNECT after a request that the client did not wait for, in turn", async () => {
    const { opened, open } = gate();
    const arrived = gate();
    const server = await started(
      native(async ({ method }) => {
        if (method === "CONNECT") return new Response("second");
        arrived.open();
        await opened;
        return new Response("f".repeat(1_000_000));
      }),
    );
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("GET /a HTTP/1.1\r\nHost: h\r\n\r\nCONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n");
    await arrived.opened;
    await turn();
    open();
    const [, first, second] = (await text(socket)).split("HTTP/1.1 200 OK\r\n");
    expect(first).toMatch(/f{1000000}$/);
    expect(second).toMatch(/\r\n\r\nsecond$/);
  });

  it("C6.3 sends all of what comes before CONNECT to a client that reads slowly", async () => {
    const part = new Uint8Array(65_536).fill(102);
    let left = 300;
    const server = await started(
      native(({ method }) => {
        if (method === "CONNECT") return new Response("second");
        return new Response(
          new ReadableStream({ pull: (stream) => (left-- > 0 ? stream.enqueue(part) : stream.close()) }),
        );
      }),
    );
    const socket = connect(portOf(server), "127.0.0.1").pause();
    socket.write("GET /a HTTP/1.1\r\nHost: h\r\n\r\nCONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n");
    await turn(50);
    const [, first, second] = (await text(socket)).split("HTTP/1.1 200 OK\r\n");
    expect(first!.split("\r\n\r\n")[1]!.replaceAll(/[^f]/g, "")).toHaveLength(300 * part.length);
    expect(second).toMatch(/\r\n\r\nsecond$/);
  });

  it.each(["", "GET /first"])(
    "C6.3 goes on where a client resets the connection of a CONNECT behind %j",
    async (before) => {
      const arrived = gate();
      const aborted = gate<string>();
      const server = await started(
        native(({ signal }) => {
          signal.addEventListener("abort", () => aborted.open("aborted"));
          arrived.open();
          return unanswered;
        }),
      );
      const socket = connect(portOf(server), "127.0.0.1");
      socket.write(
        [before, "CONNECT h:80"]
          .filter(Boolean)
          .map((line) => `${line} HTTP/1.1\r\nHost: h\r\n\r\n`)
          .join(""),
      );
      await arrived.opened;
      await turn();
      socket.resetAndDestroy();
      expect(await aborted.opened).toBe("aborted");
    },
  );

  it.each(["CONNECT h:80", "GET /last"])(
    "C6.3 breaks off where an answer fails before its turn, %s behind it",
    async (last) => {
      const { opened, open } = gate();
      const failed = gate<unknown>();
      const server = await started(
        native(async ({ url }) => {
          if (url.endsWith("/failing")) return new Response(failingContent(new Error("halfway")));
          if (url.endsWith("/first")) await opened;
          return new Response("whole");
        }),
        { onError: failed.open },
      );
      const socket = connect(portOf(server), "127.0.0.1");
      socket.write(["GET /first", "GET /failing", last].map((line) => `${line} HTTP/1.1\r\nHost: h\r\n\r\n`).join(""));
      expect(await failed.opened).toEqual(new Error("halfway"));
      await turn();
      open();
      expect(await text(socket)).not.toMatch(/HTTP[^]*HTTP[^]*HTTP/);
      expect((await ask(server)).status).toBe(200);
    },
  );

  it("closes each response once, with any waiting code, when the client leaves", async () => {
    const closed: string[] = [];
    const all = gate();
    const server = await started(
      native(({ url, signal }) => {
        signal.addEventListener("abort", () => closed.push(`${new URL(url).pathname} aborts`) === 6 && all.open());
        return unanswered;
      }),
    );
    server.on("request", ({ url }, response) =>
      response.on("close", () => closed.push(`${url} closes`) === 6 && all.open()),
    );
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write(["/1", "/2", "/3"].map((path) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`).join(""));
    await turn(50);
    socket.destroy();
    await Promise.race([all.opened, turn(200)]);
    expect(closed.filter((line) => line.endsWith("aborts")).toSorted()).toEqual([
      "/1 aborts",
      "/2 aborts",
      "/3 aborts",
    ]);
    // Node 20 and 22 tell of none but the first.
    const closes = closed.filter((line) => line.endsWith("closes"));
    expect(new Set(closes).size).toBe(closes.length);
  });

  it("leaves CONNECT unanswered where the server closes after what came before it", async () => {
    const stop = new AbortController();
    const { opened, open } = gate();
    const arrived = gate();
    const methods: string[] = [];
    const server = await started(
      native(async ({ method }) => {
        methods.push(method);
        arrived.open();
        await opened;
        return new Response(method);
      }),
      { signal: stop.signal },
    );
    const socket = connect(portOf(server), "127.0.0.1");
    const head = "HTTP/1.1\r\nHost: h\r\n\r\n";
    socket.write(`GET /a ${head}CONNECT h:80 ${head}`);
    await arrived.opened;
    await turn();
    stop.abort();
    open();
    expect(await text(socket)).toMatch(/GET$/);
    expect(methods).toEqual(["GET"]);
  });

  it("sends long content in answer to CONNECT, and notices when the client leaves", async () => {
    const aborted = gate<string>();
    const server = await started(
      native(async ({ url, signal }) => {
        if (url.endsWith("/long")) return new Response(new Blob(["x".repeat(1_000_000)]).stream());
        signal.addEventListener("abort", () => aborted.open("aborted"));
        return unanswered;
      }),
    );
    // Node 26 sends the target of CONNECT as the host, and "/long" is none.
    const exchange = begin(server, { method: "CONNECT", path: "/long", headers: { host: "h" } }).end();
    const [, socket, head] = await once(exchange, "connect");
    const body = String(head) + (await text(socket));
    expect(body.replaceAll(/[^x]/g, "")).toHaveLength(1_000_000);
    const leaving = connect(portOf(server), "127.0.0.1");
    leaving.end("CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n");
    expect(await aborted.opened).toBe("aborted");
  });

  it("C6.3 informs requests that wait for their turn, too, that the client has left", async () => {
    const told: string[] = [];
    const all = gate();
    const tell = (what: string): void => {
      if (told.push(what) === 3) all.open();
    };
    const server = await started(
      native(({ url, signal }) => {
        const { pathname } = new URL(url);
        signal.addEventListener("abort", () => tell(`${pathname} aborts`));
        if (pathname !== "/stream") return unanswered;
        const cancel = (): void => tell("the stream is canceled");
        return new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)), cancel }));
      }),
    );
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write(["/first", "/stream"].map((path) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`).join(""));
    await turn(50);
    socket.destroy();
    await all.opened;
    expect(told.toSorted()).toEqual(["/first aborts", "/stream aborts", "the stream is canceled"]);
  });

  it("C6.3 warns of nothing where many wait for their turn", async () => {
    const warned = vi.fn();
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const server = await started(native(({ signal }) => new Response(String(signal.aborted))));
    const socket = connect(portOf(server), "127.0.0.1");
    const get = "GET / HTTP/1.1\r\nHost: h\r\n";
    socket.write(`${`${get}\r\n`.repeat(30)}${get}Connection: close\r\n\r\n`);
    expect((await text(socket)).match(/false/g)).toHaveLength(31);
    await turn();
    expect(warned).not.toHaveBeenCalled();
  });

  it("C6.3 goes on where an error cannot be printed, with or without an observer", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation((error) => {
      if (typeof error !== "string") throw error;
    });
    onTestFinished(() => printed.mockRestore());
    const failing = native(() => Promise.reject(new Error("a")));
    const onError = (error: unknown): never => {
      throw error;
    };
    for (const options of [{}, { onError }]) {
      const server = await started(failing, options);
      for (let time = 0; time < 2; time++) expect((await ask(server)).status).toBe(500);
    }
    expect(printed).toHaveBeenCalledWith("An error that cannot be printed");
  });

  it("answers a request that asks for an upgrade like others", async () => {
    const server = await started(echo);
    const headers = { connection: "upgrade", upgrade: "websocket", host: "h" };
    expect(await json(server, { path: "/a", headers })).toMatchObject({ url: "http://h/a" });
  });

  it("C6.3 answers what is not HTTP with 400", async () => {
    const server = await started(echo);
    for (const line of ["nonsense", "GET evil HTTP/1.1", "get / HTTP/1.1", "GET / HTTP/1.1\r\nHost: h\r\nno colon"]) {
      const socket = connect(portOf(server), "127.0.0.1");
      socket.write(`${line}\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    }
  });
});

async function json(server: Server, options: RequestOptions, content?: string): Promise<{ url: string }> {
  return JSON.parse((await ask(server, options, content)).text) as { url: string };
}
