import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { upgrade } from "../../src/content/upgrade.ts";
import { HTTPError } from "../../src/http/protocol/http-error.ts";
import { Status } from "../../src/http/protocol/status.ts";
import { http2Session, startedHttp2 } from "../support/http2.ts";
import { failingContent, native, polyfill, turn } from "../support/sockets.ts";

const echo = native(({ method, url, headers }) => Response.json({ method, url, host: headers.get("host") }));

describe("listener() under node:http2", () => {
  it("passes requests and sends responses without the fields that HTTP/2 bars", async () => {
    const warnings = vi.fn<(warning: Error) => void>();
    process.on("warning", warnings);
    onTestFinished(() => void process.off("warning", warnings));
    const headers = {
      connection: "close",
      "keep-alive": "timeout=5",
      upgrade: "h3",
      "http2-settings": "AAMAAABk",
      "transfer-encoding": "chunked",
      "x-a": "1",
    };
    const ask = await startedHttp2(
      native(async (request) => {
        const content = `${request.method} ${request.url} ${request.headers.get("cookie")} ${await request.text()}`;
        return new Response(content, { ...Status.Created, headers });
      }),
    );
    const answer = await ask({ ":path": "/a?b", ":method": "POST", cookie: "a=1; b=2" }, "content");
    expect(answer.text).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/a\?b a=1; b=2 content$/);
    expect(answer.headers).toMatchObject({ ":status": 201, "x-a": "1" });
    for (const name of ["connection", "keep-alive", "upgrade", "http2-settings", "transfer-encoding"])
      expect(answer.headers).not.toHaveProperty(name);
    await turn();
    expect(warnings).not.toHaveBeenCalled();
  });

  it("C20.1 answers 426 where only a WebSocket is declared, without the field that HTTP/2 bars", async () => {
    const ask = await startedHttp2(native((request) => upgrade(request, {})));
    const { headers } = await ask({});
    expect(headers[":status"]).toBe(426);
    expect(headers).not.toHaveProperty("upgrade");
  });

  /** Node 22 and later reset the streams of some themselves, and no listener hears of them. */
  function refusalBy(answer: ReturnType<Awaited<ReturnType<typeof startedHttp2>>>): Promise<unknown> {
    return answer.then(
      ({ headers }) => headers[":status"],
      ({ code }: { code: unknown }) => code,
    );
  }

  it("RFC 9113 §8.3.1 answers 400 to an authority that is no host", async () => {
    for (const app of [echo, polyfill(({ response }) => response.end())]) {
      const ask = await startedHttp2(app);
      for (const authority of ["x@y", "h:99999", "h:x", "[::1", "%2f", "a".repeat(256)])
        expect([400, "ERR_HTTP2_STREAM_ERROR"], authority).toContain(await refusalBy(ask({ ":authority": authority })));
      expect((await ask({ ":authority": "h:81" })).headers[":status"]).toBe(200);
    }
    const ask = await startedHttp2(echo);
    // Two components could take the one and the other for the host.
    expect((await ask({ ":authority": "h:81", host: "i" })).headers[":status"]).toBe(400);
    expect((await ask({ ":authority": "h:81", host: "H:81" })).text).toContain('"url":"http://h:81/"');
  });

  it("C3.3 does not change the case of a method", async () => {
    const ask = await startedHttp2(echo);
    expect((await ask({ ":method": "get" })).text).toContain('"method":"get"');
  });

  it("answers HEAD and errors", async () => {
    const ask = await startedHttp2(polyfill(() => Promise.reject(new HTTPError(Status.NotFound))));
    expect(await ask({ ":method": "HEAD" })).toMatchObject({
      text: "",
      headers: { ":status": 404, "content-length": "34" },
    });
    expect(await ask({})).toMatchObject({ text: '{"title":"Not Found","status":404}' });
  });

  it("resets a stream whose content fails after the head was sent", async () => {
    const ask = await startedHttp2(
      native(() => new Response(failingContent(new Error("disk")))),
      { onError: () => {} },
    );
    await expect(ask({})).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
    await expect(ask({})).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
  });

  it("RFC 9113 §8.1.1 answers 500 where content has another length, or resets its stream if that is late", async () => {
    const errors = vi.fn<(error: unknown) => void>();
    const contents: Record<string, () => BodyInit | null> = {
      text: () => "content",
      nothing: () => null,
      one: () => new Blob(["content"]).stream(),
      begun: () => begun("content", "later"),
      late: () => parts("con", "tent"),
    };
    const lengths = ["3", "9"];
    const ask = await startedHttp2(
      native(({ url }) => {
        const [, content, length] = new URL(url).pathname.split("/");
        return new Response(contents[content!]!(), { headers: { "content-length": length! } });
      }),
      { onError: errors },
    );
    for (const [content, length] of Object.keys(contents).flatMap((name) => lengths.map((at) => [name, at] as const))) {
      errors.mockClear();
      const path = `/${content}/${length}`;
      const answer = ask({ ":path": path });
      if (content === "late" || (content === "begun" && length === "9"))
        await expect(answer, path).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
      else
        expect(await answer, path).toMatchObject({
          headers: { ":status": 500 },
          text: '{"title":"Internal Server Error","status":500}',
        });
      expect(errors.mock.calls, path).toEqual([
        [
          new TypeError("Cannot send the response: its content is not as long as its content-length says"),
          expect.anything(),
          expect.anything(),
        ],
      ]);
    }
  });

  it("sends content that is as long as announced, and none where it only tells the length", async () => {
    const contents: Record<string, () => Response> = {
      "/text": () => new Response("contént", { headers: { "content-length": "8" } }),
      "/stream": () => new Response(parts("con", "tent"), { headers: { "content-length": "7" } }),
      "/304": () => new Response(null, { status: 304, headers: { "content-length": "7" } }),
    };
    const ask = await startedHttp2(native(({ url }) => contents[new URL(url).pathname]!()));
    expect((await ask({ ":path": "/text" })).text).toBe("contént");
    expect((await ask({ ":path": "/stream" })).text).toBe("content");
    expect((await ask({ ":path": "/304" })).headers).toMatchObject({ ":status": 304, "content-length": "7" });
    const head = await ask({ ":path": "/stream", ":method": "HEAD" });
    expect([head.headers["content-length"], head.text]).toEqual(["7", ""]);
  });

  it.each([
    ["read in part", async (body: ReadableStream) => void (await body.getReader().read())],
    ["read in part, then canceled", (body: ReadableStream) => readThenCancel(body.getReader())],
    ["read on", async (body: ReadableStream) => void text(body).catch(() => {})],
    ["left alone", async () => {}],
  ])("RFC 9113 §8.1 waits for no content behind its response: %s", async (_, read) => {
    const app = native(async ({ body }) => {
      await read(body!);
      return new Response("x".repeat(100_000), Status.ContentTooLarge);
    });
    const session = await http2Session(app);
    const upload = session.request({ ":path": "/", ":method": "POST" });
    upload.write("first part");
    const closed = once(upload, "close");
    expect((await text(upload)).length).toBe(100_000);
    await closed;
    expect(upload.rstCode).toBe(0);
  });

  it("aborts the signal when the client resets the stream, and only then", async () => {
    const signals: AbortSignal[] = [];
    const ask = await startedHttp2(
      native((request) => {
        signals.push(request.signal);
        return request.url.endsWith("/wait") ? new Promise(() => {}) : new Response("done");
      }),
    );
    await ask({});
    const waiting = ask({ ":path": "/wait" }, undefined, AbortSignal.timeout(20));
    await expect(waiting).rejects.toThrow();
    while (!signals[1]?.aborted) await turn();
    expect(signals[0]?.aborted).toBe(false);
  });
});

async function readThenCancel(reader: ReadableStreamDefaultReader): Promise<void> {
  await reader.read();
  await reader.cancel();
}

/** Content of which each part comes late. */
function parts(...texts: string[]): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      await turn(5);
      const part = texts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
}

/** Content whose first part is there at once. */
function begun(first: string, second: string): ReadableStream {
  const rest = parts(second).getReader();
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
    async pull(controller) {
      const { done, value } = await rest.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
