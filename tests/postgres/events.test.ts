import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { sharesOneFeed } from "../support/feed-cases.ts";

// Set by scripts/check/postgres-tests.js, which starts a server.
const url = process.env["POSTGRES_URL"];
const file = fileURLToPath(new URL("./feed-server.js", import.meta.url));

describe.skipIf(url === undefined)("postgresFeed() with PostgreSQL (run by scripts/check/postgres-tests.js)", () => {
  it("E8 has processes share one feed: each event once, in one order, and on at another process", async () => {
    await sharesOneFeed(file, [url!]);
  });
});
