import { createHmac, randomBytes } from "node:crypto";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asked, askedOnNode } from "../../tests/middleware/asked.ts";
import { ask, started } from "../../tests/support/sockets.ts";
import { Application, bytes, Middleware, reply, Resource, text, type Call } from "../modules/http.semantics.ts";
import { Application as NativeApplication, Resource as NativeResource } from "../modules/http.native.ts";
import { document } from "../openapi.ts";
import { idempotency } from "../state/idempotency.ts";
import { memoryRecords } from "../state/stores.ts";
import { verifyWebhook } from "../state/webhooks.ts";
import { bodyLimit } from "./body-limit.ts";
import { decompress } from "./decompress.ts";

const json = { "content-type": "application/json" };
const gzipped = { ...json, "content-encoding": "gzip" };

class Notes extends Resource {
  paths = ["/notes"] as const;
  static POST = { content: z.object({ title: z.string() }), 200: text() };
  override POST({ content }: Call<typeof Notes, "POST">): string {
    return content.title;
  }
  static DELETE = { 204: "Gone" };
  override DELETE(): void {}
}

const appOf = (...classes: readonly never[]): Application =>
  Application.builder()
    .resources(...([Notes, ...classes] as never[]))
    .middleware(decompress())
    .onError(() => {})
    .build() as Application;

const post = (app: Application, body: Uint8Array, headers: Record<string, string> = gzipped, method = "POST") =>
  app.request("/notes", { method, body, headers } as never);

describe("decompress()", () => {
  it("RFC 9110 §8.4 hands over what was coded, without the fields that are about the coding", async () => {
    let fields: string[] = [];
    const send = asked(
      {
        async POST(request: Request) {
          fields = [...request.headers.keys()];
          return new Response(await request.text());
        },
      },
      decompress(),
    );
    for (const [coding, body] of [
      ["gzip", gzipSync("a note")],
      ["X-GZip", gzipSync("a note")],
      ["deflate", deflateSync("a note")],
      ["br", brotliCompressSync("a note")],
      ["identity, gzip , br", brotliCompressSync(gzipSync("a note"))],
      ["identity", "a note"],
    ] as const) {
      const headers = {
        "content-encoding": coding,
        "content-digest": "sha-256=:AA==:",
        "repr-digest": "sha-256=:AA==:",
        "content-length": "7",
        "x-kept": "1",
      };
      const response = await send({ method: "POST", body, headers });
      expect([coding, response.status, await response.text()]).toEqual([coding, 200, "a note"]);
      const kept = coding === "identity" ? ["content-digest", "content-encoding", "content-length", "repr-digest"] : [];
      expect(fields.filter((name) => name !== "content-type")).toEqual([...kept, "x-kept"]);
    }
  });

  it("RFC 9110 §15.5.16 refuses other codings and too many with 415, and names those that it takes", async () => {
    const app = appOf();
    for (const coding of ["compress", "gzip, compress", "gzip, gzip, gzip", "x", '"gzip"']) {
      const response = await post(app, gzipSync("{}"), { ...json, "content-encoding": coding });
      const problem = (await response.json()) as { detail: string };
      expect([coding, response.status], coding).toEqual([coding, 415]);
      expect(response.headers.get("accept-encoding")).toMatch(/^(?:zstd, )?br, gzip, deflate$/);
      expect(problem.detail).toMatch(
        /^The content has another content coding; accepted: (?:zstd, )?br, gzip, deflate$/,
      );
    }
    const none = Application.builder()
      .resources(Notes)
      .middleware(decompress({ codings: [] }))
      .build();
    const refused = await post(none as Application, gzipSync("{}"));
    expect([refused.status, refused.headers.get("accept-encoding")]).toEqual([415, "identity"]);
  });

  it("bounds what comes out by maxBytes of the operation, and by maxRatio", async () => {
    class Kept extends Resource {
      paths = ["/kept"] as const;
      static POST = { content: bytes("image/png", { maxBytes: 100_000_000 }), 200: text() };
      override POST({ content }: Call<typeof Kept, "POST">): string {
        return `${content.length}`;
      }
    }
    const app = appOf(Kept as never);
    expect((await post(app, gzipSync('{"title":"a"}'))).status).toBe(200);
    const tooLong = await post(app, gzipSync(`{"title":"${randomBytes(600_000).toString("hex")}"}`));
    expect(await tooLong.json()).toMatchObject({ status: 413, detail: "The content is longer than 1048576 bytes" });
    const headers = { "content-type": "image/png", "content-encoding": "gzip" };
    const bomb = await app.request("/kept", { method: "POST", body: gzipSync(new Uint8Array(20_000_000)), headers });
    expect(await bomb.json()).toMatchObject({
      status: 413,
      detail: "The content expands more than 200 times",
    });
    const free = Application.builder()
      .resources(Kept)
      .middleware(decompress({ maxRatio: Infinity }))
      .build();
    const kept = await free.request("/kept", { method: "POST", body: gzipSync(new Uint8Array(9_000_000)), headers });
    expect(await kept.text()).toBe("9000000");
  });

  it("refuses content that is cut, goes on, or is not coded, with 400", async () => {
    const app = appOf();
    const whole = gzipSync('{"title":"a"}');
    for (const body of [whole.subarray(0, 20), Buffer.concat([whole, Buffer.from("b")]), Buffer.from("{}")])
      expect(await (await post(app, body)).json()).toEqual({
        title: "Bad Request",
        status: 400,
        detail: "The content is not one complete stream of gzip",
      });
  });

  it("takes 404, 405 and 501 for what they are, and content that is not there for none", async () => {
    const app = appOf();
    const headers = { "content-encoding": "compress" };
    expect((await app.request("/nowhere", { method: "POST", body: "x", headers })).status).toBe(404);
    expect((await app.request("/notes", { headers: { "content-encoding": "gzip" } })).status).toBe(405);
    expect((await app.request("/notes", { method: "DELETE", headers: { "content-encoding": "gzip" } })).status).toBe(
      204,
    );
    const send = asked({ POST: async (request: Request) => new Response(await request.text()) }, decompress());
    const response = await send({ method: "POST", headers: { "content-encoding": "gzip" } });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it("fails to read what outer middleware has read, as without it", async () => {
    class Reads extends Middleware {
      override async ALL(request: Request): Promise<Response> {
        await request.text();
        return this.next(request);
      }
    }
    const send = asked(
      {
        POST: (request: Request) =>
          request.text().then(
            (read) => new Response(read),
            () => new Response("unreadable"),
          ),
      },
      Reads,
      decompress(),
    );
    const request = { method: "POST", body: gzipSync("a"), headers: { "content-encoding": "gzip" } };
    expect(await (await send(request)).text()).toBe("unreadable");
  });

  it("cancels content that its handler does not want", async () => {
    const seen: unknown[] = [];
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(gzipSync(new Uint8Array(10))),
      cancel: (reason) => void seen.push(reason),
    });
    const send = asked(
      { POST: (request: Request) => request.body!.cancel("no").then(() => new Response("b")) },
      decompress(),
    );
    await send({ method: "POST", body, duplex: "half", headers: { "content-encoding": "gzip" } } as RequestInit);
    expect(seen).toEqual(["no"]);
  });

  it("is for the native and the semantics module", async () => {
    const init = { method: "POST", headers: { "content-encoding": "gzip", "content-length": "0" } };
    const seen = await askedOnNode(init, { POST: ({ response }) => response.end("a") }, decompress());
    expect(seen.status).toBe(500);
    const plain = await askedOnNode({ method: "POST" }, { POST: ({ response }) => response.end("a") }, decompress());
    expect(plain.status).toBe(200);
  });

  it("works over sockets, with a length and in chunks", async () => {
    const server = await started(appOf());
    const content = gzipSync('{"title":"over a socket"}');
    for (const more of [{ "content-length": `${content.length}` }, { "transfer-encoding": "chunked" }]) {
      const answer = await ask(server, { method: "POST", path: "/notes", headers: { ...gzipped, ...more } }, content);
      expect([answer.status, answer.text]).toEqual([200, "over a socket"]);
    }
  });
});

describe("beside others", () => {
  it("stands inside verifyWebhook(), whose signature is over the bytes that came", async () => {
    const secret = "a secret of this test, which is long enough";
    const guard = verifyWebhook({ scheme: "github", secrets: [secret], store: memoryRecords() });
    const app = Application.builder().resources(Notes).middleware(guard, decompress()).build() as Application;
    const content = gzipSync('{"title":"signed"}');
    const signature = `sha256=${createHmac("sha256", secret).update(content).digest("hex")}`;
    const response = await post(app, content, { ...gzipped, "x-hub-signature-256": signature });
    expect([response.status, await response.text()]).toEqual([200, "signed"]);
  });

  it("gives one fingerprint to what is the same, in any coding", async () => {
    const once = idempotency({ store: memoryRecords(), ownerOf: () => "everyone" });
    class Writes extends NativeResource {
      paths = ["/notes"];
      override async POST(request: Request): Promise<Response> {
        return new Response(await request.text(), { status: 201 });
      }
    }
    const native = NativeApplication.builder().resources(Writes).middleware(decompress(), once).build();
    class Declared extends Resource {
      paths = ["/notes"] as const;
      static POST = { content: text(), 201: text(), idempotency: true as const };
      override POST({ content }: Call<typeof Declared, "POST">) {
        return reply(201, content);
      }
    }
    const declared = Application.builder()
      .resources(Declared)
      .middleware(decompress())
      .idempotency({ store: memoryRecords(), ownerOf: () => "everyone" })
      .build();
    for (const app of [native, declared]) {
      const send = async (body: string | Uint8Array, coding: string): Promise<unknown[]> => {
        const headers = { "content-type": "text/plain", "content-encoding": coding, "idempotency-key": "7" };
        const response = await app.request("/notes", { method: "POST", body, headers } as never);
        return [response.status, response.headers.get("idempotent-replayed")];
      };
      expect(await send(gzipSync("a"), "gzip")).toEqual([201, null]);
      expect(await send(gzipSync("a", { level: 0 }), "gzip")).toEqual([201, "true"]);
      expect(await send("a", "identity")).toEqual([201, "true"]);
      expect(await send(gzipSync("b"), "gzip")).toEqual([422, null]);
    }
  });

  it("is counted by bodyLimit() inside of it, as what comes out", async () => {
    for (const stream of [false, true]) {
      const send = asked(
        { POST: async (request: Request) => new Response(await request.text()) },
        decompress(),
        bodyLimit({ maxBytes: 5, stream }),
      );
      const headers = { "content-encoding": "gzip" };
      expect((await send({ method: "POST", body: gzipSync("12345"), headers })).status).toBe(200);
      expect((await send({ method: "POST", body: gzipSync("123456"), headers })).status).toBe(413);
    }
  });
});

describe("coded content that nobody decodes", () => {
  it("is refused where no content is declared, and is no field's business elsewhere", async () => {
    class Raw extends Resource {
      paths = ["/raw"] as const;
      static POST = { 200: text() };
      async POST({ request }: Call<typeof Raw, "POST">): Promise<string> {
        return request.text();
      }
      static PUT = { headers: z.object({ "content-encoding": z.string() }), 200: text() };
      override PUT({ headers }: Call<typeof Raw, "PUT">): string {
        return headers["content-encoding"];
      }
      static GET = { 200: text() };
      override GET(): string {
        return "read";
      }
    }
    const plain = Application.builder().resources(Raw).build();
    const headers = { "content-encoding": "gzip" };
    const refused = await plain.request("/raw", { method: "POST", body: gzipSync("a"), headers });
    expect([refused.status, refused.headers.get("accept-encoding")]).toEqual([415, "identity"]);
    expect((await plain.request("/raw", { method: "POST", headers })).status).toBe(200);
    expect((await plain.request("/raw", { headers })).status).toBe(200);
    expect(await (await plain.request("/raw", { method: "PUT", body: gzipSync("a"), headers })).text()).toBe("gzip");
    const decoding = Application.builder().resources(Raw).middleware(decompress()).build();
    const decoded = await decoding.request("/raw", { method: "POST", body: gzipSync("a"), headers });
    expect(await decoded.text()).toBe("a");
  });
});

describe("what others say of it", () => {
  it("is in the document", () => {
    const { paths } = document(appOf(), { title: "a", version: "1" });
    const { post: posted, delete: deleted } = paths["/notes"]!;
    expect(posted!.responses[415]).toMatchObject({ headers: { "Accept-Encoding": {} } });
    for (const operation of [posted!, deleted!])
      expect(operation.responses[413]!.description).toContain("The content expands too much");
    expect(deleted!.responses[415]!.description).toBe("The content has a content coding that is not accepted");
  });

  it("is asked by explain(), which does not run it", async () => {
    const app = appOf();
    const request = (coding: string, body: string | Uint8Array = gzipSync('{"title":"a"}')): Request =>
      new Request("http://localhost/notes", {
        method: "POST",
        headers: { ...json, "content-encoding": coding },
        body: body as never,
      });
    const { status, middleware, questions } = await app.explain(request("gzip"));
    expect([status, middleware, questions.at(-1)!.finding]).toEqual([
      null,
      ["Decompress"],
      "not called: POST of Notes, which declares 200",
    ]);
    const cut = await app.explain(request("gzip", "{}"));
    expect([cut.status, cut.questions.at(-1)!.finding]).toEqual([
      400,
      "no: The content is not one complete stream of gzip",
    ]);
    const other = await app.explain(request("compress"));
    expect([other.status, other.questions.at(-1)!.question, other.questions.at(-1)!.finding]).toEqual([
      415,
      "Does the middleware let it through?",
      expect.stringMatching(/^no: The content has another content coding; accepted: /),
    ]);
    const run = await app.explain(request("gzip"), { run: true });
    expect(run.status).toBe(200);
  });
});
