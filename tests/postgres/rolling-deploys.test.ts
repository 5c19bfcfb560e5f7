// The migrations of docs/recipes/rolling-deploys.md: at each step, the versions that run read and write every row.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Application, reply, Resource, type Answer, type Call } from "fingerpost";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

interface Database {
  exec(sql: string): Promise<unknown>;
  query(sql: string, values: readonly unknown[]): Promise<{ readonly rows: readonly { readonly title: string }[] }>;
  close(): Promise<void>;
}

const page = readFileSync(fileURLToPath(new URL("../../docs/recipes/rolling-deploys.md", import.meta.url)), "utf8");
const steps = /^```sql\n(.*?)^```/ms
  .exec(page)![1]!
  .split(/^-- \d\. .*$/m)
  .slice(1);

// Set by scripts/check/postgres-tests.js, which installs what is needed.
describe.skipIf(process.env["POSTGRES_URL"] === undefined)("migrations during a rolling deploy", () => {
  let database: Database;

  beforeAll(async () => {
    const { resolve } = createRequire(import.meta.url);
    const driver: unknown = await import(pathToFileURL(resolve("@electric-sql/pglite")).href);
    const { PGlite } = driver as { readonly PGlite: new () => Database };
    database = new PGlite();
    await database.exec("create table books (id int generated always as identity, name text not null)");
  });

  afterAll(() => database.close());

  function versionOf(insert: string, select: string) {
    class Books extends Resource {
      paths = ["/books"] as const;
      static GET = { 200: z.array(z.string()) };
      async GET(_call: Call<typeof Books, "GET">): Promise<Answer<typeof Books, "GET">> {
        const { rows } = await database.query(`select ${select} as title from books order by id`, []);
        return rows.map(({ title }) => title);
      }
      static POST = { content: z.string(), 204: "Stored" };
      async POST({ content }: Call<typeof Books, "POST">): Promise<Answer<typeof Books, "POST">> {
        await database.query(`insert into books ${insert}`, [content]);
        return reply(204);
      }
    }
    const app = Application.builder()
      .resources(Books)
      .onError(() => {})
      .build();
    return {
      write: async (title: string) => (await app.request("/books", { method: "POST", json: title })).status,
      read: async () => (await app.request("/books")).json() as Promise<unknown>,
    };
  }

  it("rename a column while two versions run", async () => {
    const one = versionOf("(name) values ($1)", "name");
    const two = versionOf("(name, title) values ($1, $1)", "coalesce(title, name)");
    const three = versionOf("(title) values ($1)", "title");
    const [expand, , fill, , contract] = steps as [string, string, string, string, string];

    expect(await one.write("a")).toBe(204);
    await database.exec(expand);
    expect([await one.write("b"), await two.write("c")]).toEqual([204, 204]);
    expect([await one.read(), await two.read()]).toEqual([
      ["a", "b", "c"],
      ["a", "b", "c"],
    ]);

    await database.exec(fill);
    expect([await two.write("d"), await three.write("e")]).toEqual([204, 204]);
    expect([await two.read(), await three.read()]).toEqual([
      ["a", "b", "c", "d", "e"],
      ["a", "b", "c", "d", "e"],
    ]);

    await database.exec(contract);
    expect([await one.write("f"), await three.write("f")]).toEqual([500, 204]);
    expect(await three.read()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });
});
