import { load } from "fingerpost/middleware/load";
import type { MiddlewareRow } from "../middleware-row.ts";

const counts = [0, -1, 1.5, NaN, "5"];

export const row: MiddlewareRow = {
  factory: load,
  options: [{ base: { maxRequests: 1 }, wrong: { maxRequests: [undefined, ...counts], maxLoopDelayMs: counts } }],
  passes: [{ middleware: load({ maxRequests: 10_000 }) }],
  exchanges: [
    {
      middleware: () => load({ maxRequests: 10_000, maxLoopDelayMs: 60_000 }),
      polyfill: true,
      of: [
        [{}, 200],
        [{ method: "PUT" }, 200],
      ],
    },
  ],
  reads: [{ create: () => load({ maxRequests: 10_000 }), path: true }],
};
