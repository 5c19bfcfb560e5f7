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

  it("refuses a limit below 1", () => {
    expect(() => memoryRecords({ maxRecords: 0 })).toThrow('"maxRecords" must be a whole number from 1 on, got 0');
  });
});
