// Deno: deno run --allow-net --allow-env=PORT examples/deno/main.js
import { application } from "../greetings/native.js";

const port = Number(Deno.env.get("PORT") ?? 3000);
const server = Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, application.fetch);
console.log(`http://127.0.0.1:${server.addr.port}/hello/Ada`);
