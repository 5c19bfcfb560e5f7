import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { listener } from "fingerpost/node";
import { document } from "fingerpost/openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { node22 } from "../openapi/tools.ts";
import { app } from "./shelves.ts";

const modules = fileURLToPath(new URL("node_modules", import.meta.url));
const isInstalled = existsSync(`${modules}/.package-lock.json`);
if (!isInstalled) console.warn("Seven clients are not tried: run `npm run tools -- tests/clients`");

/** How a generator is run, if it is one, and a program that uses what it made, or the document itself. */
interface Generator {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]] | null;
  readonly program: string;
  /** What it sends for the list in the query, if it does not write lists as the document says. */
  readonly tag?: readonly string[];
}

/** What each program has: an address, and the values that it is to send. */
const given = `
const url = process.argv[2]!;
const shelf = "sci fi";
const tag = ["new", "a&b=c"];
const book = { title: "Kindred, ä", pages: 264, isNew: true };
const cover = new File(["GIF89a\\u0000"], "cover.gif", { type: "image/gif" });
const fields = { title: "Front + back", tags: ["red", "two, three"], cover };
const form = new FormData();
form.append("title", fields.title);
for (const one of fields.tags) form.append("tags", one);
form.append("cover", cover);
const says = (...all: readonly unknown[]): void => console.log(JSON.stringify(all));
`;
const sent = [
  { shelf: "sci fi", tag: ["new", "a&b=c"], title: "Kindred, ä", pages: 264, isNew: true },
  { shelf: "sci fi", title: "Front + back", tags: ["red", "two, three"], type: "image/gif", bytes: "GIF89a\0" },
];

const generators: readonly Generator[] = [
  {
    name: "hey-api",
    command: ["@hey-api/openapi-ts/bin/run.js", "-i", "document.json", "-o", "hey-api", "--silent"],
    program: `import { client } from "./hey-api/client.gen";
import { addBook, addCover } from "./hey-api/sdk.gen";
client.setConfig({ baseUrl: url, throwOnError: true });
const one = await addBook({ path: { shelf }, query: { tag }, body: book });
const two = await addCover({ path: { shelf }, body: fields });
says(one.data, two.data);`,
  },
  {
    name: "openapi-fetch, with the types of openapi-typescript",
    command: ["openapi-typescript/bin/cli.js", "document.json", "-o", "types.ts"],
    program: `import createClient from "openapi-fetch";
import type { paths } from "./types";
const client = createClient<paths>({ baseUrl: url });
const one = await client.POST("/shelves/{shelf}/books", { params: { path: { shelf }, query: { tag } }, body: book });
// It leaves forms to its user.
const two = await client.POST("/shelves/{shelf}/covers", { params: { path: { shelf } }, body: form as never });
says(one.data, two.data);`,
  },
  {
    name: "orval",
    command: ["orval/dist/bin/orval.mjs", "--input", "document.json", "--output", "orval.ts", "--client", "fetch"],
    program: `import { addBook, addCover } from "./orval";
// Its calls are of paths, without a host.
const { fetch: ask } = globalThis;
globalThis.fetch = (path, init) => ask(new URL(String(path), url), init);
const one = await addBook(shelf, book, { tag });
const two = await addCover(shelf, fields);
says(one.data, two.data);`,
  },
  {
    name: "kubb",
    command: ["@kubb/cli/bin/kubb.cjs", "generate", "--config", "kubb.config.mjs"],
    program: `import { addBook } from "./kubb/clients/addBook";
import { addCover } from "./kubb/clients/addCover";
// It says of no content that it is JSON.
const headers = { "Content-Type": "application/json" };
const one = await addBook(shelf, book, { tag }, { baseURL: url, headers });
says(one, await addCover(shelf, fields, { baseURL: url }));`,
    // Its own `fetch` joins lists with commas, whatever the document says.
    tag: ["new,a&b=c"],
  },
  {
    name: "oazapfts",
    command: ["oazapfts/dist/cli.js", "document.json", "oazapfts.ts"],
    program: `import { addBook, addCover, defaults } from "./oazapfts";
defaults.baseUrl = url;
const one = await addBook(shelf, tag, book);
const two = await addCover(shelf, fields);
says(one.data, two.data);`,
  },
  {
    name: "swagger-typescript-api",
    command: [
      "swagger-typescript-api/dist/cli.mjs",
      ...["generate", "-p", "document.json", "-o", ".", "-n", "swagger.ts", "--silent"],
    ],
    program: `import { Api } from "./swagger";
const { shelves } = new Api({ baseUrl: url });
const one = await shelves.addBook(shelf, { tag }, book);
// It writes a list of a form as one text of JSON, whatever the document says.
const two = await shelves.addCover(shelf, form as never);
says(one.data, two.data);`,
  },
  {
    name: "swagger-client",
    command: null,
    program: `import SwaggerClient from "swagger-client";
import document from "./document.json";
const client = await SwaggerClient({ spec: { ...document, servers: [{ url }] } });
const one = await client.apis.Books.addBook({ shelf, tag }, { requestBody: book });
const two = await client.apis.Covers.addCover({ shelf }, { requestBody: fields });
says(one.body, two.body);`,
  },
];

const kubb = `export default {
  root: ".",
  input: { path: "./document.json" },
  output: { path: "./kubb", clean: true, format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: "fetch", bundle: true })],
};
`;

const run = promisify(execFile);

describe.skipIf(!isInstalled)("clients of one document", () => {
  let folder = "";
  let url = "";
  const server = createServer(listener(app));
  beforeAll(async () => {
    folder = mkdtempSync(join(modules, ".clients-"));
    writeFileSync(join(folder, "document.json"), JSON.stringify(document(app, { title: "Shelves", version: "1.0.0" })));
    const plugins = ["Oas", "Ts", "Client"].map(
      (name) => `import { plugin${name} } from "@kubb/plugin-${name.toLowerCase()}";\n`,
    );
    writeFileSync(join(folder, "kubb.config.mjs"), plugins.join("") + kubb);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    server.close();
  });

  it.each(generators)("C22.5 $name sends what it is given", async ({ name, command, program, tag }) => {
    const node = node22 ?? process.execPath;
    if (command !== null) await run(node, [join(modules, command[0]), ...command.slice(1)], { cwd: folder });
    const file = join(folder, `main-${name.replaceAll(/\W/g, "-")}`);
    writeFileSync(`${file}.ts`, `${program.replace(/(?<=^|\n)(?!import )/, given)}\nprocess.exit(0);\n`);
    await build({
      entryPoints: [`${file}.ts`],
      outfile: `${file}.mjs`,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      logLevel: "error",
    });
    const { stdout } = await run(node, [`${file}.mjs`, url], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([{ ...sent[0], ...(tag && { tag }) }, sent[1]]);
  });
});
