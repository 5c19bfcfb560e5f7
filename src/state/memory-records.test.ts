import { memoryRecords, recordStoreCases } from "fingerpost/stores";
import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => vi.useRealTimers());

describe("memoryRecords()", () => {
  it.each(recordStoreCases)("$name", ({ run }) => run(memoryRecords()));

  it("begins no write beyond its limit, and forgets old ones first", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const store = memoryRecords({ maxRecords: 2 });
    await store.begin("a", "f", 1, 5);
    await store.begin("b", "f", 60_000, 60_000);
    expect(() => store.begin("c", "f", 60_000, 60_000)).toThrow(
      'Cannot begin a write: there are 2 records already; raise "maxRecords"',
    );
    vi.advanceTimersByTime(20);
    expect(await store.begin("c", "f", 60_000, 60_000)).toEqual({ fence: "3" });
    expect(() => store.begin("d", "f", 60_000, 60_000)).toThrow();
  });

  it("forgets what is behind a record that is kept longer, as one store may have both", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const store = memoryRecords({ maxRecords: 3 });
    await store.begin("first", "f", 60_000, 60_000);
    await store.begin("payment", "f", 86_400_000, 86_400_000);
    await store.begin("proof", "f", 81_000, 81_000);
    vi.advanceTimersByTime(60_001);
    await store.begin("another proof", "f", 81_000, 81_000);
    vi.advanceTimersByTime(60_001);
    await store.begin("one more", "f", 81_000, 81_000);
    expect(() => store.begin("too many", "f", 81_000, 81_000)).toThrow("there are 3 records already");
    expect(await store.find("payment")).toEqual({ fingerprint: "f", answer: null });
  });

  it("refuses a limit below 1", () => {
    expect(() => memoryRecords({ maxRecords: 0 })).toThrow('"maxRecords" must be a whole number from 1 on, got 0');
  });
});
