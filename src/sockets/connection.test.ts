import { describe, expect, it, onTestFinished, vi } from "vitest";
import { measured } from "../../tests/support/measured.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { rawMessages, type MessageFormat } from "./messages.ts";
import type { Peer, PeerHandlers } from "./peer.ts";
import { topicsOf } from "./topics.ts";
import type { Wire } from "./wire.ts";

class FakeWire implements Wire {
  waiting = 0;
  readonly log: unknown[] = [];
  send(data: string | Uint8Array): void {
    this.log.push(data);
  }
  close(code: number, reason: string): void {
    this.log.push(["close", code, reason]);
  }
  cut(): void {
    this.log.push("cut");
  }
}

class PausingWire extends FakeWire {
  pause(): void {
    this.log.push("pause");
  }
  resume(): void {
    this.log.push("resume");
  }
  ping(): void {
    this.log.push("ping");
  }
}

/** A connection of a server that delivers to topics itself. */
class JoiningWire extends FakeWire {
  readonly server: Map<string, Set<JoiningWire>>;
  /** What `publish()` says; servers that say the same always are there, too. */
  isRead = true;
  constructor(server: Map<string, Set<JoiningWire>>) {
    super();
    this.server = server;
  }
  join(topic: string): void {
    this.server.set(topic, (this.server.get(topic) ?? new Set()).add(this));
  }
  part(topic: string): void {
    this.server.get(topic)!.delete(this);
  }
  joined(topic: string): number {
    return this.server.get(topic)?.size ?? 0;
  }
  publish(topic: string, data: string | Uint8Array, isForItself: boolean): boolean {
    for (const one of this.server.get(topic)!) if (one !== this || isForItself) one.log.push(["published", data]);
    return this.isRead;
  }
}

interface Opened<W extends FakeWire> {
  readonly connection: Connection;
  readonly wire: W;
  readonly errors: unknown[];
}

function unopened(
  handlers: PeerHandlers<unknown, unknown>,
  more: Partial<ConnectionOptions> = {},
): Omit<Opened<FakeWire>, "wire"> {
  const errors: unknown[] = [];
  const connection = new Connection({
    handlers,
    receives: rawMessages,
    sends: rawMessages,
    topics: topicsOf({}, () => rawMessages),
    maxBytes: 100,
    maxMessagesPerSecond: 10_000,
    protocol: "",
    until: null,
    onError: (error) => errors.push(error),
    ...more,
  });
  return { connection, errors };
}

function opened<W extends FakeWire = FakeWire>(
  handlers: PeerHandlers<unknown, unknown>,
  more: Partial<ConnectionOptions> = {},
  wire: W = new FakeWire() as W,
): Opened<W> {
  const { connection, errors } = unopened(handlers, more);
  connection.opened(wire);
  return { connection, wire, errors };
}

/** What close() was told. */
async function toldBy(act: (connection: Connection, wire: FakeWire) => void, wire = new FakeWire()): Promise<unknown> {
  const log: unknown[] = [];
  const { connection } = opened({ close: (_peer, code, reason) => void log.push(code, reason) }, {}, wire);
  act(connection, wire);
  await turn();
  return log;
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe("Connection", () => {
  it("measures open connections, and messages both ways", async () => {
    const found = measured();
    const { connection } = opened({ message: (peer) => void peer.send("answer") });
    connection.received("question");
    for (let i = 0; i < 2; i++) connection.closed(1000, "");
    unopened({}).connection.closed(1006, "");
    const [active, messages] = ["fingerpost.sockets.active", "fingerpost.sockets.messages"];
    expect(found).toEqual([
      [active, 1],
      [messages, 1, { "network.io.direction": "receive" }],
      [messages, 1, { "network.io.direction": "transmit" }],
      [active, -1],
    ]);
  });

  it("C20.12 tells close() what this side closed with, whatever the client answers", async () => {
    for (const [code, reason] of [
      [4321, "mine"],
      [1005, ""],
      [1006, ""],
    ] as const) {
      const told = await toldBy((connection) => {
        connection.close(1013, "x".repeat(200));
        connection.closed(code, reason);
      });
      expect(told).toEqual([1013, "x".repeat(123)]);
    }
    class ClosedWire extends FakeWire {
      override close(): boolean {
        return false;
      }
    }
    const first = await toldBy((connection) => {
      connection.close(1000, "late");
      connection.closed(4000, "first");
    }, new ClosedWire());
    expect(first).toEqual([4000, "first"]);
  });

  it("C20.12 tells close() the code of the client, 1005 without one, and 1006 of what is none", async () => {
    const codes = [1000, 1001, 1014, 3000, 4999, 1005, 1006, 999, 1004, 1015, 2999, 5000];
    const told = await Promise.all(codes.map((code) => toldBy((connection) => connection.closed(code, "why"))));
    const none = [1006, ""];
    const given = [1000, 1001, 1014, 3000, 4999, 1005].map((code) => [code, "why"]);
    expect(told).toEqual([...given, ...Array.from({ length: 6 }, () => none)]);
  });

  it("C20.3 handles messages in order, one at a time, after open()", async () => {
    const log: unknown[] = [];
    const { connection } = opened({
      open: async () => {
        await turn();
        log.push("open");
      },
      message: async (_peer, message) => {
        log.push(`${String(message)} begins`);
        await turn();
        log.push(`${String(message)} ends`);
      },
      close: (_peer, code, reason) => log.push([code, reason]),
    });
    connection.received("a");
    connection.received("b");
    connection.closed(1000, "bye");
    connection.closed(1006, "");
    connection.received("late");
    await vi.waitFor(() => expect(log).toHaveLength(6));
    expect(log).toEqual(["open", "a begins", "a ends", "b begins", "b ends", [1000, "bye"]]);
  });

  it("C20.3 stops reading when messages wait, and reads on when they are handled", async () => {
    let go = (): void => {};
    const { connection, wire } = opened(
      { message: (_peer, message) => (message === "0" ? new Promise<void>((resolve) => (go = resolve)) : undefined) },
      {},
      new PausingWire(),
    );
    for (let at = 0; at < 80; at++) connection.received(String(at));
    expect(wire.log[0]).toBe("pause");
    expect(wire.log).not.toContain("resume");
    go();
    await vi.waitFor(() => expect(wire.log.at(-1)).toBe("resume"));
    connection.closed(1000, "");
  });

  it("C20.3 closes a peer that is too fast where reading cannot be stopped", () => {
    const { connection, wire } = opened({ message: () => new Promise(() => {}) });
    for (let at = 0; at < 1_003; at++) connection.received("x");
    expect(wire.log).toEqual([["close", 1008, "Messages come faster than they are handled"]]);
  });

  it("C20.2 closes for messages that are too long, too many, or of the other kind", () => {
    const text: MessageFormat = { ...rawMessages, isBinary: false };
    const ends = (data: string | Uint8Array<ArrayBuffer>, more: Partial<ConnectionOptions> = {}): unknown => {
      const { connection, wire } = opened({}, more);
      connection.received(data);
      return wire.log[0];
    };
    expect(ends("x".repeat(101))).toEqual(["close", 1009, "A message has more than 100 bytes"]);
    expect(ends("ä".repeat(60))).toEqual(["close", 1009, "A message has more than 100 bytes"]);
    expect(ends("ä".repeat(50))).toBeUndefined();
    expect(ends(new Uint8Array(101))).toEqual(["close", 1009, "A message has more than 100 bytes"]);
    expect(ends(new Uint8Array(1), { receives: text })).toEqual(["close", 1003, "Messages are text"]);
    const binary: MessageFormat = { ...rawMessages, isBinary: true };
    expect(ends("x", { receives: binary })).toEqual(["close", 1003, "Messages are binary"]);
    expect(ends("x", { maxMessagesPerSecond: 0 })).toEqual(["close", 1008, "More than 0 messages a second"]);
  });

  it("C20.2 tells what does not fit, to a handler or by 1008", async () => {
    const errors = [{ pointer: "#/text", detail: `${"ä".repeat(60)} is expected` }];
    const receives: MessageFormat = { ...rawMessages, read: () => ({ errors }) };
    const told: unknown[] = [];
    opened({ invalid: (_peer, all) => told.push(all) }, { receives }).connection.received("x");
    expect(told).toEqual([errors]);
    const { connection, wire } = opened({}, { receives });
    connection.received("x");
    // 123 bytes, between two characters.
    expect(wire.log).toEqual([["close", 1008, `#/text: ${"ä".repeat(57)}`]]);
    const later: MessageFormat = { ...rawMessages, read: async () => ({ errors: [] }) };
    const none = opened({}, { receives: later });
    none.connection.received("x");
    await vi.waitFor(() => expect(none.wire.log).toEqual([["close", 1008, "#: Does not fit the schema"]]));
  });

  it("C20.3 ends with 1011 after an error, and tells it once", async () => {
    for (const handlers of [
      {
        message: () => {
          throw new Error("x");
        },
      },
      {
        message: async () => {
          throw new Error("x");
        },
      },
      {
        open: () => {
          throw new Error("x");
        },
      },
    ] as PeerHandlers<unknown, unknown>[]) {
      const { connection, wire, errors } = opened(handlers);
      connection.received("a");
      connection.received("b");
      await vi.waitFor(() => expect(wire.log).toEqual([["close", 1011, ""]]));
      connection.closed(1011, "");
      await turn();
      expect(errors).toHaveLength(1);
    }
    const late = opened({
      close: () => {
        throw new Error("late");
      },
    });
    late.connection.closed(1000, "");
    await vi.waitFor(() => expect(late.errors).toHaveLength(1));
  });

  it("tells an error once if open() and the message after it fail", async () => {
    const { connection, errors } = opened({
      message: async (_peer, message) => {
        await turn();
        throw new Error(String(message));
      },
    });
    connection.received("a");
    connection.received("b");
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    await turn();
    expect(errors).toHaveLength(1);
  });

  it("C20.4 says whether more may be sent, and gives up a client that does not read", async () => {
    let peer!: Peer<unknown>;
    const { connection, wire } = opened({ open: (one) => void (peer = one) });
    expect(peer.send("a")).toBe(true);
    await peer.drained();
    wire.waiting = 65_536;
    expect(peer.send("b")).toBe(false);
    let isDrained = false;
    const drained = peer.drained().then(() => (isDrained = true));
    connection.drained();
    await turn();
    expect(isDrained).toBe(false);
    wire.waiting = 0;
    connection.drained();
    await drained;
    wire.waiting = 1_048_577;
    expect(peer.send("c")).toBe(false);
    expect(wire.log.slice(-2)).toEqual([["close", 1013, "The client does not read"], "cut"]);
    expect(peer.send("d")).toBe(false);
    await peer.drained();
  });

  it("C20.4 leaves a client alone that could not have read a long message yet", () => {
    let peer!: Peer<unknown>;
    const { wire } = opened({ open: (one) => void (peer = one) });
    const send = wire.send.bind(wire);
    wire.send = (data) => {
      wire.waiting += data.length;
      send(data);
    };
    const long = "x".repeat(4_194_304);
    expect(peer.send(long)).toBe(false);
    // What follows at once has the room that is there without it.
    for (let sent = 0; sent < 17; sent++) expect(peer.send("y".repeat(65_536))).toBe(false);
    expect(wire.log.filter((one) => one === "cut")).toEqual([]);
    peer.send("late");
    expect(wire.log.slice(-2)).toEqual([["close", 1013, "The client does not read"], "cut"]);
    // When the long message has left, less may wait.
    const second = opened({ open: (one) => void (peer = one) });
    second.wire.send = (data) => void (second.wire.waiting += data.length);
    peer.send(long);
    second.wire.waiting = 0;
    peer.send("a");
    second.wire.waiting = 1_200_000;
    peer.send("b");
    expect(second.wire.log).toEqual([["close", 1013, "The client does not read"], "cut"]);
  });

  it("C20.4 refuses a message of more than 16 MiB, which no client takes, and publishes none", () => {
    let peer!: Peer<unknown>;
    const { wire } = opened({ open: (one) => void (peer = one) });
    peer.send(new Uint8Array(16_777_216));
    peer.send("ä".repeat(8_388_608));
    const sent = wire.log.length;
    const refused = new RangeError("Cannot send a message: it has more than 16777216 bytes; send it in parts");
    for (const long of [new Uint8Array(16_777_217), "x".repeat(16_777_217), `${"ä".repeat(8_388_608)}x`]) {
      expect(() => peer.send(long)).toThrow(refused);
      expect(() => peer.publish("all", long)).toThrow(refused);
    }
    expect(wire.log.length).toBe(sent);
  });

  it("C20.3 cuts a client that does not answer a close frame within 5 s", () => {
    vi.useFakeTimers();
    let peer!: Peer<unknown>;
    const { connection, wire } = opened({ open: (one) => void (peer = one) });
    peer.close(3000, "bye");
    peer.close();
    vi.advanceTimersByTime(4_999);
    expect(wire.log).toEqual([["close", 3000, "bye"]]);
    vi.advanceTimersByTime(1);
    expect(wire.log).toEqual([["close", 3000, "bye"], "cut"]);
    connection.cut();
    expect(wire.log.at(-1)).toBe("cut");
    const answered = opened({ open: (one) => one.close() });
    answered.connection.closed(1000, "");
    vi.advanceTimersByTime(10_000);
    expect(answered.wire.log).toEqual([["close", 1000, ""]]);
    vi.useRealTimers();
  });

  it("refuses codes that no close frame has", () => {
    let peer!: Peer<unknown>;
    opened({ open: (one) => void (peer = one) });
    for (const code of [0, 999, 1002, 1004, 1005, 1006, 1015, 2999, 5000, 1.5]) {
      expect(() => peer.close(code)).toThrow(RangeError);
    }
    expect(() => peer.close(1005)).toThrow(
      "Cannot close a connection with 1005: write 1000, or a code from 3000 to 4999",
    );
  });

  it("C20.4 pings every 30 s, and cuts a client that does not answer twice", () => {
    vi.useFakeTimers();
    const { connection, wire } = opened({}, {}, new PausingWire());
    const other = opened({}, {}, new PausingWire());
    vi.advanceTimersByTime(30_000);
    expect(wire.log).toEqual(["ping"]);
    connection.alive();
    vi.advanceTimersByTime(60_000);
    expect(wire.log).toEqual(["ping", "ping", "ping"]);
    expect(other.wire.log).toEqual(["ping", "ping", "cut"]);
    vi.advanceTimersByTime(30_000);
    expect(wire.log.at(-1)).toBe("cut");
    connection.closed(1006, "");
    connection.alive();
    vi.advanceTimersByTime(120_000);
    expect(wire.log).toHaveLength(4);
    vi.useRealTimers();
  });

  it("C20.4 has a signal that aborts at the end", () => {
    let peer!: Peer<unknown>;
    const { connection } = opened({ open: (one) => void (peer = one) }, { protocol: "v1" });
    const { signal } = peer;
    expect([signal.aborted, peer.protocol]).toEqual([false, "v1"]);
    connection.closed(1000, "");
    expect([signal.aborted, peer.signal]).toEqual([true, signal]);
    const late = opened({ open: (one) => void (peer = one) });
    late.connection.closed(1000, "");
    expect(peer.signal.aborted).toBe(true);
  });

  it("C20.11 closes with 1008 at a date", () => {
    vi.useFakeTimers();
    const { wire } = opened({}, { until: Date.now() + 1_000 });
    vi.advanceTimersByTime(999);
    expect(wire.log).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(wire.log).toEqual([["close", 1008, "The time is over"]]);
    const past = opened({}, { until: Date.now() - 1 });
    vi.advanceTimersByTime(0);
    expect(past.wire.log).toHaveLength(1);
    past.connection.closed(1008, "");
    // More than a timer can wait.
    const days = 24 * 60 * 60 * 1_000;
    const late = opened({}, { until: Date.now() + 40 * days });
    vi.advanceTimersByTime(39 * days);
    expect(late.wire.log).toEqual([]);
    vi.advanceTimersByTime(days);
    expect(late.wire.log).toEqual([["close", 1008, "The time is over"]]);
    vi.useRealTimers();
  });

  it("C20.6 publishes to the topics of its resource", () => {
    const topics = topicsOf({}, () => rawMessages);
    const peers: Peer<unknown>[] = [];
    const open = (peer: Peer<unknown>): void => void peers.push(peer);
    const [one, two, three] = [1, 2, 3].map(() => opened({ open }, { topics }));
    for (const peer of peers) peer.subscribe("a");
    peers[2]!.unsubscribe("a");
    peers[2]!.unsubscribe("a");
    peers[0]!.publish("a", "x");
    expect([one, two, three].map((each) => each!.wire.log)).toEqual([[], ["x"], []]);
    topics.publish("a", "all", null);
    topics.publish("none", "nobody", null);
    expect([one, two, three].map((each) => each!.wire.log)).toEqual([["all"], ["x", "all"], []]);
    two!.connection.closed(1000, "");
    peers[1]!.subscribe("a");
    topics.publish("a", "y", null);
    expect(two!.wire.log).toEqual(["x", "all"]);
    expect(topics.size).toBe(2);
  });

  it("C20.6 has a server that knows topics deliver, if it has all that listen", () => {
    const topics = topicsOf({}, () => rawMessages);
    const server = new Map<string, Set<JoiningWire>>();
    const peers: Peer<unknown>[] = [];
    const open = (peer: Peer<unknown>): void => void peers.push(peer);
    const [one, two] = [1, 2].map(() => opened({ open }, { topics }, new JoiningWire(server)));
    for (const peer of peers) peer.subscribe("a");
    const found = measured();
    peers[0]!.publish("a", "x");
    topics.publish("a", "all", null);
    const taken = (): unknown[] => [one, two].map(({ wire }: { wire: FakeWire } = one!) => wire.log.splice(0));
    const [x, all] = ["x", "all"].map((data) => ["published", data]);
    expect(taken()).toEqual([[all], [x, all]]);
    const sent = ["fingerpost.sockets.messages", 1, { "network.io.direction": "transmit" }];
    expect(found).toEqual([sent, sent.with(1, 2)]);
    peers[1]!.unsubscribe("a");
    // Who does not listen may publish.
    peers[1]!.publish("a", "x");
    expect(taken()).toEqual([[x], []]);
    expect(found.at(-1)).toEqual(sent);
    // A peer of another server, or in memory, has the message sent to each peer by itself.
    opened({ open }, { topics }, new JoiningWire(new Map()));
    const inMemory = opened({ open }, { topics });
    for (const at of [2, 3]) {
      peers[at]!.subscribe("a");
      topics.publish("a", "x", null);
      expect(taken()).toEqual([["x"], []]);
    }
    expect(inMemory.wire.log).toEqual(["x"]);
    peers[2]!.publish("a", "y");
    expect([taken(), inMemory.wire.log]).toEqual([
      [["y"], []],
      ["x", "y"],
    ]);
  });

  it("C20.4 weighs all that listen when messages wait for one, and now and then", () => {
    const topics = topicsOf({}, () => rawMessages);
    const server = new Map<string, Set<JoiningWire>>();
    const open = (peer: Peer<unknown>): void => peer.subscribe("a");
    const [slow, reader] = [1, 2].map(() => opened({ open }, { topics }, new JoiningWire(server)).wire);
    const over = [["close", 1013, "The client does not read"], "cut"];
    const taken = (): unknown[] => slow!.log.splice(0).filter((one) => !String(one).startsWith("published"));
    slow!.waiting = 2_000_000;
    topics.publish("a", "x", null);
    expect(taken()).toEqual([]);
    slow!.isRead = false;
    // The client could not have read the message yet.
    for (const long of [new Uint8Array(1_000_000), "ä".repeat(500_000)]) topics.publish("a", long, null);
    expect(taken()).toEqual([]);
    slow!.waiting = 1_000;
    topics.publish("a", "x", null);
    slow!.waiting = 1_048_577;
    topics.publish("a", "x", null);
    expect(taken()).toEqual([]);
    slow!.waiting++;
    topics.publish("a", "x", null);
    topics.publish("a", "x", null);
    expect(taken()).toEqual(over);
    slow!.isRead = true;
    reader!.waiting = 2_000_000;
    for (let sent = 0; sent < 15; sent++) topics.publish("a", "y".repeat(65_536), null);
    expect(reader!.log).not.toContain("cut");
    topics.publish("a", "y".repeat(65_536), null);
    expect(reader!.log.slice(-2)).toEqual(over);
  });

  it("C20.11 closes when what it follows has ended, before it opens as well as after", () => {
    const ends = new Set<() => void>();
    const follow = (end: () => void): (() => void) => {
      ends.add(end);
      return () => ends.delete(end);
    };
    const begins = vi.fn<() => void>();
    const { connection, wire } = opened({ open: begins }, { follows: [follow] });
    for (const end of ends) end();
    expect(wire.log).toContainEqual(["close", 1008, "The session is over"]);
    expect([begins.mock.calls.length, ends.size]).toEqual([1, 1]);
    connection.closed(1008, "");
    expect(ends.size).toBe(0);

    const over = (end: () => void): (() => void) => {
      end();
      return () => {};
    };
    const late = opened({ open: begins }, { follows: [over] });
    expect(late.wire.log).toContainEqual(["close", 1008, "The session is over"]);
    expect(begins).toHaveBeenCalledTimes(1);
  });

  it("C20.4 leaves a client alone whose answers nobody reads, while its handler takes its time", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let handled = (): void => {};
    const message = (): Promise<void> => new Promise((resolve) => (handled = resolve));
    const { connection, wire } = opened<PausingWire>({ message }, {}, new PausingWire());
    for (let at = 0; at < 65; at++) connection.received("x");
    vi.advanceTimersByTime(300_000);
    expect(wire.log).toEqual(["pause"]);
    connection.close(1000, "");
    handled();
    connection.closed(1000, "");
  });

  it("C20.5 leaves with 1001 when its server stops", () => {
    const { connection, wire } = opened({});
    connection.leave();
    expect(wire.log).toEqual([["close", 1001, "The server stops"]]);
    connection.closed(1001, "");
  });

  it("C20.11 follows nothing if its server never opens it", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const stopped = vi.fn<() => void>();
    const options = {
      handlers: {},
      receives: rawMessages,
      sends: rawMessages,
      topics: topicsOf({}, () => rawMessages),
    };
    const connection = new Connection({
      ...options,
      ...{
        maxBytes: 1,
        maxMessagesPerSecond: 1,
        protocol: "",
        until: null,
        onError: () => {},
        follows: [() => stopped],
      },
    });
    vi.advanceTimersByTime(30_000);
    expect(stopped).toHaveBeenCalledTimes(1);
    // Nobody would close it later.
    const wire = new FakeWire();
    connection.opened(wire);
    expect(wire.log).toEqual([["close", 1008, "The session is over"]]);
  });

  it("does nothing before it opens", async () => {
    const connection = new Connection({
      handlers: {},
      receives: rawMessages,
      sends: rawMessages,
      topics: topicsOf({}, () => rawMessages),
      maxBytes: 1,
      maxMessagesPerSecond: 1,
      protocol: "",
      until: null,
      onError: () => {},
    });
    expect(connection.send("x")).toBe(false);
    await connection.waited();
    connection.cut();
    connection.received("x");
  });

  it("sends strings and bytes, and no other values", () => {
    const { connection, wire } = opened({});
    connection.send(new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 1));
    expect(wire.log).toEqual([new Uint8Array([2])]);
    expect(() => connection.send({ a: 1 })).toThrow(
      "Cannot send a message: expected a string or bytes; write JSON.stringify(value)",
    );
  });
});
