// All middleware, for tests of what becomes of it in different orders.
import { allowedMethods } from "fingerpost/middleware/allowed-methods";
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { compress } from "fingerpost/middleware/compress";
import { cookies } from "fingerpost/middleware/cookies";
import { cors } from "fingerpost/middleware/cors";
import { csrf } from "fingerpost/middleware/csrf";
import { jwt } from "fingerpost/middleware/jwt";
import { log, type LogEntry } from "fingerpost/middleware/log";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { requestId } from "fingerpost/middleware/request-id";
import { secureHeaders } from "fingerpost/middleware/secure-headers";
import { timeout } from "fingerpost/middleware/timeout";
import { trace } from "fingerpost/middleware/trace";
import { Attribute } from "fingerpost/modules/http.native.js";
import { conditional, negotiate } from "fingerpost/native/content";
import { SignJWT } from "jose";
import type { MiddlewareClass } from "../../src/application/middleware.ts";

/** Whom the guard let in. */
export const client: Attribute<string> = new Attribute<string>("client");

const key = new Uint8Array(32);

/** The guards: all read `Authorization`, so that there is room for one of them. */
export const guards = {
  bearer: {
    middleware: () => bearer({ tokens: { "ada-token": "Ada" }, identity: client }),
    authorization: async () => "Bearer ada-token",
  },
  basic: {
    middleware: () => basic({ realm: "x", users: { Ada: "secret" }, identity: client }),
    authorization: async () => `Basic ${btoa("Ada:secret")}`,
  },
  jwt: {
    middleware: () => {
      const claims = { set: (input: object, { sub }: { readonly sub?: string }) => client.set(input, sub ?? "") };
      return jwt({ algorithms: ["HS256"], issuer: "i", audience: "a", key, identity: claims });
    },
    authorization: async () => {
      const signer = new SignJWT({ iss: "i", aud: "a", sub: "Ada", exp: 4_000_000_000 });
      return `Bearer ${await signer.setProtectedHeader({ alg: "HS256" }).sign(key)}`;
    },
  },
} as const;

/** The name of a guard. */
export type Guard = keyof typeof guards;

/** One of each, by name; every application has its own. */
export function all(
  entries: LogEntry[],
  timeoutMs: number,
  guard: Guard = "bearer",
): Readonly<Record<string, MiddlewareClass>> {
  const limiter = { points: 5, duration: 60, consume: async () => ({ remainingPoints: 4, msBeforeNext: 60_000 }) };
  return {
    log: log({ write: (entry) => void entries.push(entry) }),
    trace: trace(),
    allowedMethods: allowedMethods(),
    requestId: requestId({ trust: true }),
    secureHeaders: secureHeaders(),
    cors: cors({ origins: ["https://app.example"], credentials: true }),
    rateLimit: rateLimit({ limiter, keyOf: () => "somebody" }),
    timeout: timeout({ timeoutMs }),
    bodyLimit: bodyLimit({ maxBytes: 100 }),
    csrf: csrf({ origins: ["https://app.example"] }),
    guard: guards[guard].middleware(),
    cookies: cookies(),
    negotiate: negotiate(),
    compress: compress({ codings: ["gzip"] }),
    conditional: conditional(),
  };
}

/** Their names, in an order that is a good one. */
export const names: readonly string[] = Object.keys(all([], 1));
const rotated = (order: readonly string[], by: number): string[] => [...order.slice(by), ...order.slice(0, by)];

/**
 * Forward and backward, from every one on: each is outermost and innermost, and before and behind each of the others.
 */
export function ordersOf(list: readonly string[]): (readonly [text: string, order: readonly string[]])[] {
  const orders = [list, list.toReversed()].flatMap((order) => order.map((_, by) => rotated(order, by)));
  return orders.map((order) => [order.join(" "), order]);
}

/** The fields that a response of the handler has in any order. */
export const onEvery: Readonly<Record<string, string>> = {
  "access-control-allow-credentials": "true",
  "access-control-allow-origin": "https://app.example",
  "access-control-expose-headers": "ETag",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  ratelimit: '"default";r=4;t=60',
  "ratelimit-policy": '"default";q=5;w=60',
  "referrer-policy": "same-origin",
  "set-cookie": "seen=yes; Path=/; HttpOnly; Secure; SameSite=Lax",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "x-request-id": "id-1",
};

/** A field by which the work of a middleware is known. */
export const fieldBy = {
  requestId: "x-request-id",
  secureHeaders: "x-frame-options",
  cors: "access-control-allow-origin",
  rateLimit: "ratelimit",
};
