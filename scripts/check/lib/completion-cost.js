// How much a language service instantiates to complete the paths of a typed client, after an edit of its file: handlers
// with schemas of zod, whose results are inferred, as most people write them.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const client = `import { client } from "fingerpost/client";
import type { app } from "./app.ts";
const api = client<typeof app>("/api");
api["¦"];
`;

function applicationOf(handlers) {
  const numbers = Array.from({ length: handlers / 2 }, (_, n) => n);
  const classes = numbers.map(
    (n) => `
const search${n} = z.object({ q: z.string().optional(), lang: z.enum(["en", "de"]).optional() });
const thing${n} = z.object({ id: z.string(), name: z.string(), count: z.number(), extra${n}: z.string().optional() });
const change${n} = z.object({ name: z.string(), count: z.number(), note${n}: z.string().optional() });
export class Thing${n} extends Resource {
  paths = ["/things${n}/:id"] as const;

  static GET = { query: search${n}, 200: thing${n}, 404: "None" };
  override async GET({ path, query }: Call<typeof Thing${n}, "GET">) {
    const rows = [...store.values()].filter((row) => query.q === undefined || row.name.includes(query.q));
    const found = rows.map(({ name, count }) => ({ name: name.trim(), count })).sort((a, b) => a.count - b.count)[0];
    return found === undefined ? reply(404) : { id: path.id, ...found, extra${n}: "x" };
  }

  static PUT = { content: change${n}, 200: thing${n}, 404: "None" };
  override async PUT({ path, content }: Call<typeof Thing${n}, "PUT">) {
    if (!store.has(path.id)) return reply(404);
    store.set(path.id, content);
    return { id: path.id, name: content.name, count: content.count };
  }
}`,
  );
  return `import { Application, reply, Resource, type Call } from "fingerpost";
import { z } from "zod";
const store = new Map<string, { readonly name: string; readonly count: number }>();
${classes.join("\n")}
export const app = Application.builder().resources(${numbers.map((n) => `Thing${n}`).join(", ")}).build();
`;
}

/** Counts what the language service of TypeScript 5 instantiates. TypeScript 7 does not say it. */
export function completionCost(handlers) {
  const ts = createRequire(import.meta.url)("typescript5");
  const [app, program] = ["app.ts", "program.ts"].map((name) => join(root, name));
  const place = client.indexOf("¦");
  const texts = new Map([
    [app, applicationOf(handlers)],
    [program, client.replace("¦", "")],
  ]);
  let edits = 0;
  const options = {
    ...ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
      ts.sys,
      root,
    ).options,
    types: [],
  };
  const service = ts.createLanguageService({
    getScriptFileNames: () => [program],
    getScriptVersion: (file) => (file === program ? `${edits}` : "0"),
    getScriptSnapshot: (file) => {
      const text = texts.get(file) ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (file) => texts.has(file) || ts.sys.fileExists(file),
    readFile: (file) => texts.get(file) ?? ts.sys.readFile(file),
  });
  let count = 0;
  while (edits < 2) {
    edits++;
    texts.set(program, `${client.replace("¦", "")}${"\n".repeat(edits)}`);
    const found = service.getCompletionsAtPosition(program, place, {})?.entries.length;
    if (found !== handlers / 2) throw new Error(`Expected ${handlers / 2} paths, got ${found}`);
    count = service.getProgram().getInstantiationCount();
  }
  const [fault] = service.getSemanticDiagnostics(app);
  if (fault !== undefined) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, "\n"));
  return count;
}
