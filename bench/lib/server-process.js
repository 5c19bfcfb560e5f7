// Runs one server, and tells its parent what CPU time it has used: `node server-process.js FILE PORT ARGUMENTS`.
import { pathToFileURL } from "node:url";

const [, , file, port, ...args] = process.argv;
const { start } = await import(pathToFileURL(file).href);
await start(Number(port), ...args);
process.on("message", () => process.send(process.cpuUsage()));
process.on("disconnect", () => process.exit());
process.send("ready");
