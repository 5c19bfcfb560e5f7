import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import {
  Application,
  bytes,
  events,
  HTTPError,
  Middleware,
  reply,
  Resource,
  ResourceGroup,
  socket,
  text,
  type Answer,
  type Peer,
} from "fingerpost";
import { client, connect, type ClientSocket, type Uncompared } from "fingerpost/client";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { asyncapi, asyncDocument } from "./asyncapi.ts";
import { openapi } from "./resources.ts";

const said = z.discriminatedUnion("type", [
  z.object({ type: z.literal("say"), text: z.string() }),
  z.object({ type: z.literal("leave") }),
]);
const heard = z.object({ from: z.string(), text: z.string() }).meta({ id: "Heard" });

class Room extends Resource {
  override paths = ["/rooms/:room"] as const;
  static GET = { summary: "Talks", 101: socket({ receives: said, sends: heard }), 404: "No such room" };
  override GET(): Answer<typeof Room, "GET"> {
    return reply(101, { open: (peer) => peer.send({ from: "Ada", text: "Hello" }) });
  }
}

class Raw extends Resource {
  override paths = ["/raw"] as const;
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

class Plain extends Resource {
  override paths = ["/plain"] as const;
  static GET = { 200: text() };
  override GET(): string {
    return "";
  }
}

class Counted extends Resource {
  override paths = ["/raw/:id"] as const;
  static GET = { 101: socket({ receives: text(), sends: text() }) };
  override GET(): Answer<typeof Counted, "GET"> {
    return reply(101, {});
  }
}

class Numbered extends Resource {
  override paths = ["/raw/:id(\\d+)"] as const;
  static GET = { 200: text() };
  override GET(): string {
    return "";
  }
}

const Paid = {
  name: "Paid",
  event: "invoice.paid",
  POST: { summary: "Is paid", content: z.object({ cents: z.int() }) },
};

const app = Application.builder().resources(Room, Raw, Prices, Plain, Counted, Numbered).build();
const about = { title: "Rooms", version: "1" };

const { resolve } = createRequire(import.meta.url);
const schema = JSON.parse(readFileSync(resolve("@asyncapi/specs/schemas/3.0.0-without-$id.json"), "utf8")) as object;
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

describe("asyncapi()", () => {
  it("C20.9 describes sockets, events and webhooks by what the schema of AsyncAPI 3.0 allows", () => {
    const made = asyncDocument(app, { ...about, description: "Talk", webhooks: [Paid] });
    expect(validate(JSON.parse(JSON.stringify(made))), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
    expect(Object.keys(made.channels)).toEqual(["getRoom", "getRaw", "getPrices", "Counted.GET.3", "Paid"]);
    expect(made.channels["getRoom"]).toEqual({
      address: "/rooms/{room}",
      parameters: { room: {} },
      bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } },
      messages: {
        receives: {
          name: "getRoom.receives",
          contentType: "application/json",
          payload: expect.objectContaining({ oneOf: expect.any(Array) as unknown }),
        },
        sends: {
          name: "getRoom.sends",
          contentType: "application/json",
          payload: { $ref: "#/components/schemas/Heard" },
        },
      },
    });
    expect(made.operations["getRoomReceives"]).toEqual({
      action: "receive",
      summary: "Talks",
      channel: { $ref: "#/channels/getRoom" },
      messages: [{ $ref: "#/channels/getRoom/messages/receives" }],
    });
    const actions = Object.entries(made.operations).map(([name, { action }]) => `${name} ${action}`);
    expect(actions).toEqual(expect.arrayContaining(["getRoomSends send", "getPricesEvents send", "PaidSends send"]));
    expect(made.channels["Paid"]).toMatchObject({ address: null, title: "invoice.paid" });
    expect(made.channels["getRaw"]!.messages).toMatchObject({
      receives: { contentType: "text/plain", payload: { type: "string" } },
      sends: { contentType: "application/octet-stream" },
    });
  });

  it("C20.9 makes a resource of the application it is in, beside others that describe", async () => {
    const described = Application.builder()
      .resources(Room, asyncapi({ ...about, webhooks: [Paid] }), asyncapi({ ...about, path: "/paid.json" }))
      .resources(...openapi(about))
      .build();
    const response = await described.request("/asyncapi.json");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual(
      JSON.parse(JSON.stringify(asyncDocument(described, { ...about, webhooks: [Paid] }))),
    );
    const headers = { "if-none-match": response.headers.get("etag")! };
    expect((await described.request("/asyncapi.json", { headers })).status).toBe(304);
    expect((await described.request("/asyncapi.json", { method: "POST" })).status).toBe(405);
    const other = (await (await described.request("/paid.json")).json()) as { channels: object };
    expect(Object.keys(other.channels)).toEqual(["getRoom"]);
    const { paths } = (await (await described.request("/openapi.json")).json()) as { paths: object };
    expect(Object.keys(paths)).toEqual(["/rooms/{room}"]);
    expect(() => asyncapi({ ...about, path: "asyncapi.json" })).toThrow("expected path to be a path");
    for (const middleware of [5, {}, [Application, 7]])
      expect(() => asyncapi({ ...about, middleware: middleware as never })).toThrow(
        "Cannot describe the application: expected middleware to be an array of middleware classes, got ",
      );
    expect(() => asyncapi(undefined as never)).toThrow("expected title to be a text, got undefined");
  });

  it("has middleware around the resources that describe, as mcp() has it", async () => {
    class Guard extends Middleware {
      ALL(): never {
        throw new HTTPError(403);
      }
    }
    const guarded = { ...about, middleware: [Guard] };
    const described = Application.builder().resources(Room, asyncapi(guarded), openapi(guarded)).build();
    for (const path of ["/asyncapi.json", "/openapi.json", "/docs"])
      expect((await described.request(path)).status, path).toBe(403);
  });

  it("C20.9 chooses by a group, and refuses wrong options", () => {
    const group = ResourceGroup.builder().resources(Room).build();
    const grouped = Application.builder().resources(group, Raw).build();
    expect(Object.keys(asyncDocument(grouped, { ...about, only: group }).channels)).toEqual(["getRoom"]);
    expect(() => asyncDocument(app, { title: "", version: "1" })).toThrow("expected title to be a text");
    expect(() => asyncDocument({} as never, about)).toThrow(
      "expected one that was built, got an object; write Application.builder().build()",
    );
  });

  it("C20.9 one declaration: a member of sends shows at the peer, the client, in AsyncAPI, on the page", async () => {
    const before = { text: z.string() };
    class Old extends Resource {
      override paths = ["/news"] as const;
      static GET = { 101: socket({ receives: text(), sends: z.object(before) }) };
      override GET(): Answer<typeof Old, "GET"> {
        return reply(101, { open: (peer) => expectTypeOf(peer).toEqualTypeOf<Peer<{ text: string }>>() });
      }
    }
    class News extends Resource {
      override paths = ["/news"] as const;
      static GET = { 101: socket({ receives: text(), sends: z.object({ ...before, urgency: z.number() }) }) };
      override GET(): Answer<typeof News, "GET"> {
        return reply(101, {
          open: (peer) => expectTypeOf(peer).toEqualTypeOf<Peer<{ text: string; urgency: number }>>(),
        });
      }
    }
    const shown = async (Class: typeof Old | typeof News): Promise<boolean[]> => {
      const one = Application.builder()
        .resources(Class as typeof News, ...openapi(about))
        .build();
      const page = await (await one.request("/docs", { headers: { accept: "text/html" } })).text();
      return [JSON.stringify(asyncDocument(one, about)), page].map((written) => written.includes("urgency"));
    };
    expect([await shown(Old), await shown(News)]).toEqual([
      [false, false],
      [true, true],
    ]);
    const newer = Application.builder().resources(News).build();
    const { GET } = client<typeof newer>("http://localhost")["/news"];
    type Got = Extract<Exclude<Awaited<ReturnType<typeof GET>>, Uncompared>, { readonly status: 101 }>["content"];
    expectTypeOf<Got>().toEqualTypeOf<ClientSocket<{ text: string; urgency: number }, string, "receives">>();
    expect(typeof connect).toBe("function");
  });
});
