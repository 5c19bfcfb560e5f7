import type { AddressInfo } from "node:net";
import { Application, bytes, reply, Resource, ResourceGroup, socket, text, type Answer, type Call } from "fingerpost";
import { client } from "fingerpost/client";
import { bearer } from "fingerpost/middleware/bearer";
import { serve } from "fingerpost/node";
import { afterEach, describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { SocketError, type ClientSocket } from "../sockets/client-socket.ts";
import { connect } from "./client-sockets.ts";

const said = z.object({ text: z.string().max(9) });
const heard = z.object({ at: z.string().or(z.date()), text: z.string() });

class Room extends Resource {
  override paths = ["/rooms/:room"] as const;
  static GET = { 101: socket({ receives: said, sends: heard, protocols: ["v1"] }), 404: "No such room" };
  override GET({ path: { room } }: Call<typeof Room, "GET">): Answer<typeof Room, "GET"> {
    if (room === "none") return reply(404);
    return reply(101, {
      open: (peer) => (room === "brief" ? peer.close(4001, "Brief") : peer.send({ at: "now", text: peer.protocol })),
      message: (peer, message) => peer.send({ at: new Date(0), text: message.text }),
    });
  }
}

class Plain extends Resource {
  override paths = ["/plain"] as const;
  static GET = { 101: socket({ receives: text(), sends: text() }), 200: text() };
  override GET({ isHandshake }: Call<typeof Plain, "GET">): Answer<typeof Plain, "GET"> {
    if (isHandshake !== true) return "plain";
    return reply(101, { message: (peer, message) => peer.send(`${message}!`) });
  }
}

class Binary extends Resource {
  override paths = ["/binary"] as const;
  static GET = { 101: socket({ receives: bytes(), sends: bytes() }) };
  override GET(): Answer<typeof Binary, "GET"> {
    return reply(101, { message: (peer, message) => peer.send(message.slice(1)) });
  }
}

class Other extends Resource {
  override paths = ["/other"] as const;
  static GET = { 200: text() };
  override GET(): string {
    return "";
  }
}

const group = ResourceGroup.builder()
  .resources(Room)
  .middleware(bearer({ tokens: { k7: "Ada" } }))
  .build();
const app = Application.builder().resources(group, Plain, Binary, Other).build();
const headers = { authorization: "Bearer k7" };

async function serving(): Promise<ReturnType<typeof apiAt>> {
  const stop = new AbortController();
  const server = await serve(app, { port: 0, signal: stop.signal, graceMs: 100 });
  onTestFinished(() => stop.abort());
  return apiAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function apiAt(base: string) {
  return client<typeof app>(base);
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("connect() over a network", () => {
  it("C20.8 sends and reads messages of the declared types, with fields and a subprotocol", async () => {
    const api = await serving();
    const input = { path: { room: "a" }, headers };
    const result = await connect(api["/rooms/:room"].GET, input, { WebSocket, protocols: ["v2", "v1"] });
    expect([result.status, result.ok]).toEqual([101, true]);
    const room = result.orThrow();
    expectTypeOf(room).toEqualTypeOf<ClientSocket<{ at: string; text: string }, { text: string }>>();
    expect(room.send({ text: "Hello" })).toBe(true);
    const got: unknown[] = [];
    for await (const message of room) if (got.push(message) === 2) break;
    expect(got).toEqual([
      { at: "now", text: "v1" },
      { at: "1970-01-01T00:00:00.000Z", text: "Hello" },
    ]);
    expect(room.protocol).toBe("v1");
    expect(await room.closed).toEqual({ code: 1000, reason: "" });
    expect(room.send({ text: "late" })).toBe(false);
    expect(await room.next()).toEqual({ value: undefined, done: true });
  });

  it("C20.8 says why a handshake is refused, by the result of the call", async () => {
    const api = await serving();
    const { GET } = api["/rooms/:room"];
    const refused = await connect(GET, { path: { room: "a" } }, { WebSocket });
    expect(refused.status).toBe(401);
    expect(() => refused.orThrow()).toThrow("GET /rooms/:room was answered by 401");
    // Without a handshake the handler is not asked: 426.
    const none = connect(GET, { path: { room: "none" }, headers }, { WebSocket });
    await expect(none).rejects.toThrow(
      "GET /rooms/:room was closed with 1006: The handler refused the handshake, or it failed on the way",
    );
  });

  it("C20.8 throws other codes than 1000 as errors of the loop, once", async () => {
    const api = await serving();
    const room = (
      await connect(api["/rooms/:room"].GET, { path: { room: "brief" }, headers }, { WebSocket })
    ).orThrow();
    const error = await room.next().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SocketError);
    expect(error).toMatchObject({
      code: 4001,
      reason: "Brief",
      message: "GET /rooms/:room was closed with 4001: Brief",
    });
    expect(await room.next()).toEqual({ value: undefined, done: true });
    const unfit = (await connect(api["/rooms/:room"].GET, { path: { room: "a" }, headers }, { WebSocket })).orThrow();
    unfit.send({ text: "much too long" });
    await unfit.next();
    await expect(unfit.next()).rejects.toMatchObject({ code: 1008, reason: expect.stringMatching(/^#\/text: /) });
  });

  it("C20.8 takes text and bytes as they are declared", async () => {
    const api = await serving();
    const plain = (await connect(api["/plain"].GET, {}, { WebSocket, text: "both" })).orThrow() as ClientSocket<
      string,
      string
    >;
    plain.send("5");
    expect((await plain.next()).value).toBe("5!");
    plain.close(3000, "x".repeat(200));
    expect(await plain.next()).toEqual({ value: undefined, done: true });
    expect(await plain.closed).toEqual({ code: 3000, reason: "x".repeat(123) });
    expect(() => plain.close(1001)).toThrow("Cannot close a connection with 1001: write 1000, or a code from 3000");
    expect(() => plain.close(70_000)).toThrow(RangeError);
    // Without the option, what is no JSON ends the loop.
    const json = (await connect(api["/plain"].GET, {}, { WebSocket, text: "receives" as never })).orThrow();
    (json as ClientSocket<string, string>).send("x");
    await expect((json as ClientSocket).next()).rejects.toThrow(
      'Cannot read a message of GET /plain: expected JSON; write { text: "sends" } if the operation sends text()',
    );
    const binary = (await connect(api["/binary"].GET, {}, { WebSocket })).orThrow();
    binary.send(new Uint16Array([0x0201]));
    expect((await binary.next()).value).toEqual(new Uint8Array([2]));
    await binary.return!();
  });

  it("C20.8 uses the global class, with fields where it takes them", async () => {
    const api = await serving();
    const input = { path: { room: "a" }, headers };
    vi.stubGlobal("WebSocket", undefined);
    await expect(connect(api["/rooms/:room"].GET, input)).rejects.toThrow(
      "Cannot connect to GET /rooms/:room: the runtime has no WebSocket; write connect(call, input, { WebSocket })",
    );
    class OfNode extends WebSocket {
      constructor(url: string, init: string[] | { protocols: string[]; headers: Record<string, string> }) {
        if (Array.isArray(init)) super(url, init);
        else super(url, init.protocols, { headers: init.headers });
      }
    }
    vi.stubGlobal("WebSocket", OfNode);
    (await connect(api["/rooms/:room"].GET, input)).orThrow();
    class OfBrowser extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, String(protocols) === "" ? [] : String(protocols).split(","));
      }
    }
    vi.stubGlobal("WebSocket", OfBrowser);
    await expect(connect(api["/rooms/:room"].GET, input)).rejects.toThrow(SocketError);
    expect((await connect(api["/plain"].GET, {}, { text: "both" })).status).toBe(101);
  });

  it("C20.8 closes at the signal of the call, before and after it is open", async () => {
    const api = await serving();
    const { GET } = api["/rooms/:room"];
    const path = { room: "a" };
    const options = { WebSocket };
    await expect(connect(GET, { path, headers, signal: AbortSignal.abort("early") }, options)).rejects.toBe("early");
    const soon = new AbortController();
    const opening = connect(GET, { path, headers, signal: soon.signal }, options);
    setTimeout(() => soon.abort("soon"));
    await expect(opening).rejects.toBe("soon");
    const late = new AbortController();
    const room = (await connect(GET, { path, headers, signal: late.signal }, options)).orThrow();
    await room.next();
    const next = room.next();
    late.abort("late");
    await expect(next).rejects.toBe("late");
    expect((await room.closed).code).toBe(1000);
  });

  it("C20.8 refuses what is no method of a client, methods without 101, and wrong options", async () => {
    const api = apiAt("http://127.0.0.1:9");
    const { GET } = api["/rooms/:room"];
    const path = { room: "a" };
    await expect(connect((async () => ({ status: 101 })) as unknown as typeof GET, { path })).rejects.toThrow(
      'Cannot call connect(): expected a method of a client, such as api["/rooms/:room"].GET',
    );
    await expect(connect(GET, { path }, { maxWaitingBytes: 0 })).rejects.toThrow(
      'Cannot call connect(): its option "maxWaitingBytes" must be a number from 1 on',
    );
    await expect(connect(GET, { path }, { text: "all" as never })).rejects.toThrow(
      'Cannot call connect(): its option "text" must be "receives", "sends" or "both"',
    );
    await expect(connect(GET, { path }, { WebSocket })).rejects.toThrow("fetch failed");
    void (() => {
      // @ts-expect-error -- it declares no 101
      void connect(api["/other"].GET, {});
      // @ts-expect-error -- its messages are text
      void connect(api["/plain"].GET, {}, { WebSocket });
      // @ts-expect-error -- a param is missing
      void connect(GET, {});
    });
  });
});

/** A class whose connections a test opens, feeds and ends. */
function scripted() {
  const made: Scripted[] = [];
  class Scripted {
    bufferedAmount = 0;
    protocol = "";
    readonly sent: unknown[] = [];
    readonly closedBy: unknown[] = [];
    readonly #listeners: [string, (event: object) => void][] = [];
    constructor() {
      made.push(this);
    }
    addEventListener(type: string, listener: (event: object) => void): void {
      this.#listeners.push([type, listener]);
    }
    send(data: unknown): void {
      this.sent.push(data);
    }
    close(code: number): void {
      this.closedBy.push(code);
      this.emit("close", { code, reason: "" });
    }
    emit(type: string, event: object = {}): void {
      for (const [one, listener] of this.#listeners) if (one === type) listener(event);
    }
  }
  return { made, WebSocket: Scripted };
}

async function opened(options: object = {}, answer = (): Response => new Response(null, { status: 426 })) {
  const script = scripted();
  const api = client<typeof app>("http://localhost", { fetch: async () => answer() });
  const pending = connect(
    api["/rooms/:room"].GET,
    { path: { room: "a" } },
    { WebSocket: script.WebSocket, ...options },
  );
  await vi.waitFor(() => expect(script.made.length).toBe(1));
  script.made[0]!.emit("open");
  return { room: (await pending).orThrow(), made: script.made };
}

describe("connect() over lines that break", () => {
  it("C20.8 connects again where asked, and sends what waited", async () => {
    vi.useFakeTimers();
    const hello = vi.fn<(room: ClientSocket<unknown, { text: string }>) => void>((room) =>
      room.send({ text: "hello" }),
    );
    const { room, made } = await opened({ reconnect: true, opened: hello });
    made[0]!.emit("message", { data: "1" });
    made[0]!.emit("close", { code: 1001, reason: "" });
    expect(room.send({ text: "waits" })).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(made.length).toBe(2);
    made[1]!.emit("error");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(made.length).toBe(3);
    made[2]!.emit("open");
    await vi.advanceTimersByTimeAsync(0);
    expect(made[2]!.sent).toEqual(['{"text":"hello"}', '{"text":"waits"}']);
    made[2]!.emit("message", { data: "2" });
    expect([(await room.next()).value, (await room.next()).value]).toEqual([1, 2]);
    room.close();
    expect(await room.next()).toEqual({ value: undefined, done: true });
    expect(hello).toHaveBeenCalledTimes(2);
  });

  it("C20.8 gives up after ten tries, and at a refusal", async () => {
    vi.useFakeTimers();
    const { room, made } = await opened({ reconnect: true });
    made[0]!.emit("close", {});
    const end = room.next().catch((error: unknown) => error);
    for (let tries = 1; tries <= 10; tries++) {
      await vi.advanceTimersByTimeAsync(60_000);
      expect(made.length).toBe(tries + 1);
      made[tries]!.emit("error");
    }
    expect(await end).toMatchObject({ code: 1006, message: "GET /rooms/:room was closed with 1006: No reason" });
    const refused = await opened({ reconnect: true }, () => Response.json({ detail: "No" }, { status: 403 }));
    refused.made[0]!.emit("close", { code: 1012, reason: "" });
    const refusal = refused.room.next().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    refused.made[1]!.emit("error");
    expect(await refusal).toMatchObject({ name: "ResponseError", content: { detail: "No" } });
    const down = await opened({ reconnect: true }, () => new Response(null, { status: 503 }));
    down.made[0]!.emit("close", { code: 1013, reason: "" });
    const last = down.room.next().catch((error: unknown) => error);
    for (let tries = 1; tries <= 10; tries++) {
      await vi.advanceTimersByTimeAsync(60_000);
      down.made[tries]!.emit("close");
    }
    expect(await last).toMatchObject({ name: "ResponseError" });
  });

  it("C20.8 counts anew after a connection that lasted", async () => {
    vi.useFakeTimers();
    const { room, made } = await opened({ reconnect: true });
    for (let times = 0; times < 15; times++) {
      await vi.advanceTimersByTimeAsync(60_000);
      made[times]!.emit("close", { code: 1001, reason: "" });
      await vi.advanceTimersByTimeAsync(1_000);
      made[times + 1]!.emit("open");
    }
    room.close();
    expect(made.length).toBe(16);
  });

  it("C20.8 does not connect again after 1008, nor when the program has left", async () => {
    vi.useFakeTimers();
    const { room, made } = await opened({ reconnect: true });
    made[0]!.emit("close", { code: 1008, reason: "no" });
    await expect(room.next()).rejects.toMatchObject({ code: 1008 });
    const leaving = await opened({ reconnect: true });
    leaving.made[0]!.emit("close", { code: 1001, reason: "" });
    leaving.room.close(3001, "bye");
    expect(await leaving.room.closed).toEqual({ code: 3001, reason: "bye" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(leaving.made.length).toBe(1);
    const meanwhile = await opened({ reconnect: true });
    meanwhile.made[0]!.emit("close", { code: 1001, reason: "" });
    await vi.advanceTimersByTimeAsync(1_000);
    await meanwhile.room.return!();
    expect(meanwhile.made[1]!.closedBy).toEqual([1000]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(meanwhile.made.length).toBe(2);
  });

  it("C20.4 says when to wait, and bounds what waits", async () => {
    vi.useFakeTimers();
    const { room, made } = await opened({ maxWaitingBytes: 3 });
    made[0]!.bufferedAmount = 70_000;
    expect(room.send({ text: "x" })).toBe(false);
    const drained = vi.fn<() => void>();
    void room.drained().then(drained);
    await vi.advanceTimersByTimeAsync(100);
    expect(drained).not.toHaveBeenCalled();
    made[0]!.bufferedAmount = 0;
    await vi.advanceTimersByTimeAsync(100);
    expect(drained).toHaveBeenCalled();
    made[0]!.emit("message", { data: "11" });
    made[0]!.emit("message", { data: "22" });
    made[0]!.emit("message", { data: "33" });
    expect(made[0]!.closedBy).toEqual([4013]);
    expect((await room.next()).value).toBe(11);
    expect((await room.next()).value).toBe(22);
    await expect(room.next()).rejects.toThrow(
      "Cannot keep messages of GET /rooms/:room: more than 3 characters or bytes wait for the loop",
    );
    // What comes after the end is let go.
    made[0]!.emit("message", { data: "44" });
    made[0]!.emit("close", { code: 1006 });
    room.close();
    expect(await room.next()).toEqual({ value: undefined, done: true });
    const between = await opened({ reconnect: true });
    between.made[0]!.emit("close", { code: 1001, reason: "" });
    between.room.send({ text: "x".repeat(1_000_000) });
    expect(() => between.room.send({ text: "x".repeat(100_000) })).toThrow(
      "Cannot send a message of GET /rooms/:room: 1048576 bytes wait for a new connection; wait for drained()",
    );
    between.room.close();
    const long = await opened({ reconnect: true });
    long.made[0]!.emit("close", { code: 1001, reason: "" });
    // A message that is longer than what may wait goes out when nothing waits besides.
    expect(long.room.send({ text: "x".repeat(2_000_000) })).toBe(false);
    expect(() => long.room.send({ text: "x" })).toThrow("1048576 bytes wait for a new connection");
    long.room.close();
  });
});
