import { Inbox } from "fingerpost/content/events";
import { shareTopics, upgrade, type ProcessFeed } from "fingerpost/content/sockets";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { Application, bytes, reply, Resource, socket, type Answer, type Call } from "fingerpost/semantics";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

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

/** A resource without a path, which has no peers. */
class Unreachable extends Resource {}

const feedBy = (inbox = new Inbox<unknown>()) => ({
  inbox,
  // As it is after JSON.
  send: vi.fn<(data: unknown) => unknown>((data) => void inbox.send(JSON.parse(JSON.stringify(data)))),
});

/** An application of one process. */
function processOf(feed: ProcessFeed, onError?: (error: unknown) => void) {
  const app = Application.builder().resources(Rooms, Pictures, Unreachable).build();
  shareTopics(app, { feed, onError });
  return app;
}

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
      "Cannot call shareTopics(): expected an application that was built, got null; write Application.builder().build()",
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
