/*
 * What handlers do wrong, and what clients do to servers: each with what a client must then see.
 * `tests/faults/*.test.ts` run a few of each in one process; `scripts/check/socket-faults.js` runs a thousand of each
 * against a server of its own.
 */
import { once } from "node:events";
import { Readable } from "node:stream";
import { HTTPError, Status } from "fingerpost/modules/http.native.js";
import type { NodeContext } from "fingerpost/node";

/** How a client behaves; what it sends is `request`, or a GET. */
export type Behavior = "reads" | "leaves at once" | "leaves at the head" | "sends half" | "sends slowly";

export interface Fault {
  readonly name: string;
  /** What the handler of the native chain does. */
  readonly native?: (request: Request) => unknown;
  /** What the handler of the polyfill chain does. */
  readonly polyfill?: (context: NodeContext) => unknown;
  readonly method?: string;
  /** Content that is sent with the request. */
  readonly content?: string;
  readonly behavior?: Behavior;
  /** Bytes to send instead of a request for the handler. */
  readonly bytes?: string;
  /** The statuses of the answers; "broken" for one that must not pass for whole, "none" where no client is left. */
  readonly expect: number | "broken" | "none" | readonly number[];
}

const secret = (): Error => new Error("secret");
const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const trap = (): never => {
  throw secret();
};
const trapped = new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap });
const shared = new Response("shared");
const kilobyte = "x".repeat(1024);

/** Content that is made of chunks, with a wait between them; undefined makes it fail there. */
function contentAfter(wait: () => unknown, ...chunks: readonly (string | undefined)[]): ReadableStream {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at > 0) await wait();
      if (at === chunks.length) return controller.close();
      const chunk = chunks[at++];
      if (chunk === undefined) return controller.error(secret());
      return controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
}

const contentOf = (...chunks: readonly (string | undefined)[]): ReadableStream => contentAfter(later, ...chunks);

/** Content without end. */
function endless(cancel?: () => void): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      await later();
      controller.enqueue(new TextEncoder().encode(kilobyte));
    },
    ...(cancel === undefined ? {} : { cancel }),
  });
}

/** The same fault in handlers of both chains. */
const both = (name: string, handler: () => unknown, expect: Fault["expect"]): Fault => ({
  name,
  native: handler,
  polyfill: handler,
  expect,
});

export const faults: readonly Fault[] = [
  both("throws", () => trap(), 500),
  both(
    "throws a string",
    () => {
      throw "secret";
    },
    500,
  ),
  both("rejects with undefined", () => Promise.reject(), 500),
  both("rejects with null", () => Promise.reject(null), 500),
  both("rejects with a frozen object", () => Promise.reject(Object.freeze({ message: "secret" })), 500),
  both("rejects with what cannot be read", () => Promise.reject(trapped), 500),
  both(
    "rejects later",
    async () => {
      await later();
      trap();
    },
    500,
  ),
  both("rejects with an error of the client's", () => Promise.reject(new HTTPError(Status.Conflict, "Taken")), 409),
  both("rejects with a status that ends no exchange", () => Promise.reject(new HTTPError(Status.Continue)), 500),
  both("rejects with a status without content", () => Promise.reject(new HTTPError(Status.NotModified)), 304),
  both("returns a thenable that throws", () => ({ then: trap }), 500),
  both("returns nothing", () => undefined, 500),

  { name: "returns no response", native: () => ({ status: 200 }), expect: 500 },
  { name: "returns an error", native: () => secret(), expect: 500 },
  { name: "returns what cannot be read", native: () => trapped, expect: 500 },
  { name: "returns a network error", native: () => Response.error(), expect: 500 },
  {
    name: "makes a response of a status that there is not",
    native: () => new Response("", { status: 99 }),
    expect: 500,
  },
  {
    name: "makes a response with a line break in a field",
    native: () => new Response("", { headers: { a: "b\r\nc: d" } }),
    expect: 500,
  },
  {
    name: "returns a response whose content was read",
    async native() {
      const response = new Response("content");
      await response.text();
      return response;
    },
    expect: 500,
  },
  {
    name: "returns a response whose content is locked",
    native() {
      const response = new Response("content");
      response.body!.getReader();
      return response;
    },
    expect: 500,
  },
  {
    name: "returns one response for two requests",
    async native() {
      await shared.clone().text();
      if (!shared.bodyUsed) await shared.text();
      return shared;
    },
    expect: 500,
  },
  { name: "has content that fails at once", native: () => new Response(contentOf(undefined)), expect: 500 },
  {
    name: "has content that fails before anything was sent",
    native() {
      let pulls = 0;
      const pull = (controller: ReadableStreamDefaultController): void =>
        pulls++ === 0 ? controller.enqueue(new TextEncoder().encode("half")) : controller.error(secret());
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    },
    expect: 500,
  },
  {
    name: "has content that fails after the head",
    native: () => new Response(contentOf("half", "half", undefined)),
    expect: "broken",
  },
  {
    name: "has content that is no bytes",
    native: () =>
      new Response(new ReadableStream({ start: (controller) => (controller.enqueue({}), controller.close()) })),
    expect: 500,
  },
  {
    name: "has less content than announced",
    native: () => new Response(contentOf("half"), { headers: { "content-length": "8" } }),
    expect: "broken",
  },
  {
    name: "has more content than announced",
    native: () =>
      new Response(
        contentAfter(() => {}, "half", "more"),
        { headers: { "content-length": "4" } },
      ),
    expect: "broken",
  },
  {
    // What was announced has been sent by then: all that can be done is to send nothing more.
    name: "has more content than announced, later",
    native: () =>
      new Response(
        contentAfter(() => new Promise((resolve) => setTimeout(resolve, 20)), "half", "more"),
        { headers: { "content-length": "4" } },
      ),
    expect: 200,
  },
  {
    name: "announces a length that is no number",
    native: () => new Response("fine", { headers: { "content-length": "4, 5" } }),
    expect: 200,
  },
  {
    name: "announces its own framing",
    native: () => new Response("fine", { headers: { "transfer-encoding": "gzip, chunked" } }),
    expect: 200,
  },
  {
    name: "has content for HEAD, which fails to be canceled",
    method: "HEAD",
    native: () => new Response(endless(trap)),
    expect: 200,
  },
  {
    name: "leaves content unread",
    method: "POST",
    content: kilobyte.repeat(100),
    native: () => new Response("fine"),
    expect: 200,
  },
  {
    name: "reads half of the content",
    method: "POST",
    content: kilobyte.repeat(100),
    async native(request) {
      await request.body!.getReader().read();
      return new Response("fine");
    },
    expect: 200,
  },
  {
    name: "reads content twice",
    method: "POST",
    content: "content",
    async native(request) {
      await request.text();
      return new Response(await request.text());
    },
    expect: 500,
  },
  {
    name: "cancels the content of the request",
    method: "POST",
    content: kilobyte.repeat(100),
    async native(request) {
      await request.body!.cancel();
      return new Response("fine");
    },
    expect: 200,
  },
  {
    name: "sends content back as it comes",
    method: "POST",
    content: kilobyte,
    native: (request) => new Response(request.body),
    expect: 200,
  },

  {
    name: "is left before it answers",
    native: () => new Promise((resolve) => setTimeout(() => resolve(new Response("late")), 5)),
    behavior: "leaves at once",
    expect: "none",
  },
  {
    name: "is left before it fails",
    native: () => new Promise((_resolve, reject) => setTimeout(() => reject(secret()), 5)),
    behavior: "leaves at once",
    expect: "none",
  },
  {
    name: "never answers, and is left",
    native: () => new Promise(() => {}),
    behavior: "leaves at once",
    expect: "none",
  },
  {
    name: "is left amid its content",
    native: () => new Response(endless()),
    behavior: "leaves at the head",
    expect: "none",
  },
  {
    name: "is left amid content that fails to be canceled",
    native: () => new Response(endless(trap)),
    behavior: "leaves at the head",
    expect: "none",
  },
  {
    name: "reads content that ends halfway",
    method: "POST",
    behavior: "sends half",
    native: async (request) => new Response(await request.text()),
    expect: "none",
  },
  {
    name: "answers with content that ends halfway",
    method: "POST",
    behavior: "sends half",
    native: (request) => new Response(request.body),
    expect: "none",
  },
  {
    name: "reads content that comes slowly",
    method: "POST",
    content: "slow",
    behavior: "sends slowly",
    native: async (request) => new Response(await request.text()),
    expect: 200,
  },

  { name: "ends twice", polyfill: ({ response }) => response.end("fine").end("again"), expect: 200 },
  {
    name: "writes after the end",
    async polyfill({ response }) {
      response.end("fine");
      response.write("more");
      await later();
      response.write("more");
    },
    expect: 200,
  },
  {
    name: "fails after the end",
    polyfill({ response }) {
      response.end("fine");
      trap();
    },
    expect: 200,
  },
  {
    name: "fails after the head",
    async polyfill({ response }) {
      response.writeHead(200).flushHeaders();
      await later();
      trap();
    },
    expect: "broken",
  },
  {
    name: "fails after writing half",
    async polyfill({ response }) {
      response.write("half");
      await later();
      trap();
    },
    expect: "broken",
  },
  {
    name: "writes the head twice",
    polyfill({ response }) {
      response.writeHead(200).write("half");
      response.writeHead(500);
    },
    expect: "broken",
  },
  {
    name: "sets a field that cannot be sent",
    polyfill: ({ response }) => response.setHeader("a", "b\r\nc: d").end(),
    expect: 500,
  },
  { name: "sets a status that there is not", polyfill: ({ response }) => response.writeHead(99).end(), expect: 500 },
  {
    name: "sets fields and fails",
    polyfill({ response }) {
      response.setHeader("content-length", "7").setHeader("content-type", "text/html");
      trap();
    },
    expect: 500,
  },
  { name: "destroys the response", polyfill: ({ response }) => response.destroy(), expect: "broken" },
  {
    name: "destroys the response by an error",
    polyfill: ({ response }) => response.destroy(secret()),
    expect: "broken",
  },
  { name: "destroys the request by an error", polyfill: ({ request }) => request.destroy(secret()), expect: "broken" },
  {
    name: "destroys the socket by an error",
    polyfill: ({ request }) => request.socket.destroy(secret()),
    expect: "broken",
  },
  { name: "emits an error on the response", polyfill: ({ response }) => response.emit("error", secret()), expect: 500 },
  {
    name: "pipes content that fails",
    polyfill: ({ response }) =>
      Readable.from(failing())
        .on("error", () => response.destroy())
        .pipe(response),
    expect: "broken",
  },
  {
    name: "waits for a client that has left",
    async polyfill({ response }) {
      await once(response, "close");
    },
    behavior: "leaves at once",
    expect: "none",
  },
  {
    name: "writes to a client that has left",
    async polyfill({ response }) {
      await once(response, "close");
      response.write("late");
      response.end("late");
    },
    behavior: "leaves at once",
    expect: "none",
  },
  {
    name: "pipes content that ends halfway",
    method: "POST",
    behavior: "sends half",
    polyfill: ({ request, response }) => request.pipe(response),
    expect: "none",
  },

  { name: "gets no HTTP", bytes: "nonsense\r\n\r\n", expect: 400 },
  { name: "gets fields without end", bytes: `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(20_000)}\r\n`, expect: 431 },
  { name: "gets a request without Host", bytes: "GET / HTTP/1.1\r\n\r\n", expect: 400 },
  {
    name: "gets two lengths",
    bytes: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    expect: 400,
  },
  {
    name: "gets a length and chunks",
    bytes: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    expect: 400,
  },
  {
    name: "gets a chunk that is none",
    bytes: "POST /fine HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    expect: 400,
  },
  { name: "gets half a request line", bytes: "GET /fi", behavior: "leaves at once", expect: "none" },
  {
    name: "gets requests in one piece, of which one fails",
    bytes: ["/fine", "/throws", "/fine"]
      .map((path, at) => `GET ${path} HTTP/1.1\r\nHost: h\r\n${at === 2 ? "Connection: close\r\n" : ""}\r\n`)
      .join(""),
    expect: [200, 500, 200],
  },
  { name: "gets OPTIONS *", bytes: "OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", expect: 404 },
  { name: "gets TRACE", bytes: "TRACE /fine HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", expect: 501 },
  { name: "gets CONNECT", bytes: "CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n", expect: 404 },
  {
    name: "gets a method that it does not know",
    bytes: "PURGE /fine HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    expect: 501,
  },
  {
    name: "gets a URL that cannot be parsed",
    bytes: "GET http://[::1/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    expect: 400,
  },
  {
    name: "gets a path that is too long",
    bytes: `GET /${"x".repeat(9000)} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
    expect: 414,
  },
];

async function* failing(): AsyncIterable<string> {
  yield "half";
  await later();
  throw secret();
}
