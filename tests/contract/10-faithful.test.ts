// Whether a document is the application: nothing is lost, and nothing is said that the line does not do.
import { document, type DocumentedOperation, type OpenAPIDocument } from "fingerpost/openapi.js";
import { Application, reply, Resource, text, type Method } from "fingerpost/modules/http.semantics.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const about = { title: "Faithful", version: "1" };

type Class = new () => Resource;

function classOf(
  name: string,
  paths: readonly string[],
  operations: Partial<Record<Method, object>>,
  more = {},
): Class {
  class Made extends Resource {
    paths = paths;
  }
  Object.defineProperty(Made, "name", { value: name });
  Object.assign(Made.prototype, more);
  for (const [method, operation] of Object.entries(operations)) {
    Object.assign(Made, { [method]: operation });
    Object.assign(Made.prototype, { [method]: () => undefined });
  }
  return Made;
}

function applicationOf(...classes: readonly Class[]): Application {
  return Application.builder()
    .resources(...(classes as never[]))
    .onError(() => {})
    .build();
}

function documentOf(...classes: readonly Class[]): OpenAPIDocument {
  return document(applicationOf(...classes), about);
}

function operationOf(operations: Partial<Record<Method, object>>, more = {}, path = "/a"): DocumentedOperation {
  const [method] = Object.keys(operations);
  return documentOf(classOf("A", [path], operations, more)).paths[path]![method!.toLowerCase()]!;
}

describe("operations of one template", () => {
  const byId = classOf("ItemById", ["/items/:id(\\d+)"], {
    GET: {
      query: z.object({ lang: z.string(), page: z.int() }),
      200: z.object({ id: z.string() }),
      404: "No item has this id",
      tags: ["ids"],
      deprecated: true,
    },
  });
  const byName = classOf("ItemByName", ["/items/:name"], {
    GET: {
      query: z.object({ lang: z.string(), sort: z.string() }),
      200: z.object({ name: z.string() }),
      410: "Gone",
      tags: ["names"],
      security: { key: { type: "apiKey", in: "header", name: "x-key" } },
    },
    PUT: { content: z.object({ name: z.string() }), 204: "Stored" },
  });

  it("C10.6 has both, whichever was added first", () => {
    const one = documentOf(byId, byName);
    expect(documentOf(byName, byId).paths).toEqual(one.paths);
    expect(Object.keys(one.paths)).toEqual(["/items/{id}"]);
    const { get, put } = one.paths["/items/{id}"]!;
    expect(get!.description).toBe(
      "Depending on the text of its params, the path is answered by /items/:name of ItemByName.",
    );
    expect(Object.keys(get!.responses)).toEqual(["200", "400", "404", "406", "410"]);
    expect(get!.responses["200"]!.content!["application/json"]!["schema"]).toEqual({
      anyOf: [
        { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
        { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      ],
    });
    expect(get!.parameters!.map(({ name, required, schema }) => [name, required === true, schema])).toEqual([
      ["id", true, { anyOf: [{ type: "string", pattern: String.raw`^(?:\d+)$` }, { type: "string" }] }],
      ["lang", true, { type: "string" }],
      ["page", false, { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }],
      ["sort", false, { type: "string" }],
    ]);
    expect([get!.tags, get!.deprecated, get!.security]).toEqual([["ids", "names"], undefined, [{}, { key: [] }]]);
    expect(put!.parameters!.map(({ name }) => name)).toEqual(["id"]);
  });

  it("C10.6 joins content, and what both have stays as it is", () => {
    const deprecated = { since: "2026-01-01", sunset: "2027-01-01" };
    const operation = (content: object | undefined, more: object): object => ({
      ...(content === undefined ? {} : { content }),
      204: "Done",
      deprecated,
      ...more,
    });
    const headers = { 200: { description: "x", headers: { "x-a": z.string() } } };
    const { post, put, patch } = documentOf(
      classOf("One", ["/a/:id(\\d+)"], {
        POST: operation(z.object({ a: z.int() }), {}),
        PUT: operation(z.object({ a: z.int() }), headers),
        PATCH: operation(undefined, {}),
      }),
      classOf("Two", ["/a/:rest+"], {
        POST: operation(z.object({ a: z.int() }), {}),
        PUT: operation(undefined, {}),
        PATCH: operation(undefined, headers),
      }),
    ).paths["/a/{id}"]!;
    expect([post!.requestBody!.required, put!.requestBody!.required, patch!.requestBody]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect([post!.deprecated, post!["x-sunset"]]).toEqual([true, "2027-01-01"]);
    for (const one of [put!, patch!]) expect(Object.keys(one.responses["200"]!.headers!)).toEqual(["x-a"]);
  });
});

describe("preconditions", () => {
  const validator = (): object => ({ etag: '"1"' });

  it("C10.1 has the fields by which clients send what they know, and the tag of the answer", () => {
    const put = operationOf({ PUT: { conditional: "required", 204: "Stored" } }, { validator });
    expect(put.parameters!.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ["If-Match", "header", undefined],
      ["If-None-Match", "header", undefined],
    ]);
    expect(put.responses["204"]!.headers).toBeUndefined();
    const get = operationOf({ GET: { 200: text(), 203: text() } }, { validator });
    expect(get.parameters!.map(({ name }) => name)).toEqual(["If-None-Match"]);
    for (const status of ["200", "203", "304"]) expect(Object.keys(get.responses[status]!.headers!)).toEqual(["ETag"]);
    expect(get.responses["406"]!.headers).toBeUndefined();
  });

  it("C10.1 names them once where they are declared", () => {
    const headers = z.object({ "if-match": z.string() });
    const put = operationOf({ PUT: { headers, 204: "Stored" } }, { validator });
    expect(put.parameters!.map(({ name }) => name)).toEqual(["if-match", "If-None-Match"]);
    const get = operationOf({ GET: { etag: "content", 200: { content: text(), headers: { etag: z.string() } } } });
    expect(get.parameters!.map(({ name }) => name)).toEqual(["If-None-Match"]);
    expect(Object.keys(get.responses["200"]!.headers!)).toEqual(["etag"]);
  });

  it("C10.1 says nothing of them where nobody compares", () => {
    const { parameters, responses } = operationOf({ GET: { 200: text() } });
    expect([parameters, responses["200"]!.headers]).toEqual([undefined, undefined]);
  });
});

describe("fields and forms", () => {
  it("C10.6 requires a field that the answer must have", () => {
    const headers = {
      location: z.string(),
      "x-a": z.string().optional(),
      "x-later": z.any().refine(async () => true),
    };
    const fields = operationOf({ POST: { 201: { description: "Made", headers } } }).responses["201"]!.headers!;
    expect(Object.entries(fields).map(([name, field]) => [name, (field as { required?: true }).required])).toEqual([
      ["location", true],
      ["x-a", undefined],
      ["x-later", undefined],
    ]);
  });

  it("C10.6 says that a list of a form is several pairs", () => {
    const form = z.object({
      one: z.string(),
      many: z.array(z.string()),
      some: z.union([z.string(), z.array(z.int())]),
    });
    const { requestBody } = operationOf({
      POST: { content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form }, 204: "Done" },
    });
    const exploded = { style: "form", explode: true };
    expect(Object.values(requestBody!.content).map(({ encoding }) => encoding)).toEqual([
      { many: exploded, some: exploded },
      undefined,
    ]);
    const plain = operationOf({
      POST: { content: { "application/x-www-form-urlencoded": z.object({ one: z.string() }) }, 204: "Done" },
    });
    expect(plain.requestBody!.content["application/x-www-form-urlencoded"]!["encoding"]).toBeUndefined();
  });

  it("C10.6 has schemas, schemes and statuses of any name", async () => {
    for (const id of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      const schema = z.object({ a: z.string() }).meta({ id });
      const { components, paths } = documentOf(
        classOf("A", ["/a"], { GET: { 200: schema, security: { [id]: { type: "http", scheme: "basic" } } } }),
      );
      expect(Object.keys(components.schemas)).toContain(id);
      expect(Object.keys(components.securitySchemes!)).toEqual([id]);
      expect(paths["/a"]!["get"]!.responses["200"]!.content!["application/json"]!["schema"]).toEqual({
        $ref: `#/components/schemas/${id}`,
      });
    }
  });

  it("C8.11 gives a status that no registry names a title", async () => {
    const Teapot = classOf("Teapot", ["/pot"], { GET: { 200: text(), 418: "I am a teapot", 499: {} } });
    for (const [status, title] of [
      [418, "I am a teapot"],
      [499, "Status 499"],
    ] as const) {
      Object.assign(Teapot.prototype, { GET: () => reply(status) });
      const response = await applicationOf(Teapot).request("/pot");
      expect(await response.json()).toMatchObject({ status, title });
    }
  });
});
