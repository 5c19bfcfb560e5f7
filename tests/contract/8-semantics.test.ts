import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type as arkType } from "arktype";
import * as native from "fingerpost/modules/http.native.js";
import {
  Application,
  Attribute,
  bytes,
  events,
  jsonSchema,
  Middleware,
  readInput,
  reply,
  Resource,
  ResourceGroup,
  text,
  written,
  type Answer,
  type Call,
  type Operation,
} from "fingerpost";
import { document } from "fingerpost/openapi";
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { rejectionOf, thrownBy } from "../support/chains.ts";

interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly errors?: readonly { readonly in: string; readonly pointer: string; readonly detail: string }[];
}

type Built = ReturnType<ReturnType<typeof Application.builder>["build"]>;
type Builder = ReturnType<typeof Application.builder>;

const generatesCode = ((): boolean => {
  try {
    return Function("return true")() === true;
  } catch {
    return false;
  }
})();

const isbn = "9780807083697";
const book = z.object({ isbn: z.string(), title: z.string() });

/** A request for a path. */
function request(method: string, path: string, init: RequestInit = {}): Request {
  return new Request(`http://localhost${path}`, { method, ...init });
}

const json = (content: unknown, type = "application/json"): RequestInit => ({
  body: JSON.stringify(content),
  headers: { "content-type": type },
});

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return (await response.json()) as Problem;
}

/** The places that a response names, by their parts. */
async function placesOf(response: Response): Promise<string[]> {
  const { errors = [] } = await problemOf(response);
  return errors.map(({ in: part, pointer }) => `${part} ${pointer}`);
}

/** An application of one class with one operation, whose handler shows what it was given. */
function echoing(operation: object, method = "GET", paths: readonly string[] = ["/"]): Built {
  const Echo = class Echo extends Resource {
    override paths = paths as string[];
  };
  Object.defineProperty(Echo, method, { value: { ...operation, 200: z.any() } });
  Object.defineProperty(Echo.prototype, method, {
    value: ({ path, query, headers, cookies, content }: Record<string, unknown>) => ({
      ...(typeof path === "object" && "path" in operation ? { path } : {}),
      ...("query" in operation ? { query } : {}),
      ...("headers" in operation ? { headers } : {}),
      ...("cookies" in operation ? { cookies } : {}),
      ...("content" in operation ? { content } : {}),
    }),
  });
  return Application.builder().resources(Echo).build();
}

/** An application of one class that answers GET with a value. */
function answering(
  declared: object,
  GET: () => unknown,
  change: (builder: Builder) => Builder = (same) => same,
): Built {
  const Answering = class Answering extends Resource {
    override paths = ["/"];
    static GET = declared;
    override GET(): unknown {
      return GET();
    }
  };
  return change(Application.builder().resources(Answering as never)).build();
}

/** What `build()` says of an operation that cannot work. */
function refusalOf(operation: unknown, isImplemented = true): string {
  const Wrong = class Wrong extends Resource {
    override paths = ["/wrong"];
    static GET = operation;
  };
  if (isImplemented) Object.defineProperty(Wrong.prototype, "GET", { value: () => null });
  const { name, message } = thrownBy(() =>
    Application.builder()
      .resources(Wrong as never)
      .build(),
  ) as Error;
  expect(name).toBe("TypeError");
  return message;
}

class Book extends Resource {
  paths = ["/books/:isbn", "/books/:isbn/text"] as const;

  static GET = {
    query: z.object({ lang: z.enum(["en", "de"]).default("en") }),
    200: book,
    404: "No book has this ISBN",
  };
  override GET({ path, query }: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
    return path.isbn === isbn
      ? { isbn: path.isbn, title: query.lang === "en" ? "Kindred" : "Vom gleichen Blut" }
      : reply(404);
  }

  static PUT = { at: ["/books/:isbn"], content: book, 204: "The book is stored" };
  override PUT(_call: Call<typeof Book, "PUT">): Answer<typeof Book, "PUT"> {
    return undefined;
  }
}

const app = Application.builder().resources(Book).build();

describe("declared operations", () => {
  it("C8.1 validate what a request has, and write what a handler returns", async () => {
    const response = await app.fetch(request("GET", `/books/${isbn}?lang=de`));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ isbn, title: "Vom gleichen Blut" });
    expect(await (await app.fetch(request("GET", `/books/${isbn}`))).json()).toEqual({ isbn, title: "Kindred" });
    expect(await problemOf(await app.fetch(request("GET", "/books/1")))).toEqual({
      title: "Not Found",
      status: 404,
      detail: "No book has this ISBN",
    });
  });

  it("C8.2 are inherited with their handlers, and take what holds for the class", async () => {
    class Rare extends Book {
      override paths = ["/books/:isbn", "/books/:isbn/text"] as const;
      static deprecated = { since: "2027-01-31" };
      static override GET = { ...Book.GET, deprecated: { since: "2026-01-31", sunset: "2028-01-31", link: "/news" } };
    }
    const rare = Application.builder().resources(Rare).build();
    const get = await rare.fetch(request("GET", `/books/${isbn}?lang=de`));
    expect(await get.json()).toEqual({ isbn, title: "Vom gleichen Blut" });
    expect(get.headers.get("deprecation")).toBe(`@${Date.parse("2026-01-31") / 1000}`);
    expect(get.headers.get("sunset")).toBe("Mon, 31 Jan 2028 00:00:00 GMT");
    expect(get.headers.get("link")).toBe('</news>; rel="deprecation"');
    const put = await rare.fetch(request("PUT", `/books/${isbn}`, json({ isbn, title: "Kindred" })));
    expect(put.headers.get("deprecation")).toBe(`@${Date.parse("2027-01-31") / 1000}`);
  });

  it.each([
    ["zod", z.object({ n: z.int() }), z.object({ n: z.int() })],
    [
      "valibot",
      toStandardJsonSchema(v.object({ n: v.pipe(v.number(), v.integer()) })),
      v.object({ n: v.pipe(v.number(), v.integer()) }),
    ],
    ["arktype", arkType({ n: "number.integer" }), arkType({ n: "number.integer" })],
  ])("C8.3 take schemas of %s for each part of a request", async (_library, part, content) => {
    const all = echoing({ path: part, query: part, headers: part, cookies: part, content }, "POST", ["/:n"]);
    const init = json({ n: 5 });
    const headers = { ...(init.headers as Record<string, string>), n: "3", cookie: "n=4" };
    const response = await all.fetch(request("POST", "/1?n=2", { ...init, headers }));
    expect(await response.json()).toEqual({
      path: { n: 1 },
      query: { n: 2 },
      headers: { n: 3 },
      cookies: { n: 4 },
      content: { n: 5 },
    });
    const wrong = await all.fetch(request("POST", "/1?n=x", { ...init, headers: { ...headers, n: "x" } }));
    expect([wrong.status, await placesOf(wrong)]).toEqual([400, ["query #/n", "header #/n"]]);
  });

  it("C8.3 take raw kinds, and either by media type", async () => {
    const content = { "text/plain": text(), "application/json": z.string() };
    const either = echoing({ content }, "POST");
    const post = async (body: string, type: string): Promise<unknown> =>
      (await either.fetch(request("POST", "/", { body, headers: { "content-type": type } }))).json();
    expect(await post("Ada", "text/plain")).toEqual({ content: "Ada" });
    expect(await post('"Ada"', "application/json;charset=utf-8")).toEqual({ content: "Ada" });
    class Cover extends Resource {
      paths = ["/cover"] as const;
      static PUT = { content: bytes("image/png"), 200: z.int() };
      override PUT({ content: { byteLength } }: Call<typeof Cover, "PUT">): Answer<typeof Cover, "PUT"> {
        return byteLength;
      }
    }
    const cover = Application.builder().resources(Cover).build();
    const init = { body: new Uint8Array([1, 2, 3]), headers: { "content-type": "image/png" } };
    expect(await (await cover.fetch(request("PUT", "/cover", init))).json()).toBe(3);
  });

  it("C8.4 answer by schemas, descriptions, raw kinds and writers", async () => {
    const csv = written("text/csv", (titles: string[]) => titles.join("\r\n"));
    const list = { 200: { content: { "application/json": z.array(z.string()), "text/csv": csv } } };
    const titles = answering(list, () => ["Kindred", "Emma"]);
    const asJson = await titles.fetch(request("GET", "/"));
    expect(asJson.headers.get("vary")).toBe("Accept");
    expect(await asJson.json()).toEqual(["Kindred", "Emma"]);
    const asCsv = await titles.fetch(request("GET", "/", { headers: { accept: "text/csv" } }));
    expect([asCsv.headers.get("content-type"), await asCsv.text()]).toEqual(["text/csv", "Kindred\r\nEmma"]);
    const note = await answering({ 200: text("text/markdown") }, () => "# Buy milk").fetch(request("GET", "/"));
    expect([note.headers.get("content-type"), await note.text()]).toEqual([
      "text/markdown;charset=utf-8",
      "# Buy milk",
    ]);
    const empty = await answering({ 204: "Nothing" }, () => undefined).fetch(request("GET", "/"));
    expect([empty.status, await empty.text()]).toEqual([204, ""]);
    const seen = await answering({ 200: events(z.object({ n: z.int() })) }, async function* () {
      yield { n: 1 };
      yield { n: 2 };
    }).fetch(request("GET", "/"));
    expect(seen.headers.get("content-type")).toBe("text/event-stream");
    expect(await seen.text()).toMatch(/^retry: \d+\n\ndata: \{"n":1\}\n\ndata: \{"n":2\}\n\n$/);
    const content = new Blob(["abc"], { type: "image/png" });
    const image = await answering({ 200: bytes() }, () => content).fetch(request("GET", "/"));
    expect([image.headers.get("content-type"), await image.text()]).toEqual(["application/octet-stream", "abc"]);
  });

  it("C8.5 exist on the paths that `at` names, and on no other", async () => {
    const api = Application.builder()
      .resources(ResourceGroup.builder().resources(Book).prefix("/api/:version").build())
      .build();
    const content = json({ isbn, title: "Kindred" });
    expect((await api.fetch(request("PUT", "/api/1/books/1", content))).status).toBe(204);
    const elsewhere = await api.fetch(request("PUT", "/api/1/books/1/text", content));
    expect([elsewhere.status, elsewhere.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const options = await api.fetch(request("OPTIONS", "/api/1/books/1"));
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, PUT"]);
  });

  it("C8.6 read text as the type that its JSON Schema names", async () => {
    const query = z.object({ n: z.int().optional(), is: z.boolean().optional(), all: z.array(z.int()).optional() });
    const typed = echoing({ query });
    const ask = async (search: string): Promise<unknown> => {
      const response = await typed.fetch(request("GET", `/?${search}`));
      return response.status === 200 ? ((await response.json()) as { query: unknown }).query : response.status;
    };
    expect(await ask("n=5&is=true&all=1&all=2")).toEqual({ n: 5, is: true, all: [1, 2] });
    expect(await ask("n=1e1&all=7")).toEqual({ n: 10, all: [7] });
    for (const wrong of ["n=0x10", "n=%205", "n=+5", "n=05", "is=1", "n=1&n=2", "all=1,2"])
      expect(await ask(wrong)).toBe(400);
    expect(await ask("__proto__=1&constructor=2")).toEqual({});
  });

  it("C8.6 leave a part as text whose schema has no JSON Schema", async () => {
    const validate = (value: unknown): { value: unknown } => ({ value });
    const path = { "~standard": { version: 1, vendor: "", validate } };
    const response = await echoing({ path, query: path }, "GET", ["/:id"]).fetch(request("GET", "/5?n=6"));
    expect(await response.json()).toEqual({ path: { id: "5" }, query: { n: "6" } });
  });

  it("C8.7 take a raw JSON Schema with a check", async () => {
    // Of TypeBox, as Ajv makes code of text, which not every runtime allows.
    const schema = Type.Object({ n: Type.Integer() });
    const raw = jsonSchema<{ n: number }>(schema, (value) => Value.Errors(schema, value));
    const both = echoing({ query: raw, content: raw }, "POST");
    expect(await (await both.fetch(request("POST", "/?n=5", json({ n: 6 })))).json()).toEqual({
      query: { n: 5 },
      content: { n: 6 },
    });
    const wrong = await both.fetch(request("POST", "/?n=5", json({ n: "6" })));
    expect([wrong.status, await placesOf(wrong)]).toEqual([422, ["content #/n"]]);
  });

  it("C8.8 stand beside resources of the native module in one application", async () => {
    class Old extends native.Resource {
      override paths = ["/old"];
      override GET(): Response {
        return new Response("old");
      }
    }
    const both = Application.builder().resources(Book, Old).build();
    expect(await (await both.fetch(request("GET", "/old"))).text()).toBe("old");
    expect((await both.fetch(request("PUT", "/old"))).status).toBe(501);
    expect((await both.fetch(request("GET", `/books/${isbn}`))).status).toBe(200);
    const message = "Cannot add Book to the application: it must extend the Resource of the same entry";
    const mixed = (): unknown =>
      native.Application.builder()
        .resources(Book as never)
        .build();
    expect(thrownBy(mixed)).toEqual(new TypeError(message));
  });

  it("C8.9 answer with what their JSON Schema names, and no more", async () => {
    const user = { name: "Ada", passwordHash: "x", address: { city: "London", secret: 1 } };
    for (const schema of [
      z.object({ name: z.string(), address: z.object({ city: z.string() }) }),
      arkType({ name: "string", address: { city: "string" } }),
      toStandardJsonSchema(v.object({ name: v.string(), address: v.object({ city: v.string() }) })),
    ]) {
      const response = await answering({ 200: schema }, () => user).fetch(request("GET", "/"));
      expect(await response.json()).toEqual({ name: "Ada", address: { city: "London" } });
    }
    const trusted = answering(
      { 200: z.object({}) },
      () => user,
      (builder) => builder.replies("trust"),
    );
    expect(await (await trusted.fetch(request("GET", "/"))).json()).toEqual(user);
  });

  it("C8.9 answer with what their schema makes of a value", async () => {
    const hide = (value: string): string => value.replace(/.+@/, "***@");
    const user = { name: " Ada ", email: "ada@example.org", passwordHash: "x" };
    const rows: [schema: unknown, answer: unknown][] = [
      [
        z.object({ name: z.string().trim(), email: z.string().transform(hide) }),
        { name: "Ada", email: "***@example.org" },
      ],
      [z.object({ name: z.string() }).transform((one) => one), { name: " Ada " }],
      [z.object({ name: z.preprocess((name) => hide(`${name as string}@`), z.string()) }), { name: "***@" }],
      [z.object({ name: z.lazy(() => z.string().toUpperCase()) }), { name: " ADA " }],
      [z.object({ name: z.string().max(3).catch("?") }), { name: "?" }],
      [z.object({ name: z.string().pipe(z.string().transform((name) => name.length)) }), { name: 5 }],
      [z.object({ name: z.string(), role: z.string().default("guest") }), { name: " Ada ", role: "guest" }],
      [z.object({ email: z.url({ normalize: true }).or(z.email().toUpperCase()) }), { email: "ADA@EXAMPLE.ORG" }],
      [
        toStandardJsonSchema(
          v.object({
            name: v.pipe(v.string(), v.trim(), v.readonly()),
            email: v.pipe(v.string(), v.transform(hide), v.string()),
          }),
        ),
        { name: "Ada", email: "***@example.org" },
      ],
      [toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.toUpperCase()) })), { name: " ADA " }],
      [toStandardJsonSchema(v.object({ role: v.optional(v.string(), "guest") })), { role: "guest" }],
      [toStandardJsonSchema(v.object({ name: v.fallback(v.pipe(v.string(), v.maxLength(3)), "?") })), { name: "?" }],
      [arkType({ name: "string.trim", email: ["string", "=>", hide] }), { name: "Ada", email: "***@example.org" }],
      [arkType({ inner: arkType({ name: "string", "+": "delete" }).pipe((one) => one) }), { inner: { name: " Ada " } }],
    ];
    for (const [schema, answer] of rows) {
      const given = { ...user, inner: user };
      const response = await answering({ 200: schema as never }, () => given).fetch(request("GET", "/"));
      const content = (await response.json()) as object;
      expect(content).toEqual(answer);
      const streamed = await answering({ 200: events(schema as never) }, async function* () {
        yield given;
      }).request("/");
      expect(await streamed.text()).toContain(`data: ${JSON.stringify(content)}\n`);
    }
  });

  it("C8.9 answer with what a union makes of a value where a branch changes it", async () => {
    const was = z.object({ b: z.string().optional() }).transform((one) => ({ was: one }));
    const valued = v.pipe(
      v.object({ b: v.string() }),
      v.transform((one) => ({ was: one })),
    );
    for (const [schema, value, expected] of [
      [z.union([was, z.object({})]), {}, '{"was":{}}'],
      [z.union([was, z.array(z.object({ c: z.int() }))]), { b: "x", secret: 1 }, '{"was":{"b":"x"}}'],
      [z.union([z.object({ c: z.int() }), was]), { c: 1, secret: 1 }, '{"c":1}'],
      [z.array(z.union([z.object({ c: z.int() }), was])), [{ b: "x" }], '[{"was":{"b":"x"}}]'],
      [toStandardJsonSchema(v.union([valued, v.object({})])), { b: "x", secret: 1 }, '{"was":{"b":"x"}}'],
    ] as const) {
      class Unions extends Resource {
        override paths = ["/unions"];
        static GET = { 200: schema };
        override GET(): never {
          return value as never;
        }
      }
      const built = Application.builder()
        .resources(Unions as never)
        .build();
      expect(await (await built.request("/unions")).text()).toBe(expected);
    }
  });

  it("C8.9 answer with what a schema of an unknown library makes of a value", async () => {
    const shown = { type: "object", properties: { name: { type: "string" } } };
    const standard = {
      version: 1,
      vendor: "own",
      jsonSchema: { input: () => shown, output: () => shown },
      validate: () => ({ value: { name: "***" } }),
    };
    const own = answering({ 200: { "~standard": standard } as never }, () => ({ name: "Ada" }));
    expect(await (await own.fetch(request("GET", "/"))).json()).toEqual({ name: "***" });
  });

  it("C8.14 send a field as text that the document describes, or answer 500", async () => {
    const at = new Date(86_400_000);
    const messages: string[] = [];
    const ask = async (headers: unknown, declared: object = {}): Promise<Response> => {
      const operation = { 200: { content: z.string(), headers: declared } };
      const observe = (builder: Builder): Builder => builder.onError((error) => void messages.push(String(error)));
      return answering(operation, () => reply(200, "x", headers as never), observe).fetch(request("GET", "/"));
    };
    const http = "Fri, 02 Jan 1970 00:00:00 GMT";
    const iso = "1970-01-02T00:00:00.000Z";
    const dates = { expires: z.date(), "X-At": z.date(), "x-sent": z.iso.datetime() };
    const sent = await ask({ expires: at, "x-at": at, "x-sent": iso, "last-modified": at }, dates);
    expect(["expires", "x-at", "x-sent", "last-modified"].map((name) => sent.headers.get(name))).toEqual([
      http,
      iso,
      iso,
      http,
    ]);
    const plain = await ask({ "x-a": [1, undefined, true], "x-big": 7n, "x-none": undefined });
    expect([plain.headers.get("x-a"), plain.headers.get("x-big"), plain.headers.has("x-none")]).toEqual([
      "1, true",
      "7",
      false,
    ]);
    const declared = { "x-o": z.looseObject({}) };
    const odd = [{}, null, [{}], Symbol("x"), () => 1, new Date(Number.NaN)];
    for (const value of odd) expect((await ask({ "x-o": value })).status).toBe(500);
    expect((await ask({ "x-o": { a: 1 } }, declared)).status).toBe(500);
    expect(messages).toHaveLength(odd.length + 1);
    expect(messages[0]).toBe(
      "TypeError: Cannot answer GET of Answering: the field x-o of 200 does not fit at # (Expected text, a number, a " +
        "boolean or a date, got an empty object)",
    );

    const described = document(
      answering({ 200: { content: z.string(), headers: dates } }, () => ""),
      {
        title: "x",
        version: "1",
      },
    );
    expect(described.paths["/"]!.get!.responses["200"]!.headers).toMatchObject({
      expires: { schema: { format: "http-date" } },
      "X-At": { schema: { format: "date-time" } },
    });
  });

  it("C8.17 answer 500 with what JSON cannot write, whatever is declared", async () => {
    const messages: string[] = [];
    const observed = (builder: Builder): Builder =>
      builder.onError((error) => void messages.push((error as Error).message));
    const custom = { "~standard": { version: 1, vendor: "", validate: (value: unknown) => ({ value }) } };
    for (const schema of [z.any(), custom as never]) {
      const open = answering({ 200: schema }, () => ({ a: Number.NaN, b: [Infinity] }), observed);
      expect(await (await open.fetch(request("GET", "/"))).text()).toBe('{"a":null,"b":[null]}');
      for (const value of [{ a: new Map([["a", 1]]) }, new Set(), new Date(Number.NaN), 1n]) {
        expect((await answering({ 200: schema }, () => value, observed).fetch(request("GET", "/"))).status).toBe(500);
      }
    }
    const dated = answering({ 200: z.object({ d: z.date() }) }, () => ({ d: new Date(Number.NaN) }), observed);
    expect((await dated.fetch(request("GET", "/"))).status).toBe(500);
    expect(messages).toHaveLength(9);
    for (const message of messages)
      expect(message).toMatch(/^Cannot answer GET of Answering: the content of 200 does not fit at #/);
  });

  it("C8.9 answer 500 to onError() with what does not fit, or is not declared", async () => {
    const messages: string[] = [];
    const observed = (builder: Builder): Builder =>
      builder.onError((error) => void messages.push((error as Error).message));
    const short = z.object({ name: z.string().max(3) });
    const unfit = answering({ 200: z.object({ name: z.string() }) }, () => ({ name: 5 }), observed);
    expect(await problemOf(await unfit.fetch(request("GET", "/")))).toEqual({
      title: "Internal Server Error",
      status: 500,
    });
    const undeclared = answering({ 200: short }, () => reply(409), observed);
    expect((await undeclared.fetch(request("GET", "/"))).status).toBe(500);
    const long = (builder: Builder): Builder => observed(builder).replies("check");
    expect((await answering({ 200: short }, () => ({ name: "Augusta" }), long).fetch(request("GET", "/"))).status).toBe(
      500,
    );
    expect(messages).toEqual([
      expect.stringMatching(/^Cannot answer GET of Answering: the content of 200 does not fit at #\/name/),
      "Cannot answer GET of Answering: 409 is not declared; write 409: … in static GET",
      expect.stringMatching(/^Cannot answer GET of Answering: the content of 200 does not fit at #\/name/),
    ]);
  });

  it("C8.9 answer with fields and events as they are declared, or not at all", async () => {
    const messages: string[] = [];
    const observed = (builder: Builder): Builder =>
      builder.onError((error) => void messages.push((error as Error).message));
    const headers = { "X-Count": z.int().transform(String), "x-more": z.string().optional() };
    const counted = answering(
      { 204: { headers } },
      () => reply(204, undefined, { "x-count": 5, "x-own": "a" }),
      observed,
    );
    const fields = (await counted.request("/")).headers;
    expect([fields.get("x-count"), fields.has("x-more"), fields.get("x-own")]).toEqual(["5", false, "a"]);
    const absent = answering({ 204: { headers } }, () => reply(204), observed);
    expect((await absent.request("/")).status).toBe(500);
    const trusted = answering(
      { 204: { headers } },
      () => reply(204),
      (builder) => builder.replies("trust"),
    );
    expect((await trusted.request("/")).status).toBe(204);
    expect(messages).toEqual([
      expect.stringMatching(/^Cannot answer GET of Answering: the field x-count of 204 does not fit at #/),
    ]);
    let isLeft = false;
    async function* users(): AsyncGenerator<unknown> {
      try {
        yield { name: "Ada", passwordHash: "x" };
        yield { name: 5 };
      } finally {
        isLeft = true;
      }
    }
    const streamed = await answering({ 200: events(z.object({ name: z.string() })) }, users).request("/");
    const reader = streamed.body!.getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value as Uint8Array);
    expect(await read()).toMatch(/^retry: \d+\n\n$/);
    expect(await read()).toBe('data: {"name":"Ada"}\n\n');
    expect(((await rejectionOf(reader.read())) as Error).message).toMatch(
      /^Cannot answer GET of Answering: an event of 200 does not fit at #\/name/,
    );
    expect(isLeft).toBe(true);
    const custom = { "~standard": { version: 1, vendor: "", validate: (value: unknown) => ({ value }) } };
    const plain = await answering({ 200: events(custom as never) }, async function* () {
      yield 5;
    }).request("/");
    expect(await plain.text()).toMatch(/^retry: \d+\n\ndata: 5\n\n$/);
  });

  it("C8.10 serve the other two modules by readInput(request, Book.GET), with the same errors", async () => {
    const declared = {
      path: z.object({ id: z.int() }),
      query: z.object({ n: z.int() }),
      headers: z.object({ "x-count": z.int() }),
      cookies: z.object({ theme: z.enum(["dark", "light"]) }),
      content: z.object({ a: z.string() }),
      200: z.any(),
    };
    class Declared extends Resource {
      override paths = ["/:id"];
      static POST = declared;
      override POST({ path, query, headers, cookies, content }: Call<typeof Declared, "POST">): unknown {
        return { path, query, headers, cookies, content };
      }
    }
    class Native extends native.Resource {
      override paths = ["/:id"];
      override async POST(input: native.RequestOf): Promise<Response> {
        const { path, query, headers, cookies, content } = await readInput(input, declared);
        expect(content.a.length + query.n + path.id).toBeGreaterThan(0);
        return Response.json({ path, query, headers, cookies, content });
      }
    }
    const apps = [
      Application.builder().resources(Declared).build(),
      native.Application.builder().resources(Native).build(),
    ];
    const headers = { "content-type": "application/json", "x-count": "3", cookie: "theme=dark" };
    const body = '{"a":"b"}';
    const asked: [path: string, init: RequestInit][] = [
      ["/5?n=7", { headers, body }],
      ["/x?n=x", { headers, body }],
      ["/5?n=x", { headers: { "x-count": "y", cookie: "theme=pink" }, body: "{" }],
      ["/5?n=7", { headers: { ...headers, "content-type": "text/csv" }, body }],
      ["/5?n=7", { headers, body: "{" }],
      ["/5?n=7", { headers, body: '{"a":5}' }],
      ["/5?n=7", { headers, body: `"${"x".repeat(1_048_576)}"` }],
    ];
    const statuses: number[] = [];
    for (const [path, init] of asked) {
      const [own, other] = await Promise.all(apps.map((one) => one.fetch(request("POST", path, init))));
      expect([other!.status, other!.headers.get("accept"), await other!.json()]).toEqual([
        own!.status,
        own!.headers.get("accept"),
        await own!.json(),
      ]);
      statuses.push(own!.status);
    }
    expect(statuses).toEqual([200, 404, 400, 415, 400, 422, 413]);
  });

  it("C8.10 are refused by readInput() if they cannot work", async () => {
    const input = { url: "/", method: "GET", params: { pattern: "/", pathParam: () => undefined } };
    const refusal = async (operation: unknown, given: object = input): Promise<string> => {
      const { name, message } = (await rejectionOf(readInput(given as never, operation as never))) as Error;
      return `${name}: ${message}`;
    };
    expect(await refusal(undefined)).toBe(
      "TypeError: Cannot read the input: expected an operation such as Book.GET, got undefined",
    );
    expect(await refusal({ query: 5 })).toBe(
      "TypeError: Cannot read the input: the operation has 5 for query; write a schema of an object",
    );
    expect(await refusal({}, new Request("http://localhost/"))).toBe(
      "TypeError: Cannot read the input: it has no params; pass what a handler was given",
    );
  });

  it("C8.11 refuse input by the status of its part", async () => {
    const path = z.object({ id: z.int() });
    const operation = { path, query: z.object({ n: z.int() }), content: z.object({ a: z.string() }) };
    const all = echoing(operation, "PATCH", ["/:id"]);
    const patch = (url: string, init: RequestInit = {}): Promise<Response> => all.fetch(request("PATCH", url, init));
    expect((await patch("/x?n=1")).status).toBe(404);
    expect(await placesOf(await patch("/1?n=x", json({ a: "b" })))).toEqual(["query #/n"]);
    const untyped = await patch("/1?n=1", { body: new Uint8Array([1]) });
    expect([untyped.status, untyped.headers.get("accept")]).toEqual([415, "application/json"]);
    expect(untyped.headers.get("accept-patch")).toBe("application/json");
    expect((await patch("/1?n=1", json({ a: "b" }, "text/json"))).status).toBe(415);
    expect((await patch("/1?n=1", { ...json(1), body: "{" })).status).toBe(400);
    const unfit = await patch("/1?n=1", json({ a: 5 }));
    expect(unfit.status).toBe(422);
    expect(await problemOf(unfit)).toMatchObject({
      title: "Unprocessable Content",
      detail: "The content does not fit",
      errors: [{ in: "content", pointer: "#/a", code: "invalid_type" }],
    });
    expect((await patch("/1?n=1", json({ a: "b".repeat(1_048_576) }))).status).toBe(413);
  });

  it.each([
    ["must be an operation, got 5; write { 200: … }", 5],
    ["must be an operation, got null; write { 200: … }", null],
    [`has a member "${"x".repeat(80)}", which is neither known nor a status code`, { ["x".repeat(90)]: 5 }],
    ['has a member "summry", which is neither known nor a status code', { summry: "", 200: z.any() }],
    ['has a member "999", which is neither known nor a status code', { 999: z.any(), 200: z.any() }],
    ['has no answer below 400; write 200: …, or 204: "…"', { 400: "Bad", 404: "None" }],
    ["has 5 for query; write a schema of an object", { query: 5, 200: z.any() }],
    ["has 5 for 200; write a schema, a text, or { content: … }", { 200: 5 }],
    ["has null for 200; write a schema, a text, or { content: … }", { 200: null }],
    ["has 5 for the content of 200; write a schema, or { [mediaType]: schema }", { 200: { content: 5 } }],
    ["has 5 for content; write a schema, bytes(), or { [mediaType]: schema }", { content: 5, 200: z.any() }],
    ['is at "/", which is no path of the class; write one of "/wrong"', { at: ["/"], 200: z.any() }],
    ['is at "/wrong", which is no path of the class; write one of "/wrong"', { at: "/wrong", 200: z.any() }],
    ['is at nothing, which is no path of the class; write one of "/wrong"', { at: [], 200: z.any() }],
    ["has 5 for summary; write a text", { summary: 5, 200: z.any() }],
    ["has an array for tags; write a list of texts", { tags: ["x", 5], 200: z.any() }],
    [
      'has an object for deprecated; write true, or { since: "2027-01-31", link: "https://example.org" }',
      { deprecated: {}, 200: z.any() },
    ],
    ...[5, null, { since: "2027-01-31", sunset: "soon" }].map((deprecated): [string, object] => [
      `has ${typeof deprecated === "number" ? 5 : deprecated === null ? "null" : "an object"} for deprecated; write ` +
        'true, or { since: "2027-01-31", link: "https://example.org" }',
      { deprecated, 200: z.any() },
    ]),
    [
      `has an object for "${"x".repeat(80)}" of query: text cannot hold one; write its members one by one`,
      { query: z.object({ ["x".repeat(90)]: z.object({}) }), 200: z.any() },
    ],
    [
      `has a date or a bigint for "${"x".repeat(80)}" of query, and no request carries one; write a schema that ` +
        "reads text, such as z.coerce.date()",
      { query: z.object({ ["x".repeat(90)]: z.date() }), 200: z.any() },
    ],
    [
      'has 5 for security; write schemes of OpenAPI by name, such as { key: { type: "apiKey", in: "header", ' +
        'name: "X-Key" } }',
      { security: 5, 200: z.any() },
    ],
    ['has "required" for precondition; write true or false', { precondition: "required", 200: z.any() }],
    ['has true for etag; write "content"', { etag: true, 200: z.any() }],
    ["has a schema of type string for query; write a schema of an object", { query: z.string(), 200: z.any() }],
    ['has "conten" in 200; write description, content, headers or examples', { 200: { conten: z.any() } }],
    ['has content for 204, which has none; write 204: "…"', { 204: z.any() }],
    ['has 5 for the field "location" of 201; write a field name and a schema', { 201: { headers: { location: 5 } } }],
    [
      'has an instance of ZodString for the field "no token" of 201; write a field name and a schema',
      { 201: { headers: { "no token": z.string() } } },
    ],
    [
      'has a path with "isbn", which no path of the class has; write a path such as "/:isbn"',
      { path: z.object({ isbn: z.string() }), 200: z.any() },
    ],
    [
      "has events() for content, which only answers have; write text() or bytes()",
      { content: events(z.any()), 200: z.any() },
    ],
    [
      "has written() for content, which only answers have; write text() or bytes()",
      { content: { "text/csv": written("text/csv", String) }, 200: z.any() },
    ],
    ...["a\nb", " a", "\u20ac"].map((cache): [string, object] => [
      `has ${JSON.stringify(cache)} for cache; write directives of Cache-Control, such as "no-store" or "max-age=60"`,
      { cache, 200: z.any() },
    ]),
    ...["a>\nb", "a>; rel=x", "a b", "a\u00e9"].map((link): [string, object] => [
      'has an object for deprecated; write true, or { since: "2027-01-31", link: "https://example.org" }',
      { deprecated: { since: "2027-01-31", link }, 200: z.any() },
    ]),
    ...["headers", "cookies"].map((part): [string, object] => [
      `has "x y" for ${part}, a name that no request can have; write a token, such as "x-name"`,
      { [part]: z.object({ "x y": z.string() }), 200: z.any() },
    ]),
    ...[text("image/*"), { content: { "image/*": text() } }].map((answer): [string, object] => [
      'has the media type "image/*" in 200; write one such as "image/png"',
      { 200: answer },
    ]),
    ['has the media type "text" in 200; write one such as "image/png"', { 200: text("text") }],
    [
      'has the media type "a/b\\n" in 404; write one such as "image/png"',
      { 200: z.any(), 404: written("a/b\n", String) },
    ],
    ['has the media type "a/b;c=\\"\\n\\"" in 200; write one such as "image/png"', { 200: bytes('a/b;c="\n"') }],
    ['has the media type "text" in content; write one such as "image/png"', { content: text("text"), 200: z.any() }],
    ['has the media type 5 in content; write one such as "image/png"', { content: bytes(5 as never), 200: z.any() }],
    [
      'has the charset "iso-8859-1" in content, which is read as UTF-8; leave it out',
      { content: { "text/plain;charset=ISO-8859-1": text() }, 200: z.any() },
    ],
    [
      'has the charset "latin1" in content, which is read as UTF-8; leave it out',
      { content: bytes("text/csv; charset=latin1"), 200: z.any() },
    ],
    ["has content, which no client sends with GET; write query, or static QUERY", { content: text(), 200: z.any() }],
  ])("C8.12 are refused by build() if wrong: %s", (message, operation) => {
    expect(refusalOf(operation)).toBe(`Cannot add Wrong to the application: static GET ${message}`);
  });

  it("C8.12 are refused by build() with a list of the paths or params of their class, which is cut", () => {
    const refused = (paths: string[], operation: object): string => {
      class Wrong extends Resource {
        override paths = paths;
        override GET(): string {
          return "";
        }
      }
      Object.assign(Wrong, { GET: { ...operation, 200: text() } });
      const { message } = thrownBy(() => Application.builder().resources(Wrong).build());
      return message.slice(message.indexOf("write one of "));
    };
    const path = z.object({ isbn: z.string() });
    expect(refused(["/:id", "/:id/:part"], { path })).toBe('write one of "id", "part"');
    expect(refused(["/a", "/b"], { at: ["/c"] })).toBe('write one of "/a", "/b"');
    const many = Array.from({ length: 50 }, (_, at) => String(at + 100));
    expect(refused([`/:p${many.join("/:p")}`], { path })).toHaveLength("write one of ".length + 200);
    expect(
      refused(
        many.map((one) => `/${one}`),
        { at: ["/c"] },
      ),
    ).toHaveLength("write one of ".length + 200);
  });

  it("C8.12 are refused by build() where their class is deprecated by no date", () => {
    class Old extends Resource {
      paths = ["/old"] as const;
      static deprecated = { since: "soon" };
      static GET = { summary: undefined, deprecated: true, 204: { headers: { "x-a": z.string().optional() } } };
      override GET(): undefined {
        return undefined;
      }
    }
    const build = (Class: new () => Old): unknown => Application.builder().resources(Class).build();
    expect(thrownBy(() => build(Old)).message).toBe(
      'Cannot add Old to the application: static deprecated is an object; write true, or { since: "2027-01-31", ' +
        'link: "https://example.org" }',
    );
    class Sooner extends Old {
      static override deprecated = { since: "2027-01-31" };
    }
    expect(build(Sooner)).toBeInstanceOf(Application);
  });

  it("C8.12 are refused by build() where the class has other tags than texts, or a validator that is no method", () => {
    class Wrong extends Resource {
      paths = ["/wrong"] as const;
      static tags: unknown = "x";
      static GET = { 200: text() };
      override GET(): string {
        return "";
      }
    }
    const refused = (Class: typeof Wrong): string =>
      (
        thrownBy(() =>
          Application.builder()
            .resources(Class as never)
            .build(),
        ) as Error
      ).message;
    expect(refused(Wrong)).toBe('Cannot add Wrong to the application: static tags is "x"; write a list of texts');
    class Validated extends Wrong {
      static override tags = ["x"];
      override validator = 5 as never;
    }
    expect(refused(Validated)).toBe(
      "Cannot add Validated to the application: its validator is 5; write validator(call) { … }",
    );
  });

  it("C8.12 take names of a query that no field has, and examples in an answer", async () => {
    const spaced = echoing({ query: z.object({ "x y": z.string() }), 201: { content: z.any(), examples: { one: 1 } } });
    expect(await (await spaced.request("/?x+y=1")).json()).toEqual({ query: { "x y": "1" } });
  });

  it("C8.12 take ranges in content, UTF-8 by its names, and any charset in an answer", async () => {
    const content = { "image/*": bytes(), "text/plain;charset=UTF-8": text(), "text/csv;charset=utf8": text() };
    const deprecated = { since: "2020-01-01", link: "https://example.org/a?b=c#d%20[e]" };
    class Taken extends Resource {
      paths = ["/"] as const;
      static PUT = { content, cache: "no-store", deprecated, 200: bytes("text/csv;charset=latin1") };
      override PUT(): Uint8Array<ArrayBuffer> {
        return new Uint8Array([233]);
      }
    }
    const taken = Application.builder().resources(Taken).build();
    const headers = { "content-type": "image/png" };
    const response = await taken.request("/", { method: "PUT", body: new Uint8Array(1), headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv;charset=latin1");
    expect(response.headers.get("link")).toBe('<https://example.org/a?b=c#d%20[e]>; rel="deprecation"');
  });

  it("C8.12 are refused by build() where no handler is there", () => {
    expect(refusalOf({ 200: z.any() }, false)).toBe(
      "Cannot add Wrong to the application: static GET is declared and GET is not implemented; write GET(call) { … }",
    );
  });

  it("C8.12 are refused by build() if they require a precondition, and nothing says which ones hold", () => {
    const building = (method: string, more: object, validator?: unknown) => () => {
      class Page extends Resource {
        paths = ["/page"] as const;
      }
      Object.assign(Page, { [method]: { precondition: true, 204: "Done", ...more } });
      Object.assign(Page.prototype, { [method]: () => undefined, ...(validator === undefined ? {} : { validator }) });
      return Application.builder().resources(Page).build();
    };
    const validator = (): undefined => undefined;
    for (const method of ["PUT", "GET", "OPTIONS"]) {
      expect(thrownBy(building(method, {})).message).toBe(
        `Cannot add Page to the application: static ${method} requires a precondition, and the class has no ` +
          "validator; write validator(call) { … }",
      );
      expect(building(method, {}, validator)()).toBeInstanceOf(Application);
    }
    // A tag of content is one of what is read: of a write it says nothing.
    expect(building("QUERY", { etag: "content", 200: text() })()).toBeInstanceOf(Application);
    expect(thrownBy(building("PUT", { etag: "content" })).message).toContain("static PUT requires a precondition");
  });

  it.each([
    ["POTS", "POST", { 201: "Stored" }],
    ["get", "GET", { 200: text(), 404: "None" }],
    ["Patch", "PATCH", { query: z.object({}), 204: "Changed" }],
    ["UPDATE", "GET, static POST, …", { content: z.string(), 204: "Stored" }],
    ["DELTE", "GET, static POST, …", { 204: { description: "Gone" } }],
  ])("C8.12 are refused by build() if they are of no method: static %s", (member, meant, operation) => {
    class Wrong extends Resource {
      paths = ["/wrong"] as const;
      override GET(): undefined {
        return undefined;
      }
    }
    Object.assign(Wrong, { [member]: operation });
    class Inherits extends Wrong {}
    for (const Class of [Wrong, Inherits]) {
      expect(thrownBy(() => Application.builder().resources(Class).build()).message).toBe(
        `Cannot add ${Class.name} to the application: static ${member} is an operation, and ${member} is not a ` +
          `method; write static ${meant}, or rename it`,
      );
    }
  });

  it("C8.12 are not what a class has for itself: constants, texts by status, what operations share", () => {
    const build = vi.fn();
    class Shelf extends Resource {
      paths = ["/books"] as const;
      static MAX = 5;
      static NONE = null;
      static LIST = [200];
      static OPTION = { 200: text(), size: 5 };
      static SHARED = { 401: "Log in", 404: "No book" };
      static LABELS = { 200: "Found", 404: "Lost" };
      static POTS = { 400: "Bad", 404: "Lost" };
      static DESCRIBED = { description: "A book", tags: ["Books"] };
      static SharedByAll = { 200: { description: "Found" } };
      static cachedAPI = { 200: { description: "Found" } };
      static DATES = new Date();
      static paged = { query: z.object({}), 200: text() };
      static get LAZY(): unknown {
        return build();
      }
      static FIND(): unknown {
        return build();
      }
      static GET = { ...Shelf.paged, ...Shelf.SHARED };
      override GET(): string {
        return "Kindred";
      }
    }
    expect(Application.builder().resources(Shelf).build()).toBeInstanceOf(Application);
    expect(build).not.toHaveBeenCalled();
  });

  it("C8.13 connect a call with its request, its attributes and native middleware", async () => {
    const user = new Attribute<string>("user");
    const seen: unknown[] = [];
    class Guard extends Middleware {
      async ALL(input: Request): Promise<Response> {
        user.set(input, "Ada");
        const response = await this.next(input);
        seen.push(input instanceof Request, response instanceof Response);
        return response;
      }
    }
    class Me extends Resource {
      paths = ["/me/:path+"] as const;
      static GET = { 200: z.array(z.string()) };
      override GET(call: Call<typeof Me, "GET">): Answer<typeof Me, "GET"> {
        seen.push(call.request.url, call.signal!.aborted === call.request.signal.aborted);
        return [user.get(call)!, ...call.segments("path")];
      }
    }
    const guarded = Application.builder()
      .resources(ResourceGroup.builder().resources(Me).middleware(Guard).build())
      .build();
    const response = await guarded.handle(request("GET", "/me/a/b"));
    expect(await response.json()).toEqual(["Ada", "a", "b"]);
    expect(seen).toEqual(["http://localhost/me/a/b", true, true, true]);
  });

  it("C8.14 take content that may be left out, forms, and fields of answers", async () => {
    const optional = echoing({ content: z.object({ a: z.string() }).optional() }, "POST");
    expect(await (await optional.fetch(request("POST", "/"))).json()).toEqual({});
    expect(await (await optional.fetch(request("POST", "/", json({ a: "b" })))).json()).toEqual({
      content: { a: "b" },
    });
    const form = z.object({ n: z.int(), tags: z.array(z.string()) });
    const forms = echoing(
      { content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form } },
      "POST",
    );
    const body = new URLSearchParams([
      ["n", "5"],
      ["tags", "a"],
      ["tags", "b"],
    ]);
    const parts = new FormData();
    for (const [name, value] of body) parts.append(name, value);
    for (const content of [body, parts]) {
      const response = await forms.fetch(request("POST", "/", { body: content }));
      expect(await response.json()).toEqual({ content: { n: 5, tags: ["a", "b"] } });
    }
    const headers = {
      location: "/books",
      "set-cookie": ["a=1", "b=2"],
      "last-modified": new Date(0),
      "x-none": undefined,
    };
    const elsewhere = answering({ 303: "Elsewhere" }, () => reply(303, undefined, headers as never));
    const response = await elsewhere.fetch(request("GET", "/"));
    expect([response.status, response.headers.get("location")]).toEqual([303, "/books"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(response.headers.get("last-modified")).toBe("Thu, 01 Jan 1970 00:00:00 GMT");
    expect(response.headers.has("x-none")).toBe(false);
  });

  it("C8.15 read text member by member", async () => {
    const query = z.object({
      n: z.int().optional(),
      mixed: z.union([z.string(), z.number()]).optional(),
      day: z.coerce.date().optional(),
      tag: z.string().optional(),
    });
    const typed = echoing({ query, headers: z.object({ "X-Count": z.int() }) });
    const ask = (search: string): Promise<Response> =>
      typed.fetch(request("GET", `/?${search}`, { headers: { "x-count": "3" } }));
    expect(await (await ask("n=&mixed=5&day=2027-01-31&tag=")).json()).toEqual({
      headers: { "X-Count": 3 },
      query: { mixed: 5, day: "2027-01-31T00:00:00.000Z", tag: "" },
    });
    expect(await placesOf(await ask("n=9007199254740992"))).toEqual(["query #/n"]);
    expect(await placesOf(await ask("n=1.5"))).toEqual(["query #/n"]);
  });

  it("C8.15 take the fallback of a member for what does not fit, and a default for absence only", async () => {
    const query = z.object({ page: z.int().min(1).catch(7), size: z.int().min(1).default(20) });
    const typed = echoing({ query });
    const ask = (search: string): Promise<Response> => typed.fetch(request("GET", `/?${search}`));
    for (const page of ["x", "-5", "1.5", "", "1&page=2"]) {
      expect(await (await ask(`page=${page}`)).json()).toEqual({ query: { page: 7, size: 20 } });
    }
    expect(await (await ask("page=3&size=")).json()).toEqual({ query: { page: 3, size: 20 } });
    for (const size of ["x", "-5"]) expect(await placesOf(await ask(`page=x&size=${size}`))).toEqual(["query #/size"]);
  });

  it("C8.15 are refused by build() for a date or a bigint, which no request carries", () => {
    const box = Type.Object({ n: Type.Integer(), since: Type.Date() });
    const schemas = [
      z.object({ n: z.int(), since: z.date().min(new Date("2020-01-01")).nullable() }),
      z.object({ n: z.int(), since: z.bigint().optional() }),
      toStandardJsonSchema(v.object({ n: v.number(), since: v.optional(v.date()) })),
      arkType({ n: "number", since: "Date" }),
      jsonSchema(box, (value) => Value.Errors(box, value)),
    ];
    const messageOf = (part: string): string =>
      `Cannot add Wrong to the application: static GET has a date or a bigint for "since" of ${part}, and no request ` +
      "carries one; " +
      "write a schema that reads text, such as z.coerce.date()";
    for (const schema of schemas) {
      for (const part of ["query", "headers", "cookies", "content"]) {
        expect(refusalOf({ [part]: schema, 200: z.any() })).toBe(messageOf(part));
      }
      const form = { "multipart/form-data": z.object({ meta: z.any() }), "application/x-www-form-urlencoded": schema };
      expect(refusalOf({ content: form, 200: z.any() })).toBe(messageOf("content"));
    }
  });

  it("C8.15 are refused by build() for a date anywhere inside", () => {
    const date = z.date();
    const dated = [z.object({ k: z.literal("a"), d: date }), z.object({ k: z.literal("b") })] as const;
    const datedOfValibot = [v.object({ k: v.literal("a"), d: v.date() }), v.object({ k: v.literal("b") })] as const;
    const rows: [part: string, schema: z.ZodType, place: string][] = [
      ["query", z.object({ n: z.int(), d: z.array(date) }), '"d[]" of query'],
      ["query", z.object({ t: z.tuple([z.int(), date]) }), '"t[]" of query'],
      ["content", z.object({ n: z.int(), o: z.object({ d: date, e: z.string() }) }), '"o.d" of content'],
      ["content", z.array(z.object({ d: date })), '"[].d" of content'],
      ["content", z.object({ n: z.int() }).catchall(date), '"*" of content'],
      ["content", z.object({ o: z.object({ d: date }).nullable() }), '"o.d" of content'],
      ["content", date, "content"],
      ["content", z.tuple([date, z.int()]), '"[]" of content'],
      ["content", z.discriminatedUnion("k", dated), '"d" of content'],
      ["content", z.union(dated), '"d" of content'],
      ["content", z.object({ o: z.union(dated) }), '"o.d" of content'],
      ["content", toStandardJsonSchema(v.variant("k", datedOfValibot)) as never, '"d" of content'],
    ];
    // Where no code can be generated, as on Workers, ArkType reports errors of unions otherwise.
    if (generatesCode) {
      rows.push(["content", arkType({ k: "'a'", d: "Date" }).or({ k: "'b'" }) as never, '"d" of content']);
    }
    for (const [part, schema, place] of rows) {
      expect(refusalOf({ [part]: schema, 200: z.any() })).toBe(
        `Cannot add Wrong to the application: static GET has a date or a bigint for ${place}, and no request carries ` +
          "one; " +
          "write a schema that reads text, such as z.coerce.date()",
      );
    }
    const taken = [
      z.object({ o: z.object({ d: z.coerce.date() }), l: z.array(z.any()) }),
      z.any(),
      z.array(z.unknown()),
    ];
    const open = z.union([z.object({ k: z.literal("a"), d: z.coerce.date() }), z.object({ d: z.any() })]);
    for (const content of [...taken, open]) expect(echoing({ content }, "POST")).toBeDefined();
  });

  it("C8.6 read tuples from repeats, of a fixed length or not", async () => {
    for (const query of [
      z.object({ t: z.tuple([z.int(), z.string()]) }),
      z.object({ t: z.tuple([z.int()], z.string()) }),
      arkType({ t: ["number", "string"] }),
    ]) {
      const tuples = echoing({ query: query as never });
      expect(await (await tuples.fetch(request("GET", "/?t=1&t=2"))).json()).toEqual({ query: { t: [1, "2"] } });
      expect((await tuples.fetch(request("GET", "/?t=x&t=2"))).status).toBe(400);
    }
    const closed = echoing({ query: z.object({ t: z.tuple([z.int(), z.string()]) }) });
    expect((await closed.fetch(request("GET", "/?t=1&t=2&t=3"))).status).toBe(400);
    expect(refusalOf({ query: z.object({ t: z.tuple([z.int(), z.object({})]) }), 200: z.any() })).toContain(
      'an object for "t"',
    );
  });

  it("C8.15 take whatever may read text, and what cannot be known", async () => {
    const since = "2027-01-31T00:00:00.000Z";
    const read = { n: 5, since };
    const schemas = [
      z.object({ n: z.int(), since: z.coerce.date() }),
      z.object({ n: z.int(), since: z.union([z.date(), z.iso.datetime()]) }),
      z.object({ n: z.int(), since: z.custom<string>((value) => value === since || value instanceof Error) }),
      toStandardJsonSchema(v.object({ n: v.number(), since: v.pipe(v.string(), v.toDate()) })),
      arkType({ n: "number", since: "string.date.parse" }),
      jsonSchema(Type.Object({ n: Type.Integer(), since: Type.Unsafe<string>({}) }), () => true),
    ];
    for (const query of schemas) {
      const response = await echoing({ query: query as never }).fetch(request("GET", `/?n=5&since=${since}`));
      expect(await response.json()).toEqual({ query: read });
    }
    // None of these is asked again, nor waited for.
    const shown = z.object({ since: z.any() })["~standard"];
    const refusals = [undefined, [], [{ key: "since" }], ["since"], ["other"]].map((path) => () => ({
      issues: [{ message: "No", path }],
    }));
    const fail = (): never => {
      throw new Error("Not now");
    };
    for (const validate of [fail, async () => fail(), ...refusals]) {
      const query = { "~standard": { ...shown, validate } } as never;
      expect(Object.keys(echoing({ query }))).toContain("fetch");
    }
  });

  it("C8.16 are refused by build() for an object in text", () => {
    expect(refusalOf({ query: z.object({ page: z.object({ from: z.int() }) }), 200: z.any() })).toBe(
      'Cannot add Wrong to the application: static GET has an object for "page" of query: text cannot hold one; ' +
        "write its members one by one",
    );
  });

  it("C8.16 read objects in multipart forms as JSON, and keep files", async () => {
    const content = z.object({ meta: z.object({ title: z.string() }), file: z.instanceof(File) });
    class Upload extends Resource {
      paths = ["/"] as const;
      static POST = { content: { "multipart/form-data": content }, 200: z.array(z.string()) };
      override async POST({
        content: { meta, file },
      }: Call<typeof Upload, "POST">): Promise<Answer<typeof Upload, "POST">> {
        return [meta.title, file.name, await file.text()];
      }
    }
    const form = new FormData();
    form.set("meta", '{"title":"Kindred"}');
    form.set("file", new File(["abc"], "a.txt"));
    const upload = Application.builder().resources(Upload).build();
    expect(await (await upload.fetch(request("POST", "/", { body: form }))).json()).toEqual([
      "Kindred",
      "a.txt",
      "abc",
    ]);
  });

  it("C8.17 read the input side of a schema, and write its output side", async () => {
    const query = z.object({ n: z.string().transform(Number) });
    expect(await (await echoing({ query }).fetch(request("GET", "/?n=5"))).json()).toEqual({ query: { n: 5 } });
    const counted = z.object({ n: z.int().default(0) });
    const response = await answering({ 200: counted }, () => ({})).fetch(request("GET", "/"));
    expect(await response.json()).toEqual({ n: 0 });
  });

  it("C8.17 decode codecs of requests, and have none in answers", async () => {
    const time = z.codec(z.iso.datetime(), z.date(), {
      decode: (iso) => new Date(iso),
      encode: (date) => date.toISOString(),
    });
    const at = "2027-01-31T00:00:00.000Z";
    const response = await echoing({ content: z.object({ at: time }) }, "POST").fetch(
      request("POST", "/", json({ at })),
    );
    expect(await response.json()).toEqual({ content: { at } });
    const message =
      "Cannot add Wrong to the application: static GET has a codec in 200, which would be decoded; " +
      "write the schema of what the handler returns, such as z.date()";
    for (const answer of [
      z.object({ at: time }),
      { content: { "application/json": z.array(time) } },
      events(z.object({ at: time.optional() })),
      { headers: { "x-at": time } },
    ]) {
      expect(refusalOf({ 200: answer })).toBe(message);
    }
    const dated = answering({ 200: z.object({ at: z.date() }) }, () => ({ at: new Date(at) }));
    expect(await (await dated.fetch(request("GET", "/"))).json()).toEqual({ at });
  });

  it("C8.18 tell nothing of what was sent", async () => {
    const secret = "hunter2";
    const schemas = [
      z.object({ a: z.enum(["x"]), n: z.int() }),
      arkType({ a: "'x'", n: "number.integer" }),
      toStandardJsonSchema(v.object({ a: v.literal("x"), n: v.number() })),
    ];
    for (const schema of schemas) {
      const both = echoing({ query: schema, content: schema }, "POST");
      const bad = await both.fetch(request("POST", `/?a=${secret}&n=${secret}`, json({ a: secret })));
      expect(bad.status).toBe(400);
      expect(await bad.text()).not.toContain(secret);
      const unfit = await both.fetch(request("POST", "/?a=x&n=1", json({ a: secret, n: secret })));
      expect(unfit.status).toBe(422);
      expect(await unfit.text()).not.toContain(secret);
    }
  });

  it("C8.19 ignore content that is not declared, and tell +json from JSON", async () => {
    const none = answering({ 204: "Nothing" }, () => undefined);
    const plain = await none.fetch(request("GET", "/", { headers: { "content-type": "x" } }));
    expect([plain.status, plain.headers.has("content-type")]).toEqual([204, false]);
    const merge = echoing({ content: { "application/merge-patch+json": z.object({ a: z.string() }) } }, "PATCH");
    expect((await merge.fetch(request("PATCH", "/", json({ a: "b" }, "application/merge-patch+json")))).status).toBe(
      200,
    );
    expect((await merge.fetch(request("PATCH", "/", json({ a: "b" })))).status).toBe(415);
    const onlyJson = echoing({ content: z.object({ a: z.string() }) }, "PATCH");
    expect((await onlyJson.fetch(request("PATCH", "/", json({ a: "b" }, "application/x+json")))).status).toBe(415);
    const latin = json({ a: "b" }, "application/json; charset=iso-8859-1");
    expect((await onlyJson.fetch(request("PATCH", "/", latin))).status).toBe(415);
  });
});

describe("the builder", () => {
  it("C2.7 gives the errors of all handlers, and of the line, another shape", async () => {
    const shape = z.object({ message: z.string(), from: z.string() });
    const told: unknown[] = [];
    class Failing extends native.Resource {
      override paths = ["/failing"];
      override GET(): Response {
        throw new RangeError("secret");
      }
    }
    const shaped = Application.builder()
      .resources(Book, Failing)
      .onError(() => {})
      .problems({
        schema: shape,
        type: "application/json",
        from({ title, detail = title }, error, input) {
          told.push(error instanceof Error ? error.message : error);
          return { message: detail, from: (input as Request).method };
        },
      })
      .build();
    const contents: unknown[] = [];
    for (const path of ["/books/1", "/books/1?lang=x", "/nowhere", "/failing"]) {
      const response = await shaped.request(path);
      expect(response.headers.get("content-type")).toBe("application/json");
      contents.push([response.status, await response.json()]);
    }
    expect(contents).toEqual([
      [404, { message: "No book has this ISBN", from: "GET" }],
      [400, { message: "The request does not fit", from: "GET" }],
      [404, { message: "Not Found", from: "GET" }],
      [500, { message: "Internal Server Error", from: "GET" }],
    ]);
    expect(told).toEqual([undefined, "The request does not fit", "Not Found", "secret"]);
  });

  it("C2.7 keeps the media type of problem details, unless it is told another", async () => {
    const shaped = Application.builder()
      .resources(Book)
      .problems({ schema: z.object({ id: z.int() }), from: () => ({ id: 7 }) })
      .build();
    for (const path of ["/books/1", "/nowhere"]) {
      const response = await shaped.request(path);
      expect([response.headers.get("content-type"), await response.json()]).toEqual([
        "application/problem+json",
        { id: 7 },
      ]);
    }
  });

  it("C2.7 takes no media type that stands on all objects", async () => {
    const shaped = Application.builder().problems({ schema: z.object({ id: z.int() }), from: () => ({ id: 7 }) });
    Reflect.defineProperty(Object.prototype, "type", { value: "text/html", configurable: true });
    const response = await shaped
      .build()
      .request("/nowhere")
      .finally(() => Reflect.deleteProperty(Object.prototype, "type"));
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  it("C2.7 answers with problem details where that shape fails", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = native.Application.builder()
      .problems({
        schema: z.unknown(),
        from() {
          throw new Error("no shape");
        },
      })
      .build();
    expect(await problemOf(await failing.request("/"))).toEqual({ title: "Not Found", status: 404 });
    expect(print).toHaveBeenCalledWith(new Error("no shape"));
    print.mockRestore();
  });

  it("C2.7 refuses a shape without a schema or a function", () => {
    const wrong: [unknown, string][] = [
      [undefined, "undefined"],
      [{ schema: z.any() }, "an object"],
      [{ from: () => 1 }, "an object"],
      [{ schema: {}, from: () => 1 }, "an object"],
    ];
    for (const [given, name] of wrong) {
      expect(() => Application.builder().problems(given as never)).toThrow(
        new TypeError(`Cannot set problems: expected { schema, from, type }, got ${name}`),
      );
    }
  });

  it("C2.8 has request(), and reports an error that nobody waits for", async () => {
    const seen: unknown[] = [];
    let [fail, tell] = [(): void => {}, (): void => {}];
    const failing = new Promise<void>((resolve) => (fail = resolve));
    const told = new Promise<void>((resolve) => (tell = resolve));
    class Hasty extends Middleware {
      GET(input: Request): Response {
        void this.next(input);
        return new Response("early");
      }
    }
    class Late extends Resource {
      paths = ["/late"] as const;
      static GET = { 200: text() };
      override async GET(): Promise<Answer<typeof Late, "GET">> {
        await failing;
        throw new Error("late");
      }
    }
    const late = Application.builder()
      .resources(Late)
      .middleware(Hasty)
      .onError((error, { url }) => {
        seen.push((error as Error).message, url);
        tell();
      })
      .build();
    expect(await (await late.request("/late")).text()).toBe("early");
    fail();
    await told;
    expect(seen).toEqual(["late", "http://localhost/late"]);
  });

  it("C7.4 refuses what it does not know, and says what was expected", () => {
    expect(() => Application.builder().replies("plan" as never)).toThrow(
      new TypeError('Cannot set replies: expected "shape", "check" or "trust", got "plan"'),
    );
    expect(() => Application.builder().onError(5 as never)).toThrow(
      new TypeError("Cannot observe errors: expected a function, got 5"),
    );
  });

  it("C3.5 refuses a call of a handler that a class does not implement", () => {
    class None extends Resource {
      paths = ["/"];
    }
    expect(() => new None().QUERY(undefined)).toThrow(
      new TypeError("Cannot call QUERY: the class does not implement it"),
    );
  });

  it("C7.3 writes to the console what is the server's fault", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = answering({ 200: z.string() }, () => {
      throw new Error("secret");
    });
    const response = await failing.fetch(request("GET", "/"));
    expect(await problemOf(response)).toEqual({ title: "Internal Server Error", status: 500 });
    expect(print).toHaveBeenCalledOnce();
    print.mockRestore();
  });
});

describe("answers of raw kinds", () => {
  it("C8.4 take any view of bytes, with its length and its parts", async () => {
    class Raw extends Resource {
      paths = ["/"] as const;
      static GET = { 200: bytes("image/png") };
      override GET(): Answer<typeof Raw, "GET"> {
        return new DataView(new TextEncoder().encode("0123456789").buffer, 2, 5);
      }
    }
    const raw = Application.builder().resources(Raw).build();
    const whole = await raw.request("/");
    expect([whole.headers.get("content-length"), await whole.text()]).toEqual(["5", "23456"]);
    const part = await raw.request("/", { headers: { range: "bytes=1-2" } });
    expect([part.status, await part.text()]).toEqual([206, "34"]);
  });

  it.each([
    ["text", text(), [{ a: 1 }, undefined, 5, null], "a string or an async iterable"],
    [
      "bytes",
      bytes("image/png"),
      ["text", { a: 1 }, undefined],
      "a Blob, an ArrayBuffer, a view of one, a ReadableStream or an async iterable",
    ],
  ] as const)("C8.9 are 500 where a handler returns something else: %s", async (_kind, declared, values, expected) => {
    for (const value of values) {
      const errors: unknown[] = [];
      class Raw extends Resource {
        paths = ["/"];
        static GET = { 200: declared };
        override GET(): never {
          return value as never;
        }
      }
      const raw = Application.builder()
        .resources(Raw)
        .onError((error) => void errors.push((error as Error).message))
        .build();
      const { status } = await raw.request("/");
      const message =
        value === undefined
          ? "Cannot answer GET of Raw: its handler returned nothing, and 200 has content; write return with it"
          : `Cannot answer GET of Raw: the content of 200 does not fit at # (Expected ${expected})`;
      expect([status, errors]).toEqual([500, [message]]);
    }
  });
});

describe("members of a declaration that are undefined", () => {
  it("C8.1 count as not written", async () => {
    const undefinedMembers = {
      ...{ id: undefined, summary: undefined, description: undefined, tags: undefined, deprecated: undefined },
      ...{ examples: undefined, security: undefined, path: undefined, query: undefined, headers: undefined },
      ...{ cookies: undefined, content: undefined, at: undefined, precondition: undefined, cache: undefined },
      etag: undefined,
    } satisfies Operation;
    class Bare extends Resource {
      paths = ["/bare"] as const;
      static GET = { ...undefinedMembers, 200: { description: undefined, content: text(), headers: undefined } };
      override GET(): Answer<typeof Bare, "GET"> {
        return "Hello";
      }
      static POST = { ...undefinedMembers, content: bytes("image/png", { maxBytes: undefined }), 204: "Done" };
      override POST(): undefined {
        return undefined;
      }
    }
    const bare = Application.builder().resources(Bare).build();
    expect(await (await bare.request("/bare")).text()).toBe("Hello");
    const headers = { "content-type": "image/png" };
    expect((await bare.request("/bare", { method: "POST", headers, body: "x" })).status).toBe(204);
    const image = Object.keys(document(bare, { title: "Bare", version: "1" }).paths["/bare"]!);
    expect(image).toEqual(["get", "post"]);
  });
});
