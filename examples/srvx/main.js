// srvx, on Node, Bun or Deno alike: npm install srvx, then node examples/srvx/main.js
import { serve } from "srvx";
import { application } from "../greetings/native.js";

const port = Number(process.env.PORT ?? 3000);
const server = serve({ fetch: application.fetch, port, hostname: "127.0.0.1", silent: true });
await server.ready();
console.log(`${server.url}hello/Ada`);
