import { memoryRecords } from "fingerpost/idempotency";
import { describe, expect, it } from "vitest";
import { keepsRecords } from "../../tests/support/record-store-cases.ts";

describe("memoryRecords()", () => {
  keepsRecords(() => memoryRecords());

  it("begins no write beyond its limit, and forgets old ones first", async () => {
    const store = memoryRecords({ maxRecords: 2 });
    await store.begin("a", "f", 1, 5);
    await store.begin("b", "f", 60_000, 60_000);
    expect(() => store.begin("c", "f", 60_000, 60_000)).toThrow(
      'Cannot begin a write: there are 2 records already; raise "maxRecords"',
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await store.begin("c", "f", 60_000, 60_000)).toEqual({ fence: "3" });
    expect(() => store.begin("d", "f", 60_000, 60_000)).toThrow();
  });

  it("refuses a limit below 1", () => {
    expect(() => memoryRecords({ maxRecords: 0 })).toThrow('"maxRecords" must be at least 1, got 0');
  });
});
