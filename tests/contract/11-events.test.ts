import { Application, event, events, reply, Resource } from "fingerpost";
import { clientEvents } from "fingerpost/client";
import { Inbox, lastEventIdOf } from "fingerpost/events";
import { Application as NativeApplication, Resource as NativeResource } from "fingerpost/modules/http.native.js";
import { eventStream, type EventStreamOptions, type SentEvent } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import { z } from "zod";

/** What a test has both chains send. */
type Open = (
  signal: AbortSignal,
) => AsyncIterable<{ readonly data: unknown; readonly id?: string | undefined; readonly event?: string | undefined }>;
type Ask = (open: Open, options?: EventStreamOptions, init?: RequestInit) => Promise<Response>;

const chains: readonly (readonly [name: string, ask: Ask])[] = [
  [
    "eventStream()",
    (open, options = {}, init = {}) => {
      class Ticks extends NativeResource {
        paths = ["/ticks"] as const;
        GET(request: Request): Response {
          return eventStream(request, open, options);
        }
        HEAD(request: Request): Response {
          return eventStream(request, open, options);
        }
      }
      const app = NativeApplication.builder().resources(Ticks).build();
      return app.fetch(new Request("http://localhost/ticks", init));
    },
  ],
  [
    "events()",
    (open, options = {}, init = {}) => {
      class Ticks extends Resource {
        paths = ["/ticks"] as const;
        static GET = { 200: events(z.any(), options) };
        override async *GET({ signal }: { readonly signal?: AbortSignal }): AsyncGenerator<unknown> {
          for await (const sent of open(signal!)) {
            const { data, id, event: type } = sent;
            yield id === undefined && type === undefined ? data : event(data, { id, event: type });
          }
        }
      }
      const app = Application.builder().resources(Ticks).build();
      return app.fetch(new Request("http://localhost/ticks", init));
    },
  ],
];

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads parts of a stream one by one. */
function partsOf(response: Response) {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const read = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read();
    return done ? undefined : decoder.decode(value as Uint8Array);
  };
  return { read, leave: () => reader.cancel() };
}

describe.each(chains)("11 Events by %s", (_name: string, ask: Ask) => {
  it("E1 give the generator a signal that aborts when the client leaves, and run finally", async () => {
    const seen: string[] = [];
    const response = await ask(async function* (signal) {
      try {
        yield { data: 1 };
        await aborted(signal);
        seen.push("aborted");
      } finally {
        seen.push("finally");
      }
    });
    const { read, leave } = partsOf(response);
    await read();
    expect(await read()).toBe("data: 1\n\n");
    const pending = read();
    await later(5);
    await leave();
    expect(await pending).toBeUndefined();
    expect(seen).toEqual(["aborted", "finally"]);
  });

  it("E1 end when the signal of the request aborts, whatever the generator waits for", async () => {
    const leaving = new AbortController();
    const response = await ask(
      async function* () {
        yield { data: 1 };
        await new Promise(() => {});
      },
      {},
      { signal: leaving.signal },
    );
    const { read } = partsOf(response);
    await read();
    await read();
    const pending = read();
    leaving.abort();
    expect(await pending).toBeUndefined();
  });

  it("E2 E3 begin at once with a time to wait, and go on with comments", async () => {
    const response = await ask(
      async function* (signal) {
        yield* [] as SentEvent[] as { data: unknown }[];
        await aborted(signal);
      },
      { heartbeatMs: 5, retryMs: 100 },
    );
    const { read, leave } = partsOf(response);
    const retry = /^retry: (\d+)\n\n$/.exec((await read())!);
    expect(Number(retry![1])).toBeGreaterThanOrEqual(100);
    expect(Number(retry![1])).toBeLessThanOrEqual(200);
    expect([await read(), await read()]).toEqual([":\n\n", ":\n\n"]);
    await leave();
  });

  it("E4 write each line of data by itself, and refuse ids and types of several lines", async () => {
    const good = await ask(async function* () {
      yield { data: { a: "b\nc" }, id: "1", event: "x" };
    });
    expect(await good.text()).toMatch(/^retry: \d+\n\nid: 1\nevent: x\ndata: \{"a":"b\\nc"\}\n\n$/);
    for (const fields of [{ id: "1\ndata: forged" }, { event: "a\rb" }, { id: "\0" }]) {
      const bad = await ask(async function* () {
        yield { data: 1, ...fields };
      });
      let text = "";
      const { read } = partsOf(bad);
      await expect(
        (async () => {
          for (let part = await read(); part !== undefined; part = await read()) text += part;
        })(),
      ).rejects.toThrow("must not hold a line break or NUL");
      expect(text).toMatch(/^retry: \d+\n\n$/);
    }
  });

  it("E5 are kept by no cache, and held back by no proxy; HEAD says the same", async () => {
    for (const method of ["GET", "HEAD"]) {
      let isOpened = false;
      const open: Open = async function* () {
        isOpened = true;
        yield { data: 1 };
      };
      const response = await ask(open, {}, { method });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
      expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
      expect(response.headers.get("x-accel-buffering")).toBe("no");
      expect(await response.text()).toMatch(method === "GET" ? /data: 1\n\n$/ : /^$/);
      expect(isOpened).toBe(method === "GET");
    }
  });

  it("E6 end when the signal of the option aborts", async () => {
    const stop = new AbortController();
    const open: Open = async function* (signal) {
      yield { data: 1 };
      await aborted(signal);
    };
    const { read } = partsOf(await ask(open, { signal: stop.signal }));
    await read();
    await read();
    const pending = read();
    stop.abort();
    expect(await pending).toBeUndefined();
  });

  it("E6 add one listener to the signal of the option, and remove it at their end", async () => {
    const { signal } = new AbortController();
    const listeners: string[] = [];
    const [add, remove] = [signal.addEventListener, signal.removeEventListener];
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners.push("added"), add.apply(signal, args));
    signal.removeEventListener = (...args: Parameters<typeof add>) => (
      listeners.push("removed"),
      remove.apply(signal, args)
    );
    const open: Open = async function* () {
      yield { data: 1 };
    };
    const streams = await Promise.all(Array.from({ length: 20 }, async () => partsOf(await ask(open, { signal }))));
    for (const { read } of streams) await read();
    expect(listeners).toEqual(["added"]);
    for (const { read } of streams) while ((await read()) !== undefined);
    expect(listeners).toEqual(["added", "removed"]);
  });

  it("E6 have time to end by themselves where graceMs says so, with a signal that has aborted", async () => {
    const stop = new AbortController();
    const open: Open = async function* (signal) {
      yield { data: 1 };
      await aborted(signal);
      yield { data: "last" };
    };
    const { read } = partsOf(await ask(open, { signal: stop.signal, graceMs: 60_000 }));
    await read();
    await read();
    const pending = read();
    await later(1);
    stop.abort();
    expect(await pending).toContain("data: ");
    expect(await read()).toBeUndefined();
  });

  it("E6 end after graceMs, whatever the generator waits for, and at once when the client leaves", async () => {
    const open: Open = async function* () {
      yield { data: 1 };
      await new Promise(() => {});
    };
    for (const isClient of [false, true]) {
      const [stop, client] = [new AbortController(), new AbortController()];
      const options = { signal: stop.signal, graceMs: isClient ? 60_000 : 1 };
      const { read } = partsOf(await ask(open, options, { signal: client.signal }));
      await read();
      await read();
      const pending = read();
      stop.abort();
      if (isClient) client.abort();
      expect(await pending).toBeUndefined();
    }
  });

  it("E7 come from an inbox, to each listener once and in order, and again after the last that it has", async () => {
    const inbox = new Inbox<number>({ maxEvents: 3 });
    const first = partsOf(await ask((signal) => inbox.listen(signal)));
    const second = partsOf(await ask((signal) => inbox.listen(signal)));
    for (const { read } of [first, second]) await read();
    const parts = [first.read(), second.read()];
    await later(5);
    for (let n = 0; n < 3; n++) inbox.send(n, { id: String(n) });
    expect(await Promise.all(parts)).toEqual(["id: 0\ndata: 0\n\n", "id: 0\ndata: 0\n\n"]);
    expect(await first.read()).toBe("id: 1\ndata: 1\n\n");
    await Promise.all([first.leave(), second.leave()]);
    expect(inbox.listeners).toBe(0);
    const headers = { "last-event-id": "1" };
    const request = new Request("http://localhost/", { headers });
    const again = partsOf(await ask((signal) => inbox.listen(signal, { after: lastEventIdOf(request) })));
    await again.read();
    expect(await again.read()).toBe("id: 2\ndata: 2\n\n");
    await again.leave();
  });

  it("E7 leave out the oldest for a client that is behind, or end its stream, as the inbox says", async () => {
    for (const whenBehind of ["skip", "end"] as const) {
      const inbox = new Inbox<number>({ maxEvents: 2, whenBehind });
      const { read, leave } = partsOf(await ask((signal) => inbox.listen(signal)));
      await read();
      const first = read();
      await later(5);
      for (let n = 0; n < 6; n++) inbox.send(n, { id: String(n) });
      const parts: (string | undefined)[] = [await first];
      while (parts.at(-1) !== undefined && !parts.at(-1)!.startsWith("id: 5")) parts.push(await read());
      const numbers = parts.map((part) => (part === undefined ? "end" : Number(/^id: (\d)/.exec(part)![1])));
      // The first few were asked for ahead.
      expect(numbers.slice(whenBehind === "end" ? -1 : -2)).toEqual(whenBehind === "end" ? ["end"] : [4, 5]);
      expect(numbers.length).toBeLessThan(6);
      expect(numbers.slice(0, -1)).toEqual(numbers.slice(0, -1).toSorted());
      await leave();
      expect(inbox.listeners).toBe(0);
    }
    expect(() => new Inbox({ maxEvents: 0 })).toThrow(TypeError);
  });

  it("E8 are read on by the client after the last that it has, until 204", async () => {
    const lastIds: (string | undefined)[] = [];
    const streams: Open[] = [
      async function* () {
        yield { data: 1, id: "a" };
        yield { data: 2, id: "b" };
      },
      async function* () {
        yield { data: 3, id: "c" };
      },
    ];
    const connect = async (headers: Readonly<Record<string, string>>): Promise<Response> => {
      lastIds.push(headers["last-event-id"]);
      const open = streams.shift();
      return open === undefined ? new Response(null, { status: 204 }) : ask(open, { retryMs: 10 }, { headers });
    };
    const call = { key: "GET /ticks", signal: undefined, sendAgain: connect };
    const data: unknown[] = [];
    for await (const one of clientEvents(await connect({}), call)) data.push(one);
    expect(data).toEqual([1, 2, 3]);
    expect(lastIds).toEqual([undefined, "b", "c"]);
  });
});

describe("11 Events without data", () => {
  it("E4 are dispatched where they have a type", async () => {
    const open = async function* (): AsyncGenerator<SentEvent> {
      yield { event: "ping" };
      yield { id: "7" };
    };
    const text = await eventStream(new Request("http://localhost/"), open).text();
    expect(text).toMatch(/^retry: \d+\n\nevent: ping\ndata: \n\nid: 7\n\n$/);
  });
});

describe("11 Events that are declared", () => {
  const answering = (
    operation: object,
    GET: (call: { signal: AbortSignal }) => unknown,
    replies?: "check" | "trust",
  ) => {
    class Ticks extends Resource {
      paths = ["/ticks"] as const;
      static GET = operation;
      override GET(call: never): never {
        return GET(call) as never;
      }
    }
    const builder = Application.builder().resources(Ticks as never);
    if (replies !== undefined) builder.replies(replies);
    return builder.onError(() => {}).build();
  };
  const ask = async (...given: Parameters<typeof answering>): Promise<Response> =>
    answering(...given).fetch(new Request("http://localhost/ticks"));
  const user = z.object({ name: z.string() });

  it("C8.9 leave out what the schema does not name", async () => {
    for (const replies of [undefined, "check"] as const) {
      const response = await ask(
        { 200: events(user) },
        async function* () {
          yield { name: "Ada", passwordHash: "secret" };
          yield event({ name: "Bo", passwordHash: "secret" }, { id: "1" });
        },
        replies,
      );
      expect((await response.text()).replace(/^retry: \d+\n\n/, "")).toBe(
        'data: {"name":"Ada"}\n\nid: 1\ndata: {"name":"Bo"}\n\n',
      );
    }
    const trusted = await ask(
      { 200: events(user) },
      async function* () {
        yield { name: "Ada", age: 36 };
      },
      "trust",
    );
    expect(await trusted.text()).toContain('data: {"name":"Ada","age":36}\n\n');
  });

  it("C8.9 are broken off by data that does not fit, and finally runs", async () => {
    let isLeft = false;
    const response = await ask({ 200: events(user) }, async function* () {
      try {
        yield { name: 7 };
      } finally {
        isLeft = true;
      }
    });
    await expect(response.text()).rejects.toThrow("Cannot answer GET of Ticks: an event of 200 does not fit at #/name");
    expect(isLeft).toBe(true);
  });

  it("C8.8 are 500 where the handler returns nothing to iterate", async () => {
    for (const wrong of [undefined, [{ name: "Ada" }], { name: "Ada" }, "text"]) {
      expect((await ask({ 200: events(user) }, () => wrong)).status).toBe(500);
    }
  });

  it("C8.4 can be answered by another status before they begin", async () => {
    const response = await ask({ 200: events(user), 204: "Nothing comes any more" }, () => reply(204));
    expect([response.status, response.headers.get("cache-control")]).toEqual([204, null]);
  });

  it("C8.12 refuse options that cannot be meant", () => {
    expect(() => events(user, { heartbeatMs: 0 })).toThrow(
      new TypeError('Cannot call events(): its option "heartbeatMs" must be a whole number from 1 on, got 0'),
    );
    expect(() => events(user, { retry: 1 } as never)).toThrow("it has no option");
    expect(() => event(1, { name: "x" } as never)).toThrow("it has no option");
  });
});
