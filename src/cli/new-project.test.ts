import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { run } from "./run.ts";
import { newProject } from "./new-project.ts";

const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
afterAll(() => rmSync(folder, { recursive: true }));

const make = (...args: string[]): string => newProject(args, "4.5.6", folder);
const text = (...path: string[]): string => readFileSync(join(folder, ...path), "utf8");
const json = (...path: string[]): Record<string, unknown> => JSON.parse(text(...path)) as Record<string, unknown>;

describe("newProject()", () => {
  it("makes a project of the semantics chain for Node, and says what to type", () => {
    expect(make("library")).toBe(
      "Made library: runtime node, chain semantics\n\n  cd library\n  npm install\n  npm start\n  npm test\n",
    );
    expect(readdirSync(join(folder, "library")).toSorted()).toEqual([
      ".gitignore",
      "README.md",
      "package.json",
      "src",
      "tsconfig.json",
    ]);
    expect(json("library", "package.json")).toMatchObject({
      name: "library",
      dependencies: { fingerpost: "^4.5.6", zod: expect.stringMatching(/^\^4/) as string },
    });
    expect(text("library", "src", "book.ts")).toContain('from "fingerpost"');
    expect(text("library", "src", "application.ts")).toContain('.replies("check")');
    expect(text("library", ".gitignore")).toContain("node_modules/");
    expect(text("library", "src", "server.ts")).toContain("/docs describes the API");
    expect(existsSync(join(folder, "library", "src", "call.ts"))).toBe(true);
    expect(text("library", "README.md")).toContain("\n- `/docs` describes the API, and `src/call.ts` calls it");
  });

  it("makes a project of the native chain, without a library of schemas", () => {
    make("plain", "--chain", "native");
    expect(json("plain", "package.json")["dependencies"]).toEqual({ fingerpost: "^4.5.6" });
    expect(text("plain", "src", "book.ts")).toContain('from "fingerpost/native";');
    expect(existsSync(join(folder, "plain", "src", "call.ts"))).toBe(false);
    expect(text("plain", "README.md")).not.toMatch(/\/docs|call\.ts|declared/);
    expect(text("plain", "README.md")).toContain("one resource per file.\n- `src/application.ts`");
  });

  it.each(["bun", "deno", "workers"])("makes a project for %s", (runtime) => {
    make(`--runtime=${runtime}`, `on-${runtime}`);
    expect(text(`on-${runtime}`, "src", "application.ts")).toContain("export default app;");
    expect(text(`on-${runtime}`, "src", "book.ts")).toContain("fingerpost");
    const files = readdirSync(join(folder, `on-${runtime}`)).filter((file) => file.endsWith(".json"));
    const all = files.map((file) => text(`on-${runtime}`, file)).join("");
    expect(all).not.toContain("template-");
    expect(all).toContain("fingerpost");
    expect(all).toMatch(/"zod": "(?:npm:zod@)?\^4/);
  });

  it("names the worker, and what Deno imports", () => {
    make("edge", "--runtime", "workers");
    expect(json("edge", "wrangler.json")).toMatchObject({ name: "edge", main: "src/application.ts" });
    make("dino", "--runtime", "deno", "--chain=native");
    expect(json("dino", "deno.json")["imports"]).toEqual({
      fingerpost: "npm:fingerpost@^4.5.6",
      "fingerpost/": "npm:/fingerpost@^4.5.6/",
    });
  });

  it("copies the application of notes, without what belongs to the repository", () => {
    expect(make("mine", "--template", "notes")).toBe(
      "Made mine: runtime node, chain semantics\n\n  cd mine\n  npm install\n  npm start\n",
    );
    expect(readdirSync(join(folder, "mine")).toSorted()).toEqual([
      ".gitignore",
      "README.md",
      "package.json",
      "page",
      "server",
      "tsconfig.build.json",
      "tsconfig.json",
    ]);
    const manifest = json("mine", "package.json");
    expect(manifest).toMatchObject({ name: "mine", dependencies: { fingerpost: "^4.5.6" } });
    expect(Object.keys(manifest["scripts"] as object)).toEqual(["prestart", "compile", "start"]);
    const all = ["README.md", "package.json", "tsconfig.json", "tsconfig.build.json"].map((file) => text("mine", file));
    expect(all.join("")).not.toMatch(/\.\.\/\.\.|glue|Dockerfile|In the repository/);
  });

  it.each([
    [[], "Cannot run new: expected one name, got 0"],
    [["a", "b"], "Cannot run new: expected one name, got 2"],
    [["../up"], 'Cannot make "../up": expected a name of lower-case letters, digits, ".", "_" and "-"'],
    [["Up"], 'Cannot make "Up": expected a name of lower-case letters, digits, ".", "_" and "-"'],
    [["..", "--chain=native"], 'Cannot make "..": expected a name'],
    [["a", "--runtime"], "Cannot use --runtime: expected node, bun, deno, workers, got none"],
    [["a", "--runtime=php"], 'Cannot use --runtime: expected node, bun, deno, workers, got "php"'],
    [["a", "--chain", "polyfill"], 'Cannot use --chain: expected semantics, native, got "polyfill"'],
    [["a", "--json"], 'Cannot use "--json" with new: expected --runtime, --chain or --template'],
    [["a", "--template", "todo"], 'Cannot use --template: expected notes, got "todo"'],
    [["a", "--template=notes", "--chain=native"], "Cannot use --template with another runtime or chain"],
    [["a", "--template=notes", "--runtime=bun"], "Cannot use --template with another runtime or chain"],
  ])("refuses %j", async (args, message) => {
    const { output, code } = await run(["new", ...args]);
    expect(code).toBe(2);
    expect(output).toContain(message);
    expect(output).toContain("Usage:");
  });

  it("refuses a folder that exists, and leaves it as it is", async () => {
    mkdirSync(join(folder, "taken"));
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    expect(await run(["new", "taken"])).toEqual({
      output: "Cannot make taken: the folder exists; choose another name, or remove it\n",
      code: 2,
    });
    expect(readdirSync(join(folder, "taken"))).toEqual([]);
    expect(await run(["new", "free"])).toMatchObject({ code: 0 });
    vi.spyOn(process, "cwd").mockReturnValue(join(folder, "nowhere"));
    const { output, code } = await run(["new", "lost"]);
    expect(code).toBe(2);
    expect(output).toContain("ENOENT");
    vi.restoreAllMocks();
  });
});
