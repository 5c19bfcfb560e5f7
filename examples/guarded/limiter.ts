import { createClient } from "@redis/client";
import type { Limiter } from "fingerpost/middleware/rate-limit";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";

const rate = { points: 60, duration: 60, keyPrefix: "guarded" };

/** Counts requests in a Redis server, so that several processes share one limit; in memory where none is configured. */
export async function limiterFor(url: string | undefined): Promise<Limiter> {
  if (url === undefined) return new RateLimiterMemory(rate);
  const storeClient = createClient({ url });
  storeClient.on("error", console.error);
  await storeClient.connect();
  // Should the server fail, each process counts for itself, rather than to refuse everybody.
  const insuranceLimiter = new RateLimiterMemory(rate);
  return new RateLimiterRedis({ ...rate, storeClient, useRedisPackage: true, insuranceLimiter });
}
