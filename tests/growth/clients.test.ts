import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { expect, it } from "vitest";
import { preferredCoding } from "../../src/fields/accept-encoding.ts";
import { preferredLanguage } from "../../src/fields/accept-language.ts";
import { OfferedTypes } from "../../src/fields/accept.ts";
import { parseCookies } from "../../src/fields/cookie.ts";
import { parseMediaType } from "../../src/fields/media-type.ts";
import { preferenceOf } from "../../src/fields/prefer.ts";
import { polyfillAround } from "../middleware/around.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("rateLimit() keeps nothing of a client: the heap is flat after 200,000 of them", { timeout: 60_000 }, async () => {
  const limiter = { points: 1, consume: async () => ({ remainingPoints: 0, msBeforeNext: 1 }) };
  let clients = 0;
  const app = polyfillAround(rateLimit({ limiter, keyOf: () => `client ${clients++}` }), () => true);
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

it("fields keep a few texts of all clients: the heap is flat after 100,000 of each", { timeout: 60_000 }, () => {
  const offered = new OfferedTypes(["application/json", "text/html"]);
  function heapAfter(count: number): number {
    for (let at = 0; at < count; at++) {
      const text = `client-${count}-${at}`;
      offered.preferredAt(`application/${text}, text/html;q=0.5`);
      parseMediaType(`multipart/form-data; boundary=${text}`);
      preferredCoding(`${text}, gzip;q=0.5`, ["gzip", "identity"]);
      preferredLanguage(`de;q=0.5, en-${text}`, ["de", "en"]);
      preferenceOf(`${text}, return=minimal`, "return");
      parseCookies(`id=${text}`);
    }
    collect();
    return process.memoryUsage().heapUsed;
  }
  const before = heapAfter(10_000);
  expect(heapAfter(100_000) - before).toBeLessThan(500_000);
});
