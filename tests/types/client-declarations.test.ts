// A server and a front end in packages of their own, each with its own copy of ours: only declarations go from one to
// the other.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, bytes, events, Resource, ResourceGroup, text, type Answer, type Call } from "fingerpost";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "../../src/openapi/client-types.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
// Inside of the repository, so that the compiler finds zod and the types of Node.
const scratch = mkdtempSync(join(root, "node_modules", ".client-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const server = `
  import { readFileSync } from "node:fs";
  import { Application, reply, Resource, ResourceGroup, text, type Answer, type Call } from "fingerpost";
  import type { ApiOf } from "fingerpost/client";
  import { z } from "zod";

  const book = z.object({ title: z.string(), at: z.date() });

  export class Book extends Resource {
    #count = 0;
    private readonly file = process.env["BOOKS"] ?? "books.json";
    paths = ["/books/:isbn"] as const;

    static GET = { query: z.object({ limit: z.int() }), 200: book, 404: "No book has this ISBN" };
    override GET(call: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
      this.#count += call.query.limit;
      return this.#count > 9 ? reply(404) : { title: readFileSync(this.file, "utf8"), at: new Date() };
    }
  }
  class Home extends Resource {
    paths = ["/"] as const;
    static GET = { 200: text() };
    override GET(): string { return Buffer.from("").toString(); }
  }
  const group = ResourceGroup.builder().resources(Book).prefix("/v1").build();
  export const app = Application.builder().resources(Home, group).build();
  export type Api = ApiOf<typeof app>;
`;

const front = `
  import { client } from "fingerpost/client";
  import type { Api, app } from "../server/dist/app.js";

  const api = client<Api>("/api");
  const same: typeof api = client<typeof app>("/api");
  export async function titles(): Promise<string | undefined> {
    const home = await same["/"].GET();
    if (home.ok) document.title = home.content;
    const result = await api["/v1/books/:isbn"].GET({ path: { isbn: "7" }, query: { limit: 5 } });
    if (result.status === 200) return result.content.at.slice(0, 4) + result.content.title;
    // @ts-expect-error -- no pattern
    void api["/books/:isbn"];
    // @ts-expect-error -- the query is required
    void api["/v1/books/:isbn"].GET({ path: { isbn: "7" } });
    // @ts-expect-error -- nothing of Node is there
    void process;
    return result.content.detail;
  }
`;

/** Compiles a package, and returns what the compiler complains of. */
function compiled(name: string, file: string, program: string, compilerOptions: object): string {
  const folder = join(scratch, name);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module" }));
  writeFileSync(join(folder, file), program);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  try {
    return execFileSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

beforeAll(() => {
  const declarations = join(scratch, "declarations");
  execFileSync(process.execPath, [
    compiler,
    "-p",
    join(root, "tsconfig.build.json"),
    "--emitDeclarationOnly",
    "--outDir",
    declarations,
  ]);
  for (const name of ["server", "front"]) {
    const installed = join(scratch, name, "node_modules", "fingerpost");
    mkdirSync(installed, { recursive: true });
    cpSync(declarations, join(installed, "dist"), { recursive: true });
    copyFileSync(join(root, "package.json"), join(installed, "package.json"));
  }
}, 120_000);

describe("a client of another package", () => {
  it("C11.6 needs the declarations of the server only, under the tsconfig of a browser", () => {
    const options = { target: "ES2022", strict: true, exactOptionalPropertyTypes: true };
    const ofServer = compiled("server", "app.ts", server, {
      ...options,
      module: "NodeNext",
      types: ["node"],
      skipLibCheck: true,
      declaration: true,
      outDir: "dist",
    });
    expect(ofServer).toBe("");
    rmSync(join(scratch, "server", "app.ts"));
    const declared = readFileSync(join(scratch, "server", "dist", "app.d.ts"), "utf8");
    expect(declared).not.toMatch(/node:|NodeJS|Buffer/);
    const ofFront = compiled("front", "main.ts", front, {
      ...options,
      module: "ESNext",
      moduleResolution: "Bundler",
      lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: [],
      noEmit: true,
    });
    expect(ofFront).toBe("");
  }, 120_000);

  it("C11.2 prints raw content as its media type says", () => {
    const lines = clientTypes(Application.builder().resources(Typed).build().dispatcher);
    for (const line of [
      "Result<200, true, Blob>",
      "Result<201, true, string>",
      "Result<202, true, unknown>",
      "Result<203, true, AsyncIterable<unknown>>",
      "Result<206, true, Blob | string | { readonly n: number; }>",
      "Result<207, true, AsyncIterable<number>>",
    ])
      expect(lines).toContain(line);
  });

  it("C11.6 needs no declarations of the server where the command line printed the types", () => {
    writeFileSync(join(scratch, "front", "api.d.ts"), clientTypes(printed.dispatcher));
    const ofFront = compiled("front", "main.ts", frontOfPrinted, {
      target: "ES2022",
      strict: true,
      exactOptionalPropertyTypes: true,
      module: "ESNext",
      moduleResolution: "Bundler",
      lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: [],
      noEmit: true,
    });
    expect(ofFront).toBe("");
  }, 120_000);
});

const category = z.object({
  name: z.string(),
  get children(): z.ZodArray<typeof category> {
    return z.array(category);
  },
});

class Every extends Resource {
  paths = ["/every/:id", "/every/:id/:page?", "/:optional?"] as const;

  static GET = {
    at: ["/every/:id"],
    query: z.object({ limit: z.int(), tags: z.array(z.enum(["a", "b"])).optional() }),
    cookies: z.object({ session: z.string() }),
    200: category,
    404: "None",
    503: z.object({ pair: z.tuple([z.string(), z.number()]), of: z.record(z.string(), z.boolean()), "a-b": z.null() }),
  };
  override GET(_call: Call<typeof Every, "GET">): Answer<typeof Every, "GET"> {
    return { name: "", children: [] };
  }

  static PUT = { content: bytes(), 200: bytes(), 204: "Nothing" };
  override PUT(_call: Call<typeof Every, "PUT">): Blob {
    return new Blob();
  }

  static POST = {
    content: { "application/json": z.object({ at: z.iso.datetime() }), "text/csv": text() },
    200: { content: { "application/json": z.literal(5), "text/csv": text() } },
  };
  override POST(_call: Call<typeof Every, "POST">): Answer<typeof Every, "POST"> {
    return 5;
  }

  static PATCH = { content: text(), headers: z.object({ "x-a": z.string().optional() }), 200: events(z.int()) };
  override async *PATCH(_call: Call<typeof Every, "PATCH">): AsyncGenerator<number> {}

  static QUERY = { content: z.string().optional(), path: z.object({ id: z.int() }), 200: z.unknown() };
  override QUERY(_call: Call<typeof Every, "QUERY">): unknown {
    return null;
  }

  static DELETE = { content: { "image/*": bytes() }, 204: "Gone" };
  override DELETE(_call: Call<typeof Every, "DELETE">): undefined {
    return undefined;
  }
}

class Typed extends Resource {
  paths = ["/typed"] as const;

  static GET = {
    200: text("application/xml"),
    201: bytes("text/plain"),
    202: text("application/json"),
    203: bytes("text/event-stream"),
    206: {
      content: {
        "application/xml": z.int(),
        "text/plain": z.int(),
        "application/hal+json": z.object({ n: z.int() }),
      },
    },
    207: events(z.int()),
  };
  override GET(_call: Call<typeof Typed, "GET">): string {
    return "";
  }
}

class Undeclared extends Resource {
  paths = ["/undeclared"] as const;
  override GET(): string {
    return "";
  }
}

class Page extends Resource {
  paths = ["/pages/:id"] as const;

  static GET = { path: z.object({ id: z.int() }), 200: text() };
  override GET(): string {
    return "";
  }
}

const pages = ResourceGroup.builder().resources(Page).prefix("/:tenant").build();
const printed = Application.builder().resources(Every, Undeclared, pages).build();

const frontOfPrinted = `
  import { client } from "fingerpost/client";
  import type { Api } from "./api.d.ts";

  const api = client<Api>("/api");
  const path = { id: 7 };
  const each = api["/every/:id"];
  export async function run(): Promise<void> {
    const got = await each.GET({ path, query: { limit: 5, tags: ["a"] } });
    if (got.status === 200) { const name: string = got.content.children[0]!.children[0]!.name; console.log(name); }
    else if (got.status === 404) { const detail: string | undefined = got.content.detail; console.log(detail); }
    else if (got.status === 503) {
      const [text, number]: readonly [string, number, ...unknown[]] = got.content.pair;
      const flag: boolean | undefined = got.content.of["x"], nothing: null = got.content["a-b"];
      console.log(text, number, flag, nothing);
    } else { const refused: 400 | 401 = got.status as 400 | 401; console.log(refused); }
    const blob: Blob | undefined = (await each.PUT({ path, content: new Blob() })).orThrow();
    const posted: 5 | string = (await each.POST({ path, type: "text/csv", content: "a" })).orThrow();
    await each.POST({ path, type: "application/json", content: { at: "2026-01-01T00:00:00Z" } });
    for await (const n of (await each.PATCH({ path, type: "text/plain", content: "a" })).orThrow()) n.toFixed();
    const asked = await each.QUERY({ path });
    if (asked.status === 404) { const problem: number | undefined = asked.content.status; console.log(problem); }
    const unknown: unknown = asked.orThrow();
    await each.DELETE({ path, type: "image/png", content: new Uint8Array(1) });
    await api["/every/:id/:page?"].DELETE({ path: { id: "1", page: 2 }, type: "image/png", content: new Blob() });
    await api["/:optional?"].PUT({ content: new Blob() });
    // Under exactOptionalPropertyTypes, what may be left out may be undefined.
    await api["/:optional?"].PUT({ path: undefined, content: new Blob() });
    await each.GET({ path, query: { limit: 5, tags: undefined }, cookies: undefined });
    await each.PATCH({ path, type: "text/plain", content: "a", headers: { "x-a": undefined } });
    await each.QUERY({ path, content: undefined });
    await api["/:tenant/pages/:id"].GET({ path: { tenant: "a", id: 7 } });
    // @ts-expect-error -- the prefix of the group has a param
    void api["/:tenant/pages/:id"].GET({ path: { id: 7 } });
    console.log(blob, posted, unknown);
    // @ts-expect-error -- the query is required
    void each.GET({ path });
    // @ts-expect-error -- no such tag
    void each.GET({ path, query: { limit: 5, tags: ["c"] } });
    // @ts-expect-error -- the operation is at another path
    void api["/every/:id/:page?"].GET;
    // @ts-expect-error -- declares nothing
    void api["/undeclared"];
    await each.POST({ path, content: { at: "2026-01-01T00:00:00Z" } });
    // @ts-expect-error -- without a type it is JSON
    void each.POST({ path, content: "a" });
    // @ts-expect-error -- the schema has a number
    void each.QUERY({ path: { id: "7" } });
  }
`;
