import { once } from "node:events";
import { Agent, createServer, type RequestOptions, type Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
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
import { listener } from "../node.ts";
import { requestOf } from "./incoming-request.ts";

const echo = native(({ method, url, headers }) => Response.json({ method, url, host: headers.get("host") }));

describe("requestOf()", () => {
  it("C4.1 takes the path from the request target, whatever the Host field holds", async () => {
    const server = await started(echo);
    const hosts = ["", "evil", "evil.", "evil:", "evil:81", "EVIL", "[::1]:81", ".", "..", "a;b", "a_b", "%41", "1"];
    for (const host of hosts) {
      const { url } = await json(server, { path: "/public?q", headers: { host } });
      expect(new URL(url).pathname + new URL(url).search).toBe("/public?q");
    }
    expect(await json(server, { path: "/a", headers: { host: "example.com:81" } })).toMatchObject({
      url: "http://example.com:81/a",
    });
  });

  const noHosts = [
    ...["a b", "a/b", "/", "a\\b", "a?b", "a#b", "x@y", "@", "h:99999", "h:80:80", "h:x", "[::1", "[x]", "%2f", "%"],
    ...["a,b/c", "\xe9", "\u0000", "a<b", "a^b", "a|b", "a".repeat(256), "h:000000", "a".repeat(15_000)],
  ];

  it.each(noHosts.map((host) => [`${host.slice(0, 8)} (${host.length})`, host] as const))(
    "RFC 9112 §3.2 answers 400 to the Host field %j, before anything else",
    async (_, host) => {
      const told = vi.fn<() => void>();
      const apps = [native(() => new Response()), polyfill(({ response }) => response.end())];
      for (const app of apps) {
        const server = await started(app, { onRequest: told });
        for (const target of ["/", "http://h/", "*"]) {
          const fields = `Host: ${host}\r\nConnection: close\r\n\r\n`;
          expect(await sent(server, `OPTIONS ${target} HTTP/1.1\r\n${fields}`)).toMatch(
            /^HTTP\/1.1 400 Bad Request\r\n/,
          );
          expect(await sent(server, `OPTIONS ${target} HTTP/1.0\r\n${fields}`)).toMatch(
            /^HTTP\/1.1 400 Bad Request\r\n/,
          );
        }
      }
      expect(told).not.toHaveBeenCalled();
    },
  );

  it("RFC 9112 §3.2 answers 400 to several Host fields, and to HTTP/1.1 without one", async () => {
    const lines = ["GET /", "GET http://h/", "OPTIONS *", "CONNECT h:80"];
    const apps = [native(({ url }) => new Response(url)), polyfill(({ url, response }) => response.end(url))];
    for (const app of apps) {
      const servers = [
        await started(app),
        await started(app, { server: createServer({ requireHostHeader: false }) }),
        await listening(createServer({ requireHostHeader: false, joinDuplicateHeaders: true }, listener(app))),
      ];
      for (const server of servers) {
        for (const line of lines) {
          // Without a listener of ours, Node drops CONNECT.
          if (line.startsWith("CONNECT") && server === servers[2]) continue;
          for (const fields of ["Host: h\r\nHost: h\r\n", "Host: h\r\nhOST: i\r\n", "Host:\r\nHost: h\r\n", ""]) {
            const answer = await sent(server, `${line} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`);
            expect(answer, `${line} ${fields}`).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
          }
        }
        expect(await sent(server, "GET / HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 OK\r\n/);
        expect(await sent(server, "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n")).toMatch(/ 200 OK\r\n/);
      }
    }
  });

  it("RFC 9112 §3.2 costs no more than a look at its length to refuse a Host field that is too long", async () => {
    const long = {
      socket: {},
      headers: { host: "" },
      rawHeaders: [] as string[],
      httpVersion: "1.1",
      url: "/",
      method: "GET",
    };
    const response = { writableEnded: true } as never;
    const cost = (host: string): number => {
      long.headers.host = host;
      long.rawHeaders = ["Host", host];
      const from = performance.now();
      for (let time = 0; time < 200; time++)
        expect(() => requestOf(long as never, response, true)).toThrow("Bad Request");
      return performance.now() - from;
    };
    cost("/");
    // The URL parser would take 15 ms for each, which is 3 s.
    expect(cost("a".repeat(16_000))).toBeLessThan(500);
    expect(cost(`xn--${"9a".repeat(8_000)}`)).toBeLessThan(500);
  });

  it("C4.1 returns the URL that the URL parser writes, whichever class the request is of", async () => {
    const light = await started(echo);
    const whole = await started(echo, { lightRequests: false });
    const targets = [
      "/",
      "//",
      "/a/./b",
      "/a/../b",
      "/.a",
      "/a/.",
      "/a..",
      "/a'b?c'd",
      "/%2e%2e/a",
      "/%7Ea",
      "/a\\b",
      "/a|b^c",
    ];
    targets.push(
      "/a[b]",
      '/a"b',
      "/a<b>",
      "/{a}",
      "/`",
      "/a?b#c",
      "/a#b?c",
      "/a?b|c^d{e}",
      "/a?%zz",
      "/a??b/c",
      "/a;b=c,d",
    );
    for (const host of [
      "h",
      "Example.COM",
      "h:80",
      "h:8080",
      "h:0080",
      "h:08080",
      "127.1",
      "[::1]:81",
      "h.",
      "1",
      "_",
    ]) {
      for (const path of targets) {
        const { url } = await json(light, { path, headers: { host } });
        expect(url).toBe((await json(whole, { path, headers: { host } })).url);
        expect(url).toBe(new URL(url).href);
      }
    }
  });

  it("C4.1 keeps a path that looks like an authority", async () => {
    const server = await started(echo);
    for (const path of ["//evil/x", "///x", "/\\evil", "//"]) {
      const { url } = await json(server, { path, headers: { host: "h" } });
      expect(url).toBe(`http://h${path.replace("\\", "/")}`);
    }
  });

  it("C4.1 takes the absolute form for its path, without credentials", async () => {
    const server = await started(echo);
    expect(await json(server, { path: "http://evil/admin" })).toMatchObject({ url: "http://evil/admin" });
    expect(await json(server, { path: "HTTP://u:p@Evil:80/admin?q" })).toMatchObject({ url: "http://evil/admin?q" });
    expect(await json(server, { path: "http://evil?q" })).toMatchObject({ url: "http://evil/?q" });
  });

  it("RFC 9110 §7.4 takes the scheme from the connection, whatever the absolute form says", async () => {
    const server = await started(echo);
    expect(await json(server, { path: "https://h/a?q" })).toMatchObject({ url: "http://h/a?q" });
    expect(await json(server, { path: "HTTPS://h:443/a" })).toMatchObject({ url: "http://h:443/a" });
  });

  it("C4.1 takes the path of the absolute form of other schemes, so that handlers get content", async () => {
    const server = await started(
      native(async (request) => Response.json([request instanceof Request, request.url, await request.text()])),
    );
    const targets = {
      "foo://h/a?q": "http://h/a?q",
      "ftp://u:p@h:21/a/../b": "http://h/b",
      "foo://h:8/a\\b": "http://h:8/a%5Cb",
      "foo://h": "http://h/",
      "foo:///a": "http://localhost/a",
      "file:///a": "http://localhost/a",
      "foo://a%2Fb/c": "http://localhost/c",
    };
    for (const [path, url] of Object.entries(targets)) {
      const content = "content";
      expect(await json(server, { path, method: "POST" }, content), path).toEqual([true, url, content]);
    }
  });

  it("takes no connection for encrypted because someone wrote so on all objects", async () => {
    const server = await started(echo);
    Object.assign(Object.prototype, { encrypted: true });
    onTestFinished(() => void Reflect.deleteProperty(Object.prototype, "encrypted"));
    expect(await json(server, { path: "/a", headers: { host: "h" } })).toMatchObject({ url: "http://h/a" });
  });

  it("passes targets that are not a URL as they are", async () => {
    const server = await started(echo);
    for (const path of ["*", "http://[::1/", "http://h:99999/a"]) {
      expect(await json(server, { path, method: "OPTIONS" })).toMatchObject({ method: "OPTIONS", url: path });
    }
  });

  it("passes methods that a Request cannot carry", async () => {
    const server = await started(echo);
    for (const method of ["TRACE", "PURGE", "M-SEARCH"]) {
      expect(await json(server, { path: "/a", method, headers: { host: "h" } })).toMatchObject({
        method,
        url: "http://h/a",
      });
    }
  });

  it("has no body without content", async () => {
    const server = await started(native((request) => Response.json(request.body === null)));
    expect(await json(server, { method: "POST", headers: { "content-length": 0 } })).toBe(true);
    expect(await json(server, { method: "DELETE" })).toBe(true);
    expect(await json(server, { method: "GET", headers: { "content-length": 1 } }, "x")).toBe(true);
  });

  it("takes no more content than the handler reads", async () => {
    const read = gate();
    const server = await started(
      native(async (request) => {
        await read.opened;
        return new Response(String((await request.arrayBuffer()).byteLength));
      }),
    );
    const exchange = begin(server, { method: "POST" });
    let written = 0;
    while (written < 1000 && exchange.write(Buffer.alloc(1 << 16))) written++;
    const answered = once(exchange, "response");
    for (let i = 0; i < 500; i++) exchange.write(Buffer.alloc(1 << 16));
    await turn(50);
    expect(exchange.writableLength).toBeGreaterThan(1 << 20);
    read.open();
    exchange.end();
    const [response] = await answered;
    expect(await text(response)).toBe(String((written + 501) * (1 << 16)));
  });

  it("serves the next request of a connection whose content was not read, or half", async () => {
    const server = await started(
      native(async (request) => {
        if (request.url.endsWith("/half")) await request.body?.getReader().read();
        if (request.url.endsWith("/canceled")) await request.body?.cancel();
        return new Response("done");
      }),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (const path of ["/half", "/canceled", "/none", "/half", "/"]) {
      expect(await ask(server, { agent, path, method: "POST" }, Buffer.alloc(1 << 20))).toMatchObject({
        text: "done",
      });
    }
  });

  it("aborts the signal when the client leaves, and only then", async () => {
    const signals: AbortSignal[] = [];
    const arrived = gate();
    const server = await started(
      native((request) => {
        signals.push(request.signal);
        arrived.open();
        return request.url.endsWith("/wait") ? new Promise(() => {}) : new Response("done");
      }),
    );
    await ask(server, { path: "/" });
    const exchange = begin(server, { path: "/wait" })
      .end()
      .on("error", () => {});
    while (signals.length < 2) await turn();
    exchange.destroy();
    await new Promise((resolve) => signals[1]!.addEventListener("abort", resolve));
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true]);
  });

  it("fails the reading of content when the client leaves, at once or later", async () => {
    const failures: unknown[] = [];
    const server = await started(
      native(async (request) => {
        if (request.url.endsWith("/later"))
          await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
        await request.text().catch((error: unknown) => failures.push(error));
        failures.push(request.signal.aborted);
        return new Response("nobody reads this");
      }),
    );
    const left = [new TypeError("Cannot read the content of the request: the client has left"), true];
    for (const path of ["/now", "/later"]) {
      const exchange = begin(server, { path, method: "POST", headers: { "content-length": 100 } }).on(
        "error",
        () => {},
      );
      exchange.write("x");
      await once(server, "request");
      await turn(10);
      exchange.destroy();
      while (failures.length < 2) await turn();
      expect(failures.splice(0)).toEqual(left);
    }
  });

  it("fails the reading of content once the request was answered", async () => {
    const failure = gate<unknown>();
    let asked!: Request;
    const server = await started(
      native((request) => {
        asked = request;
        return new Response("done");
      }),
    );
    server.on("request", (_, response) => response.once("close", () => void asked.text().catch(failure.open)));
    await ask(server, { method: "POST" }, "content");
    expect(await failure.opened).toEqual(
      new TypeError("Cannot read the content of the request: it was answered already"),
    );
  });
});

async function json(server: Server, options: RequestOptions, content?: string): Promise<{ url: string }> {
  return JSON.parse((await ask(server, options, content)).text) as { url: string };
}

/** Sends bytes to a server, and reads what it answers until it closes the connection. */
async function sent(server: Server, bytes: string): Promise<string> {
  const socket = connect(portOf(server), "127.0.0.1");
  socket.write(bytes, "latin1");
  return text(socket);
}
