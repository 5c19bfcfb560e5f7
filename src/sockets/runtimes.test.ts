// Adapters of runtimes, on stand-ins that behave as they do; the runtimes themselves are in tests/runtimes.
import { afterEach, describe, expect, it, vi } from "vitest";
import { running } from "../dispatch/runtime-host.ts";
import { bunHost } from "../hosts/bun-host.ts";
import { denoHost } from "../hosts/deno-host.ts";
import { workersHost } from "../hosts/workers-host.ts";
import { keepInMemory, takeAccepted, type Sender } from "./accepted.ts";
import { bunWebSocket, openOnBun, type BunSocket } from "./bun-wire.ts";
import { listenTo, type StandardSocket } from "./standard-wire.ts";
import { accept } from "./switching.ts";
import type { Wire, WireListener } from "./wire.ts";

class Told implements WireListener {
  readonly log: unknown[] = [];
  wire: Wire | null = null;
  opened(wire: Wire): void {
    this.wire = wire;
    this.log.push("opened");
  }
  received(data: string | Uint8Array): void {
    this.log.push(data);
  }
  drained(): void {
    this.log.push("drained");
  }
  alive(): void {
    this.log.push("alive");
  }
  leave(): void {
    this.log.push("leave");
  }
  closed(code: number, reason: string): void {
    this.log.push([code, reason]);
  }
}

class FakeSocket implements StandardSocket {
  binaryType = "blob";
  readyState: number;
  bufferedAmount?: number;
  readonly log: unknown[] = [];
  readonly #listeners = new Map<string, (event: object) => void>();
  constructor(readyState: number) {
    this.readyState = readyState;
  }
  send(data: string | Uint8Array): void {
    this.log.push(data);
  }
  close(code?: number, reason?: string): void {
    this.log.push([code, reason]);
    this.readyState = 2;
  }
  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener as (event: object) => void);
  }
  emit(type: string, event: object = {}): void {
    this.#listeners.get(type)!(event);
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("listenTo()", () => {
  it("tells what a socket of the platform does", () => {
    const [socket, told] = [new FakeSocket(0), new Told()];
    listenTo(socket, told);
    expect([socket.binaryType, told.log]).toEqual(["arraybuffer", []]);
    socket.emit("open");
    socket.emit("message", { data: "a" });
    socket.emit("message", { data: new Uint8Array([1]).buffer });
    socket.emit("close", { code: 1000, reason: "bye" });
    socket.emit("close");
    socket.emit("error");
    expect(told.log).toEqual(["opened", "a", new Uint8Array([1]), [1000, "bye"], [1006, ""], [1006, ""]]);
  });

  it("answers the client's close frame where the platform leaves it to the program", () => {
    const answered = (code: number, close?: () => void): unknown[] => {
      const [socket, told] = [new FakeSocket(1), new Told()];
      listenTo(socket, told);
      socket.readyState = 2;
      if (close !== undefined) socket.close = close;
      socket.emit("close", { code, reason: "bye" });
      return [...socket.log, ...told.log.slice(1)];
    };
    expect(answered(4000)).toEqual([
      [4000, "bye"],
      [4000, "bye"],
    ]);
    expect(answered(1005)).toEqual([
      [1000, undefined],
      [1005, "bye"],
    ]);
    const refuse = (): never => {
      throw new TypeError("1006");
    };
    expect(answered(1006, refuse)).toEqual([[1006, ""]]);
  });

  it("looks whether what was sent has left, while something waits", () => {
    vi.useFakeTimers();
    const [socket, told] = [new FakeSocket(1), new Told()];
    listenTo(socket, told);
    const wire = told.wire!;
    wire.send("a");
    expect([wire.waiting, socket.log]).toEqual([0, ["a"]]);
    socket.bufferedAmount = 10;
    wire.send("b");
    wire.send("c");
    vi.advanceTimersByTime(20);
    expect(told.log).toEqual(["opened", "drained"]);
    socket.bufferedAmount = 0;
    vi.advanceTimersByTime(20);
    vi.advanceTimersByTime(100);
    expect(told.log).toEqual(["opened", "drained", "drained"]);
    wire.close(1000, "x");
    wire.close(1000, "x");
    wire.send("late");
    expect(socket.log).toEqual(["a", "b", "c", [1000, "x"]]);
  });

  it("is over for the application when it is cut", () => {
    const [socket, told] = [new FakeSocket(1), new Told()];
    listenTo(socket, told);
    told.wire!.cut();
    expect([socket.log, told.log]).toEqual([[[1001, ""]], ["opened", [1006, ""]]]);
  });
});

describe("accept()", () => {
  const { host } = running;
  afterEach(() => void (running.host = host));
  const handshake = (protocol: string): { connection: Told; protocol: string; maxBytes: number } => ({
    connection: new Told(),
    protocol,
    maxBytes: 1,
  });

  it("has Deno upgrade the request, once that is the answer", () => {
    running.host = denoHost;
    const socket = new FakeSocket(1);
    const options: unknown[] = [];
    const upgradeWebSocket = ({ headers }: Request, given: { protocol?: string }): object => {
      const offered = headers.get("sec-websocket-protocol")?.split(", ") ?? [];
      if (given.protocol !== undefined && !offered.includes(given.protocol)) throw new TypeError("not offered");
      options.push(given);
      return { socket, response };
    };
    vi.stubGlobal("Deno", { upgradeWebSocket });
    const response = new Response("of Deno");
    const own = new Response(null, { headers: { "set-cookie": "a=b", connection: "upgrade", "x-own": "c" } });
    const given = handshake("v1");
    // Deno parts the list at ", " only.
    const request = new Request("http://h/", { headers: { "sec-websocket-protocol": "v2,v1" } });
    expect(accept(request, given).status).toBe(101);
    expect(options).toEqual([]);
    expect(denoHost.complete!(request, {}, own)).toBe(response);
    expect([response.headers.get("set-cookie"), response.headers.get("x-own")]).toEqual(["a=b", "c"]);
    expect(response.headers.has("connection")).toBe(false);
    expect(denoHost.complete!(request, {}, own)).toBeNull();
    const plain = new Request("http://h/");
    accept(plain, handshake(""));
    denoHost.complete!(plain, undefined, own);
    expect([options, given.connection.log]).toEqual([[{ protocol: "v1" }, {}], ["opened"]]);
  });

  it("makes a pair on Workers", () => {
    running.host = workersHost;
    const made: unknown[] = [];
    vi.stubGlobal("Response", function (this: object, _body: unknown, init: object) {
      made.push(init);
    });
    vi.stubGlobal(
      "WebSocketPair",
      class {
        readonly 0 = new FakeSocket(1);
        readonly 1 = Object.assign(new FakeSocket(1), { accept: () => made.push("accept") });
      },
    );
    const given = handshake("v1");
    const request = new Request("http://h/");
    accept(request, given);
    accept({ url: "http://h/" }, handshake(""));
    expect(given.connection.log).toEqual([]);
    expect(workersHost.complete!(request, {}, given as never)).toBeNull();
    expect(workersHost.complete!(request, {}, given as never)).toBeNull();
    expect([given.connection.log, (given.connection.wire as unknown as object) !== null]).toEqual([["opened"], true]);
    expect(made).toMatchObject([
      { status: 101, headers: { "sec-websocket-protocol": "v1" } },
      { status: 101, headers: {} },
      "accept",
    ]);
  });

  it("leaves it to the server on Node", () => {
    const request = new Request("http://h/");
    const given = handshake("");
    expect([accept(request, given).status, running.host.complete]).toEqual([101, undefined]);
    expect(takeAccepted(request)).toMatchObject(given);
    expect(takeAccepted(request)).toBeUndefined();
  });

  it("gives it to the sender in memory, and to no host", () => {
    const request = new Request("http://h/");
    const [sender, given]: [Sender, ReturnType<typeof handshake>] = [{}, handshake("")];
    keepInMemory(request, sender);
    accept(request, given);
    expect([sender.accepted, takeAccepted(request)]).toMatchObject([given, undefined]);
  });
});

describe("Bun", () => {
  it("completes a handshake by the server that the request came to", () => {
    const request = new Request("http://h/");
    const calls: unknown[] = [];
    const server = {
      isOpen: true,
      upgrade(_request: Request, options: object): boolean {
        calls.push(options);
        return this.isOpen;
      },
    };
    const own = new Response(null, { headers: { "set-cookie": "a=b", "sec-websocket-accept": "x" } });
    const complete = (sent: Request, passed: unknown): Response | null => bunHost.complete!(sent, passed, own);
    for (const passed of [undefined, null, "text", { env: 1 }, server]) expect(complete(request, passed)).toBeNull();
    expect(calls).toEqual([]);
    const given = { connection: new Told(), protocol: "v1", maxBytes: 1 };
    accept(request, given);
    expect(complete(request, server)).toBeNull();
    server.isOpen = false;
    accept(request, { ...given, protocol: "" });
    expect(complete(request, server)!.status).toBe(400);
    const cookie = [["set-cookie", "a=b"]];
    expect(calls).toMatchObject([
      { headers: [...cookie, ["Sec-WebSocket-Protocol", "v1"]], data: { ...given, server } },
      { headers: [...cookie, ["Sec-WebSocket-Protocol", ""]], data: { ...given, protocol: "" } },
    ]);
  });

  it("tells what a socket of Bun does", () => {
    const told = new Told();
    const log: unknown[] = [];
    const socket: BunSocket = {
      data: {
        connection: told,
        wires: { openOnBun },
        server: { subscriberCount: (topic) => topic.length, publish: (topic, data) => log.push("all", topic, data) },
      },
      send: (data) => log.push(data),
      close: (code, reason) => log.push([code, reason]),
      terminate: () => log.push("terminate"),
      ping: () => log.push("ping"),
      getBufferedAmount: () => 7,
      subscribe: (topic) => log.push(["subscribe", topic]),
      unsubscribe: (topic) => log.push(["unsubscribe", topic]),
      publish(topic, data) {
        log.push(topic, data);
        return -1;
      },
    };
    const handlers = bunWebSocket();
    handlers.open(socket);
    const bytes = new Uint8Array([1]);
    handlers.message(socket, bytes);
    // Bun reuses the memory.
    bytes[0] = 2;
    handlers.message(socket, "a");
    handlers.drain(socket);
    handlers.pong(socket);
    handlers.ping(socket);
    handlers.close(socket, 1000, "bye");
    expect(told.log).toEqual(["opened", new Uint8Array([1]), "a", "drained", "alive", "alive", [1000, "bye"]]);
    const wire = told.wire!;
    wire.send("x");
    wire.close(1001, "y");
    wire.cut();
    wire.ping!();
    expect([wire.waiting, log]).toEqual([7, ["x", [1001, "y"], "terminate", "ping"]]);
    log.length = 0;
    wire.join!("a");
    wire.part!("a");
    expect([wire.joined!("ab"), wire.publish!("a", "b", true), wire.publish!("a", "c", false)]).toEqual([
      2,
      true,
      false,
    ]);
    expect(log).toEqual([["subscribe", "a"], ["unsubscribe", "a"], "all", "a", "b", "a", "c"]);
  });
});
