// Documents of messages, read by the official parser of AsyncAPI.
import { Application, bytes, events, reply, Resource, socket, text, type Answer } from "fingerpost";
import { Inbox } from "fingerpost/events";
import { asyncDocument } from "fingerpost/openapi";
import { memorySessions } from "fingerpost/stores";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isInstalled, requireTool } from "./tools.ts";

interface Parsed {
  readonly document?: { channels(): { all(): readonly { id(): string }[] } };
  readonly diagnostics: readonly { readonly severity: number; readonly message: string }[];
}
let parse: (text: string) => Promise<Parsed>;

/** What keeps a document from being valid. */
async function faultsOf(document: unknown): Promise<readonly string[]> {
  const { diagnostics } = await parse(JSON.stringify(document));
  return diagnostics.filter(({ severity }) => severity === 0).map(({ message }) => message);
}

class Room extends Resource {
  override paths = ["/rooms/:room"] as const;
  static GET = {
    101: socket({
      receives: z.discriminatedUnion("type", [
        z.object({ type: z.literal("say"), text: z.string() }).meta({ id: "Say" }),
        z.object({ type: z.literal("leave") }),
      ]),
      sends: z.object({ from: z.string().nullable(), at: z.iso.datetime() }),
    }),
  };
  override GET(): Answer<typeof Room, "GET"> {
    return reply(101, {});
  }
}

class Raw extends Resource {
  override paths = ["/raw/:rest*"] as const;
  static GET = { 101: socket({ receives: text(), sends: bytes() }) };
  override GET(): Answer<typeof Raw, "GET"> {
    return reply(101, {});
  }
}

class Prices extends Resource {
  override paths = ["/prices"] as const;
  static GET = { 200: events(z.object({ cents: z.int() })) };
  override async *GET() {
    yield { cents: 1 };
  }
}

describe.skipIf(!isInstalled)("asyncapi()", () => {
  beforeAll(() => {
    const { Parser } = requireTool("@asyncapi/parser") as { Parser: new () => { parse: typeof parse } };
    const parser = new Parser();
    parse = (document) => parser.parse(document);
  });

  it("C20.9 writes documents that the official parser takes", async () => {
    const app = Application.builder().resources(Room, Raw, Prices).build();
    const described = asyncDocument(app, { title: "Chat", version: "1.0.0" });
    expect(await faultsOf(described)).toEqual([]);
    const { document } = await parse(JSON.stringify(described));
    expect(
      document!
        .channels()
        .all()
        .map((channel) => channel.id())
        .toSorted(),
    ).toEqual(Object.keys(described.channels).toSorted());
    expect(await faultsOf({ ...described, info: {} })).not.toEqual([]);
    expect(await faultsOf({ ...described, operations: { x: { action: "shout" } } })).not.toEqual([]);
  });

  it("C20.9 describes the second application, as it serves it", async () => {
    // The compiler does not follow it: what the example depends on may not be installed.
    const place = "../../examples/notes/server/application.ts";
    const { notes } = (await import(/* @vite-ignore */ place)) as { notes(services: object): Application };
    const services = {
      sql: () => Promise.resolve([]),
      limiter: { points: 1, duration: 1, consume: () => Promise.resolve({}) },
      sessions: memorySessions(),
      changes: new Inbox(),
    };
    const served: unknown = await (await notes(services).request("/asyncapi.json")).json();
    expect(Object.keys((served as { channels: object }).channels)).toContain("getLive");
    expect(await faultsOf(served)).toEqual([]);
  });
});
