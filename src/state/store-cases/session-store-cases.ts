import type { NewSession, SessionStore } from "../sessions/session-store.ts";
import { dayMs, hardText, holds, minuteMs, newKey, passed, same, type StoreCase } from "./store-case.ts";

/**
 * Test cases that every store of sessions must pass. Run your own store through them, with any test runner.
 *
 * Each case takes less than a second of a store that answers at once.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 *
 * for (const { name, run } of sessionStoreCases) test(name, () => run(memorySessions()));
 * ```
 */
export const sessionStoreCases: readonly StoreCase<SessionStore>[] = [
  {
    name: "keeps a session as it was given, and says how long it may last",
    async run(store) {
      const key = await begun(store, { data: hardText });
      const found = await store.find(key, minuteMs, minuteMs);
      same("the data of find()", found?.data, hardText);
      const { leftMs } = found!;
      holds("leftMs of find()", leftMs, "nearly a day", leftMs > dayMs - minuteMs && leftMs <= dayMs);
      same("find() of no session", await store.find(newKey(), minuteMs, minuteMs), null);
    },
  },
  {
    name: "replaces the data of one version, once",
    async run(store) {
      const key = await begun(store);
      const version = await versionOf(store, key);
      const replacing = Array.from({ length: 50 }, async (_, at) => store.replace(key, version, `${at}`, minuteMs));
      const all = await Promise.all(replacing);
      const [next, ...others] = all.filter((one) => one !== null);
      same("other calls of replace() with one version", others, []);
      holds("replace()", next, "another version", next !== undefined && next !== version);
      const found = await store.find(key, minuteMs, minuteMs);
      same("find()", [found?.data, found?.version], [String(all.indexOf(next!)), next]);
      same("replace() of an old version", await store.replace(key, version, "old", minuteMs), null);
    },
  },
  {
    name: "ends a session, and brings none back",
    async run(store) {
      const key = await begun(store);
      const version = await versionOf(store, key);
      await store.delete(key);
      await store.delete(key);
      await isOver(store, key, version);
    },
  },
  {
    name: "ends a session that nobody has seen for its idle time",
    async run(store) {
      const owner = newKey();
      const key = await begun(store, { owner, idleMs: 5 });
      await passed(30);
      await isOver(store, key, "1");
      same("list()", await store.list(owner), []);
    },
  },
  {
    name: "extends a session that was seen long enough ago, also by new data",
    async run(store) {
      const idle = { idleMs: 400 };
      const [rarely, often, changed] = [await begun(store, idle), await begun(store, idle), await begun(store, idle)];
      await passed(20);
      const version = await versionOf(store, rarely);
      await store.find(often, minuteMs, 10);
      await store.replace(changed, version, "e", minuteMs);
      await passed(450);
      same("find() of a session that was not extended", await store.find(rarely, minuteMs, minuteMs), null);
      same("the data of find()", (await store.find(often, minuteMs, minuteMs))?.data, "d");
      same("the data of find()", (await store.find(changed, minuteMs, minuteMs))?.data, "e");
    },
  },
  {
    name: "extends no session beyond its absolute end",
    async run(store) {
      const key = await begun(store, { idleMs: 300, absoluteMs: 300 });
      const found = await store.find(key, minuteMs, -1);
      holds("leftMs of find()", found?.leftMs, "at most 300", (found?.leftMs ?? 301) <= 300);
      await store.replace(key, found!.version, "e", minuteMs);
      await passed(350);
      same("find()", await store.find(key, minuteMs, 0), null);
    },
  },
  {
    name: "lists the sessions of an owner that have not ended",
    async run(store) {
      const owner = newKey();
      const before = Date.now();
      const first = await begun(store, { owner, label: '"Firefox" é' });
      await passed(5);
      const second = await begun(store, { owner, label: "Safari" });
      await begun(store, { owner: newKey() });
      await begun(store);
      const entries = await store.list(owner);
      const expected = [[first, '"Firefox" é'] as const, [second, "Safari"] as const];
      const listed = entries.map(({ id, label }) => [id, label]);
      same("list()", listed, expected);
      for (const { startedAt, seenAt } of entries) {
        const isNear = Math.abs(startedAt.getTime() - before) < minuteMs && seenAt.getTime() >= startedAt.getTime();
        holds("list()", [startedAt, seenAt], "the times of start and last sight", isNear);
      }
      await store.find(first, minuteMs, -1);
      await store.delete(second);
      same("list()", idsOf(await store.list(owner)), [first]);
      await store.delete(first);
      same("list()", await store.list(owner), []);
    },
  },
];

type Begun = Partial<NewSession> & { readonly idleMs?: number; readonly absoluteMs?: number };

async function begun(store: SessionStore, given: Begun = {}): Promise<string> {
  const { data = "d", owner = null, label = "", idleMs = minuteMs, absoluteMs = dayMs } = given;
  const key = newKey();
  await store.begin(key, { data, owner, label }, idleMs, absoluteMs);
  return key;
}

async function versionOf(store: SessionStore, key: string): Promise<string> {
  const found = await store.find(key, minuteMs, minuteMs);
  holds("the version of find()", found?.version, "a text", typeof found?.version === "string");
  return found!.version;
}

async function isOver(store: SessionStore, key: string, version: string): Promise<void> {
  same("find() of a session that is over", await store.find(key, minuteMs, 0), null);
  same("replace() of a session that is over", await store.replace(key, version, "again", minuteMs), null);
  same("find() of a session that is over", await store.find(key, minuteMs, 0), null);
}

function idsOf(entries: readonly { readonly id: string }[]): readonly string[] {
  return entries.map(({ id }) => id);
}
