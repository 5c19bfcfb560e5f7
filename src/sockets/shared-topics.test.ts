import { Inbox } from "fingerpost/events";
import { upgrade } from "fingerpost/native/content";
import { shareTopics, type ProcessFeed } from "fingerpost/sockets";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { Application, bytes, reply, Resource, socket, text, type Answer, type Call } from "fingerpost";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { notedWire } from "../../tests/support/noted-wire.ts";
import { takeAccepted } from "./accepted.ts";
import type { Wire } from "./wire.ts";

class Rooms extends Resource {
  paths = ["/rooms/:room"] as const;

  static GET = {
    101: socket({ receives: z.string(), sends: z.object({ said: z.string() }) }),
  };
  GET({ path }: Call<typeof Rooms, "GET">): Answer<typeof Rooms, "GET"> {
    return reply(101, {
      open: (peer) => peer.subscribe(path.room),
      message: (peer, said) => peer.publish(path.room, { said }),
    });
  }
}

class Pictures extends Resource {
  paths = ["/pictures"] as const;

  static GET = { 101: socket({ receives: bytes(), sends: bytes() }) };
  GET(_call: Call<typeof Pictures, "GET">): Answer<typeof Pictures, "GET"> {
    return reply(101, { open: (peer) => peer.subscribe("a"), message: (peer, data) => peer.publish("a", data) });
  }
}

class Named extends Resource {
  paths = ["/topics"] as const;

  static GET = { query: z.object({ name: z.string() }), 101: socket({ receives: text(), sends: text() }) };
  GET({ query }: Call<typeof Named, "GET">): Answer<typeof Named, "GET"> {
    const topic = JSON.parse(query.name) as string;
    return reply(101, {
      open: (peer) => peer.subscribe(topic),
      message: (peer) => peer.publish(5 as never, "hi"),
    });
  }
}

/** A resource without a path, which has no peers. */
class Unreachable extends Resource {}

const feedBy = (inbox = new Inbox<unknown>()) => ({
  inbox,
  // A feed delivers messages as they are after JSON.
  send: vi.fn<(data: unknown) => unknown>((data) => void inbox.send(JSON.parse(JSON.stringify(data)))),
});

/** An application of one process. */
function processOf(feed: ProcessFeed, onError?: (error: unknown) => unknown) {
  const app = Application.builder().resources(Rooms, Pictures, Named, Unreachable).build();
  shareTopics(app, { feed, onError });
  return app;
}

const handshake = {
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A peer, and what it has got. */
async function peerOf(app: { connect(path: string): Promise<unknown> }, path: string) {
  const peer = (await app.connect(path)) as AsyncIterable<unknown> & {
    send(message: unknown): unknown;
    readonly closed: Promise<{ readonly code: number }>;
  };
  const got: unknown[] = [];
  const reading = async (): Promise<void> => {
    for await (const message of peer) got.push(message);
  };
  void reading().catch((error: unknown) => got.push(String(error)));
  await turn();
  return { peer, got };
}

describe("shareTopics()", () => {
  it("C20.6 reaches the peers of all processes, each of them once", async () => {
    const feed = feedBy();
    const [here, there] = [processOf(feed), processOf(feed)];
    const [one, two, three, other] = [
      await peerOf(here, "/rooms/a"),
      await peerOf(here, "/rooms/a"),
      await peerOf(there, "/rooms/a"),
      await peerOf(there, "/rooms/b"),
    ];
    one.peer.send("hello");
    await turn();
    here.publish(Rooms, "a", { said: "to all", secret: 5 });
    await turn();
    await turn();
    expect(one.got).toEqual([{ said: "to all" }]);
    for (const { got } of [two, three]) expect(got).toEqual([{ said: "hello" }, { said: "to all" }]);
    expect(other.got).toEqual([]);
  });

  it("C20.6 carries bytes, and reaches others from a process without a connection", async () => {
    const feed = feedBy();
    const [here, there] = [processOf(feed), processOf(feed)];
    const { got } = await peerOf(there, "/pictures");
    here.publish(Pictures, "a", new Uint8Array([0, 255]));
    await turn();
    expect(got).toEqual([new Uint8Array([0, 255])]);
    expect(() => here.publish(Rooms, "a", { said: 5 })).toThrow("Cannot send a message of Rooms");
    expect(feed.send).toHaveBeenCalledTimes(1);
  });

  it("C20.6 shares the topics of native resources", async () => {
    class Live extends native.Resource {
      paths = ["/live"];
      GET(request: Request): Response {
        return upgrade(request, { open: (peer) => peer.subscribe("a") });
      }
    }
    const feed = feedBy();
    const [here, there] = [1, 2].map(() => {
      const app = native.Application.builder().resources(Live).build();
      shareTopics(app, { feed });
      return app;
    });
    const { got } = await peerOf(there!, "/live");
    here!.publish(Live, "a", "hello");
    await turn();
    expect(got).toEqual(["hello"]);
  });

  it("takes nothing that is no message of the application", async () => {
    const feed = feedBy();
    const { got } = await peerOf(processOf(feed), "/rooms/a");
    const sent = { from: "x", at: "/rooms/:room", topic: "a", text: "{}" };
    const wrong = [null, "text", { ...sent, at: "/other" }, { ...sent, topic: 5 }, { ...sent, text: undefined }];
    for (const data of [...wrong, { ...sent, text: 5, bytes: "?" }, { ...sent, bytes: undefined }])
      feed.inbox.send(data);
    await turn();
    expect(got).toEqual([{}]);
  });

  it("tells what the feed fails to send, and reaches its own peers", async () => {
    const errors: unknown[] = [];
    const fails = [
      () => {
        throw new Error("at once");
      },
      () => Promise.reject(new Error("later")),
    ];
    const feed = { inbox: new Inbox<unknown>(), send: (): unknown => fails.shift()!() };
    const app = processOf(feed, (error) => errors.push(error));
    const { got } = await peerOf(app, "/rooms/a");
    app.publish(Rooms, "a", { said: "one" });
    app.publish(Rooms, "a", { said: "two" });
    await turn();
    expect(got).toEqual([{ said: "one" }, { said: "two" }]);
    expect(errors.map(String)).toEqual(["Error: at once", "Error: later"]);
  });

  it("closes all peers with 1001 when the feed ends, and listens anew for those that come after", async () => {
    const errors: unknown[] = [];
    let fail: (error: Error) => void = () => {};
    const inbox = {
      async *listen(): AsyncGenerator<{ readonly data: unknown }> {
        yield { data: { from: "x", at: "/rooms/:room", topic: "a", text: '{"said":"hi"}' } };
        await new Promise<void>((_, reject) => (fail = reject));
      },
    };
    const app = processOf({ inbox, send: () => {} }, (error) => errors.push(error));
    const { peer, got: before } = await peerOf(app, "/rooms/a");
    fail(new Error("gone"));
    expect((await peer.closed).code).toBe(1001);
    await turn();
    expect(before.at(-1)).toContain("was closed with 1001: Connect again: messages of other servers are lost");
    expect(errors.map(String)).toEqual(["Error: gone"]);
    const { got } = await peerOf(app, "/rooms/a");
    await turn();
    expect(got).toEqual([{ said: "hi" }]);
  });

  it("prints errors of the feed by default", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const app = processOf({ inbox: new Inbox(), send: () => Promise.reject(new Error("no feed")) });
    app.publish(Rooms, "a", { said: "one" });
    await turn();
    expect(printed.mock.calls.flat().map(String)).toEqual(["Error: no feed"]);
    printed.mockRestore();
  });

  it("refuses what is no application or no feed, and a second feed", async () => {
    const feed = feedBy();
    expect(() => shareTopics(null as never, { feed })).toThrow(
      "Cannot call shareTopics(): expected an application that was built, got null; write " +
        "Application.builder().build()",
    );
    for (const other of [Application.builder(), polyfill.Application.builder().build()])
      expect(() => shareTopics(other as never, { feed })).toThrow("expected an application that was built");
    const app = Application.builder().resources(Rooms).build();
    for (const wrong of [undefined, {}, { inbox: {}, send() {} }, { inbox: new Inbox() }])
      expect(() => shareTopics(app, { feed: wrong as never })).toThrow('"feed"');
    expect(() => shareTopics(app, { feed, onError: 5 as never })).toThrow('"onError"');
    shareTopics(app, { feed });
    expect(() => shareTopics(app, { feed })).toThrow(
      "Cannot call shareTopics(): Rooms has topics already; call it once, before the application is served",
    );
    const served = Application.builder().resources(Rooms).build();
    await served.connect("/rooms/a");
    expect(() => shareTopics(served, { feed })).toThrow("Rooms has topics already");
  });
});

describe("feeds that misbehave", () => {
  const sent = { from: "x", at: "/rooms/:room", topic: "a", text: '{"said":"hi"}' };

  it("C20.6 delivers on after what is no message, whatever it is", async () => {
    const errors: unknown[] = [];
    const garbage = [
      undefined,
      null,
      7,
      { data: { ...sent, at: JSON.parse('{"toString":1,"valueOf":1}') as unknown } },
      { data: { ...sent, topic: JSON.parse('{"toString":1}') as unknown } },
      { data: JSON.parse(`{"__proto__":${JSON.stringify(sent)}}`) as unknown },
      { data: { ...sent, at: "__proto__" } },
      { data: { ...sent, at: "constructor" } },
      { data: Symbol("data") },
    ];
    const inbox = {
      async *listen(): AsyncGenerator<{ readonly data: unknown }> {
        await turn();
        yield* garbage as { readonly data: unknown }[];
        yield { data: sent };
        await new Promise(() => {});
      },
    };
    const { got } = await peerOf(
      processOf({ inbox, send: () => {} }, (error) => errors.push(error)),
      "/rooms/a",
    );
    await turn();
    expect([got, errors]).toEqual([[{ said: "hi" }], []]);
  });

  it("C20.6 reaches a peer at most once where the feed delivers again, in any order", async () => {
    const inbox = new Inbox<unknown>({ maxEvents: 10_000 });
    const messages: unknown[] = [];
    const here = processOf({ inbox, send: (data) => void messages.push(data) });
    const there = processOf({ inbox, send: () => {} });
    const { got } = await peerOf(there, "/rooms/a");
    for (let at = 0; at < 1_500; at++) here.publish(Rooms, "a", { said: String(at) });
    for (const data of [...messages, ...messages.slice(-900).toReversed()]) inbox.send(data);
    await turn();
    expect(got).toHaveLength(1_500);
    // Processes of the version before number nothing.
    for (let times = 0; times < 2; times++) inbox.send(sent);
    await turn();
    expect(got).toHaveLength(1_502);
  });

  it("sends nothing more to a feed that has stopped while 16 MiB wait, says so once, and goes on with it", async () => {
    const errors: unknown[] = [];
    let resume: (error?: Error) => void = () => {};
    const pending = new Promise<void>((resolve, reject) => {
      resume = (error) => (error === undefined ? resolve() : reject(error));
    });
    const send = vi.fn<() => Promise<void>>(() => pending);
    const app = processOf({ inbox: new Inbox(), send }, (error) => errors.push(error));
    const { got } = await peerOf(app, '/topics?name="a"');
    for (let at = 0; at < 20; at++) app.publish(Named, "a", "x".repeat(1_048_576));
    expect([send.mock.calls.length, errors.map(String)]).toEqual([
      16,
      [
        "RangeError: Cannot send messages of Named to other processes: 16777216 characters or bytes wait for the " +
          "feed; look at its connection",
      ],
    ]);
    await turn();
    expect(got).toHaveLength(20);
    resume();
    await turn();
    app.publish(Named, "a", "x");
    expect([send.mock.calls.length, errors.length]).toEqual([17, 1]);
  });

  it("prints what an observer of errors throws, and what it rejects with", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const send = (): Promise<never> => Promise.reject(new Error("no feed"));
    const observers = [
      (): never => {
        throw new Error("at once");
      },
      (): Promise<never> => Promise.reject(new Error("later")),
    ];
    for (const onError of observers) processOf({ inbox: new Inbox(), send }, onError).publish(Rooms, "a", { said: "" });
    await turn();
    expect(printed.mock.calls.flat().map(String)).toEqual(["Error: no feed", "Error: at once", "Error: later"]);
    printed.mockRestore();
  });

  it("C20.3 closes and cuts a peer as ever where listening fails at once", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const errors: unknown[] = [];
    const inbox = {
      listen(): never {
        throw new Error("down");
      },
    };
    const app = processOf({ inbox, send: () => {} }, (error) => errors.push(error));
    const request = new Request("http://h/rooms/a", { headers: handshake });
    await app.fetch(request);
    const log: unknown[] = [];
    takeAccepted(request)!.connection.opened(notedWire(log));
    await vi.advanceTimersByTimeAsync(5_000);
    expect([errors.map(String), log]).toEqual([
      ["Error: down"],
      [[1001, "Connect again: messages of other servers are lost"], "cut"],
    ]);
  });

  // On Deno fetch() completes a handshake, so that none is under way.
  it.skipIf("Deno" in globalThis)(
    "C20.5 listens no more when the application closes, whatever the feed does",
    async () => {
      const errors: unknown[] = [];
      const feed = feedBy();
      const app = processOf(feed, (error) => errors.push(error));
      const { peer } = await peerOf(app, "/rooms/a");
      expect(feed.inbox.listeners).toBe(1);
      await app.closeSockets();
      expect([(await peer.closed).code, feed.inbox.listeners]).toEqual([1001, 0]);
      let say: () => void = () => {};
      let isLeft = false;
      const deaf = {
        async *listen(): AsyncGenerator<{ readonly data: unknown }> {
          try {
            await new Promise<void>((resolve) => (say = resolve));
            yield { data: sent };
          } finally {
            isLeft = true;
          }
        },
      };
      const other = processOf({ inbox: deaf, send: () => new Promise(() => {}) }, (error) => errors.push(error));
      const request = new Request("http://h/rooms/a", { headers: handshake });
      await other.fetch(request);
      const { got } = await peerOf(other, "/rooms/a");
      other.publish(Rooms, "a", { said: "bye" });
      await other.closeSockets();
      say();
      await turn();
      expect([isLeft, got[0], errors]).toEqual([true, { said: "bye" }, []]);
      // A handshake that was under way begins nothing anew.
      const log: unknown[] = [];
      const wire = { waiting: 0, send: () => {}, close: (...end: unknown[]) => log.push(end), cut: () => {} };
      isLeft = false;
      takeAccepted(request)!.connection.opened(wire as Wire);
      await turn();
      expect([log, isLeft]).toEqual([[[1001, "The server stops"]], false]);
      const failing = {
        async *listen(signal?: AbortSignal): AsyncGenerator<{ readonly data: unknown }> {
          yield await new Promise<never>((_, reject) => {
            signal!.addEventListener("abort", () => reject(signal!.reason as Error));
          });
        },
      };
      const last = processOf({ inbox: failing, send: () => {} }, (error) => errors.push(error));
      await peerOf(last, "/rooms/a");
      await last.closeSockets();
      await turn();
      expect(errors).toEqual([]);
    },
  );

  it("takes any text as a topic, and nothing else", async () => {
    const feed = feedBy();
    const [here, there] = [processOf(feed), processOf(feed)];
    const names = ["__proto__", "constructor", "", "\0", "\ud800", "x".repeat(10_000), "a\nb", '{"from":1}'];
    for (const name of names) {
      const { got } = await peerOf(there, `/topics?name=${encodeURIComponent(JSON.stringify(name))}`);
      here.publish(Named, name, "hi");
      await turn();
      expect(got).toEqual(["hi"]);
    }
    const wrong = "Cannot use 5 as a topic: expected a string; write String(value)";
    expect(() => here.publish(Named, 5 as never, "hi")).toThrow(wrong);
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const { peer } = await peerOf(there, "/topics?name=5");
    expect((await peer.closed).code).toBe(1011);
    const other = await peerOf(there, '/topics?name="a"');
    other.peer.send("publish");
    expect((await other.peer.closed).code).toBe(1011);
    expect(
      printed.mock.calls
        .flat()
        .map(String)
        .filter((line) => line.includes(wrong)),
    ).toHaveLength(2);
    printed.mockRestore();
  });
});
