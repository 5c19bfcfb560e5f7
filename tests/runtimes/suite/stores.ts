// Stores in SQLite: in what the runtime has, in memory.
import { recordStoreCases, sessionStoreCases, sqliteRecords, sqliteSessions } from "fingerpost/stores";
import type { SqliteDatabase, SqliteRecords, SqliteSessions, WriteLease } from "fingerpost/stores";
import { NotHere } from "./not-here.ts";
import { describe, expect, it } from "./registry.ts";

type Opened = SqliteDatabase & { prepare(text: string): { all(...values: unknown[]): unknown[] } };

interface Stores {
  readonly database: Opened;
  readonly records: SqliteRecords;
  readonly sessions: SqliteSessions;
}

let opened: Promise<Stores> | undefined;

/** Opens a database once. @throws {NotHere} when the runtime has no SQLite: Node 20. */
async function open(): Promise<Stores> {
  const database = await openDatabase();
  const [records, sessions] = [sqliteRecords(database), sqliteSessions(database)];
  // Both have been created the second time.
  for (let times = 2; times > 0; times--) await Promise.all([records.create(), sessions.create()]);
  database.exec("create table payments (amount integer)");
  return { database, records, sessions };
}

async function openDatabase(): Promise<Opened> {
  const name = "Bun" in globalThis ? "bun:sqlite" : "node:sqlite";
  const { Database, DatabaseSync = Database } = await import(name).catch(() => {
    throw new NotHere("SQLite");
  });
  return new DatabaseSync(":memory:");
}

function stores(): Promise<Stores> {
  opened ??= open();
  return opened;
}

describe("SQLite", () => {
  for (const { name, run } of recordStoreCases) it(`records: ${name}`, async () => run((await stores()).records));
  for (const { name, run } of sessionStoreCases) it(`sessions: ${name}`, async () => run((await stores()).sessions));

  it("commits an answer with its effect, or neither", async () => {
    const { database, records } = await stores();
    const pay = (): unknown => database.prepare("insert into payments values (7) returning 1 as one").all();
    const paid = (): unknown => database.prepare("select * from payments").all().length;
    const begin = async (key: string, leaseMs: number): Promise<string> =>
      ((await records.begin(key, "f", leaseMs, 60_000)) as WriteLease).fence;
    const [first, old] = [await begin("first", 60_000), await begin("second", 0)];
    const second = await begin("second", 60_000);
    const fails = [
      [pay, old, "the lease of this write ended"],
      [() => [pay(), missing()], second, "missing"],
      [async () => pay(), second, "the effect waits"],
      [7, second, "expected a function"],
    ] as const;
    for (const [effect, fence, message] of fails) {
      const leases = [
        { key: "first", fence: first },
        { key: "second", fence },
      ];
      await expect(records.commit(effect, leases, "answer", 60_000)).rejects.toThrow(message);
      expect([paid(), await records.find("first")]).toEqual([0, { fingerprint: "f", answer: null }]);
    }
    await records.commit(pay, [{ key: "first", fence: first }], "answer", 60_000);
    expect([paid(), await records.find("first")]).toEqual([1, { fingerprint: "f", answer: "answer" }]);
  });
});

function missing(): never {
  throw new Error("missing");
}
