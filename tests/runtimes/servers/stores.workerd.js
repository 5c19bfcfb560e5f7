// Stores in Durable Objects, in the storage of one, and in D1: answers with what became of their cases.
import {
  durableLimiter,
  durableRecords,
  durableSessions,
  DurableStore,
  recordStoreCases,
  sessionStoreCases,
  sqliteRecords,
  sqliteSessions,
} from "fingerpost/stores";
import { describe, expect, it, outcome } from "../suite/registry.ts";

export class Stores extends DurableStore {}

/** An object of a program, which keeps records beside what it keeps itself. */
export class Inside {
  #storage;
  constructor({ storage }) {
    this.#storage = storage;
  }
  async fetch() {
    const { sql } = this.#storage;
    suiteOf("the storage of an object", sqliteRecords(this.#storage), sqliteSessions(this.#storage), {
      exec: async (text) => sql.exec(text),
      count: async () => sql.exec("select * from payments").toArray().length,
      effectOf: (text) => () => sql.exec(text),
    });
    return Response.json(await outcome());
  }
}

export default {
  async fetch(request, { STORES, INSIDE, DATABASE }) {
    const inside = await INSIDE.get(INSIDE.idFromName("one")).fetch(request);
    suiteOf("D1", sqliteRecords(DATABASE), sqliteSessions(DATABASE), {
      exec: (text) => DATABASE.exec(text),
      count: async () => (await DATABASE.prepare("select * from payments").all()).results.length,
      effectOf: (text) => [DATABASE.prepare(text)],
    });
    suiteOf("Durable Objects", durableRecords(STORES), durableSessions(STORES));
    limits(STORES);
    return Response.json({ "stores/storage": await inside.json(), "stores/objects": await outcome() });
  },
};

function suiteOf(name, records, sessions, database) {
  describe(name, () => {
    if (database !== undefined) {
      it("creates its tables, or finds them", async () => {
        for (let times = 2; times > 0; times--) await Promise.all([records.create(), sessions.create()]);
        await database.exec("create table payments (amount integer)");
      });
    }
    for (const { name: says, run } of recordStoreCases) it(`records: ${says}`, () => run(records));
    for (const { name: says, run } of sessionStoreCases) it(`sessions: ${says}`, () => run(sessions));
    if (database !== undefined) it("commits an answer with its effect, or neither", () => commits(records, database));
    else it("commits nothing", () => expect(records.commit).toBe(undefined));
  });
}

async function commits(records, { count, effectOf }) {
  const begin = async (key, leaseMs) => (await records.begin(key, "f", leaseMs, 60_000)).fence;
  const [first, old] = [await begin("first", 60_000), await begin("second", 0)];
  const second = await begin("second", 60_000);
  const pays = effectOf("insert into payments values (7)");
  for (const [effect, fence, message] of [
    [pays, old, "the lease of this write ended"],
    [effectOf("insert into missing values (7)"), second, "no such table: missing"],
    [7, second, "Cannot commit an answer: expected"],
  ]) {
    const leases = [
      { key: "first", fence: first },
      { key: "second", fence },
    ];
    await expect(records.commit(effect, leases, "answer", 60_000)).rejects.toThrow(message);
    expect([await count(), await records.find("first")]).toEqual([0, { fingerprint: "f", answer: null }]);
  }
  await records.commit(pays, [{ key: "first", fence: first }], "answer", 60_000);
  expect([await count(), await records.find("first")]).toEqual([1, { fingerprint: "f", answer: "answer" }]);
}

function limits(namespace) {
  describe("limits in Durable Objects", () => {
    it("count what a client uses in a window, and begin another", async () => {
      const limiter = durableLimiter(namespace, { quota: 2, windowMs: 1000 });
      const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
      const left = async (key) => (await limiter.consume(key).catch((over) => over)).remainingPoints;
      expect([await left(one), await left(one), await left(two)]).toEqual([1, 0, 1]);
      const over = await limiter.consume(one).then(
        () => null,
        (consumption) => consumption,
      );
      expect(over.remainingPoints).toBe(0);
      expect(over.msBeforeNext > 0 && over.msBeforeNext <= 1000).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, over.msBeforeNext + 20));
      expect(await left(one)).toBe(1);
    });

    it("count each of a hundred that ask at once", async () => {
      const limiter = durableLimiter(namespace, { quota: 60, windowMs: 60_000 });
      const key = crypto.randomUUID();
      const asked = await Promise.allSettled(Array.from({ length: 100 }, () => limiter.consume(key)));
      expect(asked.filter(({ status }) => status === "fulfilled").length).toBe(60);
    });
  });
}
