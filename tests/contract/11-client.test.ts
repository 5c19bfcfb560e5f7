import { client, ResponseError, type ApiOf, type Fetch, clientEvents } from "fingerpost/client";
import * as native from "fingerpost/modules/http.native.js";
import {
  Application,
  bytes,
  events,
  HTTPError,
  jsonSchema,
  Middleware,
  reply,
  Resource,
  ResourceGroup,
  Status,
  text,
  written,
  type Answer,
  type Call,
} from "fingerpost";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { echo, itMakesRoundTrips, rounds, roundTripsBy, type Listening } from "../support/round-trips.ts";

const book = z.object({ title: z.string(), year: z.int() });

class Book extends Resource {
  paths = ["/books/:isbn"] as const;

  static GET = { query: z.object({ lang: z.string().optional() }), 200: book, 404: "No book has this ISBN" };
  override GET({ path, query }: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
    if (path.isbn === "none") return reply(404);
    return { title: `${path.isbn} in ${query.lang ?? "any"}`, year: 1979 };
  }

  static PUT = { content: book, 204: "Stored", 409: book };
  override PUT({ content }: Call<typeof Book, "PUT">): Answer<typeof Book, "PUT"> {
    return content.year === 0 ? reply(409, content) : reply(204);
  }

  static HEAD = { 204: "It is there" };
  override HEAD(): undefined {
    return undefined;
  }
}

const app = Application.builder().resources(Book).build();
const api = client<typeof app>("http://localhost", { fetch: app.fetch });

/** Sends nothing, and keeps what would be sent. */
function recorded(answer: () => Response = () => new Response(null, { status: 204 })): {
  sent: Request[];
  fetch: Fetch;
} {
  const sent: Request[] = [];
  return { sent, fetch: async (request) => (sent.push(request), answer()) };
}

const answering = (response: () => Response): ApiOf<typeof app> =>
  client<typeof app>("http://localhost", { fetch: async () => response() });
const isbn = { path: { isbn: "1" } };

async function rejection(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.unreachable("It fulfilled"),
    (error: unknown) => error as Error,
  );
}

const ownServer = ownServerOf(globalThis as Runtimes);

describe("client()", () => {
  it("C11.1 calls an application by its patterns and methods", async () => {
    const result = await api["/books/:isbn"].GET({ path: { isbn: "7" }, query: { lang: "en" } });
    if (result.status !== 200) return expect.unreachable("It is not found");
    expect(result).toMatchObject({ status: 200, ok: true, content: { title: "7 in en", year: 1979 } });
    expect(result.headers.get("content-type")).toBe("application/json");
    expect(result.response).toBeInstanceOf(Response);
  });

  it("C11.2 fulfills with declared statuses and with what is refused, and throws on demand", async () => {
    const missing = await api["/books/:isbn"].GET({ path: { isbn: "none" } });
    expect(missing).toMatchObject({ status: 404, ok: false, content: { detail: "No book has this ISBN" } });
    const taken = await api["/books/:isbn"].PUT({ ...isbn, content: { title: "Emma", year: 0 } });
    expect(taken).toMatchObject({ status: 409, ok: false, content: { title: "Emma", year: 0 } });
    const refused = await api["/books/:isbn"].PUT({ ...isbn, content: { title: "Emma", year: 0.5 } });
    expect(refused).toMatchObject({
      status: 422,
      ok: false,
      content: { errors: [{ in: "content", pointer: "#/year" }] },
    });
    const found = await api["/books/:isbn"].GET(isbn);
    expect(found.orThrow()).toEqual({ title: "1 in any", year: 1979 });
    expect(() => missing.orThrow()).toThrow("GET /books/:isbn was answered by 404: No book has this ISBN");
    // Other content has its own members.
    expect(() => taken.orThrow()).toThrow(/^PUT \/books\/:isbn was answered by 409: application\/json$/);
    try {
      missing.orThrow();
    } catch (error) {
      expect(error).toBeInstanceOf(ResponseError);
      expect(error).toMatchObject({ name: "ResponseError", content: { status: 404 }, response: missing.response });
    }
  });

  it("C11.2 throws for 5xx, and not for those that the caller knows as declared", async () => {
    class Busy extends Resource {
      paths = ["/busy", "/broken"] as const;

      static GET = { 200: text(), 503: z.object({ seconds: z.int() }) };
      override GET({ request }: Call<typeof Busy, "GET">): Answer<typeof Busy, "GET"> {
        if (request.url.endsWith("/broken")) throw new Error("Broken");
        return reply(503, { seconds: 5 });
      }
    }
    const busy = Application.builder()
      .resources(Busy)
      .onError(() => {})
      .build();
    const knowing = client<typeof busy>("http://h", { fetch: busy.fetch, serverErrors: [503] });
    const result = await knowing["/busy"].GET();
    if (result.status !== 503) return expect.unreachable("It is busy");
    expect(result.content.seconds).toBe(5);
    expect(() => result.orThrow()).toThrow(/^GET \/busy was answered by 503: application\/json$/);
    const error = await rejection(knowing["/broken"].GET());
    expect(error).toBeInstanceOf(ResponseError);
    expect(error.message).toBe("Cannot use the answer to GET /broken: 500 application/problem+json");
    const unread = (await rejection(
      client<typeof busy>("http://h", { fetch: busy.fetch })["/busy"].GET(),
    )) as ResponseError;
    expect(await unread.response.json()).toEqual({ seconds: 5 });
    expect(unread.content).toBe(undefined);
  });

  it("C11.2 has the content of errors that problems() sets", async () => {
    class Note extends Resource {
      paths = ["/notes/:id"] as const;

      static GET = { query: z.object({ limit: z.int().optional() }), 204: "There", 404: "No note has this id" };
      override GET(): Answer<typeof Note, "GET"> {
        return reply(404);
      }
    }
    const failing = Application.builder()
      .resources(Note)
      .problems({
        schema: z.object({ error: z.string() }),
        type: "application/json",
        from: ({ title, detail = title }) => ({ error: detail }),
      })
      .build();
    const { GET } = client<typeof failing>("http://h", { fetch: failing.fetch })["/notes/:id"];
    const missing = await GET({ path: { id: "1" } });
    expect(missing.status === 404 && missing.content.error).toBe("No note has this id");
    const refused = await GET({ path: { id: "1" }, query: { limit: 0.5 } });
    expect(refused.status === 400 && refused.content.error).toBe("The request does not fit");
  });

  it("C11.2 rejects with what fetch throws", async () => {
    const fault = new TypeError("The network is down");
    const broken = client<typeof app>("http://h", { fetch: () => Promise.reject(fault) });
    expect(await rejection(broken["/books/:isbn"].GET(isbn))).toBe(fault);
  });

  it("C11.2 calls below prefixes of groups, nested ones too, as build() joins them", async () => {
    class Home extends Resource {
      paths = ["/", "/about"] as const;

      static GET = { 200: text() };
      override GET({ request }: Call<typeof Home, "GET">): string {
        return new URL(request.url).pathname;
      }
    }
    class Native extends native.Resource {
      paths = ["/native"] as const;
      override GET(): Response {
        return new Response("native");
      }
    }
    const inner = ResourceGroup.builder().resources(Home).prefix("/v1", "/v2/").build();
    const outer = ResourceGroup.builder().resources([inner], Native).prefix("/:tenant").build();
    const plain = ResourceGroup.builder().resources(Book).build();
    const grouped = Application.builder().resources(outer).resources(plain, [Home]).build();
    const calls = client<typeof grouped>("http://h", { fetch: grouped.fetch });
    const path = { tenant: "acme" };
    expect((await calls["/:tenant/v1"].GET({ path })).content).toBe("/acme/v1");
    expect((await calls["/:tenant/v1/about"].GET({ path })).content).toBe("/acme/v1/about");
    expect((await calls["/:tenant/v2/about"].GET({ path })).content).toBe("/acme/v2/about");
    expect((await calls["/"].GET()).content).toBe("/");
    expect((await calls["/books/:isbn"].GET(isbn)).status).toBe(200);
  });

  it("C11.4 fills params, encoded once, rests segment by segment", async () => {
    class Anything extends Resource {
      paths = [
        "/one/:id",
        "/optional/:a?/:b?",
        "/rest/:path+",
        "/some/:path*",
        "/unnamed/*",
        "/digits/:n([0-9]{1,3}(?:[)]|\\))?)?",
        "/files/:name.:ext",
        "/image/(.+\\.jpg)",
        "/caf\u00e9/\\:x\\?/[:id(\\d+)]",
        "/:constructor/own",
      ] as const;

      static GET = { 200: z.unknown() };
      override GET({ path }: Call<typeof Anything, "GET">): unknown {
        return path;
      }
    }
    const any = Application.builder().resources(Anything).build();
    const calls = client<typeof any>("http://h", { fetch: any.fetch });
    for (const id of ["a/b", "%2F", "%", "?#&", "\u00e9\u{1f600}", "a b", ":id", "...", "\\", "a;b=c", "__proto__"]) {
      expect((await calls["/one/:id"].GET({ path: { id } })).content, id).toEqual({ id });
    }
    expect((await calls["/one/:id"].GET({ path: { id: 7 } })).content).toEqual({ id: "7" });
    expect((await calls["/optional/:a?/:b?"].GET()).content).toEqual({});
    expect((await calls["/optional/:a?/:b?"].GET({ path: { a: "x" } })).content).toEqual({ a: "x" });
    expect((await calls["/optional/:a?/:b?"].GET({ path: { a: "x", b: "y" } })).content).toEqual({ a: "x", b: "y" });
    expect((await calls["/rest/:path+"].GET({ path: { path: "a/b c/d" } })).content).toEqual({ path: "a/b c/d" });
    expect((await calls["/some/:path*"].GET({ path: {} })).content).toEqual({});
    expect((await calls["/unnamed/*"].GET({ path: { 0: "a/b" } })).content).toEqual({ 0: "a/b" });
    expect((await calls["/digits/:n([0-9]{1,3}(?:[)]|\\))?)?"].GET({ path: { n: "12)" } })).content).toEqual({
      n: "12)",
    });
    expect((await calls["/digits/:n([0-9]{1,3}(?:[)]|\\))?)?"].GET()).content).toEqual({});
    expect((await calls["/files/:name.:ext"].GET({ path: { name: "a b", ext: "tar.gz" } })).content).toEqual({
      name: "a b",
      ext: "tar.gz",
    });
    expect((await calls["/image/(.+\\.jpg)"].GET({ path: { 0: "a/b.jpg" } })).content).toEqual({ 0: "a/b.jpg" });
    expect((await calls["/caf\u00e9/\\:x\\?/[:id(\\d+)]"].GET({ path: { id: 5 } })).content).toEqual({ id: "5" });
    expect((await calls["/:constructor/own"].GET({ path: { constructor: "c" } })).content).toEqual({
      constructor: "c",
    });
  });

  it("C11.4 gives the segments of a rest as a list, where they hold slashes", async () => {
    class Rest extends Resource {
      paths = ["/rest/:path+"] as const;

      static GET = { 200: z.array(z.string()) };
      override GET(call: Call<typeof Rest, "GET">): string[] {
        return call.segments("path", "any");
      }
    }
    const rest = Application.builder().resources(Rest).build();
    const calls = client<typeof rest>("http://h", { fetch: rest.fetch });
    const result = await calls["/rest/:path+"].GET({ path: { path: ["a/b", "c d", "%2F"] } });
    expect(result.content).toEqual(["a/b", "c d", "%2F"]);
  });

  it("C11.4 throws before anything is sent, where a param cannot be told", async () => {
    const { sent, fetch } = recorded();
    const calls = client("http://h", { fetch }) as Record<string, { GET(input?: object): Promise<unknown> }>;
    const message = (pattern: string, name: string): string =>
      `Cannot fill ${pattern}: the path param "${name}" is absent, empty or a dot segment`;
    for (const path of [undefined, {}, { id: undefined }, { id: null }, { id: "" }, { id: "." }, { id: ".." }]) {
      const error = await rejection(calls["/a/:id"]!.GET({ path }));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(message("/a/:id", "id"));
    }
    for (const path of ["", "a/../b", ".", [], ["a", ".."]]) {
      expect((await rejection(calls["/a/:rest+"]!.GET({ path: { rest: path } }))).message).toBe(
        message("/a/:rest+", "rest"),
      );
    }
    expect((await rejection(calls["/:a?/:b?"]!.GET({ path: { b: "x" } }))).message).toBe(message("/:a?/:b?", "a"));
    expect((await rejection(calls["/:a?"]!.GET({ path: { a: ".." } }))).message).toBe(message("/:a?", "a"));
    expect((await rejection(calls["/:toString"]!.GET({ path: {} }))).message).toBe(message("/:toString", "toString"));
    expect((await rejection(calls["/:a"]!.GET({ path: { a: "\ud800" } }))).message).toBe(
      'Cannot fill /:a: the path param "a" has half of a surrogate pair',
    );
    expect(sent).toEqual([]);
  });

  it("C11.4 writes the query as the server reads it", async () => {
    const { sent, fetch } = recorded();
    const calls = client("http://h/api/", { fetch }) as Record<string, { GET(input?: object): Promise<unknown> }>;
    const at = new Date(0);
    await calls["/a"]!.GET({
      query: { q: undefined, n: 5, yes: true, tag: ["x", "y&z", undefined], none: [], at, o: "null" },
    });
    await calls["/a"]!.GET({ query: { q: undefined } });
    await calls["/:optional?"]!.GET();
    await calls["/"]!.GET();
    expect(sent.map(({ url }) => url)).toEqual([
      "http://h/api/a?n=5&yes=true&tag=x&tag=y%26z&at=1970-01-01T00%3A00%3A00.000Z&o=null",
      "http://h/api/a",
      "http://h/api/",
      "http://h/api/",
    ]);
  });

  it("C11.4 refuses a base that would make the path part of a query, fragment or host, or is not of HTTP", () => {
    const message =
      "Cannot make a client: its base must be an http or https URL, or a path, without a query or fragment, such as " +
      '"https://api.example/v1"';
    const unfit = [
      "https://h/v1?x=1",
      "https://h#",
      "/a?",
      "//",
      "///",
      "https:",
      "https://",
      "/\t",
      "\\",
      " /",
      "/\n",
      "javascript:alert(1)",
      "JavaScript://h/%0aalert(1)",
      "data:,x",
      "file:///etc",
      "blob:https://h/1",
      "ws://h",
      "wss://h/v1",
      "https:h",
      "https:/h",
      "https:///h",
      "localhost:8080",
    ];
    for (const base of unfit) expect(() => client(base), base).toThrow(new TypeError(message));
    for (const base of ["https://h/v1", "HTTP://h:1/", "/", "", "/api/", "//h", "api", "/a:b", "http://[::1]:8080"])
      client(base);
  });

  it("C11.4 keeps origin and base path, whatever the values", async () => {
    const { sent, fetch } = recorded();
    class Rest extends Resource {
      paths = ["/:path+"] as const;

      static GET = { 200: z.unknown() };
      override GET({ path }: Call<typeof Rest, "GET">): unknown {
        return path;
      }
    }
    const rest = Application.builder().resources(Rest).build();
    const calls = client<typeof rest>("http://h/", {
      fetch: async (request) => (sent.push(request), rest.fetch(request)),
    });
    const result = await calls["/:path+"].GET({ path: { path: "/evil.example" } });
    expect(result.content).toEqual({ path: "/evil.example" });
    expect(sent[0]!.url).toBe("http://h//evil.example");
    // As in a browser, where a path is resolved by the URL of the page.
    const known = globalThis.Request;
    globalThis.Request = class extends known {
      constructor(url: string, init: RequestInit) {
        super(new URL(url, "https://page.example/books/"), init);
      }
    } as typeof Request;
    try {
      for (const base of ["/", ""]) {
        await client<typeof rest>(base, { fetch })["/:path+"].GET({ path: { path: "/evil.example" } });
        expect(sent.pop()!.url).toBe("https://page.example//evil.example");
      }
    } finally {
      globalThis.Request = known;
    }
  });

  it("C11.1 leaves out fields of the client that are undefined", async () => {
    const { sent, fetch } = recorded();
    const isKnown = (): boolean => sent.length === 0;
    const authorization: string | undefined = undefined;
    await client<typeof app>("http://h", { fetch, headers: { authorization, "x-a": "a" } })["/books/:isbn"].GET(isbn);
    const headers = () => (isKnown() ? { authorization: "Bearer 1" } : {});
    await client<typeof app>("http://h", { fetch, headers })["/books/:isbn"].GET(isbn);
    const list: [string, string][] = [["x-a", "a"]];
    await client<typeof app>("http://h", { fetch, headers: list })["/books/:isbn"].GET(isbn);
    await client<typeof app>("http://h", { fetch, headers: async () => new Headers(list) })["/books/:isbn"].GET(isbn);
    expect(sent.map((request) => [...request.headers])).toEqual([list, [], list, list]);
  });

  it("C11.1 sends nothing by a signal that is aborted, whatever sends", async () => {
    const { sent, fetch } = recorded();
    const reason = new Error("No more");
    const headers = (): HeadersInit => ({ authorization: "Bearer 1" });
    const calls = client<typeof app>("http://h", { fetch, headers });
    const signal = AbortSignal.abort(reason);
    await expect(calls["/books/:isbn"].GET({ ...isbn, signal })).rejects.toBe(reason);
    const controller = new AbortController();
    const late = calls["/books/:isbn"].GET({ ...isbn, signal: controller.signal });
    controller.abort(reason);
    await expect(late).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  it("C11.4 sends no null that the server would read as text", async () => {
    const nullable = z.object({ n: z.string().nullable() });
    class Nulls extends Resource {
      paths = ["/:rest+"] as const;

      static POST = {
        query: nullable.partial(),
        headers: nullable.partial(),
        cookies: nullable.partial(),
        content: { "application/x-www-form-urlencoded": nullable, "application/json": nullable },
        200: z.unknown(),
      };
      override POST({ content }: Call<typeof Nulls, "POST">): unknown {
        return content;
      }
    }
    const built = Application.builder().resources(Nulls).build();
    const sent: Request[] = [];
    const fetch: Fetch = async (request) => (sent.push(request), built.fetch(request));
    const { POST } = client<typeof built>("http://h", { fetch })["/:rest+"];
    const path = { rest: "a" };
    const content = { n: "null" };
    const refused = new TypeError('Cannot send "n": null has no text; leave it out, or write ""');
    await expect(POST({ path, content, query: { n: null } })).rejects.toThrow(refused);
    await expect(POST({ path, content, headers: { n: null as never } })).rejects.toThrow(refused);
    await expect(POST({ path, content, cookies: { n: null } })).rejects.toThrow(refused);
    await expect(POST({ path, content: { n: null }, type: "application/x-www-form-urlencoded" })).rejects.toThrow(
      refused,
    );
    await expect(POST({ path, content, headers: { "x-at": new Date(Number.NaN) } })).rejects.toThrow(
      new TypeError('Cannot send "x-at": null has no text; leave it out, or write ""'),
    );
    await expect(POST({ path: { rest: ["a", null as never] }, content })).rejects.toThrow(
      new TypeError('Cannot send "rest": null has no text; leave it out, or write ""'),
    );
    expect(sent).toEqual([]);
    expect((await POST({ path, content: { n: null } })).content).toEqual({ n: null });
    expect((await POST({ path, content, query: content, type: "application/x-www-form-urlencoded" })).content).toEqual(
      content,
    );
  });

  it("C11.1 sends header fields of the client and of the call, cookies and preconditions", async () => {
    const { sent, fetch } = recorded();
    let token = 0;
    const headers = async (): Promise<HeadersInit> => ({ authorization: `Bearer ${++token}`, "x-app": "a" });
    const calls = client<typeof app>("http://h", { fetch, headers });
    await calls["/books/:isbn"].GET({ ...isbn, headers: { "X-App": 7, "x-none": undefined, "x-at": new Date(0) } });
    await calls["/books/:isbn"].GET({ ...isbn, accept: "application/json", ifNoneMatch: '"1"' });
    await calls["/books/:isbn"].PUT({ ...isbn, content: { title: "Emma", year: 1815 }, ifMatch: '"1"' });
    await calls["/books/:isbn"].GET({ ...isbn, headers: { "X-App": ["b", "c"] } });
    expect(sent.map((request) => Object.fromEntries(request.headers))).toMatchObject([
      { authorization: "Bearer 1", "x-app": "7", "x-at": "1970-01-01T00:00:00.000Z" },
      { authorization: "Bearer 2", accept: "application/json", "if-none-match": '"1"' },
      { authorization: "Bearer 3", "content-type": "application/json", "if-match": '"1"' },
      { authorization: "Bearer 4", "x-app": "b, c" },
    ]);
    expect(sent[0]!.headers.has("x-none")).toBe(false);
    expect(await sent[2]!.json()).toEqual({ title: "Emma", year: 1815 });
  });

  it("C11.4 cancels a call by its signal", async () => {
    const { sent, fetch } = recorded();
    const controller = new AbortController();
    await client<typeof app>("http://h", { fetch })["/books/:isbn"].GET({ ...isbn, signal: controller.signal });
    expect(sent[0]!.signal.aborted).toBe(false);
    controller.abort();
    expect(sent[0]!.signal.aborted).toBe(true);
  });

  it("C11.5 has undefined for 204, 205, 304, HEAD and zero bytes", async () => {
    for (const status of [204, 205, 304]) {
      expect((await answering(() => new Response(null, { status }))["/books/:isbn"].GET(isbn)).content).toBe(undefined);
    }
    expect((await api["/books/:isbn"].HEAD(isbn)).content).toBe(undefined);
    const type = { headers: { "content-type": "application/json" } };
    expect((await answering(() => new Response("", type))["/books/:isbn"].GET(isbn)).content).toBe(undefined);
    expect((await answering(() => new Response(""))["/books/:isbn"].GET(isbn)).content).toBe(undefined);
  });

  it("C11.5 does not revive content", async () => {
    const response = (): Response => Response.json({ title: "1970-01-01T00:00:00.000Z", year: 1 });
    expect((await answering(response)["/books/:isbn"].GET(isbn)).content).toEqual({
      title: "1970-01-01T00:00:00.000Z",
      year: 1,
    });
  });

  it("C11.5 reads content up to maxBytes, and cancels the rest", async () => {
    for (const type of ["application/json", "application/problem+json", "text/plain", "application/pdf", ""]) {
      let [given, isCanceled] = [0, false];
      const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: (controller) => controller.enqueue(new Uint8Array(1_024).fill(49, 0, (given += 1_024))),
        cancel() {
          isCanceled = true;
          throw new Error("that nobody hears");
        },
      });
      const fetch = async (): Promise<Response> =>
        new Response(endless, { headers: type ? { "content-type": type } : {} });
      const calls = client<typeof app>("http://localhost", { fetch, maxBytes: 10_000 });
      const error = await rejection(calls["/books/:isbn"].GET(isbn));
      const told = "Cannot read the answer: it has more than 10000 bytes, the maxBytes of client()";
      expect(error.cause).toEqual(new RangeError(told));
      expect(error.message).toBe(`Cannot use the answer to GET /books/:isbn: 200 ${type || null}. ${told}`);
      expect([given < 20_000, isCanceled]).toEqual([true, true]);
    }
    const fetch = async (): Promise<Response> => Response.json("x".repeat(9_998));
    const broken = new Response(
      new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) }),
      { headers: { "content-type": "application/json" } },
    );
    const gone = client<typeof app>("http://localhost", { fetch: async () => broken });
    expect(await rejection(gone["/books/:isbn"].GET(isbn))).toEqual(new TypeError("terminated"));
    const whole = await client<typeof app>("http://localhost", { fetch, maxBytes: 10_000 })["/books/:isbn"].GET(isbn);
    expect(whole.content).toHaveLength(9_998);
  });

  it("C11.5 throws for a type that is not expected, and for JSON that is none", async () => {
    const of = (body: BodyInit, type: string, status = 200): Promise<unknown> =>
      answering(() => new Response(body, { status, headers: type === "" ? {} : { "content-type": type } }))[
        "/books/:isbn"
      ].GET(isbn);
    const page = (await rejection(of("<p>", "Text/HTML; charset=utf-8"))) as ResponseError;
    expect(page).toBeInstanceOf(ResponseError);
    expect(page.message).toBe("Cannot use the answer to GET /books/:isbn: 200 Text/HTML; charset=utf-8");
    expect(page.response.status).toBe(200);
    expect(await (page.content as Blob).text()).toBe("<p>");
    expect(await rejection(of("Not here", "text/plain", 404))).toBeInstanceOf(ResponseError);
    expect(await rejection(of("<p>", "text/html", 404))).toBeInstanceOf(ResponseError);
    expect(await rejection(of(new Uint8Array([1]), ""))).toBeInstanceOf(ResponseError);
    const broken = await rejection(of("{", "application/json"));
    expect(broken).toBeInstanceOf(ResponseError);
    expect(broken.cause).toBeInstanceOf(SyntaxError);
    expect(await rejection(of("data: 1\n\n", "text/event-stream"))).toBeInstanceOf(ResponseError);
  });

  it("C11.5 fulfills for what only a declaration would exclude", async () => {
    const of = async (status: number, type: string): Promise<unknown> => {
      const answer = new Response("1", { status, headers: { "content-type": type } });
      const result = (await answering(() => answer)["/books/:isbn"].GET(isbn)) as { status: number; content: unknown };
      return [result.status, result.content];
    };
    expect(await of(418, "application/json")).toEqual([418, 1]);
    expect(await of(302, "application/json")).toEqual([302, 1]);
    expect(await of(200, "text/plain")).toEqual([200, "1"]);
    for (const type of ["image/png", "application/xml"]) expect(await of(200, type)).toEqual([200, expect.any(Blob)]);
  });

  it("C11.5 reads the types that a call accepts", async () => {
    const html = answering(() => new Response("<p>", { headers: { "content-type": "text/html" } }));
    expect((await html["/books/:isbn"].GET({ ...isbn, accept: "text/html" })).content).toBe("<p>");
  });

  it("C11.5 hands events to what reads them", async () => {
    class Ticks extends Resource {
      paths = ["/ticks"] as const;

      static GET = { 200: events(z.object({ n: z.int() })) };
      override async *GET(): AsyncGenerator<{ n: number }> {
        yield { n: 1 };
      }
    }
    const ticks = Application.builder().resources(Ticks).build();
    const seen: unknown[] = [];
    const reading = async function* (response: Response): AsyncGenerator<unknown> {
      yield await response.text();
    };
    const calls = client<typeof ticks>("http://h", { fetch: ticks.fetch, events: reading });
    const result = await calls["/ticks"].GET();
    if (result.status !== 200) return expect.unreachable("It is not there");
    for await (const event of result.content) seen.push(event);
    expect(seen.join("")).toMatch(/^retry: \d+\n\ndata: \{"n":1\}\n\n$/);
  });

  it("C11.7 sends again for events only what the server takes twice", async () => {
    const sent: string[] = [];
    const fetch = async ({ method }: Request): Promise<Response> => {
      sent.push(method);
      if (sent.length === 2) return new Response(null, { status: 204 });
      return new Response("retry: 1\n\n", { headers: { "content-type": "text/event-stream" } });
    };
    const calls = client("http://h", { fetch, events: clientEvents }) as Record<
      string,
      Record<string, (input?: object) => Promise<{ content: AsyncIterable<unknown> }>>
    >;
    const sentBy = async (method: string, input?: object): Promise<number> => {
      sent.length = 0;
      for await (const _ of (await calls["/"]![method]!(input)).content) expect.unreachable("It has no event");
      return sent.length;
    };
    const stream = { content: new Blob(["a"]).stream(), type: "text/plain" };
    const key = { headers: { "Idempotency-Key": "7" } };
    expect(await sentBy("GET")).toBe(2);
    expect(await sentBy("PUT", { content: {} })).toBe(2);
    expect(await sentBy("POST", { content: {}, ...key })).toBe(2);
    expect(await sentBy("POST", { content: {}, idempotencyKey: "7" })).toBe(2);
    expect(await sentBy("POST", { content: {} })).toBe(1);
    expect(await sentBy("POST", { content: {}, headers: { "idempotency-key": undefined } })).toBe(1);
    expect(await sentBy("PATCH", { content: {} })).toBe(1);
    expect(await sentBy("PUT", stream)).toBe(1);
    expect(await sentBy("POST", { ...stream, content: new Blob(["a"]).stream(), ...key })).toBe(1);
  });

  it("C11.1 sends and takes JSON, text, bytes, forms with files, and several media types", async () => {
    const note = z.object({ title: z.string(), tags: z.array(z.string()).default([]), n: z.int().optional() });
    const upload = jsonSchema<{ file: Blob; title: string; about: { n: number }; at?: Date }>(
      {
        type: "object",
        properties: { file: {}, title: { type: "string" }, about: { type: "object" }, at: { type: "string" } },
        required: ["file", "title", "about"],
      },
      () => true,
    );
    class Every extends Resource {
      paths = ["/every"] as const;

      static POST = { content: { "application/x-www-form-urlencoded": note, "application/json": note }, 200: note };
      override POST({ content }: Call<typeof Every, "POST">): Answer<typeof Every, "POST"> {
        return content;
      }

      static PUT = { content: bytes("image/png"), 200: bytes("image/png") };
      override PUT({ content }: Call<typeof Every, "PUT">): Answer<typeof Every, "PUT"> {
        return content;
      }

      static PATCH = { content: text("text/markdown"), 200: text() };
      override PATCH({ content }: Call<typeof Every, "PATCH">): Answer<typeof Every, "PATCH"> {
        return content;
      }

      static QUERY = { content: { "multipart/form-data": upload }, 200: z.unknown() };
      override async QUERY({ content }: Call<typeof Every, "QUERY">): Promise<unknown> {
        return { ...content, file: await content.file.text() };
      }

      static GET = {
        200: {
          content: {
            "application/json": z.array(z.string()),
            "text/csv": written("text/csv", (titles: string[]) => titles.join(",")),
          },
        },
      };
      override GET(): string[] {
        return ["a", "b"];
      }

      static DELETE = { content: z.string().optional(), 200: z.unknown() };
      override DELETE({ content }: Call<typeof Every, "DELETE">): unknown {
        return { content };
      }
    }
    const every = Application.builder().resources(Every).build();
    const calls = client<typeof every>("http://h", { fetch: every.fetch })["/every"];
    const content = { title: "a&b", tags: ["x", "y"] };
    const form = await calls.POST({ content: { ...content, n: undefined }, type: "application/x-www-form-urlencoded" });
    expect(form.content).toEqual(content);
    expect((await calls.POST({ content, type: "application/json" })).content).toEqual(content);
    const png = new Blob([new Uint8Array([1, 2, 255])], { type: "image/png" });
    const stored = await calls.PUT({ content: png });
    if (stored.status !== 200) return expect.unreachable("It is not stored");
    expect(new Uint8Array(await stored.content.arrayBuffer())).toEqual(new Uint8Array([1, 2, 255]));
    const raw = await calls.PUT({ content: new Uint8Array([3]), type: "image/png" });
    expect((raw.content as Blob).size).toBe(1);
    const streamed = await calls.PUT({ content: png.stream(), type: "image/png" });
    expect((streamed.content as Blob).size).toBe(3);
    expect((await calls.PATCH({ content: "# Hi", type: "text/markdown" })).content).toBe("# Hi");
    const file = new File(["abc"], "a.txt");
    const whole = { file, title: "t", about: { n: 1 }, at: new Date(0) };
    expect((await calls.QUERY({ content: whole, type: "multipart/form-data" })).content).toEqual({
      file: "abc",
      title: "t",
      about: { n: 1 },
      at: "1970-01-01T00:00:00.000Z",
    });
    expect((await calls.GET()).content).toEqual(["a", "b"]);
    expect((await calls.GET({ accept: "text/csv" })).content).toBe("a,b");
    expect((await calls.DELETE({ content: "x" })).content).toEqual({ content: "x" });
    expect((await calls.DELETE()).content).toEqual({});
  });

  it("C8.6 sends an empty list that a query or a form requires", async () => {
    const lists = z.object({ tags: z.array(z.string()), ids: z.array(z.int()) });
    const filed = z.object({ files: z.array(z.file()), tags: z.array(z.string()).min(1) });
    class Lists extends Resource {
      paths = ["/"] as const;

      static GET = { query: lists, 200: lists };
      override GET({ query }: Call<typeof Lists, "GET">): Answer<typeof Lists, "GET"> {
        return query;
      }

      static POST = {
        content: { "application/x-www-form-urlencoded": lists, "multipart/form-data": lists },
        200: lists,
      };
      override POST({ content }: Call<typeof Lists, "POST">): Answer<typeof Lists, "POST"> {
        return content;
      }

      static PUT = { content: { "multipart/form-data": filed }, 200: z.int() };
      override PUT({ content }: Call<typeof Lists, "PUT">): Answer<typeof Lists, "PUT"> {
        return content.files.length;
      }
    }
    const built = Application.builder().resources(Lists).build();
    const { GET, POST, PUT } = client<typeof built>("http://h", { fetch: built.fetch })["/"];
    const none = { tags: [], ids: [] };
    expect((await GET({ query: none })).content).toEqual(none);
    expect((await POST({ content: none, type: "application/x-www-form-urlencoded" })).content).toEqual(none);
    expect((await POST({ content: none, type: "multipart/form-data" })).content).toEqual(none);
    expect((await PUT({ content: { files: [], tags: ["a"] }, type: "multipart/form-data" })).content).toBe(0);
    const refused = await PUT({ content: { files: [], tags: [] }, type: "multipart/form-data" });
    if (refused.status !== 422) return expect.unreachable("It is not refused");
    expect(refused.content.errors).toHaveLength(1);
  });

  it("C11.2 reads raw content by its media type, as its type says", async () => {
    class Raw extends Resource {
      paths = ["/"] as const;

      static GET = { 200: text("application/xml") };
      override GET(): string {
        return "<a/>";
      }

      static POST = { 200: bytes("text/plain") };
      override POST(): Blob {
        return new Blob(["plain"]);
      }

      static PUT = { 200: text("application/json") };
      override PUT(): string {
        return "[1]";
      }

      static PATCH = { 200: { content: { "application/xml": z.int() } } };
      override PATCH(): number {
        return 5;
      }
    }
    const built = Application.builder().resources(Raw).build();
    const calls = client<typeof built>("http://h", { fetch: built.fetch })["/"];
    expect(await (await calls.GET()).orThrow().text()).toBe("<a/>");
    expect((await calls.POST()).orThrow().toUpperCase()).toBe("PLAIN");
    expect((await calls.PUT()).orThrow()).toEqual([1]);
    expect(await (await calls.PATCH()).orThrow().text()).toBe("5");
  });

  it("C11.1 sends cookies, where the runtime lets it", async () => {
    const { sent, fetch } = recorded();
    const calls = client("http://h", { fetch }) as Record<string, { GET(input: object): Promise<unknown> }>;
    await calls["/"]!.GET({ cookies: { a: 1, b: undefined, c: "x", d: ["y", "z"] } });
    expect(["a=1; c=x; d=y; d=z", null]).toContain(sent[0]!.headers.get("cookie"));
  });

  it("C11.1 sends a list in a field so that the server reads it back, and leaves out an empty one", async () => {
    class Lists extends Resource {
      paths = ["/"] as const;

      static GET = {
        headers: z.object({ "x-l": z.array(z.string()).optional(), "x-n": z.array(z.int()).optional() }),
        200: z.array(z.union([z.string(), z.int()])),
      };
      override GET({ headers }: Call<typeof Lists, "GET">): Answer<typeof Lists, "GET"> {
        return [...(headers["x-l"] ?? ["none"]), ...(headers["x-n"] ?? [])];
      }
    }
    const lists = Application.builder().resources(Lists).build();
    const { GET } = client<typeof lists>("http://localhost", { fetch: lists.fetch })["/"];
    const given = { "x-l": ["a b", "c;d"], "x-n": [1, 2], "x-other": ["e", undefined] };
    expect((await GET({ headers: given })).content).toEqual(["a b", "c;d", 1, 2]);
    expect((await GET({ headers: { "x-l": [] } })).content).toEqual(["none"]);
    for (const member of ["a,b", '"a"', " a", "a\t", ""]) {
      await expect(GET({ headers: { "x-l": ["a", member] } })).rejects.toThrow(
        new TypeError('Cannot send "x-l": its value would be read as another; encode it'),
      );
    }
  });

  it("C11.1 refuses a cookie that no server would read back, and sends nothing", async () => {
    const { sent, fetch } = recorded();
    const calls = client("http://h", { fetch }) as Record<string, { GET(input: object): Promise<unknown> }>;
    for (const value of ["x; admin=1", "a b", "a,b", '"a"', "a\\b", "a\nb", "é", ["a", ";"]]) {
      await expect(calls["/"]!.GET({ cookies: { s: value } })).rejects.toThrow(
        new TypeError('Cannot send "s": its value would be read as another; encode it'),
      );
    }
    await expect(calls["/"]!.GET({ cookies: { "s=x; admin": 1 } })).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
    await calls["/"]!.GET({ cookies: { s: "!#$%&'()*+-./:<=>?@[]^_`{|}~", at: new Date(0), empty: "" } });
    expect(sent).toHaveLength(1);
  });

  it("C11.2 has the problems of guards", async () => {
    class Guard extends Middleware {
      override ALL(): Response {
        throw new HTTPError(Status.Forbidden, "Not you");
      }
    }
    const guarded = Application.builder().middleware(Guard).resources(Book).build();
    const result = await client<typeof guarded>("http://h", { fetch: guarded.fetch })["/books/:isbn"].GET(isbn);
    if (result.status !== 403) return expect.unreachable("It is not forbidden");
    expect(result.content.detail).toBe("Not you");
  });

  it("C11.1 is no promise, and has no other members", async () => {
    const some = api as unknown as Record<PropertyKey, Record<PropertyKey, unknown>>;
    expect(some["then"]).toBe(undefined);
    expect(some["/books/:isbn"]!["then"]).toBe(undefined);
    expect(some["/books/:isbn"]![Symbol.toPrimitive]).toBe(undefined);
    expect(await api).toBe(api);
  });

  it("C11.1 calls the global fetch that is there at the time", async () => {
    const known = globalThis.fetch;
    const { sent, fetch } = recorded();
    const calls = client<typeof app>("http://localhost:1");
    globalThis.fetch = fetch as typeof globalThis.fetch;
    try {
      await calls["/books/:isbn"].GET(isbn);
    } finally {
      globalThis.fetch = known;
    }
    expect(sent).toHaveLength(1);
  });

  it("C11.4 gets back what it puts in, whatever the operation", async () => {
    const property = roundTripsBy(echo.fetch, "http://localhost");
    // The nightly check asks for 10,000.
    await fc.assert(property, { numRuns: rounds, seed: 1 });
  });

  // Node does so in `tests/servers`, and workerd cannot listen.
  describe.runIf(ownServer !== null)("over HTTP", () => {
    itMakesRoundTrips(async () => ownServer!(echo.fetch));
  });
});

/** What Bun and Deno have. */
interface Runtimes {
  readonly Bun?: {
    serve(options: object): { readonly port: number; stop(isAtOnce: boolean): Promise<void> };
  };
  readonly Deno?: {
    serve(options: object, handle: Fetch): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
  };
}
function ownServerOf({ Bun, Deno }: Runtimes): ((handle: Fetch) => Listening) | null {
  const options = { port: 0, hostname: "127.0.0.1" };
  if (Bun)
    return (handle) => {
      const server = Bun.serve({ ...options, fetch: handle });
      return { port: server.port, stop: () => server.stop(true) };
    };
  if (Deno)
    return (handle) => {
      const server = Deno.serve({ ...options, onListen: () => {} }, handle);
      return { port: server.addr.port, stop: () => server.shutdown() };
    };
  return null;
}
