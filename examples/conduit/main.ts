import { serve } from "fingerpost/node";
import { conduit } from "./application.ts";
import { openDatabase } from "./database.ts";

const { DATABASE_URL, DATA_FOLDER, PORT = "3000", HOST = "127.0.0.1" } = process.env;
const database = await openDatabase(DATABASE_URL, DATA_FOLDER);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
const server = await serve(await conduit(database), { port: Number(PORT), hostname: HOST, signal: stop.signal });
server.once("close", () => void database.close());
console.log(`http://${HOST}:${PORT}/docs describes the API, which is at http://${HOST}:${PORT}/api`);
