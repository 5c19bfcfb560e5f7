import { postgresRecords } from "fingerpost/stores";
import { afterEach, describe, expect, it, vi } from "vitest";
import { statementsOf } from "./postgres-client.ts";

/** A tag that returns what it is told, and writes down what it was called with. */
function tagOf(replies: unknown[]) {
  const calls: { text: string; values: unknown[] }[] = [];
  const sql = async (parts: TemplateStringsArray, ...values: unknown[]): Promise<unknown> => {
    calls.push({ text: parts.join("?").replace(/\s+/g, " ").trim(), values });
    return replies.shift();
  };
  return { sql, calls };
}

afterEach(() => vi.restoreAllMocks());

// What statements do is tested with servers: tests/postgres/records.test.ts.
describe("postgresRecords()", () => {
  it("reads rows as postgres returns them, and as PGlite does", async () => {
    const { sql, calls } = tagOf([[], { rows: [{ fingerprint: "f", answer: null }] }, null]);
    const store = postgresRecords(sql);
    expect(await store.find("k")).toBeNull();
    expect(await store.find("k")).toEqual({ fingerprint: "f", answer: null });
    expect(await store.find("k")).toBeNull();
    expect(calls[0]).toMatchObject({ values: ["k"] });
  });

  it("takes a database that has the tag as sql", async () => {
    const database = { ...tagOf([[{ one: 1 }], []]), isOpen: true };
    const store = postgresRecords(database);
    expect(await store.extend("k", "7", 3)).toBe(true);
    expect(await store.finish("k", "7", "a", 9)).toBe(false);
    await store.release("k", "7");
    await store.create();
    expect(database.calls.at(-1)!.text).toContain("create table if not exists fingerpost_writes");
  });

  it("begins again where the record was released in between", async () => {
    const { sql, calls } = tagOf([[], [], [{ fence: 8n }]]);
    expect(await postgresRecords(sql).begin("k", "f", 3, 9)).toEqual({ fence: "8" });
    expect(calls).toHaveLength(3);
    const known = tagOf([[], [{ fingerprint: "g", answer: "a" }]]);
    expect(await postgresRecords(known.sql).begin("k", "f", 3, 9)).toEqual({ fingerprint: "g", answer: "a" });
  });

  it("deletes what ended once a minute", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(0);
    const { sql, calls } = tagOf([[{ fence: "1" }], [], [{ fence: "2" }], [{ fence: "3" }]]);
    const store = postgresRecords(sql);
    await store.begin("a", "f", 3, 9);
    now.mockReturnValue(60_000);
    await store.begin("b", "f", 3, 9);
    await store.begin("c", "f", 3, 9);
    expect(calls.map(({ text }) => text.slice(0, 6))).toEqual(["insert", "delete", "insert", "insert"]);
  });

  it("commits by the transaction of the handler only", async () => {
    const store = postgresRecords(tagOf([]).sql);
    const transaction = tagOf([[{ id: "5" }], [{ id: "5" }], [{ one: 1 }]]);
    await store.commit(transaction, [{ key: "k", fence: "7" }], "answer", 9);
    expect(transaction.calls.at(-1)!.values).toEqual(["answer", 9, "k", "7"]);
    for (const replies of [
      [[{ id: "5" }], [{ id: "6" }]],
      [[], []],
    ]) {
      await expect(store.commit(tagOf(replies), [{ key: "k", fence: "7" }], "answer", 9)).rejects.toThrow(
        "Cannot commit an answer: there is no transaction; pass what your driver gives to its transaction",
      );
    }
    await expect(
      store.commit(tagOf([[{ id: "5" }], [{ id: "5" }], []]), [{ key: "k", fence: "7" }], "answer", 9),
    ).rejects.toThrow("Cannot commit an answer: the lease of this write ended, and another run may have begun");
  });

  it.each([
    { member: "query", args: ["select $1, $2", [7, "b"]] },
    { member: "$queryRawUnsafe", args: ["select $1, $2", 7, "b"] },
    {
      member: "executeQuery",
      args: [
        {
          sql: "select $1, $2",
          parameters: [7, "b"],
          query: { kind: "RawNode", sqlFragments: ["select $1, $2"], parameters: [] },
          queryId: {},
        },
      ],
    },
    { member: "execute", args: [{ parts: ["select ", ", ", ""], values: [7, "b"] }] },
  ])("asks a client that has $member()", async ({ member, args }) => {
    const asked: unknown[][] = [];
    class Client {
      readonly rows = [{ one: 1 }];
      [name: string]: unknown;
    }
    const client = new Client();
    client[member] = function ask(this: Client, ...given: unknown[]): unknown {
      asked.push(given);
      return { rows: this.rows };
    };
    const drizzle = (parts: TemplateStringsArray, ...values: unknown[]) => ({ parts: [...parts], values });
    const run = statementsOf("postgresRecords", { drizzle })(client);
    expect(await run`select ${7}, ${"b"}`).toEqual([{ one: 1 }]);
    expect(asked).toEqual([args]);
  });

  it("says what Drizzle needs, and refuses other options", () => {
    expect(() => postgresRecords({ execute: async () => [] })).toThrow(
      "Cannot ask PostgreSQL: a database of Drizzle needs { drizzle: sql }, with sql of drizzle-orm",
    );
    expect(() => postgresRecords(tagOf([]).sql, { drizzle: "sql" as never })).toThrow(
      'Cannot call postgresRecords(): its option "drizzle" must be a function, got "sql"',
    );
  });

  it.each([[undefined], [{}], ["postgres://"]])("refuses %s", async (sql) => {
    expect(() => postgresRecords(sql as never)).toThrow(
      "Cannot ask PostgreSQL: expected what asks by pg, postgres, PGlite, Kysely, Prisma or Drizzle, or a function ",
    );
    await expect(postgresRecords(tagOf([]).sql).commit(sql, [{ key: "k", fence: "7" }], "a", 9)).rejects.toThrow(
      "Cannot ask PostgreSQL: expected what asks by pg",
    );
  });
});
