import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import {
  Application,
  Attribute,
  bytes,
  events,
  form,
  HTTPError,
  lines,
  Middleware,
  page,
  reply,
  Resource,
  ResourceGroup,
  socket,
  Status,
  text,
  upload,
  type Answer,
  type Call,
} from "fingerpost";
import { memory } from "fingerpost/files";
import { memoryRecords } from "fingerpost/stores";
import { mcp, resourceMetadata, type McpOptions } from "fingerpost/mcp";
import { bearer } from "fingerpost/middleware/bearer";
import { csrf } from "fingerpost/middleware/csrf";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";

type Fields = Readonly<Record<string, string>>;

/** Connects the official client to an application, without a server. */
async function connected(app: Application<never, never> | object, fields: Fields = {}, pin?: string): Promise<Client> {
  const { fetch: answer } = app as Application;
  const client = new Client(
    { name: "test", version: "1" },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  );
  const transport = new StreamableHTTPClientTransport(new URL("http://shop.example/mcp"), {
    requestInit: { headers: fields },
    fetch: (url, init) => answer(new Request(url, init as RequestInit)),
  });
  await client.connect(transport);
  return client;
}

async function called(app: object, name: string, given: Readonly<Record<string, unknown>> = {}, fields: Fields = {}) {
  const client = await connected(app, fields);
  return (await client.callTool({ name, arguments: given })) as CallToolResult;
}

const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");

function built(...members: readonly unknown[]): Application {
  return Application.builder()
    .resources(...(members as never[]))
    .onError(() => undefined)
    .build() as never;
}

const made = z.object({ n: z.int() });

const agents = (more: Partial<McpOptions> = {}): unknown => mcp({ name: "shop", version: "1.0.0", ...more });
const guard = bearer({ tokens: { k7: "Ada" } });

class Order extends Resource {
  override paths = ["/orders/:id"] as const;
  static middleware = [guard];

  static GET = {
    summary: "Reads an order",
    path: z.object({ id: z.coerce.number().int() }),
    200: z.object({ id: z.int(), left: z.int() }),
    404: "No such order",
    tool: { name: "read_order", title: "Order" },
  };
  override GET({ path }: Call<typeof Order, "GET">): Answer<typeof Order, "GET"> {
    return path.id === 1 ? Object.assign({ id: 1, left: 2 }, { secret: "x" }) : reply(404);
  }

  static PUT = {
    description: "Replaces an order",
    content: z.object({ left: z.int().min(1), color: z.enum(["red", "blue"]).optional() }),
    200: z.object({ id: z.string(), left: z.int() }),
    tool: true as const,
  };
  override PUT({ path, content }: Call<typeof Order, "PUT">): Answer<typeof Order, "PUT"> {
    return { id: path.id, left: content.left };
  }

  static DELETE = { 204: "Gone" };
  override DELETE(): void {}
}

describe("tools of agents", () => {
  it.each([undefined, "2026-07-28"])("C21.1 are the operations that say so, by protocol %s", async (pin) => {
    const app = built(Order, agents({ instructions: "Orders of a shop" }));
    const client = await connected(app, { authorization: "Bearer k7" }, pin);
    const { tools } = await client.listTools();
    expect(tools).toEqual([
      {
        name: "read_order",
        title: "Order",
        description: "Reads an order",
        inputSchema: {
          type: "object",
          properties: { id: expect.objectContaining({ type: "integer" }) as unknown },
          required: ["id"],
          additionalProperties: false,
        },
        outputSchema: expect.objectContaining({ type: "object", required: ["id", "left"] }) as unknown,
        annotations: { readOnlyHint: true },
      },
      {
        name: "putOrder",
        description: "Replaces an order",
        inputSchema: {
          type: "object",
          properties: {
            id: { type: "string" },
            left: expect.objectContaining({ type: "integer", minimum: 1 }) as unknown,
            color: { type: "string", enum: ["red", "blue"] },
          },
          required: ["id", "left"],
          additionalProperties: false,
        },
        outputSchema: expect.objectContaining({ type: "object" }) as unknown,
        annotations: { idempotentHint: true, destructiveHint: true },
      },
    ]);
    expect(client.getServerVersion()).toMatchObject({ name: "shop", version: "1.0.0" });
    expect(client.getInstructions()).toBe("Orders of a shop");
    const result = await client.callTool({ name: "read_order", arguments: { id: 1 } });
    expect(result).toMatchObject({ structuredContent: { id: 1, left: 2 } });
    expect(result.structuredContent).not.toHaveProperty("secret");
  });

  it("C21.1 leave the document as it is", () => {
    expect(Object.keys(document(built(Order, agents()), { title: "Shop", version: "1" }).paths)).toEqual([
      "/orders/{id}",
    ]);
  });

  it.each([
    ["a name that no agent can call", { 200: text(), tool: { name: "a b" } }, /GET is a tool of the name "a b"/],
    [
      "a name that is too long for most agents",
      { 200: text(), tool: { name: "x".repeat(65) } },
      /is a tool of the name "x+…?"?; write one of/,
    ],
    ["an empty name", { 200: text(), tool: { name: "" } }, /has an object for tool; write true/],
    ["an unknown member", { 200: text(), tool: { nam: "a" } }, /has an object for tool; write true/],
    ["text", { 200: text(), tool: "a" }, /for tool; write true, or \{ name/],
    [
      "a required field of credentials",
      { headers: z.object({ "X-Forwarded-For": z.string() }), 200: text(), tool: true },
      /requires the field "X-Forwarded-For"/,
    ],
    ["events", { 200: events(z.string()), tool: true }, /is a tool beside events\(\)/],
    ["lines", { 200: lines(z.string()), tool: true }, /is a tool beside lines\(\)/],
    [
      "a socket",
      { 101: socket({ receives: text(), sends: text() }), 200: text(), tool: true },
      /is a tool beside socket\(\)/,
    ],
    ["bytes", { content: bytes(), 200: text(), tool: true }, /is a tool beside bytes\(\)/],
    [
      "a form",
      { content: form({ file: upload({ to: memory() }) }), 200: text(), tool: true },
      /is a tool beside form\(\)/,
    ],
    [
      "a form that a schema reads",
      { content: { "application/x-www-form-urlencoded": z.object({}) }, 200: text(), tool: true },
      /is a tool beside application\/x-www/,
    ],
  ])("C21.1 refuses %s", (_, declaration, message) => {
    class Wrong extends Resource {
      override paths = ["/"];
      override GET(): unknown {
        return "";
      }
      override POST(): unknown {
        return "";
      }
    }
    Object.assign(Wrong, { ["content" in declaration ? "POST" : "GET"]: declaration });
    expect(() => built(Wrong, agents())).toThrow(message as RegExp);
  });

  it("C21.1 refuses two of one name, and one that no path leads to", () => {
    class One extends Resource {
      override paths = ["/one"];
      static GET = { 200: text(), tool: { name: "same" } };
      override GET(): string {
        return "";
      }
    }
    class Two extends Resource {
      override paths = ["/two"];
      static POST = { 200: text(), tool: { name: "same" } };
      override POST(): string {
        return "";
      }
    }
    expect(() => built(One, Two, agents())).toThrow(
      'static POST is a tool of the name "same", as static GET of One is',
    );
    class Nowhere extends Resource {
      override paths = [];
      static GET = { 200: text(), tool: true };
      override GET(): string {
        return "";
      }
    }
    expect(() => built(Nowhere, agents())).toThrow("static GET is a tool, and no path of Nowhere leads to it");
  });

  it("C21.2 are behind the guards of their operations", async () => {
    const app = built(Order, agents());
    const client = await connected(app);
    expect((await client.listTools()).tools).toEqual([]);
    const result = await client.callTool({ name: "read_order", arguments: { id: 1 } });
    expect(result).toMatchObject({ isError: true, content: [{ text: "401 Unauthorized" }] });
    expect(textOf(await called(app, "read_order", { wrong: 1 }))).toBe(
      "There is no tool of this name that you may use",
    );
  });

  it("C21.2 take over who asks, and cookies only where that is said", async () => {
    const seen: Record<string, string | null>[] = [];
    class Seen extends Resource {
      override paths = ["/seen"] as const;
      static GET = { 200: text(), tool: { name: "see" } };
      override GET({ request }: Call<typeof Seen, "GET">): string {
        const names = [
          "authorization",
          "origin",
          "sec-fetch-site",
          "forwarded",
          "x-forwarded-for",
          "traceparent",
          "cookie",
        ];
        seen.push({
          ...Object.fromEntries([...names, "x-other"].map((name) => [name, request.headers.get(name)])),
          ip: (request as { ip?: string }).ip ?? null,
        });
        return "seen";
      }
    }
    const sent = {
      ...{
        authorization: "Bearer a",
        origin: "https://shop.example",
        "sec-fetch-site": "same-origin",
        forwarded: "for=1",
      },
      ...{ "x-forwarded-for": "10.0.0.1", traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
    };
    const hosted = (app: Application): object => ({
      fetch: (request: Request) => app.fetch(Object.defineProperty(request, "ip", { value: "192.0.2.1" })),
    });
    const fields = { ...sent, cookie: "a=1", "x-other": "1" };
    await called(hosted(built(Seen, agents())), "see", {}, fields);
    expect(seen.pop()).toMatchObject({ ...sent, cookie: null, "x-other": "1", ip: "192.0.2.1" });
    const { get } = new Headers({ cookie: "a=1" });
    await called(hosted(built(Seen, agents({ forwardCookies: true }))), "see", {}, fields);
    // A browser's runtime has its own jar.
    expect([get.call(new Headers(fields), "cookie"), null]).toContain(seen.pop()!["cookie"]);
  });

  it("C21.2 know what the host has set, and nothing that middleware around the resource has set", async () => {
    const address = new Attribute<string>("address");
    const name = new Attribute<string>("name");
    class Naming extends Middleware {
      override ALL(input: object): Promise<Response> | Response {
        name.set(input, "Ada");
        address.set(input, `${address.get(input)}, seen`);
        return this.next(input as Request);
      }
    }
    class Who extends Resource {
      override paths = ["/who"] as const;
      static GET = { 200: text(), tool: { name: "who" } };
      override GET({ request }: Call<typeof Who, "GET">): Answer<typeof Who, "GET"> {
        return `${address.find(request)} ${name.find(request)}`;
      }
    }
    const app = built(Who, agents({ middleware: [Naming] }));
    const fetch = (request: Request): Promise<Response> => {
      address.set(request, "192.0.2.1");
      return app.fetch(request);
    };
    expect(textOf(await called({ fetch }, "who"))).toBe("192.0.2.1 undefined");
    expect(await (await fetch(new Request("http://shop.example/who"))).text()).toBe("192.0.2.1 undefined");
  });

  it("C21.1 describe no literal of a field in which a way to authenticate has its key", async () => {
    class Keyed extends Resource {
      override paths = ["/keyed"] as const;
      static GET = {
        headers: z.object({ "x-api-key": z.enum(["s3cret"]), "x-tone": z.enum(["loud"]).optional() }),
        security: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } },
        200: text(),
        tool: true,
      };
      override GET(): string {
        return "hello";
      }
    }
    const app = built(Keyed, agents());
    const { tools } = await (await connected(app)).listTools();
    expect(JSON.stringify(tools)).not.toContain("s3cret");
    expect(JSON.stringify(tools)).toContain("loud");
    expect(textOf(await called(app, tools[0]!.name, { "x-api-key": "s3cret" }))).toBe("hello");
  });

  it("C21.2 let nobody choose a field that came with the sender, or that a proxy sets", async () => {
    class Of extends Resource {
      override paths = ["/of"] as const;
      static GET = {
        headers: z.object({
          "x-user": z.string().optional(),
          "x-tone": z.string().optional(),
          "x-real-ip": z.string().optional(),
        }),
        200: z.object({ of: z.string() }),
        tool: { name: "of" },
      };
      override GET({ headers }: Call<typeof Of, "GET">) {
        return { of: [headers["x-user"], headers["x-tone"], headers["x-real-ip"]].join() };
      }
    }
    const app = built(Of, agents());
    const given = { "x-user": "admin", "x-tone": "loud" };
    const sent = { "x-user": "mallory", "x-real-ip": "10.0.0.1" };
    expect((await called(app, "of", given, sent)).structuredContent).toEqual({ of: "mallory,loud,10.0.0.1" });
    expect(textOf(await called(app, "of", { "x-real-ip": "::1" }))).toContain("- #/x-real-ip: Expected no such input");
    const proxied = built(Of, agents({ hiddenHeaders: ["X-User"] }));
    expect(textOf(await called(proxied, "of", given))).toContain("- #/x-user: Expected no such input");
    expect((await called(proxied, "of", { "x-tone": "soft" }, sent)).structuredContent).toEqual({
      of: "mallory,soft,10.0.0.1",
    });
    expect(textOf(await called(app, "of", { "x-tone": { toString: 1 } }))).toContain(
      "- #/x-tone: Expected text that a field",
    );
  });

  it("C21.2 reach no other resource by the text of a param", async () => {
    let deleted = "";
    class Account extends Resource {
      override paths = ["/accounts/:id"] as const;
      static DELETE = { 204: "Gone", tool: { name: "delete_account" } };
      override DELETE({ path }: Call<typeof Account, "DELETE">): void {
        deleted += path.id;
      }
    }
    class All extends Resource {
      override paths = ["/accounts/all"] as const;
      static DELETE = { 204: "All are gone" };
      override DELETE(): void {
        deleted += "everything";
      }
    }
    const app = built(Account, All, agents());
    expect(textOf(await called(app, "delete_account", { id: "all" }))).toContain("is another resource");
    expect(textOf(await called(app, "delete_account", { id: "7" }))).toContain("204");
    expect(deleted).toBe("7");
  });

  it("C21.4 are short, however much was wrong, and read errors of any shape", async () => {
    class Odd extends Resource {
      override paths = ["/odd"] as const;
      static GET = { 200: text(), 409: { content: z.looseObject({ title: z.string() }) }, tool: { name: "odd" } };
      override GET(): unknown {
        return reply(409, {
          title: "Odd",
          errors: [null, 7, { pointer: 7 }, { in: "query", pointer: "#/a", detail: "Expected b" }],
        });
      }
    }
    const app = built(Odd, agents());
    expect(textOf(await called(app, "odd"))).toBe("409 Conflict: Odd\n- #/a: Expected b");
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`n${at}`, 1]));
    expect(textOf(await called(app, "odd", many)).split("\n")).toHaveLength(11);
  });

  it("C21.5 count as requests for a limit in front of their guard", async () => {
    let asked = 0;
    let left = 3;
    class Limit extends Middleware {
      override ALL(input: unknown): Promise<Response> | Response {
        if (left-- > 0) return this.next(input);
        throw new HTTPError(Status.TooManyRequests);
      }
    }
    const counting = bearer({ verify: () => void asked++ });
    class Limited extends Resource {
      override paths = ["/limited"] as const;
      static middleware = [Limit, counting];
      static GET = { 200: text(), tool: { name: "limited" } };
      override GET(): string {
        return "";
      }
    }
    const app = built(Limited, agents());
    for (let at = 0; at < 5; at++) await (await connected(app, { authorization: "Bearer k" })).listTools();
    expect(asked).toBe(3);
  });

  it("C21.2 fill paths by values that no URL resolves", async () => {
    class Files extends Resource {
      override paths = ["/files/:name/:part?"] as const;
      static GET = { 200: z.object({ name: z.string(), part: z.string() }), tool: { name: "file" } };
      override GET({ path, request }: Call<typeof Files, "GET">) {
        return { name: path.name, part: `${path.part ?? "none"} ${new URL(request.url).pathname}` };
      }
    }
    const app = built(Files, agents());
    expect((await called(app, "file", { name: "a/b", part: null })).structuredContent).toEqual({
      name: "a/b",
      part: "none /files/a%2Fb",
    });
    expect((await called(app, "file", { name: 7, part: true })).structuredContent).toMatchObject({ name: "7" });
    for (const name of ["..", ".", "", "%2e%2E", "\ud800", {}]) {
      const result = await called(app, "file", { name });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toBe("The tool was not called:\n- #/name: Expected text that a path can hold");
    }
    expect(textOf(await called(app, "file"))).toContain("- #/name: Expected a value: it is a part of the path");
  });

  it("C21.3 group inputs whose names collide", async () => {
    class Moved extends Resource {
      override paths = ["/moved/:id"] as const;
      static POST = {
        query: z.object({ id: z.string().optional(), tags: z.array(z.string()).optional() }),
        headers: z.object({ "x-id": z.string().optional() }),
        content: z.object({ id: z.string() }),
        201: z.object({ all: z.string() }),
        tool: { name: "move" },
        idempotency: { optional: true },
      };
      override POST({ path, query, headers, content, request }: Call<typeof Moved, "POST">) {
        const key = request.headers.get("idempotency-key");
        return reply(201, { all: [path.id, query.id, query.tags, headers["x-id"], content.id, key].join() });
      }
    }
    const app = Application.builder()
      .resources(Moved as never, agents() as never)
      .idempotency({ store: memoryRecords(), ownerOf: () => "all" })
      .build() as never;
    const client = await connected(app);
    const { tools } = await client.listTools();
    expect(tools[0]!.inputSchema).toMatchObject({
      properties: {
        path: { required: ["id"], additionalProperties: false },
        query: { properties: { id: {}, tags: {} } },
        headers: { properties: { "x-id": { type: "string" } } },
        content: { type: "object" },
        idempotencyKey: { type: "string" },
      },
      required: ["path", "content"],
    });
    expect(tools[0]!.annotations).toEqual({ idempotentHint: true, destructiveHint: true });
    const given = {
      path: { id: "p" },
      query: { id: "q", tags: ["a", "b"] },
      headers: { "x-id": "h" },
      content: { id: "c" },
      idempotencyKey: "k1",
    };
    expect((await called(app, "move", given)).structuredContent).toEqual({ all: "p,q,a,b,h,c,k1" });
    const wrong = { path: 7, query: { other: 1 }, headers: { "x-id": "a\nb" }, content: {}, more: 1 };
    expect(textOf(await called(app, "move", wrong))).toBe(
      [
        "The tool was not called:",
        "- #/more: Expected no such input: the inputs are path, query, headers, idempotencyKey, content",
        "- #/path: Expected an object",
        "- #/query/other: Expected no such input: the inputs are id, tags",
        "- #/path/id: Expected a value: it is a part of the path",
        "- #/headers/x-id: Expected text that a field can hold",
      ].join("\n"),
    );
    const unfit = textOf(await called(app, "move", { path: { id: "p" }, content: { id: 7 } }));
    expect(unfit).toContain("- #/content/id: ");
  });

  it("C21.3 give content that is no object of members as one input, and its result as one member", async () => {
    class Sum extends Resource {
      override paths = ["/sum"] as const;
      static POST = { content: z.array(z.number()), 200: z.number(), tool: { name: "sum" } };
      override POST({ content }: Call<typeof Sum, "POST">): number {
        return content.reduce((sum, one) => sum + one, 0);
      }
      static PUT = {
        content: z.looseObject({ a: z.int() }).optional(),
        200: z.object({ a: z.int().optional() }),
        tool: { name: "open" },
      };
      override PUT({ content }: Call<typeof Sum, "PUT">) {
        return { a: content?.a };
      }
      static PATCH = { content: text(), 200: text(), tool: { name: "shout" } };
      override PATCH({ content }: Call<typeof Sum, "PATCH">): string {
        return content.toUpperCase();
      }
    }
    const app = built(Sum, agents());
    const result = await called(app, "sum", { content: [1, 2] });
    expect(result.structuredContent).toEqual({ content: 3 });
    expect(textOf(await called(app, "sum", { content: [1, "2"] }))).toContain("- #/content/1: ");
    expect((await called(app, "open")).structuredContent).toEqual({});
    expect((await called(app, "open", { content: { a: 1, b: 2 } })).structuredContent).toEqual({ a: 1 });
    expect(textOf(await called(app, "shout", { content: "hi" }))).toBe("HI");
    expect(textOf(await called(app, "shout", { content: 7 }))).toContain("- #/content: Expected text");
  });

  it("C21.3 keep schemas that have a name, in one place", async () => {
    const money = z.object({ cents: z.int() }).meta({ id: "Money" });
    class Prices extends Resource {
      override paths = ["/prices"] as const;
      static POST = {
        content: z.object({ low: money, high: money }),
        200: z.object({ all: z.array(money) }),
        tool: { name: "price", destructive: false },
      };
      override POST({ content: { low, high } }: Call<typeof Prices, "POST">) {
        return { all: [low, high] };
      }
      static PUT = { content: money, 200: money, tool: { name: "set" } };
      override PUT({ content }: Call<typeof Prices, "PUT">) {
        return content;
      }
    }
    const app = built(Prices, agents());
    const { tools } = await (await connected(app)).listTools();
    expect(tools[0]!.inputSchema).toMatchObject({
      properties: { low: { $ref: "#/$defs/Money" } },
      $defs: { Money: { type: "object" } },
    });
    expect(tools[0]!.outputSchema).toHaveProperty(["$defs", "Money"]);
    expect(tools[0]!.annotations).toEqual({ idempotentHint: false, destructiveHint: false });
    expect(tools[1]!.inputSchema.properties).toHaveProperty("cents");
    expect(tools[1]!.outputSchema!["properties"]).toHaveProperty("cents");
    const given = { low: { cents: 1 }, high: { cents: 2 } };
    expect((await called(app, "price", given)).structuredContent).toEqual({ all: [{ cents: 1 }, { cents: 2 }] });
    expect((await called(app, "set", { cents: 3 })).structuredContent).toEqual({ cents: 3 });
  });

  it("C21.3 take the tag of what was read for a write that needs one", async () => {
    class Page extends Resource {
      override paths = ["/page"] as const;
      validator(): { etag: string } {
        return { etag: '"v1"' };
      }
      static GET = { 200: z.object({ n: z.int() }), tool: { name: "read_page" } };
      override GET(): unknown {
        return { n: 1 };
      }
      static PUT = {
        content: z.object({ n: z.int() }),
        204: "Written",
        precondition: true,
        tool: { name: "write_page" },
      };
      override PUT(): void {}
    }
    const app = built(Page, agents());
    expect(textOf(await called(app, "read_page"))).toBe('{"n":1}\nETag: "v1"');
    const { tools } = await (await connected(app)).listTools();
    expect(tools[0]!.inputSchema.properties).toEqual({});
    expect(tools[1]!.inputSchema.required).toEqual(["If-Match", "n"]);
    expect(textOf(await called(app, "write_page", { n: 1, "If-Match": '"v1"' }))).toContain("204 No Content");
    expect(textOf(await called(app, "write_page", { n: 1, "If-Match": '"v0"' }))).toContain("412 Precondition Failed");
  });

  it.each([
    ["a missing member", { id: "a" }, /#\/left: /],
    ["a number as text", { id: "a", left: "3" }, /#\/left: .*number/],
    ["a wrong choice", { id: "a", left: 1, color: "green-secret" }, /#\/color: .*"red"\|"blue"/],
    [
      "an input that is not there",
      { id: "a", left: 1, colour: "secret" },
      /#\/colour: Expected no such input: the inputs are id, left, color/,
    ],
    ["a missing part of the path", { left: 1 }, /#\/id: Expected a value/],
  ])("C21.4 name what to mend: %s", async (_, given, message) => {
    const result = await called(built(Order, agents()), "putOrder", given, { authorization: "Bearer k7" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(message);
    expect(textOf(result)).not.toContain("secret");
  });

  it("C21.4 say nothing of the inside of a fault, and when to come back", async () => {
    class Failing extends Resource {
      override paths = ["/fails"] as const;
      static GET = { 200: z.object({}), tool: { name: "fail" } };
      override GET(): never {
        throw new Error("secret");
      }
      static POST = { 200: z.object({}), 503: "Later", tool: { name: "later" } };
      override POST(): unknown {
        return reply(503, undefined, { "retry-after": "7" } as never);
      }
      static PUT = { 200: text(), 429: { content: z.object({ why: z.string() }) }, tool: { name: "own" } };
      override PUT(): unknown {
        return reply(429, { why: "too many" }, { "retry-after": "9" } as never);
      }
      static DELETE = { 200: text(), 499: text(), tool: { name: "plain" } };
      override DELETE(): unknown {
        return reply(499, "no JSON");
      }
    }
    const app = built(Failing, agents());
    expect(textOf(await called(app, "fail"))).toBe("500 Internal Server Error");
    expect(textOf(await called(app, "later"))).toBe("503 Service Unavailable\nRetry after: 7");
    expect(textOf(await called(app, "own"))).toBe('429 Too Many Requests\n{"why":"too many"}\nRetry after: 9');
    expect(textOf(await called(app, "plain"))).toBe("499");
    expect(textOf(await called(app, "unknown"))).toBe("There is no tool of this name that you may use");
  });

  it("C21.4 are bounded: text is cut, and what a schema describes is refused with what makes it less", async () => {
    const list = { query: z.object({ limit: z.coerce.number().optional() }), 200: z.array(z.string()) };
    class Long extends Resource {
      override paths = ["/long"] as const;
      static GET = { ...list, tool: { name: "list" } };
      override GET(): string[] {
        return ["x".repeat(2000)];
      }
      static POST = { 200: text(), tool: { name: "text" } };
      override POST(): string {
        return "x".repeat(2000);
      }
      static PUT = { 200: { content: { "image/png": bytes() } }, tool: { name: "image" } };
      override PUT(): Uint8Array {
        return new Uint8Array(2000);
      }
    }
    const app = built(Long, agents({ maxResultBytes: 1000 }));
    expect(await called(app, "list")).toEqual({
      isError: true,
      content: [{ type: "text", text: "The answer has more than 1000 bytes; ask for less by limit" }],
    });
    expect(textOf(await called(app, "text"))).toBe(`${"x".repeat(1000)}\nCut. The answer has more than 1000 bytes`);
    expect(textOf(await called(app, "image"))).toBe("The answer has more than 1000 bytes");
  });

  it("C21.4 are what agents read of other content", async () => {
    class Media extends Resource {
      override paths = ["/media/:kind"] as const;
      static GET = {
        200: { content: { "image/png": bytes(), "audio/wav": bytes(), "application/zip": bytes() } },
        headers: z.object({ accept: z.string().optional() }),
        tool: { name: "media" },
      };
      override GET({ path }: Call<typeof Media, "GET">) {
        return new Blob([new Uint8Array([1])], { type: path.kind.replace("-", "/") });
      }
      static PUT = { 303: "See there", 200: text(), tool: { name: "go" } };
      override PUT(): unknown {
        return reply(303, undefined, { location: "/there" } as never);
      }
    }
    const app = built(Media, agents());
    const accepted = (kind: string): object => ({ kind, accept: kind.replace("-", "/") });
    expect((await called(app, "media", accepted("image-png") as never)).content).toEqual([
      { type: "image", data: "AQ==", mimeType: "image/png" },
    ]);
    expect((await called(app, "media", accepted("audio-wav") as never)).content).toEqual([
      { type: "audio", data: "AQ==", mimeType: "audio/wav" },
    ]);
    expect((await called(app, "media", accepted("application-zip") as never)).content).toMatchObject([
      { type: "resource", resource: { blob: "AQ==", mimeType: "application/zip" } },
    ]);
    expect(textOf(await called(app, "go", { kind: "a" }))).toBe("303 See Other\nLocation: /there");
  });

  it("C21.4 have JSON where an operation has several types", async () => {
    class Both extends Resource {
      override paths = ["/both"] as const;
      static GET = {
        200: { content: { "text/csv": text(), "application/json": z.object({ n: z.int() }) } },
        tool: { name: "both" },
      };
      override GET({ mediaType }: Call<typeof Both, "GET">) {
        return mediaType === "text/csv" ? "n" : { n: 1 };
      }
    }
    expect(textOf(await called(built(Both, agents()), "both"))).toBe('{"n":1}');
  });

  it("C21.3 ask for the next page by its cursor", async () => {
    class Numbers extends Resource {
      override paths = ["/numbers"] as const;
      static GET = {
        200: page(z.object({ n: z.int() }), { by: z.object({ n: z.int() }), limit: 2 }),
        tool: { name: "list" },
      };
      override GET({ page: { after, limit } }: Call<typeof Numbers, "GET">) {
        const from = (after?.n ?? 0) + 1;
        return { items: Array.from({ length: limit }, (_, at) => ({ n: from + at })), next: { n: from + limit - 1 } };
      }
    }
    const app = built(Numbers, agents());
    const { structuredContent: first } = await called(app, "list", { limit: 2 });
    const { items, next } = first as { readonly items: unknown; readonly next: string };
    expect(items).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await called(app, "list", { cursor: next })).structuredContent).toMatchObject({
      items: [{ n: 3 }, { n: 4 }],
    });
    expect(textOf(await called(app, "list", { cursor: "forged" }))).toContain("400 Bad Request");
  });

  it("C21.3 describe whatever an operation takes", async () => {
    const validate = (value: unknown): object =>
      value === undefined ? { issues: [{ message: "Expected a value" }] } : { value };
    const custom = { "~standard": { version: 1, vendor: "own", validate } } as unknown as typeof made;
    class Every extends Resource {
      override paths = ["/every/:id(\\d+)/:rest+"] as const;
      validator(): { etag: string } {
        return { etag: '"v1"' };
      }
      static GET = { 200: text(), cookies: z.object({ theme: z.string() }), tool: { name: "get" } };
      override GET(): string {
        return "";
      }
      static PUT = {
        content: z.strictObject({ n: z.int() }),
        headers: z.object({ "if-match": z.string() }),
        200: z.object({ n: z.int() }),
        tool: { name: "put" },
      };
      override PUT({ content }: Call<typeof Every, "PUT">) {
        return content;
      }
      static POST = { content: custom, 200: made, 201: made, tool: { name: "post" } };
      override POST({ content }: Call<typeof Every, "POST">) {
        return reply(201, { n: (content as { n: number }).n });
      }
    }
    const app = built(Every, agents());
    const { tools } = await (await connected(app)).listTools();
    const [get, put, post] = ["get", "put", "post"].map((name) => tools.find((tool) => tool.name === name));
    expect(get!.inputSchema.properties).toEqual({
      id: { type: "string", pattern: "^(?:\\d+)$" },
      rest: { type: "string", description: expect.stringContaining("The rest of the path") as unknown },
    });
    expect(Object.keys(put!.inputSchema.properties!)).toEqual(["id", "rest", "if-match", "If-None-Match", "n"]);
    expect(post!.inputSchema.required).toEqual(["id", "rest", "content"]);
    expect(post!.outputSchema).toHaveProperty("properties.n");
    const at = { id: "7", rest: "a/b" };
    // A cookie is no input: the fault is of the whole call.
    expect(textOf(await called(app, "get", at))).toContain("- #: ");
    expect((await called(app, "put", { ...at, n: 1, "if-match": '"v1"' })).structuredContent).toEqual({ n: 1 });
    expect((await called(app, "post", { ...at, content: { n: 2 } })).structuredContent).toEqual({ n: 2 });
    expect(textOf(await called(app, "get", { ...at, id: "x" }))).toContain(
      'the path param "id" would be read as another',
    );
  });

  it("C21.4 are no part where an answer breaks off, and nothing of the inside", async () => {
    class Broken extends Resource {
      override paths = ["/broken"] as const;
      static GET = { 200: { content: { "text/plain": bytes() } }, tool: true as const };
      override GET(): ReadableStream {
        return new ReadableStream({
          pull(controller) {
            controller.enqueue(new Uint8Array([65]));
            if (broken++ > 2) controller.error(new Error("secret"));
          },
        });
      }
      static DELETE = { 204: "Gone", tool: true as const };
      override DELETE(): void {}
    }
    let broken = 0;
    const app = built(Broken, agents());
    expect(textOf(await called(app, "getBroken"))).toBe("The answer broke off");
    expect(textOf(await called(app, "deleteBroken", { x: 1 }))).toContain(
      "- #/x: Expected no such input: there is none",
    );
  });

  it("C21.5 are three in a catalog", async () => {
    const app = built(Order, agents({ catalog: true }));
    const client = await connected(app, { authorization: "Bearer k7" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["list_tools", "describe_tool", "call_tool"]);
    const call = async (name: string, given: Readonly<Record<string, unknown>>): Promise<string> =>
      textOf((await client.callTool({ name, arguments: given })) as CallToolResult);
    expect(await call("list_tools", {})).toBe("read_order: Reads an order\nputOrder: Replaces an order");
    expect(await call("list_tools", { search: "REPLACES" })).toBe("putOrder: Replaces an order");
    expect(await call("list_tools", { search: "none" })).toBe("No tool");
    expect(JSON.parse(await call("describe_tool", { name: "read_order" }))).toMatchObject({
      inputSchema: { required: ["id"] },
    });
    expect(await call("describe_tool", {})).toBe("- #/name: Expected a name that list_tools says");
    expect(await call("call_tool", { name: "read_order", arguments: { id: 1 } })).toBe('{"id":1,"left":2}');
    expect(await call("call_tool", { name: "putOrder" })).toContain("#/id");
    expect(await call("call_tool", { name: "putOrder", arguments: 7 })).toBe("- #/arguments: Expected an object");
    expect(await call("read_order", { id: 1 })).toBe("There is no tool of this name that you may use");
    const stranger = await connected(app);
    expect(textOf((await stranger.callTool({ name: "list_tools", arguments: {} })) as CallToolResult)).toBe("No tool");
  });

  it("C21.5 of a catalog need no description", async () => {
    const Plain = class extends Resource {
      override paths = ["/plain"] as const;
      static GET = { 200: text(), tool: true as const };
      override GET(): string {
        return "plain";
      }
    };
    Object.defineProperty(Plain, "name", { value: "" });
    const app = built(Plain, agents({ catalog: true }));
    expect(textOf(await called(app, "list_tools"))).toBe("getResource");
  });

  it("C21.5 are listed where their guards let the sender through, each guard asked once", async () => {
    let asked = 0;
    class Counting extends Middleware {
      static security = { key: { type: "apiKey", in: "header", name: "x-key" } };
      override ALL(input: unknown): Promise<Response> | Response {
        asked += 1;
        return this.next(input);
      }
    }
    class Failing extends Middleware {
      static security = { other: { type: "http", scheme: "basic" } };
      override ALL(): never {
        throw new Error("The database is away");
      }
    }
    const named = (name: string, middleware: readonly unknown[]): unknown =>
      class extends Resource {
        override paths = [`/${name}`];
        static middleware = middleware as never;
        static GET = { 200: text(), tool: { name } };
        override GET(): string {
          return name;
        }
      };
    const app = built(
      named("a", [Counting]),
      named("b", [Counting]),
      named("c", [Failing]),
      named("d", [guard]),
      agents(),
    );
    const { tools } = await (await connected(app)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(asked).toBe(1);
  });

  it("C21.6 say where tokens are to be had", async () => {
    const resource = "https://api.example/mcp";
    const metadata = "https://api.example/.well-known/oauth-protected-resource/mcp";
    const asking = bearer({ tokens: { k7: "Ada" }, resourceMetadataURL: metadata });
    const about = resourceMetadata({ resource, authorizationServers: ["https://id.example"], scopes: ["read"] });
    const app = built(about, agents({ middleware: [asking] }));
    const response = await app.request("/.well-known/oauth-protected-resource/mcp");
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: ["https://id.example"],
      scopes_supported: ["read"],
      bearer_methods_supported: ["header"],
    });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const refused = await app.request("/mcp", { method: "POST", json: {} });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe(`Bearer realm="default", resource_metadata="${metadata}"`);
    const root = resourceMetadata({ resource: "https://api.example", authorizationServers: ["https://id.example"] });
    expect((await built(root).request("/.well-known/oauth-protected-resource")).status).toBe(200);
  });

  it("C21.7 refuse pages of other origins", async () => {
    const app = built(Order, agents({ origins: ["https://app.example"] }));
    const asked = async (origin: string): Promise<number> =>
      (await app.request("http://shop.example/mcp", { method: "POST", headers: { origin }, json: {} })).status;
    expect(await asked("https://evil.example")).toBe(403);
    expect(await asked("null")).toBe(403);
    expect(await asked("https://shop.example")).not.toBe(403);
    expect(await asked("https://app.example")).not.toBe(403);
    for (const method of ["PUT", "GET", "DELETE"]) expect((await app.request("/mcp", { method })).status).toBe(405);
    const options = await app.request("/mcp", { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "OPTIONS, POST"]);
  });

  it.each([
    ["http://evil.example:3000", 403],
    ["http://localhost.evil.example:3000", 403],
    ["http://1.example:3000", 403],
    ["http://intranet.example:3000", 400],
    ["http://localhost:3000", 400],
    ["http://shop.localhost:3000", 400],
    ["http://127.0.0.1:3000", 400],
    ["http://[::1]:3000", 400],
    ["http://192.0.2.1:3000", 400],
    ["http://localhost:4000", 403],
  ])("C21.7 refuse pages whose name was made to lead to the server: %s is %s", async (origin, status) => {
    const app = built(Order, agents({ origins: ["http://intranet.example:3000"] }));
    const at = origin.replace(":4000", ":3000");
    const headers = { origin, accept: "application/json, text/event-stream" };
    expect((await app.request(`${at}/mcp`, { method: "POST", headers, json: {} })).status).toBe(status);
  });

  it("C21.4 say that a cookie which begins here is lost", async () => {
    class SignIn extends Resource {
      override paths = ["/sign-in"] as const;
      static POST = { 204: "Signed in", tool: { name: "sign_in" } };
      override POST(): Answer<typeof SignIn, "POST"> {
        return reply(204, undefined, { "Set-Cookie": ["session=secret; HttpOnly"] });
      }
    }
    const lost = "204 No Content\nThe cookie session of the answer is lost: agents keep none";
    expect(textOf(await called(built(SignIn, agents()), "sign_in"))).toBe(lost);
    const keeping = built(SignIn, agents({ forwardCookies: true }));
    expect(textOf(await called(keeping, "sign_in"))).toBe(lost);
    expect(textOf(await called(keeping, "sign_in", {}, { cookie: "session=1" }))).toBe("204 No Content");
  });

  it("C21.2 let csrf() and other middleware see what they see over HTTP", async () => {
    class Written extends Resource {
      override paths = ["/written"] as const;
      static middleware = [csrf()];
      static POST = { 204: "Written", tool: { name: "write" } };
      override POST(): void {}
    }
    const app = built(Written, agents({ origins: ["https://app.example"] }));
    expect(
      textOf(await called(app, "write", {}, { origin: "https://app.example", "sec-fetch-site": "cross-site" })),
    ).toContain("403");
    expect(textOf(await called(app, "write"))).toBe("204 No Content");
  });

  it("C21.1 need their middleware: a class that replaces it is refused", () => {
    class Own extends mcp({ name: "shop", version: "1" }) {
      static middleware = [guard];
    }
    expect(() => built(Own)).toThrow(/its static middleware takes the place of what mcp\(\) needs/);
    const group = ResourceGroup.builder()
      .prefix("/v1")
      .resources(mcp({ name: "shop", version: "1" }), Order)
      .build();
    expect(() => built(group)).not.toThrow();
  });

  it.each([
    ["name", ""],
    ["path", "mcp"],
    ["instructions", 1],
    ["catalog", 1],
    ["forwardCookies", 1],
    ["hiddenHeaders", ["a b"]],
    ["origins", ["app.example"]],
    ["middleware", [1]],
    ["maxResultBytes", -1],
  ])("C21.1 refuse a wrong option of mcp(): %s is %j", (name, value) => {
    const message = `Cannot call mcp(): its option "${name}" must be `;
    expect(() => mcp({ name: "a", version: "1", [name]: value } as never)).toThrow(message);
  });

  it.each([
    ["resource", "a"],
    ["resource", "https://a.example/#x"],
    ["authorizationServers", []],
    ["authorizationServers", ["x"]],
    ["scopes", [1]],
  ])("C21.1 refuse a wrong option of resourceMetadata(): %s is %j", (name, value) => {
    const right = { resource: "https://a.example", authorizationServers: ["https://b.example"] };
    const message = `Cannot call resourceMetadata(): its option "${name}" must be `;
    expect(() => resourceMetadata({ ...right, [name]: value })).toThrow(message);
  });
});
