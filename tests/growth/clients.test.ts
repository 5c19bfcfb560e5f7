import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { rateLimit } from "fingerpost/middleware/rate-limit.js";
import { expect, it } from "vitest";
import { polyfillAround } from "../middleware/around.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("rateLimit() keeps nothing of a client: the heap is flat after 200,000 of them", { timeout: 60_000 }, async () => {
  const limiter = { points: 1, consume: async () => ({ remainingPoints: 0, msBeforeNext: 1 }) };
  let clients = 0;
  const app = polyfillAround(rateLimit({ limiter, key: () => `client ${clients++}` }), () => true);
  async function heapAfter(count: number): Promise<number> {
    for (let at = 0; at < count; at++)
      await app.handle({ url: "/items", method: "GET", response: { setHeader() {}, appendHeader() {} } });
    collect();
    return process.memoryUsage().heapUsed;
  }
  const before = await heapAfter(10_000);
  expect((await heapAfter(200_000)) - before).toBeLessThan(1e6);
  expect(clients).toBe(210_000);
});
