import { serve } from "fingerpost/servers/node.js";
import { app } from "./application.js";

const port = Number(process.env.PORT ?? 3000);
const stop = new AbortController();
const server = await serve(app, { port, signal: stop.signal });
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, end);
console.log(`http://localhost:${port}/hello`);

function end() {
  stop.abort();
  // Whoever has not got a whole response by then is broken off.
  setTimeout(() => server.closeAllConnections(), 10_000).unref();
}
