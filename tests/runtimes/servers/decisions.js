// The application of the decision table, on Bun and Deno.
import { decisionsApplication } from "../../cases/decisions-application.ts";

const { fetch } = decisionsApplication();
const options = { port: 0, hostname: "127.0.0.1" };
const port =
  "Deno" in globalThis
    ? Deno.serve({ ...options, onListen: () => {} }, fetch).addr.port
    : Bun.serve({ ...options, fetch }).port;
console.log(`LISTENING ${JSON.stringify({ decisions: port })}`);
