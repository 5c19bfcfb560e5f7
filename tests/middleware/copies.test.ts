// Copies of requests and responses work as what they were made of, also once that was collected.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { compress } from "fingerpost/middleware/compress";
import { cors } from "fingerpost/middleware/cors";
import { requestId } from "fingerpost/middleware/request-id";
import { secureHeaders } from "fingerpost/middleware/secure-headers";
import { timeout } from "fingerpost/middleware/timeout";
import { Middleware } from "fingerpost/modules/http.native.js";
import { conditional } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import { replacedInput } from "../../src/dispatch/replaced-input.ts";
import { nativeAround, requestFor, type NativeInput } from "./around.ts";
import { http2Session } from "../support/http2.ts";
import { begin, gate, listening, portOf, started, turn } from "../support/sockets.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/**
 * Collects whatever can be, and lets the platform do what it does then. What one collection lets go of is noticed by
 * weak maps and finalizers in the next.
 */
async function collected(): Promise<void> {
  for (let time = 0; time < 3; time++) {
    collect();
    await turn(5);
  }
}

class Waits extends Middleware {
  async ALL(request: Request): Promise<Response> {
    const response = await this.next(request);
    await collected();
    return response;
  }
}

/** Content that never ends, and refers to nothing. */
function endless(): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
}

const half = "x".repeat(70_000);

describe.each([
  ["cors", cors({ origins: "*" })],
  ["secureHeaders", secureHeaders()],
  ["requestId", requestId()],
  ["compress", compress()],
  ["conditional", conditional()],
  ["conditional of everything", conditional({ maxBytes: 10_000_000 })],
])("%s() inside middleware that waits", (_, middleware) => {
  it.each(["", "gzip"])("passes on all of a response of fetch(), accept %j", async (coding) => {
    let end!: () => void;
    const upstream = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write(half);
      end = () => void response.end(half);
    });
    const port = portOf(await listening(upstream));
    const app = nativeAround([Waits, middleware], () => fetch(`http://127.0.0.1:${port}/`));
    const answer = await app.fetch(requestFor({ headers: { origin: "https://a.example", "accept-encoding": coding } }));
    await collected();
    end();
    const body =
      coding !== "" && answer.headers.has("content-encoding")
        ? answer.body!.pipeThrough(new DecompressionStream("gzip"))
        : answer.body;
    expect((await new Response(body).text()).length).toBe(2 * half.length);
  });
});

/** What a host may pass for a Request, as srvx does: it has a signal of its own, and the host forgets the object. */
function lightRequest(path: string, signal: AbortSignal, init: RequestInit): Request {
  const inner = requestFor(init, path);
  const { method, url, headers, body } = inner;
  const light = Object.create(Object.create(Request.prototype) as object) as Request;
  for (const [name, value] of Object.entries({ method, url, headers, body, signal }))
    Object.defineProperty(light, name, { value });
  return light;
}

const replacing: readonly (readonly [string, readonly MiddlewareClass[], Record<string, string>])[] = [
  ["timeout", [timeout({ timeoutMs: 60_000 })], {}],
  ["bodyLimit", [bodyLimit({ maxBytes: 10 })], {}],
  ["bodyLimit streaming", [bodyLimit({ maxBytes: 10, stream: true })], {}],
  ["conditional", [conditional()], { range: "bytes=0-1", "if-range": '"x"' }],
  ["timeout inside bodyLimit", [bodyLimit({ maxBytes: 10 }), timeout({ timeoutMs: 60_000 })], {}],
];

describe.each(replacing)("%s()", (_, middleware, headers) => {
  it.each([
    ["GET", true],
    ["GET", false],
    ["POST", true],
    ["POST", false],
  ])(
    "has the signal abort when the client leaves that asked by %s, light requests: %s",
    async (method, lightRequests) => {
      const left = gate();
      const app = nativeAround(middleware, ({ signal }: NativeInput) => {
        signal.addEventListener("abort", left.open as () => void);
        return new Response(endless());
      });
      const sent = begin(await started(app, { lightRequests }), { path: "/items", method, headers });
      sent.on("error", () => {}).end(method === "GET" ? undefined : "content");
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.on("error", () => {}).resume();
      await collected();
      sent.destroy();
      await left.opened;
    },
  );

  it.each(["GET", "POST"])("has the signal abort when the client of HTTP/2 leaves that asked by %s", async (method) => {
    for (const lightRequests of [true, false]) {
      const left = gate();
      const app = nativeAround(middleware, ({ signal }: NativeInput) => {
        signal.addEventListener("abort", left.open as () => void);
        return new Response(endless());
      });
      const session = await http2Session(app, { lightRequests });
      const fields = { ":path": "/items", ":method": method, ...headers };
      const stream = session.request(fields, { endStream: method === "GET" });
      stream.on("error", () => {});
      if (method === "POST") stream.end("content");
      await once(stream, "response");
      stream.resume();
      await collected();
      stream.close(8);
      await left.opened;
    }
  });

  it.each(["GET", "POST"])("has the signal abort of a request that its host forgets, by %s", async (method) => {
    const client = new AbortController();
    const left = gate();
    const app = nativeAround(middleware, ({ signal }: NativeInput) => {
      signal.addEventListener("abort", left.open as () => void);
      return new Response(endless());
    });
    const body = method === "GET" ? null : "content";
    const response = await app.fetch(lightRequest("/items", client.signal, { method, headers, body }));
    await collected();
    client.abort();
    await left.opened;
    expect(response.status).toBe(200);
  });
});

describe("several requests made of one", () => {
  it("have their signals abort, each, once all but those were collected", async () => {
    const client = new AbortController();
    const origin = lightRequest("/items", client.signal, {});
    let aborted = 0;
    for (let made = 0; made < 20; made++) {
      const { signal } = replacedInput(origin, {}) as Request;
      signal.addEventListener("abort", () => aborted++);
    }
    await collected();
    client.abort();
    expect(aborted).toBe(20);
  });

  it("are not kept without end by a host that has one signal for all", async () => {
    const host = new AbortController();
    const made: WeakRef<object>[] = [];
    for (let time = 0; time < 300; time++)
      made.push(new WeakRef(replacedInput(lightRequest("/items", host.signal, {}), {})));
    await collected();
    expect(made.filter((reference) => reference.deref() !== undefined).length).toBeLessThanOrEqual(100);
    host.abort();
  });
});
