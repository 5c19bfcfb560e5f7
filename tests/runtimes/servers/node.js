// Node: fingerpost/node over three protocols with both chains, and srvx.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createSecureServer as http2 } from "node:http2";
import { createServer as https } from "node:https";
import { listener, serve } from "fingerpost/node";
import { FastResponse, serve as serveBySrvx } from "srvx";
import * as chains from "./chains.ts";

const tls = { key: readFileSync("dist/key.pem"), cert: readFileSync("dist/cert.pem"), allowHTTP1: true };
const onError = () => {};
const options = { port: 0, hostname: "127.0.0.1", onError };
const ports = {
  srvx: new URL((await serveBySrvx({ ...options, fetch: chains.native().fetch, silent: true }).ready()).url).port,
};
for (const [chain, applicationOf] of Object.entries(chains)) {
  ports[`http ${chain}`] = (await serve(applicationOf(), options)).address().port;
  for (const [name, create] of Object.entries({ https, http2 })) {
    const server = create(tls, listener(applicationOf(), { onError })).listen(0, "127.0.0.1");
    await once(server, "listening");
    ports[`${name} ${chain}`] = server.address().port;
  }
}
ports["http native, whole Request"] = (
  await serve(chains.native(), { ...options, lightRequests: false })
).address().port;
ports["http native, light Response"] = (await serve(chains.native(FastResponse), options)).address().port;
console.log(`LISTENING ${JSON.stringify(ports)}`);
