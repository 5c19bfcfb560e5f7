// Bun: what takes a `fetch` takes an application.
import { heapStats } from "bun:jsc";
import { applicationOf } from "./native.ts";
import { newState } from "./state.ts";

const app = applicationOf(newState(() => (Bun.gc(true), heapStats().heapSize)));
const server = Bun.serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
console.log(`LISTENING ${JSON.stringify({ "Bun.serve": server.port })}`);
