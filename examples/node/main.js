// Node: node examples/node/main.js
import { serve } from "fingerpost/servers/node.js";
import { application } from "../greetings/polyfill.js";

const stop = new AbortController();
const port = Number(process.env.PORT ?? 3000);
const server = await serve(application, { port, hostname: "127.0.0.1", signal: stop.signal });
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
console.log(`http://127.0.0.1:${server.address().port}/hello/Ada`);
