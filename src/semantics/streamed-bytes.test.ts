import {
  Application,
  bytes,
  HTTPError,
  readInput,
  reply,
  Resource,
  socket,
  Status,
  text,
  type Call,
  type StoredContent,
} from "fingerpost";
import { client, type ApiOf } from "fingerpost/client";
import { memory, type Sink } from "fingerpost/files";
import { memoryRecords } from "fingerpost/stores";
import { mock } from "fingerpost/mock";
import { Application as NativeApplication, Resource as NativeResource, type RequestOf } from "fingerpost/native";
import { document } from "fingerpost/openapi";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";

const sha256 = async (content: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content))).toString("hex");

/** Content that comes in chunks, of which the last one may be an error. */
function contentOf(...chunks: readonly (string | Error)[]) {
  const asked: number[] = [];
  const rest = [...chunks];
  let reason: unknown = null;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const chunk = rest.shift();
        asked.push(rest.length);
        if (chunk instanceof Error) throw chunk;
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel: (given) => void (reason = given ?? "canceled"),
    },
    { highWaterMark: 0 },
  );
  return { body, asked, reason: () => reason };
}

const headers = { "Content-Type": "application/octet-stream" };

/** Asks a class with one PUT, whose handler does as it is told. */
function asking(content: object, handle: (call: never) => unknown) {
  class Thing extends Resource {
    override paths = ["/"];
    static PUT = { content, 200: z.unknown(), 404: "None", 409: "Taken" };
    override async PUT(call: object): Promise<never> {
      return (await handle(call as never)) as never;
    }
  }
  const app = Application.builder()
    .resources(Thing as never)
    .onError(() => {})
    .build();
  const put = async (body: BodyInit | null, more: Record<string, string> = {}): Promise<[number, unknown]> => {
    const response = await app.request("/", { method: "PUT", headers: { ...headers, ...more }, body });
    const { detail, ...value } = Object((await response.json()) as object) as { readonly detail?: string };
    return [response.status, response.status === 200 ? value : detail];
  };
  return { app, put };
}

type Streamed = { readonly content: ReadableStream<Uint8Array<ArrayBuffer>> };
const counted = async ({ content }: Streamed) => {
  let size = 0;
  for await (const chunk of content) size += chunk.byteLength;
  return { size };
};

describe("bytes() with stream", () => {
  const streamed = bytes(undefined, { stream: true, maxBytes: 10 });

  it("C8.22 gives a stream, which is as long as the content", async () => {
    const { put } = asking(streamed, counted);
    for (const size of [0, 1, 10]) {
      expect(await put(new Uint8Array(size))).toEqual([200, { size }]);
      expect(await put(contentOf(..."x".repeat(size)).body)).toEqual([200, { size }]);
    }
    expect(await put(null)).toEqual([200, { size: 0 }]);
  });

  it("C8.22 is 413 unread by its length, or while it comes in", async () => {
    let calls = 0;
    const { put } = asking(streamed, (call) => ((calls += 1), counted(call)));
    const { body, asked } = contentOf("12345");
    const tooLong = [413, "The content is longer than 10 bytes"];
    expect(await put(body, { "Content-Length": "11" })).toEqual(tooLong);
    expect([calls, asked]).toEqual([0, []]);
    const long = contentOf("12345", "67890", "1", "2");
    expect(await put(long.body)).toEqual(tooLong);
    expect([calls, long.asked, long.reason()]).toEqual([1, [3, 2, 1], expect.any(HTTPError)]);
  });

  it("C8.22 is not read before somebody asks for it", async () => {
    const { body, asked, reason } = contentOf("12", "34", "56");
    const { put } = asking(streamed, async ({ content }: Streamed) => {
      const reader = content.getReader();
      expect(asked).toEqual([]);
      await reader.read();
      expect(asked).toEqual([2]);
      await reader.cancel("enough");
      return {};
    });
    expect(await put(body)).toEqual([200, {}]);
    expect(reason()).toBe("enough");
  });

  it("C8.22 is 400 where it breaks off, and the handler may keep what came", async () => {
    const broken = (): ReadableStream => contentOf("12", new Error("gone")).body;
    expect(await asking(streamed, counted).put(broken())).toEqual([400, "The content ended early"]);
    const kept = async ({ content }: Streamed) => {
      let size = 0;
      try {
        for await (const chunk of content) size += chunk.byteLength;
      } catch (error) {
        expect(error).toMatchObject({ status: 400, cause: new Error("gone") });
      }
      return { size };
    };
    expect(await asking(streamed, kept).put(broken())).toEqual([200, { size: 2 }]);
  });

  it("C8.22 comes after preconditions: the call has the version that held", async () => {
    const versions: unknown[] = [];
    let version = 1;
    class Page extends Resource {
      override paths = ["/"];
      validator(): object {
        return { etag: `"${version}"` };
      }
      static PUT = { content: streamed, 204: "Stored", 409: "Changed meanwhile" };
      override async PUT({ content, version: held }: Call<typeof Page, "PUT">) {
        for await (const _ of content) version = 2;
        versions.push(held, version);
        return held === String(version) ? undefined : reply(409);
      }
    }
    const app = Application.builder().resources(Page).build();
    const put = (match: string) =>
      app.request("/", { method: "PUT", headers: { ...headers, "If-Match": match }, body: new Uint8Array(1) });
    expect((await put('"0"')).status).toBe(412);
    expect((await put('"1"')).status).toBe(409);
    expect(versions).toEqual(["1", 2]);
  });

  it("C8.22 has a type, also in a map of types", () => {
    class Typed extends Resource {
      override paths = ["/"];
      static PUT = {
        content: {
          "image/png": bytes("image/png", { stream: true }),
          "image/gif": bytes("image/gif", { stream: false }),
          "image/webp": bytes("image/webp", { to: memory() }),
        },
        204: "Stored",
      };
      override PUT({ content }: Call<typeof Typed, "PUT">): undefined {
        expectTypeOf(content).toEqualTypeOf<
          | ReadableStream<Uint8Array<ArrayBuffer>>
          | Uint8Array<ArrayBuffer>
          | (StoredContent & { readonly bytes: Uint8Array<ArrayBuffer> })
        >();
      }
    }
    expect(Typed.PUT.content["image/gif"]).not.toHaveProperty("isStream");
  });
});

/** A sink that writes down what it holds. */
function shelf() {
  const held = new Map<number, string>();
  const types: string[] = [];
  let next = 0;
  const sink: Sink<{ readonly key: number }> = {
    async store({ name, fileName, type, content }, signal) {
      types.push(`${name} ${fileName}${type}`);
      const all = await new Response(content as ReadableStream<Uint8Array<ArrayBuffer>>).text();
      signal.throwIfAborted();
      held.set(next, all);
      return { key: next++ };
    },
    discard: ({ key }) => void held.delete(key),
  };
  return { sink, held, types };
}

describe("bytes() with a sink", () => {
  it("C8.22 gives what the sink returned, with type, size and digest", async () => {
    const { sink, held, types } = shelf();
    const { put } = asking(bytes("*/*", { to: sink }), ({ content }: { readonly content: object }) => content);
    expect(await put("abcd", { "Content-Type": "Image/PNG; a=1" })).toEqual([
      200,
      { key: 0, type: "image/png; a=1", size: 4, sha256: await sha256("abcd") },
    ]);
    expect(await put(null)).toEqual([
      200,
      { ...{ key: 1, type: headers["Content-Type"], size: 0 }, sha256: await sha256("") },
    ]);
    expect([...held.values(), ...types]).toEqual([
      "abcd",
      "",
      "content image/png; a=1",
      `content ${headers["Content-Type"]}`,
    ]);
  });

  it.each([
    ["a handler that refuses", "ab", () => reply(409 as never), 409],
    ["a handler that throws", "ab", () => Promise.reject(new HTTPError(Status.NotFound)), 404],
    ["content that is too long", contentOf("12345", "67890", "1").body, undefined, 413],
    ["content that breaks off", contentOf("12345", new Error("gone")).body, undefined, 400],
  ])("C8.22 keeps nothing of %s", async (_title, body, handle, status) => {
    const { sink, held, types } = shelf();
    const { put } = asking(bytes(undefined, { to: sink, maxBytes: 10 }), handle ?? (() => expect.unreachable()));
    expect((await put(body))[0]).toBe(status);
    expect([types.length, held.size]).toEqual([1, 0]);
  });

  it("C8.22 keeps nothing where a sink reads a part only, or throws, and tells the signal", async () => {
    const signals: AbortSignal[] = [];
    const reasons: unknown[] = [];
    const discarded: unknown[] = [];
    const part: Sink = {
      async store({ content }, signal) {
        signals.push(signal);
        await content.getReader().read();
        return {};
      },
      discard: (stored) => void discarded.push(stored),
    };
    const { body, reason } = contentOf("12", "34");
    expect((await asking(bytes(undefined, { to: part }), () => expect.unreachable()).put(body))[0]).toBe(500);
    reasons.push(reason());
    expect([signals[0]!.aborted, discarded, reasons]).toEqual([true, [{}], [expect.any(TypeError)]]);
  });

  it.each([
    ["content that is too long", contentOf("12345", "678901").body, 413],
    ["content that breaks off", contentOf("12345", new Error("gone")).body, 400],
  ])("C8.22 keeps nothing of %s, though its sink lets the error pass", async (_title, body, status) => {
    const discarded: unknown[] = [];
    const careless: Sink<{ readonly size: number }> = {
      async store({ content }) {
        let size = 0;
        try {
          for await (const chunk of content) size += chunk.length;
        } catch {}
        return { size };
      },
      discard: (stored) => void discarded.push(stored),
    };
    const { put } = asking(bytes(undefined, { to: careless, maxBytes: 10 }), () => expect.unreachable());
    expect((await put(body))[0]).toBe(status);
    expect(discarded).toEqual([{ size: 5 }]);
  });

  it("C8.22 is refused where what changed meanwhile would be overwritten, and then discarded", async () => {
    const { sink, held } = shelf();
    let version = 1;
    class Page extends Resource {
      override paths = ["/"];
      validator(): object {
        return { etag: `"${version++}"` };
      }
      static PUT = { content: bytes(undefined, { to: sink }), precondition: true, 204: "Stored" } as const;
      override PUT(): undefined {}
    }
    const app = Application.builder().resources(Page).build();
    const put = (match: string) =>
      app.request("/", { method: "PUT", headers: { ...headers, "If-Match": match }, body: "ab" });
    expect([(await put('"1"')).status, held.size]).toEqual([412, 0]);
    expect([(await put("*")).status, held.size]).toEqual([204, 1]);
  });

  it("C8.22 keeps what came of a client that leaves, where that is chosen", async () => {
    const { sink, held } = shelf();
    const kept = bytes(undefined, { to: sink, maxBytes: 10, partial: "keep" });
    const { put } = asking(kept, ({ content }: { readonly content: object }) => content);
    const [status, content] = await put(contentOf("12", "34", new Error("gone")).body);
    expect([status, content]).toEqual([
      200,
      { key: 0, type: headers["Content-Type"], size: 4, sha256: await sha256("1234"), isPartial: true },
    ]);
    expect(await put("12345")).toEqual([200, expect.objectContaining({ size: 5, isPartial: false })]);
    const slow = contentOf("12", new HTTPError(Status.RequestTimeout)).body;
    expect(await put(slow)).toEqual([200, expect.objectContaining({ size: 2, isPartial: true })]);
    expect([...held.values()]).toEqual(["1234", "12345", "12"]);
    // What is too long, or refused by middleware, is no content.
    for (const error of ["1", new HTTPError(Status.Forbidden)]) {
      const [refused] = await put(contentOf("12345", "67890", error).body);
      expect([refused, held.size]).toEqual([typeof error === "string" ? 413 : 403, 3]);
    }
  });

  it("C8.22 stores nothing for explain(), nor for a mock", async () => {
    const { sink, held, types } = shelf();
    const { app } = asking(bytes(undefined, { to: sink }), () => expect.unreachable());
    const request = (): Request => new Request("http://localhost/", { method: "PUT", headers, body: "ab" });
    const { questions } = await app.explain(request());
    expect(questions.at(-1)!.finding).toContain("not called");
    expect([types, held.size]).toEqual([[], 0]);
    expect((await mock(app).fetch(request())).status).toBe(200);
    expect(held.size).toBe(0);
  });

  it("C8.22 reads for handlers of other modules, which then have what was stored", async () => {
    const { sink, held } = shelf();
    const PUT = { content: bytes("*/*", { to: sink }), 200: text() };
    class Other extends NativeResource {
      override paths = ["/"] as const;
      override async PUT(request: RequestOf<Other>): Promise<Response> {
        const { content } = await readInput(request, PUT);
        return Response.json(content.size);
      }
    }
    const app = NativeApplication.builder().resources(Other).build();
    expect(await (await app.request("/", { method: "PUT", body: new Uint8Array(3) })).json()).toBe(3);
    expect(held.size).toBe(1);
  });

  it("C8.22 is discarded where readInput() fails, as nobody else does that", async () => {
    const discarded: unknown[] = [];
    const careless: Sink = {
      store: async ({ content }) => ({ first: (await content.getReader().read()).value?.length }),
      discard: (stored) => void discarded.push(stored),
    };
    class Other extends NativeResource {
      override paths = ["/"] as const;
      override async PUT(request: RequestOf<Other>): Promise<Response> {
        await readInput(request, { content: bytes(undefined, { to: careless }) });
        return expect.unreachable();
      }
    }
    const app = NativeApplication.builder().resources(Other).build();
    const { body } = contentOf("12", "34");
    const init = { method: "PUT", headers, body };
    expect((await app.request("/", init)).status).toBe(500);
    expect(discarded).toEqual([{ first: 2 }]);
  });

  it("C8.22 is in the document, and sent by the client", async () => {
    class Blobs extends Resource {
      override paths = ["/blobs"] as const;
      static POST = { content: bytes("image/png", { to: memory() }), 200: z.object({ size: z.int() }) };
      override POST({ content }: Call<typeof Blobs, "POST">) {
        return { size: content.bytes.length };
      }
    }
    const app = Application.builder().resources(Blobs).build();
    const { paths } = document(app, { title: "Blobs", version: "1" }) as { readonly paths: Record<string, unknown> };
    const schema = { type: "string", format: "binary" };
    expect(paths["/blobs"]).toMatchObject({ post: { requestBody: { content: { "image/png": { schema } } } } });
    expect(Object.keys((paths["/blobs"] as { post: { responses: object } }).post.responses)).toEqual(
      expect.arrayContaining(["200", "400", "413", "415"]),
    );
    expect(Object.keys((paths["/blobs"] as { post: { responses: object } }).post.responses)).not.toContain("422");
    const api = client<ApiOf<typeof app>>("http://localhost", { fetch: app.fetch });
    for (const content of [new Uint8Array(3), new Blob(["abc"]), contentOf("ab", "c").body]) {
      const { content: got } = await api["/blobs"].POST({ content, type: "image/png" });
      expect(got).toEqual({ size: 3 });
    }
  });
});

describe("declarations of bytes()", () => {
  it.each([
    [{ maxBytse: 5 }, 'it has no option "maxBytse"; write one of maxBytes, stream, to, partial'],
    [{ stream: 1 }, '"stream" must be true or false'],
    [{ to: {} }, '"to" must be a sink, such as disk() or memory() of fingerpost/files'],
    [{ to: memory(), stream: true }, '"stream" must be left out beside "to"'],
    [{ to: memory(), partial: "some" }, '"partial" must be "discard" or "keep", beside "to"'],
    [{ partial: "keep" }, '"partial" must be "discard" or "keep", beside "to"'],
    [{ stream: true, maxBytes: -1 }, '"maxBytes" must be a whole number'],
  ])("are checked: %j", (options, message) => {
    expect(() => bytes("image/png", options as never)).toThrow(`Cannot call bytes(): `);
    expect(() => bytes("image/png", options as never)).toThrow(message);
  });

  const built = (operation: object, validates = false): (() => unknown) => {
    class Wrong extends Resource {
      override paths = ["/"];
      static PUT = { 204: "Stored", ...operation };
      override PUT(): undefined {}
    }
    if (validates) Object.assign(Wrong.prototype, { validator: () => null });
    const builder = Application.builder().idempotency({ store: memoryRecords(), ownerOf: () => "all" });
    return () => builder.resources(Wrong as never).build();
  };

  it("C8.12 are refused beside what needs all of the content before, and in answers", () => {
    const stream = bytes("image/png", { stream: true });
    const stored = bytes("image/png", { to: memory() });
    const cannot = "Cannot add Wrong to the application: static PUT ";
    for (const content of [stream, stored]) {
      expect(built({ content, idempotency: true })).toThrow(`${cannot}has idempotency beside bytes(), which is`);
      expect(built({ 200: content })).toThrow(
        `${cannot}has bytes() with stream or to for the content of 200, which only requests have; leave the option out`,
      );
    }
    expect(built({ content: stream, precondition: true }, true)).toThrow(
      `${cannot}requires a precondition, and bytes() with stream come in after it holds; write bytes(type,`,
    );
    expect(built({ content: stored, precondition: true }, true)).not.toThrow();
    expect(() => socket({ receives: stream, sends: text() })).toThrow('"receives" must be');
  });
});

it("reads content by what bytes() and text() were told, and not by what all objects have", async () => {
  const polluted = { sink: memory(), isStream: true, read: () => "polluted" };
  Object.assign(Object.prototype, polluted);
  try {
    expect("sink" in bytes() || "isStream" in bytes() || "read" in bytes() || "read" in text()).toBe(false);
  } finally {
    for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name);
  }
});
