// Stands for Vercel: calls what a function exports by the name of the method.
import { serve } from "srvx";
import * as functions from "../../../examples/vercel/main.js";

const fetch = (request) => functions[request.method]?.(request) ?? new Response(null, { status: 405 });
const server = serve({ fetch, port: 0, hostname: "127.0.0.1", silent: true });
await server.ready();
console.log(`${server.url}`);
