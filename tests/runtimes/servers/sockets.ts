// The application whose WebSockets are asked on each runtime.
import {
  Application,
  bytes,
  HTTPError,
  Middleware,
  reply,
  Resource,
  ResourceGroup,
  socket,
  text,
  type Answer,
  type Call,
  type Peer,
} from "fingerpost";
import { client, connect } from "fingerpost/client";
import { bearer } from "fingerpost/middleware/bearer";
import { z } from "zod";
import { own } from "../../cases/own-fields.ts";

const said = z.object({ text: z.string().max(5) });
const heard = z.object({ from: z.string(), text: z.string() });
const strings = { receives: text(), sends: text() } as const;

/** What the handlers saw, since it was asked last. */
const log: unknown[] = [];

class Room extends Resource {
  paths = ["/rooms/:room"] as const;
  static GET = {
    101: socket({ receives: said, sends: heard, origins: ["https://friend.example"], protocols: ["v2", "v1"] }),
    404: "No such room",
  };
  async GET({ path: { room } }: Call<typeof Room, "GET">): Promise<Answer<typeof Room, "GET">> {
    if (room === "none") return reply(404);
    if (room === "late") return reply(101, {}, { until: new Date(Date.now() + 100) });
    return reply(101, {
      open(peer) {
        peer.subscribe(room);
        peer.signal.addEventListener("abort", () => log.push("aborted"));
      },
      message(peer, message) {
        const all = { from: peer.protocol, text: message.text, secret: "not declared" };
        if (message.text === "fail") throw new Error("secret");
        if (message.text === "leave") return peer.unsubscribe(room);
        peer.publish(room, all);
        return peer.send(all);
      },
      close: (_peer, code, reason) => void log.push([code, reason]),
    });
  }
}

class Text extends Resource {
  paths = ["/text/:how"] as const;
  static GET = { 101: socket({ ...strings, maxMessagesPerSecond: 100_000, maxBytes: 100_000 }) };
  GET({ path: { how } }: Call<typeof Text, "GET">): Answer<typeof Text, "GET"> {
    const messages: Record<string, (peer: Peer<string>, message: string) => unknown> = {
      echo: (peer, message) => peer.send(message),
      // Each message takes longer than the one after it.
      slow: async (peer, message) => {
        await new Promise((resolve) => setTimeout(resolve, 30 - 10 * Number(message)));
        peer.send(message);
      },
      close: (peer, message) => peer.close(Number(message.slice(0, 4)), message.slice(4)),
      stuck: () => new Promise(() => {}),
      flood,
      long,
      join: (peer) => peer.subscribe("all"),
      spread,
    };
    return reply(101, { message: messages[how]!, close: (_peer, code) => void log.push(code) });
  }
}

/** Sends more than 16 MiB, as fast as the client reads; or as fast as it can. */
async function flood(peer: Peer<string>, message: string): Promise<void> {
  const part = "x".repeat(65_536);
  for (let sent = 0; sent < 256 && !peer.signal.aborted; sent++) {
    if (!peer.send(part) && message === "wait") await peer.drained();
  }
  log.push("flooded");
}

/** Sends as much to a topic, a message a turn. */
async function spread(peer: Peer<string>, message: string): Promise<void> {
  const part = message.repeat(65_536);
  for (let sent = 0; sent < 256; sent++) {
    peer.publish("all", part);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  log.push("spread");
}

/** Sends a message of so many MiB and more after it, in one turn. */
function long(peer: Peer<string>, message: string): void {
  try {
    peer.send("x".repeat(Number(message)));
    for (let sent = 0; sent < 10; sent++) peer.send("more");
  } catch (error) {
    peer.send(String(error));
  }
}

class Few extends Resource {
  paths = ["/few"] as const;
  static GET = { 101: socket({ ...strings, maxMessagesPerSecond: 5, maxBytes: 10 }) };
  GET(): Answer<typeof Few, "GET"> {
    return reply(101, {});
  }
}

class Binary extends Resource {
  paths = ["/bytes"] as const;
  static GET = {
    101: socket({ receives: bytes(), sends: bytes(), maxMessagesPerSecond: 100_000, maxBytes: 1_000_000 }),
  };
  GET(): Answer<typeof Binary, "GET"> {
    return reply(101, { message: (peer, message) => peer.send(message) });
  }
}

class Both extends Resource {
  paths = ["/both"] as const;
  static GET = { 101: socket(strings), 200: text() };
  GET({ isHandshake }: Call<typeof Both, "GET">): Answer<typeof Both, "GET"> {
    return isHandshake === true ? reply(101, {}) : "plain";
  }
}

class Marked extends Resource {
  paths = ["/marked"] as const;
  static GET = { 101: socket(strings) };
  GET(): Answer<typeof Marked, "GET"> {
    return reply(101, {});
  }
}

class Marks extends Middleware {
  async ALL(request: Request): Promise<Response> {
    const response = await this.next(request);
    for (const [name, value] of own("middleware")) response.headers.append(name, value);
    return response;
  }
}
const marked = ResourceGroup.builder().resources(Marked).middleware(Marks).build();

class Log extends Resource {
  paths = ["/log"] as const;
  static GET = { 200: z.array(z.unknown()) };
  GET(): unknown[] {
    return log.splice(0);
  }
  static POST = { 204: "Published" };
  POST(): void {
    application.publish(Room, "all", { from: "app", text: "news", secret: "not declared" });
  }
}

const guarded = ResourceGroup.builder()
  .resources(Room)
  .middleware(bearer({ tokens: { k7: "Ada" } }))
  .build();
const asked = Application.builder().resources(guarded, marked, Text, Few, Binary, Both, Log).build();

class Stop extends Resource {
  paths = ["/stop"] as const;
  static POST = { 204: "All WebSockets are over" };
  async POST(): Promise<void> {
    await application.closeSockets({ graceMs: 1_000 });
  }
}

/** The other side: the client of the package, on the runtime. */
class Caller extends Resource {
  paths = ["/caller/:port"] as const;
  static GET = { 200: z.unknown() };
  async GET({ path: { port } }: Call<typeof Caller, "GET">): Promise<unknown> {
    const api = client<typeof asked>(`http://127.0.0.1:${port}`);
    const path = { how: "echo" };
    const echo = (await connect(api["/text/:how"].GET, { path }, { text: "both" })).orThrow();
    echo.send("Hello");
    const { value } = await echo.next();
    echo.close(4000, "enough");
    const binary = (await connect(api["/bytes"].GET, {})).orThrow();
    binary.send(new Uint8Array([1, 2]));
    const { value: octets } = await binary.next();
    binary.close();
    const refused = await connect(api["/rooms/:room"].GET, { path: { room: "none" } });
    return { value, octets: [...octets!], closed: await echo.closed, refused: refused.status };
  }
}

/** Both sides, without a network. */
class InMemory extends Resource {
  paths = ["/in-memory"] as const;
  static GET = { 200: text() };
  async GET(): Promise<string> {
    const echo = await application.connect<typeof Text>("/text/echo");
    echo.send("Hello");
    const { value } = await echo.next();
    echo.close();
    return value!;
  }
}

const application = Application.builder()
  .resources(guarded, marked, Text, Few, Binary, Both, Log, Stop, Caller, InMemory)
  .onError((error) => {
    if (!(error instanceof HTTPError)) log.push((error as Error).message);
  })
  .build();

export const app: Application = application;
