// A process of its own that serves the events of a feed by PostgreSQL, and prints its port.
import postgres from "postgres";
import { postgresFeed } from "../../examples/events/postgres-feed.js";
import { serveFeed } from "../support/feed-server.js";

const [url] = process.argv.slice(2);
await serveFeed(await postgresFeed(postgres(url, { onnotice() {} })));
