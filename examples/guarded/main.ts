// Serves the notes: try `node examples/guarded/dist/main.js` after `npm run build`, then what it prints.
import { serve } from "fingerpost/node";
import { applicationWith } from "./application.ts";
import { address } from "./clients.ts";
import { limiterFor } from "./limiter.ts";

const { HOST = "127.0.0.1", PORT = "3000", REDIS_URL } = process.env;
const stop = new AbortController();

const application = applicationWith(await limiterFor(REDIS_URL));
const server = await serve(application, { port: Number(PORT), hostname: HOST, signal: stop.signal, address });
const { port } = server.address() as { readonly port: number };
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stop.abort();
    // The connection to Redis would keep the process.
    server.once("close", () => process.exit());
  });
}

const origin = `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`;
const authorized = `--include --header "Authorization: Bearer ada-token" ${origin}/notes/1`;
console.log(`Notes are served at ${origin}, with limits kept ${REDIS_URL === undefined ? "in memory" : "in Redis"}

Try one of these in another terminal; Ctrl+C stops it.

  curl --include ${origin}/notes/1
  curl ${authorized}
  curl ${authorized} --header 'If-None-Match: "1"'
  curl ${authorized} --request PUT --data "Milk, bread"
  curl ${authorized} --request PUT --data "Milk, bread" --header 'If-Match: "1"'
`);
