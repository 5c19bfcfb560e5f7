import { Application, bytes, events, lines, Middleware, page, Resource, socket, text, written } from "fingerpost";
import { memoryRecords } from "fingerpost/stores";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { document } from "./document.ts";
import type { OpenAPIDocument } from "./openapi-document.ts";

type Made = Readonly<Record<string, unknown>>;

/** The names of the fields of each answer that has any. */
function fieldsOf(declared: Made, { validator, middleware = [] }: { validator?: object; middleware?: object[] } = {}) {
  class Item extends Resource {
    override paths = ["/items"];
  }
  if (validator !== undefined) Object.defineProperty(Item.prototype, "validator", { value: () => validator });
  for (const [method, operation] of Object.entries(declared)) {
    Object.defineProperty(Item, method, { value: operation });
    Object.defineProperty(Item.prototype, method, { value: () => undefined });
  }
  const app = Application.builder()
    .resources(Item as never)
    .middleware(...(middleware as never[]))
    .idempotency({ store: memoryRecords(), ownerOf: () => "everyone" })
    .build();
  const { paths } = document(app, { title: "a", version: "1", openapiVersion: "3.2" }) as OpenAPIDocument;
  const [operation] = Object.values(paths["/items"]!);
  return Object.fromEntries(
    Object.entries(operation!.responses).flatMap(([status, { headers }]) =>
      headers === undefined ? [] : [[status, Object.keys(headers)]],
    ),
  );
}

const etag = { etag: '"7"' };
const csv = { content: { "application/json": z.string(), "text/csv": written("text/csv", String) } };

describe("addImpliedFields()", () => {
  it.each<[what: string, declared: Made, of: object, expected: object]>([
    [
      "no field of 200 for answers that a write does not have",
      { PUT: { etag: "content", content: z.string(), 200: { content: text(), headers: { "x-a": z.string() } } } },
      {},
      { 200: ["x-a"], 406: ["Vary"], 415: ["Accept", "Accept-Encoding"] },
    ],
    ["nothing of an answer without content", { GET: { 204: "Done" } }, {}, {}],
    ["Vary of 406", { GET: { 200: text() } }, {}, { 406: ["Vary"] }],
    ["Vary where there are several types", { GET: { 200: csv } }, {}, { 200: ["Vary"], 406: ["Vary"] }],
    ["Vary of an error with several types", { GET: { 204: "Done", 404: csv } }, {}, { 404: ["Vary"] }],
    ["Vary of a redirect with several types", { GET: { 204: "Done", 300: csv } }, {}, { 300: ["Vary"] }],
    [
      "validators of what a read answers",
      { GET: { 204: "Done", 303: "Elsewhere" } },
      { validator: etag },
      { 204: ["ETag", "Last-Modified"], 304: ["ETag", "Last-Modified"] },
    ],
    ["no validators of a write", { DELETE: { 204: "Done" } }, { validator: etag }, {}],
    [
      "no validators of events",
      { GET: { 200: events(z.string()) } },
      { validator: etag },
      { 200: ["Cache-Control", "X-Accel-Buffering"], 406: ["Vary"] },
    ],
    [
      "no validators of events beside other content",
      { GET: { 200: events(z.string()), 203: text() } },
      { validator: etag },
      {
        200: ["Vary", "Cache-Control", "X-Accel-Buffering"],
        203: ["Vary", "ETag", "Last-Modified"],
        304: ["Vary", "ETag", "Last-Modified"],
        406: ["Vary"],
        412: ["Vary"],
      },
    ],
    [
      "the tag of content",
      {
        GET: {
          200: { content: text(), headers: { "X-A": z.string(), "Content-Language": z.string() } },
          etag: "content",
        },
      },
      {},
      { 200: ["X-A", "Content-Language", "ETag"], 304: ["X-A", "ETag"], 406: ["Vary"] },
    ],
    [
      "ranges of bytes",
      { GET: { 200: { content: bytes(), headers: { "X-A": z.string() } } } },
      {},
      {
        200: ["X-A", "X-Content-Type-Options", "Accept-Ranges"],
        206: ["X-A", "X-Content-Type-Options", "Accept-Ranges", "Content-Range"],
        406: ["Vary"],
        416: ["Content-Range"],
      },
    ],
    ["no ranges of a write", { POST: { 200: bytes("image/png") } }, {}, { 406: ["Vary"] }],
    ["lines", { GET: { 200: lines(z.string()) } }, {}, { 200: ["Vary", "X-Accel-Buffering"], 406: ["Vary"] }],
    [
      "the link of pages",
      { GET: { 200: page(z.string(), { by: z.string(), secrets: ["a secret of the tests, which is long enough"] }) } },
      {},
      { 200: ["Link"], 406: ["Vary"] },
    ],
    [
      "what a client prefers",
      { POST: { 200: { content: text(), headers: { "X-A": z.string() } }, 204: "Done" } },
      {},
      { 200: ["X-A"], 204: ["X-A", "Preference-Applied", "Vary"], 406: ["Vary"] },
    ],
    [
      "the end of an operation",
      {
        GET: {
          204: "Done",
          cache: "no-store",
          deprecated: { since: "2026-01-31", sunset: "2027-01-31", link: "https://example.org/" },
        },
      },
      {},
      { 204: ["Cache-Control", "Deprecation", "Sunset", "Link"] },
    ],
    [
      "keys",
      { DELETE: { 204: "Done", 429: "Later", 503: "Down", idempotency: true } },
      {},
      { 204: ["Idempotent-Replayed"], 409: ["Retry-After"] },
    ],
    ["what is taken", { PUT: { 204: "Done", content: text() } }, {}, { 415: ["Accept", "Accept-Encoding"] }],
    [
      "what is taken of patches",
      { PATCH: { 204: "Done", content: text() } },
      {},
      { 415: ["Accept", "Accept-Encoding", "Accept-Patch"] },
    ],
    [
      "what is taken of queries",
      { QUERY: { 204: "Done", content: text() } },
      {},
      { 400: ["Accept-Query"], 415: ["Accept", "Accept-Encoding", "Accept-Query"] },
    ],
    [
      "a required precondition",
      { DELETE: { 204: "Done", precondition: true } },
      { validator: etag },
      { 428: ["Cache-Control"] },
    ],
    [
      "a handshake",
      { GET: { 101: socket({ receives: z.string(), sends: z.string() }), cache: "no-store" } },
      {},
      {
        400: ["Cache-Control"],
        403: ["Cache-Control"],
        426: ["Cache-Control", "Upgrade", "Sec-WebSocket-Version"],
      },
    ],
    [
      "for whom an answer is, whatever its status",
      {
        GET: {
          security: { token: { type: "http", scheme: "bearer" } },
          cookies: z.object({ theme: z.string() }),
          200: text(),
          404: "None",
        },
        POST: { 204: "Done", 404: "None" },
      },
      {},
      {
        200: ["Cache-Control", "Vary"],
        400: ["Cache-Control", "Vary"],
        404: ["Cache-Control", "Vary"],
        406: ["Cache-Control", "Vary"],
      },
    ],
  ])("has %s", (_, declared, of, expected) => {
    expect(fieldsOf(declared, of)).toEqual(expected);
  });

  it("has what a refusal of a guard must have, beside what it declares", () => {
    class Guard extends Middleware {
      static answers = {
        401: "Sign in",
        403: { description: "No", headers: { "X-Why": z.string() } },
        405: "Not that",
      };
      ALL(request: Request): Promise<Response> | Response {
        return this.next(request);
      }
    }
    const fields = { 401: ["WWW-Authenticate"], 403: ["X-Why"], 405: ["Allow"] };
    expect(fieldsOf({ POST: { 204: "Done", 403: "Not yours" } }, { middleware: [Guard] })).toEqual(fields);
  });

  it("has how to authenticate where the operation says how", () => {
    const declared = { 204: "Done", 401: "Sign in", 405: "Not that" };
    const security = { token: { type: "http", scheme: "bearer" } };
    expect(fieldsOf({ POST: declared })).toEqual({});
    expect(fieldsOf({ POST: { ...declared, security } })).toEqual({ 401: ["WWW-Authenticate"] });
  });

  it("has no tag of other content on events", async () => {
    class Feed extends Resource {
      override paths = ["/feed"];
      validator(): object {
        return etag;
      }
      static GET = { 200: events(z.string()), 203: text() };
      override async *GET(): AsyncGenerator<string> {
        yield "a";
      }
    }
    const app = Application.builder()
      .resources(Feed as never)
      .build();
    const { headers, body } = await app.request("/feed", { headers: { accept: "text/plain, */*;q=0.1" } });
    await body!.cancel();
    expect([headers.get("content-type"), headers.get("etag")]).toEqual(["text/event-stream", null]);
  });

  it("has no content of an answer to HEAD", () => {
    class Guard extends Middleware {
      static answers = { 404: "Hidden" };
      override ALL(request: Request): Promise<Response> | Response {
        return this.next(request);
      }
    }
    class Item extends Resource {
      override paths = ["/items"];
      static override middleware = [Guard];
      static HEAD = { 200: text(), 404: "None" };
      override HEAD(): never {
        return "" as never;
      }
    }
    const app = Application.builder()
      .resources(Item as never)
      .build();
    const { paths, components } = document(app, { title: "a", version: "1" });
    expect(paths["/items"]!["head"]!.responses).toEqual({
      200: { description: "OK" },
      404: { description: "None" },
      406: {
        description: "Nothing that is accepted: there is text/plain",
        headers: { Vary: expect.anything() as never },
      },
    });
    expect(components.schemas).toEqual({});
  });
});
