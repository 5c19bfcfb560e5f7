// Generated classes, declarations and calls, and how much a compiler instantiates for them: type-cost.js holds ours to
// limits, and bench/types.js measures others beside them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const own = scratchIn(root, {
  paths: { fingerpost: [join(root, "src/modules/http.semantics.ts")], "fingerpost/*.js": [join(root, "src/*.ts")] },
});

/**
 * Makes a folder to compile in: below a package, so that the compiler finds what is installed there. It is gone in the
 * end.
 */
export function scratchIn(folder, options) {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const scratch = mkdtempSync(join(folder, "node_modules", ".type-cost-"));
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const compilerOptions = { types: [], ...options };
  const files = ["resources.ts"];
  const project = { extends: join(root, "tsconfig.json"), compilerOptions, files, include: [] };
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(project));
  return scratch;
}

/** The compiler of a package, or `null` where it is not installed. */
export function compilerOf(name) {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "bin", "tsc");
  } catch {
    return null;
  }
}

/** Operations of two handlers in a class: what they declare, take and return. */
export const operations = {
  "query, content, two statuses": {
    GET: [
      "query: search, 200: thing, 404: NONE",
      "path.ID + query.limit",
      "{ id: path.ID, name: query.q ?? NONE, n: 1 }",
    ],
    PUT: ["content: thing, 200: thing, 409: NONE", "path.ID + content.n", "{ id: path.ID, name: content.name, n: 1 }"],
  },
  "three statuses": {
    GET: ["query: search, 200: thing, 404: NONE, 410: NONE", "path.ID + query.limit", "reply(200, thingOf(path.ID))"],
    PUT: ["content: thing, 201: thing, 204: NONE, 409: NONE", "path.ID + content.n", "reply(201, thingOf(path.ID))"],
  },
  "no content": {
    GET: ["204: NONE, 404: NONE", "path.ID", "undefined"],
    PUT: ["204: NONE, 404: NONE", "path.ID", "reply(204)"],
  },
  "path by a schema": {
    GET: ["path: search, 200: thing, 404: NONE", "`${path.limit}`", "thingOf(NONE)"],
    PUT: ["path: search, content: thing, 204: NONE, 404: NONE", "`${path.limit}${content.n}`", "reply(204)"],
  },
};

/** Two handlers a class: declared, annotated or not, each with a reply, and added by `resources()`. */
export function declarationsOf(handlers, kindOf, isAnnotated, after = "") {
  const classes = Array.from({ length: handlers / 2 }, (_, n) => {
    const { GET, PUT } = kindOf(n);
    const annotationOf = (method) => (isAnnotated ? `: Promise<Answer<typeof Thing${n}, "${method}">>` : "");
    const handler = (method, [declared, use, result]) => `
      static ${method} = { ${declared} }${after};
      async ${method}({ ${takenBy(declared)} }: Call<typeof Thing${n}, "${method}">)${annotationOf(method)} {
        if (isMissing(${use})) return reply(${/\b[45]\d\d\b/.exec(declared)[0]});
        return ${result};
      }`;
    const text = `class Thing${n} extends Resource {
      paths = ["/things${n}/:id${n}"] as const;
      ${handler("GET", GET)}
      ${handler("PUT", PUT)}
    }`;
    return text
      .replaceAll("NONE", '"None"')
      .replaceAll("path.ID", `path.id${n}`)
      .replaceAll(/: (thing|search)\b/g, `: $1${n}`)
      .replaceAll("thingOf", `thing${n}Of`);
  });
  const names = Array.from({ length: handlers / 2 }, (_, n) => `Thing${n}`);
  return `${classes.join("\n")}\nexport const members = resources(${names.join(", ")});`;
}

function takenBy(declared) {
  return ["path", ...["query", "content"].filter((part) => declared.includes(`${part}:`))].join(", ");
}

/** The schemas of two handlers a class, by a type of their own: what a library's types cost is not ours. */
export function schemasOf(handlers) {
  const schemas = Array.from({ length: handlers / 2 }, (_, n) => {
    return `interface Thing${n}Data { id: string; name: string; n: number }
    interface Search${n} { q?: string | undefined; limit: number }
    export declare const thing${n}: StandardSchema<Thing${n}Data>, search${n}: StandardSchema<Search${n}>;
    export declare function thing${n}Of(id: string): Thing${n}Data;`;
  });
  return `import { Resource } from "fingerpost/application/resource.js";
    import type { Answer } from "fingerpost/semantics/declaration/answer.js";
    import type { Call } from "fingerpost/semantics/declaration/call.js";
    import { reply } from "fingerpost/semantics/declaration/reply.js";
    import type { CheckedMembers } from "fingerpost/semantics/declaration/resource-class.js";
    import type { StandardSchema } from "fingerpost/json-schema/shape/standard-schema.js";
    export declare function isMissing(value: unknown): boolean;
    export declare function resources<const Members extends readonly unknown[]>(
      ...members: CheckedMembers<Members>
    ): Members;
    import type { Operation } from "fingerpost/semantics/declaration/operation.js";
    export type Used = [Operation, Answer<never, "GET">, Call<never, "GET">, typeof reply, Resource];
    ${schemas.join("\n")}`;
}

/**
 * What gives the params of a call: the pattern, a schema of the path, and the prefix of a group besides, which no
 * schema names.
 */
export const calls = {
  "params of the pattern": { prefix: "", hasSchema: false },
  "a path schema": { prefix: "", hasSchema: true },
  "params of a prefix": { prefix: "/:tenant", hasSchema: false },
  "a path schema, params of a prefix": { prefix: "/:tenant", hasSchema: true },
};

/**
 * An application of two declared operations a class, and its client: one call for each operation, whose result is read.
 */
export function clientOf(handlers, { prefix, hasSchema }, isCalled) {
  const each = (make) => Array.from({ length: handlers / 2 }, (_, n) => make(n)).join("\n");
  const called = each((n) => {
    const methods = `api["${prefix}/things${n}/:id${n}"]`;
    const path = `path: { ${prefix && 'tenant: "x", '}id${n}: "1" }`;
    return `{
      const found = await ${methods}.GET({ ${path}, query: { limit: 5 } });
      if (found.status === 200) use(found.content.n);
      else use(found.content.detail);
      const put = await ${methods}.PUT({ ${path}, content: { id: "1", name: "x", n: 1 } });
      if (put.ok) use(put.content.name);
    }`;
  });
  const classes = each((n) => {
    const path = hasSchema ? `path: path${n}, ` : "";
    return `interface Path${n} { id${n}: string }
    declare const path${n}: StandardSchema<Path${n}>;
    class Thing${n} extends Resource {
      paths = ["/things${n}/:id${n}"] as const;
      static GET = { ${path}query: search${n}, 200: thing${n}, 404: "None" };
      static PUT = { ${path}content: thing${n}, 200: thing${n}, 404: "None", 409: "Taken" };
    }`;
  });
  const members = each((n) => `Thing${n},`);
  return `${schemasOf(handlers)}
    import type { Collected } from "fingerpost/application/grouped-resources.js";
    import { client } from "fingerpost/client";
    declare function use(value: string | number | undefined): void;
    declare function applicationOf<const Members extends readonly unknown[]>(
      ...members: Members
    ): { readonly "~members": Collected<never, Members[number]> };
    declare function groupOf<const Prefix extends string, const Members extends readonly unknown[]>(
      prefix: Prefix, ...members: Members
    ): { readonly "~members": Collected<Prefix, Members[number]> };
    ${classes}
    const app = applicationOf(${prefix ? `groupOf("${prefix}", ${members})` : members});
    export const api = client<typeof app>("http://localhost");
    export async function run(): Promise<void> { void groupOf; ${isCalled ? called : "use(1);"} }`;
}

/** Compiles a program in a folder, and says how many types were instantiated. */
export function instantiations(text, by = compilerOf("typescript"), scratch = own) {
  writeFileSync(join(scratch, "resources.ts"), text);
  const args = [by, "-p", scratch, "--extendedDiagnostics", "--pretty", "false"];
  if (by === compilerOf("typescript")) args.push("--singleThreaded");
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The resources do not compile:\n${stdout.slice(0, 1000)}`);
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)[1]);
}
