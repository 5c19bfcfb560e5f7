import * as zlib from "node:zlib";
import { gunzipSync, inflateSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { asked } from "../../tests/middleware/asked.ts";
import { gate, turn } from "../../tests/support/sockets.ts";
import { lightContent, type LightResponse } from "../http/message/light-response.ts";
import { Response as OwnResponse } from "../http/message/response.ts";
import { compress, type CompressOptions } from "./compress.ts";
import { conditional } from "./conditional.ts";

const text = "All work and no play makes Jack a dull boy. ".repeat(100);
const html = { "content-type": "text/html; charset=utf-8" };
const gzip = { headers: { "accept-encoding": "gzip" } };

function askFor(response: () => Response, options?: CompressOptions) {
  return asked({ GET: response, HEAD: response }, compress(options));
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe("compress()", () => {
  it("RFC 9110 §8.4.1.3 and §8.4.1.2 code content as gzip, or as deflate in the zlib format", async () => {
    const ask = askFor(() => new Response(text, { headers: { ...html, "content-length": String(text.length) } }));
    const response = await ask(gzip);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.has("content-length")).toBe(false);
    const bytes = await bytesOf(response);
    expect(bytes.length).toBeLessThan(text.length / 5);
    expect(gunzipSync(bytes).toString()).toBe(text);
    const deflated = await ask({ headers: { "accept-encoding": "deflate" } });
    expect(deflated.headers.get("content-encoding")).toBe("deflate");
    expect(inflateSync(await bytesOf(deflated)).toString()).toBe(text);
  });

  it("RFC 9110 §12.5.3 chooses as Accept-Encoding has it", async () => {
    const ask = askFor(() => new Response(text, { headers: html }));
    const coding = async (value?: string) =>
      (await ask(value === undefined ? {} : { headers: { "accept-encoding": value } })).headers.get("content-encoding");
    expect(await coding("gzip;q=0.5, deflate")).toBe("deflate");
    expect(await coding("*")).not.toBeNull();
    expect(await coding("*;q=0.1, identity;q=0.5")).toBeNull();
    expect(await coding("gzip;q=0")).toBeNull();
    expect(await coding("x")).toBeNull();
    expect(await coding("")).toBeNull();
    expect(await coding()).toBeNull();
    expect(await coding("identity;q=0")).toBeNull();
  });

  it("prefers codings in the order that it is told", async () => {
    const ask = askFor(() => new Response(text, { headers: html }), { codings: ["deflate", "gzip"] });
    expect((await ask({ headers: { "accept-encoding": "gzip, deflate" } })).headers.get("content-encoding")).toBe(
      "deflate",
    );
    expect((await ask({ headers: { "accept-encoding": "br" } })).headers.get("content-encoding")).toBeNull();
  });

  it("uses br and zstd where the runtime has them in zlib, and passes over them where not", async () => {
    const codingOf = async (accept: string) =>
      (
        await askFor(() => new Response(text, { headers: html }))({ headers: { "accept-encoding": accept } })
      ).headers.get("content-encoding");
    expect(await codingOf("gzip, br, zstd")).toBe("createZstdCompress" in zlib ? "zstd" : "br");
    expect(await codingOf("gzip, br")).toBe("br");

    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await codingOf("gzip, br, zstd")).toBe("gzip");
    vi.stubGlobal("CompressionStream", undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await codingOf("gzip, br, zstd")).toBeNull();
  });

  // Only a light response shows what it has before it is read.
  it.skipIf(OwnResponse === Response)("compresses up to 16 KiB in one call, and streams longer content", async () => {
    const most = "a".repeat(16_384);
    const isAtOnce = async (response: () => Response): Promise<boolean> => {
      const answer = await askFor(response)(gzip);
      const content = (answer as Partial<LightResponse>)[lightContent];
      const unread = content === undefined ? await bytesOf(answer) : (content as Uint8Array);
      expect(/^a+$/.test(gunzipSync(unread).toString())).toBe(true);
      return content !== undefined;
    };
    for (const [Class, length] of [
      [Response, ""],
      [OwnResponse, ""],
      [OwnResponse, "content-length"],
    ] as const) {
      const made = (content: string | Uint8Array<ArrayBuffer>) => () => {
        const fields = length === "" ? html : { ...html, [length]: String(content.length) };
        return new Class(content, { headers: fields });
      };
      expect(await isAtOnce(made(most))).toBe(true);
      expect(await isAtOnce(made(new TextEncoder().encode(most)))).toBe(true);
      expect(await isAtOnce(made(`${most}a`))).toBe(false);
    }
  });

  it("sends what came of a page before the rest of it comes", async () => {
    const { opened, open } = gate();
    const parts = ["<p>shell", "<p>late"];
    const page = () =>
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (parts.length === 1) await opened;
          controller.enqueue(new TextEncoder().encode(parts.shift()));
          if (parts.length === 0) controller.close();
        },
      });
    const reader = (await askFor(() => new Response(page(), { headers: html }))(gzip)).body!.getReader();
    const read: Uint8Array[] = [];
    const decoded = () => gunzipSync(Buffer.concat(read), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString();
    // The header of gzip may come alone.
    do read.push((await reader.read()).value!);
    while (decoded() === "");
    expect(decoded()).toBe("<p>shell");
    open();
    await reader.cancel();
  });

  it("takes no more of a stream than the client reads", async () => {
    let pulls = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          pulls++;
          await turn();
          controller.enqueue(crypto.getRandomValues(new Uint8Array(60_000)));
        },
      });
    const { body } = await askFor(() => new Response(endless(), { headers: html }))(gzip);
    for (let count = 0; count < 100; count++) await turn();
    expect(pulls).toBeLessThan(5);
    await body!.cancel();
  });

  it("RFC 9110 §12.5.5 adds Accept-Encoding to Vary, also where it does not compress", async () => {
    const ask = askFor(() => new Response(text, { headers: { ...html, vary: "Origin" } }));
    expect((await ask(gzip)).headers.get("vary")).toBe("Origin, Accept-Encoding");
    expect((await ask()).headers.get("vary")).toBe("Origin, Accept-Encoding");
  });

  it("RFC 9110 §8.8.3.3 gives what it compresses an entity tag of its own", async () => {
    const ask = (etag: string) => askFor(() => new Response(text, { headers: { ...html, etag } }));
    expect((await ask('"a"')(gzip)).headers.get("etag")).toBe('"a~gzip"');
    expect((await ask('W/"a"')(gzip)).headers.get("etag")).toBe('W/"a~gzip"');
    expect((await ask("a")(gzip)).headers.get("etag")).toBe("a");
    expect((await ask('"a"')()).headers.get("etag")).toBe('"a"');
  });

  it("RFC 9110 §15.4.5 has the same tag and Vary on 304 as on 200", async () => {
    const handlers = { GET: () => new Response(text, { headers: html }) };
    const ask = asked(handlers, compress(), conditional());
    const etag = (await ask(gzip)).headers.get("etag")!;
    expect(etag).toMatch(/^"[^"]+~gzip"$/);
    const response = await ask({ headers: { ...gzip.headers, "if-none-match": etag } });
    expect([response.status, response.headers.get("etag")]).toEqual([304, etag]);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(response.headers.has("content-encoding")).toBe(false);
  });

  it("RFC 9110 §15.4.5 and §15.3.7 have Vary on 304 without a tag, and on 206", async () => {
    const dated = { ...html, "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT" };
    const ask = asked({ GET: () => new Response(text, { headers: dated }) }, compress(), conditional({ maxBytes: 0 }));
    const response = await ask({ headers: { ...gzip.headers, "if-modified-since": dated["last-modified"] } });
    expect([response.status, response.headers.get("vary")]).toEqual([304, "Accept-Encoding"]);
    const part = (type: string) => () => new Response("a", { status: 206, headers: { "content-type": type } });
    expect((await askFor(part("text/html"))(gzip)).headers.get("vary")).toBe("Accept-Encoding");
    expect((await askFor(part("image/png"))(gzip)).headers.get("vary")).toBeNull();
  });

  it("RFC 9110 §15.4.5 leaves 304 as it is where 200 would be, as far as its fields show", async () => {
    const etag = '"a"';
    const kept = { "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT", etag };
    const ifModifiedSince = { headers: { ...gzip.headers, "if-modified-since": kept["last-modified"] } };
    const unchanged = async (headers: Record<string, string>, own: boolean) => {
      const GET = () => (own ? new Response(null, { status: 304, headers }) : new Response(text, { headers }));
      const response = await asked({ GET }, compress(), conditional())(ifModifiedSince);
      return [response.status, response.headers.get("etag"), response.headers.get("vary")];
    };
    const asItIs = [304, etag, null];
    for (const own of [false, true]) {
      expect(await unchanged({ ...html, ...kept, "cache-control": "no-transform" }, own)).toEqual(asItIs);
      expect(await unchanged({ ...html, ...kept }, own)).toEqual([304, '"a~gzip"', "Accept-Encoding"]);
    }
    expect(await unchanged({ ...kept, "content-type": "image/png" }, true)).toEqual(asItIs);
    expect(await unchanged({ ...html, ...kept, "content-encoding": "br" }, true)).toEqual(asItIs);
  });

  it.each([
    ["inside", [compress(), conditional()]],
    ["outside", [conditional(), compress()]],
  ] as const)("RFC 9110 §15.4.5 keeps the tag by which the client has it, conditional() %s", async (_, middleware) => {
    const length = { "content-length": String(text.length) };
    const handlersOf = (headers: Record<string, string>) => ({
      GET: () => new Response(text, { headers }),
      HEAD: () => new Response(null, { headers: { ...headers, ...length } }),
    });
    const own = asked(handlersOf({ ...html, etag: '"1"' }), ...middleware);
    const named = asked({ ...handlersOf(html), validator: () => ({ etag: '"1"' }) }, ...middleware);
    for (const ask of [own, named]) {
      for (const method of ["GET", "HEAD"]) {
        const tagOf = async (ifNoneMatch: string) => {
          const headers = { ...gzip.headers, "if-none-match": ifNoneMatch };
          const response = await ask({ method, headers });
          return [response.status, response.headers.get("etag"), response.headers.get("vary")];
        };
        expect(await tagOf('"1"'), method).toEqual([304, '"1"', "Accept-Encoding"]);
        expect(await tagOf('"0", W/"1", "1"'), method).toEqual([304, '"1"', "Accept-Encoding"]);
        expect(await tagOf('W/"1"'), method).toEqual([304, '"1"', "Accept-Encoding"]);
        expect(await tagOf('"1~gzip"'), method).toEqual([304, '"1~gzip"', "Accept-Encoding"]);
        expect(await tagOf('W/"1~gzip"'), method).toEqual([304, '"1~gzip"', "Accept-Encoding"]);
      }
    }
  });

  it("RFC 9110 §13.1.2 gives 304 the tag of 200 where the client named none, or there is none to compare", async () => {
    const unchanged = (headers: Record<string, string>, ifNoneMatch: string) =>
      askFor(() => new Response(null, { status: 304, headers }))({
        headers: { ...gzip.headers, "if-none-match": ifNoneMatch },
      });
    const tagged = await unchanged({ ...html, etag: '"a"' }, "*");
    expect([tagged.status, tagged.headers.get("etag")]).toEqual([304, '"a~gzip"']);
    const untagged = await unchanged(html, '"a"');
    expect([untagged.status, untagged.headers.get("vary")]).toEqual([304, "Accept-Encoding"]);
  });

  it("leaves short content as it is, whether its length is announced or not", async () => {
    for (const headers of [html, { ...html, "content-length": "5" }]) {
      const response = await askFor(() => new Response("short", { headers }))(gzip);
      expect(response.headers.has("content-encoding")).toBe(false);
      expect(await response.text()).toBe("short");
    }
    for (const headers of [html, { ...html, "content-length": "5" }]) {
      const exact = askFor(() => new Response("12345", { headers }), { minBytes: 5 });
      expect((await exact(gzip)).headers.get("content-encoding")).toBe("gzip");
    }
    const below = askFor(() => new Response("1234", { headers: html }), { minBytes: 5 });
    expect((await below(gzip)).headers.has("content-encoding")).toBe(false);
  });

  it("compresses media types that are worth it", async () => {
    const isCompressed = async (type: string, options?: CompressOptions) =>
      (await askFor(() => new Response(text, { headers: { "content-type": type } }), options)(gzip)).headers.has(
        "content-encoding",
      );
    for (const type of ["TEXT/CSS", "application/json"]) expect(await isCompressed(type), type).toBe(true);
    for (const type of ["image/png", "text", ""]) expect(await isCompressed(type), type).toBe(false);
    const compressible = (mediaType: string) => mediaType === "application/x-mine";
    expect(await isCompressed("Application/X-Mine; a=b", { compressible })).toBe(true);
    expect(await isCompressed("text/plain", { compressible })).toBe(false);
  });

  it("RFC 9111 §5.2.2.6 leaves alone what is not to be transformed", async () => {
    const response = await askFor(
      () => new Response(text, { headers: { ...html, "cache-control": "public, No-Transform" } }),
    )(gzip);
    expect([response.headers.has("content-encoding"), response.headers.has("vary")]).toEqual([false, false]);
  });

  it("RFC 9110 §14.4 leaves parts alone", async () => {
    const headers = { ...html, "content-range": "bytes 0-4399/9999" };
    const response = await askFor(() => new Response(text, { status: 206, headers }))(gzip);
    expect(response.headers.has("content-encoding")).toBe(false);
    expect(await response.text()).toBe(text);
    const parts = { status: 206, headers: { "content-type": "multipart/byteranges; boundary=a" } };
    const several = await askFor(() => new Response(text, parts), { compressible: () => true })(gzip);
    expect(several.headers.has("content-encoding")).toBe(false);
  });

  it("RFC 9110 §8.4 leaves alone what is coded already, and RFC 9530 §3 what has a digest", async () => {
    for (const field of ["content-encoding", "content-digest", "repr-digest"]) {
      const response = await askFor(() => new Response(text, { headers: { ...html, [field]: "x" } }))(gzip);
      expect(await response.text(), field).toBe(text);
    }
  });

  it("HTML §9.2 sends events as they come, uncompressed, whatever the options say", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    const ask = askFor(() => new Response(readable, { headers }), { compressible: () => true, minBytes: 0 });
    const response = await ask(gzip);
    expect(response.headers.has("content-encoding")).toBe(false);
    const reader = response.body!.getReader();
    void writer.write(new TextEncoder().encode("data: a\n\n"));
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("data: a\n\n");
    await reader.cancel();
  });

  it("RFC 9110 §15.3.5 leaves responses without content alone", async () => {
    for (const status of [204, 205]) {
      const response = await askFor(() => new Response(null, { status, headers: html }))(gzip);
      expect([response.status, response.headers.has("content-encoding")]).toEqual([status, false]);
      const unasked = await askFor(() => new Response(null, { status, headers: html }))();
      expect([unasked.status, unasked.headers.has("vary")]).toEqual([status, false]);
    }
    // No constructor makes one: Workers do for a WebSocket, and a class of a server's own may.
    const switching = Object.defineProperty(new Response(text, { headers: html }), "status", { value: 101 });
    expect(await askFor(() => switching)(gzip)).toBe(switching);
    expect((await askFor(() => new Response(null, { headers: html }))(gzip)).headers.has("content-encoding")).toBe(
      false,
    );
  });

  it("RFC 9110 §9.3.2 answers HEAD with the fields of GET if the length is known", async () => {
    const length = { ...html, "content-length": "5000", etag: '"a"' };
    const { headers } = await askFor(() => new Response(null, { headers: length }))({ ...gzip, method: "HEAD" });
    expect(Object.fromEntries(headers)).toEqual({
      "content-encoding": "gzip",
      "content-type": html["content-type"],
      etag: '"a~gzip"',
      vary: "Accept-Encoding",
    });
  });

  it("codes nothing where there is no content, but a length without HEAD, or HEAD without a length", async () => {
    const long = { ...html, "content-length": "5000" };
    const cases: [method: string, headers: Record<string, string>][] = [
      ["GET", long],
      ["HEAD", html],
    ];
    for (const [method, headers] of cases) {
      const response = await askFor(() => new Response(null, { headers }))({ ...gzip, method });
      expect(Object.fromEntries(response.headers), method).toEqual(headers);
    }
  });

  it("RFC 9110 §14.3 announces no ranges of what it compresses", async () => {
    const response = await askFor(() => new Response(text, { headers: { ...html, "accept-ranges": "bytes" } }))(gzip);
    expect(response.headers.has("accept-ranges")).toBe(false);
  });

  it("keeps status, reason phrase and other fields, several Set-Cookie among them", async () => {
    const headers = new Headers(html);
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    const response = await askFor(() => new Response(text, { status: 404, statusText: "Gone fishing", headers }))(gzip);
    expect([response.status, response.statusText]).toEqual([404, "Gone fishing"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(response.headers.get("content-encoding")).toBe("gzip");
  });

  it("compresses a stream as it comes, and cancels its source when nobody reads any more", async () => {
    const canceled = gate();
    let pulls = 0;
    const noise = () => crypto.getRandomValues(new Uint8Array(60_000));
    const endless = () =>
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          pulls++;
          await turn();
          controller.enqueue(noise());
        },
        cancel: () => canceled.open(),
      });
    const response = await askFor(() => new Response(endless(), { headers: html }))(gzip);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    await canceled.opened;
    expect(pulls).toBeLessThan(100);
  });

  it("fails if content is not bytes, and does not wait forever", async () => {
    const texts = () => new ReadableStream({ pull: (controller) => controller.enqueue("text") });
    const headers = { ...html, "content-length": "4400" };
    const response = await askFor(() => new Response(texts(), { headers }))(gzip);
    await expect(response.text()).rejects.toThrow("expected chunks of bytes");
  });

  it("passes on that the source of a stream failed", async () => {
    const { opened, open } = gate();
    const failing = () =>
      new ReadableStream<Uint8Array>({
        async pull() {
          await opened;
          throw new Error("broken");
        },
      });
    const response = await askFor(() => new Response(failing(), { headers: html }))(gzip);
    open();
    await expect(response.arrayBuffer()).rejects.toThrow("broken");
  });

  it("leaves responses made from errors as they are", async () => {
    const response = await asked({}, compress({ minBytes: 0 }))({ ...gzip, path: "/nowhere" });
    expect([response.status, response.headers.has("content-encoding")]).toEqual([404, false]);
  });

  it("takes nothing but true for yes", async () => {
    const compressible = (): never => Promise.resolve(false) as never;
    const response = await askFor(() => new Response(text, { headers: html }), { compressible })(gzip);
    expect(response.headers.has("content-encoding")).toBe(false);
  });

  it("refuses wrong options, and names them", () => {
    const refused = (options: unknown, message: string) =>
      expect(() => compress(options as CompressOptions)).toThrow(new TypeError(`Cannot call compress(): ${message}`));
    refused({ codings: ["brotli"] }, 'its option "codings" must be an array of zstd, br, gzip, deflate, got "brotli"');
    refused({ codings: "gzip" }, 'its option "codings" must be an array of zstd, br, gzip, deflate, got "gzip"');
    refused({ minBytes: "1kb" }, 'its option "minBytes" must be a whole number that is not negative, got "1kb"');
    refused({ compressible: ["text/html"] }, 'its option "compressible" must be a function, got an array');
    refused({ threshold: 1 }, 'it has no option "threshold"; write one of codings, minBytes, compressible');
  });
});
