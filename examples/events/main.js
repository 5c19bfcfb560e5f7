// Server-sent events: node examples/events/main.js. With REDIS_URL or POSTGRES_URL, processes share one feed.
import { Inbox } from "fingerpost/events";
import { serve } from "fingerpost/node";
import { stories } from "./stories.js";

const { PORT = "3000", REDIS_URL, POSTGRES_URL } = process.env;

async function openFeed() {
  if (REDIS_URL !== undefined) {
    const { createClient } = await import("@redis/client");
    const { redisFeed } = await import("./redis-feed.js");
    return redisFeed(await createClient({ url: REDIS_URL }).on("error", console.error).connect(), "stories");
  }
  if (POSTGRES_URL !== undefined) {
    const { default: postgres } = await import("postgres");
    const { postgresFeed } = await import("./postgres-feed.js");
    return postgresFeed(postgres(POSTGRES_URL, { onnotice() {} }));
  }
  const inbox = new Inbox();
  return { inbox, send: async (story) => inbox.send(story), stop() {} };
}

const feed = await openFeed();
const server = await serve(stories(feed), {
  port: Number(PORT),
  hostname: "127.0.0.1",
  stopOn: ["SIGINT", "SIGTERM"],
});
server.once("close", async () => {
  await feed.stop();
  process.exit();
});
console.log(`http://127.0.0.1:${server.address().port}/stories`);
