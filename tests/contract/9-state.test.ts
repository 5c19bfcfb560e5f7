// What the line promises of representations: their types, their versions, and who may see them.
import { Application, bytes, events, reply, Resource, text, type Call } from "fingerpost";
import { conditional } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const picture = { "content-type": "image/png" };

function appOf(...classes: readonly (new () => Resource)[]): Application {
  return Application.builder()
    .resources(...(classes as never[]))
    .onError(() => {})
    .build();
}

describe("bytes of a declared type", () => {
  let stored: unknown;
  class Avatar extends Resource {
    paths = ["/avatar", "/raw"] as const;
    static GET = { at: ["/avatar"], 200: bytes("image/png") };
    GET(): never {
      return stored as never;
    }
  }
  class Anything extends Resource {
    paths = ["/anything"] as const;
    static GET = { 200: bytes() };
    GET(): never {
      return stored as never;
    }
  }
  const app = appOf(Avatar, Anything);

  it("C8.9 a Blob of another type is 500: the client of an upload must not choose how it is read", async () => {
    stored = new Blob(["<script>"], { type: "text/html" });
    expect((await app.request("/avatar")).status).toBe(500);
  });

  it("C8.9 the declared type wins over parameters, case and absence of a type", async () => {
    for (const type of ["image/png", "IMAGE/PNG;x=1", ""]) {
      stored = new Blob(["x"], { type });
      const { status, headers } = await app.request("/avatar");
      expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
        200,
        "image/png",
        null,
      ]);
    }
  });

  it("C8.9 bytes of which nothing is declared stay unknown, and are not sniffed", async () => {
    stored = new Blob(["<script>"], { type: "text/html" });
    const { status, headers } = await app.request("/anything");
    expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
      200,
      "application/octet-stream",
      "nosniff",
    ]);
  });
});

describe("a part of a representation", () => {
  const got: unknown[] = [];
  class Picture extends Resource {
    paths = ["/picture"] as const;
    static PUT = { content: bytes("image/png"), 204: "Stored" };
    PUT({ content }: Call<typeof Picture, "PUT">): undefined {
      got.push(content);
    }
    static PATCH = {
      headers: z.object({ "X-Other": z.string().optional(), "Content-Range": z.string() }),
      content: bytes("image/png"),
      204: "Stored",
    };
    static POST = {
      headers: z.object({ "X-Other": z.string().optional() }),
      content: bytes("image/png"),
      204: "Stored",
    };
    POST({ content }: Call<typeof Picture, "POST">): undefined {
      got.push(content);
    }
    PATCH({ content }: Call<typeof Picture, "PATCH">): undefined {
      got.push(content);
    }
  }
  class Undeclared extends Resource {
    paths = ["/undeclared"] as const;
    PUT(): undefined {
      got.push("undeclared");
    }
    DELETE(): undefined {
      got.push("deleted");
    }
  }
  const app = appOf(Picture, Undeclared);
  const put = (path: string, method: string, headers: object): Promise<Response> =>
    app.request(path, { method, headers: { ...picture, ...headers }, body: "abc" });

  it("C8.11 is 400 where it would be taken for the whole (RFC 9110 §14.5)", async () => {
    got.length = 0;
    for (const path of ["/picture", "/undeclared"]) {
      const response = await put(path, "PUT", { "content-range": "bytes 0-2/10" });
      expect([response.status, (await response.json()).detail]).toEqual([
        400,
        "The content is a part; send all of it, without Content-Range",
      ]);
    }
    expect((await put("/picture", "POST", { "content-range": "bytes 0-2/10" })).status).toBe(400);
    expect(got).toEqual([]);
    // It says nothing of a method that writes no representation.
    expect((await put("/undeclared", "DELETE", { "content-range": "bytes 0-2/10" })).status).toBe(204);
    expect(got).toEqual(["deleted"]);
  });

  it("C8.11 reaches an operation that declares the field", async () => {
    got.length = 0;
    expect((await put("/picture", "PATCH", { "content-range": "bytes 0-2/10" })).status).toBe(204);
    expect(got).toHaveLength(1);
  });

  it("C8.11 is 415 with a coding that nobody decodes (RFC 9110 §15.5.16)", async () => {
    expect((await put("/picture", "PUT", { "content-encoding": "gzip" })).status).toBe(415);
  });
});

describe("C9.8 preconditions", () => {
  let version = 1;
  let isMine = true;
  const log: unknown[] = [];
  const page = z.object({ title: z.string() });
  class Page extends Resource {
    paths = ["/page"] as const;
    validator() {
      return isMine || version > 0 ? { etag: `"${version}"` } : reply(403);
    }
    static GET = { 200: page, 403: "Not yours", cache: "private, no-cache" };
    GET({ version: weighed }: Call<typeof Page, "GET">) {
      log.push(weighed);
      return isMine ? { title: "x" } : reply(403);
    }
    static PUT = { content: page, 204: "Stored", 403: "Not yours", precondition: true };
    PUT({ version: weighed }: Call<typeof Page, "PUT">): undefined {
      log.push(weighed);
      version++;
    }
  }
  const app = appOf(Page);

  /** A PUT whose content comes when a function is called. */
  function slowPut(etag: string): { readonly answer: Promise<Response>; readonly finish: () => void } {
    let finish = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = () => {
          controller.enqueue(new TextEncoder().encode('{"title":"slow"}'));
          controller.close();
        };
      },
    });
    const headers = { "content-type": "application/json", "if-match": etag };
    const request = new Request("http://h/page", { method: "PUT", headers, body, duplex: "half" } as RequestInit);
    return { answer: app.fetch(request), finish };
  }

  it("hold again when a slow upload is there: of two writers one is 412, and nothing is lost", async () => {
    version = 1;
    const slow = slowPut('"1"');
    const quick = await app.request("/page", { method: "PUT", headers: { "if-match": '"1"' }, json: { title: "q" } });
    expect(quick.status).toBe(204);
    slow.finish();
    expect((await slow.answer).status).toBe(412);
    expect(version).toBe(2);
  });

  it("give the handler the version that was weighed", async () => {
    [version, log.length] = [2, 0];
    await app.request("/page", { method: "PUT", headers: { "if-match": '"2"' }, json: { title: "q" } });
    await app.request("/page");
    expect(log).toEqual(["2", "3"]);
  });

  it("do not answer in place of a refusal (RFC 9110 §13.2.1)", async () => {
    const current = { "if-none-match": `"${version}"` };
    isMine = false;
    expect((await app.request("/page", { headers: current })).status).toBe(403);
    isMine = true;
    const unmodified = await app.request("/page", { headers: current });
    expect([unmodified.status, unmodified.headers.get("cache-control"), unmodified.headers.get("etag")]).toEqual([
      304,
      "private, no-cache",
      `"${version}"`,
    ]);
    expect((await app.request("/page", { headers: { "if-match": '"0"' } })).status).toBe(412);
  });

  it("validator() may refuse, before content is read", async () => {
    [version, isMine] = [0, false];
    const { answer } = slowPut('"0"');
    expect((await answer).status).toBe(403);
    const undeclared = await app.request("/page", { method: "PUT", json: { title: 1 }, headers: { "if-match": "*" } });
    expect(undeclared.status).toBe(403);
    expect((await app.request("/page")).status).toBe(403);
    [version, isMine] = [1, true];
  });

  it("validator() may refuse when content is there, too", async () => {
    let calls = 0;
    class Taken extends Resource {
      paths = ["/"] as const;
      validator() {
        return ++calls === 1 ? { etag: '"1"' } : reply(403);
      }
      static PUT = { content: page, 204: "Stored", 403: "Taken away" };
      PUT(): undefined {
        log.push("not reached");
      }
    }
    log.length = 0;
    const own = appOf(Taken);
    const response = await own.request("/", { method: "PUT", headers: { "if-match": '"1"' }, json: { title: "x" } });
    expect([response.status, log]).toEqual([403, []]);
  });

  it("C8.8 a negotiated type is told to the handler, typed", async () => {
    class Report extends Resource {
      paths = ["/report"] as const;
      static POST = {
        content: { "text/plain": text("text/plain"), "text/csv": text("text/csv") },
        200: { content: { "image/png": bytes(), "image/webp": bytes() } },
      };
      POST({ mediaType, contentType }: Call<typeof Report, "POST">): Blob {
        const known: "image/png" | "image/webp" | undefined = mediaType;
        return new Blob([`${known} of ${contentType}`]);
      }
    }
    const headers = { accept: "image/webp", "content-type": "text/csv" };
    const response = await appOf(Report).request("/report", { method: "POST", headers, body: "a" });
    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "image/webp",
      "image/webp of text/csv",
    ]);
  });

  it("C9.9 each media type of a read has its own tag, made from the version, and writes read it back", async () => {
    const seen: unknown[] = [];
    class Sheet extends Resource {
      paths = ["/sheet"] as const;
      validator(): object {
        return { etag: '"7"' };
      }
      static GET = { 200: { content: { "application/json": text(), "text/csv": bytes() } } };
      GET({ mediaType }: Call<typeof Sheet, "GET">): never {
        return (mediaType === "text/csv" ? new Blob(["a,b"], { type: "text/csv" }) : "x") as never;
      }
      static QUERY = {
        200: { content: { "application/json": text(), "text/csv": text() } },
        content: text(),
        403: "No",
      };
      QUERY(call: Call<typeof Sheet, "QUERY">): string {
        return call.version!;
      }
      static PUT = { precondition: true, content: text(), 204: "Stored" };
      PUT(call: Call<typeof Sheet, "PUT">): undefined {
        seen.push(call.version);
      }
    }
    const own = appOf(Sheet as never);
    const read = (method: string, accept: string, headers: Record<string, string> = {}): Promise<Response> => {
      const asked = { method, headers: { accept, "content-type": "text/plain", ...headers } };
      return own.request("/sheet", method === "QUERY" ? { ...asked, body: "a" } : asked);
    };
    const tags = { "application/json": '"7"', "text/csv": '"7~text/csv"' };
    for (const method of ["GET", "HEAD", "QUERY"]) {
      for (const [accept, tag] of Object.entries(tags)) {
        const etag = (await read(method, accept)).headers.get("etag")!;
        expect(etag).toBe(tag);
        for (const named of [...Object.values(tags), '"7~text/plain"', '"6"']) {
          const again = await read(method, accept, { "if-none-match": named });
          expect([method, accept, named, again.status]).toEqual([method, accept, named, named === tag ? 304 : 200]);
          if (again.status === 304) expect(again.headers.get("etag")).toBe(tag);
        }
      }
    }
    const parts = Object.values(tags).map((tag) => read("GET", "text/csv", { range: "bytes=0-0", "if-range": tag }));
    expect((await Promise.all(parts)).map(({ status }) => status)).toEqual([200, 206]);
    expect(await (await read("QUERY", "text/csv")).text()).toBe("7");
    const put = async (headers: Record<string, string>): Promise<number> =>
      (await own.request("/sheet", { method: "PUT", body: "a", headers: { "content-type": "text/plain", ...headers } }))
        .status;
    for (const etag of [...Object.values(tags), '"6", "7~text/csv"']) expect(await put({ "if-match": etag })).toBe(204);
    expect(seen).toEqual(["7", "7", "7"]);
    for (const etag of ['"6~text/csv"', '"7~image/png"', '"7~application/json"']) {
      expect(await put({ "if-match": etag })).toBe(412);
    }
    expect(await put({ "if-none-match": '"7~text/csv"' })).toBe(412);
    expect(await put({})).toBe(428);
  });

  it("C9.9 a stream of events has no tag, and is never 304", async () => {
    class Ticks extends Resource {
      paths = ["/ticks"] as const;
      validator(): object {
        return { etag: '"7"' };
      }
      static GET = { 200: events(z.int()) };
      async *GET(): AsyncGenerator<number> {
        yield 1;
      }
    }
    for (const middleware of [[], [conditional()]]) {
      const own = Application.builder()
        .resources(Ticks as never)
        .middleware(...middleware)
        .build();
      const response = await own.request("/ticks", { headers: { "if-none-match": '"7"' } });
      expect([response.status, response.headers.get("etag")]).toEqual([200, null]);
      expect(await response.text()).toContain("data: 1");
    }
  });

  it("C9.10 Vary names the fields and cookies that are read", async () => {
    class Localized extends Resource {
      paths = ["/"] as const;
      static GET = {
        headers: z.object({ "Accept-Language": z.string().optional(), "if-match": z.string().optional() }),
        cookies: z.object({ theme: z.string().optional() }),
        200: { content: { "text/plain": text(), "text/csv": text() } },
      };
      GET(): string {
        return "x";
      }
      static POST = { headers: z.object({ "x-a": z.string().optional() }), 200: text() };
      POST(): string {
        return "x";
      }
    }
    const own = appOf(Localized);
    expect((await own.request("/")).headers.get("vary")).toBe("Accept, Accept-Language, Cookie");
    expect((await own.request("/", { method: "POST" })).headers.get("vary")).toBeNull();
  });

  describe("C9.8 a 304 by validator() has the fields of the 200", () => {
    const given = { "cache-control": "private, max-age=60", vary: "X-Tenant", expires: "0", "content-location": "/a" };
    const read = { 200: text(), cookies: z.object({ theme: z.string().optional() }) };
    const kinds: Record<string, object> = {
      plain: read,
      "weighed after its handler": { ...read, 403: "Not yours" },
      "of several types": { ...read, 200: { content: { "text/plain": text(), "text/csv": text() } } },
      "with a cache of its own": { ...read, cache: "no-cache" },
    };
    function askedOf(
      declared: object,
      headers: unknown,
      replied: Record<string, string | undefined> = {},
      current: object = { etag: '"7"' },
    ): (sent: object) => Promise<Response> {
      class Tagged extends Resource {
        paths = ["/"] as const;
        override validator(): never {
          return { ...current, headers } as never;
        }
        static GET = declared;
        override GET(): never {
          return reply(200, "x", replied) as never;
        }
      }
      const own = Application.builder()
        .resources(Tagged as never)
        .replies("check")
        .onError((error) => new Response(String(error), { status: 500 }))
        .build();
      return (sent) => own.request("/", { ...sent });
    }
    const fieldsOf = ({ headers }: Response): unknown[] =>
      ["cache-control", "content-location", "etag", "expires", "vary"].map((name) => headers.get(name));

    for (const [name, declared] of Object.entries(kinds)) {
      it(`where the read is ${name}`, async () => {
        for (const method of ["GET", "HEAD"]) {
          const ask = askedOf(declared, given);
          const whole = await ask({ method });
          expect(fieldsOf(whole).slice(0, 4)).toEqual(["private, max-age=60", "/a", '"7"', "0"]);
          expect(whole.headers.get("vary")).toMatch(/^(?:Accept, )?Cookie, X-Tenant$/);
          const unmodified = await ask({ method, headers: { "if-none-match": '"7"' } });
          expect(unmodified.status).toBe(304);
          expect(fieldsOf(unmodified)).toEqual(fieldsOf(whole));
        }
      });
    }

    it("and a reply() with others is told where answers are checked", async () => {
      for (const name of ["Cache-Control", "Content-Location", "Expires", "Vary"]) {
        const response = await askedOf(read, undefined, { [name]: "x" })({});
        expect(response.status).toBe(500);
        expect(await response.text()).toContain(
          `the reply() of 200 has ${name}, which 304 would lack; return it as headers of validator()`,
        );
        // A second line of Vary is another value.
        const isTwice = name === "Vary";
        const alike = await askedOf(read, { [name]: "x" }, { [name]: "x" })({});
        expect(alike.status).toBe(isTwice ? 500 : 200);
      }
      expect((await askedOf(read, undefined, { "X-Other": "x", Expires: undefined })({})).status).toBe(200);
      const dated = { lastModified: new Date(0) };
      expect((await askedOf(read, undefined, { Expires: "0" }, dated)({})).status).toBe(500);
      expect((await askedOf(read, undefined, { Expires: "0" }, {})({})).status).toBe(200);
    });
  });

  it("C9.8 a validator() that gives no validators says what to write", async () => {
    for (const [value, wrong] of [
      ["7", 'gave "7"'],
      [7, "gave 7"],
      [{ ETag: '"7"' }, 'gave an object with "ETag"'],
      [{ version: 7 }, 'gave an object with "version"'],
      [true, "gave true"],
      [new Date(0), "gave an instance of Date"],
      [[], "gave an array"],
    ] as const) {
      const errors: Error[] = [];
      class Wrong extends Resource {
        paths = ["/"] as const;
        validator() {
          return value as never;
        }
        static GET = { 200: text() };
        GET(): string {
          return "";
        }
      }
      const own = Application.builder()
        .resources(Wrong as never)
        .onError((error) => void errors.push(error as Error))
        .build();
      expect((await own.request("/")).status).toBe(500);
      expect(errors[0]!.message).toContain(wrong);
      expect(errors[0]!.message).toContain("write { etag: '\"7\"', lastModified: new Date(…) }, each if there is one");
    }
  });
});
