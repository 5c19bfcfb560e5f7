// Whether a document is the application: nothing is lost, and nothing is said that the line does not do.
import { Application, jsonSchema, reply, Resource, text, type Method } from "fingerpost";
import { document, type DocumentedOperation, type OpenAPIDocument } from "fingerpost/openapi";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
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
    for (const one of [put!, patch!]) expect(Object.keys(one.responses["200"]!.headers!)[0]).toBe("x-a");
  });
});

describe("joined operations", () => {
  it("C10.6 says deprecated, and what credentials are for, where both say so", () => {
    const security = { key: { type: "apiKey", in: "header", name: "x-key" } };
    const { get, put } = documentOf(
      classOf("One", ["/a/:id(\\d+)", "/a/:name(x)"], {
        GET: { query: z.object({ q: z.string().optional() }), 204: "Done", deprecated: true, security },
        PUT: { 204: "Done", security },
      }),
      classOf("Two", ["/a/:any"], {
        GET: { query: z.object({ q: z.string().optional() }), 204: "Done", deprecated: true },
        PUT: { 204: "Done", security },
      }),
    ).paths["/a/{id}"]!;
    expect([get!.deprecated, get!["x-sunset"], get!.security]).toEqual([true, undefined, [{ key: [] }, {}]]);
    expect(put!.security).toEqual([{ key: [] }, { key: [] }]);
  });

  it("C10.6 reads lists of forms that hold themselves, and of forms that show nothing", () => {
    const form = "application/x-www-form-urlencoded";
    const encodingOf = (schema: object): unknown =>
      operationOf({ POST: { content: { [form]: schema }, 204: "Done" } }).requestBody!.content[form]!["encoding"];
    const self = { properties: { a: { anyOf: [{ type: "string" }, { $ref: "#/properties/a" }] } } };
    expect(encodingOf(jsonSchema({ type: "object", ...self }, () => true))).toBeUndefined();
    const silent = { "~standard": { version: 1, vendor: "other", validate: (value: unknown) => ({ value }) } };
    expect(encodingOf(silent)).toBeUndefined();
  });
});

describe("preconditions", () => {
  const validator = (): object => ({ etag: '"1"' });

  it("C10.1 has the fields by which clients send what they know, and the tag of the answer", () => {
    const put = operationOf({ PUT: { precondition: true, 204: "Stored" } }, { validator });
    expect(put.parameters!.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ["If-Match", "header", undefined],
      ["If-None-Match", "header", undefined],
    ]);
    expect(put.responses["204"]!.headers).toBeUndefined();
    const get = operationOf({ GET: { 200: text(), 203: text() } }, { validator });
    expect(get.parameters!.map(({ name }) => name)).toEqual(["If-Match", "If-None-Match"]);
    for (const status of ["200", "203", "304"])
      expect(Object.keys(get.responses[status]!.headers!)).toEqual(["ETag", "Last-Modified"]);
    expect(Object.keys(get.responses["406"]!.headers!)).toEqual(["Vary"]);
  });

  it("C10.1 names them once where they are declared", () => {
    const headers = z.object({ "if-match": z.string() });
    const put = operationOf({ PUT: { headers, 204: "Stored" } }, { validator });
    expect(put.parameters!.map(({ name }) => name)).toEqual(["if-match", "If-None-Match"]);
    const get = operationOf({ GET: { etag: "content", 200: { content: text(), headers: { etag: z.string() } } } });
    expect(get.parameters!.map(({ name }) => name)).toEqual(["If-Match", "If-None-Match"]);
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
      { many: exploded, some: exploded },
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

describe("schemas", () => {
  const described = { description: "A value that is not described: its schema has no JSON Schema" };
  const anyValue = { description: "Any value" };

  function schemaOf(schema: object): {
    readonly schema: unknown;
    readonly schemas: OpenAPIDocument["components"]["schemas"];
  } {
    const { paths, components } = documentOf(classOf("A", ["/a"], { GET: { 200: schema } }));
    return {
      schema: paths["/a"]!["get"]!.responses["200"]!.content!["application/json"]!["schema"],
      schemas: components.schemas,
    };
  }

  it("C10.6 lifts nested definitions, and rewrites what leads to them", () => {
    const raw = jsonSchema(
      {
        type: "object",
        properties: {
          a: {
            $defs: { Inner: { type: "string" }, Other: { properties: { deep: { type: "boolean" } } } },
            definitions: { Old: { type: "integer" } },
            allOf: [
              { $ref: "#/properties/a/$defs/Inner" },
              { $ref: "#/properties/a/definitions/Old" },
              { $ref: "#/properties/a/$defs/Other/properties/deep" },
            ],
          },
        },
      },
      () => true,
    );
    const { schema, schemas } = schemaOf(raw);
    expect(schema).toEqual({
      type: "object",
      properties: {
        a: {
          allOf: [
            { $ref: "#/components/schemas/Inner" },
            { $ref: "#/components/schemas/Old" },
            { $ref: "#/components/schemas/Other/properties/deep" },
          ],
        },
      },
    });
    expect(schemas).toMatchObject({
      Inner: { type: "string" },
      Old: { type: "integer" },
      Other: { properties: { deep: { type: "boolean" } } },
    });
  });

  it("C10.6 resolves a relative reference with a fragment against the ids around it", () => {
    const raw = jsonSchema(
      {
        $id: "https://example.org/schemas/book",
        properties: {
          author: {
            $id: "author",
            $defs: { Name: { type: "string" } },
            properties: { name: { $ref: "#/$defs/Name" } },
          },
          name: { $ref: "author#/$defs/Name" },
          title: { $ref: "book#/properties/words" },
          whole: { $ref: "./author" },
          words: { type: "string" },
          list: { type: "array", items: true },
          odd: { $id: "https://[", type: "null" },
          lost: { $ref: "nowhere.json#/properties/x" },
          gone: { $ref: "author#/properties/none" },
          anchor: { $ref: "author#none" },
          broken: { $ref: "https://[/x" },
          far: { $ref: "https://example.org/far.json#/x" },
        },
      },
      () => true,
    );
    const { schema, schemas } = schemaOf(raw);
    expect(schema).toEqual({ $ref: "#/components/schemas/book" });
    expect(schemas["book"]!["properties"]).toEqual({
      author: { $ref: "#/components/schemas/author" },
      name: { $ref: "#/components/schemas/Name" },
      title: { $ref: "#/components/schemas/book/properties/words" },
      whole: { $ref: "#/components/schemas/author" },
      words: { type: "string" },
      list: { type: "array", items: true },
      odd: { $ref: "#/components/schemas/_" },
      lost: anyValue,
      gone: anyValue,
      anchor: anyValue,
      broken: { $ref: "https://[/x" },
      far: { $ref: "https://example.org/far.json#/x" },
    });
    expect(schemas["author"]).toEqual({ properties: { name: { $ref: "#/components/schemas/Name" } } });
  });

  it("C10.6 says of an answer what its library does not show, and what may be anything", () => {
    const answers: readonly [object, unknown][] = [
      [
        z.object({ a: z.string().transform(Number), b: z.unknown(), c: z.array(z.any()) }),
        [described, anyValue, { type: "array", items: anyValue }],
      ],
      [
        toStandardJsonSchema(
          v.object({ a: v.pipe(v.string(), v.transform(Number)), b: v.unknown(), c: v.custom(() => true) }),
        ),
        [described, anyValue, described],
      ],
      [type({ a: "symbol", b: "unknown", c: "Date" }), [described, anyValue, { type: "string", format: "date-time" }]],
    ];
    for (const [schema, expected] of answers) {
      const { properties } = schemaOf(schema).schema as { readonly properties: object };
      expect(Object.values(properties)).toEqual(expected);
    }
  });

  it("C10.6 keeps what readonly() is for the compiler from clients, and readOnly of users", () => {
    const shown = z.object({ a: z.array(z.string()).readonly(), b: z.string().meta({ readOnly: true }) });
    expect(schemaOf(shown).schema).toMatchObject({
      properties: { a: { type: "array", items: { type: "string" } }, b: { type: "string", readOnly: true } },
    });
    expect(JSON.stringify(schemaOf(shown).schema).match(/readOnly/g)).toEqual(["readOnly"]);
  });

  it("C10.6 says of no member that a request must have that clients do not send it", async () => {
    const id = { type: "string", readOnly: true };
    const raw = { type: "object", properties: { id, at: id }, required: ["id", "none"], enum: [["x"]] };
    for (const schema of [
      z.object({ id: z.string().meta({ readOnly: true }), at: z.string().meta({ readOnly: true }).optional() }),
      z
        .object({ id: z.string().meta({ readOnly: true }), at: z.string().meta({ readOnly: true }).optional() })
        .meta({ id: "Thing" }),
      jsonSchema(raw, () => true),
    ]) {
      const { paths, components } = documentOf(classOf("A", ["/a"], { PUT: { content: schema, 200: schema } }));
      const { requestBody, responses } = paths["/a"]!["put"]!;
      const [sent, received] = [requestBody!, responses["200"]!].map(({ content }) => {
        const shown = content!["application/json"]!["schema"] as {
          readonly $ref?: string;
          readonly properties: object;
        };
        const { properties } = shown.$ref === undefined ? shown : components.schemas[shown.$ref.split("/").at(-1)!]!;
        return Object.values(properties as object).map(
          ({ readOnly = false }: { readonly readOnly?: boolean }) => readOnly,
        );
      });
      expect([sent, received]).toEqual([
        [false, true],
        [true, true],
      ]);
    }
    expect(id.readOnly).toBe(true);
  });

  it("C8.15 one member whose conversion throws does not take the types of the others", async () => {
    const thrower = (): never => {
      throw new Error("no default yet");
    };
    const inner = z.object({ n: z.int() }).meta({ id: "Inner" });
    const queries = [
      z.object({ page: z.int(), n: z.coerce.bigint().catch(0n) }),
      z.object({
        page: z.int(),
        n: z
          .string()
          .optional()
          .meta({ examples: [123n] }),
      }),
      z.strictObject({
        l: z.string().optional(),
        u: z.string().optional(),
        page: z.int(),
        n: z
          .string()
          .default(() => "x")
          .optional(),
        t: z.string().default(thrower).nullable().optional(),
      }),
      z.object({
        page: z.int(),
        l: z.array(z.string().default(thrower)).optional(),
        u: z.union([z.string().default(thrower)]).optional(),
      }),
      toStandardJsonSchema(v.object({ page: v.number(), n: v.optional(v.any(), 0n) })),
    ];
    for (const query of queries) {
      const Paged = classOf("Paged", ["/a"], { GET: { query, 204: "Done" } });
      const response = await applicationOf(Paged).request("/a?page=5&t=a&l=b&u=c");
      expect([response.status, await response.text()]).toEqual([204, ""]);
      const page = documentOf(Paged).paths["/a"]!["get"]!.parameters!.find(({ name }) => name === "page");
      expect([page!.name, page!.required]).toEqual(["page", true]);
    }
    const { schema, schemas } = schemaOf(
      z.object({
        a: z.object({ i: inner, j: z.array(inner) }),
        b: z.string().default(thrower),
        "c/d": inner.nullable().default(null).catch(thrower),
      }),
    );
    expect(schema).toMatchObject({ properties: { b: { type: "string" } }, required: ["a", "b", "c/d"] });
    expect(Object.keys(schemas)).toContain("Inner");
  });

  it("C8.15 refuses a query whose conversion throws and has no parts to look at, in place of silence", () => {
    const query = {
      "~standard": {
        version: 1,
        vendor: "other",
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => {
            throw new Error("no");
          },
          output: () => ({}),
        },
      },
    };
    expect(() => applicationOf(classOf("A", ["/a"], { GET: { query, 204: "Done" } }))).toThrow(
      "Cannot add A to the application: static GET has a schema for query whose conversion to JSON Schema throws, so " +
        "that no text would have a type; write defaults that do not throw",
    );
  });

  it("C8.12 refuses a bigint in an answer, which JSON cannot write", async () => {
    for (const schema of [
      z.bigint(),
      z.object({ n: z.array(z.bigint().optional()) }),
      type({ n: "bigint" }),
      toStandardJsonSchema(v.object({ n: v.bigint() })),
    ]) {
      expect(() => applicationOf(classOf("A", ["/a"], { GET: { 200: schema } }))).toThrow(
        "Cannot add A to the application: static GET has a bigint in 200, which JSON cannot write; write z.string() " +
          "or z.int(), or .transform(String)",
      );
    }
    const Written = classOf("Written", ["/a"], { GET: { 200: z.object({ n: z.bigint().transform(String) }) } });
    Object.assign(Written.prototype, { GET: () => ({ n: 2n ** 60n }) });
    expect(await (await applicationOf(Written).request("/a")).json()).toEqual({ n: "1152921504606846976" });
    expect(() =>
      applicationOf(classOf("A", ["/a"], { GET: { 200: z.object({ at: z.date(), u: z.unknown() }) } })),
    ).not.toThrow();
  });
});
