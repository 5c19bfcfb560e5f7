// Runs one server, and tells its parent what CPU time it has used: `node server-process.js FILE PORT`.
import { pathToFileURL } from "node:url";

const [, , file, port] = process.argv;
const { start } = await import(pathToFileURL(file).href);
await start(Number(port));
process.on("message", () => process.send(process.cpuUsage()));
process.on("disconnect", () => process.exit());
process.send("ready");
