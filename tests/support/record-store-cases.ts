// What every store of records must do, whatever it keeps them in.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { RecordStore, WriteLease, WriteRecord } from "fingerpost/idempotency";

const minute = 60_000;
const day = 86_400_000;

function fenceOf(begun: WriteLease | WriteRecord): string {
  expect(begun).toHaveProperty("fence");
  return (begun as WriteLease).fence;
}

/** Lets time pass until a lease, or a record, of one millisecond is over. */
async function over(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Adds the tests of a store. Stores of one server are given keys that nobody else has. */
export function keepsRecords(storeOf: () => RecordStore): void {
  it("gives a key one lease, and says that the write is under way", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    expect(await store.find(key)).toBeNull();
    expect(fenceOf(await store.begin(key, "f", minute, day))).toMatch(/^\d+$/);
    expect(await store.begin(key, "f", minute, day)).toEqual({ fingerprint: "f", answer: null });
    expect(await store.begin(key, "g", minute, day)).toEqual({ fingerprint: "f", answer: null });
    expect(await store.find(key)).toEqual({ fingerprint: "f", answer: null });
  });

  it("gives one lease to a hundred who ask at once", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    const begun = await Promise.all(Array.from({ length: 100 }, () => store.begin(key, "f", minute, day)));
    expect(begun.filter((one) => "fence" in one)).toHaveLength(1);
  });

  it("keeps an answer as it was given, once", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    const fence = fenceOf(await store.begin(key, "f", minute, day));
    const answer = JSON.stringify({ text: "\u0000 ' \" \\ é 𝄞 %s $1 {}", long: "x".repeat(100_000) });
    expect(await store.finish(key, fence, answer, day)).toBe(true);
    expect(await store.find(key)).toEqual({ fingerprint: "f", answer });
    expect(await store.begin(key, "f", minute, day)).toEqual({ fingerprint: "f", answer });
    expect(await store.finish(key, fence, "other", day)).toBe(false);
    expect(await store.extend(key, fence, minute)).toBe(false);
    await store.release(key, fence);
    expect((await store.find(key))?.answer).toBe(answer);
  });

  it("gives another lease where one ended, with a greater fence, and takes no answer by the old one", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    const first = fenceOf(await store.begin(key, "f", 1, day));
    await over();
    expect(await store.find(key)).toBeNull();
    const second = fenceOf(await store.begin(key, "f", minute, day));
    expect(BigInt(second)).toBeGreaterThan(BigInt(first));
    expect(await store.extend(key, first, minute)).toBe(false);
    expect(await store.finish(key, first, "old", day)).toBe(false);
    await store.release(key, first);
    expect(await store.finish(key, second, "new", day)).toBe(true);
    expect(await store.find(key)).toEqual({ fingerprint: "f", answer: "new" });
  });

  it("does not give the key of a write that crashed to another request", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    await store.begin(key, "f", 1, day);
    await over();
    expect(await store.begin(key, "g", minute, day)).toEqual({ fingerprint: "f", answer: null });
  });

  it("extends a lease, and keeps the record as long as that", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    const fence = fenceOf(await store.begin(key, "f", 1, 2_000));
    expect(await store.extend(key, fence, minute)).toBe(true);
    await over();
    expect(await store.begin(key, "f", minute, day)).toEqual({ fingerprint: "f", answer: null });
    const other = randomUUID();
    const otherFence = fenceOf(await store.begin(other, "f", 15, 15));
    await store.extend(other, otherFence, minute);
    await over();
    expect(await store.find(other)).toEqual({ fingerprint: "f", answer: null });
  });

  it("forgets a write that was released", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    const first = fenceOf(await store.begin(key, "f", minute, day));
    await store.release(key, first);
    expect(await store.find(key)).toBeNull();
    expect(BigInt(fenceOf(await store.begin(key, "g", minute, day)))).toBeGreaterThan(BigInt(first));
  });

  it("forgets a record at its end, and gives its key to another request", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    const fence = fenceOf(await store.begin(key, "f", minute, day));
    expect(await store.finish(key, fence, "answer", 1)).toBe(true);
    await over();
    expect(await store.find(key)).toBeNull();
    expect(await store.extend(key, fence, minute)).toBe(false);
    expect(BigInt(fenceOf(await store.begin(key, "g", minute, day)))).toBeGreaterThan(BigInt(fence));
  });
}
