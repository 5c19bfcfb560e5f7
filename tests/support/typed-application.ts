/**
 * How the schemas of an application are known: by a library, or by a type alone, which costs nothing but what is ours.
 */
export type SchemasBy = "zod" | "types";

/**
 * Writes a module that exports an application: two handlers a class, with query, content, params and several statuses.
 */
export function applicationText(classes: number, by: SchemasBy): string {
  const all = (write: (n: number) => string): string => Array.from({ length: classes }, (_, n) => write(n)).join("\n");
  const schemas = {
    zod: (n: number) => `
const thing${n} = z.object({ id: z.string(), name: z.string(), n: z.int(), at${n}: z.iso.datetime() });
const search${n} = z.object({ q: z.string().optional(), limit: z.int() });`,
    types: (n: number) => `
declare const thing${n}: Schema<{ id: string; name: string; n: number; at${n}: string }>;
declare const search${n}: Schema<{ q?: string | undefined; limit: number }>;`,
  };
  return `
import { Application, reply, Resource, type Answer, type Call } from "fingerpost";
${
  by === "zod"
    ? 'import { z } from "zod";'
    : "interface Schema<T> { readonly '~standard': { readonly version: 1; " +
      "readonly " +
      "vendor: " +
      "string; " +
      "readonly " +
      "validate: " +
      "(value: unknown) => { readonly value: T }; readonly types?: { readonly input: T; readonly output: T } } }"
}
${all(
  (n) => `${schemas[by](n)}
export class Thing${n} extends Resource {
  paths = ["/things${n}/:id${n}"] as const;

  static GET = { query: search${n}, 200: thing${n}, 404: "None" };
  override async GET({ path, query }: Call<typeof Thing${n}, "GET">): Promise<Answer<typeof Thing${n}, "GET">> {
    if (query.limit > 4) return reply(404);
    return { id: path.id${n}, name: query.q ?? "", n: 1, at${n}: "2026-01-31T00:00:00Z" };
  }

  static PUT = { content: thing${n}, 200: thing${n}, 404: "None", 409: "Taken" };
  override async PUT({ content }: Call<typeof Thing${n}, "PUT">): Promise<Answer<typeof Thing${n}, "PUT">> {
    return content;
  }
}`,
)}
export const app = Application.builder().resources(${all((n) => `Thing${n},`)}).build();
`;
}

/** Where the cursor is in what an editor shows of a client: what is asked for there. */
export const asked = {
  paths: 'api["¦"]',
  methods: 'api["/things7/:id7"].¦',
  parts: 'api["/things7/:id7"].GET({ ¦ })',
  params: 'api["/things7/:id7"].GET({ path: { ¦ } })',
  query: 'api["/things7/:id7"].GET({ path: { id7: "1" }, query: { ¦ } })',
  statuses: `const result = await api["/things7/:id7"].GET({ path: { id7: "1" }, query: { limit: 1 } });
    if (result.status === ¦) {}`,
  content: `const result = await api["/things7/:id7"].GET({ path: { id7: "1" }, query: { limit: 1 } });
    if (result.status === 200) result.content.¦`,
} as const;

/** A program with a client of the application that a module exports, and what is asked for in it. */
export function clientText(module: string, line: string): string {
  return `import { client } from "fingerpost/client";
import type { app } from "${module}";
const api = client<typeof app>("/api");
${line}
`;
}
