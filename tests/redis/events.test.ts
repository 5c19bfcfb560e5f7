import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { sharesOneFeed } from "../support/feed-cases.ts";

// Set by scripts/check/redis-tests.js, which starts a server where there is one.
const url = process.env["REDIS_URL"];
const file = fileURLToPath(new URL("./feed-server.js", import.meta.url));

describe.skipIf(url === undefined)("redisFeed() with a Redis server (run by scripts/check/redis-tests.js)", () => {
  it("E8 has processes share one feed: each event once, in one order, and on at another process", async () => {
    await sharesOneFeed(file, [url!, `fingerpost-feed-${process.pid}-${Date.now()}`]);
  });
});
