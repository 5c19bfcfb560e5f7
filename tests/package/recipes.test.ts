// The recipes of docs/front-ends.md for React, Vue, SvelteKit and server components: compiled against our types, and
// against what they use of the frameworks, which are not installed.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
// Beside this file there is an older compiler, for the consumers of the package.
const compiler = join(root, "node_modules/typescript/bin/tsc");
mkdirSync(join(root, "node_modules"), { recursive: true });
// Inside of the repository, so that zod is found.
const scratch = mkdtempSync(join(root, "node_modules", ".recipes-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const server = `
import { Application, reply, Resource, type Answer, type Call } from "fingerpost";
import type { ApiOf } from "fingerpost/client";
import { z } from "zod";
const book = z.object({ title: z.string() });
class Book extends Resource {
  paths = ["/books/:isbn"] as const;
  static GET = { 200: book, 404: "No book has this ISBN" };
  override GET(): Answer<typeof Book, "GET"> { return reply(404); }
  static PUT = { content: book, 204: "Stored" };
  override PUT(_call: Call<typeof Book, "PUT">): undefined { return undefined; }
}
const app = Application.builder().resources(Book).build();
export type Api = ApiOf<typeof app>;
`;

const frameworks = `
declare namespace JSX {
  interface Element {}
  interface IntrinsicElements { [name: string]: object }
}
declare module "@tanstack/query" {
  interface Query<Data> {
    queryKey: readonly unknown[];
    queryFn: (context: { queryKey: readonly unknown[]; signal: AbortSignal }) => Promise<Data>;
  }
  interface Mutation<Input, Data> { mutationKey?: readonly unknown[]; mutationFn: (input: Input) => Promise<Data> }
}
declare module "@tanstack/react-query" {
  import type { Mutation, Query } from "@tanstack/query";
  export function useQuery<Data>(options: Query<Data>): { data: Data | undefined; error: Error | null };
  export function useMutation<Input, Data>(options: Mutation<Input, Data>): { mutate(input: Input): void };
}
declare module "@tanstack/vue-query" {
  import type { Query } from "@tanstack/query";
  export function useQuery<Data>(options: Query<Data>): { data: { value: Data | undefined } };
}
declare function defineProps<Props>(): Props;
declare module "next/headers" {
  export function cookies(): Promise<{ toString(): string }>;
}
`;

/** The recipes of the page, each as a program: of a component of Vue, its script. */
function recipes(change: (code: string) => string = (code) => code): Record<string, string> {
  const page = readFileSync(join(root, "docs/front-ends.md"), "utf8");
  const blocks = [...page.matchAll(/^```(tsx|vue|svelte)\n([^]*?)^```$/gm)];
  return Object.fromEntries(
    blocks.map(([, language, code], at) => {
      const script = language === "vue" ? /<script setup lang="ts">([^]*)<\/script>/.exec(code!)![1]! : code!;
      // The others import the first one.
      const name = at === 0 ? "api.ts" : `recipe${at}.${language === "tsx" ? "tsx" : "ts"}`;
      return [name, change(script)];
    }),
  );
}

function faultsOf(programs: Record<string, string>): string {
  const front = join(scratch, "front");
  mkdirSync(front, { recursive: true });
  mkdirSync(join(scratch, "server"), { recursive: true });
  writeFileSync(join(scratch, "server/api.ts"), server);
  writeFileSync(join(front, "frameworks.d.ts"), frameworks);
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(front, name), code);
  const compilerOptions = {
    types: [],
    jsx: "preserve",
    // SvelteKit brings the types of the parameters of load().
    noImplicitAny: false,
    noUnusedLocals: false,
    paths: {
      fingerpost: [join(root, "src/modules/http.semantics.ts")],
      "fingerpost/client": [join(root, "src/client.ts")],
      "fingerpost/client/*": [join(root, "src/client/*.ts")],
    },
  };
  const files = [...Object.keys(programs), "frameworks.d.ts"].map((name) => join(front, name));
  const project = { extends: join(root, "tsconfig.json"), compilerOptions, include: [], files };
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(project));
  try {
    return execFileSync(process.execPath, [compiler, "-p", scratch, "--pretty", "false"], { encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

it("the recipes for React, Vue, SvelteKit and server components compile", { timeout: 120_000 }, () => {
  const programs = recipes();
  expect(Object.keys(programs)).toEqual(["api.ts", "recipe1.tsx", "recipe2.ts", "recipe3.ts", "recipe4.tsx"]);
  expect(faultsOf(programs)).toBe("");
});

it("a recipe with a wrong param does not compile", { timeout: 120_000 }, () => {
  const wrong = recipes((code) =>
    code.replaceAll(/path: \{ isbn(?:: ([^}]+))? \}/g, (_, value = "isbn") => `path: { id: ${value} }`),
  );
  const faults = faultsOf(wrong).split("\n");
  for (const name of Object.keys(wrong).slice(1)) {
    expect(faults.filter((fault) => fault.includes(name)).join("\n")).toContain("'id' does not exist in type");
  }
});
