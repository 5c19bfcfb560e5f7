import type { RecordStore, WriteLease, WriteRecord } from "../../writes/record-store.ts";
import { dayMs, hardText, holds, minuteMs, newKey, passed, same, type StoreCase } from "./store-case.ts";

/**
 * Test cases that every store of records must pass. Run your own store through them, with any test runner.
 *
 * Each case takes less than a second of a store that answers at once.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 *
 * for (const { name, run } of recordStoreCases) test(name, () => run(memoryRecords()));
 * ```
 */
export const recordStoreCases: readonly StoreCase<RecordStore>[] = [
  {
    name: "gives a key one lease, and says that the write is under way",
    async run(store) {
      const key = newKey();
      await knows(store, key, null);
      const fence = await leased(store, key);
      holds("fence of begin()", fence, "decimal digits", /^\d+$/.test(fence));
      const running = { fingerprint: "f", answer: null };
      isRecord("begin() of a write under way", await store.begin(key, "f", minuteMs, dayMs), running);
      isRecord("begin() by another fingerprint", await store.begin(key, "g", minuteMs, dayMs), running);
      await knows(store, key, running);
    },
  },
  {
    name: "gives one lease to a hundred who ask at once",
    async run(store) {
      const key = newKey();
      const asking = Array.from({ length: 100 }, async () => store.begin(key, "f", minuteMs, dayMs));
      const leases = (await Promise.all(asking)).filter((begun) => "fence" in begun);
      same("the number of leases of a hundred begin()", leases.length, 1);
    },
  },
  {
    name: "keeps an answer as it was given, once",
    async run(store) {
      const key = newKey();
      const fence = await leased(store, key);
      same("finish()", await store.finish(key, fence, hardText, dayMs), true);
      const answered = { fingerprint: "f", answer: hardText };
      await knows(store, key, answered);
      isRecord("begin() of an answered write", await store.begin(key, "f", minuteMs, dayMs), answered);
      same("finish() of an answered write", await store.finish(key, fence, "other", dayMs), false);
      same("extend() of an answered write", await store.extend(key, fence, minuteMs), false);
      await store.release(key, fence);
      await knows(store, key, answered);
    },
  },
  {
    name: "gives another lease where one ended, with a greater fence, and takes no answer by the old one",
    async run(store) {
      const key = newKey();
      const first = await leased(store, key, { leaseMs: 1 });
      await passed(20);
      await knows(store, key, null);
      const second = await leased(store, key);
      grows(first, second);
      same("extend() by an old lease", await store.extend(key, first, minuteMs), false);
      same("finish() by an old lease", await store.finish(key, first, "old", dayMs), false);
      await store.release(key, first);
      same("finish() by the newest lease", await store.finish(key, second, "new", dayMs), true);
      await knows(store, key, { fingerprint: "f", answer: "new" });
    },
  },
  {
    name: "does not give the key of a write that crashed to another request",
    async run(store) {
      const key = newKey();
      await leased(store, key, { leaseMs: 1 });
      await passed(20);
      const begun = await store.begin(key, "g", minuteMs, dayMs);
      isRecord("begin() by another fingerprint", begun, { fingerprint: "f", answer: null });
    },
  },
  {
    name: "extends a lease, and keeps the record as long as that",
    async run(store) {
      const [key, other] = [newKey(), newKey()];
      const fence = await leased(store, key, { leaseMs: 1, ttlMs: minuteMs });
      const otherFence = await leased(store, other, { leaseMs: 300, ttlMs: 300 });
      same("extend()", await store.extend(key, fence, minuteMs), true);
      same("extend()", await store.extend(other, otherFence, minuteMs), true);
      await passed(320);
      const running = { fingerprint: "f", answer: null };
      isRecord("begin() of an extended write", await store.begin(key, "f", minuteMs, dayMs), running);
      await knows(store, other, running);
    },
  },
  {
    name: "forgets a write that was released",
    async run(store) {
      const key = newKey();
      const first = await leased(store, key);
      await store.release(key, first);
      await knows(store, key, null);
      grows(first, await leased(store, key, { fingerprint: "g" }));
    },
  },
  {
    name: "forgets a record at its end, and gives its key to another request",
    async run(store) {
      const key = newKey();
      const first = await leased(store, key);
      same("finish()", await store.finish(key, first, "answer", 1), true);
      await passed(20);
      await knows(store, key, null);
      same("extend() of a forgotten write", await store.extend(key, first, minuteMs), false);
      grows(first, await leased(store, key, { fingerprint: "g" }));
    },
  },
];

async function leased(
  store: RecordStore,
  key: string,
  { fingerprint = "f", leaseMs = minuteMs, ttlMs = dayMs } = {},
): Promise<string> {
  const { fence } = (await store.begin(key, fingerprint, leaseMs, ttlMs)) as Partial<WriteLease>;
  holds("begin() of a key that nobody has", fence, "a fence", typeof fence === "string");
  return fence!;
}

function isRecord(what: string, got: WriteLease | WriteRecord | null, expected: WriteRecord | null): void {
  const { fingerprint, answer } = (got ?? {}) as Partial<WriteRecord>;
  same(what, got === null ? null : [fingerprint, answer], expected && [expected.fingerprint, expected.answer]);
}

async function knows(store: RecordStore, key: string, expected: WriteRecord | null): Promise<void> {
  isRecord("find()", await store.find(key), expected);
}

function grows(first: string, second: string): void {
  holds("the next fence", second, `more than ${first}`, BigInt(second) > BigInt(first));
}
