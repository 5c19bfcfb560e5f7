import { randomUUID } from "node:crypto";
import { postgresRecords, recordStoreCases, type PostgresRecords, type WriteLease } from "fingerpost/stores";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { clients, poolOf, type Database } from "./databases.ts";

// Set by scripts/check/postgres-tests.js, which starts a server and installs what is needed.
const url = process.env["POSTGRES_URL"];

describe.skipIf(url === undefined)("postgresRecords() with PostgreSQL (run by scripts/check/postgres-tests.js)", () => {
  describe.each(clients)("by $name", ({ open }) => {
    let database: Database<object>;
    let store: PostgresRecords;
    beforeAll(async () => {
      database = await open();
      store = postgresRecords(database.tag as never, database.options);
      await Promise.all([store.create(), store.create()]);
    }, 60_000);
    afterAll(() => database.end());

    it.each(recordStoreCases)("$name", ({ run }) => run(store));

    const begun = async (leaseMs = 60_000): Promise<[key: string, fence: string]> => {
      const key = randomUUID();
      return [key, ((await store.begin(key, "f", leaseMs, 86_400_000)) as WriteLease).fence];
    };

    it("commits an answer with the transaction of the handler, or neither", async () => {
      const [key, fence] = await begun();
      const failed = database.transaction(async (transaction) => {
        await store.commit(transaction, [{ key, fence }], "answer", 60_000);
        throw new Error("no effect");
      });
      await expect(failed).rejects.toThrow("no effect");
      expect(await store.find(key)).toEqual({ fingerprint: "f", answer: null });
      await database.transaction((transaction) => store.commit(transaction, [{ key, fence }], "answer", 60_000));
      expect(await store.find(key)).toEqual({ fingerprint: "f", answer: "answer" });
    });

    it("refuses to commit without a transaction", async () => {
      const [key, fence] = await begun();
      await expect(store.commit(database.tag, [{ key, fence }], "answer", 60_000)).rejects.toThrow(
        "there is no transaction",
      );
    });

    it("refuses to commit by a lease that ended and was given to another run", async () => {
      const [key, fence] = await begun(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const second = (await store.begin(key, "f", 60_000, 60_000)) as WriteLease;
      const late = database.transaction((transaction) => store.commit(transaction, [{ key, fence }], "old", 60_000));
      await expect(late).rejects.toThrow("the lease of this write ended");
      await database.transaction((transaction) =>
        store.commit(transaction, [{ key, fence: second.fence }], "new", 60_000),
      );
      expect((await store.find(key))?.answer).toBe("new");
    });
  });

  it("C12.5 extends leases by connections of its own, while handlers hold all of theirs", async () => {
    const [pool, own] = await Promise.all([poolOf({ max: 1 }), poolOf({ max: 1 })]);
    onTestFinished(async () => void (await Promise.all([pool.end(), own.end()])));
    const [store, starved] = [postgresRecords(own as never), postgresRecords(pool as never)];
    await store.create();
    const key = randomUUID();
    const { fence } = (await store.begin(key, "f", 60_000, 60_000)) as WriteLease;
    const held = await pool.connect();
    const waiting = Promise.resolve(starved.extend(key, fence, 60_000));
    const first = await Promise.race([
      waiting.then(() => "the pool of the handlers"),
      Promise.resolve(store.extend(key, fence, 60_000)).then(() => "its own pool"),
    ]);
    expect(first).toBe("its own pool");
    held.release();
    expect(await waiting).toBe(true);
  });
});
