import type { ServerSentEvent } from "fingerpost";
import { Inbox, lastEventIdOf } from "fingerpost/events";
import { Application, Middleware, Resource } from "fingerpost/modules/http.native.js";
import { eventStream, type EventStreamOptions, type SentEvent } from "fingerpost/native/content";
import { describe, expect, it, onTestFinished, vi } from "vitest";

type Open = (signal: AbortSignal) => AsyncIterable<SentEvent>;

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const decoder = new TextDecoder();

/** Resolves when a signal aborts, which ends an endless wait. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

const asked = (init?: RequestInit): Request => new Request("http://localhost/", init);

/** The text of a stream but for the time to wait, which is tested by itself. */
async function textOf(open: Open, options?: EventStreamOptions): Promise<string> {
  const text = await eventStream(asked(), open, options).text();
  expect(text).toMatch(/^retry: \d+\n\n/);
  return text.slice(text.indexOf("\n\n") + 2);
}

async function* sending(...events: unknown[]): AsyncGenerator<SentEvent> {
  for (const event of events) yield event as SentEvent;
}

/** Reads a stream by hand, after its first part. */
async function begun(open: Open, options?: EventStreamOptions, request = asked()) {
  const reader = eventStream(request, open, options).body!.getReader();
  const read = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read();
    return done ? undefined : decoder.decode(value);
  };
  expect(await read()).toMatch(/^retry: \d+\n\n$/);
  return { reader, read };
}

describe("eventStream()", () => {
  it("E5 says what keeps caches and proxies from holding events back", async () => {
    const response = eventStream(asked(), () => sending());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    await response.text();
  });

  it("writes data, ids and types of events", async () => {
    const text = await textOf(() =>
      sending(
        { data: "one" },
        { data: { n: 2 }, id: "2", event: "count" },
        { id: "3" },
        { data: "" },
        { data: null },
        { data: 0, id: "" },
      ),
    );
    expect(text).toBe(
      'data: one\n\nid: 2\nevent: count\ndata: {"n":2}\n\nid: 3\n\ndata: \n\ndata: null\n\nid: \ndata: 0\n\n',
    );
  });

  it("E4 splits data by lines, whatever ends them", async () => {
    const text = await textOf(() =>
      sending({ data: "a\nb\r\nc\rd\n" }, { data: "id: 1\n\nevent: x" }, { data: "a\0b" }),
    );
    expect(text).toBe(
      "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\ndata: id: 1\ndata: \ndata: event: x\n\ndata: a\0b\n\n",
    );
  });

  it("E4 refuses line breaks and NUL in ids and types, and does not show them", async () => {
    for (const hostile of ["1\ndata: forged", "1\r", "1\0"]) {
      for (const field of ["id", "event"]) {
        let isLeft = false;
        const failing = textOf(async function* () {
          try {
            yield { data: "x", [field]: hostile };
          } finally {
            isLeft = true;
          }
        });
        await expect(failing).rejects.toThrow(
          new TypeError(`Cannot send an event: its ${field} must not hold a line break or NUL`),
        );
        expect(isLeft).toBe(true);
      }
    }
  });

  it("takes nothing that another package put on all objects for a part of an event", async () => {
    const polluted = Object.prototype as { id?: string; event?: string; after?: string };
    Object.assign(polluted, { id: "forged", event: "forged", after: "forged" });
    try {
      expect(await textOf(() => sending({ data: "x" }, {}))).toBe("data: x\n\n\n\n");
      const inbox = new Inbox<string>();
      inbox.send("before");
      const events = inbox.listen();
      inbox.send("x", { id: "1" });
      expect((await events.next()).value).toMatchObject({ data: "x", id: "1", event: undefined });
      await events.return();
    } finally {
      delete polluted.id;
      delete polluted.event;
      delete polluted.after;
    }
  });

  it("refuses anything but an event", async () => {
    await expect(textOf(() => sending("text"))).rejects.toThrow(
      new TypeError('Cannot send an event: expected an object such as { data: … }, got "text"'),
    );
    await expect(textOf(() => sending(null))).rejects.toThrow("got null");
    await expect(textOf(() => sending({ data: "x", id: 7 }))).rejects.toThrow(
      new TypeError("Cannot send an event: its id must be a string, got 7"),
    );
    await expect(textOf(() => sending({ data: () => 1 }))).rejects.toThrow(
      new TypeError("Cannot send an event: expected data that JSON can write, got a function"),
    );
    for (const wrong of [[{ data: "x" }], undefined, Promise.resolve()]) {
      await expect(eventStream(asked(), () => wrong as never).text()).rejects.toThrow(
        /^Cannot send events: expected an async iterable, got /,
      );
    }
  });

  it("E2 sends the first bytes at once, and a time to wait that is each client's own", async () => {
    const delays = new Set<number>();
    for (let n = 0; n < 200; n++) {
      let isOpened = false;
      const open: Open = () => {
        isOpened = true;
        return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
      };
      const reader = eventStream(asked(), open, { retryMs: 1_000 }).body!.getReader();
      const text = decoder.decode((await reader.read()).value);
      expect(isOpened).toBe(true);
      const [, delay] = /^retry: (\d+)\n\n$/.exec(text)!;
      delays.add(Number(delay));
      await reader.cancel();
    }
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(2_000);
    expect(delays.size).toBeGreaterThan(50);
    const at0 = await eventStream(asked(), () => sending(), { retryMs: 0 }).text();
    expect(at0).toBe("retry: 0\n\n");
  });

  it("E3 sends a comment whenever there was no event for a while, and loses none over it", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { reader, read } = await begun(
      async function* () {
        await later(70);
        yield { data: "late" };
        yield { data: "at once" };
        await later(70);
      },
      { heartbeatMs: 20 },
    );
    const seen: (string | undefined)[] = [];
    const end = (async () => {
      for (let text = await read(); text !== undefined; text = await read()) seen.push(text);
    })();
    await vi.advanceTimersByTimeAsync(140);
    await end;
    const comment = ":\n\n";
    const sent = ["data: late\n\n", "data: at once\n\n"];
    expect(seen).toEqual([comment, comment, comment, ...sent, comment, comment, comment]);
    await reader.cancel();
  });

  it("takes a heartbeat that is longer than timers can wait", async () => {
    expect(await textOf(() => sending({ data: "x" }), { heartbeatMs: 2 ** 40 })).toBe("data: x\n\n");
  });

  it("makes events only as fast as they are read", async () => {
    let made = 0;
    const { reader, read } = await begun(async function* () {
      for (;;) yield { data: made++ };
    });
    await read();
    await read();
    await later(5);
    expect(made).toBe(2);
    await reader.cancel();
  });

  it("E1 aborts the signal when the reader leaves, and finally runs", async () => {
    const seen: string[] = [];
    const { reader, read } = await begun(async function* (signal) {
      try {
        yield { data: 1 };
        await aborted(signal);
        seen.push("aborted");
      } finally {
        seen.push("finally");
      }
    });
    await read();
    const pending = read();
    await later(1);
    await reader.cancel();
    expect(await pending).toBeUndefined();
    expect(seen).toEqual(["aborted", "finally"]);
  });

  it("E1 passes an error of finally to the caller that cancels", async () => {
    const { reader, read } = await begun(async function* () {
      try {
        yield { data: 1 };
      } finally {
        await Promise.reject(new Error("cleaning up"));
      }
    });
    await read();
    await expect(reader.cancel()).rejects.toThrow("cleaning up");
  });

  it("E1 ends when the signal of the request aborts, whatever the generator waits for", async () => {
    const leaving = new AbortController();
    let seen: AbortSignal | undefined;
    const open: Open = async function* (signal) {
      seen = signal;
      yield { data: 1 };
      await new Promise(() => {});
    };
    const { read } = await begun(open, {}, asked({ signal: leaving.signal }));
    expect(await read()).toBe("data: 1\n\n");
    const pending = read();
    leaving.abort("gone");
    expect(await pending).toBeUndefined();
    expect([seen!.aborted, seen!.reason]).toEqual([true, "gone"]);
  });

  it("E6 ends when the option's signal aborts, and forgets it when it is over", async () => {
    const stop = new AbortController();
    const { signal } = stop;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    const forever: Open = async function* (own) {
      await aborted(own);
      yield* sending();
    };
    // Nobody reads this one.
    eventStream(asked(), forever, { signal });
    expect(listeners).toBe(0);
    await textOf(() => sending({ data: 1 }), { signal });
    const left = await begun(forever, { signal });
    expect(listeners).toBe(1);
    await left.reader.cancel();
    const failing = await begun(
      async function* () {
        yield* sending(null);
      },
      { signal },
    );
    await expect(failing.read()).rejects.toThrow(TypeError);
    expect(listeners).toBe(0);
    const streams = await Promise.all([begun(forever, { signal }), begun(forever, { signal })]);
    const ends = streams.map(({ read }) => read());
    stop.abort();
    expect(await Promise.all(ends)).toEqual([undefined, undefined]);
    expect(listeners).toBe(0);
    const late = eventStream(asked(), forever, { signal });
    expect(await late.text()).toBe("");
  });

  it("E6 ends with what finally throws unheard, and a generator that fails meanwhile, too", async () => {
    const stop = new AbortController();
    const first = await begun(
      async function* (signal) {
        try {
          await aborted(signal);
          yield { data: "too late" };
        } finally {
          await Promise.reject(new Error("unheard"));
        }
      },
      { signal: stop.signal },
    );
    const second = await begun(() => sending({ data: { toJSON: () => (stop.abort(), 1) } }), { signal: stop.signal });
    const ends = [first, second].map(({ read }) => read());
    expect(await Promise.all(ends)).toEqual([undefined, undefined]);
    const again = new AbortController();
    const third = await begun(() => sending({ data: { toJSON: () => (again.abort(), undefined) } }), {
      signal: again.signal,
    });
    expect(await third.read()).toBeUndefined();
    await later(1);
  });

  it("keeps the event that came while nobody read, after a comment", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { reader, read } = await begun(
      async function* () {
        await later(30);
        yield { data: "late" };
      },
      { heartbeatMs: 5 },
    );
    const comment = read();
    await vi.advanceTimersByTimeAsync(5);
    expect(await comment).toBe(":\n\n");
    await vi.advanceTimersByTimeAsync(30);
    expect(await read()).toBe("data: late\n\n");
    await reader.cancel();
  });

  it("returns an empty stream to a request that is over", async () => {
    const request = asked({ signal: AbortSignal.abort() });
    expect(
      await eventStream(request, () => {
        throw new Error("opened");
      }).text(),
    ).toBe("");
  });

  it("breaks off with the error of the generator", async () => {
    const failing = textOf(async function* () {
      yield { data: 1 };
      throw new Error("lost");
    });
    await expect(failing).rejects.toThrow("lost");
  });

  it("takes iterators that cannot be left", async () => {
    const open: Open = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: false, value: { data: 1 } }) }),
    });
    const { reader, read } = await begun(open);
    expect(await read()).toBe("data: 1\n\n");
    await reader.cancel();
  });

  it("answers HEAD without events", async () => {
    const response = eventStream(asked({ method: "HEAD" }), () => {
      throw new Error("opened");
    });
    expect([response.headers.get("content-type"), response.body]).toEqual(["text/event-stream", null]);
  });

  it("refuses options and functions that cannot be meant", () => {
    const open = (): AsyncIterable<SentEvent> => sending();
    const stream = (options: object): unknown => eventStream(asked(), open, options);
    expect(() => stream({ heartbeatMs: 0 })).toThrow(
      new TypeError('Cannot call eventStream(): its option "heartbeatMs" must be a whole number from 1 on, got 0'),
    );
    expect(() => stream({ heartbeatMs: 1.5 })).toThrow("heartbeatMs");
    expect(() => stream({ retryMs: -1 })).toThrow("retryMs");
    expect(() => stream({ signal: {} })).toThrow(
      new TypeError('Cannot call eventStream(): its option "signal" must be an AbortSignal, got an object'),
    );
    expect(() => stream({ heartbeat: 1 })).toThrow('has no option "heartbeat"');
    expect(() => eventStream(asked(), sending() as never)).toThrow(
      /^Cannot answer with events: expected a function that makes them, such as async function\* \(signal\) \{ … \}, got /,
    );
  });

  it("passes through middleware, and takes the request that middleware went on with", async () => {
    class Tagged extends Middleware {
      async ALL(request: Request): Promise<Response> {
        const response = await this.next(request, new Request(request, { headers: { "last-event-id": "7" } }));
        response.headers.set("x-tag", "1");
        return response;
      }
    }
    class Ticks extends Resource {
      paths = ["/ticks"] as const;
      static middleware = [Tagged];
      GET(request: Request): Response {
        return eventStream(request, () => sending({ data: lastEventIdOf(request) }));
      }
    }
    const response = await Application.builder().resources(Ticks).build().request("/ticks");
    expect(response.headers.get("x-tag")).toBe("1");
    expect(await response.text()).toMatch(/data: 7\n\n$/);
  });
});

describe("lastEventIdOf()", () => {
  it("reads what the client has got last", () => {
    const of = (value: string): string | undefined =>
      lastEventIdOf({ headers: new Headers({ "Last-Event-ID": value }) });
    expect(of("k3-7")).toBe("k3-7");
    expect(of("")).toBeUndefined();
    expect(lastEventIdOf({ headers: new Headers() })).toBeUndefined();
  });

  it("reads UTF-8, and nothing of what is not", () => {
    const bytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
    const of = (value: string): string | undefined =>
      lastEventIdOf({ headers: new Headers({ "last-event-id": value }) });
    expect(of(bytes("é-€"))).toBe("é-€");
    expect(of("\xff")).toBeUndefined();
  });
});

describe("Inbox", () => {
  const open =
    <Data>(inbox: Inbox<Data>, options = {}): Open =>
    (signal) =>
      inbox.listen(signal, options);

  it("sends each listener each event once and in order, with an id of its own", async () => {
    const inbox = new Inbox<number>();
    const streams = await Promise.all([begun(open(inbox)), begun(open(inbox))]);
    const firsts = streams.map(({ read }) => read());
    for (let n = 0; n < 5; n++) inbox.send(n, n === 4 ? { id: "last", event: "end" } : {});
    const seen = await Promise.all(firsts);
    for (const { read } of streams) for (let n = 1; n < 5; n++) seen.push(await read());
    const [first] = /^id: ([\da-f]{8})-0\n/.exec(seen[0]!)!.slice(1) as [string];
    const rest = [1, 2, 3].map((n) => `id: ${first}-${n}\ndata: ${n}\n\n`);
    const all = [...rest, "id: last\nevent: end\ndata: 4\n\n"];
    expect(seen).toEqual([`id: ${first}-0\ndata: 0\n\n`, `id: ${first}-0\ndata: 0\n\n`, ...all, ...all]);
    expect(inbox.listeners).toBe(2);
    for (const { reader } of streams) await reader.cancel();
    expect(inbox.listeners).toBe(0);
  });

  it("begins with what is sent after listen(), not with the first read", async () => {
    const inbox = new Inbox<number>();
    inbox.send(0);
    const events = inbox.listen();
    inbox.send(1);
    expect((await events.next()).value).toMatchObject({ data: 1 });
    await events.return();
  });

  it("sends the events after the one that the client has, and all that it holds if that one is missing", async () => {
    const inbox = new Inbox<number>({ maxEvents: 3 });
    for (let n = 0; n < 5; n++) inbox.send(n, { id: String(n) });
    inbox.end();
    const after = async (id?: string): Promise<number[]> => {
      const seen: number[] = [];
      for await (const { data } of inbox.listen(undefined, { after: id })) seen.push(data);
      return seen;
    };
    expect(await after("2")).toEqual([3, 4]);
    expect(await after("4")).toEqual([]);
    expect(await after("0")).toEqual([2, 3, 4]);
    expect(await after("other")).toEqual([2, 3, 4]);
    expect(await after()).toEqual([]);
    expect(() => inbox.send(5)).toThrow(new TypeError("Cannot send an event: the inbox was ended"));
  });

  it("E7 holds 1,000 events, and leaves out the oldest for a listener that falls too far back", async () => {
    const inbox = new Inbox<number>();
    const events = inbox.listen();
    for (let n = 0; n < 1_500; n++) inbox.send(n);
    const seen: number[] = [];
    for (let n = 0; n < 1_000; n++) seen.push((await events.next()).value!.data);
    expect([seen[0], seen.at(-1), seen.length]).toEqual([500, 1_499, 1_000]);
    const pending = events.next();
    inbox.send(1_500);
    expect((await pending).value).toMatchObject({ data: 1_500 });
    await events.return();
  });

  it("E7 ends a listener that falls too far back, if that is the choice", async () => {
    const inbox = new Inbox<number>({ maxEvents: 2, whenBehind: "end" });
    const events = inbox.listen();
    inbox.send(0);
    inbox.send(1);
    expect((await events.next()).value).toMatchObject({ data: 0 });
    inbox.send(2);
    inbox.send(3);
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(inbox.listeners).toBe(0);
  });

  it("ends listeners when their signal aborts, at once or while they wait", async () => {
    const inbox = new Inbox<number>();
    expect((await inbox.listen(AbortSignal.abort()).next()).done).toBe(true);
    const stop = new AbortController();
    const events = inbox.listen(stop.signal);
    const pending = events.next();
    inbox.send(1);
    expect((await pending).done).toBe(false);
    const waiting = events.next();
    stop.abort();
    expect((await waiting).done).toBe(true);
    expect(inbox.listeners).toBe(0);
  });

  it("adds one listener to a signal, however many listen until it aborts", async () => {
    const inbox = new Inbox<number>();
    const stop = new AbortController();
    const added = vi.spyOn(stop.signal, "addEventListener");
    const removed = vi.spyOn(stop.signal, "removeEventListener");
    const all = Array.from({ length: 20 }, () => inbox.listen(stop.signal));
    const waiting = all.map((events) => events.next());
    expect([added.mock.calls.length, inbox.listeners]).toEqual([1, 20]);
    inbox.end();
    for (const { done } of await Promise.all(waiting)) expect(done).toBe(true);
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  });

  it("ends who waits by end()", async () => {
    const inbox = new Inbox<number>();
    const waiting = inbox.listen().next();
    inbox.end();
    expect((await waiting).done).toBe(true);
  });

  describe("with topics", () => {
    const isbns = { topic: "isbn" };

    async function taken<Data>(listener: AsyncGenerator<ServerSentEvent<Data>>, count: number): Promise<Data[]> {
      const values: Data[] = [];
      for (let at = 0; at < count; at++) {
        const { done, value } = await listener.next();
        if (done === true) break;
        values.push(value.data);
      }
      return values;
    }

    it("sends each event to the listeners of its topic, and to those of all", async () => {
      const inbox = new Inbox<number>();
      const [all, one, other] = [
        inbox.listen(),
        inbox.listen(undefined, isbns),
        inbox.listen(undefined, { topic: "" }),
      ];
      const reading = [taken(all, 4), taken(one, 2), taken(other, 1)];
      await vi.waitFor(() => expect(inbox.listeners).toBe(3));
      for (const [value, topic] of [
        [1, "isbn"],
        [2, undefined],
        [3, ""],
        [4, "isbn"],
      ] as const)
        inbox.send(value, { topic });
      expect(await Promise.all(reading)).toEqual([[1, 2, 3, 4], [1, 4], [3]]);
      for (const listener of [all, one, other]) await listener.return();
      expect(inbox.listeners).toBe(0);
    });

    it("wakes no listener of another topic", async () => {
      const inbox = new Inbox<number>();
      const leaving = new AbortController();
      const waiting = inbox.listen(leaving.signal, { topic: "other" }).next();
      const listener = inbox.listen(undefined, isbns);
      const first = listener.next();
      await vi.waitFor(() => expect(inbox.listeners).toBe(2));
      const then = vi.spyOn(Map.prototype, "get");
      inbox.send(1, isbns);
      expect(then.mock.calls.map(([key]) => key as unknown)).not.toContain("other");
      then.mockRestore();
      expect((await first).value).toMatchObject({ data: 1 });
      leaving.abort();
      expect(await waiting).toEqual({ done: true, value: undefined });
      await listener.return();
    });

    it("goes on after an id, with the events of the topic alone", async () => {
      const inbox = new Inbox<number>();
      for (const [at, topic] of ["isbn", "other", "isbn", "isbn"].entries()) inbox.send(at, { id: `${at}`, topic });
      expect(await taken(inbox.listen(undefined, { ...isbns, after: "0" }), 2)).toEqual([2, 3]);
      expect(await taken(inbox.listen(undefined, { ...isbns, after: "gone" }), 3)).toEqual([0, 2, 3]);
    });

    it.each(["skip", "end"] as const)("looks only at the topic where a listener falls back: %s", async (whenBehind) => {
      const inbox = new Inbox<number>({ maxEvents: 2, whenBehind });
      const listener = inbox.listen(undefined, isbns);
      const first = listener.next();
      await vi.waitFor(() => expect(inbox.listeners).toBe(1));
      inbox.send(1, isbns);
      expect((await first).value).toMatchObject({ data: 1 });
      // Events of another topic push nothing out that the listener wants.
      for (const value of [2, 3, 4]) inbox.send(value, { topic: "other" });
      inbox.send(5, isbns);
      expect(await taken(listener, 1)).toEqual([5]);
      // The event 6 is gone.
      inbox.send(6, isbns);
      for (const value of [7, 8]) inbox.send(value, { topic: "other" });
      inbox.send(9, isbns);
      expect(await taken(listener, 1)).toEqual(whenBehind === "skip" ? [9] : []);
    });

    it("ends a listener that has not begun to read, where it may have missed something", async () => {
      const inbox = new Inbox<number>({ maxEvents: 1, whenBehind: "end" });
      const listener = inbox.listen(undefined, isbns);
      for (const value of [1, 2]) inbox.send(value, isbns);
      expect(await taken(listener, 1)).toEqual([]);
    });

    it("counts the listeners of a topic", async () => {
      const inbox = new Inbox<number>({ maxEvents: 1, whenBehind: "end" });
      const [one, other] = [inbox.listen(undefined, isbns), inbox.listen(undefined, isbns)];
      const reading = [one.next(), other.next()];
      await vi.waitFor(() => expect(inbox.listeners).toBe(2));
      inbox.send(1, isbns);
      await Promise.all(reading);
      await one.return();
      // The other one still learns that it missed the event 2.
      for (const value of [2, 3]) inbox.send(value, isbns);
      expect(await taken(other, 1)).toEqual([]);
    });

    it("ends listeners of all topics by end()", async () => {
      const inbox = new Inbox<number>();
      const reading = [inbox.listen().next(), inbox.listen(undefined, isbns).next()];
      await vi.waitFor(() => expect(inbox.listeners).toBe(2));
      inbox.end();
      for (const result of await Promise.all(reading)) expect(result.done).toBe(true);
    });

    it("refuses topics that are no text", () => {
      const inbox = new Inbox<number>();
      expect(() => inbox.send(1, { topic: 7 as never })).toThrow('its option "topic" must be a string, got 7');
      expect(() => inbox.listen(undefined, { topic: 7 as never })).toThrow(
        'its option "topic" must be a string, got 7',
      );
    });
  });

  it("refuses what cannot be meant, the sender and not the listeners", () => {
    const inbox = new Inbox<string>();
    expect(() => inbox.send("x", { id: "1\n" })).toThrow("must not hold a line break or NUL");
    expect(() => inbox.send("x", { event: 7 as never })).toThrow(
      new TypeError("Cannot send an event: its event must be a string, got 7"),
    );
    expect(() => inbox.send("x", { name: "y" } as never)).toThrow('Cannot call send(): it has no option "name"');
    expect(() => inbox.listen({} as never)).toThrow(
      new TypeError("Cannot listen to the inbox: expected an AbortSignal, got an object"),
    );
    expect(() => inbox.listen(undefined, { from: "1" } as never)).toThrow('it has no option "from"');
    for (const options of [{ maxEvents: 0 }, { maxEvents: 1.5 }, { whenBehind: "drop" }, { max: 1 }]) {
      expect(() => new Inbox(options as never)).toThrow(TypeError);
    }
  });
});
