import { serve } from "fingerpost/node";
import { address, notes } from "./application.ts";
import { openServices } from "./services.ts";
import { DATABASE_URL, DATA_FOLDER, HOST, PORT, REDIS_URL } from "./settings.ts";

const services = await openServices({ databaseUrl: DATABASE_URL, dataFolder: DATA_FOLDER, redisUrl: REDIS_URL });
const stop = new AbortController();
const server = await serve(notes(services), { port: Number(PORT), hostname: HOST, signal: stop.signal, address });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
server.once("close", () => services.close());
console.log(`Notes: http://${HOST}:${PORT}/app/, described at http://${HOST}:${PORT}/docs`);
