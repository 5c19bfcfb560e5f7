// WebSockets of declared operations, over real sockets.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  Application,
  bytes,
  reply,
  Resource,
  ResourceGroup,
  socket,
  text,
  type Answer,
  type ApplicationBuilder,
  type Call,
  type Peer,
} from "fingerpost";
import { bearer } from "fingerpost/middleware/bearer";
import { serve } from "fingerpost/node";
import { document } from "fingerpost/openapi";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";

const said = z.discriminatedUnion("type", [
  z.object({ type: z.literal("say"), text: z.string().max(5) }),
  z.object({ type: z.literal("leave") }),
]);
const heard = z.object({ from: z.string(), text: z.string() });

class Room extends Resource {
  paths = ["/rooms/:room"] as const;
  static GET = { 101: socket({ receives: said, sends: heard }), 404: "No such room" };
  async GET(call: Call<typeof Room, "GET">): Promise<Answer<typeof Room, "GET">> {
    const { room } = call.path;
    if (room === "none") return reply(404);
    if (room === "late") return reply(101, {}, { until: new Date(Date.now() + 30) });
    if (room === "endless")
      return reply(101, { open: (peer) => peer.send({ from: "me", text: "in" }) }, { until: null });
    if (room === "misspelled") return reply(101, { mesage() {} } as never);
    return reply(101, {
      open: (peer) => peer.subscribe(room),
      message(peer, message) {
        if (message.type === "leave") return peer.close(1000, "left");
        if (message.text === "wrong") return peer.send({ from: 1, text: "x" } as never);
        const secret = { from: "Ada", text: message.text, password: "x" };
        peer.publish(room, secret);
        return peer.send(secret);
      },
    });
  }
}

interface Serving {
  readonly app: Application;
  readonly port: number;
  readonly errors: Error[];
}

async function serving(
  Class: new () => Resource,
  build: (builder: ApplicationBuilder) => ApplicationBuilder = (builder) => builder,
): Promise<Serving> {
  const errors: Error[] = [];
  const guard = bearer({ tokens: { k7: "Ada" } });
  const group = ResourceGroup.builder()
    .resources(Class as never)
    .middleware(guard)
    .build();
  const app = build(Application.builder().resources(group) as unknown as ApplicationBuilder)
    .onError((error) => void errors.push(error as Error))
    .build();
  const stop = new AbortController();
  const server = await serve(app, { port: 0, signal: stop.signal, graceMs: 100 });
  onTestFinished(() => stop.abort());
  return { app, port: (server.address() as AddressInfo).port, errors };
}

interface Client {
  readonly got: unknown[];
  readonly closed: Promise<readonly [code: number, reason: string]>;
  send(data: unknown): void;
}

async function connect(
  { port }: Serving,
  path: string,
  headers: object = { authorization: "Bearer k7" },
): Promise<Client> {
  const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { ...headers } });
  const got: unknown[] = [];
  client.on("message", (data: Buffer, isBinary: boolean) => got.push(isBinary ? [...data] : data.toString()));
  const closed = once(client, "close").then(([code, reason]) => [code, String(reason)] as const);
  await once(client, "open");
  return { got, closed, send: (data) => client.send(data instanceof Uint8Array ? data : JSON.stringify(data)) };
}

async function statusOf(
  { port }: Serving,
  path: string,
  headers: object = { authorization: "Bearer k7" },
): Promise<number> {
  const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { ...headers } });
  client.on("error", () => {});
  const [, { statusCode }] = (await once(client, "unexpected-response")) as [unknown, { statusCode: number }];
  return statusCode;
}

describe("socket()", () => {
  it("C20.2 reads and writes messages by their schemas, and leaves out what they do not name", async () => {
    const server = await serving(Room);
    const [one, two] = [await connect(server, "/rooms/a"), await connect(server, "/rooms/a")];
    one.send({ type: "say", text: "hello" });
    await expect
      .poll(() => [one.got, two.got])
      .toEqual([['{"from":"Ada","text":"hello"}'], ['{"from":"Ada","text":"hello"}']]);
    one.send({ type: "leave" });
    expect(await one.closed).toEqual([1000, "left"]);
  });

  it("C20.2 closes with 1008 and the place of what does not fit, never with what was sent", async () => {
    const server = await serving(Room);
    const closedBy = async (data: unknown): Promise<readonly [number, string]> => {
      const client = await connect(server, "/rooms/a");
      client.send(data);
      return client.closed;
    };
    expect(await closedBy({ type: "say", text: "secret-value" })).toEqual([1008, expect.stringMatching(/^#\/text: /)]);
    expect((await closedBy({ type: "say", text: "secret-value" }))[1]).not.toContain("secret");
    expect(await closedBy({ type: "other" })).toEqual([1008, expect.stringMatching(/^#/)]);
    expect(await closedBy(new Uint8Array([1]))).toEqual([1003, "Messages are text"]);
    const client = await connect(server, "/rooms/a");
    client.send(undefined);
    const raw = await connect(server, "/rooms/a");
    (raw as { send(data: unknown): void }).send(new Uint8Array());
    expect((await raw.closed)[0]).toBe(1003);
  });

  it("C20.2 an unfit message of a handler is 1011, and told", async () => {
    const server = await serving(Room);
    const client = await connect(server, "/rooms/a");
    client.send({ type: "say", text: "wrong" });
    expect((await client.closed)[0]).toBe(1011);
    expect(server.errors.map(({ message }) => message)).toEqual([
      "Cannot send a message of Room: it does not fit at #/from (Expected a string, got a number)",
    ]);
  });

  it("C20.1 refuses as any request: guard, reply, path", async () => {
    const server = await serving(Room);
    expect(await statusOf(server, "/rooms/a", {})).toBe(401);
    expect(await statusOf(server, "/rooms/none")).toBe(404);
    expect(await statusOf(server, "/none")).toBe(404);
    expect(await statusOf(server, "/rooms/misspelled")).toBe(500);
    expect(server.errors.at(-1)!.message).toBe(
      'Cannot answer GET of Room with a WebSocket: "mesage" is not a handler; write open, message, invalid or close',
    );
  });

  it("C20.1 another GET is 426, and HEAD too", async () => {
    const server = await serving(Room);
    const headers = { authorization: "Bearer k7" };
    for (const method of ["GET", "HEAD"]) {
      const { status, headers: fields } = await fetch(`http://127.0.0.1:${server.port}/rooms/a`, { method, headers });
      expect([status, fields.get("upgrade")]).toEqual([426, "websocket"]);
    }
  });

  it("C20.1 isHandshake distinguishes them where 200 is declared, too", async () => {
    class Both extends Resource {
      paths = ["/both"] as const;
      static GET = { 101: socket({ receives: text(), sends: bytes() }), 200: text() };
      GET({ isHandshake, request }: Call<typeof Both, "GET">): Answer<typeof Both, "GET"> {
        const isForced = request.headers.has("x-force");
        if (isHandshake === true || isForced)
          return reply(101, { message: (peer, message) => peer.send(new Uint8Array([message.length])) });
        return "plain";
      }
    }
    const server = await serving(Both);
    const client = await connect(server, "/both");
    client.send("ab");
    await expect.poll(() => client.got).toEqual([[4]]);
    const headers = { authorization: "Bearer k7" };
    expect(await (await fetch(`http://127.0.0.1:${server.port}/both`, { headers })).text()).toBe("plain");
    const forced = await fetch(`http://127.0.0.1:${server.port}/both`, { headers: { ...headers, "x-force": "1" } });
    expect(forced.status).toBe(500);
    expect(server.errors.at(-1)!.message).toBe(
      "Cannot answer GET of Both with 101: the request is not a handshake; check call.isHandshake",
    );
  });

  it("C20.2 tells what is no JSON, refuses values of the other kind, and schemas that wait", async () => {
    class Kinds extends Resource {
      paths = ["/json", "/text", "/bytes", "/async"] as const;
      static GET = { 101: socket({ receives: z.string(), sends: text() }) };
      GET(): Answer<typeof Kinds, "GET"> {
        return reply(101, {
          invalid: (peer, [first]) => peer.send(`${first!.pointer}: ${first!.detail}`),
          message: (peer) => peer.send(1 as never),
        });
      }
    }
    class Binary extends Resource {
      paths = ["/"] as const;
      static GET = { 101: socket({ receives: bytes(), sends: bytes() }) };
      GET(): Answer<typeof Binary, "GET"> {
        return reply(101, { message: (peer) => peer.send("x" as never) });
      }
    }
    class Later extends Resource {
      paths = ["/"] as const;
      static GET = {
        101: socket({
          receives: z.string().refine(async (one) => one !== "no"),
          sends: z.string().refine(async () => true),
        }),
      };
      GET(): Answer<typeof Later, "GET"> {
        return reply(101, { message: (peer, message) => peer.send(message) });
      }
    }
    const server = await serving(Kinds);
    const broken = new WebSocket(`ws://127.0.0.1:${server.port}/json`, { headers: { authorization: "Bearer k7" } });
    await once(broken, "open");
    broken.send("{");
    const [told] = (await once(broken, "message")) as [Buffer];
    expect(told.toString()).toBe("#: Expected JSON");
    broken.send('"x"');
    await once(broken, "close");
    const binary = await serving(Binary);
    const client = await connect(binary, "/");
    client.send(new Uint8Array([1]));
    await client.closed;
    const later = await serving(Later, (builder) => builder.replies("check"));
    const one = await connect(later, "/");
    one.send("yes");
    await one.closed;
    expect([...server.errors, ...binary.errors, ...later.errors].map(({ message }) => message)).toEqual([
      "Cannot send a message of Kinds: expected a string, got 1",
      'Cannot send a message of Binary: expected bytes, got "x"',
      "Cannot send a message of Later: its schema is asynchronous; write one that is not",
    ]);
    const unfit = await serving(Room, (builder) => builder.replies("check"));
    const last = await connect(unfit, "/rooms/a");
    last.send({ type: "say", text: "fits" });
    await expect.poll(() => last.got).toEqual(['{"from":"Ada","text":"fits"}']);
    last.send({ type: "say", text: "wrong" });
    expect((await last.closed)[0]).toBe(1011);
    expect(unfit.errors[0]!.message).toMatch(/^Cannot send a message of Room: it does not fit at #\/from \(/);
  });

  it("C20.11 closes at a date, and with null never", async () => {
    const server = await serving(Room);
    const endless = await connect(server, "/rooms/endless");
    await expect.poll(() => endless.got).toEqual(['{"from":"me","text":"in"}']);
    expect(await (await connect(server, "/rooms/late")).closed).toEqual([1008, "The time is over"]);
  });

  it("C20.6 app.publish() reaches all peers of a topic of the class", async () => {
    const server = await serving(Room);
    const client = await connect(server, "/rooms/a");
    const other = await connect(server, "/rooms/b");
    server.app.publish(Room, "a", { from: "all", text: "x" });
    await expect.poll(() => client.got).toEqual(['{"from":"all","text":"x"}']);
    expect(other.got).toEqual([]);
    expect(() => server.app.publish(class Other extends Resource {}, "a", "x")).toThrow(
      "Cannot publish to Other: it is not a resource of the application",
    );
  });

  it("C20.2 replies('check') validates what is sent in full", async () => {
    class Short extends Resource {
      paths = ["/"] as const;
      static GET = { 101: socket({ receives: text(), sends: z.object({ a: z.string().max(1) }) }) };
      GET(): Answer<typeof Short, "GET"> {
        return reply(101, { open: (peer) => peer.send({ a: "too long" }) });
      }
    }
    const server = await serving(Short, (builder) => builder.replies("check"));
    expect((await (await connect(server, "/")).closed)[0]).toBe(1011);
    const trusting = await serving(Short);
    await expect.poll(async () => (await connect(trusting, "/")).got).toEqual(['{"a":"too long"}']);
  });

  it("C20.9 is 101 and 426 in the document", () => {
    const app = Application.builder().resources(Room).build();
    const { responses } = document(app, { title: "x", version: "1" }).paths["/rooms/{room}"]!["get"]!;
    expect(Object.keys(responses)).toEqual(["101", "400", "403", "404", "426"]);
    expect(responses["101"]).toMatchObject({
      description: "Switching Protocols",
      "x-sends": { required: ["from", "text"] },
    });
  });

  it("C20.7 says so where the answer to a refused question is asked: explain()", async () => {
    const app = Application.builder().resources(Room).build();
    const { status, questions } = await app.explain(new Request("http://h/rooms/a"));
    expect([status, questions.at(-1)!.finding]).toEqual([426, "no: Connect by WebSocket"]);
  });

  it("C8.12 build() refuses what cannot be a handshake", () => {
    const built = (operations: object) => (): unknown => {
      class Wrong extends Resource {
        paths = ["/"] as const;
        GET(): string {
          return "";
        }
        POST(): string {
          return "";
        }
      }
      Object.assign(Wrong, operations);
      return Application.builder()
        .resources(Wrong as never)
        .build();
    };
    const chat = socket({ receives: text(), sends: text() });
    const write = "write static GET = { 101: socket({ receives, sends }) }";
    expect(built({ GET: { 101: "No" } })).toThrow(
      `Cannot add Wrong to the application: static GET has "No" for 101; ${write}`,
    );
    expect(built({ GET: { 200: chat } })).toThrow(`static GET has a socket() for 200; ${write}`);
    expect(built({ POST: { 101: chat } })).toThrow(`static POST has a socket() for 101; ${write}`);
  });

  it.each([
    ['its option "sends" must be a schema, text() or bytes()', { sends: undefined }],
    ['its option "receives" must be a schema, text() or bytes(), got 1', { receives: 1 }],
    ['it has no option "until"', { until: new Date() }],
    ['its option "maxBytes" must be a whole number from 1 on', { maxBytes: 0 }],
    ['its option "maxMessagesPerSecond" must be a whole number from 1 on', { maxMessagesPerSecond: 0 }],
    ['its option "origins" must be', { origins: ["x"] }],
    ['its option "protocols" must be', { protocols: ["a b"] }],
  ])("refuses sides and options that are none: %s", (message, wrong) => {
    const options = { receives: text(), sends: text(), ...wrong } as never;
    expect(() => socket(options)).toThrow(`Cannot call socket(): ${message}`);
  });

  it("types peers and messages by the annotated answer", () => {
    class Typed extends Resource {
      paths = ["/"] as const;
      static GET = { 101: socket({ receives: said, sends: heard }), 200: z.object({ n: z.number() }), 404: "None" };
      GET(_call: Call<typeof Typed, "GET">): Answer<typeof Typed, "GET"> {
        return reply(101, {
          open(peer) {
            const known: Peer<{ from: string; text: string }> = peer;
            void known;
          },
          message(peer, message) {
            if (message.type === "say") peer.send({ from: message.text, text: "" });
            // @ts-expect-error -- what is sent is checked
            else peer.send({ from: 1, text: "" });
          },
        });
      }
    }
    expect(Typed.GET[101].kind).toBe("socket");
  });

  it("C20.11 refuses a date that is none, and takes the end of a session that never ends", async () => {
    const errors: string[] = [];
    let options: object = {};
    class Dated extends Resource {
      override paths = ["/dated"] as const;
      static GET = { 101: socket({ receives: text(), sends: text() }) };
      override GET(_call: Call<typeof Dated, "GET">): Answer<typeof Dated, "GET"> {
        return reply(101, { message: (peer, message) => peer.send(message) }, options as never);
      }
    }
    const app = Application.builder()
      .resources(Dated)
      .onError((error) => void errors.push((error as Error).message))
      .build();
    for (options of [{ until: new Date(NaN) }, { until: "2026-11-28" }, { until: 5 }, { utnil: null }])
      await expect(app.connect("/dated")).rejects.toMatchObject({ status: 500 });
    expect(errors).toEqual([
      'Cannot call reply(): its option "until" must be a date or null, got an instance of Date',
      'Cannot call reply(): its option "until" must be a date or null, got "2026-11-28"',
      'Cannot call reply(): its option "until" must be a date or null, got 5',
      'Cannot call reply(): it has no option "utnil"; write one of until',
    ]);
    options = { until: new Date(8.64e15) };
    const peer = await app.connect<typeof Dated>("/dated");
    peer.send("hi");
    expect((await peer.next()).value).toBe("hi");
  });
});
