import {
  durableLimiter,
  durableRecords,
  durableSessions,
  DurableStore,
  type DurableNamespace,
} from "fingerpost/stores";
import { describe, expect, it } from "vitest";

type Reply = (text: string, values: unknown[]) => unknown[];

/** A binding to objects of one process, whose storage returns what it is told. */
function bindingOf(reply: Reply) {
  const objects = new Map<string, DurableStore>();
  const namespace: DurableNamespace = {
    idFromName: (name) => name,
    get(id) {
      const exec = (text: string, ...values: unknown[]) => ({
        toArray: () => reply(text.replace(/\s+/g, " ").trim(), [id, ...values]),
      });
      const storage = { sql: { exec }, transactionSync: <Given>(run: () => Given) => run() };
      const object = objects.get(id) ?? new DurableStore({ storage });
      objects.set(id, object);
      return { fetch: (url, init) => object.fetch(new Request(url, init)) };
    },
  };
  return { namespace, objects };
}

// What objects keep is tested with workerd: tests/runtimes/servers/stores.workerd.js.
describe("stores in Durable Objects", () => {
  it("ask the object of a key, which has created its tables", async () => {
    const asked: string[] = [];
    const { namespace, objects } = bindingOf((text) => {
      asked.push(text);
      return text.startsWith("insert or replace") ? [{ fence: 3 }] : [];
    });
    const store = durableRecords(namespace, { maxObjects: 4 });
    expect(await store.begin("k", "f", 3, 9)).toEqual({ fence: "3" });
    expect(await store.find("k")).toBeNull();
    expect(await store.extend("k", "3", 3)).toBe(false);
    expect(await store.finish("k", "3", "a", 9)).toBe(false);
    expect(await store.release("k", "3")).toBeUndefined();
    expect(store.commit).toBeUndefined();
    expect([...objects.keys()]).toEqual([expect.stringMatching(/^writes-[0-3]$/)]);
    for (let at = 0; at < 100; at++) await store.find(`k${at}`);
    expect(objects.size).toBe(4);
    expect(asked.some((text) => text.startsWith("select fingerprint"))).toBe(true);
  });

  it("list the sessions of an owner, wherever they are, by their start", async () => {
    const { namespace, objects } = bindingOf((text, [id]) => {
      const at = Number(/\d+/.exec(String(id)));
      return text.startsWith("select key") ? [{ key: `s${at}`, label: "", started: 90 - at, seen: 99 }] : [];
    });
    const store = durableSessions(namespace, { maxObjects: 3 });
    const entries = await store.list("o");
    expect(entries.map(({ id, startedAt, seenAt }) => [id, startedAt.getTime(), seenAt.getTime()])).toEqual([
      ["s2", 88, 99],
      ["s1", 89, 99],
      ["s0", 90, 99],
    ]);
    expect(await store.find("k", 3, 9)).toBeNull();
    await durableSessions(namespace).list("o");
    expect(objects.size).toBe(16);
  });

  it("limit as limiters of rate-limiter-flexible do", async () => {
    let used = 1;
    const { namespace } = bindingOf((text) =>
      text.startsWith("insert into fingerpost_limits") ? [{ used: used++, remaining: 900 }] : [],
    );
    const limiter = durableLimiter(namespace, { quota: 1, windowMs: 900 });
    expect([limiter.points, limiter.duration]).toEqual([1, 1]);
    expect(await limiter.consume("k")).toEqual({ remainingPoints: 0, msBeforeNext: 900 });
    await expect(limiter.consume("k")).rejects.toEqual({ remainingPoints: 0, msBeforeNext: 900 });
  });

  it("refuse what is no binding, and wrong options", () => {
    const { namespace } = bindingOf(() => []);
    expect(() => durableRecords(7 as never)).toThrow(
      "Cannot ask Durable Objects: expected the binding of DurableStore, got 7",
    );
    expect(() => durableSessions(null as never)).toThrow("got null");
    expect(() => durableRecords(namespace, { maxObjects: 0 })).toThrow("a whole number from 1 on, got 0");
    expect(() => durableLimiter(namespace, { quota: 1 } as never)).toThrow(
      'Cannot call durableLimiter(): its option "windowMs" must be given, got undefined',
    );
    expect(() => durableLimiter(namespace, { quota: 1, windowMs: 0.5 })).toThrow("a whole number from 1 on, got 0.5");
  });
});
