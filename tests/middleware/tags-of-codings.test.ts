// What becomes of entity tags where content is compressed, whichever of the two middlewares is outside of the other.
import { gzipSync } from "node:zlib";
import { compress } from "fingerpost/middleware/compress";
import { conditional, negotiate, negotiatedOf } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import { asked, type Ask } from "./asked.ts";

const text = "A text that is worth compressing. ".repeat(100);
const plain = { "content-type": "text/plain" };
const gzip = { "accept-encoding": "gzip" };

const orders = [
  ["compress outside", [compress(), conditional()]],
  ["conditional outside", [conditional(), compress()]],
] as const;

async function summaryOf(ask: Ask, headers: Record<string, string>, method = "GET"): Promise<unknown[]> {
  const response = await ask({ method, headers });
  await response.body?.cancel();
  const field = (name: string): string | null => response.headers.get(name);
  return [response.status, field("content-encoding"), field("etag"), field("vary")];
}

describe.each(orders)("%s", (_, middleware) => {
  function around(content: string, headers: Record<string, string> = plain): Ask {
    const handlers = {
      GET: () => new Response(content, { headers }),
      PUT: () => new Response("changed"),
      validator: () => ({ etag: '"7"' }),
    };
    return asked(handlers, ...middleware);
  }

  it("RFC 9110 §8.8.3.3 has a strong tag for each coding, made from that of the resource", async () => {
    const ask = around(text);
    expect(await summaryOf(ask, gzip)).toEqual([200, "gzip", '"7~gzip"', "Accept-Encoding"]);
    expect(await summaryOf(ask, {})).toEqual([200, null, '"7"', "Accept-Encoding"]);
  });

  it("RFC 9110 §13.1.2 answers 304 to either, with the tag that the client has", async () => {
    const ask = around(text);
    for (const [fields, tag] of [
      [gzip, '"7~gzip"'],
      [{}, '"7"'],
    ] as const) {
      const headers = { ...fields, "if-none-match": tag };
      expect(await summaryOf(ask, headers), tag).toEqual([304, null, tag, "Accept-Encoding"]);
    }
  });

  it("RFC 9110 §15.4.5 keeps the strong tag of what is too short to compress, so that If-Match matches", async () => {
    const ask = around("short");
    const [, , tag] = await summaryOf(ask, gzip);
    expect(tag).toBe('"7"');
    const again = await ask({ headers: { ...gzip, "if-none-match": '"7"' } });
    expect([again.status, again.headers.get("etag")]).toEqual([304, '"7"']);
    const change = await ask({ method: "PUT", headers: { ...gzip, "if-match": again.headers.get("etag")! } });
    expect(change.status).toBe(200);
  });

  it("RFC 9110 §13.1.1 reads the tag of a coding back in If-Match and If-None-Match of a change", async () => {
    const statusOf = async (headers: Record<string, string>) => (await around(text)({ method: "PUT", headers })).status;
    const match = (tag: string) => statusOf({ "if-match": tag });
    expect([await match('"7~gzip"'), await match('"6", "7~br"'), await match('"7"')]).toEqual([200, 200, 200]);
    // Another version, a coding that nobody makes, and a weak tag, which matches nothing strongly.
    expect([await match('"6~gzip"'), await match('"7~lzma"'), await match('W/"7~gzip"')]).toEqual([412, 412, 412]);
    const noneMatch = (tag: string) => statusOf({ "if-none-match": tag });
    expect([await noneMatch('"7~gzip"'), await noneMatch('"6~gzip"')]).toEqual([412, 200]);
  });

  it("C9.9 lets a browser edit what it got compressed, where a precondition is required", async () => {
    let version = 7;
    const required = conditional({ requiredMethods: ["PUT"] });
    const handlers = {
      GET: () => new Response(text, { headers: plain }),
      PUT: async (request: Request) => new Response(`${++version} ${await request.text()}`),
      validator: () => ({ etag: `"${version}"` }),
    };
    const own = middleware.map((Class) => (Class.name === "Conditional" ? required : Class));
    const ask = asked(handlers, ...own);
    for (let edit = 0; edit < 3; edit++) {
      const etag = (await ask({ headers: gzip })).headers.get("etag")!;
      const init = { method: "PUT", body: "new", headers: { ...gzip, "if-match": etag } };
      expect([etag, await (await ask(init)).text()]).toEqual([`"${version - 1}~gzip"`, `${version} new`]);
      expect((await ask(init)).status).toBe(412);
    }
    expect((await ask({ method: "PUT", headers: gzip })).status).toBe(428);
  });

  it("RFC 9110 §12.5.5 tells nobody to go on with a coding that this client does not accept", async () => {
    const ask = around(text);
    const named = { "if-none-match": '"7~gzip"' };
    expect(await summaryOf(ask, named)).toEqual([200, null, '"7"', "Accept-Encoding"]);
    expect(await summaryOf(ask, { ...named, "accept-encoding": "gzip;q=0" })).toEqual([
      200,
      null,
      '"7"',
      "Accept-Encoding",
    ]);
  });

  it("RFC 9110 §14.2 joins no range of what is not coded to what was", async () => {
    const part = ({ headers }: Request): Response =>
      new Response(headers.has("range") ? "A" : text, { status: headers.has("range") ? 206 : 200, headers: plain });
    const ask = asked({ GET: part, validator: () => ({ etag: '"7"' }) }, ...middleware);
    const range = { ...gzip, range: "bytes=0-0" };
    expect((await ask({ headers: { ...range, "if-range": '"7~gzip"' } })).status).toBe(200);
    expect((await ask({ headers: { ...range, "if-match": '"7~gzip"' } })).status).toBe(412);
    expect((await ask({ headers: { ...range, "if-range": '"7"' } })).status).toBe(206);
  });

  it("RFC 9110 §8.8.3.3 leaves the strong tag that a handler gives to what it coded itself", async () => {
    const coded = { ...plain, "content-encoding": "gzip", etag: '"gzip of 7"', vary: "Accept-Encoding" };
    const expected = [200, "gzip", '"gzip of 7"', "Accept-Encoding"];
    expect(await summaryOf(around("as if coded", coded), gzip)).toEqual(expected);
  });
});

describe("computed tags", () => {
  const handlers = { GET: () => new Response(text, { headers: plain }) };

  it("RFC 9110 §8.8.3.3 are those of the content before it was compressed, inside of compress()", async () => {
    const ask = asked(handlers, compress(), conditional());
    const [, , strong] = await summaryOf(ask, {});
    expect(strong).toMatch(/^"[^"]{22}"$/);
    expect(await summaryOf(ask, gzip)).toEqual([
      200,
      "gzip",
      String(strong).replace(/"$/, '~gzip"'),
      "Accept-Encoding",
    ]);
  });

  it("RFC 9110 §8.8.1 are not made of what compress() made, which is not the same bytes everywhere", async () => {
    const ask = asked(handlers, conditional(), compress());
    for (let count = 0; count < 5; count++) {
      expect(await summaryOf(ask, gzip)).toEqual([200, "gzip", null, "Accept-Encoding"]);
    }
    expect((await summaryOf(ask, {}))[2]).toMatch(/^"[^"]{22}"$/);
  });

  it("RFC 9110 §8.8.3 are made of content that has one coding only, whoever asks", async () => {
    const bytes = gzipSync(text);
    const only = { GET: () => new Response(bytes, { headers: { ...plain, "content-encoding": "gzip" } }) };
    for (const order of [orders[0][1], orders[1][1]]) {
      expect(await summaryOf(asked(only, ...order), gzip)).toEqual([
        200,
        "gzip",
        expect.stringMatching(/^"[^"]{22}"$/),
        null,
      ]);
    }
  });
});

describe("tags of a resource with several representations", () => {
  it("RFC 9110 §8.8.3 tell them apart where validator() asks what was negotiated", async () => {
    const mediaTypeOf = (input: object): string => negotiatedOf(input).mediaType ?? "";
    const handlers = {
      produces: ["text/html", "application/json"],
      GET: (input: object) => new Response("{}", { headers: { "content-type": mediaTypeOf(input) } }),
      validator: (input: object) => ({ etag: `"7 ${mediaTypeOf(input)}"`.replace(" ", "-") }),
    };
    const ask = asked(handlers, negotiate(), conditional());
    const html = (await ask()).headers.get("etag")!;
    const json = { accept: "application/json", "if-none-match": html };
    expect((await ask({ headers: { "if-none-match": html } })).status).toBe(304);
    const other = await ask({ headers: json });
    expect([other.status, other.headers.get("etag")]).toEqual([200, '"7-application/json~application/json"']);
  });

  it("C9.9 each media type has its own of one version, and changes and ranges read it back", async () => {
    const range = (request: Request): ResponseInit => ({ status: request.headers.has("range") ? 206 : 200 });
    const negotiating = {
      produces: ["text/html", "application/json"],
      GET: (request: Request) =>
        new Response("{}", { ...range(request), headers: { "content-type": negotiatedOf(request).mediaType! } }),
    };
    const byHand = {
      GET: (request: Request) =>
        new Response("{}", {
          ...range(request),
          headers: { "content-type": request.headers.get("accept") ?? "text/html", vary: "Accept" },
        }),
    };
    const rest = { PUT: () => new Response("stored"), validator: () => ({ etag: '"7"' }) };
    for (const [html, ask] of [
      ['"7"', asked({ ...negotiating, ...rest }, negotiate(), conditional())],
      ['"7"', asked({ ...negotiating, ...rest }, conditional(), negotiate())],
      ['"7~text/html"', asked({ ...byHand, ...rest }, conditional())],
    ] as const) {
      const json = '"7~application/json"';
      const get = (accept: string, headers: Record<string, string> = {}) => ask({ headers: { accept, ...headers } });
      const tagsOf = async (...accepted: string[]) =>
        Promise.all(accepted.map(async (accept) => (await get(accept)).headers.get("etag")));
      expect(await tagsOf("text/html", "application/json")).toEqual([html, json]);
      const statuses = async (accept: string, name: string, more: Record<string, string> = {}) =>
        Promise.all([html, json, '"6"'].map(async (tag) => (await get(accept, { [name]: tag, ...more })).status));
      expect(await statuses("text/html", "if-none-match")).toEqual([304, 200, 200]);
      expect(await statuses("application/json", "if-none-match")).toEqual([200, 304, 200]);
      // A part of one type is not joined to what another type was.
      expect(await statuses("text/html", "if-range", { range: "bytes=0-0" })).toEqual([206, 200, 200]);
      expect(await statuses("application/json", "if-range", { range: "bytes=0-0" })).toEqual([200, 206, 200]);
      const put = async (tag: string) => (await ask({ method: "PUT", headers: { "if-match": tag } })).status;
      expect([await put(html), await put(json), await put('"7"'), await put('"7~application/json~gzip"')]).toEqual(
        Array.from({ length: 4 }, () => 200),
      );
      expect([await put('"6~application/json"'), await put('"7~json"')]).toEqual([412, 412]);
      const created = await ask({ method: "PUT", headers: { "if-none-match": json } });
      expect(created.status).toBe(412);
    }
  });

  it("RFC 9110 §13.1.5 a tag in If-Range is not that of a resource that has none", async () => {
    const lastModified = new Date(0);
    const GET = ({ headers }: Request): Response => new Response("{}", { status: headers.has("range") ? 206 : 200 });
    const ask = asked({ GET, validator: () => ({ lastModified }) }, conditional());
    const statusOf = async (ifRange: string) =>
      (await ask({ headers: { range: "bytes=0-0", "if-range": ifRange } })).status;
    expect([await statusOf('"7"'), await statusOf(lastModified.toUTCString())]).toEqual([200, 206]);
  });

  it("RFC 9110 §8.8.3 are computed to tell them apart, though their content is the same", async () => {
    const GET = ({ headers }: Request): Response =>
      new Response("{}", { headers: { "content-type": headers.get("accept") ?? "text/plain" } });
    const ask = asked({ GET }, conditional());
    const etag = (await ask()).headers.get("etag")!;
    const response = await ask({ headers: { accept: "application/json", "if-none-match": etag } });
    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).not.toBe(etag);
  });
});
