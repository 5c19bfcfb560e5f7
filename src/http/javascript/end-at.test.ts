import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endAt } from "./end-at.ts";

const dayMs = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("endAt()", () => {
  it("calls once, also after more days than a timer can wait", async () => {
    const end = vi.fn<() => void>();
    endAt(Date.now() + 60 * dayMs, end);
    await vi.advanceTimersByTimeAsync(60 * dayMs - 1);
    expect(end).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(end).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("calls soon at a time that is over, and never once it was stopped", async () => {
    const [end, stopped] = [vi.fn<() => void>(), vi.fn<() => void>()];
    endAt(Date.now() - 1, end);
    endAt(Date.now() + 60 * dayMs, stopped)();
    expect(end).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(90 * dayMs);
    expect([end, stopped].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  });

  it("does not listen to a clock that is set", async () => {
    const end = vi.fn<() => void>();
    endAt(Date.now() + 1_000, end);
    vi.setSystemTime(Date.now() - dayMs);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(end).toHaveBeenCalledTimes(1);
  });
});
