// Durable Objects, on stand-ins that behave as they do; workerd itself is in tests/runtimes.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Attribute } from "../application/attribute.ts";
import { Inbox } from "../content/inbox.ts";
import { shareTopics } from "../content/sockets.ts";
import { upgrade } from "../content/upgrade.ts";
import { mount } from "../content/mount.ts";
import { endWith } from "../dispatch/followed-end.ts";
import { running } from "../dispatch/runtime-host.ts";
import { bearer } from "../middleware/bearer.ts";
import * as native from "../modules/http.native.ts";
import {
  Application,
  HTTPError,
  Middleware,
  reply,
  Resource,
  ResourceGroup,
  socket,
  text,
  type Answer,
  type Call,
} from "../modules/http.semantics.ts";
import { sessions, type SealedSession, type Session } from "../state/sessions.ts";
import { memorySessions } from "../state/stores.ts";
import { workersHost } from "../hosts/workers-host.ts";
import { hibernating, type HibernatableSocket, type HibernatingSockets, type ObjectState } from "../servers/workers.ts";

const mostKept = 2_048;

/** The server's end of a WebSocket, which is another object after its Durable Object has slept. */
class FakeSocket implements HibernatableSocket {
  readyState = 1;
  readonly got: unknown[];
  #kept: string | null;
  constructor(kept: string | null = null, got: unknown[] = []) {
    this.#kept = kept;
    this.got = got;
  }
  send(data: string | Uint8Array): void {
    if (this.readyState !== 1) throw new TypeError("Can't call WebSocket send() after close().");
    this.got.push(data);
  }
  close(code?: number, reason?: string): void {
    if (code === 1006) throw new TypeError("Invalid WebSocket close code");
    this.readyState = this.readyState === 2 ? 3 : 2;
    this.got.push([code, reason]);
  }
  serializeAttachment(value: unknown): void {
    const kept = JSON.stringify(value);
    if (kept.length > mostKept) throw new Error("A WebSocket 'attachment' cannot be larger");
    this.#kept = kept;
  }
  deserializeAttachment(): unknown {
    return this.#kept === null ? null : JSON.parse(this.#kept);
  }
  asleep(): FakeSocket {
    const other = new FakeSocket(this.#kept, this.got);
    other.readyState = this.readyState;
    return other;
  }
}

/** A Durable Object: `sleep()` evicts its instance, and makes another one. */
class FakeObject implements ObjectState {
  sockets: FakeSocket[] = [];
  all!: HibernatingSockets;
  readonly #made: (state: ObjectState) => HibernatingSockets;
  constructor(made: (state: ObjectState) => HibernatingSockets) {
    this.#made = made;
    this.sleep();
  }
  acceptWebSocket(one: HibernatableSocket): void {
    this.sockets.push(one as FakeSocket);
  }
  getWebSockets(): FakeSocket[] {
    return this.sockets;
  }
  sleep(): void {
    this.sockets = this.sockets.map((one) => one.asleep());
    const { sockets } = this;
    // The state is new, too.
    this.all = this.#made({
      acceptWebSocket: (one) => this.acceptWebSocket(one),
      getWebSockets: () => (sockets === this.sockets ? sockets : this.sockets),
    });
  }
  connect(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.all.fetch(new Request(`http://h${path}`, { headers: { ...asking, ...headers } }));
  }
  say(at: number, message: string | ArrayBuffer): Promise<void> {
    return this.all.webSocketMessage(this.sockets[at]!, message);
  }
  /** The client closes, or answers a close frame. */
  async close(at: number, code: number, reason = ""): Promise<void> {
    const one = this.sockets[at]!;
    if (one.readyState === 1) one.readyState = 2;
    await this.all.webSocketClose(one, code, reason);
    this.sockets = this.sockets.filter((other) => other !== one);
  }
  got(): unknown[][] {
    return this.sockets.map(({ got }) => got.splice(0));
  }
}

const asking = {
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const signedIn = { authorization: "Bearer k7" };

let isAllowed = true;
const log: unknown[] = [];
const errors: unknown[] = [];
const follows: (() => void)[] = [];

class Room extends Resource {
  override paths = ["/rooms/:room"] as const;
  static GET = {
    101: socket({
      receives: z.object({ text: z.string().max(500) }),
      sends: z.object({ text: z.string() }),
      protocols: ["v1"],
    }),
  };
  override async GET(call: Call<typeof Room, "GET">): Promise<Answer<typeof Room, "GET">> {
    await Promise.resolve();
    const { room } = call.path;
    log.push(["GET", call.request.headers.get("x-name")]);
    if (call.request.url.includes("follow")) {
      endWith(call.request, (end) => {
        follows.push(end);
        return () => follows.splice(follows.indexOf(end), 1);
      });
    }
    const until = call.request.headers.get("x-until");
    return reply(
      101,
      {
        open(peer) {
          log.push("open");
          peer.subscribe(room);
          peer.send({ text: "welcome" });
        },
        async message(peer, { text: said }) {
          if (said === "slow") await new Promise((resolve) => setTimeout(resolve, 20));
          if (said === "fail") throw new Error("fail");
          if (said === "leave") return peer.unsubscribe(room);
          if (said === "close") return peer.close(4000, "enough");
          if (said.startsWith("join ")) return peer.subscribe(said.slice(5));
          peer.publish(room, { text: said });
          return peer.send({ text: `${said} by ${peer.protocol}` });
        },
        close: (_peer, code, reason) => void log.push(["close", code, reason]),
      },
      { until: until === null ? null : new Date(Number(until)) },
    );
  }
}

class Other extends Resource {
  override paths = ["/other/:room"] as const;
  static GET = { 101: socket({ receives: text(), sends: text() }), 200: text() };
  override GET({ isHandshake, path: { room } }: Call<typeof Other, "GET">): Answer<typeof Other, "GET"> {
    if (isHandshake !== true) return "plain";
    return reply(101, { open: (peer) => peer.subscribe(room) });
  }
}

class Raw extends native.Resource {
  override paths = ["/raw"] as const;
  override GET(request: Request): Response {
    return upgrade(request, {
      open: (peer) => peer.subscribe("all"),
      message: (peer, message) => peer.send(message),
    });
  }
}

function built(): Application {
  const guarded = ResourceGroup.builder()
    .resources(Room)
    .middleware(bearer({ verify: (token) => (isAllowed && token === "k7" ? "Ada" : null) }))
    .build();
  return Application.builder()
    .resources(guarded, Other, Raw)
    .onError((error) => void errors.push(error))
    .build() as Application;
}

let app: Application;
let object: FakeObject;

/** On Workers, a response may switch protocols. */
class PlatformResponse extends Response {
  constructor(body: BodyInit | null, init: ResponseInit = {}) {
    const { status, ...others } = init;
    super(body, status === 101 ? others : init);
    if (status === 101) Object.defineProperty(this, "status", { value: status });
  }
}

const { host } = running;

beforeEach(() => {
  running.host = workersHost;
  vi.stubGlobal(
    "WebSocketPair",
    class {
      readonly 0 = {};
      readonly 1 = new FakeSocket();
    },
  );
  vi.stubGlobal("Response", PlatformResponse);
  isAllowed = true;
  for (const list of [log, errors, follows]) list.length = 0;
  app = built();
  object = new FakeObject((state) => hibernating(app, state));
});

afterEach(() => {
  running.host = host;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const saying = (said: string): string => JSON.stringify({ text: said });

describe("hibernating()", () => {
  it("C20.7 answers a message by handlers of the handshake, which is repeated after the object has slept", async () => {
    const fields = { ...signedIn, "x-name": "Ada", "sec-websocket-protocol": "v2, v1" };
    const response = await object.connect("/rooms/a", fields);
    expect([response.status, response.headers.get("sec-websocket-protocol")]).toEqual([101, "v1"]);
    await object.say(0, saying("hi"));
    expect([object.got(), log]).toEqual([[[saying("welcome"), saying("hi by v1")]], [["GET", "Ada"], "open"]]);
    object.sleep();
    await object.say(0, saying("again"));
    await object.say(0, saying("more"));
    expect([object.got(), log.splice(0)]).toEqual([
      [[saying("again by v1"), saying("more by v1")]],
      [["GET", "Ada"], "open", ["GET", "Ada"]],
    ]);
    object.sleep();
    await object.close(0, 3000, "bye");
    expect([log, object.sockets]).toEqual([
      [
        ["GET", "Ada"],
        ["close", 3000, "bye"],
      ],
      [],
    ]);
  });

  it("C20.7 handles what comes while it wakes in order, one at a time", async () => {
    await object.connect("/rooms/a", signedIn);
    object.sleep();
    object.got();
    const done: string[] = [];
    await Promise.all(
      ["slow", "two", "three"].map(async (said) => {
        await object.say(0, saying(said));
        done.push(said);
      }),
    );
    expect(object.got()).toEqual([[saying("slow by "), saying("two by "), saying("three by ")]]);
    // No instance is evicted before its handlers are done.
    expect(done).toEqual(["slow", "two", "three"]);
    expect(log.filter((one) => one !== "open")).toEqual([
      ["GET", null],
      ["GET", null],
    ]);
  });

  it.each([native.Status.TooManyRequests, native.Status.ServiceUnavailable])(
    "C20.7 closes with 1013 when a guard refuses the handshake for now, so that clients come again: $status",
    async (status) => {
      await object.connect("/rooms/a", signedIn);
      class Busy extends native.Middleware {
        override ALL(): never {
          throw new HTTPError(status);
        }
      }
      app = native.Application.builder().middleware(Busy).build() as unknown as Application;
      object.sleep();
      object.got();
      await object.say(0, saying("hi"));
      expect(object.got()).toEqual([[[1013, `The handshake is refused now: ${status.status}`]]]);
    },
  );

  it("C20.7 closes with 1008 when a guard refuses the handshake now, and with 1011 when it fails", async () => {
    await object.connect("/rooms/a", signedIn);
    await object.connect("/rooms/a", signedIn);
    object.sleep();
    object.got();
    isAllowed = false;
    await Promise.all([object.say(0, saying("hi")), object.say(0, saying("hi"))]);
    expect(object.got()).toEqual([[[1008, "The handshake is refused now: 401"]], []]);
    await object.close(0, 1008);
    expect(log.splice(0)).toEqual([["GET", null], "open", ["GET", null], "open"]);
    app = Application.builder()
      .resources(
        class Room2 extends native.Resource {
          override paths = ["/rooms/:room"];
          override GET(): Response {
            throw new Error("down");
          }
        },
      )
      .onError(() => {})
      .build() as Application;
    object.sleep();
    await object.say(0, saying("hi"));
    expect(object.got()).toEqual([[[1011, "The handshake is refused now: 500"]]]);
  });

  it("C20.7 keeps topics: messages reach peers whose handlers sleep, and wake none", async () => {
    for (const path of ["/rooms/a", "/rooms/a", "/rooms/b", "/other/a", "/raw"]) await object.connect(path, signedIn);
    object.sleep();
    object.got();
    log.length = 0;
    app.publish(Room, "a", { text: "news", secret: 1 });
    app.publish(Raw, "all", new Uint8Array([1]));
    app.publish(Other, "a", "other");
    expect(object.got()).toEqual([[saying("news")], [saying("news")], [], ["other"], [new Uint8Array([1])]]);
    expect(() => app.publish(Room, "a", { text: 1 })).toThrow("Cannot send a message of Room: it does not fit");
    expect(log).toEqual([]);
    await object.say(0, saying("hi"));
    expect(object.got()).toEqual([[saying("hi by ")], [saying("hi")], [], [], []]);
    expect(log).toEqual([["GET", null]]);
    await object.say(0, saying("leave"));
    object.sleep();
    await object.say(1, saying("join b"));
    await object.say(1, saying("join b"));
    app.publish(Room, "a", { text: "news" });
    app.publish(Room, "b", { text: "olds" });
    expect(object.got()).toEqual([[], [saying("news"), saying("olds")], [saying("olds")], [], []]);
    await object.say(1, saying("close"));
    app.publish(Room, "a", { text: "news" });
    expect(object.got()).toEqual([[], [[4000, "enough"]], [], [], []]);
    await object.close(1, 1005);
    app.publish(Room, "a", { text: "news" });
    expect(object.got()).toEqual([[], [], [], []]);
  });

  it("C20.7 publishes to connections of the application that are not of the object, too", async () => {
    const other = await app.connect<typeof Other>("/other/a");
    await object.connect("/other/a");
    app.publish(Other, "a", "one");
    expect((await other.next()).value).toBe("one");
    expect(object.got()).toEqual([["one"]]);
    other.close();
    await other.closed;
    await vi.waitFor(() => app.publish(Other, "a", "two"));
    expect(object.got()).toEqual([["two"]]);
  });

  it("C20.7 closes messages that do not fit as ever, and reports errors of handlers", async () => {
    for (let at = 0; at < 4; at++) await object.connect("/rooms/a", signedIn);
    object.sleep();
    object.got();
    await object.say(0, "{");
    await object.say(1, new ArrayBuffer(1));
    await object.say(2, saying("fail"));
    await object.say(3, saying("close"));
    expect(object.got()).toEqual([
      [[1008, "#: Expected JSON"]],
      [[1003, "Messages are text"]],
      [[1011, ""]],
      [[4000, "enough"]],
    ]);
    expect(errors).toEqual([new Error("fail")]);
    log.length = 0;
    await object.close(3, 4000, "enough");
    await object.close(2, 1011);
    expect([log, errors.length]).toEqual([
      [
        ["close", 4000, "enough"],
        ["close", 1011, ""],
      ],
      1,
    ]);
  });

  it("C20.7 answers a close frame, and tells one end once", async () => {
    for (let at = 0; at < 3; at++) await object.connect("/rooms/a", signedIn);
    log.length = 0;
    const [one, two, three] = object.sockets as [FakeSocket, FakeSocket, FakeSocket];
    object.got();
    await object.close(0, 3000, "bye");
    await object.close(0, 1006, "WebSocket disconnected without sending Close frame.");
    three.readyState = 3;
    await object.all.webSocketError(three);
    await object.all.webSocketClose(three, 1006, "");
    expect([one.got, two.got, three.got]).toEqual([[[3000, "bye"]], [], []]);
    expect(log).toEqual([
      ["close", 3000, "bye"],
      ["close", 1006, ""],
      ["close", 1006, ""],
    ]);
    await object.all.webSocketMessage(three, saying("late"));
    expect(three.got).toEqual([]);
  });

  it("C20.7 leaves sockets alone that others accepted, and answers other requests", async () => {
    const response = await object.all.fetch(new Request("http://h/other/a"));
    expect([response.status, await response.text()]).toEqual([200, "plain"]);
    expect((await object.connect("/rooms/a")).status).toBe(401);
    const strange = new FakeSocket('{"mine":true}');
    object.acceptWebSocket(strange);
    await object.say(0, "hi");
    app.publish(Room, "a", { text: "news" });
    await object.close(0, 1000);
    expect([strange.got, strange.readyState]).toEqual([[], 2]);
  });

  it("C20.11 closes with 1008 at a date, when something comes or goes", async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const late = { ...signedIn, "x-until": "1005000" };
    for (let at = 0; at < 3; at++) await object.connect("/rooms/a", at === 1 ? signedIn : late);
    expect(vi.getTimerCount()).toBe(0);
    object.got();
    vi.setSystemTime(1_005_000);
    app.publish(Room, "a", { text: "news" });
    expect(object.got()).toEqual([[[1008, "The time is over"]], [saying("news")], [[1008, "The time is over"]]]);
    await object.connect("/rooms/a", { ...signedIn, "x-until": "1009000" });
    object.sleep();
    object.got();
    vi.setSystemTime(1_009_000);
    await object.say(3, saying("hi"));
    expect(object.got()).toEqual([[], [], [], [[1008, "The time is over"]]]);
  });

  it("C20.11 takes the date of the latest handshake", async () => {
    let until = Date.now() + 60_000;
    class Dated extends native.Resource {
      override paths = ["/dated"];
      override GET(request: Request): Response {
        return upgrade(request, { message: (peer, said) => peer.send(said) }, { until: new Date(until) });
      }
    }
    const dated = native.Application.builder().resources(Dated).build();
    const own = new FakeObject((state) => hibernating(dated, state));
    await own.connect("/dated");
    until = Date.now() - 1;
    await own.say(0, "one");
    own.sleep();
    await own.say(0, "two");
    expect(own.got()).toEqual([["one", [1008, "The time is over"]]]);
  });

  it("C20.11 closes with 1008 when the session ends, also where it could not be closed at once", async () => {
    for (let at = 0; at < 2; at++) await object.connect("/rooms/a?follow", signedIn);
    object.got();
    const [one, two] = object.sockets as [FakeSocket, FakeSocket];
    expect(follows).toHaveLength(2);
    follows[0]!();
    two.close = () => {
      throw new Error("Cannot perform I/O on behalf of a different Durable Object");
    };
    follows[1]!();
    expect([one.got, two.got]).toEqual([[[1008, "The session is over"]], []]);
    two.close = FakeSocket.prototype.close.bind(two);
    await object.say(1, saying("hi"));
    expect(two.got).toEqual([[1008, "The session is over"]]);
  });

  it("C20.11 follows once, however often the object sleeps", async () => {
    await object.connect("/rooms/a?follow", signedIn);
    for (let at = 0; at < 10; at++) {
      object.sleep();
      await object.say(0, saying("hi"));
    }
    expect(follows).toHaveLength(1);
    object.sleep();
    await object.close(0, 1000);
    expect(follows).toHaveLength(0);
  });

  it("C20.7 is 431 when the handshake is longer than the runtime keeps", async () => {
    const long = { ...signedIn, cookie: `a=${"x".repeat(mostKept)}` };
    const response = await object.connect("/rooms/a", long);
    expect([response.status, await response.json()]).toEqual([
      431,
      {
        title: "Request Header Fields Too Large",
        status: 431,
        detail: "The handshake is longer than what the runtime keeps with a WebSocket",
      },
    ]);
    expect([errors, object.sockets]).toEqual([[expect.any(HTTPError)], []]);
    const own = Application.builder()
      .resources(Other)
      .onError(() => new Response("own"))
      .build();
    const other = new FakeObject((state) => hibernating(own, state));
    expect(await (await other.connect("/other/a", long)).text()).toBe("own");
  });

  it("C20.7 is an error of the handler when topics are longer than the runtime keeps", async () => {
    await object.connect("/rooms/a", signedIn);
    object.got();
    for (let at = 0; at < 10; at++) await object.say(0, saying(`join ${String(at).repeat(300)}`));
    expect(object.got()).toEqual([[[1011, ""]]]);
    expect(errors).toMatchObject([
      {
        name: "RangeError",
        message:
          `Cannot subscribe a peer of Room to "${"6".repeat(80)}": with its handshake and 7 topics it is more ` +
          "than " +
          "the runtime keeps; subscribe to fewer",
      },
    ]);
  });

  it("C20.7 prepares each request, and each repeated handshake", async () => {
    const name = new Attribute<string>("name");
    class Named extends native.Resource {
      override paths = ["/named"];
      override GET(request: Request): Response {
        const own = name.get(request);
        return upgrade(request, { message: (peer) => peer.send(own) });
      }
    }
    const named = native.Application.builder().resources(Named).build();
    let fails = false;
    const own = new FakeObject((state) =>
      hibernating(named, state, {
        prepare(request) {
          if (fails) throw new Error("no name");
          name.set(request, "Ada");
        },
      }),
    );
    await own.connect("/named");
    own.sleep();
    await own.say(0, "hi");
    expect(own.got()).toEqual([["Ada"]]);
    fails = true;
    own.sleep();
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    await own.say(0, "hi");
    expect([own.got(), print.mock.calls[0]?.at(-1)]).toEqual([[[[1011, ""]]], new Error("no name")]);
    print.mockRestore();
  });

  it("C20.7 refuses connections to another application, whose topics it cannot keep", async () => {
    const inner = native.Application.builder()
      .resources(Raw)
      .onError((error) => void errors.push(error))
      .build();
    const outer = Application.builder()
      .resources(class Mounted extends mount(["/:path*"], inner.fetch) {})
      .build() as Application;
    const own = new FakeObject((state) => hibernating(outer, state));
    expect([(await own.connect("/raw")).status, own.sockets]).toEqual([500, []]);
    expect(errors.map(String)).toEqual([
      "TypeError: Cannot let connections of Mounted hibernate: another application, or another resource, answers in " +
        "its place; add that resource to the application of hibernating()",
    ]);
    errors.length = 0;
    class Passing extends Middleware {
      ALL(request: Request): Promise<Response> {
        return inner.fetch(request);
      }
    }
    const passing = Application.builder().middleware(Passing).build();
    const empty = new FakeObject((state) => hibernating(passing, state));
    expect([(await empty.connect("/raw")).status, String(errors[0])]).toEqual([
      500,
      expect.stringMatching(/^TypeError: Cannot let connections of the application hibernate: /),
    ]);
  });

  it("refuses what is no application, no state, or an unknown option", () => {
    const state: ObjectState = { acceptWebSocket: () => {}, getWebSockets: () => [] };
    expect(() => hibernating(Application.builder() as never, state)).toThrow(
      /^Cannot call hibernating\(\): expected an application that was built, got .+; write Application\.builder\(\)\.build\(\)$/,
    );
    expect(() => hibernating(null as never, state)).toThrow("expected an application that was built, got null");
    expect(() => hibernating(app, null as never)).toThrow(
      "Cannot call hibernating(): expected the state of a Durable Object, got null; pass the first argument of its " +
        "constructor",
    );
    expect(() => hibernating(app, state, { prepare: 1 as never })).toThrow(
      'Cannot call hibernating(): its option "prepare" must be a function, got 1',
    );
    expect(() => hibernating(app, state, { before: 1 } as never)).toThrow('it has no option "before"');
  });

  it("says that messages cannot be published outside of an object", async () => {
    hibernating(app, {
      acceptWebSocket: () => {},
      getWebSockets() {
        throw new Error("internal error");
      },
    });
    expect(() => app.publish(Room, "a", { text: "news" })).toThrow(
      "Cannot publish to Room here: no Durable Object of it runs; send a request to the object, and publish there",
    );
  });
});

describe("hibernating() under attack", () => {
  const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  it("C20.3 handles nothing after a close frame, and does not wake for it", async () => {
    await object.connect("/rooms/a", signedIn);
    await object.say(0, saying("close"));
    object.sleep();
    object.got();
    log.length = 0;
    await object.say(0, saying("hi"));
    expect([object.got(), log]).toEqual([[[]], []]);
    await object.close(0, 4000, "enough");
    expect(log).toEqual([
      ["GET", null],
      ["close", 4000, "enough"],
    ]);
  });

  it("keeps no connection of an instance that was evicted", async () => {
    const made: WeakRef<object>[] = [];
    const names = new Attribute<object>("name");
    class Live extends native.Resource {
      override paths = ["/live"];
      override GET(request: Request): Response {
        const own = names.get(request);
        return upgrade(request, { message: () => own });
      }
    }
    const live = native.Application.builder().resources(Live).build();
    const prepare = (request: Request): void => {
      const one = {};
      made.push(new WeakRef(one));
      names.set(request, one);
    };
    const own = new FakeObject((state) => hibernating(live, state, { prepare }));
    await own.connect("/live");
    for (let times = 0; times < 20; times++) {
      own.sleep();
      await own.say(0, "hi");
    }
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    for (let times = 0; times < 5; times++) {
      await quiet();
      collectGarbage();
    }
    expect(made.filter((one) => one.deref() !== undefined).length).toBeLessThan(5);
  });

  it.each([
    ["no fields", { id: "a", url: "http://h/rooms/a", topics: ["a"], until: null }],
    ["a field that is no pair", { id: "a", url: "http://h/rooms/a", fields: [["x"]], topics: ["a"], until: null }],
    ["fields that are numbers", { id: "a", url: "http://h/rooms/a", fields: [[1, 2]], topics: ["a"], until: null }],
    ["no URL", { id: "a", fields: [], topics: ["a"], until: null }],
    ["topics that are no list", { id: "a", url: "http://h/rooms/a", fields: [], topics: "a", until: null }],
    ["topics that are numbers", { id: "a", url: "http://h/rooms/a", fields: [], topics: [1], until: null }],
    ["no id", { url: "http://h/rooms/a", fields: [], topics: ["a"], until: null }],
    ["a date that is none", { id: "a", url: "http://h/rooms/a", fields: [], topics: ["a"], until: "tomorrow" }],
    ["text", "attachment"],
  ])("leaves a socket alone whose attachment is another one: %s", async (_, kept) => {
    await object.connect("/rooms/a", signedIn);
    const strange = new FakeSocket(JSON.stringify(kept));
    object.sockets.unshift(strange);
    object.got();
    app.publish(Room, "a", { text: "news" });
    await object.say(0, saying("hi"));
    await object.close(0, 1000);
    expect([strange.got, object.got()]).toEqual([[], [[saying("news")]]]);
  });

  it("closes with 1011 where the attachment makes no handshake, and reaches all others", async () => {
    await object.connect("/rooms/a", signedIn);
    object.got();
    const all = [
      { url: "nonsense", fields: [] },
      { url: "http://a:b@h/rooms/a", fields: [] },
      { url: "http://h/rooms/a", fields: [["\n", "x"]] },
    ];
    for (const kept of all)
      object.sockets.unshift(new FakeSocket(JSON.stringify({ id: "a", topics: ["a"], until: null, ...kept })));
    const unreadable = new FakeSocket();
    unreadable.deserializeAttachment = () => {
      throw new Error("Unable to deserialize cloned data due to invalid or unsupported version.");
    };
    object.sockets.unshift(unreadable);
    for (const at of [0, 1, 2, 3]) await object.say(at, "hi");
    app.publish(Room, "a", { text: "news" });
    expect(object.got()).toEqual([[], [[1011, ""]], [[1011, ""]], [[1011, ""]], [saying("news")]]);
    expect(errors).toHaveLength(3);
  });

  it("C20.3 closes with 1008 when more messages come than may wait for a guard", async () => {
    let pass: () => void = () => {};
    class Slow extends Middleware {
      async ALL(request: Request): Promise<Response> {
        if (request.headers.has("x-name")) await new Promise<void>((resolve) => (pass = resolve));
        return (await this.next(request)) as Response;
      }
    }
    const handled: unknown[] = [];
    class Live extends native.Resource {
      override paths = ["/live"];
      override GET(request: Request): Response {
        return upgrade(request, { message: (_peer, said) => void handled.push(said) }, { maxMessagesPerSecond: 3 });
      }
    }
    const slow = native.Application.builder().resources(Live).middleware(Slow).build();
    const own = new FakeObject((state) => hibernating(slow, state));
    for (let at = 0; at < 3; at++) {
      const connecting = own.connect("/live", { "x-name": "Ada" });
      await quiet();
      pass();
      await connecting;
    }
    own.sleep();
    const many = Array.from({ length: 1_001 }, () => own.say(0, "hi"));
    pass();
    await Promise.all(many);
    const large = Array.from({ length: 3 }, () => own.say(1, new ArrayBuffer(30_000_000)));
    pass();
    await Promise.all(large);
    expect([own.got(), handled]).toEqual([
      [
        [[1008, "Messages come faster than they are handled"]],
        [[1008, "Messages come faster than they are handled"]],
        [],
      ],
      [],
    ]);
    // What comes slowly has the time at which it came, and not the one at which it was handled.
    vi.useFakeTimers({ now: 1_000_000 });
    const waiting: Promise<void>[] = [];
    for (let at = 0; at < 12; at++) {
      waiting.push(own.say(2, String(at)));
      await vi.advanceTimersByTimeAsync(400);
    }
    pass();
    await Promise.all(waiting);
    expect([own.got()[2], handled.length]).toEqual([[], 12]);
  });

  it("C20.7 closes a peer whose subprotocol is not spoken any more", async () => {
    await object.connect("/rooms/a", { ...signedIn, "sec-websocket-protocol": "v1" });
    class Newer extends Resource {
      override paths = ["/rooms/:room"] as const;
      static GET = { 101: socket({ receives: text(), sends: text(), protocols: ["v2"] }) };
      override GET(_call: Call<typeof Newer, "GET">): Answer<typeof Newer, "GET"> {
        return reply(101, { message: (peer, said) => peer.send(said) });
      }
    }
    app = Application.builder().resources(Newer).build() as Application;
    object.sleep();
    object.got();
    await object.say(0, "hi");
    expect(object.got()).toEqual([[[1008, "The subprotocol is not spoken any more"]]]);
  });

  it("C20.2 C20.7 judges messages by the declaration of the new version", async () => {
    for (let at = 0; at < 2; at++) await object.connect("/rooms/a", signedIn);
    class Newer extends Resource {
      override paths = ["/rooms/:room"] as const;
      static GET = {
        101: socket({
          receives: z.object({ said: z.string() }),
          sends: z.object({ heard: z.string() }),
          maxMessagesPerSecond: 1,
        }),
      };
      override GET(_call: Call<typeof Newer, "GET">): Answer<typeof Newer, "GET"> {
        return reply(101, { message: (peer, { said }) => peer.send({ heard: said }) });
      }
    }
    app = Application.builder().resources(Newer).build() as Application;
    object.sleep();
    object.got();
    await object.say(0, saying("hi"));
    app.publish(Newer, "a", { heard: "news" });
    vi.useFakeTimers({ now: 1_000_000 });
    for (let at = 0; at < 2; at++) await object.say(1, '{"said":"hi"}');
    expect(object.got()).toEqual([
      [[1008, expect.stringMatching(/^#\/said: /)]],
      ['{"heard":"news"}', '{"heard":"hi"}', [1008, "More than 1 messages a second"]],
    ]);
    // The application answers no WebSockets any more, or nothing at all.
    for (const gone of [Application.builder().resources(class extends Other {}), Application.builder()]) {
      const own = new FakeObject((state) => hibernating(app, state));
      await own.connect("/rooms/a");
      app = gone.build() as Application;
      own.sleep();
      await own.say(0, '{"said":"hi"}');
      expect(own.got()).toEqual([[[1008, "The handshake is refused now: 404"]]]);
      app = Application.builder().resources(Newer).build() as Application;
    }
  });

  it("C20.11 needs no timer for the end of a session, and ends with it", async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    const schema = z.object({ user: z.string() });
    const rules = { schema, idleMs: 5_000, absoluteMs: 9_000 };
    for (const kind of ["stored", "sealed"]) {
      const session = new Attribute<Session<{ user: string }> & SealedSession<{ user: string }>>("session");
      const Sessions =
        kind === "stored"
          ? sessions({ session, ...rules, store: memorySessions() })
          : sessions({ session, ...rules, secrets: ["s".repeat(32)] });
      class Live extends native.Resource {
        override paths = ["/live"];
        override async POST(request: Request): Promise<Response> {
          await session.get(request).start({ user: "ada" });
          return new Response(null, { status: 204 });
        }
        override GET(request: Request): Response {
          return upgrade(request, {
            open: (peer) => peer.subscribe("a"),
            message: (peer) => peer.send(session.get(request).data?.user ?? "nobody"),
          });
        }
      }
      const live = native.Application.builder().resources(Live).middleware(Sessions).build();
      const own = new FakeObject((state) => hibernating(live, state));
      const begun = await own.all.fetch(new Request("https://h/live", { method: "POST" }));
      const cookie = begun.headers.getSetCookie()[0]!.split(";")[0]!;
      for (let at = 0; at < 2; at++) await own.connect("/live", { cookie });
      own.sleep();
      await own.say(0, "who");
      // Any would keep the object in memory.
      expect([own.got(), vi.getTimerCount()]).toEqual([[["ada"], []], 0]);
      await vi.advanceTimersByTimeAsync(8_999);
      live.publish(Live, "a", "news");
      expect(own.got()).toEqual([["news"], ["news"]]);
      await vi.advanceTimersByTimeAsync(1);
      live.publish(Live, "a", "news");
      await own.say(0, "who");
      expect(own.got()).toEqual([[[1008, "The time is over"]], [[1008, "The time is over"]]]);
    }
  });

  it("C20.11 takes the earlier one of two ends", async () => {
    const ends = [2_000_000, 3_000_000];
    class Ending extends Middleware {
      ALL(request: Request): Promise<Response> | Response {
        for (const timeMs of ends) endWith(request, (end, at) => at!(timeMs, end));
        return this.next(request) as Promise<Response>;
      }
    }
    class Live extends native.Resource {
      override paths = ["/live"];
      override GET(request: Request): Response {
        const { headers } = request;
        return upgrade(
          request,
          {},
          { until: headers.has("x-until") ? new Date(Number(headers.get("x-until"))) : null },
        );
      }
    }
    const live = native.Application.builder().resources(Live).middleware(Ending).build();
    const own = new FakeObject((state) => hibernating(live, state));
    for (const fields of [{}, { "x-until": "1000000" }, { "x-until": "4000000" }] as Record<string, string>[])
      await own.connect("/live", fields);
    const kept = own.sockets.map((one) => (one.deserializeAttachment() as { until: number }).until);
    expect(kept).toEqual([2_000_000, 1_000_000, 2_000_000]);
  });

  it("is 500 when a request cannot be prepared, and tells it", async () => {
    const own = new FakeObject((state) =>
      hibernating(app, state, {
        prepare() {
          throw new Error("no bindings");
        },
      }),
    );
    const responses = [await own.connect("/rooms/a", signedIn), await own.all.fetch(new Request("http://h/other/a"))];
    expect([responses.map(({ status }) => status), errors.map(String), own.sockets]).toEqual([
      [500, 500],
      ["Error: no bindings", "Error: no bindings"],
      [],
    ]);
  });

  it("C20.5 closes peers whose handlers sleep, too, and tells their end", async () => {
    for (const path of ["/rooms/a", "/rooms/b", "/other/a"]) await object.connect(path, signedIn);
    object.sleep();
    await object.say(1, saying("hi"));
    const inMemory = await app.connect<typeof Other>("/other/b");
    object.got();
    log.length = 0;
    const all = [app.closeSockets(), app.closeSockets({ graceMs: 1_000_000 })];
    expect(object.got()).toEqual(Array.from({ length: 3 }, () => [[1001, "The server stops"]]));
    expect((await inMemory.closed).code).toBe(1001);
    await object.say(0, saying("too late"));
    for (const at of [2, 1, 0]) await object.close(at, 1001, "The server stops");
    await Promise.all(all);
    expect(log).toEqual([
      ["close", 1001, "The server stops"],
      ["GET", null],
      ["close", 1001, "The server stops"],
    ]);
    expect((await object.connect("/rooms/a", signedIn)).status).toBe(503);
  });

  it("C20.5 closes what wakes after that, and gives up what does not answer", async () => {
    for (let at = 0; at < 2; at++) await object.connect("/rooms/a", signedIn);
    const [, late] = object.sockets;
    object.got();
    object.sockets.pop();
    log.length = 0;
    await app.closeSockets({ graceMs: 5 });
    await quiet();
    expect([object.got(), log]).toEqual([[[[1001, "The server stops"]]], [["close", 1001, "The server stops"]]]);
    // Another object of the isolate has it.
    object.sockets.push(late!);
    await object.say(1, saying("hi"));
    object.sleep();
    expect(object.got()).toEqual([[], [[1001, "The server stops"]]]);
  });

  it("C20.5 says that connections cannot be closed outside of an object", async () => {
    let isOutside = false;
    const own = new FakeObject((state) =>
      hibernating(app, {
        acceptWebSocket: (one) => state.acceptWebSocket(one),
        getWebSockets() {
          if (isOutside) throw new Error("internal error");
          return state.getWebSockets();
        },
      }),
    );
    await own.connect("/rooms/a", signedIn);
    isOutside = true;
    await expect(app.closeSockets()).rejects.toThrow(
      "Cannot close the WebSockets of Room here: no Durable Object of it runs; call closeSockets() in a method of " +
        "the object",
    );
    isOutside = false;
    expect((await own.connect("/rooms/a", signedIn)).status).toBe(503);
  });

  it("refuses an application whose topics are shared", () => {
    const shared = Application.builder().resources(Other).build();
    const inbox = new Inbox<unknown>();
    shareTopics(shared, { feed: { inbox, send: (data) => inbox.send(data) } });
    expect(() => hibernating(shared, object)).toThrow(
      "Cannot call hibernating(): shareTopics() shares the topics of Other; leave it out, as a Durable Object has " +
        "all peers of its topics",
    );
  });
});
