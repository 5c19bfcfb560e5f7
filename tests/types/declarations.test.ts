// A program with `declaration: true`, put before the compiler: what it exports can be named by what the package
// exports.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { pages, snippetsOf } from "../package/snippets.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const compilerOf = (version: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${version}/package.json`)), "bin", "tsc");
const compiler = compilerOf("typescript");
// Inside of the repository, so that the compiler finds the types of Node.
const scratch = mkdtempSync(join(root, "node_modules", ".declarations-"));
afterAll(() => rmSync(scratch, { recursive: true }));

// As it is installed: what is no entry of the package cannot be imported.
beforeAll(() => {
  const installed = join(scratch, "node_modules", "fingerpost");
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(root, "package.json"), join(installed, "package.json"));
  // Of a package of its own, that the name of ours does not mean the repository.
  writeFileSync(join(scratch, "package.json"), JSON.stringify({ name: "program", type: "module" }));
  const project = join(root, "tsconfig.build.json");
  execFileSync(process.execPath, [
    compiler,
    "-p",
    project,
    "--emitDeclarationOnly",
    "--outDir",
    join(installed, "dist"),
  ]);
}, 120_000);

function faultsOf(text: string, others: object = {}, programs: readonly string[] = []): string {
  writeFileSync(join(scratch, "program.ts"), text);
  const language = { target: "ES2022", module: "NodeNext", lib: ["ES2023", "DOM", "DOM.Iterable"], types: ["node"] };
  const output = { declaration: true, emitDeclarationOnly: true, outDir: "declarations" };
  const compilerOptions = { ...language, ...output, strict: true, skipLibCheck: true, ...others };
  writeFileSync(
    join(scratch, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["program.ts", ...programs] }),
  );
  try {
    return execFileSync(process.execPath, [compiler, "-p", scratch, "--pretty", "false"], { encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

function programOf(chain: string, alias: string): string {
  return `
    import { Application, Resource, ResourceGroup, Status, type ${alias} } from "fingerpost/modules/http.${chain}.js";
    import { cookieJarOf } from "fingerpost/middleware/cookies";
    import { listener, serve } from "fingerpost/node";

    class Book extends Resource { paths = ["/books/:id", "/books/:id/:page?"] as const; }
    export const builder = Application.builder(), withBooks = builder.resources(Book), group = ResourceGroup.builder();
    export const app = withBooks.build(), handle = listener(app), server = serve(app);

    export const paramsOf = (input: ${alias}<Book>) => input.params;
    export class Page extends Resource {
      paths = ["/:id"] as const;
      paramsOf(input: ${alias}<Page>) { return input.params; }
    }
    export const titled = (text: string) => class extends Resource { title = text; };
    export const jarOf = (input: object) => cookieJarOf(input);

    const decision = app.match({ url: "/", method: "GET" });
    export const refusal = decision.matched ? null : decision.status, missing = Status.NotFound;
    export const model = app.resources, pieces = model[0]!.patterns[0]!.segments[0]!.pieces;
  `;
}

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Readonly<Record<string, { readonly types?: string }>>;
};
const entries = Object.entries(exports).filter(([key, { types }]) => types !== undefined && !key.endsWith(".js"));

/** Exports each value of each entry under another name, without a type. */
async function everyValue(): Promise<string> {
  const lines = await Promise.all(
    entries.map(async ([key, { types }], at) => {
      const source = types!.replace("./dist/", "../../src/").replace(".d.ts", ".ts");
      const names = Object.keys((await import(/* @vite-ignore */ source)) as object);
      const values = names.map((name) => `export const ${name}${at} = entry${at}.${name};`);
      return [`import * as entry${at} from ${JSON.stringify(key.replace(".", "fingerpost"))};`, ...values].join("\n");
    }),
  );
  return lines.join("\n");
}

describe("exported values without a type", () => {
  it("can be named, each value of each entry", async () => {
    expect(entries.length).toBeGreaterThan(30);
    const program = await everyValue();
    expect(program).toContain("= entry0.Status;");
    expect(faultsOf(program)).toBe("");
  });

  it("can be named on the native chain", () => {
    expect(faultsOf(programOf("native", "RequestOf"))).toBe("");
    expect(
      faultsOf(`import { Application } from "fingerpost/modules/http.native.js";
      export const watched = Application.builder().onError(() => {});`),
    ).toBe("");
  });

  it("can be named on the polyfill chain", () => {
    expect(faultsOf(programOf("polyfill", "ContextOf"))).toBe("");
  });
});

describe("the declarations of the package", () => {
  it("compile with the settings of docs/typescript.md, without types of browsers or skipLibCheck", async () => {
    const [, settings] = /```json \[tsconfig\.json\]\n(.*?)```/s.exec(
      readFileSync(join(root, "docs/typescript.md"), "utf8"),
    )!;
    const { compilerOptions } = JSON.parse(settings!) as { compilerOptions: Record<string, unknown> };
    expect(compilerOptions).not.toHaveProperty("lib");
    expect(compilerOptions).not.toHaveProperty("skipLibCheck");
    const options = { ...compilerOptions, rootDir: undefined, outDir: undefined, lib: undefined, skipLibCheck: false };
    const program = `
      import { client, type ClientOptions } from "fingerpost/client";
      type IsAny<T> = 0 extends 1 & T ? true : false;
      export type Options = { [Name in keyof ClientOptions]-?: IsAny<ClientOptions[Name]> };
      export const none: Options = {
        fetch: false, headers: false, credentials: false, serverErrors: false, events: false, lines: false,
        maxBytes: false,
      };
      // @ts-expect-error -- no field is a number
      client("https://h", { headers: { a: 1 } });
      client("https://h", { headers: () => (Math.random() < 1 ? { authorization: "a" } : {}) });
      client("https://h", { headers: { authorization: undefined } });`;
    expect(faultsOf(program, options)).toBe("");
    // Values are not exported here: what Node's types call Response cannot be named by anybody.
    const imports = (await everyValue()).replace(/^export .*\n?/gm, "");
    expect(faultsOf(imports, options)).toBe("");
    // Our own settings are stricter, and let pass what these refuse. Declarations of other packages are their affair.
    const written = pages()
      .filter((page) => !page.startsWith("decisions"))
      .flatMap(snippetsOf);
    const programs = written.filter(({ isTypeScript, file }) => isTypeScript && file === null);
    expect(programs.length).toBeGreaterThan(50);
    const files = programs.map(({ place, code }) => {
      const file = `${place.replaceAll(/[/.:]/g, "-")}.ts`;
      writeFileSync(join(scratch, file), code);
      return file;
    });
    expect(
      faultsOf(
        "",
        {
          ...options,
          outDir: "programs",
          declaration: false,
          emitDeclarationOnly: false,
          noEmit: true,
          skipLibCheck: true,
        },
        files,
      ),
    ).toBe("");
  });

  it.each(["typescript5", "typescript6", "typescript"])(
    "compile without optional peers by %s, but for the entries that are of one: those name it",
    (version) => {
      const bare = mkdtempSync(join(tmpdir(), "fingerpost-"));
      onTestFinished(() => rmSync(bare, { recursive: true }));
      mkdirSync(join(bare, "node_modules/@types"), { recursive: true });
      cpSync(join(scratch, "node_modules/fingerpost"), join(bare, "node_modules/fingerpost"), { recursive: true });
      for (const name of ["@types/node", "undici-types"]) {
        symlinkSync(join(root, "node_modules", name), join(bare, "node_modules", name));
      }
      const files = entries.map(([key], at) => {
        writeFileSync(join(bare, `${at}.ts`), `export * from ${JSON.stringify(key.replace(".", "fingerpost"))};\n`);
        return `${at}.ts`;
      });
      const language = { target: "es2023", module: "nodenext", types: ["node"], strict: true, noEmit: true };
      writeFileSync(join(bare, "tsconfig.json"), JSON.stringify({ compilerOptions: language, files }));
      const { stdout } = spawnSync(process.execPath, [compilerOf(version), "-p", bare, "--pretty", "false"], {
        encoding: "utf8",
      });
      const missing = [...stdout.matchAll(/dist\/(\S+)\.d\.ts\(.*Cannot find module '([^']+)'/g)];
      expect([...new Set(missing.map(([, file, peer]) => `${file}: ${peer}`))].toSorted()).toEqual([
        "middleware/jwt: jose",
        "middleware/trace: @opentelemetry/api",
      ]);
      expect(stdout.trim().split("\n").length).toBe(missing.length);
    },
  );

  it("name no type that TypeScript 5.4 does not have, where an entry leads", () => {
    const dist = join(scratch, "node_modules", "fingerpost", "dist");
    const reached = new Set(entries.map(([, { types }]) => join(dist, types!.replace("./dist/", ""))));
    for (const file of reached) {
      const text = readFileSync(file, "utf8");
      for (const [, path] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.(?:js|ts)"/g)) {
        reached.add(join(dirname(file), `${path!}.d.ts`));
      }
    }
    expect(reached.size).toBeGreaterThan(100);
    const newer = [
      // Errors there, and `any` with skipLibCheck, because typed arrays have had a parameter since 5.7.
      /\b(?:\w+Array|ArrayBufferView|DataView|Buffer)<(?!\w+\.|unknown|string)[^>]*Buffer/g,
      // Iterables have had parameters besides their items since 5.6, and so have the classes of iterators.
      /\b(?:AsyncIter|Iter)able(?:Iterator)?<(?:[^[\]<>;,]|\[[^\]]*\])+,|\bIteratorObject<|\bAsyncIteratorObject</g,
    ];
    const found = [...reached].flatMap((file) => {
      const text = readFileSync(file, "utf8").replaceAll(/^ *\/?\*.*$/gm, "");
      return newer.flatMap((names) => [...text.matchAll(names)].map(([use]) => `${file}: ${use}`));
    });
    expect(found).toEqual([]);
  });
});
