// Deno: what takes a `fetch` takes an application.
import { applicationOf } from "./native.ts";
import { newState } from "./state.ts";

const app = applicationOf(newState(() => (gc(), Deno.memoryUsage().heapUsed)));
const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.fetch);
console.log(`LISTENING ${JSON.stringify({ "Deno.serve": server.addr.port })}`);
