// What an editor lists while a declaration or a call is written. How long it takes is for `node bench/completion.js`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { Status } from "../../src/http/protocol/status.ts";
import { sampled } from "../support/sampled.ts";
import { languageServer, type LanguageServer, type Place } from "../support/language-server.ts";
import { applicationText, asked, clientText } from "../support/typed-application.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
mkdirSync(join(root, "node_modules"), { recursive: true });
// Inside of the repository, so that zod is found.
const scratch = mkdtempSync(join(root, "node_modules", ".completion-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const file = join(scratch, "program.ts");
writeFileSync(
  join(scratch, "tsconfig.json"),
  JSON.stringify({
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      types: [],
      paths: {
        fingerpost: [join(root, "src/modules/http.semantics.ts")],
        "fingerpost/client": [join(root, "src/client.ts")],
      },
    },
    files: ["program.ts"],
    include: [],
  }),
);
writeFileSync(file, "");
writeFileSync(join(scratch, "small.ts"), applicationText(10, "zod"));
writeFileSync(join(scratch, "large.ts"), applicationText(300, "types"));

const servers = new Map<string, Promise<LanguageServer>>();
afterAll(async () => {
  for (const server of servers.values()) (await server).close();
});

/**
 * Opens programs in an editor, and lists what completes at each cursor. TypeScript 7 marks optional members by a `?`.
 */
async function started(name: string): Promise<(program: string) => Promise<readonly string[]>> {
  const server = await serverOf(name);
  return async (program) => {
    const at = placed(program);
    await server.open(file, at.text);
    const names = await server.completions(at);
    return names.map((one) => one.replace(/\?$/, "")).toSorted();
  };
}

function placed(program: string): Place {
  return { file, text: program.replace("¦", ""), place: program.indexOf("¦") };
}

async function serverOf(name: string): Promise<LanguageServer> {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  if (!servers.has(name)) servers.set(name, languageServer(folder));
  return servers.get(name)!;
}

function declaring(declaration: string): string {
  return `import { z } from "zod";
import { Resource, type Operation } from "fingerpost";
const book = z.object({ title: z.string() });
export class Book extends Resource {
  paths = ["/books/:isbn"] as const;
  static GET = ${declaration};
  override GET(): unknown { return { title: "Kindred" }; }
}
`;
}

/** A handler of a declared operation, whose call is `call`. */
function handling(line: string): string {
  return `import { z } from "zod";
import { client } from "fingerpost/client";
import { Application, reply, Resource, type Answer, type Call } from "fingerpost";
const book = z.object({ title: z.string(), year: z.int(), tags: z.array(z.string()) });
export class Book extends Resource {
  paths = ["/books/:isbn"] as const;
  static GET = { query: z.object({ lang: z.string() }), 200: book, 404: "No book has this ISBN" };
  override GET(call: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
    ${line}
    return reply(404);
  }
  static PUT = { content: book, 204: "Stored" };
  override PUT({ content }: Call<typeof Book, "PUT">) { return reply(content.year > 0 ? 204 : 204); }
}
const app = Application.builder().resources(Book).build();
const api = client<typeof app>("/api");
export const result = await api["/books/:isbn"].GET({ path: { isbn: "1" }, query: { lang: "en" } });
if (result.ok) result.content;
`;
}

const members = [
  "anonymous", "at", "audience", "cache", "content", "cook" +
    "ies", "deprecated", "description", "etag", "examples", "headers", "id", "idempotency",
  "may", "path", "precondition", "query", "scopes", "security", "shared", "summary", "tags", "tool",
]; // prettier-ignore
const statuses = Object.values(Status).map(({ status }) => `"${status}"`);

// A language server takes seconds to read a program for the first time, and many times that where others work. Of the
// older ones, a push asks one.
describe.each(["typescript", ...sampled(["typescript6", "typescript5"], 2)])(
  "the language server of %s",
  { timeout: 180_000 },
  (name) => {
    it("completes a declaration that satisfies Operation", async () => {
      const complete = await started(name);
      expect(await complete(declaring("{ ¦ } satisfies Operation"))).toEqual([...statuses, ...members].toSorted());
      const more = await complete(declaring(`{ query: book, ¦ "200": book } satisfies Operation`));
      expect(more).toEqual(
        [...statuses.filter((status) => status !== '"200"'), ...members.filter((one) => one !== "query")].toSorted(),
      );
      expect(await complete(declaring(`{ 200: book, etag: "¦" } satisfies Operation`))).toEqual(["content"]);
      expect(await complete(declaring(`{ 200: book, deprecated: { ¦ } } satisfies Operation`))).toEqual([
        "link",
        "since",
        "sunset",
      ]);
      expect(await complete(declaring(`{ 200: { ¦ } } satisfies Operation`))).toEqual(
        expect.arrayContaining(["content", "description", "examples", "headers"]),
      );
      // TypeScript types a static member by nothing but its own annotation: as soon as it does otherwise, the words can
      // go.
      expect(await complete(declaring("{ ¦ }"))).not.toContain("query");
    });

    it("completes what an operation declares in its handler, and its statuses in a reply", async () => {
      const complete = await started(name);
      expect(await complete(handling("call.¦"))).toEqual([
        "path",
        "query",
        "reply",
        "request",
        "segments",
        "signal",
        "version",
      ]);
      const numbers = async (line: string): Promise<readonly string[]> =>
        (await complete(handling(line))).filter((one) => /^\d+$/.test(one));
      expect(await numbers("call.reply(¦)")).toEqual(["200", "404"]);
      expect(await numbers("const free = reply(¦)")).toEqual(statuses.map((status) => status.slice(1, -1)).toSorted());
    });

    it("shows in a hover what a person would say, in at most 200 characters", async () => {
      const server = await serverOf(name);
      const hovers: Record<string, string> = {
        "override GET(c¦all: Call<": '(parameter) call: Call<typeof Book, "GET">',
        "C¦all<typeof Book": "type Call<Of extends ReturnsOnlyWhatIsDeclared<Of, Name>, Name extends Method, ",
        "A¦nswer<typeof Book": "type Answer<Of extends DeclaringClass, Name extends Method> = AnswersOf<",
        "call.r¦eply(404)": "<404>(status: 404 | StatusPair<404, string>, content?: Problem | undefined, headers?",
        "return r¦eply(404)": "reply<404>(status: 404 | StatusPair<404, string>): Reply<404, undefined>",
        '"].G¦ET(': "GET: (input: { readonly path: { readonly isbn: PathValue; }; } & { readonly query: ",
        "r¦esult =": 'const result: ResultOf<typeof Book, "GET", Problem>',
      };
      const program = handling("call.reply(404);");
      for (const [place, shown] of Object.entries(hovers)) {
        const at = placed(program.replace(place.replace("¦", ""), place));
        await server.open(file, at.text);
        const hover = (await server.hover(at)).replace(/\s+/g, " ");
        expect(hover, place).toContain(shown);
        expect(hover.length, hover).toBeLessThanOrEqual(200);
      }
    });

    it("completes calls of a client, and their results", async () => {
      const complete = await started(name);
      const at = async (place: keyof typeof asked): Promise<readonly string[]> =>
        complete(clientText("./small.ts", asked[place]));
      expect(await at("paths")).toEqual(Array.from({ length: 10 }, (_, n) => `/things${n}/:id${n}`));
      expect(await at("methods")).toEqual(["GET", "PUT"]);
      expect(await at("parts")).toEqual([
        "accept",
        "headers",
        "idempotencyKey",
        "ifMatch",
        "ifNoneMatch",
        "path",
        "query",
        "signal",
      ]);
      expect(await at("params")).toEqual(["id7"]);
      expect(await at("query")).toEqual(["limit", "q"]);
      expect(await at("content")).toEqual(["at7", "id", "n", "name"]);
      const listed = await at("statuses");
      expect(listed).toEqual(expect.arrayContaining(["200", "400", "401", "403", "404", "405", "422"]));
      expect(listed).not.toContain("409");
    });
  },
);

it(
  "C11.3 the language server completes paths, methods and statuses of 600 handlers",
  { timeout: 180_000 },
  async () => {
    const complete = await started("typescript");
    const paths = await complete(clientText("./large.ts", asked.paths));
    expect(new Set(paths).size).toBe(300);
    expect(paths).toContain("/things299/:id299");
    expect(await complete(clientText("./large.ts", asked.methods))).toEqual(["GET", "PUT"]);
    expect(await complete(clientText("./large.ts", asked.statuses))).toEqual(expect.arrayContaining(["200", "404"]));
  },
);
