import {
  Application,
  Attribute,
  bytes,
  HTTPError,
  json,
  jsonSchema,
  Middleware,
  page,
  patch,
  reply,
  Resource,
  ResourceGroup,
  Status,
  type Answer,
  type Call,
} from "fingerpost";
import { client } from "fingerpost/client";
import { mock } from "fingerpost/mock";
import { Application as NativeApplication, Resource as NativeResource, Response } from "fingerpost/native";
import { document } from "fingerpost/openapi";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "../openapi/client-types.ts";

const written = z.object({
  title: z.string().min(1),
  pages: z.int().optional(),
  tags: z.array(z.object({ name: z.string() })).optional(),
  publisher: z.object({ name: z.string() }).optional(),
});
const read = written.extend({
  id: z.int(),
  tags: z.array(z.object({ id: z.int(), name: z.string() })).optional(),
  publisher: z.object({ name: z.string(), country: z.string() }).optional(),
});

type Stored = z.infer<typeof read>;

const emma: Stored = {
  id: 7,
  title: "Emma",
  pages: 1036,
  tags: [
    { id: 1, name: "novel" },
    { id: 2, name: "irony" },
  ],
  publisher: { name: "Murray", country: "GB" },
};

/** An application of one book, and what happens to it. */
function library(stored: Stored | null = emma) {
  const state = { stored, version: 1, puts: [] as unknown[], isRaced: 0, gets: 0 };

  class Book extends Resource {
    override paths = ["/books/:id", "/old/:id"] as const;

    validator() {
      return state.stored && { etag: `"v${state.version}"` };
    }

    static GET = { 200: read, 404: "No such book", 410: z.object({ since: z.string() }) };
    override GET(): Answer<typeof Book, "GET"> {
      state.gets++;
      const { stored: answer } = state;
      if (state.isRaced > 0) {
        state.isRaced--;
        state.version++;
      }
      return answer ?? reply(404);
    }

    static PUT = { at: ["/books/:id"] as const, content: written, 200: read, 403: "Not yours", cache: "no-store" };
    override PUT({ content }: Call<typeof Book, "PUT">): Answer<typeof Book, "PUT"> {
      state.puts.push(content);
      state.version++;
      if (content.title === "theirs") return reply(403);
      const { tags, publisher, ...more } = content;
      return (state.stored = {
        id: 7,
        ...more,
        ...(tags && { tags: tags.map((tag, at) => ({ id: at + 1, ...tag })) }),
        ...(publisher && { publisher: { country: "GB", ...publisher } }),
      });
    }

    static PATCH = { ...patch(this.GET, this.PUT), summary: "Changes a book" };
  }

  const app = Application.builder().resources(Book).build();
  const send = async (body: unknown, headers: Record<string, string> = {}, path = "/books/7") => {
    const type = Array.isArray(body) ? "application/json-patch+json" : "application/merge-patch+json";
    const response = await app.request(path, {
      method: "PATCH",
      headers: { "content-type": type, ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const told = text === "" ? undefined : (JSON.parse(text) as { detail?: string; errors?: { pointer: string }[] });
    return { response, status: response.status, told };
  };
  return Object.assign(state, { app, send });
}

describe("C18.1 patch()", () => {
  it("patches what GET sends by a merge patch, checks it by the schema of PUT, and runs PUT", async () => {
    const { send, puts } = library();
    const { status, told, response } = await send({ title: "Emma!", pages: null });
    const { pages: _, ...others } = emma;
    expect([status, told]).toEqual([200, { ...others, title: "Emma!" }]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(puts).toEqual([
      { title: "Emma!", tags: [{ name: "novel" }, { name: "irony" }], publisher: { name: "Murray" } },
    ]);
  });

  it("patches by a JSON Patch", async () => {
    const { send, puts } = library();
    const { status } = await send([
      { op: "test", path: "/title", value: "Emma" },
      { op: "add", path: "/tags/0", value: { name: "first" } },
      { op: "remove", path: "/pages" },
      { op: "move", from: "/tags/1", path: "/tags/2" },
    ]);
    expect(status).toBe(200);
    expect(puts).toEqual([
      {
        title: "Emma",
        tags: [{ name: "first" }, { name: "irony" }, { name: "novel" }],
        publisher: { name: "Murray" },
      },
    ]);
  });

  it("refuses to change members that PUT does not take, with their pointers", async () => {
    const { send, puts } = library();
    const pointers = async (body: unknown) => {
      const { status, told } = await send(body);
      return [status, ...(told?.errors ?? []).map(({ pointer }) => pointer)];
    };
    expect(await pointers({ id: 8, publisher: { country: "FR" } })).toEqual([422, "#/id", "#/publisher/country"]);
    expect(await pointers({ id: null })).toEqual([422, "#/id"]);
    expect(await pointers([{ op: "replace", path: "/tags/1/id", value: 3 }])).toEqual([422, "#/tags/1/id"]);
    expect(puts).toEqual([]);
    expect(await pointers({ id: 7, publisher: { country: "GB" } })).toEqual([200]);
  });

  it("answers 422 for a result that PUT refuses, 400 for what is no patch, 415 with Accept-Patch", async () => {
    const { send, puts, app } = library();
    const { status, told } = await send({ title: "" });
    expect([status, told!.errors!.map(({ pointer }) => pointer)]).toEqual([422, ["#/title"]]);
    // A merge patch that is not an object replaces the whole content (RFC 7396 §2).
    expect((await send("x")).status).toBe(422);
    expect((await send([{ op: "spam" }])).status).toBe(400);
    expect((await send({}, { "content-type": "application/json-patch+json" })).status).toBe(400);
    expect((await send(undefined)).status).toBe(400);
    const other = await send({}, { "content-type": "application/json" });
    const types = "application/merge-patch+json, application/json-patch+json";
    expect([other.status, other.response.headers.get("accept-patch")]).toEqual([415, types]);
    const options = await app.request("/books/7", { method: "OPTIONS" });
    expect(options.headers.get("accept-patch")).toBe(types);
    expect(options.headers.get("allow")).toContain("PATCH");
    expect(puts).toEqual([]);
  });

  it("answers 404 as GET does, and passes on what PUT answers", async () => {
    expect((await library(null).send({ title: "x" })).status).toBe(404);
    expect((await library().send({ title: "theirs" })).status).toBe(403);
  });

  it("exists where GET and PUT do", async () => {
    const { send, app } = library();
    const { status, response } = await send({}, {}, "/old/7");
    expect([status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const { paths } = document(app, { title: "T", version: "1" });
    expect(Object.keys(paths!["/old/{id}"]!)).not.toContain("patch");
  });

  it("sends no fields of the patch to GET and PUT, and all others", async () => {
    const seen: [string, Record<string, string>][] = [];
    class Seeing extends Middleware {
      override GET(request: Request) {
        seen.push(["GET", Object.fromEntries(request.headers)]);
        return this.next(request);
      }
      override PUT(request: Request) {
        seen.push(["PUT", Object.fromEntries(request.headers)]);
        return this.next(request);
      }
    }
    class Note extends Resource {
      override paths = ["/note"] as const;
      validator() {
        return { etag: '"1"' };
      }
      static GET = { 200: z.object({ text: z.string() }) };
      override GET() {
        return { text: "a" };
      }
      static PUT = { content: z.object({ text: z.string() }), 204: "Written" };
      override PUT() {
        return reply(204);
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    const app = Application.builder()
      .resources(ResourceGroup.builder().resources(Note).middleware(Seeing).build())
      .build();
    const headers = {
      accept: "application/json",
      "accept-encoding": "br",
      authorization: "Bearer x",
      "content-type": "application/merge-patch+json",
      "idempotency-key": "k",
      "if-match": '"1"',
      prefer: "return=minimal",
    };
    expect((await app.request("/note", { method: "PATCH", headers, body: '{"text":"b"}' })).status).toBe(204);
    expect(seen).toEqual([
      ["GET", { accept: "application/json", authorization: "Bearer x" }],
      [
        "PUT",
        {
          accept: "application/json",
          "accept-encoding": "br",
          authorization: "Bearer x",
          "content-type": "application/json",
          "if-match": '"1"',
          prefer: "return=minimal",
        },
      ],
    ]);
  });
});

describe("C18.2 patch() and changes in between", () => {
  it("answers 412 for If-Match, and applies the patch again without it", async () => {
    const one = library();
    one.isRaced = 1;
    expect((await one.send({ title: "x" }, { "if-match": '"v1"' })).status).toBe(412);
    expect([one.gets, one.puts.length]).toEqual([1, 0]);

    const other = library();
    other.isRaced = 3;
    expect((await other.send({ title: "x" })).status).toBe(200);
    expect([other.gets, other.puts.length]).toEqual([4, 1]);
  });

  it("answers 409 when it has changed four times", async () => {
    const one = library();
    one.isRaced = 9;
    const { status, told } = await one.send({ title: "x" });
    expect([status, told!.detail]).toEqual([409, "The content changed four times; send the patch again"]);
    expect([one.gets, one.puts.length]).toEqual([4, 0]);
  });

  it("applies again where PUT itself answers 412, and passes that on with If-Match", async () => {
    let puts = 0;
    class Counter extends Resource {
      override paths = ["/counter"] as const;
      validator() {
        return { etag: '"1"' };
      }
      static GET = { 200: z.object({ n: z.int() }) };
      override GET() {
        return { n: 1 };
      }
      static PUT = { content: z.object({ n: z.int() }), 204: "Written", 412: "Changed" };
      override PUT() {
        return puts++ === 0 ? reply(412) : reply(204);
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    const app = Application.builder().resources(Counter).build();
    const ask = (headers: Record<string, string>) =>
      app.request("/counter", {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json", ...headers },
        body: "{}",
      });
    expect([(await ask({})).status, puts]).toEqual([204, 2]);
    puts = 0;
    expect([(await ask({ "if-match": '"1"' })).status, puts]).toEqual([412, 1]);
  });

  it("loses none of two patches at once", async () => {
    const both = library();
    const [one, other] = await Promise.all([both.send({ title: "one" }), both.send({ pages: 2 })]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(both.stored).toMatchObject({ title: "one", pages: 2 });

    const tagged = library();
    const statuses = await Promise.all(
      [{ title: "one" }, { pages: 2 }].map(async (body) => (await tagged.send(body, { "if-match": '"v1"' })).status),
    );
    expect(statuses.toSorted()).toEqual([200, 412]);
  });

  it("asks validator() about GET, and when the handler of PUT begins", async () => {
    const asked: string[] = [];
    const declared = (isRequired: boolean) => {
      class Counted extends Resource {
        override paths = [`/${isRequired ? "strict" : "free"}`] as const;
        validator({ request }: { request: Request }) {
          asked.push(request.method);
          return { etag: '"1"' };
        }
        static GET = { 200: z.object({ n: z.int() }) };
        override GET() {
          return { n: 1 };
        }
        static PUT = { content: z.object({ n: z.int() }), precondition: isRequired, 204: "Written" };
        override PUT() {
          // What the handler does comes in the same turn.
          asked.push("handler");
          return reply(204);
        }
        static PATCH = patch(this.GET, this.PUT);
      }
      return Counted;
    };
    const app = Application.builder().resources(declared(false), declared(true)).build();
    const ask = async (path: string, headers: object = {}): Promise<[number, string]> => {
      asked.length = 0;
      const sent = { "content-type": "application/merge-patch+json", ...headers };
      const { status } = await app.request(path, { method: "PATCH", headers: sent, body: '{"n":2}' });
      return [status, asked.join(" ")];
    };
    expect(await ask("/free")).toEqual([204, "GET PUT handler"]);
    // A patch that is refused by its own precondition is refused before it is read.
    expect(await ask("/free", { "if-match": '"1"' })).toEqual([204, "PATCH GET PUT handler"]);
    expect(await ask("/free", { "if-match": '"0"' })).toEqual([412, "PATCH"]);
    expect(await ask("/strict")).toEqual([428, "PATCH"]);
    expect(await ask("/strict", { "if-match": '"1"' })).toEqual([204, "PATCH GET PUT handler"]);
  });

  it("weighs preconditions by what GET has read", async () => {
    // The version that the client names comes between two reads of validator(), and goes again.
    const state = { version: "a" };
    class Flaky extends Resource {
      override paths = ["/flaky"] as const;
      validator() {
        return { etag: `"${state.version}"` };
      }
      static GET = { 200: z.object({ n: z.int() }) };
      override GET() {
        return { n: 1 };
      }
      static PUT = { content: z.object({ n: z.int() }), 204: "Written" };
      override PUT() {
        return reply(204);
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    class Switching extends Middleware {
      override GET(request: Request) {
        state.version = "b";
        return this.next(request);
      }
    }
    const app = Application.builder()
      .resources(ResourceGroup.builder().resources(Flaky).middleware(Switching).build())
      .build();
    const headers = { "content-type": "application/merge-patch+json", "if-match": '"a", "b"' };
    expect((await app.request("/flaky", { method: "PATCH", headers, body: "{}" })).status).toBe(412);
  });

  it("requires a precondition where PUT does", async () => {
    class Strict extends Resource {
      override paths = ["/strict"] as const;
      validator() {
        return { etag: '"1"' };
      }
      static GET = { 200: { content: { "text/csv": bytes(), "application/json": z.object({ n: z.int() }) } } };
      override GET() {
        return { n: 1 };
      }
      static PUT = {
        content: json(z.object({ n: z.int() }), { maxBytes: 30 }),
        204: "Written",
        precondition: true,
      };
      override PUT() {
        return reply(204);
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    const app = Application.builder()
      .resources(Strict as never)
      .build();
    const ask = async (headers: Record<string, string>, body = "{}") =>
      (
        await app.request("/strict", {
          method: "PATCH",
          headers: { "content-type": "application/merge-patch+json", ...headers },
          body,
        })
      ).status;
    expect(await ask({})).toBe(428);
    // The tag of the CSV, and that of the JSON, name the same version.
    expect(await ask({ "if-match": '"1"' })).toBe(204);
    expect(await ask({ "if-match": '"1~application/json"' })).toBe(204);
    expect(await ask({ "if-match": '"2"' })).toBe(412);
    expect(await ask({ "if-none-match": "*" })).toBe(412);
    const copy = JSON.stringify([{ op: "copy", from: "", path: "/a" }]);
    expect(await ask({ "if-match": '"1"', "content-type": "application/json-patch+json" }, copy)).toBe(204);
    const copies = JSON.stringify(Array.from({ length: 9 }, (_, at) => ({ op: "copy", from: "", path: `/${at}` })));
    expect(await ask({ "if-match": '"1"', "content-type": "application/json-patch+json" }, copies)).toBe(413);
  });

  it("needs a strong tag, and JSON of 200", async () => {
    const errors: string[] = [];
    const ask = async (etag: string | undefined, status: 200 | 204) => {
      class Odd extends Resource {
        override paths = ["/odd"];
        validator() {
          return etag === undefined ? { lastModified: new Date(0) } : { etag };
        }
        static GET = { 200: z.object({ n: z.int() }), 204: "None" };
        override GET() {
          return status === 200 ? { n: 1 } : reply(204);
        }
        static PUT = { content: z.object({ n: z.int() }), 204: "Written" };
        override PUT() {
          return reply(204);
        }
        static PATCH = patch(this.GET, this.PUT);
      }
      const app = Application.builder()
        .resources(Odd)
        .onError((error) => void errors.push(String(error)))
        .build();
      const headers = { "content-type": "application/merge-patch+json" };
      return (await app.request("/odd", { method: "PATCH", headers, body: "{}" })).status;
    };
    expect([await ask(undefined, 200), await ask('W/"1"', 200), await ask('"1"', 204)]).toEqual([500, 500, 500]);
    expect(errors).toEqual([
      expect.stringContaining("validator() has no strong etag for what GET sends"),
      expect.stringContaining("validator() has no strong etag for what GET sends"),
      "TypeError: Cannot answer PATCH of Odd: GET answers 204, and only JSON of 200 can be patched",
    ]);
  });
});

describe("C18.3 patch() and guards", () => {
  it("runs the middleware of GET and PUT once each, with the request that it is for", async () => {
    const ran: string[] = [];
    const seen = new Attribute<string>("seen");
    const around = (name: string, members: readonly string[]) => {
      class Noting extends Middleware {}
      Object.defineProperty(Noting, "name", { value: name });
      for (const member of members) {
        Object.defineProperty(Noting.prototype, member, {
          async value(this: Middleware, request: Request) {
            ran.push(`${name}.${member} ${request.method} ${seen.find(request) ?? ""}`.trim());
            if (member === "ALL") seen.set(request, name);
            const given = (await this.next(request)) as globalThis.Response;
            ran.push(`${name} ${given.status}`);
            return given;
          },
        });
      }
      return Noting;
    };
    class Note extends Resource {
      override paths = ["/notes/:id"] as const;
      static middleware = [around("Own", ["ALL", "PUT"])];
      validator() {
        return { etag: '"1"' };
      }
      static GET = { 200: z.object({ text: z.string() }) };
      override GET(call: Call<typeof Note, "GET">) {
        ran.push(`GET of ${call.path.id} ${seen.get(call)}`);
        return { text: "a" };
      }
      static PUT = { content: z.object({ text: z.string() }), 204: "Written" };
      override PUT({ path, content }: Call<typeof Note, "PUT">) {
        ran.push(`PUT of ${path.id} ${content.text}`);
        return reply(204);
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    const app = Application.builder()
      .middleware(around("App", ["GET"]))
      .resources(
        ResourceGroup.builder()
          .resources(Note)
          .middleware(around("All", ["ALL"]), around("Group", ["GET", "PUT", "PATCH"]))
          .build(),
      )
      .build();
    const response = await app.request("/notes/7", {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: '{"text":"b"}',
    });
    expect(response.status).toBe(204);
    expect(ran).toEqual([
      "All.ALL PATCH",
      "Group.PATCH PATCH All",
      "Own.ALL PATCH All",
      "App.GET GET Own",
      "Group.GET GET Own",
      "GET of 7 Own",
      "Group 200",
      "App 200",
      "Group.PUT PUT Own",
      "Own.PUT PUT Own",
      "PUT of 7 b",
      "Own 204",
      "Group 204",
      "Own 204",
      "Group 204",
      "All 204",
    ]);
  });

  it("reads what middleware made of the answer of GET", async () => {
    class Copying extends Middleware {
      override async GET(request: Request) {
        const answer = (await this.next(request)) as Response;
        const { text } = (await answer.json()) as { readonly text: string };
        return new Response(new TextEncoder().encode(JSON.stringify({ text: `${text}!` })), answer);
      }
    }
    const puts: unknown[] = [];
    class Note extends Resource {
      override paths = ["/note"] as const;
      static middleware = [Copying];
      validator() {
        return { etag: '"1"' };
      }
      static GET = { 200: z.object({ text: z.string() }) };
      override GET() {
        return { text: "a" };
      }
      static PUT = { content: z.object({ text: z.string(), by: z.string() }), 204: "Written" };
      override PUT({ content }: Call<typeof Note, "PUT">) {
        puts.push(content);
        return reply(204);
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    const app = Application.builder().resources(Note).build();
    const headers = { "content-type": "application/merge-patch+json" };
    const { status } = await app.request("/note", { method: "PATCH", headers, body: '{"by":"Ada"}' });
    expect([status, puts]).toEqual([204, [{ text: "a!", by: "Ada" }]]);
  });

  // Middleware of any place and kind: tests/properties/patch-guards.test.ts.
  it.each(["GET", "PUT", "PATCH", "ALL"])(
    "reaches no handler past a guard of %s inside of replacements",
    async (name) => {
      const reached: string[] = [];
      class Guard extends Middleware {}
      Object.defineProperty(Guard.prototype, name, {
        value: () => {
          throw new HTTPError(Status.Forbidden);
        },
      });
      class Replacing extends Middleware {
        override GET(request: Request) {
          return this.next(request, new Request(request.url, { headers: request.headers }));
        }
        override PUT(request: Request) {
          return this.next(request, new Request(request));
        }
      }
      class Note extends Resource {
        override paths = ["/note"] as const;
        static middleware = [Replacing, Guard];
        validator() {
          return { etag: '"1"' };
        }
        static GET = { 200: z.object({ text: z.string() }) };
        override GET() {
          reached.push("GET");
          return { text: "a" };
        }
        static PUT = { content: z.object({ text: z.string() }), 204: "Written" };
        override PUT() {
          reached.push("PUT");
          return reply(204);
        }
        static PATCH = patch(this.GET, this.PUT);
      }
      const app = Application.builder().resources(Note).build();
      const headers = { "content-type": "application/merge-patch+json" };
      expect((await app.request("/note", { method: "PATCH", headers, body: "{}" })).status).toBe(403);
      expect(reached).toEqual(name === "PUT" ? ["GET"] : []);
    },
  );
});

describe("build() and patch()", () => {
  const book = z.object({ n: z.int() });

  function built(declarations: object, members: object = { validator: () => ({ etag: '"1"' }) }) {
    class Book extends Resource {
      override paths = ["/book"];
      override GET(): unknown {
        return { n: 1 };
      }
      override PUT(): unknown {
        return reply(204);
      }
    }
    Object.assign(Book, declarations);
    Object.assign(Book.prototype, members);
    return () =>
      Application.builder()
        .resources(Book as never)
        .build();
  }
  const get = { 200: book };
  const put = { content: book, 204: "Written" };
  const cannot = "Cannot add Book to the application: static PATCH is made by patch(), ";

  it("refuses what cannot work, and says what to write", () => {
    const of = (GET: object, PUT: object, more: object = {}) => ({ GET, PUT, PATCH: { ...patch(GET, PUT), ...more } });
    const rows: readonly (readonly [object, string])[] = [
      [{ GET: get, PATCH: patch(get, put) }, "and the class declares no PUT; declare static PUT"],
      [{ PUT: put, PATCH: patch(get, put) }, "and the class declares no GET; declare static GET"],
      [
        of({ ...get, query: z.object({ q: z.string() }) }, put),
        "and GET requires query, which a patch lacks; make each member optional",
      ],
      [
        of(get, { ...put, cookies: z.object({ c: z.string() }) }),
        "and PUT requires cookies, which a patch lacks; make each member optional",
      ],
      [
        of(get, put, { idempotency: { optional: true } }),
        "which takes no Idempotency-Key; leave out idempotency, or write PATCH(call) { … }",
      ],
      [of({ 200: bytes() }, put), "and 200 of GET is not JSON; write PATCH(call) { … }"],
      [
        of(get, { ...put, idempotency: true }, { idempotency: undefined }),
        "which takes no Idempotency-Key; leave out idempotency, or write PATCH(call) { … }",
      ],
      [of({ 204: "None" }, put), "and 200 of GET is not JSON; write PATCH(call) { … }"],
      [
        of({ 200: { content: { "text/csv": z.string(), "application/json": bytes() } } }, put),
        "and 200 of GET is not JSON; write PATCH(call) { … }",
      ],
      [
        of({ 200: page(book, { by: book, secrets: ["a secret of the tests, which is long enough"] }) }, put),
        "and 200 of GET is a page of what there is; write PATCH(call) { … }",
      ],
      [
        of({ ...get, 404: book }, { ...put, 404: "No such book" }),
        "and answers 404 otherwise than GET; declare the same for GET and PUT",
      ],
      [
        of({ ...get, 400: "Wrong" }, { ...put, 400: book }),
        "and answers 400 otherwise than GET; declare the same for GET and PUT",
      ],
      [
        of(get, { content: z.record(z.string(), z.int()), 204: "Written" }),
        "and the content of PUT names no members of JSON; write the schema of an object",
      ],
      [
        of(get, { content: bytes(), 204: "Written" }),
        "and the content of PUT names no members of JSON; write the schema of an object",
      ],
      [
        of(get, { content: { "text/csv": z.object({}), "application/json": bytes() }, 204: "Written" }),
        "and the content of PUT names no members of JSON; write the schema of an object",
      ],
      [of(get, { 204: "Written" }), "and the content of PUT names no members of JSON; write the schema of an object"],
    ];
    for (const [declarations, message] of rows) expect(built(declarations)).toThrow(cannot + message);
    expect(built(of(get, put), {})).toThrow(
      `${cannot}which would lose changes without a validator; write validator(call) { … }`,
    );
    expect(built(of(get, put), { validator: () => null, PATCH: () => reply(204) })).toThrow(
      `${cannot}and the class has a method PATCH; leave out one of them`,
    );
    expect(built({ GET: get, PUT: patch(get, put) })).toThrow(
      "static PUT is made by patch(), which makes PATCH; write static PATCH = patch(this.GET, this.PUT)",
    );
    expect(() => patch(undefined as never, put)).toThrow(
      "Cannot call patch(): expected the declaration of GET, got undefined; write patch(this.GET, this.PUT) below both",
    );
    expect(built(of({ ...get, query: z.object({ q: z.string().optional() }) }, put))).not.toThrow();
    const shape = { $ref: "#/$defs/book", $defs: { book: { type: "object", properties: { n: { type: "integer" } } } } };
    expect(built(of(get, { ...put, content: jsonSchema(shape, () => true) }))).not.toThrow();
    expect(built(of({ ...get, 404: "None" }, { ...put, 404: "No such book" }))).not.toThrow();
  });

  it("refuses a class of the native module when it is described", () => {
    class Book extends NativeResource {
      override paths = ["/book"];
      static GET = get;
      override GET() {
        return new Response();
      }
      static PUT = put;
      override PUT() {
        return new Response();
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    const app = NativeApplication.builder().resources(Book).build();
    expect(() => document(app, { title: "T", version: "1" })).toThrow(
      `${cannot}which its module cannot do; write PATCH(request) { … }`,
    );
  });
});

describe("what reads a declaration of patch()", () => {
  it("describes both types of content, guards and statuses in the document", () => {
    const { app } = library();
    const { patch: operation } = document(app, { title: "T", version: "1" }).paths!["/books/{id}"]!;
    expect(operation).toMatchObject({ operationId: "patchBook", summary: "Changes a book" });
    const { requestBody, responses } = operation as unknown as {
      requestBody: { content: Record<string, { schema: object }> };
      responses: Record<string, unknown>;
    };
    expect(
      Object.entries(requestBody.content).map(([type, { schema }]) => [type, (schema as { type: string }).type]),
    ).toEqual([
      ["application/merge-patch+json", "object"],
      ["application/json-patch+json", "array"],
    ]);
    const { properties, required } = requestBody.content["application/merge-patch+json"]!.schema as {
      properties: Record<string, { anyOf: object[] }>;
      required?: unknown;
    };
    expect(required).toBeUndefined();
    expect(Object.keys(properties)).toEqual(Object.keys(written.shape));
    for (const { anyOf } of Object.values(properties)) expect(anyOf.at(-1)).toEqual({ type: "null" });
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(["200", "400", "403", "404", "409", "410", "412", "413", "415", "422"]),
    );
    expect(clientTypes(app.dispatcher)).toContain('type: "application/merge-patch+json"');
  });

  it("types the client", async () => {
    const { app } = library();
    const api = client<typeof app>("http://localhost", { fetch: app.fetch });
    const result = await api["/books/:id"].PATCH({
      path: { id: 7 },
      type: "application/merge-patch+json",
      content: { pages: null, publisher: { name: "Penguin" } },
    });
    if (result.status === 410) expectTypeOf(result.content).toEqualTypeOf<{ since: string }>();
    if (result.status === 409) expectTypeOf(result.content.detail).toEqualTypeOf<string | undefined>();
    if (!result.ok) throw new Error(`${result.status}`);
    expectTypeOf(result.content.title).toEqualTypeOf<string>();
    expect(result.content.publisher).toEqual({ name: "Penguin", country: "GB" });
    const again = await api["/books/:id"].PATCH({
      path: { id: 7 },
      type: "application/json-patch+json",
      content: [{ op: "replace", path: "/title", value: "x" }],
    });
    expect(again.status).toBe(200);
    const wrong = {
      path: { id: 7 },
      type: "application/merge-patch+json",
      // @ts-expect-error a member that PUT does not take
      content: { titel: "x" },
    } satisfies Parameters<(typeof api)["/books/:id"]["PATCH"]>[0];
    expect(wrong.type).toBe("application/merge-patch+json");
  });

  it("explains it", async () => {
    const { app } = library();
    const request = () =>
      new Request("http://localhost/books/7", {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: '{"title":"x"}',
      });
    const { questions } = await app.explain(request());
    expect(questions.at(-1)!.finding).toMatch(/^not called: PATCH of Book, made of its GET and PUT, which declares /);
    expect((await app.explain(request(), { run: true })).status).toBe(200);
  });

  it("mocks it", async () => {
    const { app } = library();
    const response = await mock(app).request("/books/7", {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: '{"title":"x"}',
    });
    expect(response.status).toBe(200);
  });
});
