// The application whose Durable Objects sleep, on Cloudflare Workers.
import {
  Application,
  Attribute,
  HTTPError,
  reply,
  Resource,
  ResourceGroup,
  socket,
  text,
  type Answer,
  type Call,
} from "fingerpost";
import { bearer } from "fingerpost/middleware/bearer";
import { z } from "zod";

const message = z.object({ text: z.string().max(500) });

/** The number of the instance of a Durable Object that a request came to. */
export const instance: Attribute<number> = new Attribute<number>("instance");

/** What the handlers of all objects saw, since it was asked last: they are in one isolate. */
const log: unknown[] = [];
const revoked = new Set<string>();

class Room extends Resource {
  paths = ["/rooms/:room/:topic"] as const;
  static GET = { 101: socket({ receives: message, sends: message, protocols: ["v1"] }) };
  GET(call: Call<typeof Room, "GET">): Answer<typeof Room, "GET"> {
    const { room, topic } = call.path;
    const by = instance.get(call);
    log.push(["GET", room]);
    return reply(101, {
      open(peer) {
        log.push(["open", room]);
        peer.subscribe(topic);
        peer.send({ text: `welcome by ${by}` });
      },
      async message(peer, { text: said }) {
        if (said === "slow") await new Promise((resolve) => setTimeout(resolve, 100));
        if (said === "fail") throw new Error("secret");
        if (said === "close") return peer.close(4000, "enough");
        if (said === "many") for (let at = 0; at < 100; at++) peer.subscribe(`${at}`.repeat(200));
        peer.publish(topic, { text: `${said} to ${topic}` });
        return peer.send({ text: `${said} by ${by} ${peer.protocol}` });
      },
      close: (_peer, code, reason) => void log.push([room, code, reason]),
    });
  }
  static POST = { 204: "Published" };
  POST({ path: { topic } }: Call<typeof Room, "POST">): void {
    application.publish(Room, topic, { text: "news" });
  }
  static DELETE = { 204: "All WebSockets of the object are over" };
  async DELETE(): Promise<void> {
    await application.closeSockets({ graceMs: 3_000 });
  }
}

class Log extends Resource {
  paths = ["/log"] as const;
  static GET = { 200: z.array(z.unknown()) };
  GET(): unknown[] {
    return log.splice(0);
  }
}

class Revoked extends Resource {
  paths = ["/revoked/:name"] as const;
  static PUT = { 204: "Revoked" };
  PUT({ path: { name } }: Call<typeof Revoked, "PUT">): void {
    revoked.add(name);
  }
}

class Outside extends Resource {
  paths = ["/outside"] as const;
  static GET = { 200: text() };
  GET(): string {
    try {
      application.publish(Room, "all", { text: "news" });
      return "nobody said no";
    } catch (error) {
      return (error as Error).message;
    }
  }
}

const guarded = ResourceGroup.builder()
  .resources(Room)
  .middleware(bearer({ verify: (name) => (revoked.has(name) ? null : name) }))
  .build();

const application = Application.builder()
  .resources(guarded, Log, Revoked, Outside)
  .onError((error) => {
    if (!(error instanceof HTTPError)) log.push((error as Error).message.replaceAll(/\d+/g, "…"));
  })
  .build();

export const app: Application = application as Application;
