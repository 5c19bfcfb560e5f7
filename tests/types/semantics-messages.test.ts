// Wrong programs, put before each compiler that is supported: what it says, in the lines that an editor shows first.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { sampled } from "../support/sampled.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
mkdirSync(join(root, "node_modules"), { recursive: true });
// Inside of the repository, so that the compilers find the libraries of schemas.
const scratch = mkdtempSync(join(root, "node_modules", ".messages-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const compilers = ["typescript", "typescript6", "typescript5"].map((name) => {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return { version, path: join(dirname(manifest), "bin", "tsc") };
});

const language = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2023", "ES2024.String", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
  strict: true,
  skipLibCheck: true,
};

function outputOf(compiler: string, options: object, files: readonly string[]): string {
  writeFileSync(
    join(scratch, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...language, ...options }, files }),
  );
  try {
    return execFileSync(process.execPath, [compiler, "-p", scratch, "--pretty", "false"], { encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const names = `
import { z } from "zod";
import type { Answer } from "../../src/semantics/declaration/answer.ts";
import type { Call } from "../../src/semantics/declaration/call.ts";
import type { Operation } from "../../src/semantics/declaration/operation.ts";
import { bytes, type BytesContent } from "../../src/semantics/declaration/raw-content.ts";
import { reply } from "../../src/semantics/declaration/reply.ts";
import type { StandardSchema } from "../../src/json-schema/shape/standard-schema.ts";
import { Resource, resources } from "../../tests/types/semantics-resource.ts";
`;

/** Programs with the first line of each message about them, in order, without where it is. */
type Programs = Readonly<Record<string, readonly string[]>>;

/** Compiles all programs at once: a compiler takes seconds to start. */
function messagesOf(compiler: string, programs: Programs, options: object): Programs {
  const texts = Object.keys(programs);
  const files = texts.map((_, at) => `program${at}.ts`);
  for (const [at, text] of texts.entries()) writeFileSync(join(scratch, files[at]!), names + text);
  const lines = outputOf(compiler, options, files).split("\n");
  return Object.fromEntries(
    texts.map((text, at) => {
      const found = lines.flatMap((line) => /program(\d+)\.ts\(.*?\): error (.*)$/.exec(line) ?? []);
      return [text, found.filter((_, part) => part % 3 === 2 && found[part - 1] === String(at))];
    }),
  );
}

const book = `const book = z.object({ isbn: z.string(), pages: z.int() });`;

function returning(value: string): string {
  return `${book}
  export class Book extends Resource {
    static GET = { 200: book, 201: { content: book, headers: { location: z.string() } }, 404: "None" };
    async GET(): Promise<Answer<typeof Book, "GET">> { return ${value}; }
  }`;
}

function taking(expression: string): string {
  return `${book}
  export class Book extends Resource {
    paths = ["/books/:isbn"] as const;
    static GET = { query: z.object({ lang: z.string() }), 200: book };
    GET(call: Call<typeof Book, "GET">) {
      const { path, query } = call;
      void [path, query, ${expression}];
      return { isbn: "1", pages: 1 };
    }
  }`;
}

function adding(declared: string, result: string): string {
  return `${book}
  class Book extends Resource { static GET = { ${declared} }; async GET() { return ${result}; } }
  resources(Book);`;
}

function calling(result: string, declared = 'tags: ["books"]'): string {
  return `${book}
  class Book extends Resource {
    paths = ["/books/:isbn"] as const;
    static GET = { 200: book, ${declared} };
    async GET({ path }: Call<typeof Book, "GET">) { void path; return ${result}; }
  }
  resources(Book);`;
}

function grouping(members: string, added: string): string {
  return `${book}
  import { Resource as Base, ResourceGroup } from "../../src/modules/http.semantics.ts";
  class Book extends Base { ${members} }
  const list = [Book];
  ResourceGroup.builder().resources(${added}).build();`;
}

const undeclared =
  '"GET returns what static GET does not declare. To see where, annotate GET: Answer<typeof ' +
  "ThisClass, " +
  '\\"GET\\">, ' +
  'or Promise<Answer<…>> if async"';
const responding = `"GET returns a Response. Return content or a reply(), or extend the Resource of fingerpost/native"`;

const fitting = `ReturnsOnlyWhatIsDeclared<typeof Book, "GET">`;
const unfit = `TS2344: Type 'typeof Book' does not satisfy the constraint '${fitting}'.`;

const argument = (told: string): string =>
  `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '"${told}"'.`;

function validating(value: string, before = ""): string {
  return `import { Resource as Base } from "../../src/modules/http.semantics.ts";
  class Book extends Base {
    paths = ["/books/:isbn"] as const;
    override ${before}validator({ path }: Call<typeof Book, "GET">) { return ${value}; }
    static GET = { 200: z.string() };
    override GET({ path }: Call<typeof Book, "GET">) { return path.isbn; }
  }
  void Book;`;
}

const declaring = (members: string): string => `${book} ({ ${members} }) satisfies Operation;`;

const mistakes: Programs = {
  [returning(`{ isbn: "1" }`)]: [
    `TS2322: Type '{ isbn: string; }' is not assignable to type 'Answer<typeof Book, "GET">'.`,
  ],
  [returning(`{ isbn: "1", pages: "1" }`)]: [`TS2322: Type 'string' is not assignable to type 'number'.`],
  [returning(`{ isbn: "1", pages: 1, title: "Kindred" }`)]: [
    "TS2353: Object literal may only specify known properties, and 'title' does not exist in type 'Answer<typeof " +
      `Book, "GET">'.`,
  ],
  [returning(`reply(202, { isbn: "1", pages: 1 })`)]: [
    `TS2322: Type 'Reply<202, { isbn: "1"; pages: 1; }>' is not assignable to type 'Answer<typeof Book, "GET">'.`,
  ],
  [returning(`reply(200, { isbn: "1", pages: "1" })`)]: [
    `TS2322: Type 'Reply<200, { isbn: "1"; pages: "1"; }>' is not assignable to type 'Answer<typeof Book, "GET">'.`,
  ],
  [returning(`reply(201, { isbn: "1", pages: 1 })`)]: [
    `TS2322: Type 'Reply<201, { isbn: "1"; pages: 1; }>' is not assignable to type 'Answer<typeof Book, "GET">'.`,
  ],
  [returning(`Response.json({})`)]: [`TS2322: Type 'Response' is not assignable to type 'Answer<typeof Book, "GET">'.`],
  [returning(`undefined`)]: [`TS2322: Type 'undefined' is not assignable to type 'Answer<typeof Book, "GET">'.`],
  [taking("path.id")]: [`TS2339: Property 'id' does not exist on type '{ readonly isbn: string; }'.`],
  [taking("query.limit")]: [`TS2339: Property 'limit' does not exist on type '{ lang: string; }'.`],
  [taking("call.content")]: [`TS2339: Property 'content' does not exist on type 'Call<typeof Book, "GET">'.`],
  [taking(`0 as unknown as Call<typeof Book, "get">`)]: [
    `TS2344: Type '"get"' does not satisfy the constraint 'Method'.`,
  ],
  [adding("200: book", "{ isbn: 1 }")]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '"GET returns what static GET ` +
      'does not declare. To see where, annotate GET: Answer<typeof ThisClass, \\"GET\\">, or Promise<Answer<…>> if ' +
      `async"'.`,
  ],
  [adding("200: book", "new Response()")]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '"GET returns what static GET ` +
      'does not declare. To see where, annotate GET: Answer<typeof ThisClass, \\"GET\\">, or Promise<Answer<…>> if ' +
      `async"'.`,
  ],
  [adding(`200: book, 2000: "Long"`, `{ isbn: "1", pages: 1 }`)]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '"static GET declares \\"2000\\", ` +
      `which is neither a status code nor a member of an operation"'.`,
  ],
  [adding(`200: book, querry: book`, `{ isbn: "1", pages: 1 }`)]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '"static GET declares ` +
      `\\"querry\\", which is neither a status code nor a member of an operation"'.`,
  ],
  // Where the handler takes the call of its class, the compiler says it there, and which member differs.
  [calling(`{ isbn: path.isbn, pages: "1" }`)]: [unfit],
  [calling(`path.isbn === "" ? reply(404) : { isbn: "1", pages: 1 }`)]: [unfit],
  [calling("Response.json(path)")]: [unfit],
  [calling("undefined as unknown")]: [unfit],
  [calling(`{ isbn: "1", pages: 1 }`, `querry: book`)]: [unfit],
  [calling(`{ isbn: "1", pages: 1 }`)]: [],
  [`class Book extends Resource { GET() { return new Response(); } }
  resources(Book);`]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '${responding}'.`,
  ],
  [adding("200: book", `{ isbn: "1", pages: 1 }`).replace("async GET", "async Get")]: [
    argument(`Get() answers no method. Write GET()`),
  ],
  [`class Book extends Resource { get() { return "Kindred"; } }
  resources(Book);`]: [argument(`get() answers no method. Write GET()`)],
  [adding("200: book", `{ isbn: "1", pages: 1 }`).replace("async GET", "async get1")]: [
    argument(`static GET is declared, and GET is not implemented. Write GET(call) { … }`),
  ],
  [adding("200: book", `{ isbn: "1", pages: 1 }`).replace("static GET", "static GTE")]: [
    argument(`static GTE is an operation, and GTE is not a method. Write static GET`),
  ],
  [adding(`200: "Fine"`, "undefined").replace("static GET", "static Get")]: [
    argument(`static Get is an operation, and Get is not a method. Write static GET`),
  ],
  [adding("200: book", `{ isbn: "1", pages: 1 }`).replace("static GET", "static FETCH")]: [
    argument(`static FETCH is an operation, and FETCH is not a method. Write static GET, static POST, …, or rename it`),
  ],
  // What a class has for itself: constants, texts by status, helpers beside a handler.
  [`class Book extends Resource {
    static MAX = 5; static NONE = null; static LABELS = { 200: "Found", 404: "Lost" }; static POTS = { 404: "Lost" };
    static SHARED = { 200: { text: "Found" }, size: 5 }; static readonly ALL_CODES: Record<string, object> = {};
    static GET = { 204: "None" };
    GET() {}
    get(id: string) { return id; }
    Post = 5;
  }
  resources(Book);`]: [],
  [validating(`"7"`)]: [
    `TS2416: Property 'validator' in type 'Book' is not assignable to the same property in base type 'Resource'.`,
  ],
  [validating(`7`)]: [
    `TS2416: Property 'validator' in type 'Book' is not assignable to the same property in base type 'Resource'.`,
  ],
  [validating(`{ ETag: '"7"' }`)]: [
    `TS2416: Property 'validator' in type 'Book' is not assignable to the same property in base type 'Resource'.`,
  ],
  [validating(`{ version: 7 }`)]: [
    `TS2416: Property 'validator' in type 'Book' is not assignable to the same property in base type 'Resource'.`,
  ],
  [validating(
    `path.isbn === "" ? null : path.isbn === "0" ? undefined : path.isbn === "1" ? reply(404) : { etag: '"7"', ` +
      "lastModified: new Date() }",
  )]: [],
  [validating(`path.isbn === "" ? null : { etag: '"7"' }`, "async ")]: [],
  // The params of a method are those of its own paths.
  [`class Book extends Resource {
    paths = ["/books/:isbn", "/shelves/:shelf/books"] as const;
    static GET = { at: ["/books/:isbn"], 204: "None" } as const;
    GET({ path, segments }: Call<typeof Book, "GET">) {
      segments("isbn"); const isbn: string = path.isbn; void [isbn, path.shelf];
    }
    static PUT = { at: ["/books/:isbn"], 204: "None" };
    PUT({ path }: Call<typeof Book, "PUT">) { void [path.isbn, path.shelf]; const isbn: string = path.isbn; void isbn; }
  }`]: [
    `TS2339: Property 'shelf' does not exist on type '{ readonly isbn: string; }'.`,
    `TS2322: Type 'string | undefined' is not assignable to type 'string'.`,
  ],
  // A group says the same as an application.
  [grouping("static GET = { 200: book }; override GET() { return { isbn: 1 }; }", "Book")]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '${undeclared}'.`,
  ],
  [grouping("static GET = { 200: book }; override GET() { return reply(404); }", "Base, Book")]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '${undeclared}'.`,
  ],
  [grouping("static GET = { 200: book }; override GET() { return new Response(); }", "[Base, Book]")]: [
    `TS2322: Type 'typeof Book' is not assignable to type '${undeclared}'.`,
  ],
  [grouping("static GET = { 200: book }; override GET() { return { isbn: 1 }; }", "list")]: [
    `TS2345: Argument of type '(typeof Book)[]' is not assignable to parameter of type 'readonly ${undeclared}[]'.`,
  ],
  [grouping("override async GET() { return new Response(); }", "Book")]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '${responding}'.`,
  ],
  [grouping(`static GET = { querry: book, 200: book }; override GET() { return { isbn: "1", pages: 1 }; }`, "Book")]: [
    `TS2345: Argument of type 'typeof Book' is not assignable to parameter of type '"static GET declares ` +
      `\\"querry\\", which is neither a status code nor a member of an operation"'.`,
  ],
  // What a client says of a class whose paths the compiler does not know.
  [`import { client } from "../../src/client.ts";
  import { Application, Resource as Base } from "../../src/modules/http.semantics.ts";
  class Book extends Base { paths = ["/books"]; static GET = { 204: "None" }; override GET() {} }
  class Order extends Base { paths = ["/orders"] as const; static GET = { 204: "None" }; override GET() {} }
  const one = Application.builder().resources(Book).build();
  const both = Application.builder().resources(Book, Order).build();
  void client<typeof one>("")["/books"].GET();
  void client<typeof both>("")["/orders"].GET();
  void client<typeof both>("")["/books"].GET();`]: [
    `TS7053: Element implicitly has an 'any' type because expression of type '"/books"' can't be used to index type ` +
      "'WriteAsConstAfterPathsOf<typeof Book>'.",
    `TS7053: Element implicitly has an 'any' type because expression of type '"/books"' can't be used to index type ` +
      `'WriteAsConstAfterPathsOf<typeof Book> & { readonly "/orders": MethodsOf<typeof Order, "/orders", "", ` +
      "Problem>; }'.",
  ],
  [declaring("querry: book, 200: book")]: [
    "TS2561: Object literal may only specify known properties, but 'querry' does not exist in type 'Operation'. Did " +
      "you mean to write 'query'?",
  ],
  [declaring("200: 5")]: [`TS2322: Type 'number' is not assignable to type 'DeclaredAnswer | undefined'.`],
  [declaring(`etag: "always", 200: book`)]: [`TS2322: Type '"always"' is not assignable to type '"content"'.`],
};

/** What other files see, where each file's declarations are made without a look at others. */
function exporting(members: string): string {
  return `export interface BookData { isbn: string; pages: number }
  export const book: StandardSchema<BookData> = z.object({ isbn: z.string(), pages: z.int() });
  export class Book extends Resource {
    ${members}
    async GET(_call: Call<typeof Book, "GET">): Promise<Answer<typeof Book, "GET">> {
      return Math.random() > 0.5 ? reply(404) : { isbn: "1", pages: 1 };
    }
  }`;
}

// A schema that is exported has a type that is written. Then an operation needs types that are written, too: by
// `as typeof`, with `as const` where there is a list, or by an annotation. A class that is not exported needs nothing.
const isolated: Programs = {
  [exporting(`static GET = { 200: book as typeof book, 404: "None" };`)]: [],
  [exporting(`static GET = { 200: book as typeof book, 404: "None", tags: ["a"] } as const;`)]: [],
  [exporting(`static GET: { 200: typeof book; 404: string } = { 200: book, 404: "None" };`)]: [],
  [exporting(`static PUT = { content: bytes() as BytesContent, 204: "Stored" };
    static GET = { 200: book as typeof book, 404: "None" };`)]: [],
  [adding("200: book", `{ isbn: "1", pages: 1 }`)]: [],
  // The types are kept: a wrong answer is refused.
  [exporting(`static GET = { 200: book as typeof book };`)]: [
    `TS2322: Type 'Reply<404, undefined>' is not assignable to type 'BookData | Reply<200, BookData>'.`,
  ],
  [exporting(`static GET = { 200: book, 404: "None" };`)]: [
    "TS9013: Expression type can't be inferred with --isolatedDeclarations.",
  ],
  [exporting(`static GET = { 200: book as typeof book, 404: "None" } satisfies Operation;`)]: [
    "TS9012: Property must have an explicit type annotation with --isolatedDeclarations.",
  ],
  // This annotation compiles as well, and takes the types away: any status may be answered with anything.
  [`export class Book extends Resource {
    static GET: Operation = { 200: z.string() };
    GET(): Answer<typeof Book, "GET"> { return reply(404, 5); }
  }`]: [],
};

// A compiler takes seconds, and many times that where others work. Of the older ones, a push asks one.
describe.each([...compilers.slice(0, 1), ...sampled(compilers.slice(1), 2)])(
  "TypeScript $version",
  { timeout: 180_000 },
  ({ path }) => {
    it("says what is wrong in words of the program", () => {
      expect(messagesOf(path, mistakes, { noEmit: true, allowImportingTsExtensions: true })).toEqual(mistakes);
    });

    it("takes declarations with isolatedDeclarations, if their types are written", () => {
      const output = { declaration: true, rootDir: root, outDir: join(scratch, "out") };
      const options = { ...output, isolatedDeclarations: true, rewriteRelativeImportExtensions: true };
      expect(messagesOf(path, isolated, options)).toEqual(isolated);
    });

    it("takes and refuses what the other tests of declarations and of the client do", () => {
      expect(outputOfTests(path, { exactOptionalPropertyTypes: true })).toBe("");
    });
  },
);

describe("declarations", () => {
  it("have the same types without exactOptionalPropertyTypes", () => {
    expect(outputOfTests(compilers[0]!.path, { exactOptionalPropertyTypes: false })).toBe("");
  });
});

function outputOfTests(compiler: string, options: object): string {
  const files = ["semantics", "semantics-wire", "client"].map((name) => join(root, `tests/types/${name}.test-d.ts`));
  const paths = {
    "fingerpost/files": [join(root, "src/content/files.ts")],
    "fingerpost/native": [join(root, "src/modules/http.native.ts")],
    fingerpost: [join(root, "src/modules/http.semantics.ts")],
    "fingerpost/*.js": [join(root, "src/*.ts")],
    "fingerpost/*": [join(root, "src/*.ts")],
  };
  return outputOf(
    compiler,
    { noEmit: true, allowImportingTsExtensions: true, types: ["node"], paths, ...options },
    files,
  );
}

describe("the command tsc", () => {
  // Three packages have it: npm links that of the first, unless the others are installed later.
  it("is the compiler of the repository", () => {
    const version = execFileSync("npx", ["--no-install", "tsc", "--version"], {
      cwd: root,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    expect(version.trim(), "run: npm rebuild typescript").toBe(`Version ${compilers[0]!.version}`);
  });
});
