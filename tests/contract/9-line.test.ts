import { Files, type FileSource } from "fingerpost/files";
import { allowedMethods } from "fingerpost/middleware/allowed-methods";
import { conditional, negotiate, negotiatedOf } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import {
  Application,
  Attribute,
  bytes,
  events,
  HTTPError,
  Middleware,
  reply,
  Resource,
  ResourceGroup,
  Status,
  text,
  type Answer,
  type Call,
} from "fingerpost";
import { openapi } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { rejectionOf, thrownBy } from "../support/chains.ts";

function request(method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit): Request {
  return new Request(`http://localhost${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

const isJson = { "content-type": "application/json" };
const modified = new Date("2026-01-31T12:00:00Z");

class Note extends Resource {
  paths = ["/notes/:id"] as const;
  readonly asked: string[] = [];

  validator({ path }: { readonly path: { readonly id: string } }) {
    if (path.id === "wrong") return { etag: "no quotes" };
    if (path.id === "undated") return { lastModified: new Date(Number.NaN) };
    if (path.id === "unknown") return undefined;
    return path.id === "none" ? null : { etag: '"7"', lastModified: modified };
  }

  static GET = { query: z.object({ n: z.int().optional() }), cache: "max-age=60", 200: text(), 404: "No note" };
  override GET({ path }: Call<typeof Note, "GET">): Answer<typeof Note, "GET"> {
    return path.id === "none" ? reply(404) : "Buy milk";
  }

  static PUT = {
    content: z.object({ text: z.string() }),
    precondition: true,
    200: text(),
    204: "Stored",
  };
  override PUT({ content }: Call<typeof Note, "PUT">): Answer<typeof Note, "PUT"> {
    return content.text;
  }

  static QUERY = { content: z.object({ word: z.string() }), 200: z.array(z.string()) };
  override QUERY({ content }: Call<typeof Note, "QUERY">): Answer<typeof Note, "QUERY"> {
    return [content.word];
  }
}

class Image extends Resource {
  paths = ["/image"] as const;
  validator() {
    return { etag: '"1"' };
  }

  static GET = { 200: bytes("image/png") };
  override GET(): Answer<typeof Image, "GET"> {
    return new TextEncoder().encode("0123456789");
  }
}

class Tagged extends Resource {
  paths = ["/tagged"] as const;
  static GET = { etag: "content" as const, 200: z.object({ n: z.int() }) };
  override GET(): Answer<typeof Tagged, "GET"> {
    return { n: 1 };
  }
}

const app = Application.builder()
  .resources(Note, Image, Tagged)
  .onError(() => {})
  .build();
const ask = (method: string, path: string, headers?: Record<string, string>, body?: BodyInit): Promise<Response> =>
  app.fetch(request(method, path, headers, body));
const put = (
  path: string,
  headers: Record<string, string>,
  content: unknown = { text: "Buy tea" },
): Promise<Response> => ask("PUT", path, { ...isJson, ...headers }, JSON.stringify(content));

describe("the line", () => {
  it("C9.1 asks whether the method is allowed, before all else", async () => {
    const refused = await ask("DELETE", "/notes/1?n=x");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS, PUT, QUERY"]);
    const options = await ask("OPTIONS", "/notes/1");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, PUT, QUERY"]);
    expect(options.headers.get("accept-query")).toBe("application/json");
  });

  it("C9.1 asks for the query before the type, for that before Accept, for that before preconditions", async () => {
    expect((await ask("PUT", "/notes/1", {}, "x")).status).toBe(415);
    expect((await put("/notes/1", { accept: "image/png" })).status).toBe(406);
    expect((await ask("GET", "/notes/1?n=x", { accept: "image/png" })).status).toBe(400);
    expect((await ask("GET", "/notes/1", { accept: "image/png" })).headers.get("vary")).toBe("Accept");
    expect((await put("/notes/1", {})).status).toBe(428);
    expect((await put("/notes/1", { "if-match": '"6"' }, { text: 5 })).status).toBe(412);
    expect((await put("/notes/1", { "if-match": '"7"' }, { text: 5 })).status).toBe(422);
  });

  it("C9.1 evaluates preconditions by the validators of the resource", async () => {
    const stored = await put("/notes/1", { "if-match": '"7"' });
    expect([stored.status, await stored.text()]).toEqual([200, "Buy tea"]);
    expect(stored.headers.has("etag")).toBe(false);
    const read = await ask("GET", "/notes/1");
    expect([read.headers.get("etag"), read.headers.get("last-modified")]).toEqual(['"7"', modified.toUTCString()]);
    expect(read.headers.get("cache-control")).toBe("max-age=60");
    const known = await ask("GET", "/notes/1", { "if-none-match": '"7"' });
    expect([known.status, known.headers.get("etag"), await known.text()]).toEqual([304, '"7"', ""]);
    expect(known.headers.get("cache-control")).toBe("max-age=60");
    const unchanged = await ask("GET", "/notes/1", { "if-modified-since": modified.toUTCString() });
    expect(unchanged.status).toBe(304);
    expect((await put("/notes/1", { "if-unmodified-since": modified.toUTCString() })).status).toBe(200);
    expect((await put("/notes/1", { "if-unmodified-since": "no date" })).status).toBe(428);
  });

  it("C9.1 knows a resource that is not there, or whose validators are not known", async () => {
    expect((await ask("GET", "/notes/none", { "if-none-match": "*" })).status).toBe(404);
    expect((await ask("GET", "/notes/none", { "if-match": "*" })).status).toBe(412);
    expect((await put("/notes/none", {})).status).toBe(200);
    expect((await put("/notes/none", { "if-match": "*" })).status).toBe(412);
    expect((await ask("GET", "/notes/unknown", { "if-none-match": "*" })).status).toBe(200);
    expect((await put("/notes/unknown", { "if-unmodified-since": modified.toUTCString() })).status).toBe(200);
    const wrong = await rejectionOf(app.handle(request("GET", "/notes/wrong")));
    expect((wrong as Error).message).toMatch(
      /^Cannot evaluate preconditions: validator\(\) of Note gave the etag "no quotes"/,
    );
    const undated = await rejectionOf(app.handle(request("GET", "/notes/undated")));
    expect((undated as Error).message).toMatch(
      /^Cannot evaluate preconditions: validator\(\) of Note gave the lastModified/,
    );
  });

  it("C9.1 answers 204 to a client that prefers little", async () => {
    const minimal = await put("/notes/1", { "if-match": "*", prefer: "return=minimal" });
    expect([minimal.status, minimal.headers.get("preference-applied")]).toEqual([204, "return=minimal"]);
    expect(minimal.headers.get("vary")).toBe("Prefer");
  });

  it("C9.1 answers with a part of the content", async () => {
    const part = await ask("GET", "/image", { range: "bytes=2-4" });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 2-4/10", "234"]);
    expect(part.headers.get("content-length")).toBe("3");
    const outside = await ask("GET", "/image", { range: "bytes=20-" });
    expect([outside.status, outside.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    const current = await ask("GET", "/image", { range: "bytes=-1", "if-range": '"1"' });
    expect([current.status, await current.text()]).toEqual([206, "9"]);
    const changed = await ask("GET", "/image", { range: "bytes=-1", "if-range": '"0"' });
    expect([changed.status, changed.headers.get("accept-ranges")]).toEqual([200, "bytes"]);
    expect((await ask("GET", "/image", { range: "bytes=0-1,4-5" })).status).toBe(200);
    expect((await ask("HEAD", "/image", { range: "bytes=0-1" })).status).toBe(200);
  });

  it("C9.2 takes QUERY, which is conditional and needs a type", async () => {
    const found = await ask("QUERY", "/notes/1", isJson, '{"word":"milk"}');
    expect([found.status, await found.json(), found.headers.get("etag")]).toEqual([200, ["milk"], '"7"']);
    expect((await ask("QUERY", "/notes/1", { ...isJson, "if-none-match": '"7"' }, '{"word":"milk"}')).status).toBe(304);
    const untyped = await ask("QUERY", "/notes/1", {}, new Uint8Array([1]));
    expect([untyped.status, untyped.headers.get("accept-query")]).toEqual([400, "application/json"]);
    const other = await ask("QUERY", "/notes/1", { "content-type": "text/csv" }, "x");
    expect([other.status, other.headers.get("accept-query")]).toEqual([415, "application/json"]);
  });

  it("C9.2 has middleware for QUERY alone", async () => {
    class Guard extends Middleware {
      QUERY(): Response {
        return new Response(null, { status: 401 });
      }
    }
    class All extends Middleware {
      ALL(): Response {
        return new Response(null, { status: 403 });
      }
    }
    for (const [Class, status] of [
      [Guard, 401],
      [All.on("QUERY"), 403],
    ] as const) {
      const guarded = Application.builder().resources(Note).middleware(Class).build();
      expect((await guarded.fetch(request("QUERY", "/notes/1", isJson, "{}"))).status).toBe(status);
      expect((await guarded.fetch(request("GET", "/notes/1"))).status).toBe(200);
    }
    const inNative = (): unknown => native.Application.builder().middleware(Guard).build();
    expect(thrownBy(inNative).message).toBe(
      "Cannot add Guard as middleware: it has QUERY() and no handler, so that everything would pass; write ALL()",
    );
  });

  it("C9.3 answers HEAD by GET, and guards it by the guard of GET", async () => {
    const head = await ask("HEAD", "/notes/1");
    const get = await ask("GET", "/notes/1");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect([...head.headers]).toEqual([...get.headers]);
    class Guard extends Middleware {
      GET(): Response {
        return new Response(null, { status: 401 });
      }
    }
    const guarded = Application.builder()
      .resources(ResourceGroup.builder().resources(Note).middleware(Guard).build())
      .build();
    expect((await guarded.fetch(request("HEAD", "/notes/1"))).status).toBe(401);
    expect((await guarded.fetch(request("GET", "/notes/1"))).status).toBe(401);
    expect((await guarded.fetch(request("DELETE", "/notes/1"))).status).toBe(405);
    class GuardAll extends Middleware {
      ALL(): Response {
        return new Response(null, { status: 403 });
      }
    }
    const closed = Application.builder().resources(Note).middleware(GuardAll).build();
    expect((await closed.fetch(request("DELETE", "/notes/1"))).status).toBe(403);
    expect((await closed.fetch(request("QUERY", "/notes/1"))).status).toBe(403);
  });

  it("C9.3 cancels a stream that HEAD does not read", async () => {
    let isLeft = false;
    class Ticks extends Resource {
      paths = ["/ticks"] as const;
      static GET = { 200: events(z.int()) };
      override async *GET(): AsyncGenerator<number> {
        try {
          for (let n = 0; ; n++) yield n;
        } finally {
          isLeft = true;
        }
      }
    }
    const ticks = Application.builder().resources(Ticks).build();
    const head = await ticks.fetch(request("HEAD", "/ticks"));
    expect([head.status, head.body]).toEqual([200, null]);
    const { body } = await ticks.fetch(request("GET", "/ticks"));
    const reader = body!.getReader();
    await reader.read();
    expect(new TextDecoder().decode((await reader.read()).value as Uint8Array)).toBe("data: 0\n\n");
    await reader.cancel();
    expect(isLeft).toBe(true);
  });

  it("C9.4 answers as conditional() and negotiate() do", async () => {
    const validator = { etag: '"7"', lastModified: modified };
    class Guarded extends native.Resource {
      override paths = ["/notes/1"];
      produces = ["text/plain", "text/csv"];
      validator(): object {
        return validator;
      }
      override GET(input: Request): Response {
        const type = negotiatedOf(input).mediaType!;
        return new Response("Buy milk", { headers: { "content-type": `${type};charset=utf-8` } });
      }
      override PUT(): Response {
        return new Response(null, { status: 204 });
      }
    }
    class Declared extends Resource {
      paths = ["/notes/1"] as const;
      validator(): object {
        return validator;
      }
      static GET = { 200: { content: { "text/plain": text(), "text/csv": text() } } };
      override GET(): Answer<typeof Declared, "GET"> {
        return "Buy milk";
      }
      static PUT = { precondition: true, 204: "Stored" };
      override PUT(): Answer<typeof Declared, "PUT"> {
        return undefined;
      }
    }
    const guarded = native.Application.builder()
      .resources(Guarded)
      .middleware(negotiate(), conditional({ requiredMethods: ["PUT"] }))
      .build();
    const ofLine = Application.builder().resources(Declared).build();
    const dates = [modified, new Date(modified.getTime() + 1000), new Date(0)].map((date) => date.toUTCString());
    const cases: Record<string, string>[] = [
      {},
      ...["*", '"7"', 'W/"7"', '"6", "7"', '"6"', "7"].flatMap((tag) => [
        { "if-match": tag },
        { "if-none-match": tag },
      ]),
      ...[...dates, "no date"].flatMap((date) => [{ "if-modified-since": date }, { "if-unmodified-since": date }]),
      ...["text/csv", "text/*;q=0.1, text/csv;q=0", "image/png", "*/*"].map((accept) => ({ accept })),
      { "if-match": '"7"', "if-none-match": '"7"' },
      { "if-none-match": '"6"', "if-modified-since": dates[0]! },
    ];
    const toldBy = async (response: Response): Promise<unknown[]> => {
      const { status, headers } = response;
      // Middleware of the native chain adds its fields to whatever comes, errors included.
      const isOfLine = status < 400 && status !== 204;
      const names = isOfLine ? ["etag", "last-modified", "vary", "content-type"] : ["cache-control"];
      return [status, ...names.map((name) => headers.get(name)), await response.text()];
    };
    for (const method of ["GET", "PUT"]) {
      for (const headers of cases.filter(({ accept }) => method !== "PUT" || accept === undefined)) {
        const [own, other] = await Promise.all(
          [ofLine, guarded].map((one) => one.fetch(request(method, "/notes/1", headers))),
        );
        expect(await toldBy(own!), `${method} ${JSON.stringify(headers)}`).toEqual(await toldBy(other!));
      }
    }
  });

  it("C9.5 computes a tag of the content where it is declared, and nowhere else", async () => {
    const first = await ask("GET", "/tagged");
    const etag = first.headers.get("etag")!;
    expect(etag).toMatch(/^"[\w+/]{22}"$/);
    expect((await ask("GET", "/tagged", { "if-none-match": etag })).status).toBe(304);
    expect((await ask("GET", "/tagged", { "if-match": '"0"' })).status).toBe(412);
    expect((await ask("HEAD", "/tagged")).headers.get("etag")).toBe(etag);
    const plain = Application.builder()
      .resources(
        class extends Tagged {
          static override GET = { 200: z.object({ n: z.int() }) } as typeof Tagged.GET;
        },
      )
      .build();
    expect((await plain.fetch(request("GET", "/tagged"))).headers.has("etag")).toBe(false);
  });

  it("C9.6 is explained by app.explain(request), without a handler, unless told to", async () => {
    const called: string[] = [];
    class Log extends Middleware {
      ALL(input: Request): Response | Promise<Response> {
        called.push("middleware");
        return this.next(input);
      }
    }
    class Traced extends Note {
      override validator({ path }: { readonly path: { readonly id: string } }) {
        called.push("validator");
        return super.validator({ path });
      }
      static override GET = { ...Note.GET, path: z.object({ id: z.string().min(1).max(9) }) };
      override GET(call: never): never {
        called.push("handler");
        return super.GET(call) as never;
      }
    }
    const traced = Application.builder()
      .resources(
        ResourceGroup.builder()
          .resources(Traced as never, Image, Tagged)
          .middleware(Log)
          .build(),
      )
      .onError(() => {})
      .build();
    const explain = async (asked: Request, run?: boolean): Promise<unknown[]> => {
      const { status, questions } = await traced.explain(asked, run === undefined ? {} : { run });
      return [status, ...questions.map(({ step, finding }) => `${step} ${finding}`)];
    };
    const known = ["0 yes: /notes/:id of Traced", "1 yes"];
    const get = request("GET", "/notes/1?n=5", { "if-none-match": '"7"' });
    const untilHandler = [...known, '2 yes: {"id":"1"}', "4 yes", "6 yes: text/plain"];
    expect(await explain(get)).toEqual([
      null,
      ...untilHandler,
      "8 not asked: validator() is not called",
      "10 not called: GET of Traced, which declares 200, 404",
    ]);
    expect(called).toEqual([]);
    const guarded = [known[0], "0 yes: Log", ...untilHandler.slice(1)];
    expect(await explain(get, true)).toEqual([304, ...guarded, "8 yes, and the client has it already"]);
    // As in an answer: middleware first, and the validator once.
    expect(called).toEqual(["middleware", "validator"]);
    expect(await explain(request("GET", "/notes/1"), true)).toEqual([
      200,
      ...guarded,
      "8 yes: the client has another version, or asks for none",
      "10 200",
      "12 cache-control, content-type, etag, last-modified",
    ]);
    expect(called).toEqual(["middleware", "validator", "middleware", "validator", "handler"]);
    expect(await explain(request("GET", "/notes/none"), true)).toContain("8 yes: there is no representation");
    expect(await explain(request("GET", "/notes/unknown"), true)).toContain("8 not known: the resource does not say");
    expect(await explain(request("GET", "/notes/1?n=x"))).toEqual([
      400,
      ...known,
      '2 yes: {"id":"1"}',
      "4 no: query #/n: Expected an integer",
    ]);
    expect(await explain(request("GET", "/notes/1234567890"))).toEqual([404, ...known, "2 no: Not Found"]);
    expect(await explain(request("DELETE", "/notes/1"))).toEqual([
      405,
      known[0],
      "1 no: Traced allows GET, HEAD, OPTIONS, PUT, QUERY",
    ]);
    expect(await explain(request("OPTIONS", "/notes/1"))).toEqual([
      204,
      known[0],
      "1 yes: Allow is GET, HEAD, OPTIONS, PUT, QUERY",
    ]);
    expect(await explain(request("GET", "/tagged", { "if-none-match": '"7"' }), true)).toContain(
      "8 not known: the resource does not say",
    );
    const part = await explain(request("GET", "/image", { range: "bytes=0-1" }), true);
    expect(part.slice(-2)).toEqual([expect.stringMatching(/^12 /), "14 bytes 0-1/10"]);
    const head = await traced.explain(request("HEAD", "/image"));
    expect([head.middleware, head.resource, head.pattern, head.questions[1]!.finding]).toEqual([
      ["Log"],
      "Image",
      "/image",
      "yes: GET answers it",
    ]);
    const wrong = await explain(request("GET", "/notes/wrong"), true);
    expect([wrong[0], wrong.at(-1)]).toEqual([500, expect.stringMatching(/^8 it fails: .*Cannot evaluate/)]);
  });

  it("C9.6 asks guards first, and gives the status that the application gives", async () => {
    const called: string[] = [];
    const user = new Attribute<string>("user");
    class Guard extends Middleware {
      ALL(input: Request): Response | Promise<Response> {
        called.push("guard");
        if (!input.headers.has("authorization")) throw new HTTPError(Status.Unauthorized);
        user.set(input, "Ada");
        return this.next(input);
      }
    }
    class Outer extends Middleware {
      async ALL(input: Request): Promise<Response> {
        called.push("outer");
        const { pathname } = new URL(input.url);
        if (pathname === "/closed") return new Response(null, { status: 503 });
        const other = pathname === "/old" ? new Request(new URL("/page", input.url), input) : input;
        try {
          return await this.next(input, other);
        } catch (error) {
          if (input.headers.has("x-hide")) return new Response(null, { status: 404 });
          throw error;
        }
      }
    }
    class Page extends Resource {
      paths = ["/page"] as const;
      async validator(call: object): Promise<object> {
        called.push(`validator of ${user.get(call)!}`);
        return { etag: '"7"' };
      }
      static GET = { query: z.object({ n: z.int().optional() }), 200: text() };
      override GET(): string {
        called.push("handler");
        return "page";
      }
      static PUT = { content: z.object({ a: z.int() }), precondition: true, 200: z.int() };
      override PUT({ content }: Call<typeof Page, "PUT">): Answer<typeof Page, "PUT"> {
        return content.a;
      }
    }
    class Plain extends native.Resource {
      override paths = ["/plain"];
      override GET(): Response {
        return new Response("plain");
      }
    }
    const members = ResourceGroup.builder()
      .resources(Page, Plain as never)
      .middleware(Guard)
      .build();
    const shop = Application.builder()
      .resources(members)
      .middleware(Outer)
      .onError(() => {})
      .build();
    const asked = (method: string, path: string, more: Record<string, string> = {}, body?: string): Request =>
      request(method, path, { authorization: "Bearer x", ...more }, body);
    const change = { ...isJson, "if-match": '"7"' };
    const requests = [
      request("GET", "/page?n=x", { "if-match": '"0"' }),
      request("DELETE", "/page"),
      request("GET", "/plain"),
      asked("GET", "/page"),
      asked("HEAD", "/page"),
      asked("OPTIONS", "/page"),
      asked("GET", "/page?n=x"),
      asked("GET", "/page", { "if-match": '"0"' }),
      asked("GET", "/page", { "if-none-match": '"7"' }),
      asked("DELETE", "/page"),
      asked("PUT", "/page", change, '{"a":5}'),
      asked("PUT", "/page", change, '{"a":"b"}'),
      asked("PUT", "/page", { ...change, "if-match": '"8"' }, '{"a":5}'),
      asked("PUT", "/page", isJson, '{"a":5}'),
      asked("GET", "/plain"),
      asked("PUT", "/plain"),
      asked("GET", "/nowhere"),
      asked("GET", "/closed"),
      asked("GET", "/old"),
      asked("GET", "/page?n=x", { "x-hide": "" }),
    ];
    // Several at once, beside requests that are not explained: none is taken for another.
    const all = await Promise.all(
      requests.map(async (one) => {
        const { status } = await shop.fetch(one.clone());
        const { status: told, questions } = await shop.explain(one, { run: true });
        expect([one.method, one.url, told]).toEqual([one.method, one.url, status]);
        return `${status}: ${questions.at(-1)!.question} ${questions.at(-1)!.finding}`;
      }),
    );
    expect(all).toEqual([
      "401: Does the middleware let it through? no: 401",
      "401: Does the middleware let it through? no: 401",
      "401: Does the middleware let it through? no: 401",
      expect.stringMatching(/^200: Which fields has the answer\? content-type, etag/),
      expect.stringMatching(/^200: Which fields has the answer\? content-type, etag/),
      "204: Is the method allowed? yes: Allow is GET, HEAD, OPTIONS, PUT",
      "400: Do query, fields and cookies fit? no: query #/n: Expected an integer",
      "412: Do the preconditions hold? no: Precondition Failed",
      "304: Do the preconditions hold? yes, and the client has it already",
      "405: Is the method allowed? no: Page allows GET, HEAD, OPTIONS, PUT",
      expect.stringMatching(/^200: Which fields has the answer\? content-type/),
      expect.stringMatching(/^422: Does the content fit\? no: content #\/a/),
      "412: Do the preconditions hold? no: Precondition Failed",
      "428: Do the preconditions hold? no: Send If-Match with the entity tag that the change is based on",
      // Bun adds the type of a text when it sends it.
      "Bun" in globalThis
        ? expect.stringMatching(/^200: Which fields has the answer\?/)
        : "200: Which fields has the answer? content-type",
      "501: Is the method allowed? no: Plain does not implement PUT",
      "404: Does a resource have the path? no: No pattern matches the path",
      "503: Does the middleware let it through? no: 503",
      expect.stringMatching(/^200: Which fields has the answer\? content-type, etag/),
      "404: Which status is sent? it is 404, by middleware or onError()",
    ]);
    called.length = 0;
    await shop.explain(asked("GET", "/page"), { run: true });
    expect(called).toEqual(["outer", "guard", "validator of Ada", "handler"]);
    const { questions, middleware } = await shop.explain(asked("GET", "/page"), { run: true });
    expect([middleware, questions[1]]).toMatchObject([["Outer", "Guard"], { step: 0, finding: "yes: Outer, Guard" }]);
    expect((await shop.explain(asked("GET", "/nowhere"))).middleware).toEqual(["Outer"]);
  });

  it("C9.6 explains what middleware goes on with twice, once", async () => {
    class Twice extends Middleware {
      async ALL(input: Request): Promise<Response> {
        await this.next(input);
        return this.next(input);
      }
    }
    class Counted extends Resource {
      paths = ["/counted"] as const;
      #times = 0;
      static GET = { 200: z.int() };
      override GET(): number {
        return ++this.#times;
      }
    }
    const shop = Application.builder()
      .resources(ResourceGroup.builder().resources(Counted).middleware(Twice).build())
      .build();
    const { questions } = await shop.explain(request("GET", "/counted"), { run: true });
    expect(questions.map(({ step }) => step)).toEqual([0, 0, 1, 6, 10, 12]);
    expect(await (await shop.fetch(request("GET", "/counted"))).json()).toBe(4);
  });

  it("C9.6 gives the status of an answer where something fails, or another status is sent", async () => {
    class Reads extends Middleware {
      async ALL(input: Request): Promise<Response> {
        if (input.headers.has("x-read")) await input.text();
        return this.next(input);
      }
    }
    const throwing = z.object({ n: z.string().transform(() => JSON.parse("{") as string) });
    class Failing extends Resource {
      paths = ["/failing"] as const;
      static GET = { query: throwing, 200: text() };
      override GET(): string {
        return "";
      }
      static PUT = { content: z.object({ a: z.int() }), 204: "Stored" };
      override PUT(): undefined {
        return undefined;
      }
      static POST = { 204: "Posted" };
      override POST(): undefined {
        return undefined;
      }
    }
    const shop = Application.builder()
      .resources(ResourceGroup.builder().resources(Failing).middleware(Reads).build())
      .onError((error) =>
        error instanceof HTTPError && error.status === 404 ? new Response(null, { status: 410 }) : undefined,
      )
      .build();
    const toldOf = async (asked: Request): Promise<unknown[]> => {
      const { status } = await shop.fetch(asked.clone());
      const { status: told, questions } = await shop.explain(asked, { run: true });
      expect(told).toBe(status);
      return [status, questions.at(-1)!.step, questions.at(-1)!.finding];
    };
    const failing = request("GET", "/failing?n=1");
    expect(await toldOf(failing.clone())).toEqual([500, 4, expect.stringMatching(/^it fails: SyntaxError/)]);
    expect(await rejectionOf(shop.explain(failing))).toBeInstanceOf(SyntaxError);
    // Content that middleware has read is not there for the line; where none is declared, it does not matter.
    const read = { ...isJson, "x-read": "" };
    expect((await toldOf(request("PUT", "/failing", read, '{"a":5}')))[0]).toBeGreaterThanOrEqual(400);
    expect(await toldOf(request("POST", "/failing", read, '{"a":5}'))).toEqual([204, 12, "none"]);
    expect(await toldOf(request("PUT", "/failing", isJson, '{"a":5}'))).toEqual([204, 12, "none"]);
    expect(await toldOf(request("GET", "/nowhere"))).toEqual([410, 15, "it is 410, by middleware or onError()"]);
    const nothing = Application.builder().build();
    expect((await nothing.explain(request("GET", "/"), { run: true })).status).toBe(404);
  });

  it("C9.6 explains content, and resources of the native module", async () => {
    class Optional extends Resource {
      paths = ["/optional"] as const;
      static POST = { content: z.object({ a: z.string() }).optional(), 204: "Done" };
      override POST(): undefined {
        return undefined;
      }
    }
    class Undeclared extends Resource {
      paths = ["/undeclared"] as const;
      override GET(): undefined {
        return undefined;
      }
    }
    class Plain extends native.Resource {
      override paths = ["/plain"];
      override GET(): Response {
        return new Response(null, { status: 304 });
      }
    }
    const both = Application.builder().resources(Optional, Undeclared, Plain).build();
    const last = async (asked: Request, run = false): Promise<unknown[]> => {
      const { status, questions } = await both.explain(asked, { run });
      return [status, ...questions.slice(1).map(({ step, finding }) => `${step} ${finding}`)];
    };
    expect(await last(request("POST", "/optional"))).toEqual([
      null,
      "1 yes",
      "5 yes: there is none, and none need be",
      "10 not called: POST of Optional, which declares 204",
    ]);
    expect(await last(request("POST", "/optional", isJson, '{"a":"b"}'))).toContain("9 yes");
    expect(await last(request("POST", "/optional", isJson, '{"a":5}'))).toEqual([
      422,
      "1 yes",
      "5 yes: application/json",
      expect.stringMatching(/^9 no: content #\/a: /),
    ]);
    expect(await last(request("GET", "/undeclared"))).toEqual([null, "1 yes", "10 not called: GET of Undeclared"]);
    expect(await last(request("GET", "/undeclared"), true)).toEqual([204, "1 yes", "10 204", "12 none"]);
    const plain = "1 yes: Plain implements GET, and declares nothing that is asked before";
    expect(await last(request("GET", "/plain"), true)).toEqual([304, plain, "10 304", "12 none", "13 yes"]);
    expect(await last(request("PUT", "/plain"))).toEqual([501, "1 no: Plain does not implement PUT"]);
    expect((await both.explain(request("GET", "/nowhere"), { run: true })).status).toBe(404);
  });

  it("C9.6 asks for no preconditions of OPTIONS, which ignores them", async () => {
    class Answering extends Resource {
      paths = ["/answering"] as const;
      validator(): object {
        return { etag: '"1"' };
      }
      static OPTIONS = { 204: "Nothing" };
      override OPTIONS(): undefined {
        return undefined;
      }
    }
    const answering = Application.builder().resources(Answering).build();
    const { status, questions } = await answering.explain(request("OPTIONS", "/answering", { "if-match": '"0"' }), {
      run: true,
    });
    expect([status, questions.map(({ step }) => step)]).toEqual([204, [0, 1, 10, 12]]);
  });

  it("C9.6 is known to match(): 405, `at`, HEAD and OPTIONS", () => {
    class Two extends Resource {
      paths = ["/a/:id", "/b"] as const;
      static GET = { at: ["/a/:id"], 204: "Nothing" };
      override GET(): undefined {
        return undefined;
      }
    }
    const two = Application.builder().resources(Two).build();
    const decided = (method: string, url: string): unknown => {
      const decision = two.match({ method, url });
      return decision.matched ? decision.params : [decision.status.status, decision.reason];
    };
    for (const method of ["GET", "HEAD", "OPTIONS"]) expect(decided(method, "/a/1")).toEqual({ id: "1" });
    expect(decided("OPTIONS", "/b")).toEqual({});
    expect(decided("GET", "/b")).toEqual([405, "Two allows OPTIONS"]);
    expect(decided("QUERY", "/a/1")).toEqual([405, "Two allows GET, HEAD, OPTIONS"]);
    expect(decided("PURGE", "/a/1")).toEqual([501, "Two does not implement PURGE"]);
  });
});

describe("C9.11 a resource that the package adds", () => {
  const bytesOfText = new TextEncoder().encode("text");
  class Assets extends Files {
    override paths = ["/assets/:path*"] as const;
    source: FileSource = {
      codings: [],
      find: ([name]) =>
        name === "a.txt"
          ? {
              length: 4,
              etag: null,
              lastModified: null,
              type: "text/plain",
              coding: null,
              read: (start, end) => bytesOfText.subarray(start, end),
              close: () => {},
            }
          : undefined,
    };
  }
  class Own extends native.Resource {
    override paths = ["/own"];
    override GET(): Response {
      return new Response("own");
    }
  }
  const added = [Assets, Own, ...openapi({ title: "Notes", version: "1" })] as const;
  const faults: unknown[] = [];
  const served = Application.builder()
    .resources(Note, ...added)
    .onError((error) => void faults.push(error))
    .build();
  const asked = async (method: string, path: string): Promise<readonly [number, string | null, string]> => {
    // No client of the platform sends TRACE and CONNECT.
    const input = { method, url: `http://localhost${path}`, headers: new Headers(), body: null } as unknown as Request;
    const response = await served.fetch(input);
    return [response.status, response.headers.get("allow"), await response.text()];
  };

  it("answers HEAD by GET, without content", async () => {
    for (const path of ["/docs", "/openapi.json", "/assets/a.txt"]) {
      expect(await asked("HEAD", path), path).toEqual([200, null, ""]);
      const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => served.fetch(request(method, path))));
      expect([...head!.headers], path).toEqual([...get!.headers]);
    }
    expect(await asked("HEAD", "/assets/b.txt")).toEqual([404, null, expect.any(String)]);
  });

  it("answers OPTIONS by 204, and what it lacks by 405, as declared resources do", async () => {
    faults.length = 0;
    for (const path of ["/docs", "/openapi.json", "/assets/a.txt"]) {
      expect(await asked("OPTIONS", path), path).toEqual([204, "GET, HEAD, OPTIONS", ""]);
      for (const method of ["CONNECT", "DELETE", "PATCH", "POST", "PUT", "QUERY", "TRACE"])
        expect((await asked(method, path)).slice(0, 2), `${method} ${path}`).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect((await asked("PURGE", path))[0]).toBe(501);
      const decision = served.match({ method: "DELETE", url: path });
      expect(decision.matched ? null : decision.reason).toMatch(/ allows GET, HEAD, OPTIONS$/);
      const { status } = await served.explain(request("DELETE", path));
      expect(status).toBe(405);
    }
    const statuses = faults.map((error) => (error instanceof HTTPError ? error.status : 500));
    expect(statuses.filter((status) => status !== 501)).toEqual(Array.from({ length: 21 }, () => 405));
  });

  it("lists in tools only what it implements, and leaves resources of users alone", async () => {
    const listed = Object.fromEntries(served.resources.map(({ name, methods }) => [name, methods]));
    expect(listed).toMatchObject({ Docs: ["GET"], OpenAPI: ["GET"], Assets: ["GET", "HEAD"], Own: ["GET"] });
    expect((await asked("OPTIONS", "/own"))[0]).toBe(501);
    const alone = native.Application.builder()
      .resources(...added)
      .onError(() => {})
      .build();
    expect((await alone.fetch(request("DELETE", "/docs"))).status).toBe(501);
  });

  it("is completed by allowedMethods(), too", async () => {
    const both = Application.builder()
      .resources(...added)
      .middleware(allowedMethods())
      .build();
    for (const path of ["/own", "/docs", "/assets/a.txt"]) {
      const response = await both.fetch(request("DELETE", path));
      expect([response.status, response.headers.get("allow")], path).toEqual([405, "GET, HEAD, OPTIONS"]);
      const head = await both.fetch(request("HEAD", path));
      expect([head.status, head.body], path).toEqual([200, null]);
    }
  });
});
