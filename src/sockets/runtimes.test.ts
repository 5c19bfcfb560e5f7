// Adapters of runtimes, on stand-ins that behave as they do; the runtimes themselves are in tests/runtimes.
import { afterEach, describe, expect, it, vi } from "vitest";
import { keepAccepted, takeAccepted } from "./accepted.ts";
import { bunWebSocket, completedByBun, type BunSocket } from "./bun-wire.ts";
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
  accept(): void {
    this.log.push("accept");
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
  const handshake = (protocol: string): { connection: Told; protocol: string; maxBytes: number } => ({
    connection: new Told(),
    protocol,
    maxBytes: 1,
  });

  it("upgrades on Deno", () => {
    const socket = new FakeSocket(1);
    const options: unknown[] = [];
    const upgradeWebSocket = ({ headers }: Request, given: { protocol?: string }): object => {
      const offered = headers.get("sec-websocket-protocol")?.split(", ") ?? [];
      if (given.protocol !== undefined && !offered.includes(given.protocol)) throw new TypeError("not offered");
      options.push(given);
      return { socket, response: "response" };
    };
    vi.stubGlobal("Deno", { upgradeWebSocket });
    const given = handshake("v1");
    // Deno parts the list at ", " only.
    const request = new Request("http://h/", { headers: { "sec-websocket-protocol": "v2,v1" } });
    expect(accept(request, given)).toBe("response");
    accept(new Request("http://h/"), handshake(""));
    expect([options, given.connection.log]).toEqual([[{ protocol: "v1" }, {}], ["opened"]]);
  });

  it("makes a pair on Workers", () => {
    const made: unknown[] = [];
    vi.stubGlobal("Response", function (this: object, _body: unknown, init: object) {
      made.push(init);
    });
    vi.stubGlobal(
      "WebSocketPair",
      class {
        readonly 0 = new FakeSocket(1);
        readonly 1 = new FakeSocket(1);
      },
    );
    const given = handshake("v1");
    accept({ url: "http://h/" }, given);
    accept({ url: "http://h/" }, handshake(""));
    expect(given.connection.log).toEqual(["opened"]);
    expect(made).toMatchObject([
      { status: 101, headers: { "sec-websocket-protocol": "v1" } },
      { status: 101, headers: {} },
    ]);
  });

  it("leaves it to the server elsewhere", () => {
    const request = new Request("http://h/");
    const given = handshake("");
    expect(accept(request, given).status).toBe(101);
    expect(takeAccepted(request)).toBe(given);
    expect(takeAccepted(request)).toBeUndefined();
  });
});

describe("Bun", () => {
  it("completes a handshake by the server that the request came to", () => {
    const [request, told] = [new Request("http://h/"), new Told()];
    const answer = new Response();
    const calls: unknown[] = [];
    const server = {
      isOpen: true,
      upgrade(_request: Request, options: object): boolean {
        calls.push(options);
        return this.isOpen;
      },
    };
    expect(completedByBun(answer, request, undefined)).toBe(answer);
    expect(completedByBun(answer, request, { env: 1 })).toBe(answer);
    expect(completedByBun(answer, request, server)).toBe(answer);
    expect(calls).toEqual([]);
    keepAccepted(request, { connection: told, protocol: "v1", maxBytes: 1 });
    expect(completedByBun(answer, request, server)).toBe(answer);
    server.isOpen = false;
    keepAccepted(request, { connection: told, protocol: "", maxBytes: 1 });
    expect(completedByBun(answer, request, server).status).toBe(400);
    expect(calls).toEqual([
      { headers: { "Sec-WebSocket-Protocol": "v1" }, data: told },
      { headers: { "Sec-WebSocket-Protocol": "" }, data: told },
    ]);
  });

  it("tells what a socket of Bun does", () => {
    const told = new Told();
    const log: unknown[] = [];
    const socket: BunSocket = {
      data: told,
      send: (data) => log.push(data),
      close: (code, reason) => log.push([code, reason]),
      terminate: () => log.push("terminate"),
      ping: () => log.push("ping"),
      getBufferedAmount: () => 7,
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
  });
});
