import { Application, bytes, reply, Resource, text, type Call } from "fingerpost";
import { client, type ApiOf } from "fingerpost/client";
import { mock } from "fingerpost/mock";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";

/** A store of what clients send, whatever it is. */
function storeOf(type = "*/*") {
  const all = new Map<string, { readonly type: string; readonly content: Uint8Array<ArrayBuffer> }>();
  class Stored extends Resource {
    override paths = ["/:name"] as const;
    static PUT = { content: bytes(type), 200: text() };
    override PUT({ path, content, contentType }: Call<typeof Stored, "PUT">): string {
      all.set(path.name, { type: contentType!, content });
      return contentType!;
    }
    static GET = { 200: bytes(type), 404: "Nothing is stored" };
    override GET({ path }: Call<typeof Stored, "GET">) {
      const found = all.get(path.name);
      return found === undefined ? reply(404) : reply(200, found.content, { "Content-Type": found.type });
    }
  }
  return Application.builder().resources(Stored).build();
}

/** Sends content, and asks for it. Returns the type that the handler saw, and the fields of the answer. */
async function stored(type: string | null, range = "*/*") {
  const app = storeOf(range);
  const headers = type === null ? {} : { "Content-Type": type };
  const sent = await app.request("/a", { method: "PUT", headers, body: Uint8Array.of(1, 2) });
  const seen = await sent.text();
  if (sent.status !== 200) return sent.status;
  const got = await app.request("/a");
  const field = (name: string): string | null => got.headers.get(name);
  expect((await got.arrayBuffer()).byteLength).toBe(2);
  return [seen, field("content-type"), field("x-content-type-options"), field("content-security-policy")];
}

const plain = (type: string) => [type, type, "nosniff", null];
const active = (type: string) => [type, type, "nosniff", "sandbox"];

describe("types of what was stored", () => {
  it("C8.23 are what came, and not the range", async () => {
    expect(await stored("image/png")).toEqual(plain("image/png"));
    expect(await stored("Image/PNG", "image/*")).toEqual(plain("image/png"));
    expect(await stored("text/plain; charset=ISO-8859-1")).toEqual(plain("text/plain; charset=ISO-8859-1"));
    expect(await stored("application/json")).toEqual(plain("application/json"));
    expect(await stored("text/css", "image/*")).toBe(415);
    expect(await stored("image/png;charset=latin1", "image/png")).toBe(415);
  });

  it.each(["image/*", "*/*", "image", "", "text/html, text/plain", ";text/html"])(
    "C8.23 are types: %j is 415",
    async (type) => {
      expect(await stored(type)).toBe(415);
    },
  );

  it.each([
    ...["text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "text/xsl", "TEXT/HTML;charset=utf-8"],
    ...["text/rdf", "multipart/x-mixed-replace;boundary=a"],
  ])("C8.23 run no script: %s is sandboxed", async (type) => {
    expect(await stored(type)).toEqual(active(type.replace("TEXT/HTML", "text/html")));
  });

  it("C8.23 are application/octet-stream where none came, if that is declared", async () => {
    const unknown = plain("application/octet-stream");
    expect(await stored(null)).toEqual(unknown);
    expect(await stored(null, "application/octet-stream")).toEqual(unknown);
    expect(await stored(null, "application/*")).toEqual(unknown);
    expect(await stored(null, "image/*")).toBe(415);
    expect(await stored(null, "image/png")).toBe(415);
  });

  it("C8.23 are taken by the declared type that covers them most closely", async () => {
    class Notes extends Resource {
      override paths = ["/"];
      static POST = {
        content: { "*/*": bytes(), "text/*": bytes(), "application/json": z.object({ a: z.int() }) },
        200: text(),
      };
      override POST({ content, contentType }: Call<typeof Notes, "POST">): string {
        return `${contentType} ${ArrayBuffer.isView(content) ? "bytes" : "value"}`;
      }
    }
    const app = Application.builder().resources(Notes).build();
    const sent = async (type: string): Promise<string> =>
      (await app.request("/", { method: "POST", headers: { "Content-Type": type }, body: '{"a":1}' })).text();
    expect(await sent("application/json")).toBe("application/json value");
    expect(await sent("application/cbor")).toBe("application/cbor bytes");
    expect(await sent("text/markdown")).toBe("text/markdown bytes");
  });
});

/** Answers with content that is declared by a map of types, and the errors. */
async function answered(content: object, given: unknown, headers: Record<string, string> = {}, method = "GET") {
  const errors: unknown[] = [];
  class Thing extends Resource {
    override paths = ["/"];
    validator(): object {
      return { etag: '"7"' };
    }
  }
  Object.assign(Thing, { [method]: { 200: { content }, 201: { content } } });
  Object.assign(Thing.prototype, { [method]: () => given });
  const app = Application.builder()
    .resources(Thing as never)
    .onError((error) => void errors.push((error as Error).message))
    .build();
  const { status, headers: fields, body } = await app.request("/", { method, headers });
  await body?.cancel();
  return status === 500 ? errors[0] : [status, fields.get("content-type"), fields.get("etag")];
}

const blob = (type: string): Blob => new Blob(["12"], { type });
const image = { "image/*": bytes() };

describe("ranges of answers", () => {
  it("C8.23 have the type of a Blob, or of the reply", async () => {
    expect(await answered(image, blob("image/png"))).toEqual([200, "image/png", '"7"']);
    expect(await answered(image, reply(200, blob("image/png"), { "content-type": "image/gif" }))).toEqual([
      200,
      "image/gif",
      '"7"',
    ]);
    expect(await answered({ "*/*": bytes() }, blob(""))).toEqual([200, "application/octet-stream", '"7"']);
    expect(await answered(image, reply(201, blob("image/png")) as never, {}, "POST")).toEqual([201, "image/png", null]);
  });

  it("C8.23 have no content without a type, or beside the range", async () => {
    const of = (type: string): unknown => expect.stringContaining(type);
    expect(await answered(image, new Uint8Array(2))).toEqual(
      of("Expected content of image/*, with its type as Content-Type of reply()"),
    );
    expect(await answered(image, blob("text/css"))).toEqual(of("Expected a Blob of image/*, got one of another type"));
    for (const type of ["text/css", "image/*", "image", "image/png, image/gif"]) {
      const given = reply(200, new Uint8Array(2), { "content-type": type });
      expect(await answered(image, given), type).toEqual(of("and its reply() has Content-Type"));
    }
  });

  it("C8.23 are asked for by their types: 406 if the client accepts another one only", async () => {
    const ask = async (accept: string, given: unknown = blob("image/png")) => {
      const is = await answered(image, given, { accept });
      return Array.isArray(is) ? (is[0] as unknown) : is;
    };
    for (const accept of ["image/png", "image/*", "*/*", "image/webp, */*;q=0.1", "image/gif;q=0, image/*"]) {
      expect(await ask(accept), accept).toBe(200);
    }
    for (const accept of ["text/html", "image/gif", "image/*;q=0", "image/png;q=0, image/*"]) {
      expect(await ask(accept), accept).toBe(406);
    }
    // What has happened is answered.
    expect(await answered(image, reply(201, blob("image/png")) as never, { accept: "image/gif" }, "POST")).toEqual([
      201,
      "image/png",
      null,
    ]);
  });

  it("C8.23 stand beside types that are declared alone, which come first", async () => {
    const content = { "application/json": z.object({ a: z.int() }), "*/*": bytes(), "image/*": bytes() };
    expect(await answered(content, { a: 1 })).toEqual([200, "application/json", '"7"']);
    expect(await answered(content, blob("text/css"))).toEqual([200, "text/css", '"7~*/*"']);
    expect(await answered(content, blob("image/png"), { accept: "image/*" })).toEqual([200, "image/png", '"7~*/*"']);
    const typed = reply(200, { a: 1 }, { "content-type": "application/json" });
    expect(await answered(content, typed as never, { accept: "*/*;q=0.5, application/json" })).toEqual([
      200,
      "application/json",
      '"7"',
    ]);
  });

  it("C8.23 are 304 before the handler, and 206 in part", async () => {
    expect(await answered(image, blob("image/png"), { "if-none-match": '"7"' })).toEqual([304, null, '"7"']);
    expect(await answered(image, blob("image/png"), { range: "bytes=0-0" })).toEqual([206, "image/png", '"7"']);
    expect(await answered(image, blob("image/png"), { "if-match": '"8"' })).toEqual([
      412,
      "application/problem+json",
      null,
    ]);
  });

  it("C8.23 keep a policy that the handler chose", async () => {
    class Page extends Resource {
      override paths = ["/"];
      static GET = { 200: bytes("text/*") };
      override GET() {
        const fields = { "Content-Type": "text/html", "Content-Security-Policy": "default-src 'self'" };
        return reply(200, new Uint8Array(2), fields);
      }
    }
    const { headers } = await Application.builder().resources(Page).build().request("/");
    expect(headers.get("content-security-policy")).toBe("default-src 'self'");
  });

  it("C8.12 are of bytes() alone", () => {
    class Wrong extends Resource {
      override paths = ["/"];
      static GET = { 200: { content: { "text/*": text() } } };
      override GET(): string {
        return "";
      }
    }
    expect(() =>
      Application.builder()
        .resources(Wrong as never)
        .build(),
    ).toThrow('Wrong to the application: static GET has the media type "text/*" in 200; write one such as "image/png"');
  });
});

describe("readers of a range", () => {
  it("C8.23 are the document, the client and the mock", async () => {
    const app = storeOf();
    const { paths } = document(app, { title: "Store", version: "1" }) as { readonly paths: Record<string, unknown> };
    const binary = { "*/*": { schema: { type: "string", format: "binary" } } };
    expect(paths["/{name}"]).toMatchObject({
      put: { requestBody: { content: binary } },
      get: { responses: { 200: { content: binary } } },
    });
    const api = client<ApiOf<typeof app>>("http://localhost", { fetch: app.fetch });
    await api["/:name"].PUT({ path: { name: "a" }, content: new Blob(["GIF89a"]), type: "image/gif" });
    const got = await api["/:name"].GET({ path: { name: "a" } });
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "image/gif"]);
    expect(await (got.content as Blob).text()).toBe("GIF89a");
    expect((await mock(storeOf("image/*")).request("/a")).headers.get("content-type")).toBe("image/x-mock");
    for (const [range, accept, type] of [
      ["*/*", "*/*", "application/octet-stream"],
      ["*/*", "image/png", "image/png"],
      ["image/*", "*/*", "image/x-mock"],
      ["image/*", "text/html, image/gif;q=0.5, image/*;q=0.1", "image/gif"],
    ] as const) {
      const { status, headers } = await mock(storeOf(range)).request("/a", { headers: { accept } });
      expect([range, status, headers.get("content-type")]).toEqual([range, 200, type]);
    }
  });
});
