import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Application, page, Resource, type Answer, type Call } from "fingerpost";
import { client, itemsOf } from "fingerpost/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

// Set by scripts/check/postgres-tests.js, which starts a server and installs what is needed.
const url = process.env["POSTGRES_URL"];

type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

interface Database {
  readonly query: Query;
  readonly end: () => Promise<unknown>;
}

async function loaded(name: string): Promise<unknown> {
  const { resolve } = createRequire(import.meta.url);
  return import(/* @vite-ignore */ pathToFileURL(resolve(name)).href);
}

const databases: Record<string, () => Promise<Database>> = {
  PostgreSQL: async () => {
    const { default: connect } = (await loaded("postgres")) as {
      default: (to: string, options: object) => { unsafe: Query; end: () => Promise<unknown> };
    };
    const sql = connect(url!, { onnotice() {} });
    return { query: (text, values = []) => sql.unsafe(text, values), end: () => sql.end() };
  },
  PGlite: async () => {
    const { PGlite } = (await loaded("@electric-sql/pglite")) as {
      PGlite: new () => {
        query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
        close(): Promise<void>;
      };
    };
    const database = new PGlite();
    return {
      query: async (text, values) => (await database.query(text, values)).rows,
      end: () => database.close(),
    };
  },
};

const book = z.object({ id: z.int(), title: z.string() });

function applicationOf(query: Query, select: string) {
  class Books extends Resource {
    override paths = ["/books"] as const;
    static GET = { 200: page(book, { by: z.object({ title: z.string(), id: z.int() }), limit: 7 }) };
    override async GET({ page: { after, limit } }: Call<typeof Books, "GET">): Promise<Answer<typeof Books, "GET">> {
      const rows = z.array(book).parse(await query(select, [after?.title ?? null, after?.id ?? null, limit + 1]));
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return { items, next: rows.length > limit && last !== undefined ? { title: last.title, id: last.id } : null };
    }
  }
  return Application.builder().resources(Books).build();
}

describe.skipIf(url === undefined).each(Object.keys(databases))(
  "page() over %s (run by scripts/check/postgres-tests.js)",
  (name) => {
    let database: Database;
    let select: string;
    beforeAll(async () => {
      // The statement that the page shows is the one that is tried.
      const shown = await readFile(new URL("../../docs/pages.md", import.meta.url), "utf8");
      [, select] = /```sql\n([^]+?)```/.exec(shown) as unknown as [string, string];
      database = await databases[name]!();
      await database.query("create unlogged table books (id int primary key, title text not null)");
      await database.query("create index on books (title, id)");
    }, 60_000);
    afterAll(async () => {
      await database.query("drop table books");
      await database.end();
    });

    it("C19.5 gives nothing twice and misses nothing while rows come and go", { timeout: 60_000 }, async () => {
      const { query } = database;
      for (let seed = 1; seed <= 6; seed++) {
        await query("delete from books");
        let state = seed;
        const random = (below: number): number => {
          state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
          return Math.floor(state / 65_536) % below;
        };
        // Few titles, so that most are equal; some differ by case and by what sorts apart in collations.
        const titles = ["Emma", "emma", "Émile", "Emma ", "Kindred", ""];
        const before = Array.from({ length: 60 }, (_, id) => ({ id: id * 10, title: titles[random(titles.length)]! }));
        const rows = before.map((_, at) => `($${2 * at + 1}::int, $${2 * at + 2}::text)`).join();
        await query(
          `insert into books values ${rows}`,
          before.flatMap(({ id, title }) => [id, title]),
        );
        const api = client<ReturnType<typeof applicationOf>>("http://localhost", {
          fetch: applicationOf(query, select).fetch,
        });
        const seen: number[] = [];
        const deleted = new Set<number>();
        for await (const { id } of itemsOf(api["/books"].GET, { query: { limit: 1 + random(9) } })) {
          seen.push(id);
          if (random(3) !== 0) continue;
          const gone = before[random(before.length)]!.id;
          deleted.add(gone);
          await query("delete from books where id = $1", [gone]);
          const title = titles[random(titles.length)]!;
          await query("insert into books values ($1, $2) on conflict do nothing", [
            seen.length * 10 + 1 + random(9),
            title,
          ]);
        }
        expect(new Set(seen).size).toBe(seen.length);
        const kept = before.filter(({ id }) => !deleted.has(id)).map(({ id }) => id);
        expect(kept.filter((id) => !seen.includes(id))).toEqual([]);
      }
    });
  },
);
