// A server and a front end in packages of their own, each with its own copy of ours: only declarations go from one to the other.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
// Inside of the repository, so that the compiler finds zod and the types of Node.
const scratch = mkdtempSync(join(root, "node_modules", ".client-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const server = `
  import { readFileSync } from "node:fs";
  import { Application, reply, Resource, ResourceGroup, text, type Answer, type Call } from "fingerpost/semantics";
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
function compiled(name: string, file: string, text: string, compilerOptions: object): string {
  const folder = join(scratch, name);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module" }));
  writeFileSync(join(folder, file), text);
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
});
