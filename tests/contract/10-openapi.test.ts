import * as native from "fingerpost/native";
import {
  Application,
  bytes,
  events,
  HTTPError,
  jsonSchema,
  Status,
  Middleware,
  Resource,
  ResourceGroup,
  text,
  type Answer,
  type Call,
  type MiddlewareClass,
} from "fingerpost";
import { client } from "fingerpost/client";
import { Files, type FileSource } from "fingerpost/files";
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { csrf } from "fingerpost/middleware/csrf";
import { jwt } from "fingerpost/middleware/jwt";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { timeout } from "fingerpost/middleware/timeout";
import { mount } from "fingerpost/mount";
import { conditional, negotiate } from "fingerpost/native/content";
import { document, drift, openapi, type DocumentedOperation, type OpenAPIDocument } from "fingerpost/openapi";
import * as v from "valibot";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type as ark } from "arktype";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { expectValid } from "../support/document-validators.ts";
import { app as library, guarded, resources } from "../openapi/library.ts";

const about = { title: "Library", version: "1.0.0" };
const anyValue = { description: "Any value" };
const of = (...members: readonly unknown[]): OpenAPIDocument =>
  document(
    Application.builder()
      .resources(...(members as []))
      .build(),
    about,
  );

function operationsOf({ paths }: OpenAPIDocument): string[] {
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
}
const statusesOf = ({ responses }: DocumentedOperation): string => Object.keys(responses).join(" ");
const schemaOf = ({ responses }: DocumentedOperation, status = 200, type = "application/json"): unknown =>
  responses[status]!.content![type]!["schema"];

describe("document()", () => {
  it("C2.7 describes errors by the schema of problems()", () => {
    class Search extends Resource {
      paths = ["/search"];
      static GET = { query: z.object({ q: z.string() }), 200: text(), 404: "Nothing" };
      override GET(): string {
        return "";
      }
    }
    const shape = z.object({ message: z.string() });
    for (const [schema, name] of [
      [shape, "Problem"],
      [shape.meta({ id: "Failure" }), "Failure"],
    ] as const) {
      const shaped = Application.builder()
        .resources(Search as never)
        .problems({ schema, type: "application/json", from: ({ title }) => ({ message: title }) })
        .build();
      const { paths: described, components: parts } = document(shaped, about);
      const reference = { $ref: `#/components/schemas/${name}` };
      for (const status of [400, 404]) expect(schemaOf(described["/search"]!["get"]!, status)).toEqual(reference);
      expect(parts.schemas).toEqual({
        [name]: expect.objectContaining({ properties: { message: { type: "string" } } }) as unknown,
      });
    }
  });

  const { paths, components, info, openapi: release } = document(library, about);

  it("C10.1 describes what was built: paths, methods, title and version", () => {
    expect({ info, release }).toEqual({ info: about, release: "3.1.1" });
    expect(operationsOf({ paths } as OpenAPIDocument)).toEqual([
      "get /books",
      "post /books",
      "x-query /books",
      "delete /books/{isbn}",
      "get /books/{isbn}",
      "put /books/{isbn}",
      "get /isbn/{isbn}",
      "put /isbn/{isbn}",
      "get /books/{isbn}/cover",
      "put /books/{isbn}/cover",
      "get /shelves",
      "get /shelves/{name}",
      "get /loans",
      "post /loans",
      "get /notes/{id}",
      "get /files/{path}",
      "patch /admin/settings",
    ]);
  });

  it("C10.1 is pure: twice the same, and the application does not change", () => {
    expect(JSON.stringify(document(library, about))).toBe(JSON.stringify(document(library, about)));
  });

  it("C10.1 has every status that follows from a declaration", () => {
    expect(statusesOf(paths["/books"]!["get"]!)).toBe("200 400 406");
    expect(statusesOf(paths["/books"]!["post"]!)).toBe("201 400 406 409 413 415 422");
    expect(statusesOf(paths["/books/{isbn}"]!["get"]!)).toBe("200 304 400 404 406 412");
    expect(statusesOf(paths["/books/{isbn}"]!["put"]!)).toBe("200 400 404 406 412 413 415 422 428");
    expect(statusesOf(paths["/books/{isbn}/cover"]!["get"]!)).toBe("200 206 400 404 406 416");
    expect(statusesOf(paths["/books/{isbn}/cover"]!["put"]!)).toBe("204 400 404 413 415");
    class Tagged extends Resource {
      paths = ["/"];
      static GET = { 200: z.string(), etag: "content" as const };
      GET(): string {
        return "";
      }
    }
    class Watched extends Resource {
      paths = ["/"];
      validator(): undefined {}
      static OPTIONS = { 200: z.string(), precondition: true };
      OPTIONS(): string {
        return "";
      }
    }
    expect(statusesOf(of(Watched).paths["/"]!["options"]!)).toBe("200 406");
    expect(statusesOf(paths["/notes/{id}"]!["get"]!)).toBe("200 400 404 406");
    expect(statusesOf(of(Tagged).paths["/"]!["get"]!)).toBe("200 304 406 412");
  });

  it("C10.1 has the content of a declared error beside that of the framework and of guards", async () => {
    const why = z.object({ why: z.string() });
    class Guard extends Middleware {
      static answers = { 403: "Not you", 404: { content: why }, 409: { content: why }, 204: "Gone" };
      override ALL(request: unknown): Promise<Response> | Response {
        return this.next(request);
      }
    }
    class Place extends Resource {
      paths = ["/d/:id"];
      static middleware = [Guard];
      static POST = {
        path: z.object({ id: z.int() }),
        content: z.object({ a: z.string() }),
        200: text(),
        204: "Nothing",
        400: why,
        403: { description: "Not here", content: why, headers: { "x-why": z.string() } },
        404: { content: { "application/problem+json": why, "text/plain": text() } },
        409: why,
        415: "Another type",
        422: why,
      };
      POST(): string {
        return "";
      }
    }
    const builder = Application.builder()
      .resources(Place as never)
      .onError(() => {});
    const { responses } = document(builder.build(), about).paths["/d/{id}"]!["post"]!;
    const [own, problem] = [expect.objectContaining({ type: "object" }), { $ref: "#/components/schemas/Problem" }];
    const both = { "application/json": { schema: own }, "application/problem+json": { schema: problem } };
    for (const status of [400, 403, 422]) expect(responses[status]!.content, String(status)).toEqual(both);
    expect(responses[403]).toMatchObject({ description: "Not here", headers: { "x-why": {} } });
    expect(responses[204]).toMatchObject({ description: "Nothing" });
    expect(responses[204]).not.toHaveProperty("content");
    expect(responses[404]!.content).toEqual({
      "application/json": { schema: own },
      "application/problem+json": { schema: { anyOf: [own, problem] } },
      "text/plain": { schema: { type: "string" } },
    });
    expect(responses[409]!.content).toEqual({ "application/json": { schema: own } });
    expect(responses[415]).toMatchObject({
      description: "Another type",
      content: { "application/problem+json": { schema: problem } },
    });
    const answered = await builder
      .build()
      .fetch(new Request("http://localhost/d/x", { method: "POST", headers: { "content-type": "application/json" } }));
    expect([answered.status, answered.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    const shown = z.object({ error: z.string() });
    const set = builder.problems({ schema: shown, type: "application/json", from: () => ({ error: "" }) }).build();
    const { content } = document(set, about).paths["/d/{id}"]!["post"]!.responses[400]!;
    expect(content).toEqual({ "application/json": { schema: { anyOf: [own, problem] } } });
  });

  it("C10.1 describes errors as problem details, once", () => {
    expect(schemaOf(paths["/books"]!["post"]!, 409, "application/problem+json")).toEqual({
      $ref: "#/components/schemas/Problem",
    });
    expect(components.schemas["Problem"]).toMatchObject({ description: "Problem details (RFC 9457)" });
  });

  it("C10.1 names components by the ids of schemas", () => {
    expect(schemaOf(paths["/books/{isbn}"]!["get"]!)).toEqual({ $ref: "#/components/schemas/Book" });
    expect(components.schemas["Book"]).toMatchObject({
      properties: { author: { $ref: "#/components/schemas/Author" }, subtitle: { type: ["string", "null"] } },
    });
    const node = jsonSchema<unknown>({ $id: "https://example.org/schemas/node.json#", type: "object" }, () => true);
    class Nodes extends Resource {
      paths = ["/"];
      static GET = { 200: node };
      GET(): unknown {
        return {};
      }
    }
    expect(of(Nodes).components.schemas).toMatchObject({ "node.json": { type: "object" } });
  });

  it("C10.1 has tags, deprecation, summaries and examples; those of the class where an operation has none", () => {
    expect(paths["/books"]!["get"]).toMatchObject({ tags: ["books"], summary: "Lists books" });
    expect(paths["/books/{isbn}"]!["delete"]).toMatchObject({ deprecated: true });
    expect(paths["/books/{isbn}"]!["delete"]).not.toHaveProperty("x-sunset");
    class Ending extends Resource {
      paths = ["/"];
      static GET = { deprecated: { since: "2027-01-31", sunset: "2027-06-30" }, 200: text() };
      GET(): string {
        return "";
      }
    }
    expect(of(Ending).paths["/"]!["get"]).toMatchObject({ deprecated: true, "x-sunset": "2027-06-30" });
    expect(paths["/books"]!["post"]!.requestBody!.content["application/json"]).toMatchObject({
      examples: { kindred: { value: { title: "Kindred" } } },
    });
    class Old extends Resource {
      paths = ["/"];
      static deprecated = true;
      static GET = { 200: text() };
      GET(): string {
        return "";
      }
      static POST = { deprecated: false, description: "New", 200: { description: "Done", content: text() } };
      POST(): string {
        return "";
      }
    }
    const { get, post } = of(Old).paths["/"]!;
    expect([get!.deprecated, post!.deprecated, get!.tags, post!.description]).toEqual([
      true,
      undefined,
      ["Old"],
      "New",
    ]);
  });

  it("C10.1 has `query` in 3.2, and `x-query` in 3.1", () => {
    expect(paths["/books"]).toHaveProperty("x-query");
    const newer = document(library, { ...about, openapiVersion: "3.2" });
    expect(newer.openapi).toBe("3.2.0");
    expect(newer.paths["/books"]).toHaveProperty("query");
    expect(newer.paths["/books"]).not.toHaveProperty("x-query");
  });

  it("C10.1 describes resources without declarations: paths, methods, params", () => {
    class Years extends native.Resource {
      paths = ["/archive/:year(\\d{4})/:month?", "/:name.:ext", "/"];
      GET(): Response {
        return new Response();
      }
      CONNECT(): Response {
        return new Response();
      }
    }
    const app = native.Application.builder().resources(Years).build();
    const described = document(app, { ...about, description: "Old", servers: ["https://example.org"] });
    expect(described).toMatchObject({ servers: [{ url: "https://example.org" }], info: { description: "Old" } });
    expect(operationsOf(described)).toEqual([
      "get /archive/{year}",
      "get /archive/{year}/{month}",
      "get /{name}.{ext}",
      "get /",
    ]);
    expect(described.paths["/archive/{year}"]!["get"]).toEqual({
      operationId: "getYears",
      tags: ["Years"],
      parameters: [
        {
          name: "year",
          in: "path",
          required: true,
          style: "simple",
          explode: false,
          schema: { type: "string", pattern: "^(?:\\d{4})$" },
        },
      ],
      responses: { default: { description: "The response is not declared" } },
    });
    class Bare extends Resource {
      paths = ["/bare/:id"];
      GET(): string {
        return "";
      }
    }
    expect(statusesOf(of(Bare).paths["/bare/{id}"]!["get"]!)).toBe("400 default");
  });

  it("C10.1 reads the declarations of native resources, without what only the line answers", () => {
    class Search extends native.Resource {
      paths = ["/search"];
      static POST = { query: z.object({ q: z.string() }), content: z.object({}), 200: z.object({}) };
      POST(): Response {
        return new Response();
      }
    }
    expect(statusesOf(of(Search).paths["/search"]!["post"]!)).toBe("200 400 413 415 422");
    class Wrong extends native.Resource {
      paths = ["/"];
      static GET = { 404: "no" };
      GET(): Response {
        return new Response();
      }
    }
    expect(() => of(Wrong)).toThrow("Cannot add Wrong to the application: static GET has no answer below 400");
  });

  it("C10.1 names patterns that have one template, of which a document can hold one", () => {
    class ById extends native.Resource {
      paths = ["/users/:id(\\d+)"];
      GET(): Response {
        return new Response();
      }
    }
    class ByName extends native.Resource {
      paths = ["/users/:name"];
      GET(): Response {
        return new Response();
      }
      PUT(): Response {
        return new Response();
      }
    }
    const { paths: users } = of(ById, ByName);
    expect(Object.keys(users)).toEqual(["/users/{id}"]);
    expect(users["/users/{id}"]!["get"]!.description).toBe(
      "Depending on the text of its params, the path is answered by /users/:name of ByName.",
    );
    expect(users["/users/{id}"]!["put"]!.parameters).toMatchObject([{ name: "id", schema: { type: "string" } }]);
  });

  it("C10.1 knows the prefixes of groups, and at which paths an operation is", () => {
    class Notes extends Resource {
      paths = ["/", "/notes", "/v1/notes"] as const;
      static GET = { at: ["/notes"], 200: text() };
      GET(): string {
        return "";
      }
      static PUT = { at: ["/"], 200: text() };
      PUT(): string {
        return "";
      }
      static POST = { at: ["/v1/notes"], 200: text() };
      POST(): string {
        return "";
      }
    }
    const group = ResourceGroup.builder().resources(Notes).prefix("/api", "/v1").build();
    expect(operationsOf(of(group)).toSorted()).toEqual([
      "get /api/notes",
      "get /v1/notes",
      "post /api/v1/notes",
      "post /v1/v1/notes",
      "put /api",
      "put /v1",
    ]);
  });

  it("C10.1 describes each version of a group, with the tags of its classes, which they inherit", () => {
    class Api extends Resource {
      static tags = ["library"];
    }
    class Books extends Api {
      override paths = ["/books/:id"] as const;
      static GET = { 200: text() };
      override GET(): string {
        return "";
      }
    }
    class Loans extends Api {
      override paths = ["/loans"] as const;
      static override tags = ["loans"];
      static GET = { tags: ["loans", "lists"], 200: text() };
      override GET(): string {
        return "";
      }
      static POST = { 204: "Lent" };
      override POST(): void {}
    }
    const inner = ResourceGroup.builder().resources(Loans).prefix("/desk").build();
    const group = ResourceGroup.builder().resources(Books, inner).prefix("/v1", "/v2").build();
    const described = of(group);
    const all = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ operationId, tags }) => [path, operationId, ...tags]),
    );
    expect(all).toEqual([
      ["/v1/books/{id}", "getBooks", "library"],
      ["/v2/books/{id}", "getBooksById", "library"],
      ["/v1/desk/loans", "getLoans", "loans", "lists"],
      ["/v1/desk/loans", "postLoans", "loans"],
      ["/v2/desk/loans", "getLoansAtV2DeskLoans", "loans", "lists"],
      ["/v2/desk/loans", "postLoansAtV2DeskLoans", "loans"],
    ]);
    expect(described.tags).toEqual([{ name: "library" }, { name: "loans" }, { name: "lists" }]);
  });

  it("C10.1 refuses wrong options, and what is no application", () => {
    expect(() => document(library, { title: "", version: "1" })).toThrow(
      "Cannot describe the application: expected title to be a text, got",
    );
    expect(() => document(library, undefined as never)).toThrow("expected title to be a text, got undefined");
    expect(() => document(library, { ...about, openapiVersion: "3.0" as never })).toThrow(
      'Cannot describe the application: expected openapiVersion to be "3.1" or "3.2", got "3.0"',
    );
    for (const other of [null, {}, { dispatcher: {} }])
      expect(() => document(other as never, about)).toThrow(
        "Cannot describe the application: expected one that was built, got",
      );
  });
});

describe("guards", () => {
  const withGuards = (...guards: readonly MiddlewareClass[]): DocumentedOperation => {
    class Guarded extends Resource {
      paths = ["/"];
      static middleware = guards;
      static POST = { 200: text() };
      POST(): string {
        return "";
      }
    }
    return of(Guarded).paths["/"]!["post"]!;
  };

  const limiter = { points: 1, duration: 1, consume: (): Promise<never> => Promise.reject(new Error("over")) };
  const rules = { algorithms: ["RS256"], issuer: "a", audience: "b", jwksURI: "https://example.org/keys" } as const;

  it("C10.2 declare themselves, and the bundled ones do", () => {
    expect(withGuards(bearer({ tokens: { abc: 1 }, token: { cookie: "Sess!on" } })).security).toEqual([
      { "sess-on": [] },
    ]);
    const byKey = bearer({ tokens: { abc: 1 }, token: { header: "X-API-Key" } });
    expect(withGuards(byKey, basic({ realm: "a", users: { a: "b" } })).security).toEqual([
      { "x-api-key": [], basic: [] },
    ]);
    expect(Reflect.get(byKey, "security")).toEqual({
      "x-api-key": { type: "apiKey", in: "header", name: "X-API-Key" },
    });
  });

  it.each<[string, string, MiddlewareClass]>([
    ["basic()", "200 401 406", basic({ realm: "a", users: { a: "b" } })],
    ["bearer()", "200 400 401 406", bearer({ tokens: { abc: 1 } })],
    ["jwt()", "200 400 401 403 406", jwt({ ...rules, scopes: ["read"] })],
    ["csrf()", "200 403 406", csrf()],
    ["csrf() of several methods", "200 403 406", csrf().on("GET", "POST")],
    ["csrf() of other methods", "200 406", csrf().on("GET")],
    ["rateLimit()", "200 406 429", rateLimit({ limiter, keyOf: () => "a" })],
    ["bodyLimit()", "200 406 413", bodyLimit({ maxBytes: 9 })],
    ["timeout()", "200 406 503", timeout({ timeoutMs: 9 })],
    ["conditional()", "200 406 412 428", conditional({ requiredMethods: ["POST"] })],
    ["negotiate()", "200 406 415", negotiate({ produces: ["text/plain"], consumes: ["text/csv"] })],
  ])("C10.2 declare their answers: %s, %s", (_name, statuses, guard) => {
    expect(statusesOf(withGuards(guard))).toBe(statuses);
  });

  it("C10.2 give security: one scheme of each guard", () => {
    const one = withGuards(basic({ realm: "a", users: { a: "b" } }), bearer({ tokens: { abc: 1 } }));
    expect(one.security).toEqual([{ basic: [], bearer: [] }]);
    expect(withGuards(bearer({ tokens: { abc: 1 }, optional: true })).security).toEqual([{ bearer: [] }, {}]);
    expect(withGuards(bearer({ tokens: { abc: 1 }, token: () => null })).security).toBeUndefined();
    expect(withGuards(jwt({ ...rules, token: () => null })).security).toBeUndefined();
    expect(withGuards(jwt({ ...rules, token: { cookie: "id" } })).security).toEqual([{ id: [] }]);
    const { paths, components } = document(guarded, about);
    expect(paths["/shelves"]!["get"]!.security).toEqual([{ basic: [] }]);
    expect(components.securitySchemes).toEqual({ basic: { type: "http", scheme: "basic" } });
  });

  it("C10.2 of users do by two statics; the declaration of an operation wins", () => {
    class Key extends Middleware {
      static security = { key: { type: "apiKey", in: "header", name: "x-key" } };
      static answers = { 401: "A key is needed", 404: { description: "Nothing for this key" } };
      override ALL(request: unknown): Promise<Response> | Response {
        return this.next(request);
      }
    }
    class Other extends Key {
      static override security = { key: { type: "apiKey", in: "header", name: "x-other" } };
    }
    class Guarded extends Resource {
      paths = ["/"];
      static middleware = [Key];
      static GET = { 200: text(), 401: "No", security: { one: { type: "http" }, other: { type: "http" } } };
      GET(): string {
        return "";
      }
    }
    class Twice extends Guarded {
      override paths = ["/twice"];
      static override middleware = [Other];
    }
    const { paths, components } = of(Guarded, Twice);
    expect(paths["/"]!["get"]!.security).toEqual([
      { key: [], one: [] },
      { key: [], other: [] },
    ]);
    expect(paths["/"]!["get"]!.responses).toMatchObject({
      401: { description: "No" },
      404: { description: "Nothing for this key" },
    });
    expect(Object.keys(components.securitySchemes!)).toEqual(["key", "one", "other", "key2"]);
  });
});

describe("operationIds and schemas", () => {
  const make = (name: string, operation: object, paths: string[] = [`/${name}`]): unknown => {
    class Made extends Resource {
      paths = paths;
      static GET: object = operation;
      GET(): unknown {
        return "";
      }
    }
    Object.defineProperty(Made, "name", { value: name });
    return Made;
  };
  const idsOf = (...members: readonly unknown[]): string[] =>
    Object.values(of(...members).paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));

  it("C10.6 are unique by rule", () => {
    const ok = { 200: text() };
    expect(idsOf(make("Book", ok, ["/books/:isbn?", "/isbn/:isbn", "/books/:isbn/edition/:n"]))).toEqual([
      "getBook",
      "getBookByIsbn",
      "getBookAtIsbnByIsbn",
      "getBookByIsbnAndN",
    ]);
    expect(idsOf(make("Book", { ...ok, id: "readBook" }, ["/a", "/b", "/", "/a/:x/b", "/a/b/:x", "/a/:x/c"]))).toEqual([
      "readBook",
      "readBookAtB",
      "readBookAtRoot",
      "readBookByX",
      "readBookAtABByX",
      "readBookAtACByX",
    ]);
    expect(idsOf(make("Book", ok, ["/:x", "/a/:x/b", "/a/b/:x", "/:x/a/b"]))).toEqual([
      "getBook",
      "getBookByX",
      "getBookAtABByX",
      "getBookAtByXAB",
    ]);
    expect(idsOf(make("", ok, ["/a/:x"]), make("", ok, ["/"]))).toEqual(["getAX", "getRoot"]);
  });

  it("C10.6 are refused where two are equal, naming both", () => {
    const ok = { 200: text() };
    expect(() => of(make("Book", ok, ["/a"]), make("Book", ok, ["/b"]))).toThrow(
      'Cannot describe the application: GET /a of Book and GET /b of Book have the operationId "getBook"; write an ' +
        "id in one of the declarations",
    );
    expect(() => of(make("Book", { ...ok, id: "x" }, ["/a"]), make("Other", { ...ok, id: "x" }, ["/b"]))).toThrow(
      'GET /a of Book and GET /b of Other have the operationId "x"',
    );
  });

  it("C10.6 refuses two schemas with one id, naming both", () => {
    const [one, other] = [{ type: "string" }, { type: "number" }].map((schema) =>
      jsonSchema<unknown>({ $id: "Id", ...schema }, () => true),
    );
    expect(() => of(make("A", { 200: one }), make("B", { 200: other }))).toThrow(
      'Cannot describe the application: the schemas of A GET 200 and of B GET 200 have the id "Id" and differ; ' +
        "rename one",
    );
    const own = z.object({ own: z.string() }).meta({ id: "Problem" });
    const { schemas } = of(make("A", { 200: own })).components;
    expect(Object.keys(schemas)).toEqual(["Problem", "Problem2"]);
  });

  it("C10.6 refuses two schemas of zod with one id, naming both", () => {
    const [one, other] = [z.string(), z.int()].map((a) => z.object({ a }).meta({ id: "X" }));
    const differ =
      'Cannot describe the application: the schemas of A GET 200 and of B GET 200 have the id "X" and differ; rename ' +
      "one";
    expect(() => of(make("A", { 200: one }), make("B", { 200: other }))).toThrow(differ);
    expect(() => of(make("A", { 200: z.object({ one }) }), make("B", { 200: z.array(other!) }))).toThrow(differ);
    expect(() => of(make("A", { 200: z.object({ one, other }) }))).toThrow(
      'Cannot describe the application: two schemas in A GET 200 have the id "X"; rename one, or use one schema',
    );
    const [first, second] = ["first", "second"].map((a) => z.object({ [a]: z.string() }).meta({ id: "1" }));
    expect(() => of(make("A", { 200: first }), make("B", { 200: second }))).toThrow('have the id "1" and differ');
    const same = of(make("A", { 200: z.object({ a: first }) }), make("B", { 200: z.object({ b: first!.optional() }) }));
    expect(Object.keys(same.components.schemas)).toEqual(["1", "Problem"]);
    const equal = jsonSchema<unknown>(
      { $id: "X", ...z.toJSONSchema(z.object({ a: z.string() }), { io: "input" }) },
      () => true,
    );
    expect(Object.keys(of(make("A", { 200: one }), make("B", { 200: equal })).components.schemas)).toEqual([
      "Problem",
      "X",
    ]);
  });

  it("C10.6 follows an anchor or an id, wherever it is", () => {
    const schemas = {
      Root: { $anchor: "n", type: "object", properties: { c: { $ref: "#n" } } },
      Inner: {
        properties: {
          a: { $ref: "#deep" },
          late: { $ref: "Late" },
          default: { items: { $anchor: "deep", properties: { own: { $ref: "#deep" } } } },
          list: { allOf: [{ $id: "Late", type: "string" }] },
        },
        default: { $anchor: "value" },
        not: { $ref: "#value" },
      },
      Url: {
        $id: "https://example.org/Url",
        $defs: { "a b": { type: "number" } },
        properties: {
          a: { $ref: "https://example.org/Url#/$defs/a%20b" },
          b: { $ref: "#/properties/c%zz" },
          "c%zz": { type: "string" },
        },
      },
      Nowhere: {
        $defs: { a: { type: "string" } },
        properties: {
          a: { $ref: "#none", description: "Beside" },
          b: { $ref: "#/$defs/none" },
          c: { $ref: "#/$defs/a/none" },
          d: { $ref: "#/type/x" },
        },
        type: "object",
      },
    };
    const described = of(
      ...Object.entries(schemas).map(([name, schema]) => make(name, { 200: jsonSchema<unknown>(schema, () => true) })),
    );
    const { schemas: components } = described.components;
    const at = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    expect(components["RootGET200"]).toEqual({ type: "object", properties: { c: at("RootGET200") } });
    expect(components["InnerGET200deep"]).toEqual({ properties: { own: at("InnerGET200deep") } });
    expect(schemaOf(described.paths["/Inner"]!["get"]!)).toMatchObject({
      properties: { a: at("InnerGET200deep"), late: at("Late"), list: { allOf: [at("Late")] } },
      not: {},
    });
    expect(components["Url"]).toMatchObject({ properties: { a: at("a_b"), b: at("Url/properties/c%zz") } });
    expect(schemaOf(described.paths["/Nowhere"]!["get"]!)).toEqual({
      type: "object",
      properties: { a: { description: "Beside" }, b: anyValue, c: anyValue, d: anyValue },
    });
  });

  it("C10.6 names definitions of one name by their classes where they differ", () => {
    const of3 = ["string", "number", "string"].map((type, at) => ({
      $defs: { U: { type: "array", items: { $ref: at === 2 ? "#/$defs/W" : "#/$defs/V" } }, V: { type }, W: { type } },
      properties: { u: { $ref: "#/$defs/U" } },
    }));
    const raw = (schema: object): unknown => jsonSchema<unknown>(schema, () => true);
    const { schemas } = of(
      make("A", { 200: raw(of3[0]!) }),
      make("B", { 200: raw(of3[1]!), 400: raw(of3[1]!) }),
      // The same as that of A, but for a name inside.
      make("C", { 200: raw(of3[2]!) }),
      make("D", { 200: raw({ properties: { u: { $id: "U", type: "null" } } }) }),
    ).components;
    const at = (name: string): object => ({ type: "array", items: { $ref: `#/components/schemas/${name}` } });
    expect(schemas).toMatchObject({ U: at("V"), V: { type: "string" }, BGET200U: at("BGET200V") });
    expect(schemas["BGET200V"]).toEqual({ type: "number" });
    expect(schemas["U2"]).toEqual({ type: "null" });
    expect(schemas["W"]).toBeUndefined();
  });

  it("C10.6 names what holds itself by a number where two classes have one name", () => {
    const list = (type: string): unknown =>
      jsonSchema<unknown>({ properties: { next: { $ref: "#" }, value: { type } } }, () => true);
    const { paths, components } = of(
      make("List", { 200: list("string"), id: "a" }, ["/a"]),
      make("List", { 200: list("number"), id: "b" }, ["/b"]),
    );
    const { schemas } = components;
    expect(schemaOf(paths["/b"]!["get"]!)).toEqual({ $ref: "#/components/schemas/ListGET2002" });
    expect(schemas["ListGET200"]).toMatchObject({ properties: { value: { type: "string" } } });
    expect(schemas["ListGET2002"]).toMatchObject({
      properties: { next: { $ref: "#/components/schemas/ListGET2002" } },
    });
  });

  it("C10.6 names recursive types of ArkType by their class, whatever other types there are", () => {
    const made = (): unknown => {
      const { box } = ark.module({
        node: { name: "string", "kids?": "node[]" },
        box: { inside: "node", "other?": "box | string" },
      });
      return of(make("A", { 200: box }));
    };
    const described = made() as OpenAPIDocument;
    const names = Object.keys(described.components.schemas).filter((name) => name !== "Problem");
    expect(names).toEqual([0, 1, 2, 3].map((at) => `AGET200Part${at}`));
    const reference = (at: number): object => ({ $ref: `#/components/schemas/AGET200Part${at}` });
    expect(schemaOf(described.paths["/A"]!["get"]!)).toEqual(reference(0));
    expect(described.components.schemas["AGET200Part0"]).toEqual({
      type: "object",
      properties: { inside: reference(1), other: reference(2) },
      required: ["inside"],
    });
    expect(described.components.schemas["AGET200Part1"]).toMatchObject({ properties: { kids: reference(3) } });
    expect(described.components.schemas["AGET200Part3"]).toEqual({ type: "array", items: reference(1) });
    ark({ unrelated: "string", other: ark({ a: "1" }).and({ b: "2" }) });
    expect(made()).toEqual(described);
  });

  it("C10.6 lets no application be built whose document has two operations of one name", () => {
    const named = (path: string): unknown => {
      class Book extends Resource {
        override paths = [path];
        static GET = { 200: text() };
        override GET(): string {
          return "";
        }
      }
      return Book;
    };
    const books = [named("/a"), named("/b")];
    const build = (...members: readonly unknown[]): unknown =>
      Application.builder()
        .resources(...(members as []))
        .build();
    expect(() => build(...books)).not.toThrow();
    expect(() => build(...books, ...openapi(about))).toThrow(
      'GET /a of Book and GET /b of Book have the operationId "getBook"',
    );
  });

  it("C10.6 refuses two schemas with one id that differ in what they refer to", () => {
    const made = ["string", "number"].map((type) =>
      jsonSchema<unknown>({ $id: "Id", $defs: { a: { type } }, items: { $ref: "#/$defs/a" } }, () => true),
    );
    expect(() => of(make("A", { 200: made[0] }), make("B", { 200: made[1] }))).toThrow('have the id "Id" and differ');
  });

  it("C10.6 has the members of a record of listed keys, and a tuple without items that are a boolean", () => {
    const key = z.enum(["a", "b"]);
    const written = {
      zod: z.object({ every: z.record(key, z.int()), some: z.partialRecord(key, z.int()), two: z.tuple([key, key]) }),
      valibot: toStandardJsonSchema(
        v.object({ some: v.record(v.picklist(["a", "b"]), v.number()), two: v.strictTuple([v.string()]) }),
      ),
      arktype: ark({ every: { a: "number", b: "number" }, two: ["string", "number"] }),
    };
    for (const [name, schema] of Object.entries(written)) {
      const { properties } = schemaOf(of(make("A", { 200: schema })).paths["/A"]!["get"]!) as {
        properties: Record<string, { properties: object; items?: unknown; maxItems: number }>;
      };
      for (const one of ["every", "some"])
        if (one in properties) expect(Object.keys(properties[one]!.properties), name).toEqual(["a", "b"]);
      expect(JSON.stringify(properties)).not.toMatch(/propertyNames|"items":false/);
      expect(properties["two"]!.maxItems, name).toBe((properties["two"] as { prefixItems?: [] }).prefixItems!.length);
    }
  });

  it("C10.6 lifts every definition and rewrites every reference, recursion included", () => {
    const tree = z.object({
      get trees() {
        return z.array(tree);
      },
    });
    const pair = z.object({ one: tree, other: z.optional(tree) });
    const menu = ark.module({ menu: { name: "string", "items?": "menu[]" } }).menu;
    type List = { next?: List | undefined };
    const list: v.GenericSchema<List> = v.object({ next: v.optional(v.lazy(() => list)) });
    const nameless = jsonSchema<unknown>(
      { $id: "#", $defs: { none: true, some: { $id: "Some" } }, $ref: "#/$defs/none/x", not: { $ref: "Some" } },
      () => true,
    );
    const raw = jsonSchema<unknown>(
      {
        $defs: { a: { $anchor: "first", properties: { b: { $ref: "#/$defs/c~1d" } } }, "c/d": { type: "number" } },
        definitions: { old: { type: "string", nullable: true } },
        properties: {
          id: { type: "string" },
          a: { $ref: "#first" },
          inside: { $ref: "#/$defs/a/properties/b", description: "Beside" },
          old: { $ref: "#/definitions/old" },
          list: { items: [{ type: "string" }], additionalItems: false },
          own: { $ref: "#/properties/id" },
          far: { $ref: "https://example.org/x" },
          nested: { $id: "Nested", items: { $ref: "Nested" } },
          any: true,
          all: { allOf: [true, false], not: {} },
        },
        additionalProperties: true,
        patternProperties: { "^x": { const: { $ref: "kept" } } },
      },
      () => true,
    );
    const described = of(
      make("Tree", { 200: tree }),
      make("Pair", { 200: pair }),
      make("Menu", { 200: menu }),
      make("List", { 200: toStandardJsonSchema(list) }),
      make("Nameless", { 200: nameless }),
      make("Raw", { 200: raw }),
    );
    const written = JSON.stringify(described);
    expect(written).not.toMatch(/\$defs|"definitions"|\$anchor|"\$id"/);
    const { schemas } = described.components;
    for (const [, name] of written.matchAll(/"#\/components\/schemas\/([^"/]+)/g))
      expect(schemas).toHaveProperty([name!]);
    expect(schemas["TreeGET200"]).toMatchObject({
      properties: { trees: { items: { $ref: "#/components/schemas/TreeGET200" } } },
    });
    expect(schemas["RawGET200"]).toMatchInlineSnapshot(`
      {
        "additionalProperties": true,
        "patternProperties": {
          "^x": {
            "const": {
              "$ref": "kept",
            },
          },
        },
        "properties": {
          "a": {
            "$ref": "#/components/schemas/a",
          },
          "all": {
            "allOf": [
              {
                "description": "Any value",
              },
              false,
            ],
            "not": {},
          },
          "any": {
            "description": "Any value",
          },
          "far": {
            "$ref": "https://example.org/x",
          },
          "id": {
            "type": "string",
          },
          "inside": {
            "$ref": "#/components/schemas/a/properties/b",
            "description": "Beside",
          },
          "list": {
            "maxItems": 1,
            "prefixItems": [
              {
                "type": "string",
              },
            ],
          },
          "nested": {
            "$ref": "#/components/schemas/Nested",
          },
          "old": {
            "$ref": "#/components/schemas/old",
          },
          "own": {
            "$ref": "#/components/schemas/RawGET200/properties/id",
          },
        },
      }
    `);
  });

  it("C10.6 describes both sides where they differ, and one where they do not", () => {
    const author = z.object({ name: z.string().default("") }).meta({ id: "Author" });
    const book = z.object({ author }).meta({ id: "Book" });
    const same = z.object({ a: z.string(), b: z.array(z.object({ c: z.int() })) }).meta({ id: "Same" });
    const { schemas } = of(
      make("A", { query: z.object({ q: z.string() }), 200: book }),
      make("B", { 200: z.array(same) }),
    ).components;
    expect(Object.keys(schemas)).toEqual(["Author", "Book", "Problem", "Same"]);
    class Both extends Resource {
      paths = ["/"];
      static PUT = { content: book, 200: book };
      PUT(): unknown {
        return "";
      }
      static POST = { content: same, 200: same };
      POST(): unknown {
        return "";
      }
    }
    const both = of(Both);
    expect(Object.keys(both.components.schemas)).toEqual([
      "Author",
      "AuthorInput",
      "Book",
      "BookInput",
      "Problem",
      "Same",
    ]);
    expect(both.components.schemas["BookInput"]).toMatchObject({
      properties: { author: { $ref: "#/components/schemas/AuthorInput" } },
    });
  });

  it("C8.17 describes the side that is sent of a codec in a request, apart from what is answered", () => {
    const time = z.codec(z.iso.datetime(), z.date(), {
      decode: (iso) => new Date(iso),
      encode: (date) => date.toISOString(),
    });
    const guest = z.object({ name: z.string().default("") }).meta({ id: "Guest" });
    const visit = z
      .object({
        at: time,
        seconds: z.codec(z.int(), z.date(), {
          decode: (seconds) => new Date(seconds * 1000),
          encode: (date) => date.getTime() / 1000,
        }),
        guest,
      })
      .meta({ id: "Visit" });
    const seen = z.object({ at: z.date(), guest }).meta({ id: "Seen" });
    class Visits extends Resource {
      paths = ["/"];
      static POST = { content: visit, 201: seen };
      POST(): unknown {
        return "";
      }
    }
    const { schemas } = of(Visits).components;
    expect(Object.keys(schemas)).toEqual(["Guest", "GuestInput", "Problem", "Seen", "VisitInput"]);
    expect(schemas["VisitInput"]).toMatchObject({
      properties: {
        at: { type: "string", format: "date-time" },
        seconds: { type: "integer" },
        guest: { $ref: "#/components/schemas/GuestInput" },
      },
      required: ["at", "seconds", "guest"],
    });
    expect(schemas["GuestInput"]).not.toHaveProperty("required");
    expect(schemas["Seen"]).toMatchObject({
      properties: { at: { type: "string", format: "date-time" }, guest: { $ref: "#/components/schemas/Guest" } },
    });
    expect(schemas["Guest"]).toMatchObject({ required: ["name"] });
  });

  it("C10.6 keeps a name that another schema has, and follows escapes inside a definition", () => {
    const guest = z.object({ name: z.string().default("") }).meta({ id: "Guest" });
    const other = z.object({ other: z.string() }).meta({ id: "GuestInput" });
    class Visits extends Resource {
      paths = ["/visits"];
      static POST = { content: guest, 200: guest, 201: other };
      POST(): unknown {
        return {};
      }
    }
    expect(Object.keys(of(Visits).components.schemas)).toEqual(["Guest", "GuestInput", "GuestInput_", "Problem"]);
    const raw = jsonSchema<unknown>(
      {
        $defs: { "a b": { properties: { x: { type: "string" } } } },
        properties: { p: { $ref: "#/$defs/a%20b/properties/x" }, q: { $ref: "#/$defs/none/x" } },
      },
      () => true,
    );
    const { paths, components } = of(make("A", { 200: raw }));
    expect(schemaOf(paths["/A"]!["get"]!)).toEqual({
      properties: { p: { $ref: "#/components/schemas/a_b/properties/x" }, q: anyValue },
    });
    expect(components.schemas["a_b"]).toEqual({ properties: { x: { type: "string" } } });
  });

  it("C10.6 reads parameters in parts that hold together", () => {
    const part = { properties: { a: { type: "string" } }, required: ["a"] };
    const query = jsonSchema<unknown>(
      {
        $defs: { all: true },
        properties: { a: {}, b: { $ref: "#/$defs/all" } },
        allOf: [part, { properties: { ...part.properties, c: {} } }, { $ref: "#" }],
        anyOf: [part],
      },
      () => true,
    );
    const named = of(make("A", { query, 200: text() })).paths["/A"]!["get"]!.parameters!;
    expect(named.map(({ name, required = false }) => [name, required])).toEqual([
      ["a", true],
      ["b", false],
      ["c", false],
    ]);
  });

  it("C10.6 describes a query of open names, and the names of a record", () => {
    const parametersOf = (query: unknown): unknown[] =>
      (of(make("A", { query, 200: text() })).paths["/A"]!["get"]!.parameters ?? []).map(
        ({ name, in: place, required = false, style, explode, schema }) => {
          expect([place, style, explode]).toEqual(["query", "form", true]);
          return [name, required, schema];
        },
      );
    const texts = { type: "object", additionalProperties: { type: "string" } };
    const one = { type: "string" };
    expect(parametersOf(z.record(z.string(), z.string()))).toEqual([
      ["others", false, { ...texts, propertyNames: { type: "string" } }],
    ]);
    expect(parametersOf(ark({ "[string]": "string" }))).toEqual([["others", false, texts]]);
    expect(parametersOf(ark({ "[/^x-/]": "string" }))).toEqual([
      ["others", false, { type: "object", patternProperties: { "^x-": one } }],
    ]);
    expect(parametersOf(z.object({ others: z.string() }).catchall(z.string()))).toEqual([
      ["others", true, one],
      ["others_", false, texts],
    ]);
    expect(parametersOf(z.record(z.enum(["a", "b"]), z.string()))).toEqual([
      ["a", true, one],
      ["b", true, one],
    ]);
    expect(parametersOf(z.partialRecord(z.literal("a"), z.string()))).toEqual([["a", false, one]]);
    expect(parametersOf(z.strictObject({ a: z.string() }))).toEqual([["a", true, one]]);
    const raw = { additionalProperties: true, allOf: [texts, { $ref: "#" }] };
    expect(parametersOf(jsonSchema<unknown>(raw, () => true))).toEqual([
      ["others", false, { anyOf: [{ type: "object", additionalProperties: true }, texts] }],
    ]);
    const word = z.string().meta({ id: "Word" });
    const { paths, components } = of(make("A", { query: z.record(z.string(), word), 200: text() }));
    expect(paths["/A"]!["get"]!.parameters![0]!.schema).toMatchObject({
      additionalProperties: { $ref: "#/components/schemas/Word" },
    });
    expect(components.schemas["Word"]).toEqual(one);
  });

  it("C10.6 says where a schema cannot be converted", () => {
    const broken = z.lazy((): z.ZodType => {
      throw new Error("unknown");
    });
    expect(schemaOf(of(make("A", { 200: broken })).paths["/A"]!["get"]!)).toEqual({
      description: "A value that is not described: its schema has no JSON Schema",
    });
  });

  it("C10.6 says where there is nothing to say", () => {
    const opaque = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;
    const described = of(make("A", { query: opaque, 200: opaque }), make("B", { 200: z.unknown() }));
    expect(schemaOf(described.paths["/A"]!["get"]!)).toEqual({
      description: "A value that is not described: its schema has no JSON Schema",
    });
    expect(schemaOf(described.paths["/B"]!["get"]!)).toEqual({ description: "Any value" });
  });
});

describe("what a document writes", () => {
  const { paths, components } = document(library, about);

  it("C10.7 writes a rest as one param, described", () => {
    expect(paths["/files/{path}"]!["get"]!.parameters).toMatchObject([
      { name: "path", description: "The rest of the path: no segment, one or several, with slashes between them" },
    ]);
    class More extends native.Resource {
      paths = ["/more/:path+", "/all/*", "/v2/:name+/blobs/:digest"];
      GET(): Response {
        return new Response();
      }
    }
    expect(of(More).paths["/more/{path}"]!["get"]!.parameters).toMatchObject([
      { description: "The rest of the path: one segment or several, with slashes between them" },
    ]);
    expect(of(More).paths["/v2/{name}/blobs/{digest}"]!["get"]!.parameters).toMatchObject([
      { name: "name", description: "One segment or several, with slashes between them" },
      { name: "digest" },
    ]);
  });

  it("C4.3 reads a name with slashes as its client sends it", async () => {
    class Blob extends Resource {
      override paths = ["/v2/:name+/blobs/:digest"] as const;
      static GET = { 200: z.object({ name: z.string(), digest: z.string() }) };
      GET({ path }: Call<typeof Blob, "GET">): Answer<typeof Blob, "GET"> {
        return { name: path.name, digest: path.digest };
      }
    }
    const app = Application.builder().resources(Blob).build();
    const api = client<typeof app>("http://host", { fetch: (request) => app.fetch(request) });
    const names = { name: "library/node", digest: "sha256:a1" };
    const result = await api["/v2/:name+/blobs/:digest"].GET({ path: names });
    expect(result.content).toEqual(names);
  });

  it("C10.7 has HEAD only where it is implemented", () => {
    class Heads extends native.Resource {
      paths = ["/heads"];
      HEAD(): Response {
        return new Response();
      }
    }
    expect(operationsOf(of(Heads))).toEqual(["head /heads"]);
    expect(paths["/books"]).not.toHaveProperty("head");
  });

  it("C10.7 gives a status without description its reason phrase", () => {
    expect(paths["/books"]!["get"]!.responses["200"]!.description).toBe("OK");
    class Odd extends Resource {
      paths = ["/"];
      static GET = { 200: text(), 299: { content: text() }, 404: {} };
      GET(): string {
        return "";
      }
    }
    expect(of(Odd).paths["/"]!["get"]!.responses).toMatchObject({
      299: { description: "Status 299" },
      404: { description: "Not Found" },
    });
  });

  it("C10.7 writes the style of every parameter", () => {
    const all = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ parameters = [] }) => parameters),
    );
    for (const { in: place, style, explode } of all) {
      const isForm = place === "query" || place === "cookie";
      expect({ style, explode }).toEqual(
        isForm ? { style: "form", explode: true } : { style: "simple", explode: false },
      );
    }
    class Parts extends Resource {
      paths = ["/:id"] as const;
      static GET = {
        headers: z.object({ accept: z.string(), "x-a": z.string() }),
        query: z.union([
          z.object({ kind: z.literal("a"), a: z.string().meta({ description: "Of a", deprecated: true }) }),
          z.object({ kind: z.literal("b"), b: z.string() }).and(z.object({ b: z.string(), c: z.string() })),
        ]),
        200: text(),
      };
      GET(): string {
        return "";
      }
    }
    expect(
      of(Parts).paths["/{id}"]!["get"]!.parameters!.map(({ name, in: place, required = false }) => [
        place,
        name,
        required,
      ]),
    ).toEqual([
      ["path", "id", true],
      ["query", "kind", true],
      ["query", "a", false],
      ["query", "b", false],
      ["query", "c", false],
      ["header", "x-a", true],
    ]);
  });

  it("C10.6 closes an answer only where its schema is strict: with an id, without one, and of events", () => {
    const members = { at: z.object({ n: z.int() }) };
    class Open extends Resource {
      paths = ["/open", "/open/:id"];
      static GET = { 200: z.object(members), 404: z.object(members).meta({ id: "Missing" }) };
      GET(): undefined {}
      static PUT = { content: z.object(members).meta({ id: "Sent" }), 200: events(z.object(members)) };
      async *PUT(): AsyncGenerator<unknown> {}
    }
    expect(JSON.stringify(of(Open))).not.toContain("additionalProperties");
    class Closed extends Resource {
      paths = ["/closed"];
      static GET = { 200: z.strictObject(members), 404: z.looseObject(members) };
      GET(): undefined {}
    }
    const { responses } = of(Closed).paths["/closed"]!["get"]!;
    expect(responses["200"]!.content!["application/json"]).toMatchObject({ schema: { additionalProperties: false } });
    expect(responses["404"]!.content!["application/json"]).toMatchObject({ schema: { additionalProperties: {} } });
  });

  it("C10.7 describes events: `itemSchema` in 3.2, a string in 3.1 with the schema of the event as a component", () => {
    expect(paths["/loans"]!["get"]!.responses["200"]!.content!["text/event-stream"]).toMatchObject({
      schema: { type: "string" },
      "x-itemSchema": { properties: { data: { contentSchema: { $ref: "#/components/schemas/LoansGET200Event" } } } },
    });
    expect(components.schemas["LoansGET200Event"]).toMatchObject({ properties: { isbn: { type: "string" } } });
    const newer = document(library, { ...about, openapiVersion: "3.2" }).paths["/loans"]!["get"]!.responses["200"]!;
    expect(newer.content!["text/event-stream"]).toMatchObject({
      itemSchema: { properties: { data: { contentSchema: { type: "object" } } } },
    });
    class Named extends Resource {
      paths = ["/"];
      static GET = { 200: events(z.object({ a: z.string() }).meta({ id: "Happened" })) };
      async *GET(): AsyncGenerator<unknown> {}
    }
    expect(Object.keys(of(Named).components.schemas)).toEqual(["Happened", "Problem"]);
  });

  it("C10.1 describes dates and files of each library: a text in JSON, and binary in a form", () => {
    const dated = {
      zod: z.object({ at: z.date(), when: z.date().nullable() }),
      valibot: toStandardJsonSchema(v.object({ at: v.date(), when: v.nullable(v.date()) })),
      arktype: ark({ at: "Date", when: "Date > d'2020-01-01' | null" }),
    };
    const filed = {
      zod: z.object({ file: z.file(), blobs: z.array(z.file()).optional() }),
      valibot: toStandardJsonSchema(v.object({ file: v.file(), blobs: v.optional(v.array(v.blob())) })),
      arktype: ark({ file: "File", "blobs?": "Blob[]" }),
    };
    for (const vendor of ["zod", "valibot", "arktype"] as const) {
      class Uploads extends Resource {
        paths = ["/"];
        static POST = { content: { "multipart/form-data": filed[vendor] }, 200: dated[vendor] };
        POST(): unknown {
          return "";
        }
      }
      const { requestBody, responses } = of(Uploads).paths["/"]!["post"]!;
      const binary = expect.objectContaining({ type: "string", format: "binary" }) as unknown;
      expect(requestBody!.content["multipart/form-data"]!["schema"], vendor).toMatchObject({
        properties: { file: binary, blobs: { type: "array", items: binary } },
        required: ["file"],
      });
      const date = { type: "string", format: "date-time" };
      expect(responses["200"]!.content!["application/json"]!["schema"], vendor).toMatchObject({
        properties: { at: date, when: { anyOf: expect.arrayContaining([date, { type: "null" }]) as unknown } },
      });
    }
    // What reads a text as a date takes one, and other instances have no description.
    class Days extends Resource {
      paths = ["/"];
      static GET = { query: z.object({ on: z.coerce.date() }), 200: ark({ seen: "Map" }) };
      GET(): unknown {
        return [];
      }
    }
    expect(of(Days).paths["/"]!["get"]!.parameters).toMatchObject([
      { schema: { type: "string", format: "date-time" } },
    ]);
  });

  it("C10.1 describes unions, tuples and records, and each media type of content", () => {
    class Many extends Resource {
      paths = ["/"];
      static POST = {
        content: {
          "application/json": z.union([z.string(), z.object({ a: z.int() })]),
          "application/x-www-form-urlencoded": z.object({ a: z.int() }),
          "application/pdf": bytes("application/pdf"),
        },
        200: {
          content: {
            "application/json": z.discriminatedUnion("kind", [
              z.object({ kind: z.literal("one"), pair: z.tuple([z.string(), z.int()]) }),
              z.object({ kind: z.literal("many"), counts: z.record(z.string(), z.int()) }),
            ]),
            "text/plain": text(),
          },
        },
      };
      POST(): unknown {
        return "";
      }
    }
    const { requestBody, responses } = of(Many).paths["/"]!["post"]!;
    expect(requestBody!.content).toMatchObject({
      "application/json": { schema: { anyOf: [{ type: "string" }, { type: "object" }] } },
      "application/x-www-form-urlencoded": { schema: { properties: { a: { type: "integer" } } } },
      "application/pdf": { schema: { type: "string", format: "binary" } },
    });
    expect(responses["200"]!.content).toMatchObject({
      "application/json": {
        schema: {
          oneOf: [
            {
              properties: { kind: { const: "one" }, pair: { prefixItems: [{ type: "string" }, { type: "integer" }] } },
            },
            { properties: { kind: { const: "many" }, counts: { additionalProperties: { type: "integer" } } } },
          ],
        },
      },
      "text/plain": { schema: { type: "string" } },
    });
  });

  it("C10.1 converts a schema for the side that is shown, and for the other where a component is new", () => {
    const asked: string[] = [];
    const counted = (name: string, schema: z.ZodType): z.ZodType => {
      const { jsonSchema: own, ...rest } = schema["~standard"];
      const side = (which: "input" | "output") => (options: { target: string }) => {
        asked.push(`${name} ${which}`);
        return own[which](options as never);
      };
      Object.defineProperty(schema, "~standard", {
        value: { ...rest, jsonSchema: { input: side("input"), output: side("output") } },
      });
      return schema;
    };
    class Counted extends Resource {
      paths = ["/"];
      static POST = {
        content: counted("content", z.object({ a: z.string() })),
        200: counted("plain", z.object({ b: z.string() })),
        201: counted("named", z.object({ c: z.string() }).meta({ id: "Named" })),
      };
      POST(): unknown {
        return "";
      }
    }
    const app = Application.builder()
      .resources(Counted as never)
      .build();
    asked.length = 0;
    document(app, about);
    expect(asked).toEqual(["content input", "plain output", "named output", "named input"]);
  });

  it("C10.7 writes a date that is answered as the text that JSON has of it", () => {
    expect(schemaOf(paths["/loans"]!["post"]!)).toMatchObject({
      properties: { due: { type: "string", format: "date-time" } },
    });
  });
});

describe("openapi()", () => {
  class Greeting extends Resource {
    paths = ["/hello/:name"] as const;
    static GET = { summary: "Greets <somebody>", 200: text() };
    GET(): string {
      return "Hello";
    }
  }
  const group = ResourceGroup.builder()
    .resources(Greeting, ...openapi({ ...about, description: "One.\n\nTwo." }))
    .prefix("/api")
    .build();
  const app = Application.builder().resources(group).build();
  const get = (path: string, accept?: string): Promise<Response> =>
    app.fetch(new Request(`http://localhost${path}`, accept === undefined ? {} : { headers: { accept } }));

  it("C10.3 gives the document of the application that it is in, itself left out", async () => {
    const response = await get("/api/openapi.json");
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "no-cache",
      "content-type": "application/json",
      etag: expect.stringMatching(/^"[\w+/]{22}"$/),
      vary: "Accept",
    });
    const written = (await response.json()) as OpenAPIDocument;
    expect(operationsOf(written)).toEqual(["get /api/hello/{name}"]);
    expect(written).toEqual(JSON.parse(JSON.stringify(document(app, { ...about, description: "One.\n\nTwo." }))));
  });

  it("C10.3 gives it as YAML where a client prefers that, and 406 where it accepts neither", async () => {
    const response = await get("/api/openapi.json", "application/yaml, application/json;q=0.5");
    expect(response.headers.get("content-type")).toBe("application/yaml");
    expect(await response.text()).toMatch(
      /^openapi: "3\.1\.1"\ninfo:\n {2}title: "Library"\n {2}version: "1\.0\.0"\n {2}description: "One\.\\n\\nTwo\."\ntags:\n {2}?- name: "Greeting"\n/,
    );
    expect((await get("/api/openapi.json", "text/html")).status).toBe(406);
  });

  it("C10.3 gives it by the types of the registry and by older names of YAML", async () => {
    for (const type of [
      "application/json",
      "application/yaml",
      "application/vnd.oai.openapi+json;version=3.1",
      "application/vnd.oai.openapi;version=3.1",
      "text/yaml",
      "application/x-yaml",
      "text/x-yaml",
    ]) {
      const response = await get("/api/openapi.json", type);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
      expect((await response.text())[0]).toBe(type.includes("json") ? "{" : "o");
      const asked = await get("/api/openapi.json", type.replace(/;.*/, ""));
      expect(asked.headers.get("content-type")).toBe(type);
      await asked.body?.cancel();
    }
    const { status } = await get("/api/openapi.json", "application/vnd.oai.openapi+json;version=3.0");
    expect(status).toBe(406);
  });

  it("C10.3 gives document, YAML and page a tag each: a client that has one gets 304", async () => {
    const tags = new Set<string>();
    for (const [path, accept] of [
      ["/api/openapi.json", "application/json"],
      ["/api/openapi.json", "application/yaml"],
      ["/api/docs", "text/html"],
      ["/api/docs?q=hello", "text/html"],
    ] as const) {
      const first = await get(path, accept);
      await first.body?.cancel();
      const tag = first.headers.get("etag")!;
      tags.add(tag);
      const again = await app.request(path, { headers: { accept, "if-none-match": tag } });
      expect([again.status, again.headers.get("etag")], path).toEqual([304, tag]);
      expect((await app.request(path, { headers: { accept, "if-match": '"other"' } })).status).toBe(412);
    }
    expect(tags.size).toBe(4);
  });

  it("C10.3 gives a page that loads nothing, by the strictest policy", async () => {
    const response = await get("/api/docs");
    const page = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; connect-src 'self'; require-trusted-types-for 'script'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<script[^>]|\son\w+="|style="|https?:\/\/(?!localhost)/);
    expect(page).toContain("Greets &lt;somebody&gt;");
    expect(page).toContain("curl 'http://localhost/api/hello/name'");
    expect(page).toContain('<a href="./openapi.json">');
    expect(page).toContain("<p>One.</p>\n<p>Two.</p>");
  });

  it("C10.3 searches on the server", async () => {
    const found = await (await get("/api/docs?q=GREETS%20get")).text();
    expect(found).toContain("1 of 1 operation for “GREETS get”");
    const long = await (await get(`/api/docs?q=${"greets+".repeat(1000)}`)).text();
    expect(long).toContain(`value="${"greets ".repeat(1000).slice(0, 100)}"`);
    const none = await (await get("/api/docs?q=%3Cb%3E")).text();
    expect(none).toContain("0 of 1 operation for “&lt;b&gt;”");
    expect(none).not.toContain("<article");
  });

  it("C10.3 is for native applications, too, at paths of your own, once and for each", async () => {
    const described = openapi({ ...about, path: "/a/spec.json", docsPath: "/b/c", servers: ["https://example.org/"] });
    class Home extends native.Resource {
      paths = ["/"];
      GET(): Response {
        return new Response();
      }
      HEAD(): Response {
        return new Response();
      }
    }
    class Other extends Home {
      override paths = ["/other"];
    }
    const [home, other] = [Home, Other].map((Class) =>
      native.Application.builder()
        .resources(Class, ...described)
        .build(),
    );
    const read = async (one: native.Application, path: string): Promise<string> =>
      (await one.fetch(new Request(`http://localhost${path}`))).text();
    expect(operationsOf(JSON.parse(await read(home!, "/a/spec.json")) as OpenAPIDocument)).toEqual(["get /", "head /"]);
    expect(operationsOf(JSON.parse(await read(other!, "/a/spec.json")) as OpenAPIDocument)).toEqual([
      "get /other",
      "head /other",
    ]);
    const page = await read(home!, "/b/c");
    expect(page).toContain('<a href="../a/spec.json">');
    expect(page).toContain('<body data-api="https://example.org">');
    expect(page).toContain("curl -I 'https://example.org/'");
    expect(page).not.toContain("<h2>Schemas</h2>");
  });

  it("C10.3 shows optional content and credentials, deprecation, and events", async () => {
    class Many extends Resource {
      paths = ["/"];
      static middleware = [bearer({ tokens: { abc: 1 }, optional: true })];
      static deprecated = true;
      static POST = {
        content: z.enum(["a kind with a long name", "another kind with a long name", "one more"]).optional(),
        200: events(z.object({ id: z.string() })),
      };
      async *POST(): AsyncGenerator<unknown> {}
    }
    const app32 = Application.builder()
      .resources(Many as never, ...openapi({ ...about, openapiVersion: "3.2" }))
      .build();
    const page = await (await app32.fetch(new Request("http://localhost/docs"))).text();
    for (const part of [
      "<small>optional</small>",
      "Needs a token by <code>Authorization: bearer</code>, or nothing.",
      "<em>deprecated</em>",
      "JSON of ",
      '<code>"a kind with a long name"</code> or <code>"another kind with a long name"</code>',
    ])
      expect(page).toContain(part);
  });

  it("C10.3 refuses wrong options", () => {
    expect(() => openapi({ ...about, path: "openapi.json" })).toThrow(
      'Cannot describe the application: expected path to be a path, got "openapi.json"',
    );
    expect(() => openapi({ ...about, middleware: [() => {}] as never })).toThrow(
      "Cannot describe the application: expected middleware to be an array of middleware classes, got ",
    );
    expect(() => openapi({} as never)).toThrow("expected title to be a text, got undefined");
  });

  it("C10.3 shows every operation of the library, with what a shell needs", async () => {
    const described = Application.builder()
      .resources(...resources, ...openapi(about))
      .build();
    const page = await (await described.fetch(new Request("http://localhost/docs"))).text();
    // Fields of answers, the schema of events, examples, and what errors have in common.
    expect(page).toContain("The book was added <small>with <code>location</code>");
    expect(page).toContain('JSON of <a href="#schema-LoansGET200Event">LoansGET200Event</a>');
    expect(page).toContain('"author": { "name": "Octavia E. Butler", "born": 1947 },');
    expect(page).toContain('<dt><a href="#problems">Problems</a><dd><p><b>400, 406</b>');
    expect(page).toContain("<dt>400<dd><p>The request cannot be read, or does not fit");
    const lines = Array.from(page.matchAll(/<pre>(curl .*)<\/pre>/g), ([, line]) =>
      line!.replaceAll(/ (?=-d |-H 'Content)|(?="author")/g, "\n"),
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        "curl 'http://localhost/books'",
        "curl -X POST 'http://localhost/books'
      -H 'Content-Type: application/json'
      -d '{"isbn":"9780807083697","title":"Kindred",
      "author":{"name":"Octavia E. Butler","born":1947},"language":"en"}'",
        "curl -X QUERY 'http://localhost/books'
      -H 'Content-Type: application/json'
      -d '{"text":"text"}'",
        "curl -X DELETE 'http://localhost/books/isbn'",
        "curl 'http://localhost/books/isbn'",
        "curl -X PUT 'http://localhost/books/isbn' -H 'If-Match: *'
      -H 'Content-Type: application/json'
      -d '{"isbn":"text","title":"text",
      "author":{"name":"text"}}'",
        "curl 'http://localhost/isbn/isbn'",
        "curl -X PUT 'http://localhost/isbn/isbn' -H 'If-Match: *'
      -H 'Content-Type: application/json'
      -d '{"isbn":"text","title":"text",
      "author":{"name":"text"}}'",
        "curl 'http://localhost/books/isbn/cover'",
        "curl -X PUT 'http://localhost/books/isbn/cover'
      -H 'Content-Type: image/png' --data-binary @file",
        "curl 'http://localhost/shelves'",
        "curl 'http://localhost/shelves/name'",
        "curl 'http://localhost/loans' -H 'x-reader: x-reader'",
        "curl -X POST 'http://localhost/loans'
      -H 'Content-Type: application/x-www-form-urlencoded'
      -d 'isbn=text'",
        "curl 'http://localhost/notes/id'",
        "curl 'http://localhost/files/path'",
        "curl -X PATCH 'http://localhost/admin/settings' -H 'Authorization: bearer token'
      -H 'Content-Type: application/json'
      -d '{"isOpen":true}'",
      ]
    `);
  });
});

describe("drift()", () => {
  class Shelf extends Resource {
    paths = ["/shelves/:id"] as const;
    static middleware = [bearer({ tokens: { abc: 1 }, optional: true })];
    static GET = { path: z.object({ id: z.int() }), 200: text() };
    GET({ path }: { path: { id: number } }): string {
      if (path.id === 0) throw new HTTPError(Status.Gone);
      return "shelf";
    }
    POST(): string {
      return "";
    }
  }
  const app = Application.builder()
    .resources(Shelf as never)
    .build();
  const ask = (path: string, init: RequestInit = {}): Request => new Request(`http://localhost${path}`, init);

  it("C10.4 lists handlers without an operation", () => {
    expect(drift(app).handlers).toEqual([{ resource: "Shelf", method: "POST" }]);
    expect(drift(library).handlers).toEqual([{ resource: "Files", method: "GET" }]);
  });

  it("C10.4 leaves out handlers of this package, and not those that a subclass adds", () => {
    class Assets extends Files {
      override paths: readonly string[] = ["/assets/:path*"];
      override source: FileSource = { codings: [], find: () => undefined };
    }
    class Uploads extends Assets {
      override paths = ["/uploads/:path*"];
      override GET(request: native.RequestOf): Promise<Response> {
        return super.GET(request);
      }
      override POST(): Response {
        return new Response("stored");
      }
    }
    class Legacy extends mount(["/legacy/:path*"], () => new Response("old")) {}
    const served = Application.builder()
      .resources(Shelf as never, Assets, Uploads, Legacy)
      .build();
    expect(drift(served).handlers).toEqual([
      { resource: "Shelf", method: "POST" },
      { resource: "Uploads", method: "GET" },
      { resource: "Uploads", method: "POST" },
    ]);
  });

  it("C10.4 lists statuses that were answered or thrown and are not declared, each once", async () => {
    const seen = drift(app);
    for (const path of ["/shelves/1", "/shelves/0", "/shelves/0", "/shelves/x", "/elsewhere"])
      await seen.fetch(ask(path));
    await seen.fetch(ask("/shelves/0", { method: "HEAD" }));
    for (const method of ["OPTIONS", "DELETE", "POST"]) await seen.fetch(ask("/shelves/1", { method }));
    const wrong = await seen.fetch(ask("/shelves/1", { headers: { authorization: "Bearer other" } }));
    expect(wrong.status).toBe(401);
    expect(seen.statuses).toEqual([
      { resource: "Shelf", method: "GET", pattern: "/shelves/:id", status: 410 },
      { resource: "Shelf", method: "HEAD", pattern: "/shelves/:id", status: 410 },
    ]);
    expect(() => seen.check()).toThrow(
      "Cannot trust the document: POST of Shelf declares nothing; GET /shelves/:id of Shelf answered 410; HEAD " +
        "/shelves/:id of Shelf answered 410",
    );
  });

  it("C10.4 compares with the operation at the path that was asked, and reports no 405", async () => {
    class Items extends Resource {
      paths = ["/items", "/items/:id"] as const;
      static GET = { 200: text() };
      GET(): string {
        return "";
      }
      static POST = { at: ["/items"] as const, 200: text() };
      POST(): string {
        return "";
      }
    }
    class Numbers extends Resource {
      paths = ["/n/:id(\\d+)", "/n/new", "/n/:name", "/o/:a?", "/r/:rest*"];
      static GET = { 200: text() };
      GET(): string {
        throw new HTTPError(Status.NotFound);
      }
    }
    // A document has one operation at /items/{id}, and names this one beside it.
    class Letters extends Resource {
      paths = ["/items/:letter([a-z])"];
      static GET = { 200: text() };
      GET(): string {
        throw new HTTPError(Status.Gone);
      }
      PUT(): string {
        return "";
      }
    }
    const seen = drift(Application.builder().resources(Items, Numbers, Letters).build());
    const asked: [string, string, number][] = [
      ["GET", "/items/%ff", 400],
      ["POST", "/items/1", 405],
      ["HEAD", "/items/%ff", 400],
      ["GET", "/n/1", 404],
      ["GET", "/n/x", 404],
      ["GET", "/o/%ff", 400],
      ["GET", "/r/%ff", 400],
      ["GET", "/n/new", 404],
      ["GET", "/o", 404],
      ["GET", "/r", 404],
      ["GET", "/items/a", 410],
    ];
    for (const [method, path, status] of asked)
      expect((await seen.fetch(ask(path, { method }))).status, `${method} ${path}`).toBe(status);
    expect(seen.statuses.map(({ pattern, status }) => `${pattern} ${status}`)).toEqual([
      "/n/new 404",
      "/o/:a? 404",
      "/r/:rest* 404",
      "/items/:letter([a-z]) 410",
    ]);
    expect(seen.handlers).toEqual([{ resource: "Letters", method: "PUT" }]);
  });

  it("C10.4 passes where nothing drifts", async () => {
    const seen = drift(guarded);
    expect((await seen.fetch(ask("/shelves"))).status).toBe(401);
    expect(() => seen.check()).not.toThrow();
  });

  it("C10.4 refuses what is no application", () => {
    for (const other of [null, {}, { dispatcher: {} }])
      expect(() => drift(other as never)).toThrow("Cannot look for drift: expected an application that was built, got");
  });
});

describe("the credentials of a way to authenticate", () => {
  const schemes = {
    key: { type: "apiKey", in: "header", name: "X-Api-Key" },
    session: { type: "apiKey", in: "cookie", name: "sid" },
  } as const;
  class Guard extends Middleware {
    static readonly security = { key: schemes.key };
    override ALL(request: unknown): Promise<Response> | Response {
      return this.next(request);
    }
  }
  const declaration = {
    headers: z.object({
      "x-api-key": z.enum(["s3cret-1", "s3cret-2"]).describe("The key"),
      "x-mode": z.literal("fast").optional(),
    }),
    cookies: z.object({ sid: z.string().default("s3cret-3"), theme: z.enum(["dark", "light"]).optional() }),
    200: text(),
  };

  it("C10.1 have no literals in the document, whoever names them, and other fields do", () => {
    class Own extends Resource {
      paths = ["/own"];
      static GET = { ...declaration, security: schemes };
      override GET(): string {
        return "";
      }
    }
    class Guarded extends Resource {
      paths = ["/guarded"];
      static middleware = [Guard];
      static GET = { ...declaration, security: { session: schemes.session } };
      override GET(): string {
        return "";
      }
    }
    const made = of(Own, Guarded);
    expect(JSON.stringify(made)).not.toContain("s3cret");
    for (const path of ["/own", "/guarded"]) {
      const schemas = made.paths[path]!["get"]!.parameters!.map(({ name, description, schema }) => [
        name,
        description,
        schema,
      ]);
      expect(schemas).toEqual([
        ["x-api-key", "The key", { type: "string" }],
        ["x-mode", undefined, { type: "string", const: "fast" }],
        ["sid", undefined, { type: "string" }],
        ["theme", undefined, { type: "string", enum: ["dark", "light"] }],
      ]);
    }
  });

  it("C10.1 have them where no way to authenticate names the field", () => {
    class Open extends Resource {
      paths = ["/open"];
      static GET = { ...declaration, security: { other: { ...schemes.key, name: "x-other" } } };
      override GET(): string {
        return "";
      }
    }
    expect(JSON.stringify(of(Open))).toContain("s3cret-1");
  });
});

describe("outside validators", () => {
  it("C10.5 accept the document in 3.1 and, where they know it, in 3.2", async () => {
    for (const app of [library, guarded]) {
      for (const release of ["3.1", "3.2"] as const) {
        await expectValid(document(app, { ...about, openapiVersion: release }));
      }
    }
  });
});
