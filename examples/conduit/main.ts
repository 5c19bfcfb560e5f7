import { serve } from "fingerpost/node";
import { conduit } from "./application.ts";
import { openDatabase } from "./database.ts";
import { address } from "./guards.ts";
import { openShared } from "./shared.ts";

const { DATABASE_URL, DATA_FOLDER, REDIS_URL, PORT = "3000", HOST = "127.0.0.1" } = process.env;
const { REQUESTS_PER_MINUTE = "600", LEAVE_MS = "0" } = process.env;
const database = await openDatabase(DATABASE_URL, DATA_FOLDER);
const options = { redisUrl: REDIS_URL, requestsPerMinute: Number(REQUESTS_PER_MINUTE) };
const shared = await openShared(database, options);
const app = conduit(database, shared);
// A load balancer has to see first that the process leaves.
const leaving = { stopOn: ["SIGINT", "SIGTERM"], leaveMs: Number(LEAVE_MS) } as const;
const server = await serve(app, { port: Number(PORT), hostname: HOST, address, ...leaving });
server.once("close", async () => {
  // Work after answers may need both still.
  await app.settled();
  shared.close();
  await database.close();
});
console.log(`http://${HOST}:${PORT}/docs describes the API, which is at http://${HOST}:${PORT}/api`);
console.log(`http://${HOST}:${PORT}/live/ shows new articles as they come`);
