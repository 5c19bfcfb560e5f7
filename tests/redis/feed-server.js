// A process of its own that serves the events of a feed by Redis, and prints its port.
import { createClient } from "@redis/client";
import { redisFeed } from "../../examples/events/redis-feed.js";
import { serveFeed } from "../support/feed-server.js";

const [url, key] = process.argv.slice(2);
const client = createClient({ url }).on("error", () => {});
await client.connect();
await serveFeed(await redisFeed(client, key));
