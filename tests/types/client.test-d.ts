import { client, type ApiOf, type Refused, type UntypedProblem } from "fingerpost/client";
import { queryOptions } from "fingerpost/client/query";
import * as native from "fingerpost/native";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import {
  Application,
  bytes,
  events,
  reply,
  Resource,
  ResourceGroup,
  text,
  written,
  type Answer,
  type ApplicationBuilder,
  type Call,
  type Operation,
  type Problem,
  type ProblemError,
  type Reply,
  type StandardSchema,
} from "fingerpost";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";

const titled = z.object({ title: z.string() });
const book = z.object({ title: z.string(), at: z.date() });

class Book extends Resource {
  paths = ["/books", "/books/:isbn", "/books/:isbn/:page?"] as const;

  static GET = {
    query: z.object({ limit: z.int(), tag: z.array(z.string()).optional() }),
    headers: z.object({ "x-lang": z.string().optional() }),
    cookies: z.object({ session: z.string() }),
    200: book,
    "404": "No book has this ISBN",
    503: z.object({ seconds: z.int() }),
  };
  override GET(_call: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
    return { title: "Kindred", at: new Date() };
  }

  static PUT = { content: z.object({ title: z.string() }), 204: "Stored", 409: "Taken" };
  override PUT(_call: Call<typeof Book, "PUT">): undefined {
    return undefined;
  }
}

class Contents extends Resource {
  paths = ["/contents"] as const;

  static POST = { content: { "application/json": z.int(), "text/csv": text() }, 200: bytes() };
  override POST(_call: Call<typeof Contents, "POST">): Blob {
    return new Blob();
  }

  static PUT = { content: text(), 200: events(z.object({ at: z.date() })) };
  override async *PUT(_call: Call<typeof Contents, "PUT">): AsyncGenerator<{ at: Date }> {}

  static PATCH = { content: bytes(), 200: { content: { "application/json": book, "text/plain": text() } } };
  override PATCH(_call: Call<typeof Contents, "PATCH">): Answer<typeof Contents, "PATCH"> {
    return { title: "Kindred", at: new Date() };
  }

  static QUERY = { content: z.string().optional(), 200: text() };
  override QUERY(_call: Call<typeof Contents, "QUERY">): string {
    return "";
  }
}

class Patches extends Resource {
  paths = ["/patches"] as const;

  static PATCH = { content: { "application/merge-patch+json": titled, "application/json": titled }, 204: "Stored" };
  override PATCH(_call: Call<typeof Patches, "PATCH">): undefined {
    return undefined;
  }

  static PUT = { content: { "application/merge-patch+json": titled }, 204: "Stored" };
  override PUT(_call: Call<typeof Patches, "PUT">): undefined {
    return undefined;
  }

  static POST = {
    content: { "application/x-www-form-urlencoded": titled, "multipart/form-data": titled },
    204: "Stored",
  };
  override POST(_call: Call<typeof Patches, "POST">): undefined {
    return undefined;
  }
}

const untold: string = "text/plain";
const xml = { 200: text("application/xml") };

class Typed extends Resource {
  paths = ["/typed"] as const;

  static GET = xml;
  override GET(_call: Call<typeof Typed, "GET">): string {
    return "";
  }

  static POST = { 200: bytes("text/plain"), 201: text("application/json"), 202: bytes("application/hal+json; a=b") };
  override POST(_call: Call<typeof Typed, "POST">): Blob {
    return new Blob();
  }

  static PUT = { 200: text(untold), 201: bytes(), 202: text("Text/Markdown"), 203: text(undefined, { maxBytes: 5 }) };
  override PUT(_call: Call<typeof Typed, "PUT">): string {
    return "";
  }

  static PATCH = {
    200: {
      content: {
        "application/xml": text(),
        "text/csv": bytes("image/png"),
        "text/event-stream": events(titled),
        "application/hal+json": titled,
      },
    },
    201: { content: written("application/xml", (value: number) => `${value}`) },
    202: { content: { "text/plain": z.int() } },
    203: { content: { "application/xml": z.int() } },
    206: text("text/event-stream"),
  };
  override PATCH(_call: Call<typeof Typed, "PATCH">): Reply<202, number> {
    return reply(202, 5);
  }

  static DELETE = { 200: text(), 201: bytes(), 202: text("application/xml") } satisfies Operation;
  override DELETE(_call: Call<typeof Typed, "DELETE">): string {
    return "";
  }
}

class Order extends Resource {
  paths = ["/orders/:day"] as const;

  static GET = { path: z.object({ day: z.enum(["mon", "tue"]) }), 200: text() };
  override GET(_call: Call<typeof Order, "GET">): string {
    return "";
  }
}

class Menu extends Resource {
  paths = ["/menus/:day"] as const;

  static GET = { path: z.object({ day: z.int() }), 200: text(), 404: z.object({ why: z.string() }) };
  override GET(_call: Call<typeof Menu, "GET">): Answer<typeof Menu, "GET"> {
    return "";
  }

  static PUT = { 204: "Stored", 404: z.object({ why: z.string() }) };
  override PUT(_call: Call<typeof Menu, "PUT">): undefined {
    return undefined;
  }
}

class Place extends Resource {
  paths = ["/places", "/places/:id"] as const;

  static POST = { at: ["/places"] as const, 204: "Stored" };
  override POST(): undefined {
    return undefined;
  }

  static DELETE = { at: ["/places/:id"], 204: "Gone" };
  override DELETE(): undefined {
    return undefined;
  }
}

class Unknown extends Resource {
  paths = ["/unknown"];

  static GET = { 204: "Nothing" };
  override GET(): void {}
}

class Native extends native.Resource {
  paths = ["/native"] as const;

  override GET(): Response {
    return new Response();
  }
}

const group = ResourceGroup.builder().resources(Order, [Native]).prefix("/:tenant", "/v1").build();
const app = Application.builder().resources(Book, [Contents, Patches, Typed], Menu).resources(group, Unknown).build();
declare const api: ApiOf<typeof app>;

describe("ApiOf", () => {
  it("C11.2 has the patterns and the declared methods of the application, and no others", () => {
    expectTypeOf<keyof typeof api>().toEqualTypeOf<
      | "/books"
      | "/books/:isbn"
      | "/books/:isbn/:page?"
      | "/contents"
      | "/patches"
      | "/menus/:day"
      | "/typed"
      | "/:tenant/orders/:day"
      | "/v1/orders/:day"
      | "/:tenant/native"
      | "/v1/native"
    >();
    expectTypeOf<keyof (typeof api)["/books"]>().toEqualTypeOf<"GET" | "PUT">();
    expectTypeOf<keyof (typeof api)["/v1/native"]>().toEqualTypeOf<never>();
    // @ts-expect-error -- no resource has this pattern
    void api["/book"];
    // @ts-expect-error -- no operation is declared for it
    void api["/books"].DELETE;
    // @ts-expect-error -- groups have prefixes
    void api["/orders/:day"];
  });

  it("C11.2 has a method at the paths that its operation names, as far as the compiler knows them", () => {
    const placed = Application.builder()
      .resources(Place, ResourceGroup.builder().resources(Place).prefix("/v1").build())
      .build();
    const places = client<typeof placed>("");
    expectTypeOf(places["/places"].POST).toBeFunction();
    expectTypeOf(places["/v1/places"].POST).toBeFunction();
    expectTypeOf(places["/places/:id"].POST).toEqualTypeOf<"This method is at /places">();
    expectTypeOf(places["/v1/places/:id"].POST).toEqualTypeOf<"This method is at /v1/places">();
    // @ts-expect-error -- it is a text that says where the method is
    void places["/places/:id"].POST({ path: { id: "1" } });
    // Without `as const` a path is any text.
    expectTypeOf(places["/places"].DELETE).toBeFunction();
    expectTypeOf(places["/v1/places/:id"].DELETE).toBeFunction();
  });

  it("C11.6 is what it was made of already", () => {
    const made: typeof api = client<typeof app>("");
    const again: typeof api = client<typeof api>("");
    const other: ApiOf<ApiOf<typeof app>> = made;
    void [again, other];
    // @ts-expect-error -- another application
    const wrong: typeof api = client<Application<typeof Order>>("");
    void wrong;
  });

  it("C11.4 asks for the parts of a request that are needed, and takes the others", () => {
    const query = { limit: 5 };
    void api["/books"].GET({ query });
    void api["/books"].GET({
      query: { limit: 5, tag: ["a"] },
      headers: { "x-lang": "en", "x-other": 7 },
      accept: "a/b",
    });
    void api["/books"].GET({
      query,
      cookies: { session: "x" },
      signal: new AbortController().signal,
      ifNoneMatch: '"1"',
    });
    void api["/books/:isbn"].GET({ path: { isbn: 7 }, query });
    void api["/books/:isbn/:page?"].GET({ path: { isbn: "7" }, query });
    void api["/books/:isbn/:page?"].GET({ path: { isbn: "7", page: 1 }, query });
    // @ts-expect-error -- the query is required
    void api["/books"].GET();
    // @ts-expect-error -- a member of the query is required
    void api["/books"].GET({ query: {} });
    // @ts-expect-error -- no member of the query
    void api["/books"].GET({ query: { limit: 5, offset: 1 } });
    // @ts-expect-error -- not a number
    void api["/books"].GET({ query: { limit: "5" } });
    // @ts-expect-error -- the path is required
    void api["/books/:isbn"].GET({ query });
    // @ts-expect-error -- no param of this pattern
    void api["/books/:isbn"].GET({ path: { isbn: "7", page: 1 }, query });
    // @ts-expect-error -- may be absent
    void api["/books/:isbn"].GET({ path: { isbn: undefined as string | undefined }, query });
    // @ts-expect-error -- the schema has no such day
    void api["/v1/orders/:day"].GET({ path: { day: "wed" } });
    // @ts-expect-error -- not a value of a field
    void api["/books"].GET({ query, headers: { "x-lang": {} } });
  });

  it("C11.2 asks for the params of the pattern that the schema of the path does not have", () => {
    class Page extends Resource {
      paths = ["/books/:isbn/:page?"] as const;

      static GET = { path: z.object({ isbn: z.string() }), 200: text() };
      override GET(): string {
        return "";
      }

      static PUT = { path: z.object({ isbn: z.string(), page: z.enum(["1", "2"]).optional() }), 204: "Stored" };
      override PUT(): undefined {
        return undefined;
      }

      static DELETE = { path: z.record(z.string(), z.string()), 204: "Gone" };
      override DELETE(): undefined {
        return undefined;
      }
    }
    class Image extends Resource {
      paths = ["/images/(.+)"] as const;

      static GET = { path: z.object({ 0: z.string() }), 200: bytes() };
      override GET(): Blob {
        return new Blob();
      }
    }
    class Any extends Resource {
      paths = ["/:page?"] as const;

      static GET = { path: z.object({ page: z.enum(["1", "2"]).optional() }), 200: text() };
      override GET(): string {
        return "";
      }
    }
    const any = Application.builder().resources(Any).build();
    const tenants = Application.builder()
      .resources(ResourceGroup.builder().resources(Page, Image).prefix("/:tenant").build())
      .build();
    const pages = client<typeof tenants>("")["/:tenant/books/:isbn/:page?"];
    void api["/:tenant/orders/:day"].GET({ path: { tenant: "x", day: "mon" } });
    void pages.GET({ path: { tenant: 7, isbn: "1" } });
    void pages.GET({ path: { tenant: "x", isbn: "1", page: 2 } });
    void pages.PUT({ path: { tenant: "x", isbn: "1", page: "2" } });
    void pages.DELETE({ path: { tenant: "x", isbn: "1" } });
    void client<typeof any>("")["/:page?"].GET();
    void client<typeof any>("")["/:page?"].GET({ path: undefined });
    void client<typeof tenants>("")["/:tenant/images/(.+)"].GET({ path: { tenant: "x", 0: "a.jpg" } });
    // @ts-expect-error -- the prefix has a param
    void api["/:tenant/orders/:day"].GET({ path: { day: "mon" } });
    // @ts-expect-error -- no param
    void api["/v1/orders/:day"].GET({ path: { tenant: "x", day: "mon" } });
    // @ts-expect-error -- a record has any names, and the pattern these
    void pages.DELETE({ path: { tenant: "x" } });
    // @ts-expect-error -- a record has any names, and the pattern these
    void pages.DELETE({});
    // @ts-expect-error -- the prefix has a param
    void pages.GET({ path: { isbn: "1" } });
    // @ts-expect-error -- not a text
    void pages.GET({ path: { tenant: true, isbn: "1" } });
    // @ts-expect-error -- the schema has this one
    void pages.PUT({ path: { tenant: "x", isbn: "1", page: 2 } });
    // @ts-expect-error -- no param
    void pages.GET({ path: { tenant: "x", isbn: "1", day: "mon" } });
  });

  it("requires the params that the pattern requires, whatever their schema would take", () => {
    class Shelf extends Resource {
      paths = ["/shelves/:id", "/shelves"] as const;
      static GET = { path: z.object({ id: z.string().default("1") }), 204: "None" };
      override GET(_call: Call<typeof Shelf, "GET">): undefined {
        return undefined;
      }
    }
    class Shop extends Resource {
      paths = ["/:town/:street/:page?"] as const;
      static GET = { path: z.object({ town: z.string(), street: z.string().default("Main") }), 204: "None" };
      override GET(_call: Call<typeof Shop, "GET">): undefined {
        return undefined;
      }
    }
    class Kiosk extends Resource {
      paths = ["/:town/:street/kiosk"] as const;
      static GET = { path: z.object({ town: z.string(), street: z.string().default("Main") }), 204: "None" };
      override GET(_call: Call<typeof Kiosk, "GET">): undefined {
        return undefined;
      }
    }
    const shops = Application.builder().resources(Shelf, Shop, Kiosk).build();
    const shelves = client<typeof shops>("");
    void shelves["/shelves/:id"].GET({ path: { id: "1" } });
    void shelves["/shelves"].GET();
    void shelves["/:town/:street/kiosk"].GET({ path: { town: "x", street: "y" } });
    // @ts-expect-error -- a path cannot be filled without it
    void shelves["/shelves/:id"].GET();
    // @ts-expect-error -- nor without one of two
    void shelves["/:town/:street/kiosk"].GET({ path: { town: "x" } });
    void shelves["/:town/:street/:page?"].GET({ path: { town: "x", street: "y", page: "1" } });
  });

  it("requires them below a prefix with params, too", () => {
    class Kiosk extends Resource {
      paths = ["/:town/:street/kiosk"] as const;
      static GET = {
        path: z.object({ town: z.string(), street: z.string().default("Main"), floor: z.string().optional() }),
        204: "None",
      };
      override GET(_call: Call<typeof Kiosk, "GET">): undefined {
        return undefined;
      }
    }
    const tenants = ResourceGroup.builder().resources(Kiosk).prefix("/:tenant").build();
    const shops = Application.builder().resources(tenants).build();
    const kiosk = client<typeof shops>("")["/:tenant/:town/:street/kiosk"];
    void kiosk.GET({ path: { tenant: "a", town: "x", street: "y" } });
    // @ts-expect-error -- the pattern cannot be filled without the street
    void kiosk.GET({ path: { tenant: "a", town: "x" } });
    // @ts-expect-error -- nor without the tenant
    void kiosk.GET({ path: { town: "x", street: "y" } });
  });

  it("C11.2 takes what the schema of the path takes, however the pattern spells its names", () => {
    class Shelf extends Resource {
      paths = ["/shelves/(.+)/:page?"] as const;

      static GET = { path: z.object({ 0: z.boolean(), page: z.boolean().optional() }), 204: "Found" };
      override GET(): undefined {
        return undefined;
      }

      static PUT = { path: z.looseObject({ 0: z.string() }), 204: "Stored" };
      override PUT(): undefined {
        return undefined;
      }
    }
    const shelved = Application.builder()
      .resources(ResourceGroup.builder().resources(Shelf).prefix("/:lang?", "/in/:tenant").build())
      .build();
    const shelves = client<typeof shelved>("");
    const some = shelves["/:lang?/shelves/(.+)/:page?"];
    const tenants = shelves["/in/:tenant/shelves/(.+)/:page?"];
    void some.GET({ path: { 0: true } });
    void some.GET({ path: { lang: "en", 0: true, page: false } });
    void tenants.GET({ path: { tenant: "x", 0: true, page: false } });
    void tenants.PUT({ path: { tenant: "x", 0: "a", more: true } });
    // @ts-expect-error -- the schema has a boolean
    void some.GET({ path: { 0: "a" } });
    // @ts-expect-error -- the schema has a boolean
    void tenants.GET({ path: { tenant: "x", 0: true, page: 1 } });
    // @ts-expect-error -- not a text
    void some.GET({ path: { lang: true, 0: true } });
    // @ts-expect-error -- the prefix has a param
    void tenants.GET({ path: { 0: true } });
    // @ts-expect-error -- a schema that takes any names has some, and the pattern all of these
    void tenants.PUT({ path: { 0: "a" } });
  });

  it("C11.2 takes the input of each of several schemas, and any of one that the compiler does not know", () => {
    const untyped = JSON.parse("{}") as ReturnType<typeof JSON.parse>;
    const wide = titled as StandardSchema<{ title: string }> | StandardSchema<{ title: string; pages: number }>;
    class Several extends Resource {
      paths = ["/several", "/several/:title"] as const;

      static GET = { path: wide, query: wide, 204: "Found", at: ["/several/:title"] as const };
      override GET(): undefined {
        return undefined;
      }

      static PUT = { content: wide, 204: "Stored", at: ["/several"] as const };
      override PUT(): undefined {
        return undefined;
      }

      static POST = { query: untyped, content: untyped, 204: "Stored", at: ["/several"] as const };
      override POST(): undefined {
        return undefined;
      }
    }
    const declared = Application.builder().resources(Several).build();
    const several = client<typeof declared>("");
    const one = { title: "Emma" };
    const other = { title: "Emma", pages: 5 };
    void several["/several/:title"].GET({ path: one, query: one });
    void several["/several/:title"].GET({ path: { title: "Emma", pages: 5 }, query: { title: "Emma", pages: 5 } });
    void several["/several"].PUT({ content: { title: "Emma", pages: 5 } });
    void several["/several"].POST({ query: other, content: other });
    // @ts-expect-error -- neither schema has it
    void several["/several/:title"].GET({ path: one, query: { title: "Emma", by: "Austen" } });
    // @ts-expect-error -- content is required
    void several["/several"].PUT();
    expectTypeOf(several["/several"].GET).toEqualTypeOf<"This method is at /several/:title">();
  });

  it("C11.2 has data of queries that are never undefined", () => {
    const query = { limit: 5 };
    const { queryFn } = queryOptions(api["/books"].GET, { query });
    expectTypeOf(queryFn).returns.resolves.toEqualTypeOf<{ title: string; at: string }>();
    expectTypeOf(
      queryOptions(api["/books"].PUT, { content: { title: "" } }).queryFn,
    ).returns.resolves.toEqualTypeOf<null>();
    expectTypeOf(queryOptions(api["/contents"].QUERY).queryFn).returns.resolves.toEqualTypeOf<string>();
  });

  it("C11.2 takes content as it is declared", () => {
    void api["/books"].PUT({ content: { title: "Kindred" } });
    void api["/contents"].POST({ type: "application/json", content: 5 });
    void api["/contents"].POST({ type: "text/csv", content: "a,b" });
    void api["/contents"].PUT({ type: "text/plain", content: "text" });
    void api["/contents"].PATCH({ content: new Blob() });
    void api["/contents"].PATCH({ type: "image/png", content: new Uint8Array() });
    void api["/contents"].QUERY();
    void api["/contents"].QUERY({ content: "a" });
    // @ts-expect-error -- content is required
    void api["/books"].PUT();
    // @ts-expect-error -- not as the schema has it
    void api["/books"].PUT({ content: { title: 5 } });
    // JSON does not have to be named, also where it is one of several.
    void api["/contents"].POST({ content: 5 });
    void api["/contents"].POST({ content: 5, type: undefined });
    // @ts-expect-error -- without a type it is JSON
    void api["/contents"].POST({ content: "a,b" });
    void api["/patches"].PATCH({ content: { title: "Emma" } });
    void api["/patches"].PATCH({ type: "application/merge-patch+json", content: { title: "Emma" } });
    // @ts-expect-error -- the client would send application/json
    void api["/patches"].PUT({ content: { title: "Emma" } });
    // @ts-expect-error -- the client would send JSON
    void api["/patches"].POST({ content: { title: "Emma" } });
    // @ts-expect-error -- content of the other type
    void api["/contents"].POST({ type: "text/csv", content: 5 });
    // @ts-expect-error -- not declared
    void api["/contents"].POST({ type: "text/html", content: "a" });
    // @ts-expect-error -- a string may be JSON
    void api["/contents"].PUT({ content: "text" });
  });

  it("C11.2 fulfills with a union by status and ok", async () => {
    const result = await api["/books"].GET({ query: { limit: 5 } });
    if (result.status === 200) {
      expectTypeOf(result.content).toEqualTypeOf<{ title: string; at: string }>();
      expectTypeOf(result.ok).toEqualTypeOf<true>();
    } else if (result.status === 404) expectTypeOf(result.content).toEqualTypeOf<Problem>();
    else if (result.status === 503) expectTypeOf(result.content.seconds).toEqualTypeOf<number>();
    else expectTypeOf(result).toEqualTypeOf<Refused>();
    if (result.ok) expectTypeOf(result.content.at).toEqualTypeOf<string>();
    expectTypeOf(result.orThrow()).toEqualTypeOf<{ title: string; at: string }>();
    expectTypeOf(result.headers).toEqualTypeOf<Headers>();
    // @ts-expect-error -- no such status is declared
    void (result.status === 201);
    // @ts-expect-error -- could be the title of problem details
    void result.content.title;
    // @ts-expect-error -- could be any member of problem details
    void result.content.at;
    switch (result.status) {
      case 200:
        expectTypeOf(result.content.title).toEqualTypeOf<string>();
        break;
      default:
        // @ts-expect-error -- of 503, which has no title
        void result.content.title;
    }
    if (result.status !== 503 && !result.ok) expectTypeOf(result.content.title).toEqualTypeOf<string | undefined>();
    // @ts-expect-error -- may be a problem
    void result.content.title;

    const stored = await api["/books"].PUT({ content: { title: "Kindred" } });
    if (stored.ok) expectTypeOf(stored.content).toEqualTypeOf<undefined>();
    else expectTypeOf(stored.content).toEqualTypeOf<Problem | UntypedProblem>();
  });

  it("C11.2 has raw content as its media type says, as far as the compiler knows it", async () => {
    const got = await api["/typed"].GET();
    expectTypeOf(got.orThrow()).toEqualTypeOf<Blob>();
    const posted = await api["/typed"].POST();
    if (posted.status === 200) expectTypeOf(posted.content).toEqualTypeOf<string>();
    if (posted.status === 201) expectTypeOf(posted.content).toEqualTypeOf<unknown>();
    if (posted.status === 202) expectTypeOf(posted.content).toEqualTypeOf<unknown>();
    const put = await api["/typed"].PUT();
    if (put.status === 200) expectTypeOf(put.content).toEqualTypeOf<unknown>();
    if (put.status === 201) expectTypeOf(put.content).toEqualTypeOf<Blob>();
    if (put.status === 202) expectTypeOf(put.content).toEqualTypeOf<string>();
    if (put.status === 203) expectTypeOf(put.content).toEqualTypeOf<string>();
    const patched = await api["/typed"].PATCH();
    if (patched.status === 200)
      expectTypeOf(patched.content).toEqualTypeOf<
        Blob | string | AsyncIterable<{ title: string }> | { title: string }
      >();
    if (patched.status === 201) expectTypeOf(patched.content).toEqualTypeOf<Blob>();
    if (patched.status === 202) expectTypeOf(patched.content).toEqualTypeOf<string>();
    if (patched.status === 203) expectTypeOf(patched.content).toEqualTypeOf<Blob>();
    if (patched.status === 206) expectTypeOf(patched.content).toEqualTypeOf<AsyncIterable<unknown>>();
    const deleted = await api["/typed"].DELETE();
    if (deleted.status === 200) expectTypeOf(deleted.content).toEqualTypeOf<string>();
    if (deleted.status === 201) expectTypeOf(deleted.content).toEqualTypeOf<Blob>();
    if (deleted.status === 202) expectTypeOf(deleted.content).toEqualTypeOf<Blob>();
  });

  it("C11.2 has problems beside the declared 404 of an operation whose path a schema takes", async () => {
    const ordered = await api["/v1/orders/:day"].GET({ path: { day: "mon" } });
    if (ordered.status === 404) expectTypeOf(ordered).toEqualTypeOf<Refused<Problem, 404>>();
    else if (!ordered.ok) expectTypeOf(ordered).toEqualTypeOf<Refused>();
    expectTypeOf(ordered.orThrow()).toEqualTypeOf<string>();
    const menu = await api["/menus/:day"].GET({ path: { day: 5 } });
    if (menu.status === 404) expectTypeOf(menu.content).toEqualTypeOf<{ why: string } | UntypedProblem>();
    // @ts-expect-error -- may be a problem
    if (menu.status === 404) menu.content.why satisfies string;
    if (menu.status === 404 && typeof menu.content.why === "string") menu.content.why satisfies string;
    // Without such a schema only the handler answers 404.
    const other = await api["/menus/:day"].PUT({ path: { day: 5 } });
    if (other.status === 404) expectTypeOf(other.content).toEqualTypeOf<{ why: string }>();
  });

  it("C11.2 has bytes, events and several types", async () => {
    const posted = await api["/contents"].POST({ type: "text/csv", content: "a" });
    expectTypeOf(posted.orThrow()).toEqualTypeOf<Blob>();
    const put = await api["/contents"].PUT({ type: "text/plain", content: "a" });
    expectTypeOf(put.orThrow()).toEqualTypeOf<AsyncIterable<{ at: string }>>();
    const patched = await api["/contents"].PATCH({ content: new Blob() });
    expectTypeOf(patched.orThrow()).toEqualTypeOf<string | { title: string; at: string }>();
    // What a call asks for does not narrow it: a server may ignore that. The value does.
    const { ok, content } = await api["/contents"].PATCH({ content: new Blob(), accept: "text/plain" });
    if (!ok) expectTypeOf(content).toEqualTypeOf<UntypedProblem>();
    else if (typeof content === "string") expectTypeOf(content).toEqualTypeOf<string>();
    else expectTypeOf(content).toEqualTypeOf<{ title: string; at: string }>();
  });
});

describe("problems()", () => {
  it("C11.2 is the content of errors that declare none, and of refusals", async () => {
    const failing = Application.builder()
      .resources(Order)
      .problems({
        schema: z.object({ error: z.string(), at: z.date() }),
        from: ({ title, detail = title }) => ({ error: detail, at: new Date() }),
      })
      .resources(Book)
      .trailingSlash("strict")
      .build();
    const books = client<typeof failing>("")["/books"];
    const result = await books.GET({ query: { limit: 5 } });
    if (result.status === 404) expectTypeOf(result.content).toEqualTypeOf<{ error: string; at: string }>();
    else if (result.status === 503) expectTypeOf(result.content).toEqualTypeOf<{ seconds: number }>();
    else if (!result.ok) expectTypeOf(result.content.error).toEqualTypeOf<string>();
    if (result.status === 401) expectTypeOf(result).toEqualTypeOf<Refused<{ error: string; at: string }>>();
    // @ts-expect-error -- no problem details
    if (result.status === 404) void result.content.detail;
    expectTypeOf(result.orThrow()).toEqualTypeOf<{ title: string; at: string }>();
    const stored = await books.PUT({ content: { title: "Emma" } });
    if (stored.ok) expectTypeOf(stored.content).toEqualTypeOf<undefined>();
    else expectTypeOf(stored.content).toEqualTypeOf<{ error: string; at: string }>();
  });

  it("C7.1 is made of problem details whose errors have places", () => {
    Application.builder().problems({
      schema: z.array(z.string()),
      from: ({ errors = [] }, _error, _input) => {
        expectTypeOf(errors).toEqualTypeOf<readonly ProblemError[]>();
        return errors.map(({ pointer }) => pointer);
      },
    });
    expectTypeOf<polyfill.ProblemDetails["errors"]>().toEqualTypeOf<readonly native.ProblemError[] | undefined>();
    expectTypeOf<native.HTTPError["errors"]>().toEqualTypeOf<readonly polyfill.ProblemError[] | undefined>();
  });

  it("C11.2 is what was set last", async () => {
    const failing = Application.builder()
      .resources(Order)
      .problems({ schema: z.object({ error: z.string() }), from: () => ({ error: "" }) })
      .problems({ schema: z.array(z.int()), from: ({ status }) => [status] })
      .build();
    const result = await client<typeof failing>("")["/orders/:day"].GET({ path: { day: "mon" } });
    if (!result.ok) expectTypeOf(result.content).toEqualTypeOf<number[]>();
  });

  it("C11.1 leaves applications and builders what fits where the type of any is written", () => {
    const set = Application.builder().problems({ schema: z.object({ title: z.int() }), from: () => ({ title: 1 }) });
    const builder: ApplicationBuilder = set;
    const narrow: ReturnType<typeof Application.builder> = set;
    const any: Application = set.resources(Book).build();
    void [builder, narrow, any];
    // @ts-expect-error -- not what the schema has
    set.problems({ schema: z.object({ error: z.string() }), from: () => ({ error: 5 }) });
  });
});

describe("applications", () => {
  it("C11.1 are types of their own, and fit where the type of any is written", () => {
    const any: Application = app;
    const builder: ApplicationBuilder = Application.builder().resources(Book);
    const narrow: ReturnType<typeof Application.builder> = Application.builder().resources(Book);
    const groupOfAny: ResourceGroup = group;
    void native.Application.builder().resources(native.ResourceGroup.builder().resources(Native).build());
    void polyfill.Application.builder().resources(polyfill.ResourceGroup.builder().build());
    void [any, builder, narrow, groupOfAny];
    // @ts-expect-error -- members of no application
    client<typeof any>("")["/books"]?.GET();
  });
});
