import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { listener } from "fingerpost/node";
import { document } from "fingerpost/openapi";
import { describe, expect, it, onTestFinished } from "vitest";
import { app } from "./library.ts";
import { folder, isInstalled, requireTool } from "./tools.ts";

if (!isInstalled) {
  console.warn("Generators of clients are not tried: they are not installed; run `npm run tools -- tests/openapi`");
}

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
console.log(JSON.stringify([title, status, list.data?.length, added.response?.status, added.data?.title, loan.data?.days]));
process.exit(0);
`;

describe.skipIf(!isInstalled)("clients that others generate", () => {
  it("C10.5 compile, and work against the server", async () => {
    const out = mkdtempSync(join(folder, "node_modules", ".clients-"));
    onTestFinished(() => rmSync(out, { recursive: true }));
    const run = (file: string, ...args: readonly string[]): void => {
      const tool = join(
        dirname(requireTool.resolve(`${file.split("/bin/")[0]}/package.json`)),
        `bin/${file.split("/bin/")[1]}`,
      );
      const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { cwd: out, encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    };
    writeFileSync(join(out, "document.json"), JSON.stringify(document(app, { title: "Library", version: "1.0.0" })));
    // By itself it takes what has a default for required, where it is sent, too.
    run("openapi-typescript/bin/cli.js", "document.json", "-o", "types.ts", "--default-non-nullable=false");
    run("@hey-api/openapi-ts/bin/run.js", "-i", "document.json", "-o", "client", "--silent");
    writeFileSync(join(out, "main.ts"), program);
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
    const server = createServer(listener(app));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const output = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [join(out, "main.mjs"), url], (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
    expect(JSON.parse(output)).toEqual(["Kindred", 404, 1, 201, "Emma", 3]);
  });
});
