import { describe, expect, it, onTestFinished, vi } from "vitest";
import { measured } from "../../tests/support/measured.ts";
import { workersHost } from "../hosts/workers-host.ts";
import { running } from "./runtime-host.ts";
import { isEssential, LoadLimit, type LoadOptions } from "./load-limit.ts";

const other = {};
const first = {};
const limitOf = (options: LoadOptions): LoadLimit => new LoadLimit("it", options, (input) => input === first);

function printed(): readonly string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((format: string, ...values: unknown[]) => {
    lines.push(values.reduce<string>((text, value) => text.replace(/%[sd]/, String(value)), format));
  });
  vi.useFakeTimers();
  onTestFinished(() => {
    spy.mockRestore();
    vi.useRealTimers();
  });
  return lines;
}

describe("LoadLimit.enter()", () => {
  it("lets in as many as may be under way, and what is essential", () => {
    printed();
    const limit = limitOf({ maxRequests: 2 });
    expect([limit.enter(other), limit.enter(other)]).toEqual([null, null]);
    const refused = limit.enter(other);
    expect(refused?.status).toBe(503);
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect(limit.enter(first)).toBeNull();
    limit.leave();
    expect(limit.enter(other)).not.toBeNull();
    limit.leave();
    expect(limit.enter(other)).toBeNull();
  });

  it("lets in all without a limit", () => {
    const limit = limitOf({});
    for (let i = 0; i < 10_000; i++) expect(limit.enter(other)).toBeNull();
  });

  it("refuses while its timer is late, and no longer", () => {
    printed();
    const limit = limitOf({ maxLoopDelayMs: 100 });
    expect(limit.enter(other)).toBeNull();
    vi.setSystemTime(Date.now() + 110);
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now + 120);
    expect(limit.enter(other)).toBeNull();
    clock.mockReturnValue(now + 121);
    expect(limit.enter(other)?.status).toBe(503);
    expect(limit.enter(first)).toBeNull();
    // The loop gets to its timers.
    vi.advanceTimersByTime(20);
    expect(limit.enter(other)).toBeNull();
    clock.mockRestore();
  });

  it("refuses nothing for a delay where the runtime ends timers with the request that set them", () => {
    printed();
    const { host } = running;
    onTestFinished(() => void (running.host = host));
    running.host = workersHost;
    const limit = limitOf({ maxLoopDelayMs: 100 });
    expect(limit.enter(other)).toBeNull();
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 9_999);
    expect(limit.enter(other)).toBeNull();
    clock.mockRestore();
  });

  it("keeps no timer while nobody asks", () => {
    printed();
    const limit = limitOf({ maxLoopDelayMs: 100 });
    for (let i = 0; i < 3; i++) limit.enter(other);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(20);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("prints one line for a load that is too much, and its count once it is over", () => {
    const lines = printed();
    const limit = limitOf({ maxRequests: 1 });
    limit.enter(other);
    for (let i = 0; i < 3; i++) limit.enter(other);
    limit.leave();
    limit.enter(other);
    expect(lines).toEqual(["Overload: it answers 503, because of maxRequests: 1; later refusals are counted"]);
    limit.leave();
    vi.advanceTimersByTime(1_000);
    limit.enter(other);
    expect(lines[1]).toBe("Overload is over: it refused 3 requests");
    // A single one has had its line.
    limit.enter(other);
    limit.leave();
    vi.advanceTimersByTime(1_000);
    limit.enter(other);
    expect(lines).toHaveLength(3);
  });

  it("names a late loop", () => {
    const lines = printed();
    const limit = limitOf({ maxLoopDelayMs: 5 });
    limit.enter(other);
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 26);
    limit.enter(other);
    clock.mockRestore();
    expect(lines).toEqual(["Overload: it answers 503, because of maxLoopDelayMs: 5; later refusals are counted"]);
  });

  it("measures each refusal by its cause", () => {
    printed();
    const found = measured();
    const limit = limitOf({ maxRequests: 1 });
    for (let i = 0; i < 2; i++) limit.enter(other);
    expect(found).toEqual([["fingerpost.refused_requests", 1, { "error.type": "maxRequests" }]]);
  });
});

describe("isEssential()", () => {
  it("asks the class of a resource", () => {
    class Probe {
      static readonly essential = true;
      readonly paths = ["/"];
    }
    class Other {
      static readonly essential = "no";
      readonly paths = ["/"];
    }
    expect([new Probe(), new Other(), Object.create(null) as object, null].map(isEssential)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
