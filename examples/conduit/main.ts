import { serve } from "fingerpost/node";
import { setTimeout } from "node:timers/promises";
import { conduit } from "./application.ts";
import { openDatabase } from "./database.ts";
import { address } from "./guards.ts";
import { openShared } from "./shared.ts";

const { DATABASE_URL, DATA_FOLDER, REDIS_URL, PORT = "3000", HOST = "127.0.0.1" } = process.env;
const { REQUESTS_PER_MINUTE = "600", LEAVE_MS = "0" } = process.env;
const database = await openDatabase(DATABASE_URL, DATA_FOLDER);
const options = { redisUrl: REDIS_URL, requestsPerMinute: Number(REQUESTS_PER_MINUTE) };
const shared = await openShared(database, options);
const stop = new AbortController();
const app = conduit(database, shared);
const server = await serve(app, { port: Number(PORT), hostname: HOST, signal: stop.signal, address });

async function leave(): Promise<void> {
  shared.isLeaving = true;
  // A load balancer has to see that first.
  await setTimeout(Number(LEAVE_MS));
  stop.abort();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, leave);
server.once("close", async () => {
  // Work after answers may need both still.
  await app.settled();
  shared.close();
  await database.close();
});
console.log(`http://${HOST}:${PORT}/docs describes the API, which is at http://${HOST}:${PORT}/api`);
console.log(`http://${HOST}:${PORT}/live/ shows new articles as they come`);
