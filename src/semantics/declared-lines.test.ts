import {
  Application,
  events,
  HTTPError,
  lines,
  readInput,
  reply,
  Resource,
  Status,
  type Answer,
  type Call,
  type Yields,
} from "fingerpost";
import { client, clientLines } from "fingerpost/client";
import { Application as NativeApplication, Resource as NativeResource, type RequestOf } from "fingerpost/native";
import { document } from "fingerpost/openapi";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "../openapi/client-types.ts";

const book = z.object({ id: z.int(), title: z.string() });
const limits = { maxBytes: 1_000 };

/** An application with one operation. */
function appOf(method: "GET" | "POST", operation: object, handle: (call: never) => unknown) {
  class Books extends Resource {
    override paths = ["/books"];
  }
  Object.assign(Books, { [method]: operation });
  Object.assign(Books.prototype, { [method]: handle });
  const errors: unknown[] = [];
  const app = Application.builder()
    .resources(Books as never)
    .onError((error) => void errors.push(error))
    .build();
  return Object.assign(app, { errors });
}

const jsonl = { "Content-Type": "application/jsonl" };

async function post(app: ReturnType<typeof appOf>, body: string, headers: Record<string, string> = jsonl) {
  const response = await app.request("/books", { method: "POST", headers, body });
  const told = (await response.json()) as { detail?: string; errors?: { pointer: string; detail: string }[] };
  return [
    response.status,
    told.detail === undefined ? told : [told.detail, ...(told.errors ?? []).map((one) => one.pointer)],
  ];
}

function collecting(options: object = {}) {
  const operation = { content: lines(book, { ...limits, ...options }), 200: z.unknown() };
  return appOf("POST", operation, async ({ content }: { content: AsyncIterable<unknown> }) => {
    const all: unknown[] = [];
    for await (const one of content) all.push(one);
    return all;
  });
}

describe("C17.4 lines() as content of requests", () => {
  it("gives the handler checked values", async () => {
    const body = '{"id":1,"title":"Emma","more":true}\r\n\n{"id":2,"title":"Persuasion"}';
    const all = [
      { id: 1, title: "Emma" },
      { id: 2, title: "Persuasion" },
    ];
    expect(await post(collecting(), body)).toEqual([200, all]);
    expect(await post(collecting(), body, { "Content-Type": "application/x-ndjson; charset=utf-8" })).toEqual([
      200,
      all,
    ]);
    expect(await post(collecting(), "")).toEqual([200, []]);
    expect((await collecting().request("/books", { method: "POST", headers: jsonl })).status).toBe(200);
  });

  it.each<[because: string, body: string, status: number, told: unknown]>([
    ["a value that does not fit", '{"id":1,"title":"a"}\n\n{"id":2}\n', 422, ["Line 3 does not fit", "#/1/title"]],
    ["a line that is not JSON", '{"id":1,"title":"a"}\n{"id":', 400, ["Line 2 is not JSON"]],
    ["two members of one name", '{"id":1,"id":2,"title":"a"}', 400, ["Line 1 has two members with one name"]],
    ["a member that may reach a prototype", '{"__proto__":1}', 400, expect.anything()],
    ["a line that is too long", `"${"a".repeat(200)}"`, 413, ["Line 1 is longer than 100 bytes"]],
    ["content that is too long", '{"id":1,"title":"a"}\n'.repeat(60), 413, ["The content is longer than 1000 bytes"]],
  ])("throws for %s", async (_, body, status, told) => {
    expect(await post(collecting({ maxLineBytes: 100 }), body)).toEqual([status, told]);
  });

  it("RFC 9110 §10.1.1 refuses content that says that it is too long before its first line", async () => {
    const headers = { ...jsonl, "content-length": "1001" };
    const response = await collecting().request("/books", { method: "POST", headers, body: "{" });
    const { detail } = (await response.json()) as { detail: string };
    expect([response.status, detail]).toEqual([413, "The content is longer than 1000 bytes"]);
  });

  it("is 415 for another type", async () => {
    const response = await collecting().request("/books", { method: "POST", json: {} });
    expect([response.status, response.headers.get("accept")]).toEqual([415, "application/jsonl, application/x-ndjson"]);
  });

  it("gives the handler what is wrong, if it asks for it", async () => {
    const app = collecting({ whenInvalid: "yield" });
    expect(await post(app, '{"id":1,"title":"a"}\n{"id":2}\n{"id":3,"title":"c"}')).toEqual([
      200,
      [
        { value: { id: 1, title: "a" } },
        { errors: [expect.objectContaining({ pointer: "#/1/title" })] },
        { value: { id: 3, title: "c" } },
      ],
    ]);
  });

  it("reads no more than it is asked for, and leaves the rest when the handler does", async () => {
    const operation = { content: lines(book, limits), 200: z.unknown() };
    const app = appOf("POST", operation, async ({ content }: { content: AsyncIterable<{ id: number }> }) => {
      for await (const { id } of content) return id;
      return null;
    });
    let read = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(new TextEncoder().encode(`{"id":${++read},"title":"a"}\n`));
        },
        cancel() {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const request = new Request("http://localhost/books", {
      method: "POST",
      headers: jsonl,
      body,
      duplex: "half",
    } as never);
    expect(await (await app.fetch(request)).json()).toBe(1);
    expect(read).toBeLessThan(4);
    expect(isCancelled).toBe(true);
  });

  it("takes schemas whose issues have no place", async () => {
    const strict = {
      "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "No" }] }) },
    } as const;
    const operation = { content: lines(strict, limits), 200: z.unknown() };
    const app = appOf("POST", operation, async ({ content }: { content: AsyncIterable<unknown> }) => {
      for await (const _ of content);
    });
    expect(await post(app, "1")).toEqual([422, ["Line 1 does not fit", "#/0"]]);
  });

  it("is read by readInput()", async () => {
    const POST = { content: lines(book, limits), 200: z.int() };
    class Books extends NativeResource {
      paths = ["/books"] as const;
      async POST(request: RequestOf<Books>): Promise<Response> {
        let sum = 0;
        for await (const { id } of (await readInput(request, POST)).content) sum += id;
        return Response.json(sum);
      }
    }
    const app = NativeApplication.builder().resources(Books).build();
    const response = await app.request("/books", {
      method: "POST",
      headers: jsonl,
      body: '{"id":40,"title":""}\n{"id":2,"title":""}',
    });
    expect(await response.json()).toBe(42);
  });
});

describe("C17.5 lines() as an answer", () => {
  const get = async (app: ReturnType<typeof appOf>, options: object = {}) => app.request("/books", options);
  async function* three() {
    for (let id = 1; id <= 3; id++) yield { id, title: "a", secret: "x" };
  }

  it("sends each value as its schema shows it", async () => {
    const response = await get(appOf("GET", { 200: lines(book) }, three));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/jsonl",
      vary: "Accept",
      "x-accel-buffering": "no",
    });
    expect(await response.text()).toBe('{"id":1,"title":"a"}\n{"id":2,"title":"a"}\n{"id":3,"title":"a"}\n');
  });

  it("is of the type that the client asks for", async () => {
    const app = appOf("GET", { 200: lines(book) }, three);
    const response = await get(app, { headers: { Accept: "application/x-ndjson" } });
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect((await get(app, { headers: { Accept: "text/html" } })).status).toBe(406);
  });

  it.each<[because: string, handle: () => unknown, status: number, text: string]>([
    [
      "a reply before the first value",
      // oxlint-disable-next-line require-yield -- the case
      async function* () {
        return reply(404);
      },
      404,
      "",
    ],
    [
      "an error before the first value",
      // oxlint-disable-next-line require-yield -- the case
      async function* () {
        throw new HTTPError(Status.NotFound);
      },
      404,
      "",
    ],
    ["a reply in place of a generator", () => reply(404), 404, ""],
    [
      "no value",
      // oxlint-disable-next-line require-yield -- the case
      async function* () {},
      200,
      "",
    ],
    ["an iterable that is no generator", () => ({ [Symbol.asyncIterator]: () => three() }), 200, '{"id":1'],
    ["no iterable", () => [1], 500, ""],
  ])("has the status of %s", async (_, handle, status, text) => {
    const response = await get(appOf("GET", { 200: lines(book), 404: "No such shelf" }, handle));
    expect(response.status).toBe(status);
    if (status === 200) expect((await response.text()).startsWith(text)).toBe(true);
  });

  it.each<[because: string, handle: () => unknown, message: string]>([
    [
      "a reply after the first value",
      async function* () {
        yield { id: 1, title: "a" };
        return reply(404);
      },
      "Cannot end GET of Books with reply(404): values were sent before; return it before the first yield",
    ],
    [
      "an error after the first value",
      async function* () {
        yield { id: 1, title: "a" };
        throw new Error("The database is gone");
      },
      "The database is gone",
    ],
    [
      "a value that does not fit",
      async function* () {
        yield { id: 1, title: "a" };
        yield { id: "2" };
      },
      "Cannot answer GET of Books: a line of 200 does not fit at #/",
    ],
  ])("is broken off by %s", async (_, handle, message) => {
    const response = await get(appOf("GET", { 200: lines(book), 404: "None" }, handle));
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('{"id":1,"title":"a"}\n');
    await expect(reader.read()).rejects.toThrow(message);
  });

  /** A generator that notes what happens to it. */
  function noting() {
    const notes: string[] = [];
    return {
      notes,
      async *handle() {
        try {
          for (let id = 1; ; id++) {
            notes.push(`${id}`);
            yield { id, title: "a" };
          }
        } finally {
          notes.push("end");
        }
      },
    };
  }

  it("makes values only as they are read, and ends the generator when the client leaves", async () => {
    const { notes, handle } = noting();
    const response = await get(appOf("GET", { 200: lines(book) }, handle));
    const reader = response.body!.getReader();
    await reader.read();
    await reader.read();
    expect(notes).toEqual(["1", "2"]);
    await reader.cancel();
    expect(notes).toEqual(["1", "2", "end"]);
  });

  it("ends the generator if nobody reads: of HEAD, of clients that left, and that have the content", async () => {
    const head = noting();
    expect((await get(appOf("GET", { 200: lines(book) }, head.handle), { method: "HEAD" })).status).toBe(200);
    const left = noting();
    await (await get(appOf("GET", { 200: lines(book) }, left.handle))).body!.cancel();
    const aborted = noting();
    const abort = new AbortController();
    const { signal } = abort;
    await appOf("GET", { 200: lines(book) }, aborted.handle).fetch(new Request("http://localhost/books", { signal }));
    abort.abort();
    const fresh = noting();
    class Books extends Resource {
      override paths = ["/books"] as const;
      static GET = { 200: lines(book), 403: "Not yours" };
      override GET = fresh.handle as never;
      validator(): { readonly etag: string } {
        return { etag: '"1"' };
      }
    }
    const app = Application.builder()
      .resources(Books as never)
      .build();
    expect((await app.request("/books", { headers: { "If-None-Match": '"1"' } })).status).toBe(304);
    await new Promise((resolve) => setTimeout(resolve));
    const ended = { head, left, aborted, fresh };
    for (const [name, { notes }] of Object.entries(ended)) expect([name, ...notes]).toEqual([name, "1", "end"]);
  });

  it("does not say that a generator fails when it is left", async () => {
    const iterable = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: { id: 1, title: "a" } }),
        return: async () => {
          throw new Error("Too late");
        },
      }),
    };
    const app = appOf("GET", { 200: lines(book) }, () => iterable);
    expect((await get(app, { method: "HEAD" })).status).toBe(200);
    const abort = new AbortController();
    await app.fetch(new Request("http://localhost/books", { signal: abort.signal }));
    abort.abort();
    const bare = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: { id: 1, title: "a" } }) }),
    };
    expect(
      (
        await get(
          appOf("GET", { 200: lines(book) }, () => bare),
          { method: "HEAD" },
        )
      ).status,
    ).toBe(200);
    expect(app.errors).toEqual([]);
  });

  it("has the first value of events decide, too, where errors are declared", async () => {
    const app = appOf(
      "GET",
      { 200: events(book), 404: "No such shelf" },
      // oxlint-disable-next-line require-yield -- the case
      async function* () {
        return reply(404);
      },
    );
    expect((await get(app)).status).toBe(404);
    const open = await get(appOf("GET", { 200: events(book), 404: "No such shelf" }, three));
    const text = await open.text();
    expect(text).toContain('data: {"id":1,"title":"a"}\n\n');
    expect(text).toContain('data: {"id":3,"title":"a"}\n\n');
  });
});

describe("lines() in documents and clients", () => {
  const operation = { content: lines(book, limits), 200: lines(book) };
  const app = appOf("POST", operation, async function* ({ content }: { content: AsyncIterable<unknown> }) {
    yield* content;
  });

  it("is in the document by the schema of a line", () => {
    const about = { title: "Lines", version: "1" };
    const { requestBody, responses } = document(app, { ...about, openapiVersion: "3.2" }).paths["/books"]!["post"]!;
    const item = { type: "object", properties: { id: { type: "integer" }, title: { type: "string" } } };
    expect(requestBody!.content).toMatchObject({
      "application/jsonl": { itemSchema: item },
      "application/x-ndjson": { itemSchema: item },
    });
    expect(responses["200"]!.content!["application/jsonl"]).toMatchObject({ itemSchema: item });
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["400", "406", "413", "415", "422"]));
    const older = document(app, about).paths["/books"]!["post"]!;
    expect(older.requestBody!.content["application/jsonl"]).toEqual({
      schema: { type: "string", description: "Lines, each with one value of JSON" },
      "x-itemSchema": { $ref: "#/components/schemas/BooksPOSTcontentLine" },
    });
  });

  it("has types for clients in files", () => {
    expect(clientTypes(app.dispatcher)).toContain('"application/jsonl" | "application/x-ndjson"');
    expect(clientTypes(app.dispatcher)).toMatch(/Result<200, true, AsyncIterable<\{ [^>]*\}>>/);
  });

  it("is read and written by clients, typed both ways", async () => {
    class Books extends Resource {
      paths = ["/books"] as const;
      static GET = { 200: lines(book), 404: "No such shelf" };
      async *GET({ request }: Call<typeof Books, "GET">): Yields<typeof Books, "GET"> {
        if (request.headers.has("x-none")) return reply(404);
        yield { id: 1, title: "Emma" };
        // @ts-expect-error -- does not fit
        if (request.headers.has("x-wrong")) yield { id: 1 };
        // @ts-expect-error -- is not declared
        if (request.headers.has("x-other")) return reply(403);
        return undefined;
      }

      static POST = { content: lines(book, limits), 200: z.int() };
      async POST({ content }: Call<typeof Books, "POST">): Promise<Answer<typeof Books, "POST">> {
        let sum = 0;
        for await (const { id } of content) sum += id;
        return sum;
      }

      static PUT = { content: lines(book, { ...limits, whenInvalid: "yield" }), 204: "Read" };
      async PUT({ content }: Call<typeof Books, "PUT">): Promise<Answer<typeof Books, "PUT">> {
        for await (const { value, errors } of content) {
          if (errors === undefined) expectTypeOf(value.id).toEqualTypeOf<number>();
          else expectTypeOf(errors[0]!.pointer).toEqualTypeOf<string>();
        }
        return undefined;
      }
    }
    const typed = Application.builder().resources(Books).build();
    const api = client<typeof typed>("http://localhost", { fetch: typed.fetch, lines: clientLines });
    const got = await api["/books"].GET();
    if (got.status === 200) {
      expectTypeOf(got.content).toEqualTypeOf<AsyncIterable<{ id: number; title: string }>>();
      const all: string[] = [];
      for await (const { title } of got.content) all.push(title);
      expect(all).toEqual(["Emma"]);
    }
    expect((await api["/books"].GET({ headers: { "x-none": "1" } })).status).toBe(404);
    async function* values() {
      yield { id: 40, title: "a" };
      yield { id: 2, title: "b" };
    }
    const type = "application/jsonl";
    expect((await api["/books"].POST({ type, content: values() })).content).toBe(42);
    expect((await api["/books"].POST({ type, content: [{ id: 1, title: "a" }] })).content).toBe(1);
    expect((await api["/books"].PUT({ type, content: [] })).status).toBe(204);
    // @ts-expect-error -- a line does not fit
    const refused = await api["/books"].POST({ type, content: [{ id: "1", title: "a" }] });
    expect(refused.status).toBe(422);
    const without = client<typeof typed>("http://localhost", { fetch: typed.fetch });
    await expect(without["/books"].POST({ type, content: [] })).rejects.toThrow(
      "Cannot send lines: write client(base, { lines: clientLines })",
    );
    await expect(without["/books"].GET()).rejects.toThrow("GET /books");
  });

  it("explains without reading", async () => {
    const request = new Request("http://localhost/books", { method: "POST", headers: jsonl, body: "no" });
    const { questions } = await app.explain(request);
    expect(questions.find(({ step }) => step === 9)?.finding).toBe("yes");
  });

  it.each<[declared: () => unknown, message: string]>([
    [
      () => lines(1 as never),
      'Cannot call lines(): its option "schema" must be a schema, such as z.string(), or jsonSchema(schema, check), ' +
        "got 1",
    ],
    [() => lines(book, { maxBytes: -1 }), 'its option "maxBytes" must be a whole number that is not negative, got -1'],
    [() => lines(book, { maxLineBytes: 0.5 }), 'its option "maxLineBytes" must be a whole number'],
    [
      () => lines(book, { whenInvalid: "skip" as never }),
      'its option "whenInvalid" must be "throw" or "yield", got "skip"',
    ],
    [
      () => appOf("POST", { content: lines(book), 204: "Stored" }, () => {}),
      "static POST has lines() without maxBytes for content; write lines(schema, { maxBytes })",
    ],
  ])("refuses what cannot work: %s", (declared, message) => {
    expect(declared).toThrow(message);
  });
});
