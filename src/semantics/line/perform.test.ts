import * as v from "valibot";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { Middleware } from "../../application/native.ts";
import { Application } from "../semantics-application.ts";
import { jsonSchema } from "../../json-schema/library/raw-schema.ts";
import { bytes, text, written } from "../declaration/raw-content.ts";
import { reply } from "../declaration/reply.ts";
import { Resource } from "../semantics-resource.ts";

type Built = ReturnType<ReturnType<typeof Application.builder>["build"]>;
type Builder = ReturnType<typeof Application.builder>;

/** An application with one method of one class; what goes wrong is thrown again, so that a test sees it. */
function performing(
  method: string,
  operation: object | undefined,
  handler: (call: Record<string, unknown>) => unknown,
  { paths = ["/"], validator, change = (same) => same }: Options = {},
): Built {
  const Performing = class Performing extends Resource {
    override paths = paths as string[];
  };
  if (operation !== undefined) Object.defineProperty(Performing, method, { value: operation });
  Object.defineProperty(Performing.prototype, method, { value: handler });
  if (validator !== undefined) Object.defineProperty(Performing.prototype, "validator", { value: validator });
  return change(
    Application.builder()
      .resources(Performing)
      .onError(() => {}),
  ).build();
}

interface Options {
  readonly paths?: readonly string[];
  readonly validator?: () => unknown;
  readonly change?: (builder: Builder) => Builder;
}

const request = (method: string, init: RequestInit = {}, path = "/"): Request =>
  new Request(`http://localhost${path}`, { method, ...init });

const typed = (type: string, body: BodyInit, more: Record<string, string> = {}): RequestInit => ({
  body,
  headers: { "content-type": type, ...more },
});

/** A stream is content without a length. */
const streamOf = (...chunks: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

describe("perform()", () => {
  it("gives middleware a response at once where nothing waits, and a Promise of everything else", async () => {
    const seen: boolean[] = [];
    class Seeing extends Middleware {
      override ALL(input: unknown): Promise<Response> | Response {
        const given = this.next(input);
        seen.push(given instanceof Promise);
        return given as Promise<Response> | Response;
      }
    }
    class Seen extends Resource {
      override paths = ["/:kind"];
      static override middleware = [Seeing];
      static GET = {
        path: z.object({ kind: z.enum(["now", "late", "failing"]) }),
        query: z.object({ n: z.string().optional() }),
        200: z.string(),
      };
      override GET({ path: { kind } }: { readonly path: { readonly kind: string } }): string | Promise<string> {
        if (kind === "failing") throw new HTTPError(Status.Conflict);
        return kind === "now" ? kind : Promise.resolve(kind);
      }
      static POST = { content: z.string(), 200: z.string() };
      override POST({ content }: { readonly content: string }): string {
        return content;
      }
    }
    const app = Application.builder()
      .resources(Seen)
      .onError(() => {})
      .build();
    const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
      (await app.fetch(new Request(`http://localhost/${path}`, init))).status;
    expect([await statusOf("now"), await statusOf("late"), await statusOf("failing")]).toEqual([200, 200, 409]);
    expect([await statusOf("other"), await statusOf("now", { method: "PUT" })]).toEqual([404, 405]);
    const init = { method: "POST", body: '"content"', headers: { "content-type": "application/json" } };
    expect(await statusOf("now", init)).toBe(200);
    expect(seen).toEqual([false, true, true, true, true, true]);
  });

  it("asks once, and on first use, whether content may be left out", async () => {
    const seen: unknown[] = [];
    const content = jsonSchema({ type: "object" }, (value) => {
      seen.push(value);
      return value !== undefined;
    });
    const app = performing("PUT", { content, 204: "Stored" }, () => undefined);
    expect(seen).toEqual([]);
    for (let count = 0; count < 3; count++) {
      const { status } = await app.request("/", { method: "PUT", json: {} });
      expect(status).toBe(204);
    }
    expect(seen).toEqual([undefined, {}, {}, {}]);
  });

  it("gives what the schema of fields returns, even if that is nothing", async () => {
    for (const nothing of [undefined, null]) {
      const declared = { headers: z.object({ "x-a": z.string() }).transform(() => nothing), 200: z.string() };
      const app = performing("GET", declared, ({ headers }) => String(headers));
      const response = await app.request("/", { headers: { "x-a": "unread" } });
      expect(await response.json()).toBe(String(nothing));
    }
  });

  it("gives a handler without a declaration the request, and says nothing of content", async () => {
    let call: Record<string, unknown> = {};
    const app = performing("GET", { 200: z.string() }, (given) => ((call = given), ""), { paths: ["/a/:b?"] });
    const asked = request("GET", { headers: { "x-a": "1" } }, "/a");
    expect((await app.fetch(asked)).status).toBe(200);
    const { path, headers, content, contentType, isHandshake } = call;
    expect([Object.keys(path as object), headers, content, contentType, isHandshake]).toEqual([
      [],
      asked.headers,
      undefined,
      "",
      false,
    ]);
    await performing("DELETE", { 204: "Gone" }, (given) => void (call = given)).fetch(request("DELETE"));
    expect(call["mediaType"]).toBe("");
  });

  it("reads each part that is declared, alone too", async () => {
    const one = z.object({ n: z.int() });
    for (const [part, headers, path] of [
      ["query", {}, "/?n=x"],
      ["headers", { n: "x" }, "/"],
      ["cookies", { cookie: "n=x" }, "/"],
    ] as const) {
      const app = performing("GET", { [part]: one, 200: z.unknown() }, (call) => call[part]);
      const refused = await app.fetch(request("GET", { headers }, path));
      const { errors } = (await refused.json()) as { readonly errors: readonly { readonly in: string }[] };
      expect([refused.status, errors[0]!.in]).toEqual([400, part.replace(/s$/, "")]);
      const fitting = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace("x", "5")]),
      );
      const read = await app.fetch(request("GET", { headers: fitting }, path.replace("x", "5")));
      expect(await read.json()).toEqual({ n: 5 });
    }
  });

  it("weighs a tag of content after a QUERY with content, by no validator", async () => {
    const app = performing("QUERY", { content: text(), etag: "content", 200: text() }, ({ content }) => content);
    const first = await app.fetch(request("QUERY", typed("text/plain", "a")));
    const known = { "if-none-match": first.headers.get("etag")! };
    expect((await app.fetch(request("QUERY", typed("text/plain", "a", known)))).status).toBe(304);
    expect((await app.fetch(request("QUERY", typed("text/plain", "b", known)))).status).toBe(200);
  });

  it("gives validators to answers below 300 only", async () => {
    const moved = performing(
      "GET",
      { 200: text(), 303: "Elsewhere" },
      () => reply(303, undefined, { location: "/x" }),
      {
        validator: () => ({ etag: '"1"' }),
      },
    );
    const { status, headers } = await moved.fetch(request("GET"));
    expect([status, headers.get("location"), headers.get("etag")]).toEqual([303, "/x", null]);
  });

  it("answers 204 in place of 200 only to a client that prefers little", async () => {
    const app = performing("POST", { 200: text(), 201: text(), 204: "Done" }, ({ request: asked }) =>
      reply((asked as Request).url.endsWith("1") ? 201 : 200, "a" as never),
    );
    const minimal = { headers: { prefer: "return=minimal" } };
    expect((await app.fetch(request("POST", minimal, "/?1"))).status).toBe(201);
    expect((await app.fetch(request("POST", minimal))).status).toBe(204);
  });

  it("gives fields of the operation to good answers, and to others in the type of an error", async () => {
    const types = { "text/plain": z.string(), "application/json": z.string() };
    const operation = { cache: "max-age=9, no-store", 200: text(), 399: text(), 400: text(), 404: { content: types } };
    const answer = async (status: number): Promise<unknown[]> => {
      const app = performing("GET", operation, () => reply(status as never, "a" as never));
      const { headers } = await app.fetch(
        request("GET", { headers: { accept: "application/json, text/plain;q=0.5" } }),
      );
      return [headers.get("cache-control"), headers.get("content-type"), headers.get("vary")];
    };
    expect(await answer(399)).toEqual(["max-age=9, no-store", "text/plain;charset=utf-8", null]);
    expect(await answer(400)).toEqual(["no-store", "text/plain;charset=utf-8", null]);
    expect(await answer(404)).toEqual(["no-store", "application/json", "Accept"]);
  });

  it("switches protocols where a socket is declared, and says else that 101 is not", async () => {
    const errors: unknown[] = [];
    const app = performing("GET", { 200: text() }, () => reply(101 as never, {} as never), {
      change: (builder) => builder.onError((error) => void errors.push(error)),
    });
    expect((await app.fetch(request("GET"))).status).toBe(500);
    expect(String(errors[0])).toContain("101 is not declared; write 101: … in static GET");
  });

  it("waits for whatever a handler returns that await waits for", async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- the subject of this test
    const later = Object.assign(() => {}, { then: (resolve: (value: string) => void) => resolve("later") });
    for (const given of [Promise.resolve("later"), later]) {
      const app = performing("GET", { 200: z.string() }, () => given);
      expect(await (await app.request("/")).json()).toBe("later");
    }
  });

  it("refuses content by a schema that takes its time", async () => {
    const later = z.string().refine(async (value) => value !== "none");
    const app = performing("PUT", { content: later, 204: "Stored" }, () => undefined);
    const put = async (value: string): Promise<number> =>
      (await app.fetch(request("PUT", typed("application/json", JSON.stringify(value))))).status;
    expect([await put("one"), await put("none")]).toEqual([204, 422]);
  });

  it("takes content by the parameters of its type, and names UTF-8 as others do", async () => {
    const app = performing(
      "PUT",
      { content: { "text/plain;charset=utf-8;a=1": text() }, 204: "Stored" },
      () => undefined,
    );
    const put = async (type: string): Promise<number> => (await app.fetch(request("PUT", typed(type, "a")))).status;
    for (const type of ["text/plain;a=1", "text/plain;charset=utf8;a=1", "text/plain;a=1;charset=UTF-8"])
      expect(await put(type)).toBe(204);
    expect([await put("text/plain;a=2"), await put("text/plain")]).toEqual([415, 415]);
  });

  it("says in a refusal what is taken, by the fields of the method", async () => {
    const operation = { content: text(), 204: "Done" };
    const post = await performing("POST", operation, () => undefined).fetch(request("POST", typed("a/b", "a")));
    expect([...post.headers.keys()].toSorted()).toEqual(["accept", "content-type"]);
    expect(await post.json()).toMatchObject({ detail: "Accepted types: text/plain" });
    const query = await performing("QUERY", operation, () => undefined).fetch(request("QUERY"));
    expect([query.status, query.headers.get("accept-query")]).toEqual([400, "text/plain"]);
    expect(await query.json()).toMatchObject({ detail: "Content-Type is missing; accepted: text/plain" });
  });

  it("waits for schemas that take their time", async () => {
    const later = z.string().refine(async (value) => value !== "none");
    const declared = { path: z.object({ id: later }), query: z.object({ q: later }), 200: z.string() };
    const app = performing("GET", declared, ({ path, query }) => JSON.stringify([path, query]), { paths: ["/:id"] });
    const response = await app.request("/7?q=a");
    expect(await response.json()).toBe('[{"id":"7"},{"q":"a"}]');
    expect((await app.request("/none?q=a")).status).toBe(404);
    expect((await app.request("/7?q=none")).status).toBe(400);
  });

  it("writes what a handler without a declaration returns as JSON", async () => {
    const response = await performing("GET", undefined, ({ path }) => path, { paths: ["/:a/:b?"] }).fetch(
      request("GET", {}, "/1"),
    );
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ a: "1" });
    const nothing = await performing("GET", undefined, () => undefined).fetch(request("GET"));
    expect([nothing.status, await nothing.text()]).toEqual([204, ""]);
  });

  it("answers HEAD by its own handler where there is one", async () => {
    const app = performing("HEAD", { 204: "Nothing" }, () => undefined);
    expect((await app.fetch(request("HEAD"))).status).toBe(204);
    expect((await app.fetch(request("GET"))).headers.get("allow")).toBe("HEAD, OPTIONS");
  });

  it("reads the query in front of a fragment, and cookies where there are none", async () => {
    const operation = {
      query: z.object({ a: z.string() }),
      cookies: z.object({ c: z.string().optional() }),
      200: z.any(),
    };
    const app = performing("GET", operation, ({ query, cookies }) => ({ query, cookies }));
    expect(await (await app.fetch(request("GET", {}, "/?a=b#c"))).json()).toEqual({ query: { a: "b" }, cookies: {} });
    const input = { url: "/?a=b#c", method: "GET", headers: new Headers() };
    expect(await (await app.handle(input)).json()).toEqual({ query: { a: "b" }, cookies: {} });
  });

  it("reads content of a type that is declared with a charset", async () => {
    const app = performing(
      "POST",
      { content: { "text/plain;charset=utf-8": text() }, 200: text() },
      ({ content }) => content,
    );
    const init = typed("text/plain", "ä");
    expect(await (await app.fetch(request("POST", init))).text()).toBe("ä");
  });

  it("validates text of another type by its schema", async () => {
    const content = { "text/plain": z.string().min(2) };
    const app = performing(
      "POST",
      { content, 200: { content: { "text/plain": z.string() } } },
      ({ content: given }) => given,
    );
    const found = await app.fetch(request("POST", typed("text/plain", "ab")));
    expect([found.headers.get("content-type"), await found.text()]).toEqual(["text/plain", "ab"]);
    expect((await app.fetch(request("POST", typed("text/plain", "a")))).status).toBe(422);
    const trusting = performing("GET", { 200: { content: { "text/plain": z.string() } } }, () => 5, {
      change: (builder) => builder.replies("trust"),
    });
    expect(await (await trusting.fetch(request("GET"))).text()).toBe("5");
  });

  it("refuses content that cannot be read", async () => {
    const form = z.object({ a: z.string() });
    const content = { "multipart/form-data": form, "text/plain": text(), "application/json": z.string().optional() };
    const app = performing("POST", { content, 200: z.any() }, () => 1);
    const post = async (init: RequestInit): Promise<[number, unknown]> => {
      const response = await app.fetch(request("POST", init));
      return [response.status, ((await response.json()) as { detail?: string }).detail];
    };
    expect(await post(typed("multipart/form-data;boundary=x", "none"))).toEqual([
      400,
      "The form ends before its last boundary",
    ]);
    expect(await post(typed("text/plain", new Uint8Array([0xff])))).toEqual([400, "The content is not UTF-8"]);
    expect(await post(typed("application/json", "{"))).toEqual([400, "The content is not JSON"]);
    expect(await post({ body: streamOf("a"), duplex: "half" } as RequestInit)).toEqual([
      415,
      "Accepted types: multipart/form-data, text/plain, application/json",
    ]);
    const pairs = performing(
      "POST",
      { content: { "application/x-www-form-urlencoded": form }, 200: form },
      (call) => call.content,
    );
    const send = (body: string): Promise<Response> =>
      pairs.fetch(request("POST", typed("application/x-www-form-urlencoded", body)));
    expect(await (await send("a=caf%C3%A9%")).json()).toEqual({ a: "caf\u00e9%" });
    for (const body of ["a=caf%E9", "a=1&b=%ff", "a=1&%e9=2", "a=%ED%A0%80"]) {
      const refused = await send(body);
      expect([refused.status, await refused.json()]).toEqual([
        400,
        { title: "Bad Request", status: 400, detail: "The content is not UTF-8" },
      ]);
    }
  });

  it("takes no content for none, whatever the fields say", async () => {
    const app = performing(
      "POST",
      { content: z.string().optional(), 200: z.any() },
      ({ content }) => content ?? "none",
    );
    const post = async (headers: Record<string, string>): Promise<unknown> =>
      (await app.handle({ url: "/", method: "POST", headers: new Headers(headers), body: null })).json();
    expect(await post({})).toBe("none");
    expect(await post({ "content-length": "0" })).toBe("none");
    expect(await post({ "content-length": "1" })).toBe("none");
  });

  it("takes no bytes for no content, whatever their type is", async () => {
    const posting = (content: unknown) =>
      performing("POST", { content, 200: z.any() }, (call) => [call["content"] ?? null]);
    const empty = (type: string, length?: string): Request[] => {
      const headers = { ...(type === "" ? {} : { "content-type": type }), ...(length && { "content-length": length }) };
      const stream = { body: streamOf(), duplex: "half" } as RequestInit;
      // Without a length nobody knows before it is read that it is empty: then its type is asked for.
      const bodies = type === "application/json" || length === "0" ? [{ body: new Uint8Array() }, stream] : [];
      return [{}, ...bodies].map((init) => request("POST", { ...init, headers }));
    };
    const all = ["application/json", "text/plain", ""].flatMap((type) => [...empty(type), ...empty(type, "0")]);
    const note = z.object({ a: z.int() });
    const answers = async (content: unknown): Promise<Set<string>> => {
      const app = posting(content);
      const each = all.map(async (one) => {
        const { status, text: read } = await app
          .fetch(one.clone())
          .then(async (got) => ({ status: got.status, text: await got.text() }));
        return status === 200 ? read : String(status);
      });
      return new Set(await Promise.all(each));
    };
    expect(await answers(note.optional())).toEqual(new Set(["[null]"]));
    expect(await answers({ "application/json": note, "text/plain": z.string().optional() })).toEqual(
      new Set(["[null]"]),
    );
    // Absent content is what the schema makes of nothing, as its type says.
    expect(await answers(note.default({ a: 1 }))).toEqual(new Set(['[{"a":1}]']));
    expect(await answers(z.object({ a: z.int().default(2) }).prefault({}))).toEqual(new Set(['[{"a":2}]']));
    // Required content has to be there.
    expect(await answers(note)).toEqual(new Set(["400", "415"]));
    expect(await answers({ "text/plain": text(), "application/json": note })).toEqual(new Set(["400", '[""]', "415"]));
  });

  it("reads no more than is declared, by the length and by what comes", async () => {
    const app = performing(
      "POST",
      { content: text("text/plain", { maxBytes: 3 }), 200: text() },
      ({ content }) => content,
    );
    const known = typed("text/plain", "abcd", { "content-length": "4" });
    expect((await app.fetch(request("POST", known))).status).toBe(413);
    const unknown = { ...typed("text/plain", streamOf("ab", "cd")), duplex: "half" } as RequestInit;
    expect((await app.fetch(request("POST", unknown))).status).toBe(413);
    expect(await (await app.fetch(request("POST", typed("text/plain", "abc")))).text()).toBe("abc");
    const failing = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("abcd")),
      cancel: () => Promise.reject(new Error("cannot be left")),
    });
    expect(
      (await app.fetch(request("POST", { ...typed("text/plain", failing), duplex: "half" } as RequestInit))).status,
    ).toBe(413);
  });

  it("needs content where a schema throws for none", async () => {
    const content = jsonSchema<string>({}, (value) => {
      if (value === undefined) throw new Error("nothing");
      return true;
    });
    const app = performing("POST", { content, 200: z.any() }, () => 1);
    expect((await app.fetch(request("POST"))).status).toBe(415);
  });

  it("writes by a schema without a JSON Schema what the schema returns", async () => {
    const schema = v.object({ a: v.string() });
    const app = performing("GET", { 200: schema }, () => ({ a: "b", x: 1 }));
    expect(await (await app.fetch(request("GET"))).text()).toBe('{"a":"b"}');
  });

  it("refuses what a schema returns and JSON cannot write", async () => {
    const schema = jsonSchema<number>({ type: "number" }, () => true);
    const app = performing("GET", { 200: schema }, () => Number.NaN);
    await expect(app.handle(request("GET"))).rejects.toThrow(
      "Cannot answer GET of Performing: the content of 200 does not fit at # (Expected a number, got a number that " +
        "is not finite)",
    );
  });

  it("writes raw kinds of each class of bytes, and keeps a charset", async () => {
    const { buffer } = new TextEncoder().encode("abc");
    const asBytes = await performing("GET", { 200: bytes() }, () => buffer).fetch(request("GET"));
    expect([asBytes.headers.get("content-length"), await asBytes.text()]).toEqual(["3", "abc"]);
    const type = "text/plain; charset=us-ascii";
    const asText = await performing("GET", { 200: text(type) }, () => "abc").fetch(request("GET"));
    expect(asText.headers.get("content-type")).toBe(type);
    const asCsv = await performing("GET", { 200: written("text/csv", String) }, () => 5).fetch(request("GET"));
    expect(await asCsv.text()).toBe("5");
  });

  it("writes the content of an error by its schema, or as problem details", async () => {
    const operation = {
      200: z.any(),
      404: { content: { "application/vnd.error+json": z.object({ code: z.string() }) } },
      409: {},
      499: { description: "Left" },
    };
    const ask = (status: number, content?: unknown): Promise<Response> =>
      performing("GET", operation, () => reply(status, content)).fetch(request("GET"));
    expect(await (await ask(404, { code: "gone", x: 1 })).json()).toEqual({ code: "gone" });
    expect(await (await ask(409)).json()).toEqual({ title: "Conflict", status: 409 });
    expect(await (await ask(409, { detail: "Taken", type: "/taken" })).json()).toEqual({
      title: "Conflict",
      status: 409,
      detail: "Taken",
      type: "/taken",
    });
    expect(await (await ask(499)).json()).toEqual({ title: "Left", status: 499, detail: "Left" });
  });

  it.each<[string, number, (object | undefined)?, unknown?]>([
    ["one of two", 204, { 200: text(), 204: "None" }],
    ["the other with content", 200, { 200: text(), 204: "None" }, "some"],
    ["one beside types", 204, { 200: { content: { "text/plain": text() } }, 204: {} }],
    ["one beside a value that may be left out", 204, { 200: z.string().optional(), 204: "None" }],
    ["the first of two", 200, { 200: "Done", 204: "None" }],
    ["one that is described", 200, { 200: { description: "Done" } }],
    ["the only one", 204, { 204: "None" }],
    ["204 of no operation", 204],
    ["500, as the server is at fault where there is content only", 500, { 200: text() }],
    ["500, where nothing but 202 is there", 500, { 202: "Later" }],
  ])("answers a handler that returns nothing by a status without content: %s", async (_, status, operation, given) => {
    const response = await performing("POST", operation, () => given).fetch(request("POST"));
    expect(response.status).toBe(status);
  });

  it("keeps its own members of fields that are lists, beside those of a handler", async () => {
    const deprecated = { since: "2020-01-01", sunset: "2030-01-01", link: "https://d/doc" };
    const own = { Link: '</2>; rel="next"', Vary: "Origin", Sunset: "never", "Cache-Control": "no-store" };
    const content = { "text/plain": text(), "text/csv": text() };
    for (const declared of [{}, { headers: { link: z.string() } }]) {
      const operation = { deprecated, cache: "max-age=60", 200: { content, ...declared } };
      const { headers } = await performing("GET", operation, () => reply(200, "x", own)).fetch(request("GET"));
      expect(headers.get("link")).toBe('<https://d/doc>; rel="deprecation", </2>; rel="next"');
      expect(headers.get("vary")).toBe("Accept, Origin");
      // Other fields have one value: the handler's.
      expect([headers.get("sunset"), headers.get("cache-control")]).toEqual(["never", "no-store"]);
    }
    const several = { link: ["</2>", "</3>"], "Preference-Applied": "respond-async" };
    const minimal = performing("POST", { deprecated, 200: text(), 204: "None" }, () => reply(200, "x", several));
    const { headers } = await minimal.fetch(request("POST", { headers: { prefer: "return=minimal" } }));
    expect(headers.get("link")).toBe('<https://d/doc>; rel="deprecation", </2>, </3>');
    expect(headers.get("preference-applied")).toBe("respond-async, return=minimal");
  });

  it("computes a tag of bytes, and answers 304 without what describes content", async () => {
    const app = performing("GET", { etag: "content", 200: bytes("image/png") }, () => new Uint8Array([1, 2]), {
      validator: () => ({ lastModified: new Date(0) }),
    });
    const etag = (await app.fetch(request("GET"))).headers.get("etag")!;
    const known = await app.fetch(request("GET", { headers: { "if-none-match": etag } }));
    expect([known.status, [...known.headers]]).toEqual([304, [["etag", etag]]]);
    const date = await app.fetch(request("GET", { headers: { "if-modified-since": new Date(0).toUTCString() } }));
    expect([date.status, date.headers.get("last-modified")]).toEqual([304, new Date(0).toUTCString()]);
  });

  it("requires a precondition that can be evaluated", async () => {
    const operation = { precondition: true, 204: "Gone" };
    const date = { headers: { "if-unmodified-since": new Date().toUTCString() } };
    const tagged = performing("DELETE", operation, () => undefined, { validator: () => ({ etag: '"1"' }) });
    expect((await tagged.fetch(request("DELETE", date))).status).toBe(428);
    const dated = performing("DELETE", operation, () => undefined, {
      validator: () => ({ lastModified: new Date(0) }),
    });
    expect((await dated.fetch(request("DELETE", date))).status).toBe(204);
    const unknown = performing("DELETE", operation, () => undefined, { validator: () => undefined });
    expect((await unknown.fetch(request("DELETE"))).status).toBe(428);
  });

  it.each(["CONNECT", "OPTIONS", "TRACE"])(
    "ignores preconditions of %s, which selects no representation",
    async (method) => {
      let asked = 0;
      const app = performing(method, { precondition: true, 200: text() }, () => "ok", {
        validator: () => ({ etag: `"${++asked}"` }),
      });
      for (const headers of [{}, { "if-match": '"0"' }, { "if-none-match": "*" }]) {
        const asking = { url: "http://localhost/", method, headers: new Headers(headers), body: null };
        const { status, headers: fields } = await app.handle(asking);
        expect([status, fields.get("etag")]).toEqual([200, null]);
      }
      expect(asked).toBe(0);
    },
  );

  it("refuses content with a coding, and takes it with none", async () => {
    const app = performing("POST", { content: text(), 200: text() }, ({ content }) => content);
    const coded = (coding: string): Promise<Response> =>
      app.fetch(request("POST", typed("text/plain", "x", { "content-encoding": coding })));
    for (const coding of ["gzip", "identity, BR", "x"]) {
      const { status, headers } = await coded(coding);
      expect([status, headers.get("accept-encoding"), headers.get("accept")]).toEqual([415, "identity", null]);
    }
    for (const coding of ["identity", "Identity , identity", ""]) expect((await coded(coding)).status).toBe(200);
  });

  it("answers 400 to content that breaks off, and what middleware says that breaks it off", async () => {
    const app = performing("POST", { content: text(), 200: text() }, ({ content }) => content);
    const broken = async (error: unknown): Promise<unknown> => {
      const body = new ReadableStream({ pull: (controller) => controller.error(error) });
      const init = { ...typed("text/plain", body), duplex: "half" };
      return (await app.fetch(request("POST", init as RequestInit))).json();
    };
    expect(await broken(new Error("secret"))).toEqual({
      title: "Bad Request",
      status: 400,
      detail: "The content ended early",
    });
    expect(await broken(new HTTPError(Status.ContentTooLarge))).toEqual({ title: "Content Too Large", status: 413 });
  });

  it("answers HEAD of a stream that cannot be left", async () => {
    const stream = (): ReadableStream =>
      new ReadableStream({ cancel: () => Promise.reject(new Error("cannot be left")) }, { highWaterMark: 0 });
    const app = performing("GET", { 200: bytes() }, stream);
    expect((await app.fetch(request("HEAD"))).body).toBeNull();
  });
});

describe("perform() of optional content", () => {
  const schema = z.object({ a: z.string() });
  const posting = (content: object): Built =>
    performing("POST", { content, 200: z.any() }, (call) => [call["content"] ?? null, call["contentType"]]);
  const answered = async (app: Built, init: RequestInit): Promise<unknown> => {
    const sent = request("POST", { duplex: "half", ...init } as RequestInit);
    // `fetch` makes up a type for a string, a client of HTTP does not.
    if (new Headers(init.headers).get("content-type") === null) sent.headers.delete("content-type");
    const response = await app.fetch(sent);
    return response.status === 200 ? ((await response.json()) as unknown) : response.status;
  };
  const own = (validate: (value: never) => unknown): object => ({
    "~standard": { version: 1, vendor: "own", validate },
  });
  const later = schema.optional().refine(async () => true);

  it("C8.3 builds with an asynchronous schema that rejects undefined, which makes content required", async () => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const schemas = [
      own(async (value: { readonly a: string }) => ({ value: { a: value.a } })),
      z.any().transform(async (value: { readonly a: string }) => ({ a: value.a })),
      schema.refine(async () => true),
    ];
    const member = z.any().transform(async (value: { readonly a: { readonly b: string } }) => value.a.b);
    const operation = { query: z.object({ member }), content: z.object({ member }), 200: z.any() };
    performing("POST", operation, () => 1);
    for (const content of schemas) {
      const app = posting(content);
      expect(await answered(app, {})).toBe(415);
      expect(await answered(app, typed("application/json", ""))).toBe(400);
      expect(await answered(app, typed("application/json", '{"a":"b"}'))).toEqual([{ a: "b" }, "application/json"]);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("C8.14 takes no content for an asynchronous schema that accepts undefined", async () => {
    const other = v.pipeAsync(
      v.optional(v.object({ a: v.string() })),
      v.checkAsync(() => Promise.resolve(true)),
    );
    for (const content of [later, other, { "text/plain": text(), "application/json": later }]) {
      const app = posting(content);
      expect(await answered(app, {})).toEqual([null, ""]);
      expect(await answered(app, { body: streamOf() })).toEqual([null, ""]);
      expect(await answered(app, typed("application/json", ""))).toEqual([null, "application/json"]);
      expect(await answered(app, typed("text/html", "x"))).toBe(415);
    }
  });

  it("C8.14 takes zero bytes for no content, whatever their type is", async () => {
    for (const content of [schema.optional(), later]) {
      const app = posting(content);
      const untyped = [{ body: "" }, { body: streamOf() }, { body: streamOf("", "") }];
      const others = [typed("text/plain", ""), typed("text/plain", streamOf()), typed("json", streamOf())];
      const coded = typed("application/json", streamOf(), { "content-encoding": "gzip" });
      for (const init of [...untyped, ...others, coded]) expect(await answered(app, init)).toEqual([null, ""]);
      const there = [{ body: "x" }, { body: streamOf("", "x") }, typed("text/plain", streamOf("x"))];
      for (const init of there) expect(await answered(app, init)).toBe(415);
    }
    expect(await answered(posting(schema), { body: streamOf() })).toBe(415);
  });

  it("C8.14 refuses content unread if it has a length or must be there, and else by the first part", async () => {
    let pulled = 0;
    const counted = (): ReadableStream<Uint8Array> =>
      new ReadableStream({ pull: (to) => to.enqueue(Uint8Array.of(++pulled)) }, { highWaterMark: 0 });
    const optional = posting(schema.optional());
    expect(await answered(optional, typed("text/plain", counted(), { "content-length": "9" }))).toBe(415);
    expect(await answered(posting(schema), typed("text/plain", counted()))).toBe(415);
    expect(pulled).toBe(0);
    expect(await answered(optional, typed("text/plain", counted()))).toBe(415);
    expect(pulled).toBe(1);
  });
});

describe("perform() of representations", () => {
  const csv = written("text/csv", () => "a");

  it("C9.1 accepts the charset of text that is sent", async () => {
    const status = async (answer: object, accept: string): Promise<number> =>
      (await performing("GET", { 200: answer }, () => "a").fetch(request("GET", { headers: { accept } }))).status;
    for (const answer of [text(), { content: { "text/plain": text() } }, { content: { "text/plain": csv } }]) {
      expect(await status(answer, "text/plain;charset=utf-8")).toBe(200);
      expect(await status(answer, 'text/plain; charset="UTF-8"; q=0.5')).toBe(200);
      expect(await status(answer, "text/plain")).toBe(200);
      expect(await status(answer, "text/plain;charset=utf-16")).toBe(406);
      expect(await status(answer, "text/plain;charset=utf-8;format=flowed")).toBe(406);
      expect(await status(answer, "text/plain;charset=utf-8;q=0, text/plain")).toBe(406);
    }
    expect(await status(z.string(), "application/json; charset=utf-8")).toBe(200);
    // A parameter that no type has is ignored.
    const png = performing("GET", { 200: bytes("image/png") }, () => new Uint8Array(1));
    const withCharset = { accept: "image/png;charset=utf-8" };
    expect((await png.fetch(request("GET", { headers: withCharset }))).headers.get("content-type")).toBe("image/png");
    const latin = { content: { "text/plain;charset=iso-8859-1": csv } };
    expect(await status(latin, "text/plain;charset=ISO-8859-1")).toBe(200);
    expect(await status(latin, "text/plain;charset=utf-8")).toBe(406);
  });

  it("C9.1 tells the handler the type as it is declared, and sends that one", async () => {
    const declared = { 200: { content: { "application/json": z.any(), "text/plain": written("text/plain", String) } } };
    const app = performing("GET", declared, ({ mediaType }) => mediaType);
    const response = await app.fetch(request("GET", { headers: { accept: "text/plain;charset=utf-8" } }));
    expect([await response.text(), response.headers.get("content-type")]).toEqual(["text/plain", "text/plain"]);
  });

  it("C9.1 chooses the media type of a declared error by Accept, and never makes another status of it", async () => {
    const content = { "text/html": written("text/html", String), "application/json": z.string() };
    const declared = {
      200: { content: { ...content } },
      204: "None",
      409: { content },
      410: { content: { "text/csv": csv } },
    };
    const answer = async (status: number, accept: string, operation: object = declared): Promise<unknown> => {
      const app = performing("GET", operation, () => reply(status as never, "a" as never));
      const { status: is, headers } = await app.fetch(request("GET", { headers: { accept } }));
      return [is, headers.get("content-type"), headers.get("vary")];
    };
    const errors = { 204: "None", 409: { content } };
    for (const operation of [declared, errors]) {
      expect(await answer(409, "application/json", operation)).toEqual([409, "application/json", "Accept"]);
      expect(await answer(409, "text/html", operation)).toEqual([409, "text/html", "Accept"]);
    }
    expect(await answer(409, "image/png", errors)).toEqual([409, "text/html", "Accept"]);
    expect(await answer(410, "text/html")).toEqual([410, "text/csv", "Accept"]);
    const created = { 200: { content: { ...content } }, 201: { content: { "text/csv": csv } } };
    expect(await answer(201, "text/html", created)).toEqual([201, "text/csv", "Accept"]);
    const others = { 200: { content: { "text/html": text("text/html") } }, 300: { content }, 409: { content } };
    expect(await answer(409, "text/html;q=0.1, application/json", others)).toEqual([409, "application/json", "Accept"]);
    expect(await answer(300, "text/html;q=0.1, application/json", others)).toEqual([300, "application/json", "Accept"]);
    expect(await answer(300, "application/json, text/html;q=0.1", { ...others, ...declared })).toEqual([
      300,
      "application/json",
      "Accept",
    ]);
  });
});

describe("perform() of what cannot be read", () => {
  it("C8.6 takes the fallback of a schema for it, even if the schema takes text", async () => {
    // To JSON Schema it is a number.
    const n = z.string().meta({ type: "integer" }).catch("none");
    const query = z.object({ n, m: z.int().optional() });
    const app = performing("GET", { query, 200: z.any() }, ({ query: read }) => read);
    const answer = async (target: string): Promise<unknown> => (await app.fetch(request("GET", {}, target))).json();
    expect(await answer("/?n=x")).toEqual({ n: "none" });
    expect(await answer("/?n=x&m=1")).toEqual({ n: "none", m: 1 });
    expect(await answer("/?n=x&m=y")).toMatchObject({ status: 400, errors: [{ pointer: "#/m" }] });
  });

  it("C8.14 keeps why content is not UTF-8", async () => {
    const form = "application/x-www-form-urlencoded";
    const operation = { content: { [form]: z.object({ a: z.string() }) }, 204: "Done" };
    const app = performing("POST", operation, () => undefined);
    const sent = request("POST", typed(form, new Uint8Array([0x61, 0x3d, 0xff])));
    await expect(app.handle(sent)).rejects.toMatchObject({ status: 400, cause: expect.any(TypeError) });
  });
});

describe("perform() of errors in another shape", () => {
  it("C2.7 keeps status and fields of a declared error where from() throws", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const fault = new Error("from");
    const shapes = [
      (): never => {
        throw fault;
      },
      (): unknown => ({ id: 1n }),
    ];
    for (const from of shapes) {
      const change = (builder: Builder): Builder =>
        builder.problems({ schema: z.any(), type: "application/json", from }) as Builder;
      for (const end of [
        () => reply(404, undefined, { "x-a": "1" }),
        () => {
          throw new HTTPError(Status.NotFound, undefined, { headers: { "x-a": "1" } });
        },
      ]) {
        const response = await performing("GET", { 200: z.any(), 404: "None" }, end, { change }).fetch(request("GET"));
        const { status, headers } = response;
        expect([status, headers.get("x-a"), headers.get("content-type")]).toEqual([
          404,
          "1",
          "application/problem+json",
        ]);
        expect(await response.json()).toMatchObject({ title: "Not Found", status: 404 });
      }
    }
    expect(printed.mock.calls.map(([one]) => one === fault || one instanceof TypeError)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});
