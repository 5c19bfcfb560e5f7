import { createClient } from "@redis/client";
import { recordStoreCases, redisRecords } from "fingerpost/stores";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

// Set by scripts/check/redis-tests.js, which starts a server where there is one.
const url = process.env["REDIS_URL"];

describe.skipIf(url === undefined)("redisRecords() with a Redis server (run by scripts/check/redis-tests.js)", () => {
  const client = createClient({ url: url! });
  const other = new Redis(url ?? "", { lazyConnect: true });
  beforeAll(() => client.connect());
  afterAll(() => {
    client.destroy();
    other.disconnect();
  });

  describe("by the package redis", () => it.each(recordStoreCases)("$name", ({ run }) => run(redisRecords(client))));
  describe("by the package ioredis", () => it.each(recordStoreCases)("$name", ({ run }) => run(redisRecords(other))));

  it.each([
    { name: "redis", one: client },
    { name: "ioredis", one: other },
  ])("asks by digests, also a server that forgot all scripts, by $name", async ({ one }) => {
    const run = vi.spyOn(one, "eval");
    const store = redisRecords(one);
    await client.sendCommand(["SCRIPT", "FLUSH"]);
    for (let times = 0; times < 3; times += 1) expect(await store.find("k")).toBeNull();
    expect(run).toHaveBeenCalledTimes(1);
    await client.sendCommand(["SCRIPT", "FLUSH"]);
    expect(await store.find("k")).toBeNull();
    expect(run).toHaveBeenCalledTimes(2);
  });
});
