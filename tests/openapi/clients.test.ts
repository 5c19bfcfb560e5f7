import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { listener } from "fingerpost/node";
import { document } from "fingerpost/openapi";
import { describe, expect, it, onTestFinished } from "vitest";
import { app } from "./library.ts";
import { folder, isInstalled, node22, requireTool } from "./tools.ts";

if (!isInstalled) {
  console.warn("Generators of clients are not tried: they are not installed; run `npm run tools -- tests/openapi`");
}

/** What is called of quicktype, whose command is not installed: it brings readers of other languages along. */
interface Quicktype {
  readonly InputData: new () => { addInput(input: unknown): void };
  readonly JSONSchemaInput: new (store: undefined) => {
    addSource(source: { readonly name: string; readonly schema: string }): Promise<void>;
  };
  quicktype(options: { readonly inputData: unknown; readonly lang: string }): Promise<{ readonly lines: string[] }>;
}

/** The Python of the system. */
const python = ["python3", "python"].find((name) => spawnSync(name, ["--version"]).status === 0);

/** Uses what the generators made, right and wrong. */
const program = `
import type { components, paths } from "./types";
import { client } from "./client/client.gen";
import { getBookItem, getBookList, postBookList, postLoans } from "./client/sdk.gen";

type Book = components["schemas"]["Book"];
type Sent = paths["/books"]["post"]["requestBody"] extends infer Body ? Body : never;
const language: Book["language"] = "de";
const author: components["schemas"]["Author"] = { name: "Octavia E. Butler" };
// What has a default may be left out where it is sent, and is there where it is answered.
const sent: components["schemas"]["BookInput"] = { isbn: "9780000000000", title: "Emma", author };
// @ts-expect-error
const answered: Book = { isbn: "9780000000000", title: "Emma", author };
// @ts-expect-error
const other: Book["language"] = "fr";
export const unused: [Sent?, Book?, Book["language"]?] = [undefined, answered, other];

client.setConfig({ baseUrl: process.argv[2]! });
const found = await getBookItem({ path: { isbn: "9780807083697" } });
const title: string | undefined = found.data?.title;
const missing = await getBookItem({ path: { isbn: "9780000000000" } });
const status: number | undefined = missing.error?.status;
const list = await getBookList({ query: { limit: 1, language: ["en", "de"] } });
const added = await postBookList({ body: { ...sent, language } });
const loan = await postLoans({ body: { isbn: "9780807083697", days: 3 } });
// @ts-expect-error
getBookItem({ path: { id: "1" } });
const ofAdded = [added.response?.status, added.data?.title];
console.log(JSON.stringify([title, status, list.data?.length, ...ofAdded, loan.data?.days]));
process.exit(0);
`;

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "es2022",
  module: "preserve",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  typeRoots: [join(folder, "../../node_modules/@types")],
  skipLibCheck: true,
};

function folderWithDocument(): string {
  const out = mkdtempSync(join(folder, "node_modules", ".clients-"));
  onTestFinished(() => rmSync(out, { recursive: true }));
  writeFileSync(join(out, "document.json"), JSON.stringify(document(app, { title: "Library", version: "1.0.0" })));
  return out;
}

async function served(): Promise<string> {
  const server = createServer(listener(app));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!isInstalled)("clients that others generate", () => {
  it("C10.5 compile, and work against the server", async () => {
    const out = folderWithDocument();
    const run = (file: string, ...args: readonly string[]): void => {
      const tool = join(
        dirname(requireTool.resolve(`${file.split("/bin/")[0]}/package.json`)),
        `bin/${file.split("/bin/")[1]}`,
      );
      const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { cwd: out, encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    };
    // By itself it takes what has a default for required, where it is sent, too.
    run("openapi-typescript/bin/cli.js", "document.json", "-o", "types.ts", "--default-non-nullable=false");
    run("@hey-api/openapi-ts/bin/run.js", "-i", "document.json", "-o", "client", "--silent");
    writeFileSync(join(out, "main.ts"), program);
    writeFileSync(join(out, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    run("typescript/bin/tsc", "-p", ".", "--pretty", "false");

    await build({
      entryPoints: [join(out, "main.ts")],
      outfile: join(out, "main.mjs"),
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "error",
    });
    const url = await served();
    expect(JSON.parse(await outputOf(process.execPath, join(out, "main.mjs"), url))).toEqual([
      "Kindred",
      404,
      1,
      201,
      "Emma",
      3,
    ]);
  });

  it.skipIf(node22 === undefined)("C22.5 of orval tell the statuses of an answer apart", async () => {
    const out = folderWithDocument();
    const orval = join(dirname(requireTool.resolve("orval/package.json")), "dist/bin/orval.mjs");
    const args = [orval, "--input", "document.json", "--output", "client.ts", "--client", "fetch"];
    const made = spawnSync(node22!, args, { cwd: out, encoding: "utf8" });
    expect(made.status, made.stdout + made.stderr).toBe(0);
    writeFileSync(
      join(out, "main.ts"),
      `import { getBookItem, postBookList } from "./client";
// Its calls are of paths, without a host.
const { fetch: ask } = globalThis;
globalThis.fetch = (path, init) => ask(new URL(String(path), process.argv[2]), init);
const found = await getBookItem("9780807083697");
const title: string | null = found.status === 200 ? found.data.title : null;
const missing = await getBookItem("9780000000000");
// @ts-expect-error -- which answer it is comes first
found.data.title;
const added = await postBookList({ isbn: "9780000000001", title: "Emma", author: { name: "Jane Austen" } });
console.log(JSON.stringify([title, missing.status, added.status]));
process.exit(0);
`,
    );
    writeFileSync(join(out, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    const compiler = join(dirname(requireTool.resolve("typescript/package.json")), "bin/tsc");
    const checked = spawnSync(process.execPath, [compiler, "-p", ".", "--pretty", "false"], {
      cwd: out,
      encoding: "utf8",
    });
    expect(checked.status, checked.stdout).toBe(0);
    const { outputFiles } = await build({
      entryPoints: [join(out, "main.ts")],
      write: false,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "error",
    });
    writeFileSync(join(out, "main.mjs"), outputFiles[0]!.text);
    expect(JSON.parse(await outputOf(process.execPath, join(out, "main.mjs"), await served()))).toEqual([
      "Kindred",
      404,
      201,
    ]);
  });

  it.skipIf(python === undefined)("C22.5 of Python read answers into classes that quicktype makes", async () => {
    const out = folderWithDocument();
    const { InputData, JSONSchemaInput, quicktype } = requireTool("quicktype-core") as Quicktype;
    const schema = new JSONSchemaInput(undefined);
    // As the command reads `document.json#/components/schemas/Book`.
    const { components } = JSON.parse(readFileSync(join(out, "document.json"), "utf8"));
    await schema.addSource({
      name: "Book",
      schema: JSON.stringify({ $ref: "#/components/schemas/Book", components }),
    });
    const inputData = new InputData();
    inputData.addInput(schema);
    const { lines } = await quicktype({ inputData, lang: "python" });
    writeFileSync(join(out, "book.py"), lines.join("\n"));
    writeFileSync(
      join(out, "main.py"),
      `import json, sys, urllib.request
from book import book_from_dict
with urllib.request.urlopen(sys.argv[1] + "/books/9780807083697") as answer:
    book = book_from_dict(json.load(answer))
print(book.title, book.language.value, book.author.name)
`,
    );
    expect(await outputOf(python!, join(out, "main.py"), await served())).toBe("Kindred en Octavia E. Butler\n");
  });
});

/** Waits for a program that asks a server in this process. */
function outputOf(command: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)));
  });
}
