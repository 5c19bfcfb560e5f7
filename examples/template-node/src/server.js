import { serve } from "fingerpost/servers/node.js";
import { app } from "./application.js";

const port = Number(process.env.PORT ?? 3000);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

await serve(app, { port, signal: stop.signal });
console.log(`http://localhost:${port}/hello`);
