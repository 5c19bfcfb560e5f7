import { client, type ApiOf } from "fingerpost/client";
import * as native from "fingerpost";
import { document } from "fingerpost/openapi";
import { Application, readInput, Resource, type Answer, type Call } from "fingerpost/semantics";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "./client-types.ts";

const about = { title: "Search", version: "1" };

/** Returns everything that is said of an operation: by the document, by printed types, by errors, and by an answer. */
async function saidOf(operation: object): Promise<Record<string, unknown>> {
  class Search extends Resource {
    override paths = ["/search"];
    static GET = operation;
    override GET(call: unknown): unknown {
      const { query } = call as { readonly query: object };
      return { ...query, secret: "x" };
    }
  }
  const app = Application.builder()
    .resources(Search as never)
    .build();
  const get = document(app, about).paths["/search"]!["get"]!;
  const api = client<{ "/search": { GET: (input: object) => Promise<{ status: number; content: unknown }> } }>(
    "http://localhost",
    { fetch: app.fetch },
  );
  const answerTo = async (query: object): Promise<unknown> => {
    const { status, content } = await api["/search"].GET({ query });
    return { status, content };
  };
  return {
    parameters: get.parameters!.map(({ name, required = false, schema }) => ({ name, required, type: schema["type"] })),
    answer: Object.keys(
      (get.responses["200"]!.content!["application/json"]!["schema"] as { properties: object }).properties,
    ),
    types: /readonly query\??: (\{[^}]*\})/.exec(clientTypes(app.dispatcher))?.[1]?.replaceAll(/\s+/g, " "),
    wrong: await answerTo({ limit: "x" }),
    right: await answerTo({ limit: 5, page: 2 }),
  };
}

describe("one declaration", () => {
  it("changes document, client, errors and answers in one step", async () => {
    const problem = (...errors: object[]): object => ({
      status: 400,
      content: expect.objectContaining({ status: 400, errors: errors.map((one) => expect.objectContaining(one)) }),
    });
    const before = { query: z.object({ limit: z.int() }), 200: z.object({ limit: z.int() }) };
    expect(await saidOf(before)).toEqual({
      parameters: [{ name: "limit", required: true, type: "integer" }],
      answer: ["limit"],
      types: "{ readonly limit: number; }",
      wrong: problem({ in: "query", pointer: "#/limit", detail: "Expected an integer" }),
      right: { status: 200, content: { limit: 5 } },
    });
    const page = z.int();
    const after = { query: before.query.extend({ page }), 200: before[200].extend({ page }) };
    expect(await saidOf(after)).toEqual({
      parameters: [
        { name: "limit", required: true, type: "integer" },
        { name: "page", required: true, type: "integer" },
      ],
      answer: ["limit", "page"],
      types: "{ readonly limit: number; readonly page: number; }",
      wrong: problem({ in: "query", pointer: "#/limit" }, { in: "query", pointer: "#/page" }),
      right: { status: 200, content: { limit: 5, page: 2 } },
    });
  });

  it("changes the types of the client in the same step", () => {
    const limit = z.object({ limit: z.int() });
    class Before extends Resource {
      paths = ["/search"] as const;
      static GET = { query: limit, 200: limit };
      override GET({ query }: Call<typeof Before, "GET">): Answer<typeof Before, "GET"> {
        return query;
      }
    }
    const paged = limit.extend({ page: z.int() });
    class After extends Resource {
      paths = ["/search"] as const;
      static GET = { query: paged, 200: paged, 404: "No such page" };
      override GET({ query }: Call<typeof After, "GET">): Answer<typeof After, "GET"> {
        return query;
      }
    }
    const apps = [
      Application.builder().resources(Before).build(),
      Application.builder().resources(After).build(),
    ] as const;
    type Get<App> =
      ApiOf<App> extends { "/search": { GET: infer Own extends (input: never) => unknown } } ? Own : never;
    type Query<App> = Parameters<Get<App>>[0] extends { query: infer Of } ? Of : never;
    expectTypeOf<Query<(typeof apps)[0]>>().toEqualTypeOf<{ limit: number }>();
    expectTypeOf<Query<(typeof apps)[1]>>().toEqualTypeOf<{ limit: number; page: number }>();
    expectTypeOf<
      404 extends Awaited<ReturnType<Get<(typeof apps)[1]>>>["status"] ? true : false
    >().toEqualTypeOf<true>();
    expectTypeOf<
      404 extends Awaited<ReturnType<Get<(typeof apps)[0]>>>["status"] ? true : false
    >().toEqualTypeOf<false>();
    expect(apps.map((app) => document(app, about).paths["/search"]!["get"]!.parameters!.length)).toEqual([1, 2]);
  });
});

describe("readInput() in a resource of the native module", () => {
  const note = z.object({ text: z.string() });
  class Note extends native.Resource {
    paths = ["/notes/:id"] as const;

    static PUT = { path: z.object({ id: z.int() }), content: note, 200: note, 404: "No such note" };
    override async PUT(request: native.RequestOf<Note>): Promise<Response> {
      const { path, content } = await readInput(request, Note.PUT);
      return path.id === 0
        ? new Response(null, { status: 404 })
        : Response.json({ text: `${path.id} ${content.text}` });
    }
  }
  const app = native.Application.builder().resources(Note).build();
  const typed = Application.builder().resources(Note).build();

  it("C8.10 is described by document() as the declaration says", () => {
    const put = document(app, about).paths["/notes/{id}"]!["put"]!;
    expect(put.operationId).toBe("putNote");
    expect(put.parameters).toMatchObject([{ name: "id", in: "path", schema: { type: "integer" } }]);
    expect(put.requestBody).toMatchObject({
      content: { "application/json": { schema: { properties: { text: { type: "string" } }, required: ["text"] } } },
    });
    expect(Object.keys(put.responses)).toEqual(["200", "400", "404", "413", "415", "422"]);
    expect(put.responses["404"]).toMatchObject({ description: "No such note" });
  });

  it("C8.10 is called by a typed client, with the errors of its declaration", async () => {
    const api = client<typeof typed>("http://localhost", { fetch: typed.fetch });
    const call = api["/notes/:id"].PUT;
    expectTypeOf<Parameters<typeof call>[0]["content"]>().toEqualTypeOf<{ text: string }>();
    const found = await call({ path: { id: 5 }, content: { text: "Hello" } });
    expect(found.orThrow()).toEqual({ text: "5 Hello" });
    expect(await call({ path: { id: 0 }, content: { text: "" } })).toMatchObject({ status: 404, content: undefined });
    const wrong = await call({ path: { id: 5 }, content: { text: 5 } as never });
    expect(wrong).toMatchObject({ status: 422, content: { errors: [{ in: "content", pointer: "#/text" }] } });
  });

  it("C8.10 is in the printed types of a client, whose calls an application of the native module answers", async () => {
    expect(clientTypes(app.dispatcher)).toContain("readonly text: string");
    const api = client<ApiOf<typeof typed>>("http://localhost", { fetch: app.fetch });
    expect((await api["/notes/:id"].PUT({ path: { id: 5 }, content: { text: "Hello" } })).status).toBe(200);
  });
});
