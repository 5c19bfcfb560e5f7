import {
  Application,
  form,
  HTTPError,
  jsonSchema,
  readInput,
  reply,
  Resource,
  Status,
  text,
  upload,
  type Answer,
  type Call,
  type FormMembers,
  type StandardSchema,
} from "fingerpost";
import { client } from "fingerpost/client";
import { disk, memory, type Sink } from "fingerpost/files";
import { memoryRecords } from "fingerpost/stores";
import { Application as NativeApplication, Resource as NativeResource, type RequestOf } from "fingerpost/native";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "../openapi/client-types.ts";

/** A sink that writes down what happens to it. */
function noting(): Sink<{ readonly key: string }> & { readonly notes: string[] } {
  const notes: string[] = [];
  return {
    notes,
    async store({ name, content }) {
      notes.push(
        `store ${name} ${(await new Response(content as ReadableStream<Uint8Array<ArrayBuffer>>).bytes()).length}`,
      );
      return { key: name };
    },
    discard({ key }) {
      notes.push(`discard ${key}`);
    },
  };
}

type Parts = readonly (readonly [name: string, value: string | Blob, fileName?: string])[];

function formOf(parts: Parts): FormData {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === "string") data.append(name, value);
    else data.append(name, value, fileName);
  }
  return data;
}

const png = new Blob(
  ["\x89PNG\r\n\x1a\n".split("").map((one) => one.charCodeAt(0))].map((bytes) => Uint8Array.from(bytes)),
);
const gif = new Blob(["GIF89a"]);

/** An application with one form; the handler answers what it got, or does as it is told. */
function appOf(content: object, handle: (got: never) => unknown = (got) => ({ got })) {
  class Forms extends Resource {
    override paths = ["/"] as const;
    static POST = {
      content,
      200: z.unknown(),
      201: z.object({ a: z.string() }),
      400: "Bad",
      404: "None",
      409: "Taken",
    };
    override async POST({ content: got }: { readonly content: unknown }): Promise<never> {
      return (await handle(got as never)) as never;
    }
  }
  return Application.builder()
    .resources(Forms as never)
    .onError(() => {})
    .build();
}

async function post(app: { request: (path: string, options: object) => Promise<Response> }, parts: Parts) {
  const response = await app.request("/", { method: "POST", body: formOf(parts) });
  const body = (await response.json()) as {
    got?: unknown;
    detail?: string;
    errors?: { pointer: string; detail: string }[];
  };
  return [
    response.status,
    body.got ?? body.errors?.map(({ pointer, detail }) => `${pointer}: ${detail}`) ?? body.detail,
  ];
}

function coverOf(sink: Sink): FormMembers {
  return {
    caption: z.string(),
    stars: z.int().optional(),
    tags: z.array(z.string()),
    place: z.object({ lat: z.number() }).optional(),
    cover: upload({ types: ["image/png", "image/gif"], maxBytes: 100, to: sink }),
    more: upload({ maxFiles: 2, optional: true, to: sink }),
  };
}

describe("form()", () => {
  it("gives the handler fields by their schemas, and what is known of stored files, in any order", async () => {
    const sink = noting();
    const parts: Parts = [
      ["more", new Blob(["1"], { type: "text/plain" }), "C:\\a\\1.txt"],
      ["cover", gif, "ada.gif"],
      ["tags", "x"],
      ["stars", "5"],
      ["more", new Blob(["22"], { type: "text/plain" }), "2.txt"],
      ["place", '{"lat":1.5}'],
      ["caption", "Ada"],
      ["tags", "y"],
    ];
    const [status, got] = await post(appOf(form(coverOf(sink))), parts);
    expect(status).toBe(200);
    const file = { key: "more", type: "text/plain", sha256: expect.any(String) as string };
    expect(got).toEqual({
      caption: "Ada",
      stars: 5,
      tags: ["x", "y"],
      place: { lat: 1.5 },
      cover: { key: "cover", fileName: "ada.gif", type: "image/gif", size: 6, sha256: expect.any(String) as string },
      more: [
        { ...file, fileName: "1.txt", size: 1 },
        { ...file, fileName: "2.txt", size: 2 },
      ],
    });
    expect(sink.notes).toEqual(["store more 1", "store cover 6", "store more 2"]);
  });

  it("has nothing for members that may be absent", async () => {
    const sink = noting();
    const content = form({
      note: z.string().default("none"),
      one: upload({ optional: true, to: sink }),
      ...coverOf(sink),
    });
    const parts: Parts = [
      ["caption", ""],
      ["cover", png, "a.png"],
      ["one", new Blob([]), ""],
    ];
    expect(await post(appOf(content), parts)).toEqual([
      200,
      {
        caption: "",
        tags: [],
        cover: expect.objectContaining({ type: "image/png" }) as unknown,
        more: [],
        note: "none",
      },
    ]);
  });

  it.each<[because: string, parts: Parts, status: number, told: unknown]>([
    ["a member that is not declared", [["evil", "x"]], 422, ["#/evil: The form has no such member"]],
    ["a member of all objects", [["constructor", "x"]], 422, ["#/constructor: The form has no such member"]],
    ["a field for a file", [["cover", "x"]], 422, ["#/cover: Expected a file"]],
    ["a file for a field", [["caption", gif, "x"]], 422, ["#/caption: Expected a field, and not a file"]],
    [
      "a second file",
      [
        ["cover", gif, "x"],
        ["cover", gif, "y"],
      ],
      422,
      ["#/cover: Expected one file, and not several"],
    ],
    [
      "too many files",
      [
        ["more", gif, "x"],
        ["more", gif, "y"],
        ["more", gif, "z"],
      ],
      422,
      ["#/more: Expected at most 2 files"],
    ],
    ["no file", [["tags", "x"]], 422, ["#/cover: Expected a file"]],
    [
      "a file of another type",
      [["cover", new Blob(["<html>"]), "x"]],
      422,
      ['#/cover: The file "cover" is text/html; accepted: image/png, image/gif'],
    ],
    [
      "a repeated field, and a wrong one",
      [
        ["cover", gif, "x"],
        ["caption", "a"],
        ["caption", "b"],
        ["stars", "x"],
      ],
      422,
      ["#/caption: Expected one value, and not several", "#/stars: Expected an integer"],
    ],
    [
      "a file that is too long",
      [["cover", new Blob(["GIF89a".padEnd(101)]), "x"]],
      413,
      'The file "cover" is longer than 100 bytes',
    ],
    [
      "a field that is too long",
      [["caption", "a".repeat(65_537)]],
      413,
      'The field "caption" is longer than 65536 bytes',
    ],
  ])("refuses %s, and keeps no file", async (_, parts, status, told) => {
    const sink = noting();
    const before: Parts = [["more", gif, "first"]];
    const [was, errors] = await post(appOf(form(coverOf(sink))), [
      ...(parts[0]![0] === "more" ? [] : before),
      ...parts,
    ]);
    expect(was).toBe(status);
    if (Array.isArray(told)) expect(errors).toEqual(expect.arrayContaining(told));
    else expect(errors).toBe(told);
    const ofKind = (kind: string): string[] => sink.notes.filter((note) => note.startsWith(kind));
    expect(ofKind("discard")).toHaveLength(ofKind("store").length);
    expect(ofKind("store").length).toBeGreaterThan(0);
  });

  it("tells each member once, and stores no file after the first fault", async () => {
    const sink = noting();
    const parts: Parts = [
      ["cover", "x"],
      ["more", gif, "a"],
      ["caption", gif, "b"],
    ];
    expect(await post(appOf(form(coverOf(sink))), parts)).toEqual([
      422,
      ["#/cover: Expected a file", "#/caption: Expected a field, and not a file"],
    ]);
    expect(sink.notes).toEqual([]);
    // The cover that comes after a fault was not looked at.
    expect(
      await post(appOf(form(coverOf(sink))), [
        ["other", "x"],
        ["cover", gif, "a.gif"],
        ["caption", "x"],
        ["tags", "x"],
      ]),
    ).toEqual([422, ["#/other: The form has no such member"]]);
  });

  it("tells faults of fields in the content, and has no members that did not come", async () => {
    const app = appOf(
      form({ stars: z.int().max(5).optional(), cover: upload({ optional: true, to: noting() }) }),
      (got) => ({
        got: Object.keys(got),
      }),
    );
    expect(await post(app, [["cover", new Blob([]), ""]])).toEqual([200, []]);
    // The first is no integer, and the second one too large.
    for (const stars of ["0.5", "6"]) {
      const body = formOf([["stars", stars]]);
      const { errors } = (await (await app.request("/", { method: "POST", body })).json()) as { errors: object[] };
      expect(errors).toMatchObject([{ in: "content", pointer: "#/stars" }]);
    }
  });

  it.each<[because: string, handle: () => unknown, status: number]>([
    ["throws", () => Promise.reject(new HTTPError(Status.Conflict)), 409],
    ["fails", () => Promise.reject(new Error("no")), 500],
    ["answers 400", () => reply(400), 400],
    ["answers 404", () => reply(404), 404],
    ["answers what is not declared", () => reply(202), 500],
    ["answers what does not fit", () => reply(201, { a: 1 }), 500],
  ])("discards the files of a handler that %s", async (_, handle, status) => {
    const sink = noting();
    const app = appOf(form({ f: upload({ to: sink }) }), handle);
    expect((await app.request("/", { method: "POST", body: formOf([["f", gif, "x"]]) })).status).toBe(status);
    expect(sink.notes).toEqual(["store f 6", "discard f"]);
  });

  it("discards files if a precondition fails meanwhile", async () => {
    const sink = noting();
    const tags = ['"1"', '"2"'];
    class Cover extends Resource {
      override paths = ["/"] as const;
      static PUT = { content: form({ f: upload({ to: sink }) }), 204: "Stored" };
      override PUT(): void {}
      validator(): { readonly etag: string } {
        return { etag: tags.shift()! };
      }
    }
    const app = Application.builder()
      .resources(Cover as never)
      .build();
    const headers = { "If-Match": '"1"' };
    expect((await app.request("/", { method: "PUT", headers, body: formOf([["f", gif, "x"]]) })).status).toBe(412);
    expect(sink.notes).toEqual(["store f 6", "discard f"]);
  });

  it("tells what went wrong, and not that a sink fails to discard", async () => {
    const sink: Sink = {
      store: async ({ content }) => ({ length: (await new Response(content as never).text()).length }),
      discard: () => Promise.reject(new Error("gone")),
    };
    const app = appOf(form({ f: upload({ to: sink }) }), () => reply(404));
    expect((await app.request("/", { method: "POST", body: formOf([["f", gif, "x"]]) })).status).toBe(404);
  });

  it("passes on what a sink throws", async () => {
    for (const error of [new Error("full"), new HTTPError(Status.InsufficientStorage)]) {
      const app = appOf(form({ f: upload({ to: { store: () => Promise.reject(error), discard() {} } }) }));
      const response = await app.request("/", { method: "POST", body: formOf([["f", gif, "x"]]) });
      expect(response.status).toBe((error as { status?: number }).status ?? 500);
    }
  });

  it("has limits of its own", async () => {
    const content = (limits: object): object =>
      form({ a: z.string(), f: upload({ maxBytes: 10, optional: true, to: memory() }) }, limits);
    expect(await post(appOf(content({ maxBytes: 50 })), [["a", "x"]])).toEqual([
      413,
      "The form is longer than 50 bytes",
    ]);
    expect(await post(appOf(content({ maxFieldBytes: 1 })), [["a", "xy"]])).toEqual([
      413,
      'The field "a" is longer than 1 bytes',
    ]);
    expect(
      await post(appOf(content({ maxParts: 1 })), [
        ["a", "x"],
        ["a", "y"],
      ]),
    ).toEqual([413, "The form has more than 1 parts"]);
  });

  it("is one of several media types", async () => {
    const app = appOf({ "text/plain": text(), "multipart/form-data": form({ a: z.string() }) });
    expect(await post(app, [["a", "x"]])).toEqual([200, { a: "x" }]);
    const plain = await app.request("/", { method: "POST", headers: { "Content-Type": "text/plain" }, body: "x" });
    expect(await plain.json()).toEqual({ got: "x" });
    expect((await app.request("/", { method: "POST", json: {} })).status).toBe(415);
  });

  it("is read by schemas without JSON Schema, by asynchronous ones, and by recursive ones", async () => {
    const plain = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
    const later = z.string().refine((value) => Promise.resolve(value !== "bad"), "Not that");
    const strict: StandardSchema = {
      "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "Not at all" }] }) },
    };
    expect(await post(appOf(form({ strict })), [["strict", "1"]])).toEqual([422, ["#/strict: Not at all"]]);
    interface Tree {
      readonly name: string;
      readonly inside?: readonly Tree[] | undefined;
    }
    const tree: z.ZodType<Tree> = z
      .lazy(() => z.object({ name: z.string(), inside: z.array(tree).optional() }))
      .meta({ id: "Tree" });
    const app = appOf(form({ plain, later, tree }));
    const nested = JSON.stringify({ name: "a", inside: [{ name: "b" }] });
    expect(
      await post(app, [
        ["plain", "1"],
        ["later", "x"],
        ["tree", nested],
      ]),
    ).toEqual([200, { plain: "1", later: "x", tree: JSON.parse(nested) as unknown }]);
    expect(
      await post(app, [
        ["later", "bad"],
        ["tree", nested],
      ]),
    ).toEqual([422, ["#/later: Not that"]]);
  });

  it("follows references of older drafts", async () => {
    const count = jsonSchema<number>(
      { $ref: "#/definitions/count", definitions: { count: { type: "integer" } } },
      () => true,
    );
    expect(await post(appOf(form({ count })), [["count", "7"]])).toEqual([200, { count: 7 }]);
  });

  it("is read by readInput(), whose files belong to the handler", async () => {
    const sink = noting();
    const POST = { content: form({ a: z.int(), f: upload({ to: sink }) }), 204: "Stored" };
    class Files extends NativeResource {
      paths = ["/"] as const;
      async POST(request: RequestOf<Files>): Promise<Response> {
        const { content } = await readInput(request, POST);
        return Response.json([content.a, content.f.key], { status: 404 });
      }
    }
    const app = NativeApplication.builder().resources(Files).build();
    const response = await app.request("/", {
      method: "POST",
      body: formOf([
        ["a", "1"],
        ["f", gif, "x"],
      ]),
    });
    expect([response.status, await response.json()]).toEqual([404, [1, "f"]]);
    await app.request("/", { method: "POST", body: formOf([["f", gif, "x"]]) });
    expect(sink.notes).toEqual(["store f 6", "store f 6", "discard f"]);
  });

  it("is refused beside idempotency, which compares whole content", () => {
    class Files extends Resource {
      override paths = ["/"] as const;
      static POST = { idempotency: { optional: true }, content: form({ a: z.string() }), 204: "Stored" };
      override POST(): void {}
    }
    const builder = Application.builder().idempotency({ store: memoryRecords(), ownerOf: () => "all" });
    expect(() => builder.resources(Files as never).build()).toThrow("has idempotency beside form(), which is a stream");
  });

  it("stores nothing when a request is explained, and discards what a run stores", async () => {
    const sink = noting();
    const app = appOf(form({ f: upload({ to: sink }) }), () => reply(404));
    const request = (): Request =>
      new Request("http://localhost/", { method: "POST", body: formOf([["f", gif, "x"]]) });
    const { questions } = await app.explain(request());
    expect(questions.find(({ step }) => step === 9)?.finding).toBe("yes");
    const unfit = formOf([
      ["f", gif, "x"],
      ["g", "1"],
    ]);
    const refused = await app.explain(new Request("http://localhost/", { method: "POST", body: unfit }));
    expect(refused.questions.find(({ step }) => step === 9)?.finding).toBe(
      "no: content #/g: The form has no such member",
    );
    expect(sink.notes).toEqual([]);
    expect((await app.explain(request(), { run: true })).status).toBe(404);
    expect(sink.notes).toEqual(["store f 6", "discard f"]);
  });

  it("is in the document with the types of its files", () => {
    const app = appOf(form(coverOf(memory())));
    const { requestBody, responses } = document(app, { title: "Forms", version: "1" }).paths["/"]!["post"]!;
    const file = { type: "string", format: "binary" };
    expect(requestBody!.content["multipart/form-data"]).toMatchObject({
      schema: {
        type: "object",
        properties: { caption: { type: "string" }, cover: file, more: { type: "array", items: file, maxItems: 2 } },
        required: ["caption", "tags", "cover"],
        additionalProperties: false,
      },
      encoding: { cover: { contentType: "image/png, image/gif" } },
    });
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["400", "413", "415", "422"]));
    const bare = document(appOf(form({ f: upload({ optional: true, to: memory() }) })), {
      title: "Forms",
      version: "1",
    });
    expect(bare.paths["/"]!["post"]!.requestBody!.content["multipart/form-data"]).toEqual({
      schema: { type: "object", properties: { f: file }, additionalProperties: false },
    });
  });

  it("has types for clients, in files and by inference", async () => {
    class Covers extends Resource {
      paths = ["/covers"] as const;
      static POST = {
        content: form({ caption: z.string(), stars: z.int().optional(), cover: upload({ to: memory() }) }),
        200: z.array(z.unknown()),
      };
      POST({ content: { caption, stars, cover } }: Call<typeof Covers, "POST">): Answer<typeof Covers, "POST"> {
        return [caption, stars ?? null, cover.bytes.length];
      }
    }
    const app = Application.builder().resources(Covers).build();
    expect(clientTypes(app.dispatcher)).toContain(
      "{ readonly content: { readonly caption: string; readonly stars?: number | undefined; readonly cover: Blob; }; " +
        'readonly type: "multipart/form-data" }',
    );
    const many = appOf(form({ f: upload({ maxFiles: 2, to: memory() }) }));
    expect(clientTypes(many.dispatcher)).toContain("{ readonly f: readonly Blob[]; }");
    const api = client<typeof app>("http://localhost", { fetch: app.fetch });
    const content = { caption: "Ada", cover: new File(["GIF89a"], "ada.gif") };
    const { content: got } = await api["/covers"].POST({ type: "multipart/form-data", content });
    expect(got).toEqual(["Ada", null, 6]);
    const unfit = (): void => {
      // @ts-expect-error -- the file is missing
      void api["/covers"].POST({ type: "multipart/form-data", content: { caption: "Ada" } });
      // @ts-expect-error -- a form is sent by its type
      void api["/covers"].POST({ content });
    };
    expect(unfit).toBeTypeOf("function");
  });

  it.each<[declared: () => unknown, message: string]>([
    [
      () => form({}),
      "Cannot call form(): expected its members, such as { caption: z.string(), cover: upload({ to }) }, got an object",
    ],
    [() => form([] as never), "got an array"],
    [() => form({ a: "string" as never }), 'its member "a" must be a schema or upload({ to }), got "string"'],
    [() => form({ a: null as never }), 'its member "a" must be a schema or upload({ to }), got null'],
    [
      () => form({ a: upload({ maxBytes: 20_000_000, to: memory() }) }),
      'its file "a" may have 20000000 bytes in a form of at most 10485760; write form(members, { maxBytes })',
    ],
    [
      () => form({ a: z.string() }, { maxBytes: -1 }),
      'its option "maxBytes" must be a whole number that is not negative, got -1',
    ],
    [() => form({ a: z.string() }, { maxFileBytes: 1 } as never), 'it has no option "maxFileBytes"'],
    [() => upload({ to: undefined as never }), 'its option "to" must be a sink'],
    [() => upload({ to: { store() {} } as never }), 'its option "to" must be a sink'],
    [() => upload({ to: memory(), maxFiles: 0 }), 'its option "maxFiles" must be a whole number from 1 on, got 0'],
    [() => upload({ to: memory(), types: "image/png" as never }), 'its option "types" must be an array'],
    [() => upload({ to: memory(), types: [1] as never }), 'its option "types" must be an array'],
    [() => upload({ to: memory(), optional: 1 as never }), 'its option "optional" must be true or false, got 1'],
    [
      () => appOf({ "application/x-www-form-urlencoded": form({ a: z.string() }) }),
      'static POST has form() for "application/x-www-form-urlencoded" of content; write "multipart/form-data", or a ' +
        "schema",
    ],
    [() => appOf(form({ a: z.date() })), "a date or a bigint"],
  ])("refuses what cannot work: %s", (declared, message) => {
    expect(declared).toThrow(message);
  });

  it("is not an answer", () => {
    class Covers extends Resource {
      override paths = ["/covers"] as const;
      static GET = { 200: form({ a: z.string() }) };
      override GET(): never {
        return {} as never;
      }
    }
    expect(() =>
      Application.builder()
        .resources(Covers as never)
        .build(),
    ).toThrow(
      "Cannot add Covers to the application: static GET has form() for the content of 200, which only requests have; " +
        "write a schema",
    );
  });

  it("stores on the disk", () => {
    expect(upload({ to: disk("/tmp/fingerpost-form-test") }).maxFiles).toBe(null);
  });
});
