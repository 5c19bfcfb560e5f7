import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { sharesOneFeed, sharesTopics } from "../support/feed-cases.ts";

// Set by scripts/check/redis-tests.js, which starts a server where there is one.
const url = process.env["REDIS_URL"];
const file = fileURLToPath(new URL("./feed-server.js", import.meta.url));

describe.skipIf(url === undefined)("redisFeed() with a Redis server (run by scripts/check/redis-tests.js)", () => {
  it("E8 has processes share one feed: each event once, in one order, and on at another process", async () => {
    await sharesOneFeed(file, [url!, `fingerpost-feed-${process.pid}-${Date.now()}`]);
  });

  it("C20.6 has processes share topics of WebSockets: each peer gets each message once", async () => {
    await sharesTopics(file, [url!, `fingerpost-topics-${process.pid}-${Date.now()}`]);
  });
});
