// WebSockets on Deno, by its own server.
import { app } from "./sockets.ts";

const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.fetch);
console.log(`LISTENING ${JSON.stringify({ sockets: server.addr.port })}`);
