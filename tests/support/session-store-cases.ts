// What every store of sessions must do, whatever it keeps them in.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { SessionStore } from "fingerpost/sessions";

const minute = 60_000;
const day = 86_400_000;

/** Lets time pass until a session of a few milliseconds is over. */
async function over(ms = 30): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Adds the tests of a store. Stores of one server are given keys that nobody else has. */
export function keepsSessions(storeOf: () => SessionStore): void {
  const begun = async (store: SessionStore, { data = "data", owner = null as string | null, label = "" } = {}) => {
    const key = randomUUID();
    await store.begin(key, { data, owner, label }, minute, day);
    return key;
  };

  it("keeps a session as it was given, and says how long it may last", async () => {
    const store = storeOf();
    const data = JSON.stringify({ text: "\u0000 ' \" \\ é 𝄞 %s $1 {}", long: "x".repeat(100_000) });
    const key = await begun(store, { data });
    const found = await store.find(key, minute, minute);
    expect(found?.data).toBe(data);
    expect(found?.leftMs).toBeGreaterThan(day - minute);
    expect(found?.leftMs).toBeLessThanOrEqual(day);
    expect(await store.find(randomUUID(), minute, minute)).toBeNull();
  });

  it("replaces the data of one version, once", async () => {
    const store = storeOf();
    const key = await begun(store);
    const { version } = (await store.find(key, minute, minute))!;
    const all = await Promise.all(Array.from({ length: 50 }, (_, at) => store.replace(key, version, `${at}`, minute)));
    const [next, ...others] = all.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(next).not.toBe(version);
    expect(await store.find(key, minute, minute)).toMatchObject({ data: String(all.indexOf(next!)), version: next });
    expect(await store.replace(key, version, "old", minute)).toBeNull();
  });

  it("ends a session, and brings none back", async () => {
    const store = storeOf();
    const key = await begun(store);
    const { version } = (await store.find(key, minute, minute))!;
    await store.delete(key);
    await store.delete(key);
    expect(await store.find(key, minute, 0)).toBeNull();
    expect(await store.replace(key, version, "again", minute)).toBeNull();
    expect(await store.find(key, minute, 0)).toBeNull();
  });

  it("ends a session that nobody has seen for its idle time", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    await store.begin(key, { data: "data", owner: "o", label: "" }, 5, day);
    await over();
    expect(await store.find(key, minute, 0)).toBeNull();
    expect(await store.replace(key, "1", "again", minute)).toBeNull();
    expect((await store.list("o")).filter(({ id }) => id === key)).toEqual([]);
  });

  it("extends a session that was seen long enough ago, also by new data", async () => {
    const store = storeOf();
    const [rarely, often, changed] = [randomUUID(), randomUUID(), randomUUID()];
    for (const key of [rarely, often, changed]) await store.begin(key, { data: "d", owner: null, label: "" }, 200, day);
    await over(20);
    expect(await store.find(rarely, minute, minute)).not.toBeNull();
    expect(await store.find(often, minute, 10)).not.toBeNull();
    const { version } = (await store.find(changed, minute, minute))!;
    await store.replace(changed, version, "e", minute);
    await over(250);
    expect(await store.find(rarely, minute, minute)).toBeNull();
    expect(await store.find(often, minute, minute)).not.toBeNull();
    expect((await store.find(changed, minute, minute))?.data).toBe("e");
  });

  it("extends no session beyond its absolute end", async () => {
    const [store, key] = [storeOf(), randomUUID()];
    await store.begin(key, { data: "d", owner: null, label: "" }, 100, 150);
    const found = await store.find(key, minute, -1);
    expect(found?.leftMs).toBeLessThanOrEqual(150);
    await store.replace(key, found!.version, "e", minute);
    await over(200);
    expect(await store.find(key, minute, 0)).toBeNull();
  });

  it("lists the sessions of an owner that have not ended", async () => {
    const [store, owner] = [storeOf(), randomUUID()];
    const before = Date.now();
    const first = await begun(store, { owner, label: '"Firefox" é' });
    await over(5);
    const second = await begun(store, { owner, label: "Safari" });
    await begun(store, { owner: randomUUID() });
    await begun(store);
    const entries = await store.list(owner);
    expect(entries.map(({ id, label }) => [id, label])).toEqual([
      [first, '"Firefox" é'],
      [second, "Safari"],
    ]);
    for (const { startedAt, seenAt } of entries) {
      expect(Math.abs(startedAt.getTime() - before)).toBeLessThan(minute);
      expect(seenAt.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
    }
    await store.find(first, minute, -1);
    await store.delete(second);
    expect((await store.list(owner)).map(({ id }) => id)).toEqual([first]);
    await store.delete(first);
    expect(await store.list(owner)).toEqual([]);
  });
}
