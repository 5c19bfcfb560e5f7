// A WebSocket behind each bundled middleware: the handshake passes through it untouched.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { upgrade } from "fingerpost/content/sockets.js";
import { allowedMethods } from "fingerpost/middleware/allowed-methods.js";
import { basic } from "fingerpost/middleware/basic.js";
import { bearer } from "fingerpost/middleware/bearer.js";
import { bodyLimit } from "fingerpost/middleware/body-limit.js";
import { compress } from "fingerpost/middleware/compress.js";
import { conditional } from "fingerpost/middleware/conditional.js";
import { cookies } from "fingerpost/middleware/cookies.js";
import { cors } from "fingerpost/middleware/cors.js";
import { csrf } from "fingerpost/middleware/csrf.js";
import { jwt } from "fingerpost/middleware/jwt.js";
import { log } from "fingerpost/middleware/log.js";
import { negotiate } from "fingerpost/middleware/negotiate.js";
import { rateLimit } from "fingerpost/middleware/rate-limit.js";
import { requestId } from "fingerpost/middleware/request-id.js";
import { secureHeaders } from "fingerpost/middleware/secure-headers.js";
import { timeout } from "fingerpost/middleware/timeout.js";
import { trace } from "fingerpost/middleware/trace.js";
import { serve } from "fingerpost/servers/node.js";
import { SignJWT } from "jose";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import { nativeAround } from "./around.ts";

const key = new TextEncoder().encode("k".repeat(32));
const token = await new SignJWT({ aud: "api", iss: "i" })
  .setProtectedHeader({ alg: "HS256" })
  .setExpirationTime("1h")
  .sign(key);

const each: readonly [name: string, middleware: MiddlewareClass, headers: Readonly<Record<string, string>>][] = [
  ["allowedMethods", allowedMethods(), {}],
  ["basic", basic({ realm: "x", users: { ada: "p" } }), { authorization: `Basic ${btoa("ada:p")}` }],
  ["bearer", bearer({ tokens: { k7: "Ada" } }), { authorization: "Bearer k7" }],
  ["bodyLimit", bodyLimit({ maxBytes: 1 }), {}],
  ["compress", compress({ minBytes: 0 }), { "accept-encoding": "gzip, br" }],
  ["conditional", conditional(), { "if-none-match": "*" }],
  ["cookies", cookies(), { cookie: "a=1" }],
  ["cors", cors({ origin: ["https://a.example"] }), { origin: "https://a.example" }],
  ["csrf", csrf(), {}],
  ["jwt", jwt({ key, algorithms: ["HS256"], audience: "api", issuer: "i" }), { authorization: `Bearer ${token}` }],
  ["log", log({ write: () => {} }), {}],
  ["negotiate", negotiate({ produces: ["text/plain"] }), {}],
  ["rateLimit", rateLimit({ limiter: new RateLimiterMemory({ points: 5, duration: 1 }), key: () => "one" }), {}],
  ["requestId", requestId(), {}],
  ["secureHeaders", secureHeaders(), {}],
  ["timeout", timeout({ timeoutMs: 1_000 }), {}],
  ["trace", trace(), {}],
];

describe("WebSockets behind middleware", () => {
  it.each(each)("C20.1 %s() leaves a handshake as it is", async (_name, middleware, headers) => {
    const errors: unknown[] = [];
    const app = nativeAround(
      middleware,
      (request) =>
        upgrade(
          request,
          { open: (peer) => peer.send("hello"), message: (peer, message) => peer.send(message) },
          { origins: "*" },
        ),
      (error) => void errors.push(error),
    );
    const stop = new AbortController();
    const server = await serve(app, { port: 0, signal: stop.signal, graceMs: 100 });
    onTestFinished(() => stop.abort());
    const { port } = server.address() as AddressInfo;
    const client = new WebSocket(`ws://127.0.0.1:${port}/items`, { headers: { ...headers } });
    const got: string[] = [];
    client.on("message", (data: Buffer) => got.push(data.toString()));
    client.on("error", (error) => errors.push(error));
    await Promise.race([once(client, "open"), once(client, "close")]);
    expect(errors).toEqual([]);
    client.send("x");
    await expect.poll(() => got).toEqual(["hello", "x"]);
    client.terminate();
  });
});
