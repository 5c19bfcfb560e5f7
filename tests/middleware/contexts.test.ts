// Every place where code of users runs, with the store of AsyncLocalStorage, the active trace and the id of the request
// that it has: in memory, over HTTP/1.1 and over HTTP/2.
import { AsyncLocalStorage } from "node:async_hooks";
import { context, trace as tracing } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { after } from "fingerpost/after";
import { Files, type FileSource } from "fingerpost/files";
import { memoryRecords } from "fingerpost/stores";
import { cors } from "fingerpost/middleware/cors";
import { log } from "fingerpost/middleware/log";
import { requestId, requestIdOf } from "fingerpost/middleware/request-id";
import { trace } from "fingerpost/middleware/trace";
import { eventStream, lineStream, upgrade } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import {
  Application,
  events,
  form,
  HTTPError,
  lines,
  Middleware,
  reply,
  Resource,
  socket,
  Status,
  text,
  upload,
  written,
} from "fingerpost";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { startedHttp2 } from "../support/http2.ts";
import { ask, portOf, started } from "../support/sockets.ts";

const current = new AsyncLocalStorage<string>();

/** What a place has seen: whose store, whether a trace, and whose id, if it is given an input. */
type Seen = readonly [place: string, store: string, trace: string, id: string];
let seen: Seen[] = [];
let count = 0;
let traces = new Map<string, string>();
let waiting: (() => void)[] = [];

function note(place: string, input?: object): void {
  const traceId = tracing.getSpanContext(context.active())?.traceId;
  const id = input === undefined ? "-" : (requestIdOf(input) ?? "none");
  const known = traceId === undefined ? "none" : (traces.get(traceId) ?? "another");
  seen.push([place, current.getStore() ?? "none", known, id]);
  for (const resolve of waiting.splice(0)) resolve();
}

/** Waits until a place was seen: what runs after an answer is not waited for by its client. */
async function reached(place: string): Promise<Seen> {
  for (;;) {
    const found = seen.find(([name]) => name === place);
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

/** In it is all that middleware of users does: it begins a store, inside of a trace and an id. */
class Context extends Middleware {
  async ALL(request: object): Promise<Response> {
    traces.set(tracing.getSpanContext(context.active())!.traceId, requestIdOf(request)!);
    return current.run(requestIdOf(request)!, () => this.next(request) as Promise<Response>);
  }
}

const noted = (place: string) => z.string().refine(() => (note(place), true));

class Declared extends Resource {
  override paths = ["/declared/:id"] as const;
  static GET = {
    path: z.object({ id: noted("schema of the path") }),
    200: noted("schema of the answer"),
  };
  validator(call: object): null {
    note("validator()", call);
    return null;
  }
  override GET(call: object): string {
    note("handler", call);
    after(call, async () => {
      await Promise.resolve();
      note("after()", call);
      throw new Error("fails after the answer");
    });
    return "a";
  }
  static POST = {
    content: z.object({ a: noted("schema of the content") }),
    201: written("text/csv", () => (note("written()"), "a")),
    idempotency: { optional: true },
  };
  override POST() {
    return reply(201, "a");
  }
}

const sink = {
  async store({ content }: { readonly content: ReadableStream<Uint8Array> }) {
    await new Response(content as BodyInit).arrayBuffer();
    note("sink.store()");
    return {};
  },
  discard: () => note("sink.discard()"),
};

class Stored extends Resource {
  override paths = ["/stored"] as const;
  static POST = { content: form({ file: upload({ to: sink as never }) }), 204: "Stored", 409: "Conflict" };
  override POST() {
    return reply(409);
  }
}

class Streams extends Resource {
  override paths = ["/streams"] as const;
  static GET = { 200: events(noted("schema of events")) };
  override async *GET(call: object) {
    try {
      yield "a";
      note("generator of events", call);
      yield "b";
    } finally {
      note("finally of events", call);
    }
  }
  static QUERY = { content: text(), 200: lines(noted("schema of lines")) };
  override async *QUERY(call: object) {
    yield "a";
    note("generator of lines", call);
    yield "b";
  }
}

class Room extends Resource {
  override paths = ["/room"] as const;
  static GET = { 101: socket({ receives: noted("schema of messages"), sends: z.string() }) };
  override GET(call: object) {
    return reply(101, {
      open: () => note("open()", call),
      async message(peer: { send(text: string): boolean; readonly signal: AbortSignal }, said: string) {
        await Promise.resolve();
        note("message()", call);
        peer.signal.addEventListener("abort", () => note("signal of a peer", call));
        if (said === "fail") throw new Error("fails in message()");
        peer.send(said);
      },
      close: () => note("close()", call),
    });
  }
}

class Native extends native.Resource {
  override paths = ["/native/:kind"] as const;
  override GET(request: native.RequestOf<Native>): Response {
    const kind = request.params.pathParam("kind");
    if (kind === "socket") return upgrade(request, { message: () => note("message() of upgrade()", request) });
    const generator = async function* () {
      yield { data: kind };
      note(`generator of ${kind}`, request);
    };
    return kind === "eventStream()" ? eventStream(request, generator) : lineStream(request, generator);
  }
}

class Assets extends Files {
  override paths = ["/assets/:path*"] as const;
  source: FileSource = {
    codings: [],
    find: () => (
      note("find() of files"),
      {
        length: 200_000,
        etag: null,
        lastModified: null,
        type: "application/octet-stream",
        coding: null,
        async *read(start: number, end: number) {
          note("read() of files");
          yield new Uint8Array(1_000);
          note("read() of files, later");
          yield new Uint8Array(end - start - 1_000);
        },
        close: () => note("close() of files"),
      }
    ),
  };
}

class Failing extends Resource {
  override paths = ["/failing/:how"] as const;
  static GET = { 200: z.string() };
  override GET({ path: { how } }: { readonly path: { readonly how: string } }): string {
    if (how === "unfit") return 7 as never;
    if (how === "refused") throw new HTTPError(Status.Conflict);
    throw new Error(how);
  }
}

function applicationOf(onError?: (error: unknown, input: object) => void) {
  return Application.builder()
    .resources(Declared, Stored, Streams, Room, Native, Assets, Failing)
    .middleware(
      log({ write: (_entry, input) => note("write() of log()", input) }),
      requestId({ generate: () => `request ${++count}`.replace(" ", "-") }),
      trace(),
      Context,
      cors({ origins: (_origin, input) => (note("origins() of cors()", input as object), true) }),
    )
    .idempotency({ store: memoryRecords(), ownerOf: (call) => (note("ownerOf() of idempotency()", call), "everyone") })
    .problems({
      schema: z.object({ message: z.string() }),
      from: (problem, _error, input) => (note("from() of problems()", input), { message: problem.title }),
    })
    .replies("check")
    .onError((error, input) => (onError === undefined ? note("onError()", input) : onError(error, input)))
    .build();
}

type App = ReturnType<typeof applicationOf>;
interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly content?: string;
}

const boundary = 'multipart/form-data; boundary="b"';
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc\r\n--b--\r\n';
const json = { "content-type": "application/json" };

/** A path, what is sent to it, and the places that this leads to. */
const requests: readonly (readonly [path: string, asked: Asked, places: readonly string[]])[] = [
  ["/declared/1", {}, ["schema of the path", "validator()", "handler", "schema of the answer", "after()", "onError()"]],
  [
    "/declared/1",
    { method: "POST", headers: { ...json, "idempotency-key": "k" }, content: '{"a":"b"}' },
    ["schema of the content", "written()", "ownerOf() of idempotency()"],
  ],
  [
    "/stored",
    { method: "POST", headers: { "content-type": boundary }, content: part },
    ["sink.store()", "sink.discard()", "from() of problems()"],
  ],
  ["/streams", {}, ["generator of events", "schema of events", "finally of events"]],
  [
    "/streams",
    { method: "QUERY", headers: { "content-type": "text/plain" }, content: "" },
    ["generator of lines", "schema of lines"],
  ],
  ["/native/eventStream()", {}, ["generator of eventStream()"]],
  ["/native/lineStream()", {}, ["generator of lineStream()"]],
  ["/assets/a.bin", {}, ["find() of files", "read() of files", "read() of files, later", "close() of files"]],
  ["/failing/thrown", {}, ["onError()", "from() of problems()"]],
  ["/failing/unfit", {}, ["onError()", "from() of problems()"]],
  ["/failing/refused", {}, ["onError()", "from() of problems()"]],
  ["/failing/thrown", { headers: { origin: "https://a.example" } }, ["origins() of cors()"]],
  ["/nowhere", {}, ["onError()", "from() of problems()"]],
  ["/nowhere", { method: "DELETE" }, ["onError()", "from() of problems()"]],
];

const ways: Record<string, (app: App, path: string, asked: Asked) => Promise<unknown>> = {
  "in memory": async (app, path, { method = "GET", headers = {}, content }) =>
    (await app.request(path, { method, headers, ...(content !== undefined && { body: content }) })).text(),
  "over HTTP/1.1": async (app, path, { method = "GET", headers = {}, content }) =>
    ask(await started(app), { path, method, headers }, content),
  "over HTTP/2": async (app, path, { method = "GET", headers = {}, content }) =>
    (await startedHttp2(app))({ ":path": path, ":method": method, ...headers }, content),
};

beforeAll(() => {
  tracing.setGlobalTracerProvider(new BasicTracerProvider());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => {
  for (const api of [tracing, context]) api.disable();
});
beforeEach(() => {
  [seen, count, traces, waiting] = [[], 0, new Map(), []];
});
afterEach(() => vi.restoreAllMocks());

/** Whose store, trace and id a place must have: those of the only request. */
function expected([place, , , id]: Seen): Seen {
  return [place, "request-1", "request-1", id === "-" ? "-" : "request-1"];
}

describe.each(Object.keys(ways))("code of users, %s", (way) => {
  it.each(requests)("has its context, trace and id after %s %j", async (path, asked, places) => {
    await ways[way]!(applicationOf(), path, asked);
    for (const place of places) {
      const found = await reached(place);
      expect(found).toEqual(expected(found));
    }
  });
});

describe("code of users, elsewhere", () => {
  it.each(["/room", "/native/socket"])("has them in each message of %s", async (path) => {
    const app = applicationOf();
    const server = await started(app);
    const peer = new (await import("ws")).WebSocket(`ws://127.0.0.1:${portOf(server)}${path}`);
    peer.on("open", () => peer.send('"hello"'));
    const isRaw = path !== "/room";
    await reached(isRaw ? "message() of upgrade()" : "message()");
    peer.send('"fail"');
    if (!isRaw)
      for (const place of ["open()", "schema of messages", "onError()", "close()", "signal of a peer"])
        await reached(place);
    peer.terminate();
    const own = seen.filter(([place]) => !/log|cors/.test(place));
    expect(own).toEqual(own.map(expected));
  });

  it("has none of an application that is not in a trace: log() stands outside of it", async () => {
    await applicationOf().request("/nowhere");
    expect(await reached("write() of log()")).toEqual(["write() of log()", "none", "none", "request-1"]);
  });

  it("keeps the requests of one moment apart", async () => {
    const app = applicationOf();
    await Promise.all(Array.from({ length: 20 }, () => app.request("/failing/thrown").then((one) => one.text())));
    const told = seen.filter(([place]) => place === "onError()");
    expect(told).toHaveLength(20);
    for (const [, store, traced, id] of told) expect([store, traced]).toEqual([id, id]);
  });

  it.each([
    ["stays, of the innermost middleware", false, "inner 7"],
    ["is thrown anew, of what is around that", true, "7"],
  ])("has the store where an error %s", async (_how, isWrapping, expectedStore) => {
    class Inner extends Middleware {
      ALL(request: object): Promise<Response> | Response {
        return current.run(`inner ${current.getStore()}`, () => this.next(request));
      }
    }
    class Outer extends Middleware {
      async ALL(request: object): Promise<Response> {
        try {
          return await this.next(request);
        } catch (error) {
          throw isWrapping ? new Error("wrapped", { cause: error }) : error;
        }
      }
    }
    const stores: (string | undefined)[] = [];
    const app = Application.builder()
      .resources(Failing)
      .middleware(requestId({ generate: () => "7" }), trace(), Context, Outer, Inner)
      .onError(() => void stores.push(current.getStore()))
      .build();
    await app.request("/failing/thrown");
    expect(stores).toEqual([expectedStore]);
  });

  it("has them in onError() of serve(), where handle() rejects", async () => {
    class Thrown extends polyfill.Resource {
      override paths = ["/"];
      override GET(): never {
        throw new Error("thrown");
      }
    }
    class Around extends polyfill.Middleware {
      ALL(input: object): unknown {
        return current.run("around", () => this.next(input));
      }
    }
    const app = polyfill.Application.builder().resources(Thrown).middleware(Around).build();
    const stores: (string | undefined)[] = [];
    await ask(await started(app as never, { onError: () => void stores.push(current.getStore()) }));
    expect(stores).toEqual(["around"]);
  });
});

describe("an error that is printed", () => {
  it("has the id that the client was given, and the trace", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const app = Application.builder().resources(Failing).middleware(requestId(), trace()).build();
    const response = await app.request("/failing/thrown");
    expect(printed).toHaveBeenCalledOnce();
    expect(printed.mock.calls[0]![1]).toMatch(
      new RegExp(
        `^GET "/failing/thrown" at "/failing/:how" of Failing, request ${response.headers.get("x-request-id")}, ` +
          "trace [0-9a-f]{32}$",
      ),
    );
  });

  it("has it over a socket, where content fails", async () => {
    class Broken extends Resource {
      override paths = ["/"] as const;
      static GET = { 200: lines(z.string()) };
      override async *GET() {
        yield "a";
        throw new Error("fails");
      }
    }
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const app = Application.builder()
      .resources(Broken)
      .middleware(requestId({ generate: () => "7" }))
      .build();
    await ask(await started(app)).catch(() => {});
    expect(printed.mock.calls[0]![1]).toBe('GET "/" at "/" of Broken, request 7');
  });
});
