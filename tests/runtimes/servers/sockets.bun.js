// WebSockets on Bun, by its own server.
import { quickly } from "./heartbeat.js";
import { app } from "./sockets.ts";

quickly();
const { fetch, websocket } = app;
const server = Bun.serve({ fetch, websocket, port: 0, hostname: "127.0.0.1" });
console.log(`LISTENING ${JSON.stringify({ sockets: server.port })}`);
