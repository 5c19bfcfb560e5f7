import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { bytes, text, written } from "../declaration/raw-content.ts";
import { events } from "../declared-events.ts";
import { reply } from "../declaration/reply.ts";
import { lines } from "../declared-lines.ts";
import { Application } from "../semantics-application.ts";
import { Resource } from "../semantics-resource.ts";

const pictures = {
  200: { content: { "image/png": bytes("image/png"), "image/jpeg": bytes("image/jpeg") } },
};
const blobOf = (type: string): Blob => new Blob(["12345"], { type });
const raw = new Uint8Array([1, 2, 3]);

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** Returns how a class with one operation is asked, and what the application was told. */
function applicationOf(operation: object | null, given: unknown, etag: string | null = null, method = "GET") {
  let handled = 0;
  const handle = (): unknown => ((handled += 1), given);
  class Pictures extends Resource {
    override paths = ["/"];
  }
  Object.assign(Pictures, operation && { [method]: operation });
  Object.assign(Pictures.prototype, { [method]: handle });
  if (etag !== null) Object.assign(Pictures.prototype, { validator: () => ({ etag }) });
  const errors: string[] = [];
  const app = Application.builder()
    .resources(Pictures)
    .onError((error) => void errors.push((error as Error).message))
    .build();
  const ask = async (asked: Asked = {}) => {
    const response = await app.request("/", { method, ...asked });
    const { headers, status } = response;
    return { status, type: headers.get("content-type"), headers, text: await response.text() };
  };
  return { ask, errors, handled: () => handled };
}

async function typeOf(operation: object | null, given: unknown, accept = "*/*", method = "GET") {
  const { ask, errors } = applicationOf(operation, given, null, method);
  const { status, type } = await ask({ headers: { accept } });
  return [status, type, ...errors];
}

describe("content that has a declared type", () => {
  it.each([
    ["a Blob", blobOf("image/jpeg")],
    ["bytes with the field", reply(200, raw, { "Content-Type": "image/jpeg" })],
    ["a Blob without a type", reply(200, blobOf(""), { "content-type": "image/jpeg" })],
    ["a stream", () => reply(200, new Blob(["1"]).stream(), { "content-type": "image/jpeg" })],
  ])("C9.12 is sent as that, if the client accepts it: %s", async (_title, content) => {
    const given = (): unknown => (typeof content === "function" ? content() : content);
    for (const accept of ["*/*", "image/*", "image/jpeg", "image/png;q=0.9, image/jpeg;q=0.1"]) {
      const { ask } = applicationOf(pictures, given(), '"7"');
      const { status, type, headers } = await ask({ headers: { accept } });
      expect([accept, status, type, headers.get("vary"), headers.get("etag")]).toEqual([
        accept,
        200,
        "image/jpeg",
        "Accept",
        '"7~image/jpeg"',
      ]);
    }
    const { ask, errors } = applicationOf(pictures, given(), '"7"');
    const { status, text: told, headers } = await ask({ headers: { accept: "image/png" } });
    expect([status, JSON.parse(told).detail, headers.get("vary"), headers.get("etag")]).toEqual([
      406,
      "Available: image/jpeg",
      "Accept",
      null,
    ]);
    expect(errors).toEqual(["Available: image/jpeg"]);
  });

  it("C9.12 has the tag of its type in preconditions, HEAD and ranges", async () => {
    const { ask, handled } = applicationOf(pictures, blobOf("image/jpeg"), '"7"');
    const tag = '"7~image/jpeg"';
    const told = async (headers: Record<string, string>, method = "GET") => {
      const answer = await ask({ method, headers });
      return [answer.status, answer.type, answer.headers.get("etag"), answer.text];
    };
    expect(await told({}, "HEAD")).toEqual([200, "image/jpeg", tag, ""]);
    expect(await told({ "If-None-Match": tag })).toEqual([304, null, tag, ""]);
    expect(await told({ "If-Match": tag })).toEqual([200, "image/jpeg", tag, "12345"]);
    expect((await told({ "If-Match": '"7"' }))[0]).toBe(412);
    expect((await told({ "If-Match": '"6"' }))[0]).toBe(412);
    expect(await told({ Range: "bytes=3-", "If-Range": tag })).toEqual([206, "image/jpeg", tag, "45"]);
    expect(await told({ Range: "bytes=3-", "If-Range": '"7"' })).toEqual([200, "image/jpeg", tag, "12345"]);
    // The client has the representation that it prefers: the handler is not asked.
    const before = handled();
    expect(await told({ "If-None-Match": '"7"' })).toEqual([304, null, '"7"', ""]);
    expect(handled()).toBe(before);
  });

  it("C9.12 has the tag of the version where it is of the first type", async () => {
    const { ask } = applicationOf(pictures, blobOf("image/png"), 'W/"7"');
    expect((await ask({ headers: { accept: "image/jpeg, image/*;q=0.5" } })).headers.get("etag")).toBe('W/"7"');
    const dated = applicationOf(pictures, blobOf("image/jpeg"), 'W/"7"');
    expect((await dated.ask()).headers.get("etag")).toBe('W/"7~image/jpeg"');
  });

  it("C9.12 is negotiated as before where it has no type, or may be written from a Blob", async () => {
    expect(await typeOf(pictures, raw, "image/jpeg")).toEqual([200, "image/jpeg"]);
    expect(await typeOf(pictures, blobOf(""), "image/jpeg")).toEqual([200, "image/jpeg"]);
    const size = written("text/plain", (blob: Blob) => String(blob.size));
    const operation = { 200: { content: { "image/png": bytes("image/png"), "text/plain": size } } };
    expect(await typeOf(operation, blobOf("image/png"), "text/plain")).toEqual([200, "text/plain"]);
    const texts = { 200: { content: { "text/plain": text(), "application/json": z.string() } } };
    expect((await typeOf(texts, blobOf("image/png"), "text/plain"))[0]).toBe(500);
  });

  it("C9.12 is told apart from JSON and events beside it", async () => {
    const content = {
      "application/json": z.object({ a: z.string() }),
      "text/event-stream": events(z.string()),
      "image/png": bytes("image/png"),
    };
    expect(await typeOf({ 200: { content } }, blobOf("image/png"))).toEqual([200, "image/png"]);
    expect((await typeOf({ 200: { content } }, blobOf("image/png"), "application/json"))[0]).toBe(406);
    expect(await typeOf({ 200: { content } }, { a: "b" })).toEqual([200, "application/json"]);
  });

  it("C9.12 is a Blob of a type of JSON, which is not bytes of that", async () => {
    const content = { "application/json": z.any(), "image/png": bytes("image/png") };
    const [status, , error] = await typeOf({ 200: { content } }, blobOf("application/json"));
    expect([status, error]).toEqual([500, expect.stringContaining("got one of another type")]);
    const texts = { 200: { content: { "text/csv": z.any(), "text/x-csv": z.any() } } };
    expect(await typeOf(texts, blobOf("image/png"))).toEqual([200, "text/csv"]);
  });

  it("C9.12 has the tag of its type where another status has one type only", async () => {
    const { ask } = applicationOf({ ...pictures, 203: "Nothing" }, blobOf("image/jpeg"), '"7"');
    expect((await ask({ headers: { accept: "image/png;q=0.5, image/jpeg;q=0.1" } })).headers.get("etag")).toBe(
      '"7~image/jpeg"',
    );
  });

  it("C9.12 has the tag of its type where a status has none that the client prefers", async () => {
    const values = async function* (): AsyncGenerator<string> {
      yield "a";
    };
    const many = { 200: z.object({ a: z.string() }), 203: lines(z.string()) };
    for (const accept of ["application/json", "*/*", "application/jsonl"]) {
      const { ask } = applicationOf(many, reply(203, values()), '"7"');
      const { status, headers } = await ask({ headers: { accept } });
      expect([status, headers.get("content-type"), headers.get("etag")]).toEqual([
        ...[203, "application/jsonl", '"7~application/jsonl"'],
      ]);
    }
    const binary = applicationOf({ ...many, 203: bytes("image/png") }, reply(203, Uint8Array.of(1)), '"7"');
    for (const accept of ["application/json", "*/*"]) {
      const { status, headers } = await binary.ask({ headers: { accept } });
      expect([status, headers.get("etag")], accept).toEqual([203, '"7~image/png"']);
    }
    const undeclared = applicationOf(many, reply(201, {}), '"7"');
    expect([(await undeclared.ask()).status, undeclared.errors[0]]).toEqual([500, expect.stringContaining("201")]);
    const streams = { 200: z.object({ a: z.string() }), 203: events(z.string()) };
    const listening = applicationOf(streams, reply(203, values()), '"7"');
    expect((await listening.ask({ headers: { accept: "application/json" } })).headers.get("etag")).toBeNull();
  });

  it("C9.12 is application/octet-stream for a client that prefers it, and where nothing else is declared", async () => {
    const octets = "application/octet-stream";
    const content = { "image/png": bytes("image/png"), [octets]: bytes(octets) };
    expect(await typeOf({ 200: { content } }, blobOf("image/png"))).toEqual([200, "image/png"]);
    expect(await typeOf({ 200: { content } }, blobOf("image/png"), octets)).toEqual([200, octets]);
    expect(await typeOf({ 200: { content } }, blobOf("text/html"))).toEqual([200, octets]);
    expect(await typeOf({ 200: { content } }, blobOf(octets))).toEqual([200, octets]);
    expect((await typeOf({ 200: { content } }, blobOf("text/html"), "image/png"))[0]).toBe(406);
  });

  it("C9.12 of no declared type is 500, whatever the client accepts", async () => {
    for (const accept of ["*/*", "image/png", "image/jpeg"]) {
      for (const type of ["image/gif", "none"]) {
        expect(await typeOf(pictures, blobOf(type), accept)).toEqual([
          500,
          "application/problem+json",
          "Cannot answer GET of Pictures: the content of 200 does not fit at # (Expected a Blob of image/png or " +
            "image/jpeg, got one of another type)",
        ]);
      }
      expect(await typeOf(pictures, reply(200, raw, { "Content-Type": "image/gif" }), accept)).toEqual([
        500,
        "application/problem+json",
        "Cannot answer GET of Pictures: 200 is image/png or image/jpeg, and its reply() has Content-Type " +
          '"image/gif"; write a declared type, or leave it out',
      ]);
    }
    const parameter = reply(200, raw, { "content-type": "image/png;charset=utf-8" });
    expect((await typeOf(pictures, parameter))[2]).toContain('has Content-Type "image/png;charset=utf-8"');
    const other = reply(200, blobOf("image/png"), { "content-type": "image/jpeg" });
    expect((await typeOf(pictures, other))[2]).toContain("Expected a Blob of image/jpeg, got one of another type");
  });

  it("C9.12 of a write is sent as it is: it has had its effect", async () => {
    expect(await typeOf(pictures, blobOf("image/jpeg"), "image/png", "POST")).toEqual([200, "image/jpeg"]);
    const stored = reply(200, raw, { "content-type": "image/jpeg" });
    expect(await typeOf(pictures, stored, "image/png", "POST")).toEqual([200, "image/jpeg"]);
  });

  it("C9.12 of an error is never 406", async () => {
    const operation = { ...pictures, 404: pictures[200] };
    const { ask } = applicationOf(operation, reply(404, blobOf("image/jpeg")), '"7"');
    const { status, type, headers } = await ask({ headers: { accept: "image/png" } });
    expect([status, type, headers.get("vary")]).toEqual([404, "image/jpeg", "Accept"]);
  });
});

describe("Content-Type of reply()", () => {
  it("C9.12 may name the type that is sent anyway, with or without its parameters", async () => {
    const typed = (content: unknown, type: string | undefined) => reply(200, content, { "CONTENT-TYPE": type });
    const page = "text/html;charset=utf-8";
    for (const type of ["text/html", "Text/HTML; charset=UTF-8", page, undefined]) {
      expect(await typeOf({ 200: text("text/html") }, typed("<p>", type))).toEqual([200, page]);
    }
    expect(await typeOf({ 200: z.string() }, typed("a", "application/json"))).toEqual([200, "application/json"]);
    expect(await typeOf(null, typed("a", "application/json"))).toEqual([200, "application/json"]);
    expect(await typeOf(null, typed(undefined, "text/html"))).toEqual([200, "text/html"]);
    const missing = reply(404, {}, { "content-type": "application/problem+json" });
    expect((await typeOf({ 200: text(), 404: "None" }, missing))[0]).toBe(404);
    const texts = { 200: { content: { "text/plain": text(), "text/html": text() } } };
    expect(await typeOf(texts, typed("<p>", "text/html"))).toEqual([200, page]);
  });

  it.each([
    [{ 200: text("text/html") }, reply(200, "a", { "content-type": "text/html;charset=latin1" }), "text/html"],
    [{ 200: z.string() }, reply(200, "a", { "content-type": "text/html" }), "application/json"],
    [{ 200: z.string() }, reply(200, "a", { "content-type": "no type" }), "application/json"],
    [{ 200: z.string() }, reply(200, "a", { "content-type": "text/json" }), "application/json"],
    [null, reply(200, "a", { "content-type": "text/html" }), "application/json"],
    [{ 200: text(), 404: "None" }, reply(404, {}, { "content-type": "text/html" }), "application/problem+json"],
  ])("C9.12 is 500 where it is another one, %#", async (operation, given, declared) => {
    const [status, , error] = await typeOf(operation, given);
    expect([status, error]).toEqual([
      500,
      expect.stringContaining(`${given.status} is ${declared}, and its reply() has`),
    ]);
  });
});

describe("content of a type that a range covers, too", () => {
  it("C9.12 is sent as the declared type itself", async () => {
    const operation = { 200: { content: { "image/*": bytes("image/*"), "image/png": bytes("image/png") } } };
    const sent = async (type: string) => {
      const { headers } = await applicationOf(operation, reply(200, raw, { "content-type": type })).ask();
      return [headers.get("content-type"), headers.get("x-content-type-options")];
    };
    expect(await sent("image/png")).toEqual(["image/png", null]);
    expect(await sent("image/gif")).toEqual(["image/gif", "nosniff"]);
  });

  it("RFC 9110 §15.5.7 names what is there where the client does not accept it", async () => {
    const operation = { 200: bytes("image/*") };
    const { ask } = applicationOf(operation, reply(200, raw, { "content-type": "image/gif" }));
    const { status, text: said } = await ask({ headers: { accept: "image/png" } });
    expect([status, JSON.parse(said).detail]).toEqual([406, "Available: image/gif"]);
  });
});

describe("the type of content that came", () => {
  it("C9.12 is the declared one, without the parameters that the client sent", async () => {
    const asked: unknown[] = [];
    class Texts extends Resource {
      override paths = ["/"];
      static POST = { content: text(), 204: "Read" };
      override POST(call: { readonly contentType?: string | undefined }): void {
        asked.push(call.contentType);
      }
    }
    const app = Application.builder().resources(Texts).build();
    const headers = { "content-type": "text/plain; charset=utf-8" };
    expect((await app.request("/", { method: "POST", headers, body: "a" })).status).toBe(204);
    expect(asked).toEqual(["text/plain"]);
  });
});

describe("fields of reply() that frame content", () => {
  it("C9.12 says at most 80 characters of a length or a type that does not fit", async () => {
    const long = "1".repeat(100);
    const saidOf = async (headers: Record<string, string>) =>
      (await typeOf({ 200: text() }, reply(200, "a", headers)))[2];
    expect(await saidOf({ "Content-Length": long })).toContain(`"${"1".repeat(80)}"`);
    expect(await saidOf({ "Content-Type": `text/${long}` })).toContain(`"text/${"1".repeat(75)}"`);
  });

  it("C9.12 may say the length that there is, and no other", async () => {
    const sized = (content: unknown, length: string) => reply(200, content, { "Content-Length": length });
    for (const [operation, content] of [
      [{ 200: text() }, "Kö"],
      [{ 200: bytes() }, raw],
      [{ 200: bytes() }, new Blob(["123"])],
    ] as const) {
      expect((await typeOf(operation, sized(content, "3")))[0]).toBe(200);
      expect((await typeOf(operation, sized(content, "4"))).slice(2)).toEqual([
        'Cannot answer GET of Pictures: the reply() of 200 has Content-Length "4", and its content has 3 bytes; ' +
          "leave the field out",
      ]);
    }
    const { ask } = applicationOf({ 200: bytes() }, sized(new Blob(["123"]).stream(), "3"));
    expect((await ask()).headers.get("content-length")).toBe("3");
  });

  it("C9.12 has no Transfer-Encoding, and the Content-Encoding that it says", async () => {
    expect((await typeOf({ 200: text() }, reply(200, "a", { "transfer-encoding": "chunked" }))).slice(2)).toEqual([
      "Cannot answer GET of Pictures: the reply() of 200 has Transfer-Encoding, which the server writes; leave the " +
        "field out",
    ]);
    const { ask } = applicationOf({ 200: bytes() }, reply(200, raw, { "content-encoding": "gzip" }));
    expect((await ask()).headers.get("content-encoding")).toBe("gzip");
  });

  it("C9.12 cancels a stream that is not sent: 406, another type, and a field of the server", async () => {
    for (const [fields, status] of [
      [{ "content-type": "image/jpeg" }, 406],
      [{ "content-type": "image/gif" }, 500],
      [{ "transfer-encoding": "chunked" }, 500],
    ] as const) {
      const cancel = vi.fn<() => void>();
      const { ask } = applicationOf(pictures, reply(200, new ReadableStream({ cancel }), fields));
      expect((await ask({ headers: { accept: "image/png" } })).status).toBe(status);
      expect(cancel).toHaveBeenCalledOnce();
    }
  });

  it("C9.12 says nothing of content that a client prefers not to get", async () => {
    const fields = { "content-type": "application/json", "content-length": "3" };
    const { ask } = applicationOf({ 200: z.string(), 204: "Done" }, reply(200, "a", fields), null, "POST");
    const { status, headers } = await ask({ headers: { prefer: "return=minimal" } });
    expect([status, headers.get("content-type"), headers.get("content-length")]).toEqual([204, null, null]);
  });
});
