import { memorySessions, sessionStoreCases } from "fingerpost/stores";
import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => vi.useRealTimers());

describe("memorySessions()", () => {
  it.each(sessionStoreCases)("$name", ({ run }) => run(memorySessions()));

  it("begins no session beyond its limit, and forgets old ones first", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const store = memorySessions({ maxSessions: 2 });
    const session = { data: "d", owner: "o", label: "" };
    await store.begin("a", session, 1, 5);
    await store.begin("b", session, 60_000, 60_000);
    expect(() => store.begin("c", session, 60_000, 60_000)).toThrow(
      'Cannot start a session: there are 2 already; raise "maxSessions"',
    );
    vi.advanceTimersByTime(20);
    await store.begin("c", session, 60_000, 60_000);
    expect(() => store.begin("d", session, 60_000, 60_000)).toThrow();
    expect((await store.list("o")).map(({ id }) => id)).toEqual(["b", "c"]);
  });

  it("forgets what is behind a session that is kept longer, as one store may have both", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const store = memorySessions({ maxSessions: 2 });
    const session = { data: "d", owner: null, label: "" };
    await store.begin("staff", session, 86_400_000, 86_400_000);
    await store.begin("visitor", session, 1_000, 1_000);
    vi.advanceTimersByTime(60_001);
    await store.begin("another", session, 1_000, 1_000);
    expect(await store.find("staff", 1_000, 90_000)).not.toBeNull();
  });

  it("C13.1 ends sessions by a clock that nobody sets", async () => {
    const store = memorySessions();
    await store.begin("a", { data: "d", owner: null, label: "" }, 60_000, 60_000);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000_000 });
    expect(await store.find("a", 60_000, 60_000)).not.toBeNull();
    vi.setSystemTime(0);
    expect(await store.find("a", 60_000, 60_000)).not.toBeNull();
  });

  it("refuses a limit below 1", () => {
    expect(() => memorySessions({ maxSessions: 0 })).toThrow('"maxSessions" must be a whole number from 1 on, got 0');
  });
});
