// Node: node examples/node/main.js
import { serve } from "fingerpost/servers/node.js";
import { application } from "../greetings/polyfill.js";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

const port = Number(process.env.PORT ?? 3000);
const server = await serve(application, { port, hostname: "127.0.0.1", signal: stop.signal });
console.log(`http://127.0.0.1:${server.address().port}/hello/Ada`);
