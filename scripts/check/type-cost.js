// Measures what inferred types cost the compiler: the params of 600 handlers in 300 resources, against the same classes
// untyped; declared operations of 100, 300 and 600 handlers, against their schemas alone; and calls of a typed client, one for
// each handler, against the same application without calls.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const limit = 40_000;
/** Instantiations for each declared handler, schemas aside: of a mix of kinds, and of any one kind. */
const declaredLimits = { mix: 140, kind: 150 };
/** Instantiations for each call of a client. */
const callLimit = 150;
const root = fileURLToPath(new URL("../..", import.meta.url));
const compiler = compilerOf("typescript");

/** The compiler of a package, or `null` where it is not installed. */
function compilerOf(name) {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "bin", "tsc");
  } catch {
    return null;
  }
}

const kinds = {
  static: { paths: (n) => [`/things${n}`], name: null },
  required: { paths: (n) => [`/things${n}/:id${n}`], name: (n) => `id${n}` },
  optional: { paths: (n) => [`/things${n}/:id${n}?`], name: (n) => `id${n}` },
  "three params": { paths: (n) => [`/orgs${n}/:org/repos/:repo/issues/:issue${n}`], name: (n) => `issue${n}` },
  "two patterns": { paths: (n) => [`/a${n}/:id${n}`, `/b${n}/:id${n}/:page?`], name: (n) => `id${n}` },
  constrained: { paths: (n) => [`/things${n}/:id${n}(\\d+)`], name: (n) => `id${n}` },
  affixed: { paths: (n) => [`/files${n}/:file${n}.:ext`], name: (n) => `file${n}` },
  expression: { paths: (n) => [`/images${n}/(.+\\.jpg)`], name: () => "0" },
  rest: { paths: (n) => [`/files${n}/:path${n}+`], name: (n) => `path${n}` },
};
const chains = {
  native: { alias: "RequestOf", use: (value) => `return new Response(${value});`, result: "Response" },
  polyfill: { alias: "ContextOf", use: (value) => `return ${value};`, result: "unknown" },
};

function moduleOf(chain, kindOf, isTyped) {
  const { alias, use, result } = chains[chain];
  const classes = Array.from({ length: 300 }, (_, n) => {
    const { paths, name } = kindOf(n);
    const value = name === null ? "input.params.pattern" : `input.params.pathParam(${JSON.stringify(name(n))})`;
    const type = isTyped ? `${alias}<Thing${n}>` : alias;
    const handler = (method) => `${method}(input: ${type}): ${result} { ${use(value)} }`;
    return `export class Thing${n} extends Resource {
      paths = ${JSON.stringify(paths(n))}${isTyped ? " as const" : ""};
      ${handler("GET")}
      ${handler("PUT")}
    }`;
  });
  return `import { Resource, type ${alias} } from "fingerpost/modules/http.${chain}.js";\n${classes.join("\n")}`;
}

/** Operations of two handlers in a class: what they declare, take and return. */
const operations = {
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
function declarationsOf(handlers, kindOf, isAnnotated) {
  const classes = Array.from({ length: handlers / 2 }, (_, n) => {
    const { GET, PUT } = kindOf(n);
    const handler = (method, [declared, use, result]) => `
      static ${method} = { ${declared} };
      async ${method}({ ${takenBy(declared)} }: Call<typeof Thing${n}, "${method}">)${isAnnotated ? `: Promise<Answer<typeof Thing${n}, "${method}">>` : ""} {
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
function schemasOf(handlers) {
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
    import type { StandardSchema } from "fingerpost/semantics/declaration/standard-schema.js";
    export declare function isMissing(value: unknown): boolean;
    export declare function resources<const Members extends readonly unknown[]>(...members: CheckedMembers<Members>): Members;
    export type Used = [Answer<never, "GET">, Call<never, "GET">, typeof reply, Resource];
    ${schemas.join("\n")}`;
}

/** An application of two declared operations a class, and its client: one call for each operation, whose result is read. */
function clientOf(handlers, isCalled) {
  const each = (make) => Array.from({ length: handlers / 2 }, (_, n) => make(n)).join("\n");
  const calls = each(
    (n) => `{
      const found = await api["/things${n}/:id${n}"].GET({ path: { id${n}: "1" }, query: { limit: 5 } });
      if (found.status === 200) use(found.content.n);
      else use(found.content.detail);
      const put = await api["/things${n}/:id${n}"].PUT({ path: { id${n}: "1" }, content: { id: "1", name: "x", n: 1 } });
      if (put.ok) use(put.content.name);
    }`,
  );
  const classes = each(
    (n) => `class Thing${n} extends Resource {
      paths = ["/things${n}/:id${n}"] as const;
      static GET = { query: search${n}, 200: thing${n}, 404: "None" };
      static PUT = { content: thing${n}, 200: thing${n}, 404: "None", 409: "Taken" };
    }`,
  );
  return `${schemasOf(handlers)}
    import { client } from "fingerpost/client.js";
    import type { Collected } from "fingerpost/application/placement.js";
    declare function use(value: string | number | undefined): void;
    declare function applicationOf<const Members extends readonly unknown[]>(
      ...members: Members
    ): { readonly "~members": Collected<never, Members[number]> };
    ${classes}
    const app = applicationOf(${each((n) => `Thing${n},`)});
    export const api = client<typeof app>("http://localhost");
    export async function run(): Promise<void> { ${isCalled ? calls : "use(1);"} }`;
}

function isCallCostOver(name, by, sizes) {
  const costs = sizes.map(
    (handlers) =>
      (instantiations(clientOf(handlers, true), by) - instantiations(clientOf(handlers, false), by)) / handlers,
  );
  const figures = costs.map((cost, place) => `${cost.toFixed(1)} at ${sizes[place]}`).join(", ");
  console.log(`type cost: ${name}, calls of a client: ${figures} handlers, of at most ${callLimit} each`);
  return costs.some((cost) => cost > callLimit || cost > costs[0] * 1.05);
}

function instantiations(text, by = compiler) {
  writeFileSync(join(scratch, "resources.ts"), text);
  const args = [by, "-p", scratch, "--extendedDiagnostics", "--pretty", "false"];
  if (by === compiler) args.push("--singleThreaded");
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The resources do not compile:\n${stdout.slice(0, 1000)}`);
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)[1]);
}

function isDeclaredCostOver(name, by, sizes) {
  const alone = new Map(sizes.map((handlers) => [handlers, instantiations(schemasOf(handlers), by)]));
  const isOverAt = (what, at, kindOf, isAnnotated, most) => {
    const costs = at.map((handlers) => {
      const text = schemasOf(handlers) + declarationsOf(handlers, kindOf, isAnnotated);
      return (instantiations(text, by) - alone.get(handlers)) / handlers;
    });
    const figures = costs.map((cost, place) => `${cost.toFixed(1)} at ${at[place]}`).join(", ");
    console.log(`type cost: ${name}, declared, ${what}: ${figures} handlers, of at most ${most} each`);
    // What grows faster than the handlers does costs more for each of many.
    return costs.some((cost) => cost > most || cost > costs[0] * 1.05);
  };
  const mixed = Object.values(operations);
  const mix = (n) => mixed[n % mixed.length];
  const isMixOver = [
    isOverAt("all kinds", sizes, mix, true, declaredLimits.mix),
    isOverAt("all kinds, results not annotated", sizes, mix, false, declaredLimits.mix),
  ].includes(true);
  if (by !== compiler) return isMixOver;
  const isKindOver = Object.entries(operations).map(([kind, operation]) => {
    return isOverAt(kind, [300], () => operation, true, declaredLimits.kind);
  });
  return isMixOver || isKindOver.includes(true);
}

mkdirSync(join(root, "node_modules"), { recursive: true });
const scratch = mkdtempSync(join(root, "node_modules", ".type-cost-"));
writeFileSync(
  join(scratch, "tsconfig.json"),
  JSON.stringify({
    extends: join(root, "tsconfig.json"),
    compilerOptions: { types: [], paths: { "fingerpost/*.js": [join(root, "src/*.ts")] } },
    files: ["resources.ts"],
    include: [],
  }),
);

let isOver = false;
try {
  const all = Object.values(kinds);
  const mixes = [["all kinds", (n) => all[n % all.length]]];
  for (const [name, kind] of Object.entries(kinds)) mixes.push([name, () => kind]);
  for (const chain of Object.keys(chains)) {
    for (const [name, kindOf] of mixes) {
      const untyped = instantiations(moduleOf(chain, kindOf, false));
      const cost = instantiations(moduleOf(chain, kindOf, true)) - untyped;
      console.log(`type cost: ${chain}, 300 resources, ${name}: ${cost} instantiations of at most ${limit}`);
      isOver ||= cost > limit;
    }
  }
  for (const name of ["typescript", "typescript6", "typescript5"]) {
    const by = compilerOf(name);
    if (by === null) console.log(`type cost: ${name} is not installed`);
    // The compiler of the repository at all sizes: the others count alike.
    else {
      const sizes = by === compiler ? [100, 300, 600] : [300];
      isOver = isDeclaredCostOver(name, by, sizes) || isOver;
      isOver = isCallCostOver(name, by, sizes) || isOver;
    }
  }
} finally {
  rmSync(scratch, { recursive: true });
}
process.exitCode = isOver ? 1 : 0;
