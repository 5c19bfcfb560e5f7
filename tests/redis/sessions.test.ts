import { createClient } from "@redis/client";
import { redisSessions } from "fingerpost/sessions";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe } from "vitest";
import { keepsSessions } from "../support/session-store-cases.ts";

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

  describe("by the package redis", () => keepsSessions(() => redisSessions(client)));
  describe("by the package ioredis", () => keepsSessions(() => redisSessions(other)));
});
