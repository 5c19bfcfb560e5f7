// The program of docs/recipes/long-work.md that needs pg-boss, over PGlite and over a server.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { PgBoss } from "pg-boss";
import { install } from "../package/snippets.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(root, "node_modules", ".long-work-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Program {
  work(boss: PgBoss): Promise<void>;
  application(boss: PgBoss): { fetch(request: Request): Promise<Response> };
}
let program: Program;

type Options = ConstructorParameters<typeof PgBoss>[0] & object;

/** A database in this process: pg-boss wants the rows of every statement. */
async function lite(): Promise<Options> {
  const { resolve } = createRequire(import.meta.url);
  const { PGlite } = (await import(/* @vite-ignore */ pathToFileURL(resolve("@electric-sql/pglite")).href)) as {
    PGlite: new () => {
      query(text: string, values: unknown[]): Promise<{ rows: object[] }>;
      exec(text: string): Promise<{ rows: object[] }[]>;
      close(): Promise<void>;
    };
  };
  const database = new PGlite();
  onTestFinished(() => database.close());
  return {
    db: {
      executeSql: async (text: string, values?: unknown[]) =>
        values === undefined || values.length === 0
          ? { rows: (await database.exec(text)).flatMap(({ rows }) => rows) }
          : database.query(text, values),
    },
  } as Options;
}

describe.skipIf(process.env["POSTGRES_URL"] === undefined)("docs/recipes/long-work.md", () => {
  beforeAll(async () => {
    await install(folder);
    const page = readFileSync(join(root, "docs/recipes/long-work.md"), "utf8");
    const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
    const file = join(folder, "program.mjs");
    writeFileSync(file, (await transform(code, { loader: "ts", target: "node20" })).code);
    program = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Program;
  });

  it.each([
    ["PGlite", lite],
    ["PostgreSQL", async (): Promise<Options> => ({ connectionString: process.env["POSTGRES_URL"]! })],
  ])("C14.2 runs over %s", { timeout: 60_000 }, async (_name, options) => {
    const boss = new PgBoss(await options());
    const errors: unknown[] = [];
    boss.on("error", (error: unknown) => void errors.push(error));
    await boss.start();
    onTestFinished(() => boss.stop({ graceful: false }));
    const app = program.application(boss);
    const ask = (path: string, json?: unknown): Promise<Response> =>
      app.fetch(
        new Request(`https://a.example${path}`, {
          ...(json !== undefined && {
            method: "POST",
            body: JSON.stringify(json),
            headers: { "content-type": "application/json" },
          }),
        }),
      );
    await boss.createQueue("reports");
    const asked = await ask("/reports", { year: 2026 });
    expect(asked.status).toBe(202);
    const place = asked.headers.get("location")!;
    const running = await ask(place);
    expect([running.status, running.headers.get("retry-after"), await running.json()]).toEqual([
      200,
      "1",
      { state: "running" },
    ]);
    expect((await ask(place.replace("jobs", "reports"))).status).toBe(404);
    expect((await ask("/jobs/00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect((await ask("/reports", { year: "x" })).status).toBe(422);
    await program.work(boss);
    let job = running;
    for (let time = 0; job.status === 200 && time < 100; time++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      job = await ask(place);
    }
    expect(job.status).toBe(303);
    const report = await ask(job.headers.get("location")!);
    expect([report.status, await report.json()]).toEqual([200, { rows: 26 }]);
    expect(errors).toEqual([]);
  });
});
