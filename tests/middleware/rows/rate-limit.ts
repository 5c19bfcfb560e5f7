import { rateLimit } from "fingerpost/middleware/rate-limit";
import { address, noCount, type MiddlewareRow } from "../middleware-row.ts";

const limiter = { points: 5, duration: 60, consume: async () => ({ remainingPoints: 4, msBeforeNext: 60_000 }) };

/** Takes one request of each client. */
function once() {
  const seen = new Set<string>();
  return {
    points: 1,
    duration: 60,
    async consume(client: string) {
      const consumption = { remainingPoints: 0, msBeforeNext: 60_000 };
      if (seen.has(client)) throw consumption;
      seen.add(client);
      return consumption;
    },
  };
}

export const row: MiddlewareRow = {
  factory: rateLimit,
  options: [
    {
      base: { limiter },
      wrong: {
        limiter: [undefined, {}, "memory"],
        keyOf: ["ip"],
        name: ["", "é", 5],
        quota: [...noCount, 1e15],
        windowSeconds: [...noCount, 1e15],
        storeTimeoutMs: [0, 1.5, -1, 2 ** 31, "2"],
        passWithoutStore: ["yes", 1],
        address: ["192.0.2.1", {}],
        trustedHops: [...noCount, true],
        forwardedHeader: ["X-Real-IP", "x-forwarded-for"],
      },
    },
  ],
  passes: [{ middleware: rateLimit({ limiter, keyOf: () => "somebody" }) }],
  exchanges: [
    {
      middleware: () => rateLimit({ limiter: once(), address }),
      polyfill: true,
      of: [
        [
          {},
          200,
          { "ratelimit-policy": '"default";q=1;w=60', ratelimit: '"default";r=0;t=60', "retry-after": undefined },
        ],
        [{ headers: { "x-forwarded-for": "192.0.2.1" } }, 429, { "retry-after": "60" }],
      ],
    },
  ],
  reads: (["X-Forwarded-For", "Forwarded"] as const).map((forwardedHeader) => ({
    create: () => rateLimit({ limiter, trustedHops: 1, forwardedHeader, address: () => "192.0.2.1" }),
    fields: { [forwardedHeader]: ["", 'for="'] },
  })),
};
