import { describe, expect, it, onTestFinished, vi } from "vitest";
import { running, unknownHost } from "../dispatch/runtime-host.ts";
import { notePassed } from "../http/message/framed-content.ts";
import * as native from "../modules/http.native.ts";
import * as semantics from "../modules/http.semantics.ts";
import { keepAccepted, type Accepted } from "../sockets/accepted.ts";
import { completeOnBun, completeOnDeno } from "../sockets/completing.ts";
import type { WireListener } from "../sockets/wire.ts";
import { parserLeavesDots } from "../routing/request/target-path.ts";
import { hostOf } from "./known-hosts.ts";
import { bunHost } from "./bun-host.ts";
import { denoHost } from "./deno-host.ts";
import { nodeHost } from "./node-host.ts";
import { workersHost } from "./workers-host.ts";

describe("hostOf()", () => {
  it.each([
    ["Node", "Node.js/24", nodeHost],
    ["a browser", "Mozilla/5.0 (X11)", nodeHost],
    ["one that only mentions another", "Other Node.js/24", unknownHost],
    ["one whose name begins alike", "Node.jsx/1", unknownHost],
  ])("recognizes %s by its name", (_name, userAgent, host) => {
    expect(hostOf({ navigator: { userAgent } })).toBe(host);
  });

  it("knows Node without a navigator by its parser", () => {
    expect(hostOf({})).toBe(parserLeavesDots ? nodeHost : unknownHost);
  });

  it("recognizes others by their globals, although they imitate Node", () => {
    const navigator = { userAgent: "Node.js/24" };
    expect(hostOf({ navigator, Bun: {} })).toBe(bunHost);
    expect(hostOf({ navigator, Deno: {} })).toBe(denoHost);
    expect(hostOf({ navigator, WebSocketPair: {} })).toBe(workersHost);
  });

  it("is found when the first application with fetch() is built", () => {
    const { host } = running;
    onTestFinished(() => void (running.host = host));
    for (const { Application } of [native, semantics]) {
      running.host = unknownHost;
      Application.builder().build();
      expect(running.host).toBe(hostOf(globalThis));
      running.host = workersHost;
      Application.builder().build();
      expect(running.host).toBe(workersHost);
    }
  });
});

describe("pathStart() of hosts", () => {
  it("C4.1 trusts the URL of a Request where the URL parser wrote it", () => {
    expect(nodeHost.pathStart!("http://h/a")).toBe(8);
    for (const host of [denoHost, workersHost, unknownHost]) expect(host.pathStart).toBeUndefined();
  });

  it("C4.1 is -1 on Bun of what the URL parser refuses, which its server hands on as it was sent", () => {
    const start = bunHost.pathStart!;
    for (const host of ["h:99999", "[", "%zz", "h:", "é"]) expect(start(`http://${host}/a/../b`), host).toBe(-1);
    for (const url of ["/a/../b", "http://h", ""]) expect(start(url), url).toBe(-1);
    expect(start("https://a.example:8443/b?c")).toBe(22);
  });
});

const url = "http://localhost/";

/** A handshake that the application has accepted, and what was made of it. */
function handshake(protocol = "chat") {
  const request = new Request(url, { headers: { "sec-websocket-protocol": "other,chat", "x-sent": "1" } });
  const opened: unknown[] = [];
  const connection = {} as WireListener;
  const accepted: Accepted = {
    connection,
    socket: {} as never,
    wires: {
      listenTo: (...given) => opened.push(given),
      openOnBun: () => expect.unreachable(),
      completeOnBun,
      completeOnDeno,
    },
    protocol,
    maxBytes: 1,
  };
  keepAccepted(request, accepted);
  const response = new Response(null, { headers: { "x-own": "1", upgrade: "websocket" } });
  return { request, accepted, connection, opened, response };
}

describe("Deno", () => {
  const guardOfAll = Symbol("headers guard");

  /** A request as Deno has it: it keeps whether its fields can be changed. */
  function denoRequest(guard: string | null): Request {
    const request = new Request(url, { method: "POST", body: "hello" });
    const own = Object.getOwnPropertySymbols(request).find(({ description }) => description === "headers guard");
    if (own !== undefined) Reflect.deleteProperty(request, own);
    if (guard !== null) Object.defineProperty(request, own ?? guardOfAll, { value: guard });
    return request;
  }

  it("looks for the symbol anew where a request has another one", () => {
    for (const [guard, isFixed] of [
      ["immutable", true],
      ["immutable", true],
      ["request", false],
    ] as const) {
      const request = { [Symbol("other")]: "immutable", [Symbol("headers guard")]: guard };
      expect(denoHost.frames!(request as never, {})).toBe(isFixed);
    }
    expect(denoHost.frames!({ [Symbol("other")]: "immutable" } as never, {})).toBe(false);
  });

  it("frames requests whose fields cannot be changed, and writes the length of their answers", () => {
    for (const guard of ["immutable", "request", null, "immutable"]) {
      const request = denoRequest(guard);
      expect(denoHost.frames!(request, {})).toBe(guard === "immutable");
      expect(denoHost.writesLength!(request)).toBe(false);
      notePassed(request, {}, denoHost);
      expect(denoHost.writesLength!(request)).toBe(guard === "immutable");
    }
  });
});

describe("complete() of Deno", () => {
  it.each([
    ["chat", { protocol: "chat" }, "chat"],
    ["", {}, "other,chat"],
  ])("upgrades a request that offers no other subprotocol than %j", (protocol, options, offered) => {
    const { request, connection, opened, response } = handshake(protocol);
    const upgraded = { socket: {}, response: new Response(null) };
    const upgradeWebSocket = vi.fn((..._given: readonly [Request, object]) => upgraded);
    vi.stubGlobal("Deno", { upgradeWebSocket });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(denoHost.complete!(request, {}, response)).toBe(upgraded.response);
    expect([...upgraded.response.headers]).toEqual([["x-own", "1"]]);
    const [[shown, given] = []] = upgradeWebSocket.mock.calls;
    expect(given).toEqual(options);
    expect(shown!.headers.get("sec-websocket-protocol")).toBe(offered);
    expect(shown!.headers.get("x-sent")).toBe("1");
    expect(request.headers.get("sec-websocket-protocol")).toBe("other,chat");
    expect(opened).toEqual([[upgraded.socket, connection]]);
    expect(opened[0]).toHaveProperty("0", upgraded.socket);
    expect(denoHost.complete!(request, {}, response)).toBeNull();
  });

  it("says what Deno and workerd do by themselves", () => {
    expect([denoHost.asksToRead, workersHost.hidesConnection, workersHost.isIsolate]).toEqual([true, true, true]);
  });
});

describe("complete() of workerd", () => {
  it("listens to its end of the pair, and leaves the answer to the runtime", () => {
    const { request, accepted, connection, opened, response } = handshake();
    expect(workersHost.complete!(request, {}, response)).toBeNull();
    expect(workersHost.complete!(request, {}, response)).toBeNull();
    expect(opened).toEqual([[accepted.socket, connection]]);
  });

  it("makes both ends", () => {
    class Pair extends Array<unknown> {}
    vi.stubGlobal("WebSocketPair", Pair);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(workersHost.pair!()).toBeInstanceOf(Pair);
  });
});

describe("Bun", () => {
  it("hands a handshake to its server, with the subprotocol that was chosen", () => {
    const { request, accepted, response } = handshake();
    const upgrade = vi.fn(() => true);
    expect(bunHost.complete!(request, {}, response)).toBeNull();
    expect(bunHost.complete!(request, undefined, response)).toBeNull();
    const server = { upgrade };
    expect(bunHost.complete!(request, server, response)).toBeNull();
    const headers = [
      ["x-own", "1"],
      ["Sec-WebSocket-Protocol", "chat"],
    ];
    expect(upgrade.mock.calls).toEqual([[request, { headers, data: { ...accepted, server } }]]);
    expect(bunHost.complete!(request, server, response)).toBeNull();
    expect(upgrade).toHaveBeenCalledOnce();
  });

  it("answers 400 where its server refuses a handshake", async () => {
    const { request, response } = handshake();
    expect(bunHost.complete!(request, { upgrade: () => false }, response)).toMatchObject({ status: 400, body: null });
  });

  it("frames requests whose address the server knows", () => {
    const own = new Request(url, { method: "POST", body: "hello" });
    const server = { requestIP: (request: Request) => (request === own ? { address: "::1" } : null) };
    const failing = {
      requestIP: () => {
        throw new Error("stopped");
      },
    };
    const { frames } = bunHost;
    expect([frames!(own, server), frames!(new Request(url), server), frames!(own, {}), frames!(own, failing)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("writes the length of answers where its server was passed", () => {
    const answers = [{ requestIP: () => null }, {}, undefined].map((passed) => {
      const request = new Request(url);
      notePassed(request, passed, bunHost);
      return bunHost.writesLength!(request);
    });
    expect(answers).toEqual([true, false, false]);
  });
});
