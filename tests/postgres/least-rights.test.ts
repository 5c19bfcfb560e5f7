import { postgresRecords, type WriteLease, postgresSessions } from "fingerpost/stores";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/cli/run.ts";
import { embedded, server, type Database, type Tag } from "./databases.ts";

const url = process.env["POSTGRES_URL"];
const role = "fingerpost_least";

// The schema is of its own, so that other tests keep their tables. A role of another run may be there.
const before = `
  do $$ begin create role ${role} nologin; exception when duplicate_object then null; end $$;
  drop schema if exists fingerpost_least cascade;
  create schema fingerpost_least; grant usage on schema fingerpost_least to ${role};
  set local search_path to fingerpost_least`;

describe.skipIf(url === undefined).each([
  { name: "postgres", open: server },
  { name: "PGlite", open: embedded },
])("stores of a role that may create nothing, by $name", ({ open }) => {
  let database: Database;

  const runBy = async (transaction: Tag | { readonly sql: Tag }, text: string): Promise<void> => {
    const tag = typeof transaction === "function" ? transaction : transaction.sql.bind(transaction);
    // One by one: a statement with parameters is one.
    for (const one of text.split(/;\s*(?=create|drop|grant|set|$)/).filter((part) => part.trim() !== ""))
      await tag(Object.assign([one], { raw: [one] }));
  };

  beforeAll(async () => {
    database = await open();
    // PGlite begins with its first question.
    await database.transaction((transaction) => runBy(transaction, "select 1"));
  }, 120_000);
  afterAll(() => database.end());

  it("C12.5 work by what `fingerpost tables` prints", async () => {
    await database.transaction(async (transaction) => {
      await runBy(transaction, before);
      await runBy(transaction, (await run(["tables", role])).output);
      await runBy(transaction, `set local role ${role}`);
      const [records, sessions] = [postgresRecords(transaction as never), postgresSessions(transaction as never)];
      await records.create();
      await sessions.create();
      const { fence } = (await records.begin("k", "f", 60_000, 60_000)) as WriteLease;
      expect(await records.extend("k", fence, 60_000)).toBe(true);
      expect(await records.finish("k", fence, "answer", 60_000)).toBe(true);
      expect((await records.find("k"))?.answer).toBe("answer");
      const other = (await records.begin("l", "f", 60_000, 60_000)) as WriteLease;
      expect(other.fence).not.toBe(fence);
      await records.release("l", other.fence);
      await sessions.begin("s", { data: "d", owner: "ada", label: "" }, 60_000, 60_000);
      expect(await sessions.replace("s", "1", "e", 60_000)).toBe("2");
      expect(await sessions.list("ada")).toHaveLength(1);
      await sessions.delete("s");
    });
  });

  it("C12.5 are told by the database where the tables are missing", async () => {
    const creating = database.transaction(async (transaction) => {
      await runBy(transaction, `${before}; set local role ${role}`);
      await postgresRecords(transaction as never).create();
    });
    await expect(creating).rejects.toThrow("permission denied for schema fingerpost_least");
  });
});
