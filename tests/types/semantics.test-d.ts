import { type } from "arktype";
import { memory } from "fingerpost/files";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import * as semantics from "fingerpost";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { BytesView } from "../../src/http/javascript/bytes.ts";
import type { ServerSentEvent } from "../../src/http/message/server-sent-event.ts";
import type { Answer } from "../../src/semantics/declaration/answer.ts";
import type { Call } from "../../src/semantics/declaration/call.ts";
import type { Operation } from "../../src/semantics/declaration/operation.ts";
import { form, upload } from "../../src/semantics/form.ts";
import { events } from "../../src/semantics/declared-events.ts";
import { bytes, text, written } from "../../src/semantics/declaration/raw-content.ts";
import { page } from "../../src/semantics/declared-page.ts";
import { socket } from "../../src/semantics/socket.ts";
import { reply, type Problem, type Reply } from "../../src/semantics/declaration/reply.ts";
import type { StandardSchema } from "../../src/json-schema/shape/standard-schema.ts";
import type { WithoutOperations } from "../../src/semantics/declaration/without-operations.ts";
import { Resource, resources, type Group } from "./semantics-resource.ts";

const book = z.object({ isbn: z.string(), pages: z.int() });
const kindred = { isbn: "9780807083697", pages: 264 };

describe("Call", () => {
  it("C8.5 is of one method: a result is compared although the call is of another one with the same answers", () => {
    class Copied extends Resource {
      paths = ["/copied"] as const;

      static GET = { 200: book };
      GET(_call: Call<typeof Copied, "GET">) {
        return kindred;
      }

      static PUT = { 200: book };
      PUT(_call: Call<typeof Copied, "GET">) {
        return "nonsense";
      }
    }
    // @ts-expect-error -- PUT returns text
    resources(Copied);
  });

  it("C8.3 has what the schemas of zod, Valibot and ArkType return", () => {
    class Books extends Resource {
      paths = ["/books"] as const;

      static GET = {
        query: z.object({ limit: z.coerce.number().default(20), tag: z.array(z.string()).optional() }),
        headers: v.object({ "accept-language": v.optional(v.string()) }),
        cookies: type({ theme: "'dark' | 'light'" }),
        200: z.array(book),
      };
      GET({ query, headers, cookies }: Call<typeof Books, "GET">): Answer<typeof Books, "GET"> {
        expectTypeOf(query).toEqualTypeOf<{ limit: number; tag?: string[] | undefined }>();
        expectTypeOf(headers["accept-language"]).toEqualTypeOf<string | undefined>();
        expectTypeOf(cookies.theme).toEqualTypeOf<"dark" | "light">();
        // @ts-expect-error -- the query has no such parameter
        void query.offset;
        return [];
      }
    }
    resources(Books);
  });

  it("C16.6 has the fields and the stored files of a form", () => {
    class Covers extends Resource {
      paths = ["/covers"] as const;

      static POST = {
        content: form({
          caption: z.string(),
          stars: z.coerce.number().optional(),
          cover: upload({ to: memory() }),
          icon: upload({ optional: true, to: memory() }),
          more: upload({ maxFiles: 3, to: memory() }),
        }),
        204: "Stored",
      };
      POST({ content }: Call<typeof Covers, "POST">): Answer<typeof Covers, "POST"> {
        expectTypeOf(content.caption).toEqualTypeOf<string>();
        expectTypeOf(content.stars).toEqualTypeOf<number | undefined>();
        expectTypeOf(content.cover.bytes).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
        expectTypeOf(content.cover.sha256).toEqualTypeOf<string>();
        expectTypeOf<undefined>().toExtend<typeof content.icon>();
        expectTypeOf(content.more[0]!.size).toEqualTypeOf<number>();
        // @ts-expect-error -- the form has no such member
        void content.title;
        // @ts-expect-error -- it may be absent
        void content.icon.size;
        return undefined;
      }
    }
    resources(Covers);
    // @ts-expect-error -- a file needs a sink
    upload({ maxBytes: 1 });
    // @ts-expect-error -- no schema
    form({ caption: "string" });
  });

  it("C8.3 has the content by its schema, by its raw kind, or by either of several media types", () => {
    class Cover extends Resource {
      paths = ["/books/:isbn/cover"] as const;

      static PUT = { content: bytes("image/png", { maxBytes: 5_000_000 }), 204: "The cover is stored" };
      PUT({ content }: Call<typeof Cover, "PUT">): Answer<typeof Cover, "PUT"> {
        expectTypeOf(content).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
        return reply(204);
      }

      static PATCH = { content: text(), 204: "The title is changed" };
      PATCH({ content }: Call<typeof Cover, "PATCH">): Answer<typeof Cover, "PATCH"> {
        expectTypeOf(content).toEqualTypeOf<string>();
        return undefined;
      }

      static POST = {
        content: {
          "application/json": z.object({ url: z.string() }),
          "multipart/form-data": z.object({ file: z.instanceof(File) }),
          "image/png": bytes(),
        },
        204: "The cover is stored",
      };
      POST({ content }: Call<typeof Cover, "POST">): Answer<typeof Cover, "POST"> {
        expectTypeOf(content).toEqualTypeOf<{ url: string } | { file: File } | Uint8Array<ArrayBuffer>>();
        return reply(204);
      }

      static QUERY = { content: v.object({ width: v.number() }), 200: z.array(z.string()) };
      QUERY({ content }: Call<typeof Cover, "QUERY">): Answer<typeof Cover, "QUERY"> {
        expectTypeOf(content.width).toEqualTypeOf<number>();
        return [];
      }
    }
    resources(Cover);
  });

  it("C8.14 has content that may be undefined, where the schema accepts that", () => {
    class Order extends Resource {
      paths = ["/orders"] as const;
      static POST = { content: z.object({ note: z.string() }).optional(), 204: "Ordered" };
      POST({ content }: Call<typeof Order, "POST">): Answer<typeof Order, "POST"> {
        expectTypeOf(content).toEqualTypeOf<{ note: string } | undefined>();
        // @ts-expect-error -- there may be none
        void content.note;
        return reply(204);
      }
    }
    resources(Order);
  });

  it("C8.3 has the text of path params by the names in paths, unless the operation declares path", () => {
    class Page extends Resource {
      paths = ["/books/:isbn/:page?", "/files/:isbn/:rest+"] as const;

      static GET = { 200: text() };
      GET({ path, segments }: Call<typeof Page, "GET">): Answer<typeof Page, "GET"> {
        expectTypeOf(path.isbn).toEqualTypeOf<string>();
        expectTypeOf(path.page).toEqualTypeOf<string | undefined>();
        // @ts-expect-error -- no pattern has this param
        void path.id;
        // @ts-expect-error -- no pattern has this param
        segments("id");
        return segments("rest").join("/") + segments("page", "any").join("/");
      }

      static PUT = { path: z.object({ isbn: z.string(), page: z.coerce.number() }), 204: "Stored" };
      PUT({ path }: Call<typeof Page, "PUT">): Answer<typeof Page, "PUT"> {
        expectTypeOf(path).toEqualTypeOf<{ isbn: string; page: number }>();
        return reply(204);
      }
    }
    class Home extends Resource {
      paths = ["/"] as const;
      static GET = { 200: text() };
      GET({ path }: Call<typeof Home, "GET">): Answer<typeof Home, "GET"> {
        expectTypeOf(path).toEqualTypeOf<{}>();
        return "";
      }
    }
    class Anything extends Resource {
      paths = ["/things/:id"];
      static GET = { 200: text() };
      GET({ path, segments }: Call<typeof Anything, "GET">): Answer<typeof Anything, "GET"> {
        expectTypeOf(path["id"]).toEqualTypeOf<string | undefined>();
        return segments("id").join("/");
      }
    }
    resources(Page, Home, Anything);
  });

  it("C8.3 has the params of the groups around the class, by their prefix", () => {
    class Order extends Resource {
      paths = ["/orders/:id"] as const;
      static GET = { 200: text() };
      GET({ path }: Call<typeof Order, "GET", "/:tenant">): Answer<typeof Order, "GET"> {
        expectTypeOf(path).toEqualTypeOf<{ readonly tenant: string; readonly id: string }>();
        return path.tenant;
      }
    }
    resources(Order);
  });

  it("C8.13 has the request and a signal, and names parts that the operation does not declare", () => {
    class Thing extends Resource {
      paths = ["/things/:id"] as const;
      static GET = { 200: text() };
      GET(call: Call<typeof Thing, "GET">): Answer<typeof Thing, "GET"> {
        expectTypeOf(call.request).toEqualTypeOf<Request>();
        expectTypeOf(call.signal).toEqualTypeOf<AbortSignal | undefined>();
        expectTypeOf<keyof typeof call>().toEqualTypeOf<
          "path" | "reply" | "request" | "segments" | "signal" | "version"
        >();
        // @ts-expect-error -- the operation declares no query
        void call.query;
        // @ts-expect-error -- nor content
        void call.content;
        // @ts-expect-error -- a member is never changed
        call.request = new Request("http://localhost/");
        return "";
      }
      // Without an operation: the path is known nevertheless.
      PUT({ path }: Call<typeof Thing, "PUT">): unknown {
        expectTypeOf(path).toEqualTypeOf<{ readonly id: string }>();
        return undefined;
      }
      // @ts-expect-error -- there is no such method
      other(_call: Call<typeof Thing, "LIST">): void {}
    }
    resources(Thing);
  });

  it("C8.13 has what the operation declares besides, and no more", () => {
    type Always = "path" | "reply" | "request" | "segments" | "signal" | "version";
    abstract class Things extends Resource {
      paths = ["/things"] as const;
      static GET = { headers: book, cookies: book, 200: { content: { "application/json": book, "text/csv": text() } } };
      abstract override GET(call: Call<typeof Things, "GET">): Answer<typeof Things, "GET">;
      static PUT = { content: book, idempotency: true, 201: page(book, { by: book }) };
      abstract override PUT(call: Call<typeof Things, "PUT">): Answer<typeof Things, "PUT">;
      static POST = { "200": { content: page(book, { by: book }) } };
      abstract override POST(call: Call<typeof Things, "POST">): Answer<typeof Things, "POST">;
      static DELETE = { "101": socket({ receives: text(), sends: text() }), 204: "None" };
      abstract override DELETE(call: Call<typeof Things, "DELETE">): Answer<typeof Things, "DELETE">;
    }
    class Undeclared extends Resource {
      paths = ["/undeclared"] as const;
    }
    type Parts<Name extends "GET" | "PUT" | "POST" | "DELETE"> = Exclude<keyof Parameters<Things[Name]>[0], Always>;
    expectTypeOf<Parts<"GET">>().toEqualTypeOf<"headers" | "cookies" | "mediaType">();
    expectTypeOf<Parts<"PUT">>().toEqualTypeOf<"content" | "contentType" | "idempotency" | "page">();
    expectTypeOf<Parts<"POST">>().toEqualTypeOf<"mediaType" | "page">();
    expectTypeOf<Parts<"DELETE">>().toEqualTypeOf<"isHandshake">();
    expectTypeOf<keyof Call<typeof Undeclared, "GET">>().toEqualTypeOf<Always>();
  });

  it("C8.8 has a reply with the declared statuses, their content and their fields", () => {
    class Orders extends Resource {
      paths = ["/orders/:id"] as const;
      static POST = {
        content: z.object({ kind: z.enum(["new", "used"]) }),
        201: { content: z.object({ kind: z.enum(["new", "used"]) }), headers: { location: z.string() } },
        200: book,
        204: "Nothing to do",
        409: "Taken",
      };
      async POST({ content, path, reply: answer }: Call<typeof Orders, "POST">) {
        if (path.id === "1") return answer(409);
        if (path.id === "2") return answer(409, { detail: "Taken", by: "Ada" }, { "retry-after": 5 });
        if (path.id === "3") return answer(204);
        if (path.id === "4") return answer(200, kindred);
        // The literal is not any string, without an annotation.
        if (path.id === "5") return answer(201, { kind: "new" }, { location: "/orders/5" });
        // @ts-expect-error -- 404 is not declared
        if (path.id === "6") return answer(404);
        // @ts-expect-error -- the content is missing
        if (path.id === "7") return answer(200);
        // @ts-expect-error -- pages is a number
        if (path.id === "8") return answer(200, { isbn: "1", pages: "1" });
        // @ts-expect-error -- 204 has no content
        if (path.id === "9") return answer(204, kindred);
        // @ts-expect-error -- the location is missing
        if (path.id === "10") return answer(201, content);
        // @ts-expect-error -- the location is text
        if (path.id === "11") return answer(201, content, { location: 5 });
        // @ts-expect-error -- there is no such kind
        if (path.id === "12") return answer(201, { kind: "old" }, { location: "/orders/5" });
        expectTypeOf(answer(409)).toEqualTypeOf<Reply<409, Problem | undefined>>();
        return undefined;
      }
    }
    class Room extends Resource {
      paths = ["/room"] as const;
      static GET = { 101: socket({ receives: z.object({ said: z.string() }), sends: text() }) };
      GET({ reply: answer }: Call<typeof Room, "GET">) {
        // The parameters of handlers have types, without an annotation.
        return answer(101, { message: (peer, { said }) => peer.send(said) }, { until: null });
      }
    }
    resources(Orders, Room);
  });

  it("C8.8 is taken by types of users, whose parameter has its constraint", () => {
    type Getting<Of extends semantics.ReturnsOnlyWhatIsDeclared<Of, "GET">> = Call<Of, "GET">;
    class Right extends Resource {
      paths = ["/right/:id"] as const;
      static GET = { 200: text() };
      GET({ path }: Getting<typeof Right>) {
        return path.id;
      }
    }
    class Wrong extends Resource {
      static GET = { 200: text() };
      // @ts-expect-error -- a number
      GET(_call: Getting<typeof Wrong>) {
        return 5;
      }
    }
    resources(Right);
    void Wrong;
  });

  it("is made by hand to test a handler", () => {
    class Greeting extends Resource {
      paths = ["/hello/:name"] as const;
      static GET = { query: z.object({ loud: z.boolean() }), 200: text() };
      GET({ path, query }: Call<typeof Greeting, "GET">): string {
        return query.loud ? path.name.toUpperCase() : path.name;
      }
    }
    const resource = new Greeting();
    resource.GET({ path: { name: "Ada" }, query: { loud: true } } as Call<typeof Greeting, "GET">);
    // @ts-expect-error -- loud is a boolean
    resource.GET({ path: { name: "Ada" }, query: { loud: "yes" } } as Call<typeof Greeting, "GET">);
  });
});

describe("Answer", () => {
  class Book extends Resource {
    paths = ["/books/:isbn"] as const;
    static GET = { 200: book, 404: "No book has this ISBN", 410: v.object({ since: v.string() }) };
    static PUT = { 201: "It is stored", 204: "It is changed" };
    static DELETE = { 204: { description: "It is gone", headers: { "x-count": z.number().optional() } } };
  }
  type Get = Answer<typeof Book, "GET">;

  it("C8.8 is the content of 200, or a reply with a declared status", () => {
    expectTypeOf(kindred).toExtend<Get>();
    expectTypeOf(reply(200, kindred)).toExtend<Get>();
    expectTypeOf(reply(200, kindred, { etag: '"1"' })).toExtend<Get>();
    expectTypeOf(reply(404)).toExtend<Get>();
    expectTypeOf(reply(404, undefined)).toExtend<Get>();
    expectTypeOf(reply(404, { detail: "Gone fishing", known: 5 })).toExtend<Get>();
    expectTypeOf(reply(410, { since: "2027" })).toExtend<Get>();
    expectTypeOf<Get>().toEqualTypeOf<
      | { isbn: string; pages: number }
      | Reply<200, { isbn: string; pages: number }>
      | Reply<404, Problem | undefined>
      | Reply<410, { since: string }>
    >();
  });

  it("C8.4 takes a status in quotes, as editors complete it, for the same", () => {
    class Quoted extends Resource {
      paths = ["/books/:isbn"] as const;
      static GET = { "200": book, 404: "No book has this ISBN", "410": v.object({ since: v.string() }) };
      async GET(): Promise<Answer<typeof Quoted, "GET">> {
        return reply(404);
      }
      static PUT = { "200": book };
      PUT() {
        return { isbn: "1" };
      }
    }
    expectTypeOf<Answer<typeof Quoted, "GET">>().toEqualTypeOf<Get>();
    // @ts-expect-error -- pages is missing in what PUT returns
    resources(Quoted);
    class Right extends Quoted {
      override PUT() {
        return kindred;
      }
    }
    resources(Right);
  });

  it("C8.8 refuses a wrong shape, an undeclared status, and a Response", () => {
    class Wrong extends Book {
      override async GET({ path: { isbn } }: Call<typeof Wrong, "GET">): Promise<Get> {
        // @ts-expect-error -- pages is missing
        if (isbn === "1") return { isbn };
        // @ts-expect-error -- pages is a number
        if (isbn === "2") return { isbn, pages: "1" };
        // @ts-expect-error -- title is not declared
        if (isbn === "3") return { ...kindred, title: "Kindred" };
        // @ts-expect-error -- pages is a number
        if (isbn === "4") return reply(200, { isbn, pages: "1" });
        // @ts-expect-error -- the content of 200 is missing
        if (isbn === "5") return reply(200);
        // @ts-expect-error -- 201 is not declared
        if (isbn === "6") return reply(201, kindred);
        // @ts-expect-error -- 410 has other content
        if (isbn === "7") return reply(410, kindred);
        // @ts-expect-error -- a Response
        if (isbn === "8") return Response.json(kindred);
        // @ts-expect-error -- nothing
        if (isbn === "9") return undefined;
        // @ts-expect-error -- null
        if (isbn === "10") return null;
        // @ts-expect-error -- a status is no content
        if (isbn === "11") return 404;
        // @ts-expect-error -- looks like a reply, and is none
        if (isbn === "12") return { status: 404, content: undefined, headers: undefined };
        // @ts-expect-error -- detail is text
        if (isbn === "13") return reply(404, { detail: 5 });
        return kindred;
      }
    }
    void Wrong;
  });

  it("C8.13 is undefined for a declared status without content", () => {
    expectTypeOf<Answer<typeof Book, "PUT">>().toEqualTypeOf<
      Reply<201, undefined> | Reply<204, undefined> | undefined
    >();
    expectTypeOf<undefined>().toExtend<Answer<typeof Book, "DELETE">>();
    expectTypeOf(reply(204)).toExtend<Answer<typeof Book, "DELETE">>();
    // @ts-expect-error -- 201 has no content
    reply(201, kindred) satisfies Answer<typeof Book, "PUT">;
  });

  it("C8.8 takes literals in the place of unions, returned as they are or by reply(), later or at once", () => {
    const shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("circle"), radius: z.number() }),
      z.object({ kind: z.literal("square"), corners: z.array(z.enum(["round", "sharp"])) }),
    ]);
    class Shape extends Resource {
      paths = ["/shapes/:id"] as const;
      static GET = { 200: shape, 409: z.object({ code: z.enum(["a", "b"]) }) };
      GET({ path }: Call<typeof Shape, "GET">): Answer<typeof Shape, "GET"> {
        if (path.id === "1") return { kind: "circle", radius: 1 };
        if (path.id === "2") return reply(200, { kind: "circle", radius: 1 });
        if (path.id === "3") return reply(409, { code: "a" });
        // @ts-expect-error -- a circle has no corners
        if (path.id === "4") return reply(200, { kind: "circle", corners: [] });
        // @ts-expect-error -- there is no such code
        if (path.id === "5") return reply(409, { code: "c" });
        return reply(200, { kind: "square", corners: ["round"] });
      }
      static PUT = Shape.GET;
      async PUT({ path }: Call<typeof Shape, "PUT">): Promise<Answer<typeof Shape, "PUT">> {
        if (path.id === "1") return { kind: "square", corners: ["round", "sharp"] };
        return reply(200, { kind: "square", corners: ["round"] }, { etag: '"1"' });
      }
    }
    resources(Shape);
  });

  it("C8.17 has values that a schema accepts, not what it makes of them", () => {
    class Event extends Resource {
      paths = ["/events/:id"] as const;
      static GET = {
        200: z.object({ at: z.string().transform((at) => new Date(at)), seats: z.number().default(1) }),
        201: v.object({ at: v.pipe(v.string(), v.toDate()) }),
        202: type("string.date.parse"),
      };
    }
    expectTypeOf({ at: "2027-01-31" }).toExtend<Answer<typeof Event, "GET">>();
    expectTypeOf(reply(201, { at: "2027-01-31" })).toExtend<Answer<typeof Event, "GET">>();
    expectTypeOf(reply(202, "2027-01-31")).toExtend<Answer<typeof Event, "GET">>();
    // @ts-expect-error -- the schema makes a date of text
    ({ at: new Date() }) satisfies Answer<typeof Event, "GET">;
  });

  it("C8.4 has the content of raw kinds, and of several media types any", () => {
    class Report extends Resource {
      paths = ["/report"] as const;
      static GET = {
        200: {
          description: "The books",
          content: {
            "application/json": z.array(book),
            "text/csv": written("text/csv", (books: readonly object[]) => `${books.length}`),
            "application/pdf": bytes(),
          },
          examples: { one: [kindred] },
        },
      };
      static PUT = { 200: bytes("image/png") };
      static POST = { 200: text("text/markdown") };
      static PATCH = { 200: written("text/csv", (rows: readonly string[]) => rows.join("\n")) };
      static DELETE = { 200: { content: { "text/csv": written("text/csv", (rows: string[]) => rows.join()) } } };
      static QUERY = { 200: events(z.object({ cents: z.int() })) };
    }
    type Binary = Blob | ArrayBuffer | BytesView | ReadableStream<Uint8Array> | AsyncIterable<BytesView>;
    type Content<A> = Exclude<A, Reply>;
    expectTypeOf<Content<Answer<typeof Report, "GET">>>().toEqualTypeOf<{ isbn: string; pages: number }[] | Binary>();
    expectTypeOf<Content<Answer<typeof Report, "PUT">>>().toEqualTypeOf<Binary>();
    expectTypeOf<Content<Answer<typeof Report, "POST">>>().toEqualTypeOf<string | AsyncIterable<string>>();
    expectTypeOf<Content<Answer<typeof Report, "PATCH">>>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<Content<Answer<typeof Report, "DELETE">>>().toEqualTypeOf<string[]>();
    type Sent = { cents: number } | ServerSentEvent<{ cents: number }>;
    expectTypeOf<Content<Answer<typeof Report, "QUERY">>>().toEqualTypeOf<AsyncIterable<Sent>>();
    expectTypeOf<Extract<Answer<typeof Report, "QUERY">, Reply>>().toEqualTypeOf<Reply<200, AsyncIterable<Sent>>>();
  });

  it("C8.14 has header fields by their schemas where they are declared, and others as well", () => {
    class Books extends Resource {
      paths = ["/books"] as const;
      static POST = {
        201: { content: book, headers: { location: z.string(), "x-count": z.number().optional() } },
        202: { headers: { "x-count": z.number().optional() } },
        303: "There is one already",
      };
    }
    type Post = Answer<typeof Books, "POST">;
    reply(201, kindred, { location: "/books/1" }) satisfies Post;
    reply(201, kindred, {
      location: "/books/1",
      "x-count": 5,
      etag: '"1"',
      "set-cookie": ["a=1", "b=2"],
    }) satisfies Post;
    reply(202) satisfies Post;
    reply(202, undefined, { "x-count": 5 }) satisfies Post;
    reply(303, undefined, { location: "/books/1" }) satisfies Post;
    reply(303, undefined, { "set-cookie": ["a=1"], "retry-after": 120, vary: "accept" }) satisfies Post;
    // @ts-expect-error -- location is missing
    reply(201, kindred) satisfies Post;
    // @ts-expect-error -- location is missing
    reply(201, kindred, { etag: '"1"' }) satisfies Post;
    // @ts-expect-error -- location is text
    reply(201, kindred, { location: 5 }) satisfies Post;
    // @ts-expect-error -- the count is a number
    reply(202, undefined, { "x-count": "5" }) satisfies Post;
    // @ts-expect-error -- a list
    reply(303, undefined, { "set-cookie": "a=1" });
    // @ts-expect-error -- no value of a field
    reply(303, undefined, { location: new URL("http://localhost/") });
    // @ts-expect-error -- a status is a number
    reply("303");
  });
});

describe("Operation", () => {
  it("C8.1 takes what can be declared, and refuses what cannot, where it is written", () => {
    void ({
      id: "getBook",
      summary: "A book",
      description: "A book by its ISBN",
      tags: ["books"],
      deprecated: { since: "2027-01-01", sunset: "2028-01-01", link: "https://example.com/why" },
      examples: { kindred },
      security: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      path: z.object({ isbn: z.string() }),
      query: v.object({ lang: v.string() }),
      headers: type({ "accept-language?": "string" }),
      cookies: z.object({ theme: z.string() }),
      content: { "application/json": book, "text/plain": text() },
      at: ["/books/:isbn"],
      precondition: true,
      cache: "public, max-age=60",
      etag: "content",
      200: { description: "It", content: { "text/csv": written("text/csv", (rows: string[]) => rows.join()) } },
      204: "Nothing",
      206: bytes(),
      207: events(book),
      409: { description: "Taken", content: book, headers: { "retry-after": z.int() }, examples: { kindred } },
    } satisfies Operation);
    // @ts-expect-error -- a misspelled member
    void ({ querry: book, 200: book } satisfies Operation);
    // @ts-expect-error -- no schema
    void ({ query: { limit: "number" }, 200: book } satisfies Operation);
    // @ts-expect-error -- no schema
    void ({ 200: 5 } satisfies Operation);
    // @ts-expect-error -- no media type has a description
    void ({ 200: { content: { "text/csv": "Rows" } } } satisfies Operation);
    // @ts-expect-error -- there is one word for it
    void ({ precondition: "optional", 200: book } satisfies Operation);
    // @ts-expect-error -- a list
    void ({ at: "/books", 200: book } satisfies Operation);
  });

  it("C8.1 keeps the types of a declaration behind satisfies", () => {
    class Book extends Resource {
      paths = ["/books/:isbn"] as const;
      static GET = { query: z.object({ limit: z.int() }), 200: book, 404: "None" } satisfies Operation;
      GET({ query }: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
        return query.limit > 5 ? reply(404) : kindred;
      }
    }
    resources(Book);
  });

  it("C8.1 loses them by an annotation: any reply may be made, nothing is known of a call", () => {
    class Book extends Resource {
      paths = ["/books/:isbn"] as const;
      static GET: Operation = { 200: book };
      GET({ query }: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
        // @ts-expect-error -- lost
        void query.limit;
        return reply(200, kindred);
      }
    }
    class Bare extends Resource {
      static GET: Operation = { 200: book };
      GET() {
        return kindred;
      }
    }
    resources(Book);
    // @ts-expect-error -- not even what is declared may be returned by itself
    resources(Bare);
  });
});

describe("CheckedMembers", () => {
  it("C8.8 takes classes whose handlers annotate no result, and groups, and arrays of them, and native classes", () => {
    class Book extends Resource {
      paths = ["/books/:isbn"] as const;
      static GET = { 200: book, 404: "None" };
      GET({ path }: Call<typeof Book, "GET">) {
        return path.isbn === "1" ? reply(404) : { isbn: path.isbn, pages: 1 };
      }
      static PUT = { content: book, 204: "Stored", precondition: true };
      async PUT({ content }: Call<typeof Book, "PUT">) {
        return content.pages > 1 ? reply(204) : undefined;
      }
      static DELETE = { 204: "Gone", 299: "Unregistered" };
      DELETE() {
        return reply(299);
      }
      // No operation: nothing is known.
      POST() {
        return { stored: true };
      }
    }
    class Native extends native.Resource {
      paths = ["/native"] as const;
      static GET = { query: book, 200: book };
      GET() {
        return new Response();
      }
    }
    class Injected extends Resource {
      static GET = { 200: book };
      readonly #store: readonly string[];
      constructor(store: readonly string[]) {
        super();
        this.#store = store;
      }
      GET() {
        return { isbn: this.#store.join(), pages: 1 };
      }
    }
    class Silent extends Resource {
      static DELETE = { 204: "Gone" };
      async DELETE() {}
    }
    const group: Group = { members: [], prefixes: [] };
    const classes: (new () => Resource)[] = [Book];
    const members = resources(Book, Native, Injected, group, [Book, [Native, group]], classes, ...classes);
    expectTypeOf(members[0]).toEqualTypeOf<typeof Book>();
    expectTypeOf(members[4]).toEqualTypeOf<readonly [typeof Book, readonly [typeof Native, Group]]>();
    resources();
    resources(Silent);
  });

  it("C8.8 refuses a class whose handler returns what its operation does not declare", () => {
    class Status extends Resource {
      static GET = { 200: book };
      async GET() {
        return Math.random() > 0.5 ? kindred : reply(404);
      }
    }
    class Web extends Resource {
      static GET = { 200: book };
      async GET() {
        return Response.json(kindred);
      }
    }
    class Nothing extends Resource {
      static GET = { 200: book };
      GET() {}
    }
    class Second extends Resource {
      static GET = { 200: book };
      GET() {
        return kindred;
      }
      static QUERY = { 200: book };
      QUERY() {
        return "kindred";
      }
    }
    // @ts-expect-error -- 404 is not declared
    resources(Status);
    // @ts-expect-error -- a Response
    resources(Web);
    // @ts-expect-error -- nothing
    resources(Nothing);
    // @ts-expect-error -- in the second place, the second method
    resources(Resource, Second);
    // @ts-expect-error -- in an array
    resources([Resource, [Status]]);
    // @ts-expect-error -- by inheritance
    resources(class extends Status {});
  });

  it("C8.8 refuses it where the handler takes the call of its class", () => {
    class Shape extends Resource {
      static GET = { 200: book };
      // @ts-expect-error -- isbn is text
      GET(_call: Call<typeof Shape, "GET">) {
        return { isbn: 1, pages: 1 };
      }
      static PUT = { 200: book };
      // @ts-expect-error -- 404 is not declared
      async PUT({ signal }: Call<typeof Shape, "PUT">) {
        return signal?.aborted === true ? reply(404) : kindred;
      }
      static POST = { 200: book };
      // @ts-expect-error -- a Response
      POST(_call: Call<typeof Shape, "POST">) {
        return Response.json(kindred);
      }
      static PATCH = { 200: book };
      // @ts-expect-error -- nothing
      PATCH(_call: Call<typeof Shape, "PATCH">) {}
      static QUERY = { 200: book };
      // @ts-expect-error -- may be anything
      QUERY(_call: Call<typeof Shape, "QUERY">): unknown {
        return kindred;
      }
      static DELETE = { 204: "Gone", 2000: "Long" };
      // @ts-expect-error -- 2000
      DELETE(_call: Call<typeof Shape, "DELETE">) {}
    }
    class Declared extends Resource {
      static GET = { 200: book };
    }
    class Found extends Declared {
      // @ts-expect-error -- of a class that has no handler
      override GET(_call: Call<typeof Declared, "GET">) {
        return kindred;
      }
    }
    abstract class Shared extends Resource {
      static GET = { 200: book };
      abstract override GET(call: Call<typeof Shared, "GET">): Answer<typeof Shared, "GET">;
    }
    class Told extends Shared {
      override GET(_call: Call<typeof Shared, "GET">) {
        return kindred;
      }
    }
    class Silent extends Resource {
      static DELETE = { 204: "Gone" };
      DELETE(_call: Call<typeof Silent, "DELETE">) {}
      static PUT = { 204: "Stored" };
      async PUT(_call: Call<typeof Silent, "PUT">) {}
    }
    resources(Found, Told, Silent);
    void Shape;
  });

  it("C8.8 refuses it where the handler takes anything else", () => {
    class Anything extends Resource {
      static GET = { 200: book };
      GET(_call: ReturnType<typeof JSON.parse>) {
        return { isbn: 1 };
      }
    }
    class Never extends Resource {
      static GET = { 200: book };
      GET(_call: never) {
        return { isbn: 1 };
      }
    }
    class OtherMethod extends Resource {
      static GET = { 200: book };
      GET(_call: Call<typeof OtherMethod, "GET">) {
        return kindred;
      }
      static PUT = { 200: z.object({ size: z.int() }) };
      PUT(_call: Call<typeof OtherMethod, "GET">) {
        return kindred;
      }
    }
    class Base extends Resource {
      paths: readonly string[] = ["/books"];
      static GET = { 200: book };
      GET(_call: Call<typeof Base, "GET">) {
        return kindred;
      }
    }
    class Priced extends Base {
      static override GET = { 200: book.extend({ price: z.int() }) };
    }
    class Part extends Resource {
      static GET = { 200: book };
      GET(_call: Pick<Call<typeof Base, "GET">, "request">) {
        return { isbn: 1 };
      }
    }
    // @ts-expect-error -- any
    resources(Anything);
    // @ts-expect-error -- never
    resources(Never);
    // @ts-expect-error -- the call of another method
    resources(OtherMethod);
    // @ts-expect-error -- the call of the base class, which declares other content
    resources(Priced);
    // @ts-expect-error -- a part of a call
    resources(Part);
    resources(Base);
  });

  it("C8.8 compares a generic class where it is written", () => {
    function stored<Item extends StandardSchema>(item: Item) {
      class Stored extends Resource {
        paths: readonly string[] = ["/items/:id"];
        static GET = { 200: item, 404: "None" };
        GET(_call: Call<typeof Stored, "GET">): Answer<typeof Stored, "GET"> {
          return reply(404);
        }
        static PUT = { content: item, 204: "Stored" };
        async PUT({ content }: Call<typeof Stored, "PUT">) {
          void content;
          return reply(204);
        }
      }
      return Stored;
    }
    resources(stored(book));
  });

  it("C8.8 refuses a handler without an operation that returns a Response", () => {
    class Web extends Resource {
      GET() {
        return new Response();
      }
    }
    class Later extends Resource {
      static GET = { 200: book };
      GET() {
        return kindred;
      }
      async QUERY(): Promise<Response> {
        return new Response();
      }
    }
    class Silent extends Resource {
      static DELETE = { 204: "Gone" };
      DELETE() {}
      POST() {
        return new Response();
      }
    }
    class Open extends Resource {
      GET(): unknown {
        return new Response();
      }
      PUT() {
        return JSON.parse("{}");
      }
      async PATCH() {
        return JSON.parse("{}");
      }
      POST(): never {
        throw new native.HTTPError(native.Status.Conflict);
      }
      async DELETE(): Promise<never> {
        throw new native.HTTPError(native.Status.Conflict);
      }
      QUERY() {}
    }
    // @ts-expect-error -- a Response
    resources(Web);
    // @ts-expect-error -- a Promise of one, beside an operation
    resources(Later);
    // @ts-expect-error -- beside a handler without return
    resources(Silent);
    // @ts-expect-error -- in a list
    resources([Web]);
    // Nothing is known of what is anything, or nothing.
    resources(Open);
  });

  it("C8.8 looks at each class that a list may hold", () => {
    class Right extends Resource {
      paths = ["/right"] as const;
      static GET = { 200: book };
      GET() {
        return kindred;
      }
    }
    class Stored extends Resource {
      paths = ["/stored"] as const;
      static PUT = { 204: "Stored" };
      PUT() {}
    }
    class Wrong extends Resource {
      paths = ["/wrong"] as const;
      static GET = { 200: book };
      GET() {
        return "kindred";
      }
    }
    const group: Group = { members: [], prefixes: [] };
    const wrong = [Wrong];
    const mixed = [Stored, Right, group, Wrong];
    const right = [Stored, Right, group];
    const opaque: (new () => Resource)[] = [Wrong];
    // @ts-expect-error -- a list of one class
    resources(wrong);
    // @ts-expect-error -- one of several classes
    resources(mixed);
    // @ts-expect-error -- one by one
    resources(...mixed);
    // @ts-expect-error -- after another
    resources(Right, ...mixed);
    // @ts-expect-error -- in an array
    resources([Right, [mixed]]);
    // @ts-expect-error -- in an array with others
    resources([Right, ...mixed]);
    // @ts-expect-error -- before a list of which nothing is known
    resources(Wrong, ...opaque);
    // @ts-expect-error -- in an array before such a list
    resources([Wrong], ...opaque);
    const members = resources(right, [right, [...right]], ...right, ...opaque);
    expectTypeOf(members[0]).toEqualTypeOf<(typeof Stored | typeof Right | Group)[]>();
    resources(Right, [Stored, ...right], opaque);

    // Lists without end: what is in them is not looked at.
    type Nested = typeof Right | readonly Nested[];
    const nested: readonly Nested[] = [Right, [Right, [Right]]];
    resources(nested, [nested], ...nested);
  });

  it("C8.8 refuses a class whose declaration names a status or a member wrongly", () => {
    class Long extends Resource {
      static GET = { 2000: book };
      GET(): unknown {
        return kindred;
      }
    }
    class Short extends Resource {
      static GET = { 200: book, 44: "Not found" };
      GET() {
        return kindred;
      }
    }
    class Quoted extends Resource {
      static GET = { "200": book, "44": "Not found" };
      GET() {
        return kindred;
      }
    }
    class Range extends Resource {
      static GET = { "2xx": book, 200: book };
      GET() {
        return kindred;
      }
    }
    class Querry extends Resource {
      static GET = { querry: book, 200: book };
      GET() {
        return kindred;
      }
    }
    // @ts-expect-error -- 2000
    resources(Long);
    // @ts-expect-error -- 44
    resources(Short);
    // @ts-expect-error -- 44 in quotes
    resources(Quoted);
    // @ts-expect-error -- a range
    resources(Range);
    // @ts-expect-error -- a misspelled member
    resources(Querry);
  });

  it("C2.1 refuses what is neither a class nor a group", () => {
    // @ts-expect-error -- an instance
    resources(new Resource());
    // @ts-expect-error -- no resource
    resources(Date);
    // @ts-expect-error -- a path
    resources("/books");
    // @ts-expect-error -- without what is abstract
    resources(class extends Resource {} as abstract new () => Resource);
  });
});

describe("ResourceGroup", () => {
  class Book extends semantics.Resource {
    paths = ["/books/:isbn"] as const;
    static GET = { 200: book, 404: "None" };
    GET({ path }: Call<typeof Book, "GET">) {
      return path.isbn === "1" ? reply(404) : kindred;
    }
  }
  class Native extends native.Resource {
    paths = ["/native"] as const;
    GET() {
      return new Response();
    }
  }
  class Shape extends semantics.Resource {
    paths = ["/shape"] as const;
    static GET = { 200: book };
    GET() {
      return { isbn: 1, pages: 1 };
    }
  }
  class Status extends semantics.Resource {
    paths = ["/status"] as const;
    static GET = { 200: book };
    async GET() {
      return Math.random() > 0.5 ? kindred : reply(404);
    }
  }
  class Web extends semantics.Resource {
    paths = ["/web"] as const;
    static GET = { 200: book };
    GET() {
      return new Response();
    }
  }
  class Undeclared extends semantics.Resource {
    paths = ["/undeclared"] as const;
    GET() {
      return new Response();
    }
  }
  class Querry extends semantics.Resource {
    paths = ["/querry"] as const;
    static GET = { querry: book, 200: book };
    GET() {
      return kindred;
    }
  }
  class Leaf extends polyfill.Resource {}

  it("C8.8 takes classes of this module and the native one, groups, and arrays, and keeps their types", () => {
    const inner = semantics.ResourceGroup.builder().resources(Book).prefix("/api").build();
    const list = [Book, Native];
    const group = semantics.ResourceGroup.builder()
      .prefix("/v1")
      .resources(inner, [Book, [Native]])
      .resources(list)
      .middleware(semantics.Middleware)
      .build();
    expectTypeOf(inner).toEqualTypeOf<semantics.ResourceGroup<"/api", typeof Book>>();
    expectTypeOf(group).toEqualTypeOf<
      semantics.ResourceGroup<
        "/v1",
        typeof inner | readonly [typeof Book, readonly [typeof Native]] | (typeof Book | typeof Native)[]
      >
    >();
    expectTypeOf(group).toExtend<native.ResourceGroup>();
    expectTypeOf(native.ResourceGroup.builder().build()).toExtend<semantics.ResourceGroup>();
    expectTypeOf<typeof semantics.ResourceGroup.prototype>().toExtend<semantics.ResourceGroup>();
    semantics.Application.builder().resources(group, inner).build();
  });

  it("C8.8 refuses what resources() of an application refuses", () => {
    const builder = semantics.ResourceGroup.builder();
    // @ts-expect-error -- isbn is text
    builder.resources(Shape);
    // @ts-expect-error -- 404 is not declared
    builder.resources(Book, Status);
    // @ts-expect-error -- a Response
    builder.resources(Web);
    // @ts-expect-error -- a Response, without an operation
    builder.resources(Undeclared);
    // @ts-expect-error -- a misspelled member
    builder.resources(Querry);
    // @ts-expect-error -- in an array
    builder.resources([Book, [Shape]]);
    const list = [Book, Shape];
    // @ts-expect-error -- in a list
    builder.resources(list);
    // @ts-expect-error -- one by one
    builder.prefix("/api").resources(...list);
    // @ts-expect-error -- of the polyfill module
    builder.resources(Leaf);
    // @ts-expect-error -- an instance
    builder.resources(new Book());
    // @ts-expect-error -- a resource is no middleware
    builder.middleware(Book);
  });

  it("C2.1 takes any class in the other modules: build() refuses those of another one", () => {
    native.ResourceGroup.builder().resources(Shape, [Leaf], Native);
    polyfill.ResourceGroup.builder().resources(Shape, [Leaf], Native);
  });
});

describe("classes that extend classes with declarations", () => {
  class Book extends Resource {
    paths: readonly string[] = ["/books/:isbn"];
    static GET = { 200: book, 404: "None" };
    GET(_call: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
      return reply(404);
    }
  }

  it("C8.2 inherit operations with handlers, and extend them", () => {
    class Rare extends Book {
      static override GET = { ...Book.GET, summary: "A rare book", tags: ["rare"] };
    }
    class Old extends Book {
      static deprecated = { since: "2027-01-01" };
      override GET(call: Call<typeof Old, "GET">): Answer<typeof Old, "GET"> {
        return super.GET(call);
      }
    }
    class Priced extends Book {
      static override GET = {
        ...Book.GET,
        query: z.object({ currency: z.string() }),
        200: book.extend({ price: z.int() }),
      };
      override GET({ query }: Call<typeof Priced, "GET">): Answer<typeof Priced, "GET"> {
        return query.currency === "EUR" ? { ...kindred, price: 5 } : reply(404);
      }
    }
    resources(Rare, Old, Priced);
  });

  it("C8.2 are made by functions for what many resources share", () => {
    function readable<Item extends StandardSchema>(item: Item) {
      return class Readable extends Resource {
        static GET = { 200: item, 404: "None" };
        GET(_call: unknown): Answer<typeof Readable, "GET"> {
          return reply(404);
        }
      };
    }
    class Pen extends readable(z.object({ ink: z.string() })) {
      override paths = ["/pens/:id"] as const;
    }
    expectTypeOf({ ink: "blue" }).toExtend<Answer<typeof Pen, "GET">>();
    // @ts-expect-error -- ink is text
    ({ ink: 5 }) satisfies Answer<typeof Pen, "GET">;
    resources(Pen);
  });

  it("C8.2 declare an operation anew that does not fit the base's, by a base without it", () => {
    class Shop extends Resource {
      paths: readonly string[] = ["/books/:isbn"];
      static tags = ["books"];
      static GET = { query: z.object({ lang: z.string() }), 200: book, 404: "None" };
      GET(_call: Call<typeof Shop, "GET">): Answer<typeof Shop, "GET"> {
        return this.find("1");
      }
      static PUT = { content: book, 204: "Stored" };
      PUT({ content }: Call<typeof Shop, "PUT">): Answer<typeof Shop, "PUT"> {
        return content.pages > 1 ? reply(204) : undefined;
      }
      protected find(isbn: string): typeof kindred {
        return { isbn, pages: 1 };
      }
    }
    class Rare extends (Shop as WithoutOperations<typeof Shop, "GET">) {
      static GET = { query: z.object({ lang: z.enum(["en"]) }), 200: book.extend({ price: z.number() }), 404: "None" };
      override GET({ path }: Call<typeof Rare, "GET">): Answer<typeof Rare, "GET"> {
        return { ...this.find(path["isbn"] ?? ""), price: 5 };
      }
      protected override find(isbn: string): typeof kindred {
        return { ...super.find(isbn), pages: 2 };
      }
    }
    resources(Rare);
    expectTypeOf(Rare.tags).toEqualTypeOf<string[]>();
    expectTypeOf<Call<typeof Rare, "PUT">["content"]>().toEqualTypeOf<typeof kindred>();
    // @ts-expect-error -- 404 is missing, and so is the query
    class Wrong extends Shop {
      static override GET = { 200: book };
    }
    void Wrong;
  });

  it("C8.2 share a base without operations, where one has other statuses", () => {
    abstract class Shelf extends Resource {
      protected find(isbn: string): typeof kindred | undefined {
        return isbn === "1" ? kindred : undefined;
      }
    }
    class Common extends Shelf {
      paths = ["/books/:isbn"] as const;
      static GET = { 200: book, 404: "None" };
      GET({ path }: Call<typeof Common, "GET">): Answer<typeof Common, "GET"> {
        return this.find(path.isbn) ?? reply(404);
      }
    }
    class Rare extends Shelf {
      paths = ["/rare/:isbn"] as const;
      static GET = { ...Common.GET, 409: "Lent" };
      GET({ path }: Call<typeof Rare, "GET">): Answer<typeof Rare, "GET"> {
        return this.find(path.isbn) ?? reply(409);
      }
    }
    resources(Common, Rare);
  });
});
