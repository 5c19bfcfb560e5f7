import { describe, expect, it, vi } from "vitest";
import { limitedRules } from "./limited-rules.ts";
import type { RecordStore } from "./record-store.ts";
import type { WriteRules } from "./write-rules.ts";

const refusing = async (): Promise<never> => Promise.reject(new Error("not asked"));
const store: RecordStore = { find: refusing, begin: refusing, extend: refusing, finish: refusing, release: refusing };
const rulesOf = (own: Partial<RecordStore>): WriteRules => ({
  store: { ...store, ...own },
  storeTimeoutMs: 1,
  leaseMs: 30,
  ttlMs: 1_000,
  key: "key",
  keeps: () => true,
});

describe("limitedRules()", () => {
  it("has one limit for the same rules", () => {
    const rules = rulesOf({});
    expect(limitedRules(rules)).toBe(limitedRules(rules));
    expect(limitedRules(rules)).not.toBe(limitedRules({ ...rules }));
  });

  it.each([
    [{ fence: "1" }, [["a", "1"]]],
    [{ fingerprint: "f", answer: null }, []],
  ])("lets go of a lease that comes too late: %j", async (begun, released) => {
    let answer: (begun: never) => void = () => {};
    const late = new Promise<never>((resolve) => (answer = resolve));
    const release = vi.fn(async () => {});
    const { store: limited } = limitedRules(rulesOf({ begin: () => late, release }));
    await expect(limited.begin("a", "f", 3, 3)).rejects.toThrow("begin");
    answer(begun as never);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(release.mock.calls).toEqual(released);
  });
});
