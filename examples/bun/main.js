// Bun: bun examples/bun/main.js
import { application } from "../greetings/native.js";

const server = Bun.serve({ port: Number(process.env.PORT ?? 3000), hostname: "127.0.0.1", fetch: application.fetch });
console.log(`http://127.0.0.1:${server.port}/hello/Ada`);
