import LinkHeader from "http-link-header";
import {
  Application,
  page,
  readInput,
  reply,
  Resource,
  type Answer,
  type Call,
  type Operation,
  type Replies,
  jsonSchema,
  type StandardResult,
  type StandardSchema,
} from "fingerpost";
import { client } from "fingerpost/client";
import { cors } from "fingerpost/middleware/cors";
import { mock } from "fingerpost/mock";
import {
  Application as NativeApplication,
  Resource as NativeResource,
  Response,
  type RequestOf,
} from "fingerpost/native";
import { pagesBy } from "fingerpost/native/content";
import { document } from "fingerpost/openapi";
import { type } from "arktype";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "../openapi/client-types.ts";

const book = z.object({ id: z.int(), title: z.string() });
const by = z.object({ title: z.string(), id: z.int() });
const titles = ["Emma", "Emma", "Kindred", "Beloved", "Emma"];
const books = titles
  .map((title, at) => ({ id: at + 1, title, secret: "s" }))
  .toSorted((one, other) => (one.title < other.title ? -1 : one.title > other.title ? 1 : one.id - other.id));

type Place = z.infer<typeof by>;

function pageOf(all: typeof books, after: Place | undefined, limit: number) {
  const rest = all.filter(
    ({ id, title }) => after === undefined || title > after.title || (title === after.title && id > after.id),
  );
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rest.length > limit && last !== undefined ? { title: last.title, id: last.id } : null };
}

class Books extends Resource {
  override paths = ["/books", "/shelves/:name/books"] as const;

  static GET = {
    query: z.strictObject({ q: z.string().optional(), n: z.int().optional() }),
    200: page(book, { by, limit: 2, maxLimit: 4 }),
    404: "No such shelf",
  };
  override GET({ query, page: { after, limit } }: Call<typeof Books, "GET">): Answer<typeof Books, "GET"> {
    expectTypeOf(after).toEqualTypeOf<{ title: string; id: number } | undefined>();
    expectTypeOf(limit).toEqualTypeOf<number>();
    if (query.q === "none") return reply(404);
    return pageOf(books, after, limit);
  }
}
const app = Application.builder().resources(Books).build();

/** Follows `Link` by a parser of somebody else, as a client of a collection does. */
async function followed(path: string, ask = (url: string) => app.request(url)): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let url: string | null = path; url !== null;) {
    const response = await ask(url);
    expect(response.status).toBe(200);
    const { items, next } = (await response.json()) as { items: unknown[]; next: string | null };
    pages.push(items);
    const [link] = LinkHeader.parse(response.headers.get("link") ?? "").rel("next");
    expect(link === undefined).toBe(next === null);
    const before: URL = new URL(url, "http://localhost");
    const target: URL | null = link === undefined ? null : new URL(link.uri, before);
    url = target && target.pathname + target.search;
    if (target === null) continue;
    expect(target.searchParams.get("cursor")).toBe(next);
    before.searchParams.delete("cursor");
    target.searchParams.delete("cursor");
    expect([...target.searchParams]).toEqual([...before.searchParams]);
  }
  return pages;
}

async function cursorOf(path: string, from: { request: typeof app.request } = app): Promise<string> {
  const { next } = (await (await from.request(path)).json()) as { next: string };
  return next;
}

async function refusalOf(path: string, from: { request: typeof app.request } = app) {
  const response = await from.request(path);
  const { errors } = (await response.json()) as { errors?: { in: string; pointer: string; detail: string }[] };
  return [response.status, ...(errors ?? []).map((one) => `${one.in} ${one.pointer} ${one.detail}`)];
}

const unreadCursor = "query #/cursor Expected the cursor of a page that was read here";

describe("C19.2 a cursor", () => {
  it("is 400 at another value of a path param, signed or not, and read at the same one however written", async () => {
    const pathless = "/books/:author/:kind?";
    for (const secrets of [[], ["s".repeat(32)]]) {
      class Works extends Resource {
        override paths = [pathless, "/works/(.+)/all"] as const;
        static GET = { 200: page(book, { by, limit: 2, secrets }) };
        override GET({ page: { after, limit } }: Call<typeof Works, "GET">): Answer<typeof Works, "GET"> {
          return pageOf(books, after, limit);
        }
      }
      class Native extends NativeResource {
        paths = ["/native/:author"] as const;
        readonly #pages = pagesBy(by, { limit: 2, secrets });
        override async GET(request: RequestOf<Native>): Promise<Response> {
          const { after, limit } = await this.#pages.read(request);
          const { content, headers } = await this.#pages.write(request, pageOf(books, after, limit));
          return Response.json(content, { headers });
        }
      }
      const works = Application.builder().resources(Works).build();
      const natives = NativeApplication.builder().resources(Native).build();
      for (const [from, own, others] of [
        [works, "/books/austen", ["/books/butler", "/books/austen/novels", "/works/austen/all"]],
        [works, "/books/a%C3%A9", ["/books/ae", "/books/a"]],
        [works, "/works/a/b/all", ["/works/a/all", "/works/a/c/all"]],
        [natives, "/native/austen", ["/native/butler"]],
      ] as const) {
        const cursor = await cursorOf(own, from);
        const alike = [own, `${own}/`, own.replace("a%C3%A9", "%61%c3%a9"), own.replace("austen", "%61usten")];
        for (const path of alike)
          expect([path, (await from.request(`${path}?cursor=${cursor}`)).status]).toEqual([path, 200]);
        for (const path of others)
          expect(await refusalOf(`${path}?cursor=${cursor}`, from)).toEqual([400, unreadCursor]);
      }
    }
  });
});

describe("C19.1 page()", () => {
  it("leads through a collection by cursors and Link, each item once, without its other members", async () => {
    const pages = await followed("/books");
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(books.map(({ id, title }) => ({ id, title })));
  });

  it("keeps the other query parameters in Link, whatever they hold", async () => {
    for (const query of ["q=a&limit=3", "q=%C3%A9%20%26%3E%22%3C", "n=7&limit=1", "q=%zz&q2="]) {
      const response = await app.request(`/books?${query}`);
      if (query.endsWith("q2=")) expect(response.status).toBe(400);
      else expect((await followed(`/books?${query}`)).flat()).toHaveLength(5);
    }
  });

  it("answers HEAD with the same Link", async () => {
    const head = await app.request("/books?limit=3", { method: "HEAD" });
    const get = await app.request("/books?limit=3");
    expect(head.headers.get("link")).toMatch(/^<\?limit=3&cursor=1\.[\w.-]+>; rel="next"$/);
    expect(head.headers.get("link")).toBe(get.headers.get("link"));
    expect(await head.text()).toBe("");
    expect((await app.request("/books?limit=4&cursor=")).status).toBe(400);
    expect((await app.request("/books?limit=")).headers.get("link")).not.toBeNull();
  });

  it("refuses a limit that is not a whole number from 1 to maxLimit, with all other faults of the query", async () => {
    for (const limit of ["0", "5", "-1", "1.5", "1e0", "two", "01", "9".repeat(400)]) {
      expect(await refusalOf(`/books?limit=${limit}`)).toEqual([400, "query #/limit Expected an integer from 1 to 4"]);
    }
    expect(await refusalOf("/books?limit=1&limit=2")).toEqual([400, "query #/limit Expected an integer from 1 to 4"]);
    expect(await refusalOf("/books?limit=9&cursor=x&n=a&more=1")).toEqual([
      400,
      "query #/limit Expected an integer from 1 to 4",
      unreadCursor,
      "query #/n Expected an integer",
      expect.stringContaining("query #/more "),
    ]);
  });

  it("gives a reply() of another status as it is", async () => {
    const response = await app.request("/books?q=none");
    expect([response.status, response.headers.get("link")]).toEqual([404, null]);
  });

  it("answers a QUERY without Link, which leads to a GET", async () => {
    class Search extends Resource {
      override paths = ["/search"] as const;
      static QUERY = { content: z.object({ q: z.string() }), 200: { content: page(book, { by, limit: 1 }) } };
      override QUERY({ page: { after, limit } }: Call<typeof Search, "QUERY">): Answer<typeof Search, "QUERY"> {
        return pageOf(books, after, limit);
      }
    }
    const searching = Application.builder().resources(Search).build();
    const response = await searching.request("/search", { method: "QUERY", json: { q: "" } });
    expect([response.status, response.headers.get("link")]).toEqual([200, null]);
    expect(await response.json()).toEqual({ items: [{ id: 4, title: "Beloved" }], next: expect.any(String) });
    expect(document(searching, { title: "A", version: "1" }).paths["/search"]!["x-query"]!.parameters).toHaveLength(2);
  });

  it("holds with each way to check answers, each library, and a tag of the content", async () => {
    const valibotBook = toStandardJsonSchema(v.object({ id: v.number(), title: v.string() }));
    const arkBook = type({ id: "number", title: "string", "+": "delete" });
    const tree = z.object({
      id: z.int(),
      get inner(): z.ZodOptional<typeof tree> {
        return z.optional(tree);
      },
      title: z.string(),
    });
    const named = z.object({ id: z.int(), title: z.string() }).meta({ id: "NamedBook" });
    const unshown = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;
    const changing = z.object({ id: z.int(), title: z.string() }).transform(({ id, title }) => ({ id, title }));
    for (const replies of ["check", "shape", "trust"] as const) {
      for (const item of [book, valibotBook, arkBook, tree, named, unshown, changing]) {
        class Mixed extends Resource {
          override paths = ["/books"] as const;
          static GET = { 200: page(item as typeof book, { by, limit: 3 }), etag: "content" as const };
          override GET({ page: { after, limit } }: Call<typeof Mixed, "GET">): Answer<typeof Mixed, "GET"> {
            return pageOf(books, after, limit);
          }
        }
        const builder = Application.builder().resources(Mixed);
        const mixed = builder.replies(replies satisfies Replies).build();
        const pages = await followed("/books", (url) => mixed.request(url));
        expect(pages.flat().map((one) => (one as { id: number }).id)).toEqual(books.map(({ id }) => id));
        if (replies !== "trust" && item !== unshown) expect(JSON.stringify(pages)).not.toContain("secret");
        const response = await mixed.request("/books");
        expect(response.headers.get("etag")).toMatch(/^"/);
        const described = document(mixed, { title: "A", version: "1" }).paths["/books"]!["get"]!.responses["200"]!
          .content!;
        // What holds itself has a name; without a JSON Schema there is nothing to show.
        expect(JSON.stringify(described)).toMatch(/"required":\["items","next"\]|"\$ref"|not described/);
      }
    }
  });

  it("is 500 where a handler returns something else, and says what", async () => {
    const given: [unknown, RegExp][] = [
      [{ items: [{ id: 1 }], next: null }, /content of 200 does not fit at #\/items\/0\/title/],
      [{ items: "all", next: null }, /content of 200 does not fit at #\/items/],
      [{ items: [] }, /content of 200 does not fit at #\/next/],
      [
        { items: [], next: { title: "Emma" } },
        /^TypeError: Cannot write a page of \/books: its next is not what "by" reads, at #\/id/,
      ],
      [{ items: [], next: () => {} }, /its next is not what "by" reads, at #/],
      [{ items: [], next: 7n }, /Cannot write a page: JSON cannot write its next/],
      [7, /content of 200 does not fit/],
    ];
    for (const replies of ["check", "shape"] as const) {
      for (const [value, told] of given) {
        class Wrong extends Resource {
          override paths = ["/books"] as const;
          static GET = { 200: page(book, { by }) };
          override GET(): never {
            return value as never;
          }
        }
        const errors: unknown[] = [];
        const builder = Application.builder()
          .resources(Wrong)
          .onError((error) => void errors.push(error));
        const wrong = builder.replies(replies).build();
        expect((await wrong.request("/books")).status).toBe(500);
        expect(String(errors[0])).toMatch(told);
      }
    }
  });

  it("reads definitions of any draft, and faults that name no place", async () => {
    const raw = jsonSchema<{ id: number }>(
      {
        $ref: "#/definitions/book",
        definitions: { book: { type: "object", properties: { id: { type: "integer" } } } },
      },
      (value) => (value as { id: number }).id > 0,
    );
    const place = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => placed(value) } } as const;
    const placed = (value: unknown): StandardResult<number> =>
      value === 1 ? { value } : { issues: [{ message: "Expected 1", path: value === 2 ? [{ key: "x" }] : [] }] };
    class Raw extends Resource {
      override paths = ["/books"] as const;
      static GET = { query: z.object({ id: z.int() }), 200: page(raw, { by: place as StandardSchema<number> }) };
      override GET({ query: { id } }: Call<typeof Raw, "GET">): Answer<typeof Raw, "GET"> {
        return { items: [{ id, secret: 1 } as { id: number }], next: id };
      }
    }
    const errors: unknown[] = [];
    const builder = () =>
      Application.builder()
        .resources(Raw)
        .onError((error) => void errors.push(error));
    expect(await (await builder().build().request("/books?id=1")).text()).toMatch(/^\{"items":\[\{"id":1\}\],"next":"/);
    const checked = builder().replies("check").build();
    for (const id of [2, 3]) expect((await checked.request(`/books?id=${id}`)).status).toBe(500);
    expect(errors.map(String)).toEqual([
      expect.stringContaining("at #/x (Expected 1)"),
      expect.stringContaining("at # (Expected 1)"),
    ]);
    const nothing = jsonSchema<number>({ type: "integer" }, () => false);
    class Unfit extends Resource {
      override paths = ["/books"] as const;
      static GET = { 200: page(nothing, { by }) };
      override GET(): Answer<typeof Unfit, "GET"> {
        return { items: [1], next: null };
      }
    }
    const unfit = Application.builder()
      .resources(Unfit)
      .replies("check")
      .onError((error) => void errors.push(error))
      .build();
    expect((await unfit.request("/books")).status).toBe(500);
    expect(String(errors.at(-1))).toMatch(/at #\/items\/0 \(/);
  });

  it("is refused by build() where it cannot be, and beside parameters of its names", () => {
    const pages = page(book, { by });
    const unfit: [string, object, string][] = [
      ["GET", { 201: pages, 200: "All" }, "has page() for 201; write static GET = { 200: page(schema, { by }) }"],
      ["POST", { 200: pages }, "has page() for 200; write static GET = { 200: page(schema, { by }) }"],
      ["POST", { content: pages, 204: "Done" }, "has page() for content, which only answers have; write a schema"],
      [
        "POST",
        { content: { "application/json": pages }, 204: "" },
        "has page() for content, which only answers have; write a schema",
      ],
      [
        "GET",
        { 200: pages, query: z.object({ limit: z.int() }) },
        'has "limit" for query beside page(), which declares it; leave it out',
      ],
      [
        "GET",
        { 200: { content: { "application/json": pages } }, query: z.object({ cursor: z.string() }) },
        'has "cursor" for query beside page(), which declares it; leave it out',
      ],
    ];
    for (const [method, operation, told] of unfit) {
      class Wrong extends Resource {
        override paths = ["/books"] as const;
      }
      Object.assign(Wrong, { [method]: operation });
      Object.assign(Wrong.prototype, { [method]() {} });
      expect(() =>
        Application.builder()
          .resources(Wrong as never)
          .build(),
      ).toThrow(`Cannot add Wrong to the application: static ${method} ${told}`);
    }
  });

  it("refuses wrong options", () => {
    const wrong: [unknown, object, string][] = [
      [7, { by }, "Cannot call page(): expected the schema of an item, got 7; write page(schema, { by })"],
      [book, {}, 'its option "by" must be the schema of the place where a page ends, got undefined'],
      [book, { by: "id" }, 'its option "by" must be the schema of the place where a page ends, got "id"'],
      [book, { by, limit: 0 }, 'its option "limit" must be a whole number from 1 on, got 0'],
      [book, { by, maxLimit: 1.5 }, 'its option "maxLimit" must be a whole number from 1 on, got 1.5'],
      [book, { by, limit: 200 }, 'its option "limit" must be at most maxLimit, 100, got 200'],
      [book, { by, secrets: ["short"] }, 'its option "secrets" must be an array of strings of at least 32 bytes, got'],
      [
        book,
        { by, secrets: "s".repeat(32) },
        'its option "secrets" must be an array of strings of at least 32 bytes, got',
      ],
      [book, { by, most: 7 }, 'it has no option "most"; write one of by, limit, maxLimit, secrets'],
    ];
    for (const [item, options, told] of wrong) expect(() => page(item as never, options as never)).toThrow(told);
    expect(() => page(book, undefined as never)).toThrow("its options must be an object");
  });

  it("is known to documents, printed types, explain(), mocks and the client", async () => {
    const { get } = document(app, { title: "A", version: "1" }).paths["/books"]!;
    const described = get!.parameters!.map(({ name, in: place, schema }) => [name, place, schema]);
    expect(described).toContainEqual(["limit", "query", { type: "integer", minimum: 1, maximum: 4, default: 2 }]);
    expect(described).toContainEqual(["cursor", "query", { type: "string" }]);
    expect(Object.keys(get!.responses)).toEqual(expect.arrayContaining(["200", "400"]));
    expect(get!.responses["200"]!.headers).toHaveProperty("Link");
    const types = clientTypes(app.dispatcher);
    expect(types).toContain(
      "readonly query?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }",
    );
    expect(types).toContain(
      "readonly ({ readonly id: number; readonly title: string; })[]; readonly next: string | null; }",
    );
    const first = await app.explain(new Request("http://localhost/books"));
    expect(first.questions.find(({ step }) => step === 4)!.finding).toBe("yes: 2 items from the beginning");
    const second = await app.explain(new Request(`http://localhost/books?limit=1&cursor=${await cursorOf("/books")}`));
    expect(second.questions.find(({ step }) => step === 4)!.finding).toBe('yes: 1 items after {"title":"Emma","id":1}');
    const refused = await app.explain(new Request("http://localhost/books?limit=9"));
    expect([refused.status, refused.questions.at(-1)!.step]).toEqual([400, 4]);
    const made = await mock(app).request("/books");
    expect([made.status, ((await made.json()) as { next: unknown }).next]).toEqual([200, expect.any(String)]);

    const api = client<typeof app>("http://localhost", { fetch: app.fetch });
    const page1 = (await api["/books"].GET({ query: { limit: 1, q: "a" } })).orThrow();
    expectTypeOf(page1.next).toEqualTypeOf<string | null>();
    expectTypeOf(page1.items[0]!.title).toEqualTypeOf<string>();
    const page2 = (await api["/books"].GET({ query: { limit: 1, cursor: page1.next! } })).orThrow();
    expect(page2.items).toEqual([{ id: 1, title: "Emma" }]);
    // @ts-expect-error the limit is a number
    expect((await api["/books"].GET({ query: { limit: "x" } })).status).toBe(400);
  });

  it("types the next place by its schema", () => {
    class Typed extends Resource {
      override paths = ["/books"] as const;
      static GET = { 200: page(book, { by }) } satisfies Operation;
      override GET(): Answer<typeof Typed, "GET"> {
        // @ts-expect-error the place has a title
        return { items: [], next: { id: 1 } };
      }
    }
    expect(Typed.GET[200]).toHaveProperty("~standard");
  });
});

describe("C19.2 cursors of page()", () => {
  const secrets = ["a secret of no less than 32 bytes", "an old secret of at least 32 bytes"];
  function booksOf(options: object, paths = ["/books"], schema: z.ZodType = by) {
    class Other extends Resource {
      override paths = paths;
      static GET = { 200: page(book, { by: schema, limit: 2, ...options }) };
      override GET({ page: asked }: Call<typeof Other, "GET">): never {
        return pageOf(books, asked.after as Place, asked.limit) as never;
      }
    }
    return Application.builder().resources(Other).build();
  }

  it("refuses a cursor that does not read", async () => {
    const cursor = await cursorOf("/books");
    const [format, mark, payload] = cursor.split(".") as [string, string, string];
    const of = (text: string): string => [format, mark, Buffer.from(text).toString("base64url")].join(".");
    expect(of('{"title":"Emma","id":1}')).toBe(cursor);
    const broken = [
      "1",
      "x",
      `${format}1.${mark}.${payload}`,
      `${format}.${mark}`,
      `${cursor}.`.replace(/\.$/, ".x"),
      `${cursor}.x.y`,
      `${format}.${mark}x.${payload}`,
      `${cursor}!`,
      of('{"title":"Emma"}'),
      of('{"title":"Emma","id":"1"}'),
      of("{"),
      of(""),
      `${format}.${mark}.${Buffer.from([0xff, 0x22]).toString("base64url")}`,
    ];
    for (const one of broken)
      expect(await refusalOf(`/books?cursor=${encodeURIComponent(one)}`)).toEqual([400, unreadCursor]);
    expect(await refusalOf(`/books?cursor=${cursor}&cursor=${cursor}`)).toEqual([400, unreadCursor]);
    expect(await refusalOf(`/books?cursor=${cursor}`)).toEqual([200]);
  });

  it("refuses a cursor of another collection, and of an order before a change", async () => {
    const other = await cursorOf("/shelves/a/books");
    expect(await refusalOf(`/shelves/a/books?cursor=${other}`)).toEqual([200]);
    expect(await refusalOf(`/shelves/b/books?cursor=${other}`)).toEqual([400, unreadCursor]);
    expect(await refusalOf(`/books?cursor=${other}`)).toEqual([400, unreadCursor]);
    // The schema of before knows both names. The new one knows one of them, and would accept the cursor.
    const before = await cursorOf("/books");
    const changed = booksOf({}, ["/books"], z.object({ id: z.int() }));
    expect(await refusalOf(`/books?cursor=${before}`, changed)).toEqual([400, unreadCursor]);
    const unknown = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } };
    const shapeless = booksOf({}, ["/books"], unknown as never);
    expect((await followed("/books", (url) => shapeless.request(url))).flat()).toHaveLength(5);
  });

  it("signs by the first secret and reads by each, and refuses what is forged", async () => {
    const signed = booksOf({ secrets });
    expect((await followed("/books", (url) => signed.request(url))).flat()).toHaveLength(5);
    const cursor = await cursorOf("/books", signed);
    const [format, mark, , signature] = cursor.split(".") as [string, string, string, string];
    const forged = Buffer.from('{"title":"","id":0}').toString("base64url");
    const unsigned = await cursorOf("/books");
    for (const one of [`${format}.${mark}.${forged}.${signature}`, unsigned, `${unsigned}.`, `${cursor}x`])
      expect(await refusalOf(`/books?cursor=${one}`, signed)).toEqual([400, unreadCursor]);
    expect(await refusalOf(`/books?cursor=${cursor}`)).toEqual([400, unreadCursor]);
    const old = await cursorOf("/books", booksOf({ secrets: [secrets[1]] }));
    expect(await refusalOf(`/books?cursor=${old}`, signed)).toEqual([200]);
    expect(await refusalOf(`/books?cursor=${old}`, booksOf({ secrets: [secrets[0]] }))).toEqual([400, unreadCursor]);
  });

  it("reads a place that JSON writes otherwise, such as a date", async () => {
    const at = new Date("2027-01-31T10:00:00Z");
    const seen: unknown[] = [];
    class Dated extends Resource {
      override paths = ["/books"] as const;
      static GET = { 200: page(book, { by: z.object({ at: z.coerce.date() }) }) };
      override GET({ page: { after } }: Call<typeof Dated, "GET">): Answer<typeof Dated, "GET"> {
        seen.push(after?.at);
        return { items: [], next: { at } };
      }
    }
    const dated = Application.builder().resources(Dated).build();
    await dated.request(`/books?cursor=${await cursorOf("/books", dated)}`);
    expect(seen).toEqual([undefined, at]);
  });
});

describe("readInput() with page()", () => {
  it("reads the page of a declaration in the native module", async () => {
    class Native extends NativeResource {
      paths = ["/books"] as const;
      static GET = { query: z.object({ q: z.string() }), 200: page(book, { by }) };
      override async GET(request: RequestOf<Native>): Promise<Response> {
        const { page: asked, query } = await readInput(request, Native.GET);
        expectTypeOf(asked.after).toEqualTypeOf<{ title: string; id: number } | undefined>();
        return Response.json([asked, query]);
      }
    }
    const native = NativeApplication.builder().resources(Native).build();
    expect(await (await native.request("/books?q=a&limit=7")).json()).toEqual([{ limit: 7 }, { q: "a" }]);
    expect(await refusalOf("/books?q=a&limit=0", native)).toEqual([
      400,
      "query #/limit Expected an integer from 1 to 100",
    ]);
  });
});

describe("scripts of other origins", () => {
  it("C19.1 may read Link of a page", async () => {
    const open = Application.builder()
      .resources(Books)
      .middleware(cors({ origins: ["https://app.example"] }))
      .build();
    const headers = { origin: "https://app.example" };
    for (const target of ["/books", "/books?limit=1"]) {
      const response = await open.request(target, { headers });
      expect(response.headers.get("access-control-expose-headers")).toContain("Link");
    }
  });

  it("C19.1 find no more than what was named in the cursor, whatever a handler returns", async () => {
    class Rows extends Resource {
      override paths = ["/rows"] as const;
      static GET = { 200: page(z.object({ id: z.int() }), { by: z.object({ id: z.int() }) }) };
      override GET(): Answer<typeof Rows, "GET"> {
        const row = { id: 7, passwordHash: "secret" };
        return { items: [row], next: row };
      }
    }
    const response = await Application.builder().resources(Rows).build().request("/rows");
    const { next } = (await response.json()) as { readonly next: string };
    expect(atob(next.split(".")[2]!)).toBe('{"id":7}');
  });
});
