// Every factory of middleware with as few options as it takes, and the requests that what it makes is tried by.
import { allowedMethods } from "fingerpost/middleware/allowed-methods";
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { compress } from "fingerpost/middleware/compress";
import { cookies } from "fingerpost/middleware/cookies";
import { cors } from "fingerpost/middleware/cors";
import { csrf } from "fingerpost/middleware/csrf";
import { jwt } from "fingerpost/middleware/jwt";
import { log } from "fingerpost/middleware/log";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { requestId } from "fingerpost/middleware/request-id";
import { secureHeaders } from "fingerpost/middleware/secure-headers";
import { timeout } from "fingerpost/middleware/timeout";
import { trace } from "fingerpost/middleware/trace";
import { Attribute } from "fingerpost/modules/http.native.js";
import { conditional, negotiate } from "fingerpost/native/content";
import { generateKeyPair, SignJWT } from "jose";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import { withoutZlib } from "./passing.ts";

/** A request: its method and fields, and content if it has any. */
export interface Sent {
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly content: string | null;
}

/** Whom guards let in. */
export const user: Attribute<unknown> = new Attribute<unknown>("user");

export const secret: Uint8Array<ArrayBuffer> = new Uint8Array(32).fill(7);
const pair = await generateKeyPair("ES256");
export const publicKey: CryptoKey = pair.publicKey;

async function tokenOf(claims: object, alg = "ES256"): Promise<string> {
  const signer = new SignJWT({ iss: "i", aud: "a", sub: "ada", exp: 4e9, ...claims });
  return signer.setProtectedHeader({ alg }).sign(alg === "ES256" ? pair.privateKey : secret);
}

export const tokens = {
  good: await tokenOf({ scope: "read" }),
  bare: await tokenOf({}),
  expired: await tokenOf({ exp: 1 }),
  foreign: await tokenOf({ aud: "b" }),
  shared: await tokenOf({}, "HS256"),
};

const get = (fields: Sent["fields"] = {}): Sent => ({ method: "GET", fields, content: null });
const post = (fields: Sent["fields"] = {}, content = "x=1"): Sent => ({ method: "POST", fields, content });
const ask = (fields: Sent["fields"]): Sent => ({ method: "OPTIONS", fields, content: null });
const shown = (scheme: string, credentials: string): Sent => get({ authorization: `${scheme} ${credentials}` });

const crossSite = { "sec-fetch-site": "same-site", origin: "https://b.example" };
const preflight = {
  origin: "https://a.example",
  "access-control-request-method": "PUT",
  "access-control-request-headers": "x-a",
};
const forwarded = get({ "x-forwarded-for": "6.6.6.6" });
const traced = get({ traceparent: `00-${"1".repeat(32)}-${"1".repeat(16)}-01` });

type Row = readonly [name: string, create: () => MiddlewareClass, requests: readonly Sent[]];

/** @param lines get what limiters, tracers and logs are told. */
export function tried(lines: string[]): readonly Row[] {
  const guard = { realm: "x", users: { ada: "secret" }, user };
  const token = { algorithms: ["ES256"], issuer: "i", audience: "a", key: publicKey };
  const rate = { quota: 5, address: () => "192.0.2.1" };
  const left = { remainingPoints: 4, msBeforeNext: 1000 };
  const full = { limiter: { points: 5, duration: 60, ...limiterOf(lines, left, false) } };
  const bearing = Object.values(tokens).map((one) => shown("Bearer", one));
  const tracer = tracerOf(lines) as never;
  const write = ({ method, pattern, status }: { method: string; pattern: string | null; status: number | null }) =>
    lines.push(`log ${method} ${pattern} ${status}`);
  return [
    ["basic", () => basic(guard), [get(), shown("Basic", btoa("ada:secret")), shown("Basic", "YQ==")]],
    ["basic verify", () => basic({ realm: "x", verify: () => false }), [shown("Basic", btoa("ada:secret"))]],
    ["bearer", () => bearer({ tokens: { abc: "Ada" } }), [get(), shown("Bearer", "abc"), shown("Bearer", "x")]],
    ["bodyLimit", () => bodyLimit({ maxBytes: 10 }), [post(), post({}, "x".repeat(20)), get()]],
    ["streaming", () => bodyLimit({ maxBytes: 10, stream: true }), [post(), post({}, "x".repeat(20))]],
    ["compress", () => compress({ minBytes: 5 }), [get(), get({ "accept-encoding": "gzip, br" })]],
    ["no zlib", () => withoutZlib(() => compress({ minBytes: 5 })), [get({ "accept-encoding": "gzip, br" })]],
    ["conditional", () => conditional(), [get(), get({ "if-none-match": "*" }), post({ "if-match": '"x"' })]],
    ["cookies", () => cookies({ secrets: ["x".repeat(32)] }), [get({ cookie: "a=b" })]],
    ["cookie attributes", () => cookies({ attributes: { path: "/a" } }), [get()]],
    ["cors", () => cors({ origins: ["https://a.example"] }), [get(preflight), ask(preflight), get(crossSite)]],
    ["cors of all", () => cors({ origins: "*" }), [get(crossSite), ask(preflight)]],
    ["csrf", () => csrf(), [post(crossSite), post({ origin: "https://b.example" }), post()]],
    ["jwt", () => jwt({ ...token, identity: user }), bearing],
    ["jwt scope", () => jwt({ ...token, scopes: ["polluted"] }), bearing],
    ["jwt secret", () => jwt({ ...token, algorithms: ["HS256"], key: secret }), bearing],
    ["jwt with a short secret", () => jwt({ ...token, algorithms: ["HS256"], key: new Uint8Array(1) }), []],
    ["allowedMethods", () => allowedMethods(), [get(), post()]],
    ["log", () => log({ write }), [get()]],
    ["negotiate", () => negotiate(), [get({ accept: "text/csv" }), post({ "content-type": "a/b" })]],
    ["negotiate csv", () => negotiate({ produces: ["text/csv"] }), [get({ accept: "text/html" }), get()]],
    ["negotiate content", () => negotiate({ consumes: ["a/b"] }), [post({ "content-type": "c/d" })]],
    ["rateLimit", () => rateLimit({ ...full, ...rate }), [forwarded, get()]],
    ["rateLimit over", () => rateLimit({ limiter: limiterOf(lines, left, true), ...rate }), [forwarded]],
    ["rateLimit failing", () => rateLimit({ limiter: limiterOf(lines, {}, true), ...rate }), [forwarded]],
    ["rateLimit of nobody knows what", () => rateLimit({ limiter: limiterOf(lines, left, false) }), []],
    ["rateLimit of hosts", () => rateLimit(full), [forwarded]],
    ["requestId", () => requestId({ generate: () => "7" }), [get({ "x-request-id": "mine" })]],
    ["secureHeaders", () => secureHeaders(), [get()]],
    ["timeout", () => timeout({ timeoutMs: 10_000 }), [get(), post()]],
    ["trace", () => trace({ tracer }), [traced]],
    ...[bodyLimit, cors, basic, bearer, jwt, rateLimit, timeout].map(
      (wrong) => [wrong.name, () => (wrong as (options: never) => MiddlewareClass)({} as never), [get()]] as const,
    ),
  ];
}

function limiterOf(lines: string[], answer: unknown, isOver: boolean) {
  return {
    async consume(client: string): Promise<never> {
      lines.push(`consume ${client}`);
      if (isOver) throw answer;
      return answer as never;
    },
  };
}

function tracerOf(lines: string[]) {
  const setAttribute = (name: string, value: unknown) => lines.push(`attribute ${name} ${String(value)}`);
  const spanContext = () => ({ traceId: "0", spanId: "0", traceFlags: 0 });
  const span = { setAttribute, setStatus() {}, recordException() {}, end() {}, spanContext };
  return {
    startSpan(name: string, { attributes }: { attributes?: object }): object {
      lines.push(`span ${name} ${JSON.stringify(attributes)}`);
      return span;
    },
  };
}
