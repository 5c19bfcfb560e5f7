// The programs in Markdown, and what they say that they print.
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { filesIn } from "../support/files.ts";
import { rowsOf, tablePattern, type TableRow } from "./page-tables.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Snippet {
  /** The page and the line, as `docs/params.md:3`. */
  readonly place: string;
  readonly code: string;
  readonly isTypeScript: boolean;
  /** The name that the page gives to the file: ```` ```js [books.js] ````. */
  readonly file: string | null;
  /** All that it prints, if a block without a language follows; else null. */
  readonly output: string | null;
  /** The comments at the ends of lines: whatever it prints is among them, in order. */
  readonly comments: readonly string[];
  /** The table of requests and responses that follows, or none. */
  readonly rows: readonly TableRow[];
}

const pattern = new RegExp(
  `^\`{3}(?<language>ts|js)(?: \\[(?<file>[^\\]]+)\\])?\\n(?<code>[^]*?)^\`{3}\\n` +
    `(?:\\n+\`{3}\\n(?<output>[^]*?)^\`{3}$|\\n+${tablePattern})?`,
  "gm",
);

/** The programs of a page, in order. */
export function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(pattern)].map(({ index, groups }) => {
    const { code = "", language, file = null, output = null, table } = groups as Record<string, string | undefined>;
    const line = text.slice(0, index).split("\n").length;
    return {
      place: `${page}:${line}`,
      code,
      isTypeScript: language === "ts",
      file,
      output,
      comments: commentsIn(code),
      rows: table === undefined ? [] : rowsOf(table),
    };
  });
}

function commentsIn(code: string): string[] {
  return [...code.matchAll(/;\s*\/\/ (.*)$/gm)].map(([, comment]) => comment!);
}

const stores = [
  ...["memory", "postgres", "redis", "sqlite", "durable"].map((name) => `${name}Records ${name}Sessions`),
  "durableLimiter DurableStore SqliteClient DurableNamespace",
].join(" ");

const exported = "Application Attribute HTTPError Middleware Resource ResourceGroup Status statusOf";

const ofSemantics =
  "Application Attribute HTTPError Middleware Resource ResourceGroup Status reply bytes json text written event " +
  "events socket jsonSchema form upload lines page urlOf";

/** The same for the semantics module, with zod where it is used. */
function importsOfSemantics(code: string): string {
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
  const types = ["Call", "Answer", "Operation", "WithoutOperations", "Yields"]
    .filter(isUsed)
    .map((name) => `type ${name}`);
  const called = /\bproblem\(/.test(code) ? ["problem"] : [];
  const names = [...ofSemantics.split(" ").filter(isUsed), ...called, ...types].join(", ");
  const zod = /\bz\./.test(code) ? 'import { z } from "zod";\n' : "";
  return `${zod}import { ${names} } from "fingerpost";\n`;
}

const namesOfClient: readonly (readonly [module: string, names: string])[] = [
  [
    "fingerpost/client",
    "client ResponseError around Layer clientEvents clientLines itemsOf retries dpop connect etags currentOf",
  ],
  ["fingerpost/client/query", "queryOptions mutationOptions"],
];

/** What an example in a docstring need not import: the module that it is about. */
function importsFor(code: string, source: string, text: string): string {
  if (
    source.startsWith("src/semantics/") ||
    source.endsWith("raw-schema.ts") ||
    /(?:server-sent-event|client-socket)\.ts$/.test(source)
  ) {
    const calling = /\bclient<typeof/.test(code) ? 'import { client } from "fingerpost/client";\n' : "";
    return /^import \{[^}]*\bResource\b[^}]*\} from "fingerpost/m.test(code) ? "" : calling + importsOfSemantics(code);
  }
  if (source.startsWith("src/openapi/")) {
    const names = ["asyncapi", "asyncDocument", "document", "drift", "openapi"];
    const own = names.filter((name) => new RegExp(`\\b${name}\\(`).test(code));
    return `${importsOfSemantics(code)}import { ${own.join(", ")} } from "fingerpost/openapi";\n`;
  }
  if (source.startsWith("src/agents/")) return importsOfSemantics(code);
  if (source === "src/mock.ts") return `${importsOfSemantics(code)}import { mock } from "fingerpost/mock";\n`;
  if (source === "src/state/after.ts") {
    return `import { Application, Resource, Response } from "fingerpost/native";
import { after } from "fingerpost/after";
`;
  }
  if (source.startsWith("src/state/")) {
    const used = (names: string): string =>
      names
        .split(" ")
        .filter((name) => new RegExp(`\\b${name}\\b`).test(code))
        .map((name) => (/^(?:Session|SqliteClient|DurableNamespace)$/.test(name) ? `type ${name}` : name))
        .join(", ");
    const [writes, kept, hooks, from] = [
      used("commit idempotency"),
      used("Session sessions signedIn"),
      used("Webhook sendWebhook verifyWebhook"),
      used(`recordStoreCases sessionStoreCases ${stores}`),
    ];
    return `import { Application, Attribute, Resource, ResourceGroup, Response, Status } from "fingerpost/native";
import { z } from "zod";
${writes === "" ? "" : `import { ${writes} } from "fingerpost/idempotency";\n`}${
      kept === "" ? "" : `import { ${kept} } from "fingerpost/sessions";\n`
    }${hooks === "" ? "" : `import { ${hooks} } from "fingerpost/webhooks";\n`}${
      from === "" ? "" : `import { ${from} } from "fingerpost/stores";\n`
    }`;
  }
  if (/^src\/client\b/.test(source)) {
    const imports = namesOfClient.flatMap(([module, names]) => {
      const used = names.split(" ").filter((name) => new RegExp(`\\b${name}\\b`).test(code));
      return used.length === 0 ? [] : [`import { ${used.join(", ")} } from "${module}";\n`];
    });
    return importsOfSemantics(code) + imports.join("").replace("Layer", "type Layer");
  }
  const chain = source.endsWith("http.polyfill.ts") || /\bContextOf\b/.test(code) ? "polyfill" : "native";
  const isOfContent = /\/(?:conditional|negotiate)\.ts$/.test(source);
  const exportedHere = [...text.matchAll(/^export (?:abstract )?(?:class|const|function) (\w+)/gm)].map(
    ([, name]) => name!,
  );
  const own = source.startsWith("src/middleware/") ? exportedHere : [];
  const modules: readonly (readonly [module: string, names: readonly string[]])[] = [
    [`fingerpost/modules/http.${chain}.js`, [...exported.split(" "), "RequestOf", "ContextOf", "PathPatternError"]],
    ["fingerpost/node", ["NodeContext", "listener", "serve", "stoppingSignalOf", "upgrades"]],
    [
      "fingerpost/native/content",
      [
        ...(/\/(?:content\/(?:sockets|upgrade)|servers\/workers)\.ts$/.test(source) ? ["upgrade"] : []),
        ...(source.endsWith("/validators.ts") ? ["Validating", "Validator"] : []),
        ...(isOfContent ? own : []),
      ],
    ],
    ["fingerpost/sockets", source.endsWith("/content/sockets.ts") ? ["shareTopics"] : []],
    ["fingerpost/workers", ["hibernating", "HibernatableSocket", "HibernatingSockets", "ObjectState"]],
    ["zod", /\bz\./.test(code) ? ["z"] : []],
    [`fingerpost/middleware/${/^src\/middleware\/([^/]+)\.ts$/.exec(source)?.[1]}`, isOfContent ? [] : own],
  ];
  return modules
    .flatMap(([module, names]) => {
      const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
      const specifiers = used.map((name) =>
        /^(?:RequestOf|ContextOf|NodeContext|PathPatternError|Validating|Validator|Hibernat(?:able|ing)Sockets?|ObjectState)$/.test(
          name,
        )
          ? `type ${name}`
          : name,
      );
      return used.length === 0 || code.includes(module)
        ? []
        : `import { ${specifiers.join(", ")} } from "${module}";\n`;
    })
    .join("");
}

/** The examples in the docstrings of the sources, as programs. */
export function examples(): Snippet[] {
  const sources = (readdirSync(join(root, "src"), { recursive: true }) as string[])
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => `src/${file}`);
  return sources.flatMap((source) => {
    const text = readFileSync(join(root, source), "utf8");
    return [...text.matchAll(/^( *) \* @example\n\1 \* ```ts\n(.*?)^\1 \* ```$/gms)].map(([, , lines], index) => {
      const code = lines!.replace(/^ *\* ?/gm, "");
      const program = importsFor(code, source, text) + code;
      const place = `${source}, example ${index + 1}`;
      return {
        place,
        code: program,
        isTypeScript: true,
        file: null,
        output: null,
        comments: commentsIn(program),
        rows: [],
      };
    });
  });
}

/** All pages whose programs must work. */
export function pages(): string[] {
  const docs = filesIn(join(root, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`);
  const decisions = readdirSync(join(root, "decisions")).map((file) => `decisions/${file}`);
  return ["README.md", ...docs.toSorted(), ...decisions];
}

/** Puts the package into a folder, as an installation would: its entries, made from the sources. */
export async function install(folder: string): Promise<void> {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, { default?: string }>;
  };
  const entries = Object.values(exports).flatMap(({ default: file }) => (file === undefined ? [] : [file]));
  const outdir = join(folder, "node_modules/fingerpost");
  await build({
    entryPoints: Object.fromEntries(
      entries.map((file) => [file.slice(2, -3), join(root, file.replace("./dist/", "src/").replace(/\.js$/, ".ts"))]),
    ),
    outdir,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  copyFileSync(join(root, "package.json"), join(outdir, "package.json"));
}
