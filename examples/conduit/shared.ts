import { createClient, type RedisClientType } from "@redis/client";
import type { Limiter } from "fingerpost/middleware/rate-limit";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Database } from "./database.ts";
import { newsByNotify, newsByRedis, type News } from "./news.ts";

/** What processes share beside their database. */
export interface Shared {
  readonly news: News;
  readonly limiter: Limiter;
  close(): void;
}

export interface SharedOptions {
  /** Where Redis or Valkey is. Without it, news go by NOTIFY, and each process counts requests for itself. */
  readonly redisUrl?: string | undefined;
  readonly requestsPerMinute?: number | undefined;
}

/** Opens what processes share. */
export async function openShared(database: Database, options: SharedOptions = {}): Promise<Shared> {
  const { redisUrl, requestsPerMinute: points = 600 } = options;
  const rate = { points, duration: 60, keyPrefix: "conduit" };
  if (redisUrl === undefined) {
    const news = await newsByNotify(database);
    return { news, limiter: new RateLimiterMemory(rate), close: () => news.close() };
  }
  // While Redis is away, commands fail at once, rather than to wait for it.
  const client: RedisClientType = createClient({ url: redisUrl, disableOfflineQueue: true });
  client.on("error", console.error);
  await client.connect();
  const news = await newsByRedis(client);
  // Should Redis fail, each process counts for itself, rather than to refuse everybody.
  const insuranceLimiter = new RateLimiterMemory(rate);
  const limiter = new RateLimiterRedis({ ...rate, storeClient: client, useRedisPackage: true, insuranceLimiter });
  const close = () => {
    news.close();
    client.destroy();
  };
  return { news, limiter, close };
}
