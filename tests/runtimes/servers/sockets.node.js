// WebSockets on Node, by the package ws.
import { serve } from "fingerpost/node";
import { WebSocket } from "ws";
import { quickly } from "./heartbeat.js";
import { app } from "./sockets.ts";

quickly();
// Node 20 has none.
globalThis.WebSocket ??= WebSocket;
const server = await serve(app, { port: 0, hostname: "127.0.0.1" });
console.log(`LISTENING ${JSON.stringify({ sockets: server.address().port })}`);
