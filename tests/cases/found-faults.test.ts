// Each fault of a declaration, and who finds it: build(), `fingerpost check`, or document(), which the first test of
// each template calls. The table is the one of docs/cli.md.
import { readFileSync } from "node:fs";
import { Application, events, jsonSchema, lines, page, problem, Resource, text, type StandardSchema } from "fingerpost";
import { asyncapi, document, openapi } from "fingerpost/openapi";
import { mcp } from "fingerpost/mcp";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findingsOf } from "../../src/cli/findings.ts";

const about = { title: "Books", version: "1.0.0" };
const agents = mcp({ name: "books", version: "1.0.0" });

type Declarations = Readonly<Record<string, unknown>>;

function resource(name: string, path: string, declarations: Declarations): unknown {
  const Class = {
    [name]: class extends Resource {
      override paths = [path];
    },
  }[name]!;
  for (const [method, declaration] of Object.entries(declarations)) {
    if (declaration !== undefined) Object.assign(Class, { [method]: declaration });
    Object.assign(Class.prototype, { [method]: () => "" });
  }
  return Class;
}

/** Two resources, each with an answer of its schema. */
const answering = (...schemas: readonly unknown[]): unknown[] =>
  schemas.map((schema, at) => {
    const { status = 200 } = Object(schema) as { readonly status?: number };
    return resource(`R${at}`, `/r${at}`, { GET: { ...(status < 400 ? {} : { 204: "Done" }), [status]: schema } });
  });

const named = (member: unknown): unknown => z.object({ a: member as z.ZodType }).meta({ id: "Book" });
const raw = (type: string): unknown => jsonSchema({ $id: "https://api.example/Book", type }, () => true);

/** A schema of a library that tells its ids by a conversion alone. */
function converting(type: string): StandardSchema {
  const convert = (): Record<string, unknown> => ({ $id: "Book", type });
  const jsonSchemaOf = { input: convert, output: convert };
  return { "~standard": { version: 1, vendor: "some", validate: (value) => ({ value }), jsonSchema: jsonSchemaOf } };
}

const one = resource("One", "/one", { GET: { id: "getBook", 200: text() } });
const two = resource("Two", "/two", { GET: { id: "getBook", 200: text() } });
const colored = (color: string): z.ZodEnum => z.enum([color]).meta({ id: "Color" });
const painting = resource("Painting", "/painting", {
  PUT: {
    query: z.object({ from: colored("red") }),
    content: z.object({ to: colored("blue") }),
    tool: true,
    204: "Done",
  },
});

interface Fault {
  /** The resources that have it. */
  readonly of: readonly unknown[];
  /** A part of what is said. */
  readonly says: string;
  readonly build?: true;
  /** The kind of the finding of `check`. */
  readonly check?: string;
  readonly document?: true;
}

const some = (declarations: Declarations): readonly unknown[] => [resource("Some", "/some", declarations)];
const books = [named(z.string()), named(z.int())];
const sameName = 'have the operationId "getBook"';
const sameId = 'have the id "Book" and differ';
const textOnly = { "~standard": { version: 1, vendor: "some", validate: () => ({ value: {} }) } };

const faults: Readonly<Record<string, Fault>> = {
  "Two operations with the same name": { of: [one, two], says: sameName, check: "document", document: true },
  "Two operations with the same name, with `openapi()` or `asyncapi()`": {
    of: [one, two, asyncapi(about)],
    says: sameName,
    build: true,
  },
  "Two schemas with the same id": { of: answering(...books), says: sameId, check: "document", document: true },
  "Two schemas with the same id, with `openapi()`": {
    of: [...answering(...books), ...openapi(about)],
    says: sameId,
    build: true,
  },
  "Two schemas with the same id in messages, with `asyncapi()`": {
    of: [...answering(...books.map((book) => events(book as never))), asyncapi(about)],
    says: sameId,
    build: true,
  },
  "Two schemas with the same id in a tool, with `mcp()`": {
    of: [painting, agents],
    says: 'the id "Color"',
    build: true,
  },
  "Two schemas whose ids are equal only after conversion": {
    of: [...answering(converting("string"), converting("number")), ...openapi(about)],
    says: sameId,
    check: "document",
    document: true,
  },
  "A tool without a description": {
    of: some({ GET: { tool: true, 200: text() } }),
    says: 'its GET is the tool "getSome" without a description',
    check: "tool",
  },
  "A tool with a name that agents reject, with `mcp()`": {
    of: [...some({ GET: { tool: { name: "x".repeat(65) }, 200: text() } }), agents],
    says: "is a tool of the name",
    build: true,
  },
  "`content` of GET, or an invalid value of an option": {
    of: some({ GET: { content: z.object({}), 200: text() } }),
    says: "content",
    build: true,
  },
  "A date or a bigint in a request": {
    of: some({ GET: { query: z.object({ at: z.date() }), 200: text() } }),
    says: "date",
    build: true,
  },
  "A handler without a declaration, beside others": {
    of: some({ GET: { 200: text() }, PUT: undefined }),
    says: "its PUT declares nothing",
    check: "undeclared",
  },
  "A part of a request that stays text": {
    of: some({ GET: { query: textOnly, 200: text() } }),
    says: "reads query as text",
    check: "text",
  },
  "Two patterns that match the same paths": {
    of: [resource("A", "/:a", { GET: { 200: text() } }), resource("B", "/:b", { GET: { 200: text() } })],
    says: "match the same paths",
    build: true,
  },
  "A pattern that no request reaches": {
    of: [resource("A", "/a(b^c)", { GET: { 200: text() } })],
    says: "no path was found",
    check: "unreachable",
  },
};

const built = (resources: readonly unknown[]): ReturnType<ReturnType<typeof Application.builder>["build"]> =>
  Application.builder()
    .resources(...(resources as []))
    .build();

/** Who finds a fault, and what each says. What build() refuses, all find. */
async function findersOf(resources: readonly unknown[]): Promise<Readonly<Record<string, string>>> {
  try {
    built(resources);
  } catch (error) {
    return { build: (error as Error).message };
  }
  const app = built(resources);
  const found = (await findingsOf(app)).filter(({ kind }) => kind !== "unchecked");
  const finders = Object.fromEntries(found.map(({ kind, message }) => [kind, message]));
  try {
    document(app, about);
    return finders;
  } catch (error) {
    return { ...finders, byDocument: (error as Error).message };
  }
}

describe("a fault of a declaration", () => {
  it.each(Object.keys(faults))("is found as the table says: %s", async (fault) => {
    const { of, says, build, check, document: isDescribed } = faults[fault]!;
    const finders = [build && "build", check, isDescribed && "byDocument"].filter((finder) => finder !== undefined);
    const said = expect.stringContaining(says) as unknown;
    expect(await findersOf(of)).toEqual(Object.fromEntries(finders.map((finder) => [finder, said])));
  });

  it("is in the table of the page", () => {
    const written = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
    const rows = Object.entries(faults).map(([fault, { build, check, document: isDescribed }]) =>
      [`| ${fault} |`, build && " yes", " |", check && ` \`${check}\``, " |", isDescribed && " yes", " |"]
        .filter((cell) => cell !== undefined)
        .join(""),
    );
    expect(
      rows.filter(
        (row) =>
          !written.includes(`${row}
`),
      ),
    ).toEqual([]);
  });

  it("is found by the first test of each template if document() finds it", () => {
    for (const file of [
      "node/src/application.test.ts",
      "bun/src/application_test.ts",
      "deno/src/application_test.ts",
    ]) {
      const tests = readFileSync(new URL(`../../examples/template-${file}`, import.meta.url), "utf8");
      expect(tests.split(/^(?:Deno\.)?test\(/m)[1], file).toContain("document(app, ");
    }
  });
});

describe("two schemas of one id", () => {
  const mounted = (...schemas: readonly unknown[]): unknown => built([...answering(...schemas), ...openapi(about)]);

  it("may say the same", () => {
    const book = named(z.string()) as z.ZodObject;
    expect(() => mounted(book, book.optional(), z.array(book), book.describe("Other"))).not.toThrow();
    expect(() => mounted(named(z.string()), named(z.string()))).not.toThrow();
    expect(() => mounted(raw("string"), raw("string"))).not.toThrow();
    expect(() => mounted(raw("string"), raw("number"))).toThrow('have the id "Book" and differ');
  });

  it.each<[string, (schema: z.ZodType) => unknown]>([
    ["a member", (schema) => z.object({ a: schema })],
    ["an item", (schema) => z.array(schema)],
    ["a member of a tuple", (schema) => z.tuple([schema])],
    ["a branch", (schema) => z.union([z.string(), schema])],
    ["an intersection", (schema) => z.intersection(z.object({}), schema)],
    ["a record", (schema) => z.record(z.string(), schema)],
    ["what is optional", (schema) => z.object({ a: schema.optional().nullable() })],
    ["what is lazy", (schema) => z.lazy(() => schema)],
    ["a page", (schema) => page(schema, { by: z.int() })],
    ["a problem", (schema) => problem("/wrong", { status: 400, title: "Wrong", schema: z.object({ a: schema }) })],
    ["lines", (schema) => lines(schema)],
    ["a pipe", (schema) => z.string().pipe(z.any()).or(z.any().pipe(schema))],
    [
      "a getter",
      (schema) =>
        z.object({
          get a() {
            return schema;
          },
        }),
    ],
  ])("are found in %s", (_, around) => {
    expect(() => mounted(named(z.string()), around(named(z.int()) as z.ZodType))).toThrow('the id "Book"');
  });
});
