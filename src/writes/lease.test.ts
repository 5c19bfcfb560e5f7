import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Lease } from "./lease.ts";
import type { RecordStore } from "./record-store.ts";

const kept = { status: 200, statusText: "", fields: [], content: null };

function lease(more: Partial<RecordStore>) {
  const made = new Lease(["a", "b"], {
    store: more as RecordStore,
    ttlMs: 60,
    storeTimeoutMs: 2_000,
    leaseMs: 30,
    key: "Idempotency-Key",
    keeps: () => true,
  });
  made.add("a", { fence: "1" });
  made.add("b", { fence: "2" });
  return made;
}

/** Notes timers, and starts none. */
function timers(timer: unknown) {
  onTestFinished(() => void vi.restoreAllMocks());
  const set = vi.spyOn(globalThis, "setInterval").mockReturnValue(timer as never);
  return { set, clear: vi.spyOn(globalThis, "clearInterval").mockReturnValue() };
}

describe("Lease", () => {
  it("is extended under each name three times while it lasts, from one timer, until it ends", () => {
    const extend = vi.fn(() => Promise.reject(new Error("down")));
    const { set, clear } = timers(7);
    const one = lease({ extend });
    one.extend();
    one.extend();
    expect(set.mock.calls).toEqual([[expect.any(Function), 10]]);
    expect(extend).not.toHaveBeenCalled();
    set.mock.calls[0]![0]();
    expect(extend.mock.calls).toEqual([
      ["a", "1", 30],
      ["b", "2", 30],
    ]);
    expect(clear).not.toHaveBeenCalled();
    one.end();
    expect(clear.mock.calls).toEqual([[7]]);
  });

  it("keeps no process alive, where timers can do that", () => {
    const unref = vi.fn();
    timers({ unref });
    lease({}).extend();
    expect(unref).toHaveBeenCalledOnce();
  });

  it("fails where another run may have begun under any name", async () => {
    const finish = vi.fn(async (name: string) => name === "a");
    await expect(lease({ finish }).finish(kept)).rejects.toThrow("its lease ended, and another run may have begun");
    expect(finish.mock.calls.map(([name]) => name)).toEqual(["a", "b"]);
    expect(await lease({ finish: async () => true }).finish(kept)).toBeUndefined();
  });
});
