import { createClient } from "@redis/client";
import { Inbox } from "fingerpost/events";
import { postgresSessions, redisSessions } from "fingerpost/stores";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { z } from "zod";
import { openDatabase } from "./database.ts";
import type { OwnedChange } from "./schemas.ts";
import { ATTEMPTS, REDIS_URL } from "./settings.ts";

export type Services = Awaited<ReturnType<typeof openServices>>;

/** Opens what handlers work with. With Redis, processes share sessions and the count of attempts. */
export async function openServices() {
  const database = await openDatabase();
  /** Changes of notes by any process. */
  const changes = new Inbox<z.output<typeof OwnedChange>>();
  await database.listen("changes", (text) => changes.send(JSON.parse(text)));
  const rate = { points: Number(ATTEMPTS), duration: 60, keyPrefix: "notes" };
  const redis = REDIS_URL && (await createClient({ url: REDIS_URL }).on("error", console.error).connect());
  return {
    ...database,
    changes,
    sessions: redis ? redisSessions(redis) : postgresSessions(database.sql),
    limiter: redis
      ? new RateLimiterRedis({ ...rate, storeClient: redis, useRedisPackage: true })
      : new RateLimiterMemory(rate),
    checks: { database: () => database.sql`select 1`, ...(redis && { redis: () => redis.ping() }) },
    async close() {
      if (redis) redis.destroy();
      await database.close();
    },
  };
}
