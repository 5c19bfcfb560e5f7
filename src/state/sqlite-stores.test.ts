import {
  recordStoreCases,
  sessionStoreCases,
  sqliteRecords,
  sqliteSessions,
  type SqliteClient,
} from "fingerpost/stores";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sqliteBy } from "./sqlite-client.ts";
import { SqliteLimits } from "./sqlite-limits.ts";

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A database that returns what it is told, throws what is an error, and writes down what it was asked. */
function scripted(replies: unknown[]) {
  const asked: Asked[] = [];
  const answer = (text: string, values: unknown[] = []): unknown => {
    asked.push({ text: text.replace(/\s+/g, " ").trim(), values });
    const reply = replies.shift() ?? [];
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const bind = (text: string, values: unknown[]) => ({
    ...{ text, values },
    all: async () => ({ results: answer(text, values) as never[] }),
  });
  return {
    asked,
    texts: () => asked.map(({ text }) => text.split(" ").slice(0, 2).join(" ")),
    database: {
      prepare: (text: string) => ({ all: (...values: unknown[]) => answer(text, values) }),
      exec: (text: string) => answer(text),
    },
    storage: {
      sql: {
        exec(text: string, ...values: unknown[]) {
          const rows = answer(text, values) as unknown[];
          return { toArray: () => rows };
        },
      },
      transactionSync: <Given>(run: () => Given) => run(),
    },
    d1: {
      prepare: (text: string) => ({ ...bind(text, []), bind: (...values: unknown[]) => bind(text, values) }),
      exec: async (text: string) => answer(text),
      batch: async (statements: unknown[]) => {
        for (const { text, values } of statements as Asked[]) answer(text, [...values]);
      },
    },
  };
}

afterEach(() => vi.restoreAllMocks());

const kinds = ["database", "storage", "d1"] as const;
const leases = [{ key: "k", fence: "7" }];
const lost = new Error("NOT NULL constraint failed: fingerpost_writes.fingerprint");

// What statements do is tested with SQLite: below, and in tests/runtimes.
describe.each(kinds)("stores in SQLite, by a %s", (kind) => {
  it("read rows, and pass values beside the text", async () => {
    const { asked, [kind]: client } = scripted([
      [],
      [{ fingerprint: "f", answer: null }],
      [{ fence: 8 }],
      [{ one: 1 }],
      [],
    ]);
    const store = sqliteRecords(client);
    expect(await store.find("k")).toBeNull();
    expect(await store.find("k")).toEqual({ fingerprint: "f", answer: null });
    expect(await store.begin("k", "f", 3, 9)).toEqual({ fence: "8" });
    expect(await store.extend("k", "8", 3)).toBe(true);
    expect(await store.finish("k", "8", "a", 9)).toBe(false);
    await store.release("k", "8");
    expect(asked[0]!.values).toEqual(["k"]);
    expect(asked.at(-1)!.values).toEqual(["k", 8]);
  });

  it("create tables by one line for each statement, and delete what ended", async () => {
    const { asked, [kind]: client } = scripted([]);
    await sqliteRecords(client).create();
    await sqliteSessions(client).create();
    expect(asked.map(({ text }) => text.slice(0, text.indexOf(" (")))).toEqual([
      "create table if not exists fingerpost_writes",
      "create index if not exists fingerpost_writes_end on fingerpost_writes",
      "delete from fingerpost_writes where key in",
      "create table if not exists fingerpost_sessions",
      "create index if not exists fingerpost_sessions_owner on fingerpost_sessions",
      "create index if not exists fingerpost_sessions_end on fingerpost_sessions",
      "delete from fingerpost_sessions where key in",
    ]);
  });

  it("keep sessions", async () => {
    const seen = { data: "d", version: 2, remaining: 5, stale: 0 };
    const row = { key: "k", label: "l", started: 1, seen: 2 };
    const replies = [[], [], [seen], [{ ...seen, stale: 1 }], [], [{ version: 3 }], [], [], [row]];
    const { texts, [kind]: client } = scripted(replies);
    const store = sqliteSessions(client);
    await store.begin("k", { data: "d", owner: null, label: "" }, 3, 9);
    expect(await store.find("k", 3, 9)).toBeNull();
    for (const _ of ["fresh", "stale"])
      expect(await store.find("k", 3, 9)).toEqual({ data: "d", version: "2", leftMs: 5 });
    expect(await store.replace("k", "2", "e", 3)).toBe("3");
    expect(await store.replace("k", "2", "e", 3)).toBeNull();
    await store.delete("k");
    const entry = { id: "k", label: "l", startedAt: new Date(1), seenAt: new Date(2) };
    expect(await store.list("o")).toEqual([entry]);
    expect(texts().slice(1, 5)).toEqual(["select data,", "select data,", "select data,", "update fingerpost_sessions"]);
  });

  it("commit an answer together with an effect", async () => {
    const { texts, database, [kind]: client } = scripted([]);
    const effect = kind === "d1" ? [{ text: "own effect", values: [] }] : () => database.exec("own effect");
    await sqliteRecords(client).commit(effect, leases, "a", 9);
    const ours = ["insert into", "update fingerpost_writes", "own effect"];
    expect(texts()).toEqual(kind === "database" ? ["begin immediate", ...ours, "commit"] : ours);
  });

  it("say that a lease ended, and else what failed", async () => {
    const own = new Error("own");
    const begun = kind === "database" ? [[]] : [];
    const other = new Error("UNIQUE constraint failed: fingerpost_writes_of_mine.id");
    const { [kind]: client, asked } = scripted([...begun, lost, ...begun, ...begun, own, ...begun, ...begun, other]);
    const store = sqliteRecords(client);
    const effect = kind === "d1" ? [] : () => {};
    await expect(store.commit(effect, leases, "a", 9)).rejects.toMatchObject({
      message: "Cannot commit an answer: the lease of this write ended, and another run may have begun",
      cause: lost,
    });
    for (const error of [own, other]) await expect(store.commit(effect, leases, "a", 9)).rejects.toBe(error);
    if (kind === "database") expect(asked.at(-1)!.text).toBe("rollback");
  });

  it("refuse an effect of another kind", async () => {
    const expected = kind === "d1" ? "an array of statements that D1 has prepared" : "a function that does the effect";
    await expect(sqliteRecords(scripted([])[kind]).commit(7, leases, "a", 9)).rejects.toThrow(
      `Cannot commit an answer: expected ${expected}, got 7`,
    );
    if (kind === "d1") return;
    await expect(sqliteRecords(scripted([])[kind]).commit(async () => {}, leases, "a", 9)).rejects.toThrow(
      "Cannot commit an answer: the effect waits for something, and others would write by its transaction; wait before",
    );
  });

  it("delete what ended once a minute", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(0);
    const { texts, [kind]: client } = scripted([[{ fence: 1 }], [], [{ fence: 2 }], [{ fence: 3 }]]);
    const store = sqliteRecords(client);
    await store.begin("a", "f", 3, 9);
    now.mockReturnValue(60_000);
    await store.begin("b", "f", 3, 9);
    await store.begin("c", "f", 3, 9);
    expect(texts()).toEqual(["insert or", "delete from", "insert or", "insert or"]);
  });
});

describe("stores in SQLite", () => {
  it("begin again where the record was released in between", async () => {
    const { database, asked } = scripted([[], [], [{ fence: 8 }]]);
    expect(await sqliteRecords(database).begin("k", "f", 3, 9)).toEqual({ fence: "8" });
    expect(asked).toHaveLength(3);
    const known = scripted([[], [{ fingerprint: "g", answer: "a" }]]);
    expect(await sqliteRecords(known.database).begin("k", "f", 3, 9)).toEqual({ fingerprint: "g", answer: "a" });
  });

  it("say what failed where SQLite has ended the transaction itself", async () => {
    const full = new Error("database or disk is full");
    const none = new Error("cannot rollback - no transaction is active");
    const { database } = scripted([[], full, none]);
    await expect(sqliteRecords(database).commit(() => {}, leases, "a", 9)).rejects.toBe(full);
  });

  it("count what is used of a limit", async () => {
    const { database } = scripted([[{ used: 2, remaining: 900 }]]);
    expect(await new SqliteLimits(sqliteBy(database)).take("k", 1000)).toEqual([2, 900]);
  });

  it.each([7, null, { exec() {} }, { prepare() {} }, { sql: {} }])("refuse what asks nothing: %j", (client) => {
    for (const make of [sqliteRecords, sqliteSessions]) {
      expect(() => make(client as unknown as SqliteClient)).toThrow(
        "Cannot ask SQLite: expected a database of node:sqlite, bun:sqlite or D1, or the storage of ",
      );
    }
  });
});

// Also on Bun, Deno and workerd: tests/runtimes/suite/stores.ts.
const sqlite = process.getBuiltinModule?.("node:sqlite") as
  | { readonly DatabaseSync: new (path: string) => SqliteClient & { exec(text: string): unknown } }
  | undefined;
describe.skipIf(sqlite === undefined)("stores in node:sqlite, which Node 20 does not have", () => {
  const database = sqlite && new sqlite.DatabaseSync(":memory:");
  const [records, sessions] = database ? [sqliteRecords(database), sqliteSessions(database)] : [];
  it("create their tables, or find them", async () => {
    for (let times = 2; times > 0; times--) await Promise.all([records!.create(), sessions!.create()]);
  });
  for (const { name, run } of recordStoreCases) it(`records: ${name}`, () => run(records!));
  for (const { name, run } of sessionStoreCases) it(`sessions: ${name}`, () => run(sessions!));
});
