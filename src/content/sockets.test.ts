import { describe, expect, it, vi } from "vitest";
import { notedWire } from "../../tests/support/noted-wire.ts";
import { Application, Middleware, Resource, type Response } from "../modules/http.native.ts";
import { running } from "../dispatch/runtime-host.ts";
import { takeAccepted } from "../sockets/accepted.ts";
import { upgrade } from "./upgrade.ts";

const handshake = {
  connection: "keep-alive, Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

describe("upgrade()", () => {
  it("C20.10 answers a handshake, and refuses other requests", () => {
    const request = new Request("http://h/", { headers: handshake });
    expect(upgrade(request, {}).status).toBe(101);
    expect(takeAccepted(request)).toMatchObject({ protocol: "", maxBytes: 65_536 });
    expect(() => upgrade(new Request("http://h/"), {})).toThrow("Connect by WebSocket");
    expect(() => upgrade(new Request("http://h/", { method: "POST", headers: handshake }), {})).toThrow(
      "Connect by WebSocket",
    );
    const { "sec-websocket-key": _, ...keyless } = handshake;
    expect(() => upgrade(new Request("http://h/", { headers: keyless }), {})).toThrow(
      "Sec-WebSocket-Key is not 16 bytes in base64",
    );
  });

  it("C20.1 refuses another version, and agrees on a subprotocol", () => {
    const older = new Request("http://h/", { headers: { ...handshake, "sec-websocket-version": "8" } });
    expect(() => upgrade(older, {})).toThrow("Only version 13 of WebSocket is spoken");
    const offering = new Request("http://h/", { headers: { ...handshake, "sec-websocket-protocol": "v1, v2" } });
    upgrade(offering, {}, { protocols: ["v3", "v2", "v1"] });
    expect(takeAccepted(offering)).toMatchObject({ protocol: "v2" });
  });

  it("C20.1 refuses subprotocols that are no list of different tokens", () => {
    for (const offered of ["v1, v1", "v1,,v2", "v 1", '"v1"']) {
      const request = new Request("http://h/", { headers: { ...handshake, "sec-websocket-protocol": offered } });
      expect(() => upgrade(request, {}, { protocols: ["v1"] })).toThrow(
        "Sec-WebSocket-Protocol is not a list of different tokens",
      );
    }
  });

  it("C20.1 asks for Connection, which Workers do not show", () => {
    const { connection: _, ...hidden } = handshake;
    const statusOf = (headers: Readonly<Record<string, string>>): number => {
      try {
        return upgrade(new Request("http://h/", { headers }), {}).status;
      } catch (error) {
        return (error as { status: number }).status;
      }
    };
    const listed = { ...handshake, upgrade: "foo, websocket" };
    expect([statusOf(hidden), statusOf({ ...handshake, connection: "close" }), statusOf(listed)]).toEqual([
      426, 426, 101,
    ]);
    const { host } = running;
    running.host = { ...host, pair: () => [{}, {}], hidesConnection: true };
    // Node makes no response of 101.
    vi.stubGlobal("Response", function Response() {
      return { status: 101 };
    });
    const answers = [statusOf(hidden), statusOf(listed)];
    vi.unstubAllGlobals();
    running.host = host;
    expect(answers).toEqual([101, 426]);
  });

  it("C20.1 refuses content, which a `Request` of GET does not show", () => {
    for (const field of [{ "content-length": "3" }, { "transfer-encoding": "chunked" }]) {
      expect(() => upgrade(new Request("http://h/", { headers: { ...handshake, ...field } }), {})).toThrow(
        "A handshake has no content",
      );
    }
    const empty = new Request("http://h/", { headers: { ...handshake, "content-length": "0" } });
    expect(upgrade(empty, {}).status).toBe(101);
  });

  it("C20.1 compares Origin with the host, by name and port", () => {
    const from = (origin: string, origins: readonly string[] | "*" = []): unknown => {
      const request = new Request("http://h:8080/", { headers: { ...handshake, origin } });
      try {
        return upgrade(request, {}, { origins }).status;
      } catch (error) {
        return (error as { readonly status: number }).status;
      }
    };
    expect(["http://h:8080", "https://h:8080", "http://h", "null", "x"].map((one) => from(one))).toEqual([
      101, 101, 403, 403, 403,
    ]);
    expect([from("https://a.example", "*"), from("https://a.example", ["https://a.example"])]).toEqual([101, 101]);
  });

  it("refuses handlers and options that are none", () => {
    const request = new Request("http://h/", { headers: handshake });
    const refused = (handlers: unknown, options?: object) => (): unknown =>
      upgrade(request, handlers as never, options);
    const cannot = "Cannot answer GET of the request with a WebSocket: ";
    expect(refused(null)).toThrow(`${cannot}expected an object of handlers; write { open, message, close }`);
    expect(refused({ on: () => {} })).toThrow(`${cannot}"on" is not a handler; write open, message, invalid or close`);
    expect(refused({ open: 1 })).toThrow(`${cannot}its handler open is not a function; write open(peer) { … }`);
    expect(refused({ open: undefined }, { until: new Date(Number.NaN) })).toThrow("a date or null");
    expect(refused({}, { size: 1 })).toThrow('it has no option "size"');
    for (const until of [new Date(Date.now() + 1_000), null, undefined])
      expect(upgrade(request, { open: undefined } as never, { until }).status).toBe(101);
  });

  it("tells an error of a handler like any other of the server", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    class Failing extends Resource {
      paths = ["/"];
      GET(request: Request): Response {
        return upgrade(request, {
          open() {
            throw new Error("in a handler");
          },
        });
      }
    }
    const app = Application.builder().resources(Failing).build();
    const request = new Request("http://h/", { headers: handshake });
    await app.fetch(request);
    const closed: unknown[] = [];
    takeAccepted(request)!.connection.opened({
      waiting: 0,
      send: () => {},
      close: (code) => closed.push(code),
      cut: () => {},
    });
    await vi.waitFor(() => expect(closed).toEqual([1011]));
    expect(print.mock.calls.flat().join(" ")).toContain("in a handler");
    app.publish(Failing, "a", "x");
    // Bun passes its server after the request, and takes handlers from the application.
    const upgraded = new Request("http://h/", { headers: handshake });
    expect((await app.fetch(upgraded, { upgrade: () => true })).status).toBe(101);
    expect(app.websocket.open).toBeTypeOf("function");
    print.mockRestore();
  });

  it("C20.3 tells an error of a handler to onError(), once", async () => {
    const told: unknown[] = [];
    class Failing extends Resource {
      paths = ["/"];
      GET(request: Request): Response {
        return upgrade(request, {
          async message() {
            await Promise.resolve();
            throw new Error("in a handler");
          },
        });
      }
    }
    const app = Application.builder()
      .resources(Failing)
      .onError((error, { url }) => {
        told.push([String(error), url]);
        throw new Error("in the observer");
      })
      .build();
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const peer = await app.connect("/");
    peer.send("hi");
    expect((await peer.closed).code).toBe(1011);
    expect(told).toEqual([["Error: in a handler", "http://localhost/"]]);
    expect(print.mock.calls.flat().map(String)).toEqual(["Error: in a handler", "Error: in the observer"]);
    print.mockRestore();
  });

  it("C20.5 C20.3 counts connections of middleware around the application, where no resource matches", async () => {
    const told: string[] = [];
    class Everywhere extends Middleware {
      override ALL(request: Request): Response {
        return upgrade(request, {
          open: (peer) => peer.subscribe("all"),
          message(peer, said) {
            if (said === "fail") throw new Error("in a handler");
            peer.publish("all", said);
          },
        });
      }
    }
    const app = Application.builder()
      .middleware(Everywhere)
      .onError((error) => void told.push(String(error)))
      .build();
    const [one, two, three] = [await app.connect("/a"), await app.connect("/b"), await app.connect("/c")];
    one.send("hi");
    expect(await two[Symbol.asyncIterator]().next()).toMatchObject({ value: "hi" });
    three.send("fail");
    expect((await three.closed).code).toBe(1011);
    expect(told).toEqual(["Error: in a handler"]);
    await app.closeSockets();
    expect([(await one.closed).code, (await two.closed).code]).toEqual([1001, 1001]);
    await expect(app.connect("/d")).rejects.toMatchObject({ status: 503 });
  });

  it.each([NaN, -1, 1.5, Infinity, "10", null])("C20.5 refuses a time of grace that is none: %s", async (graceMs) => {
    const app = Application.builder().build();
    for (const name of ["closeSockets", "settled"] as const) {
      await expect(app[name]({ graceMs: graceMs as never })).rejects.toThrow(
        `Cannot call ${name}(): its option "graceMs" must be a whole number that is not negative, got `,
      );
    }
  });

  it("C20.5 closes all WebSockets of an application, cuts the rest, and accepts no more", async () => {
    class Echo extends Resource {
      paths = ["/echo"];
      GET(request: Request): Response {
        return upgrade(request, { open: () => void opened++ });
      }
    }
    let opened = 0;
    const app = Application.builder().resources(Echo).build();
    const polite = await app.connect("/echo");
    const accepting = (): { readonly request: Request; readonly log: unknown[]; open(): void } => {
      const request = new Request("http://h/echo", { headers: handshake });
      const log: unknown[] = [];
      return { request, log, open: () => takeAccepted(request)!.connection.opened(notedWire(log)) };
    };
    const [mute, late] = [accepting(), accepting()];
    await app.fetch(mute.request);
    await app.fetch(late.request);
    mute.open();
    const begun = app.closeSockets({ graceMs: 20 });
    late.open();
    await begun;
    expect(await polite.closed).toEqual({ code: 1001, reason: "The server stops" });
    expect([mute.log, late.log, opened]).toEqual([
      [[1001, "The server stops"], "cut"],
      [[1001, "The server stops"], "cut"],
      2,
    ]);
    await expect(app.connect("/echo")).rejects.toMatchObject({ status: 503 });
    // Without an open connection, closing takes no time, and another application knows nothing of it.
    const other = Application.builder().resources(Echo).build();
    const peer = await other.connect("/echo");
    peer.close();
    await peer.closed;
    await other.closeSockets();
    await Application.builder().resources(Echo).build().closeSockets();
  });
});
