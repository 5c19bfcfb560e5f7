import { createClient } from "@redis/client";
import { sessionStoreCases, redisSessions } from "fingerpost/stores";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, it } from "vitest";

// Set by scripts/check/redis-tests.js, which starts a server where there is one.
const url = process.env["REDIS_URL"];

describe.skipIf(url === undefined)("redisSessions() with a Redis server (run by scripts/check/redis-tests.js)", () => {
  const client = createClient({ url: url! });
  const other = new Redis(url ?? "", { lazyConnect: true });
  beforeAll(() => client.connect());
  afterAll(() => {
    client.destroy();
    other.disconnect();
  });

  describe("by the package redis", () => it.each(sessionStoreCases)("$name", ({ run }) => run(redisSessions(client))));
  describe("by the package ioredis", () => it.each(sessionStoreCases)("$name", ({ run }) => run(redisSessions(other))));
});
