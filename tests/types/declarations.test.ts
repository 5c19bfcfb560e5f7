// A program with `declaration: true`, put before the compiler: what it exports can be named by what the package
// exports.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
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

function faultsOf(text: string): string {
  writeFileSync(join(scratch, "program.ts"), text);
  const language = { target: "ES2022", module: "NodeNext", lib: ["ES2023", "DOM", "DOM.Iterable"], types: ["node"] };
  const output = { declaration: true, emitDeclarationOnly: true, outDir: "declarations" };
  const compilerOptions = { ...language, ...output, strict: true, skipLibCheck: true };
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  try {
    return execFileSync(process.execPath, [compiler, "-p", scratch, "--pretty", "false"], { encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

function programOf(chain: string, alias: string): string {
  return `
    import { Application, Resource, ResourceGroup, Status, type ${alias} } from "fingerpost/modules/http.${chain}.js";
    import { cookieJarOf } from "fingerpost/middleware/cookies.js";
    import { listener, serve } from "fingerpost/servers/node.js";

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

describe("exported values without a type", () => {
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
