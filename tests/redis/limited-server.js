// A process of its own that serves a rate-limited resource from dist/, and prints its port. Its store is a Redis
// server.
import { createClient } from "@redis/client";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { Application, Resource } from "fingerpost/modules/http.polyfill.js";
import { serve } from "fingerpost/node";
import { RateLimiterRedis } from "rate-limiter-flexible";

const [url, keyPrefix] = process.argv.slice(2);
const storeClient = createClient({ url });
await storeClient.connect();
const limiter = new RateLimiterRedis({ storeClient, useRedisPackage: true, keyPrefix, points: 10, duration: 60 });

class Limited extends Resource {
  paths = ["/"];

  GET({ response }) {
    return response.end("reached");
  }
}

const app = Application.builder().resources(Limited).middleware(rateLimit({ limiter })).build();
const server = await serve(app, { port: 0, hostname: "127.0.0.1" });
process.once("disconnect", () => process.exit());
process.send(server.address().port);
