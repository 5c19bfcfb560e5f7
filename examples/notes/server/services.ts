import { createClient } from "@redis/client";
import { Inbox } from "fingerpost/content/events";
import { postgresSessions, redisSessions } from "fingerpost/sessions";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { z } from "zod";
import { openDatabase } from "./database.ts";
import type { OwnedChange } from "./schemas.ts";

export type Services = Awaited<ReturnType<typeof openServices>>;
/** Where things are; and how often a minute an address may sign up or in. */
type Settings = { attempts?: number } & Partial<Record<"databaseUrl" | "dataFolder" | "redisUrl", string | undefined>>;

/** Opens what handlers work with. With Redis, processes share sessions and the count of attempts. */
export async function openServices({ databaseUrl, dataFolder, redisUrl, attempts = 10 }: Settings) {
  const database = await openDatabase(databaseUrl, dataFolder);
  /** Changes of notes by any process. */
  const changes = new Inbox<z.output<typeof OwnedChange>>();
  await database.listen("changes", (text) => changes.send(JSON.parse(text)));
  const rate = { points: attempts, duration: 60, keyPrefix: "notes" };
  const redis = redisUrl && (await createClient({ url: redisUrl }).on("error", console.error).connect());
  return {
    database,
    changes,
    sessions: redis ? redisSessions(redis) : postgresSessions(database.sql),
    limiter: redis
      ? new RateLimiterRedis({ ...rate, storeClient: redis, useRedisPackage: true })
      : new RateLimiterMemory(rate),
    async close() {
      if (redis) redis.destroy();
      await database.close();
    },
  };
}
