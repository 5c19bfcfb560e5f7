// Each middleware alone, over real sockets on Node: by the native chain, and by the polyfill chain where it goes with
// that.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { allowedMethods } from "fingerpost/middleware/allowed-methods.js";
import { basic } from "fingerpost/middleware/basic.js";
import { bearer } from "fingerpost/middleware/bearer.js";
import { bodyLimit } from "fingerpost/middleware/body-limit.js";
import { compress } from "fingerpost/middleware/compress.js";
import { conditional } from "fingerpost/middleware/conditional.js";
import { cookieJarOf, cookies } from "fingerpost/middleware/cookies.js";
import { cors } from "fingerpost/middleware/cors.js";
import { csrf } from "fingerpost/middleware/csrf.js";
import { jwt } from "fingerpost/middleware/jwt.js";
import { log, type LogEntry } from "fingerpost/middleware/log.js";
import { negotiate } from "fingerpost/middleware/negotiate.js";
import { rateLimit } from "fingerpost/middleware/rate-limit.js";
import { requestId } from "fingerpost/middleware/request-id.js";
import { secureHeaders } from "fingerpost/middleware/secure-headers.js";
import { timeout } from "fingerpost/middleware/timeout.js";
import { trace } from "fingerpost/middleware/trace.js";
import { Attribute } from "fingerpost/modules/http.native.js";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { SignJWT } from "jose";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { beforeEach, describe, expect, it } from "vitest";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import { ask, started } from "../support/sockets.ts";
import type { Method } from "../../src/http/protocol/method.ts";
import { nativeAround, polyfillAround, type Context } from "./around.ts";

/**
 * A request, and what the response must say: its status and some of its fields, `undefined` for those it must not have.
 */
type Exchange = readonly [
  request: { readonly method?: string; readonly headers?: Record<string, string>; readonly content?: string },
  status: number,
  fields?: Readonly<Record<string, unknown>>,
];

interface Row {
  readonly middleware: () => MiddlewareClass | Promise<MiddlewareClass>;
  readonly exchanges: () => readonly Exchange[] | Promise<readonly Exchange[]>;
  /** Whether it goes with Node's response. */
  readonly polyfill: boolean;
  /** The methods that the resource has. Default: all. */
  readonly implemented?: readonly Method[];
  readonly handler?: (input: { readonly method: string; readonly signal: AbortSignal }) => unknown;
  readonly after?: () => void;
}

const origin = "https://app.example";
const address = new Attribute<string>("address");
const key = new Uint8Array(32);
const entries: LogEntry[] = [];
const aborted: string[] = [];
const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test");

async function tokenBy(secret: Uint8Array): Promise<string> {
  const signer = new SignJWT({ iss: "i", aud: "a", exp: 4_000_000_000 }).setProtectedHeader({ alg: "HS256" });
  return `Bearer ${await signer.sign(secret)}`;
}

const rows: Readonly<Record<string, Row>> = {
  "allowed-methods": {
    middleware: () => allowedMethods(),
    polyfill: true,
    implemented: ["GET"],
    exchanges: () => [
      [{}, 200, { allow: undefined }],
      [{ method: "HEAD" }, 200, { allow: undefined }],
      [{ method: "OPTIONS" }, 204, { allow: "GET, HEAD, OPTIONS", "content-type": undefined }],
      [
        { method: "PUT", content: "x" },
        405,
        { allow: "GET, HEAD, OPTIONS", "content-type": "application/problem+json" },
      ],
      [{ method: "TRACE" }, 405, { allow: "GET, HEAD, OPTIONS" }],
      [{ method: "PURGE" }, 501, { allow: undefined }],
    ],
  },
  basic: {
    middleware: () => basic({ realm: "x", users: { ada: "secret" } }),
    polyfill: true,
    exchanges: () => [
      [{}, 401, { "www-authenticate": 'Basic realm="x", charset="UTF-8"' }],
      [{ headers: { authorization: `Basic ${btoa("ada:wrong")}` } }, 401],
      [{ headers: { authorization: `Basic ${btoa("ada:secret")}` } }, 200, { "www-authenticate": undefined }],
    ],
  },
  bearer: {
    middleware: () => bearer({ tokens: { a: "Ada" } }),
    polyfill: true,
    exchanges: () => [
      [{}, 401, { "www-authenticate": 'Bearer realm="default"' }],
      [{ headers: { authorization: "Bearer" } }, 400],
      [{ headers: { authorization: "Bearer a" } }, 200],
    ],
  },
  jwt: {
    middleware: () => jwt({ algorithms: ["HS256"], issuer: "i", audience: "a", key }),
    polyfill: true,
    exchanges: async () => [
      [{ headers: { authorization: await tokenBy(key) } }, 200],
      [{ headers: { authorization: await tokenBy(new Uint8Array(32).fill(1)) } }, 401],
    ],
  },
  "body-limit": {
    middleware: () => bodyLimit({ maxBytes: 5 }),
    polyfill: false,
    exchanges: () => [
      [{ method: "POST", content: "12345" }, 200],
      [{ method: "POST", content: "123456" }, 413, { "content-type": "application/problem+json" }],
      [{ method: "POST", content: "123456", headers: { "transfer-encoding": "chunked" } }, 413],
    ],
  },
  compress: {
    middleware: () => compress({ minBytes: 1 }),
    polyfill: false,
    exchanges: () => [
      [{ headers: { "accept-encoding": "gzip" } }, 200, { "content-encoding": "gzip", vary: "Accept-Encoding" }],
      [{}, 200, { "content-encoding": undefined, vary: "Accept-Encoding" }],
    ],
  },
  conditional: {
    middleware: () => conditional({ required: ["PUT"] }),
    polyfill: false,
    exchanges: () => [
      [{}, 200, { etag: expect.stringMatching(/^"[^"]{22}"$/) }],
      [{ headers: { "if-none-match": "*" } }, 304, { "content-type": undefined, "content-length": undefined }],
      [{ headers: { "if-match": '"x"' } }, 412],
      [{ method: "PUT", content: "x" }, 428],
    ],
  },
  cookies: {
    middleware: () => cookies(),
    polyfill: true,
    handler: (input) => cookieJarOf(input).set("seen", cookieJarOf(input).get("id") ?? ""),
    exchanges: () => [
      [{ headers: { cookie: "a=b; id=7" } }, 200, { "set-cookie": ["seen=7; Path=/; HttpOnly; Secure; SameSite=Lax"] }],
    ],
  },
  cors: {
    middleware: () => cors({ origin }),
    polyfill: true,
    exchanges: () => [
      [{ headers: { origin } }, 200, { "access-control-allow-origin": origin, vary: "Origin" }],
      [
        { method: "OPTIONS", headers: { origin, "access-control-request-method": "PUT" } },
        204,
        { "access-control-allow-methods": "GET, HEAD, PUT, PATCH, POST, DELETE", "content-type": undefined },
      ],
      [{ method: "OPTIONS", headers: { origin } }, 200, { "access-control-allow-methods": undefined }],
    ],
  },
  csrf: {
    middleware: () => csrf(),
    polyfill: true,
    exchanges: () => [
      [{ method: "POST", headers: { "sec-fetch-site": "cross-site" } }, 403],
      [{ method: "POST", headers: { origin, host: "app.example" } }, 200],
      [{ method: "POST", headers: { origin, host: "evil.example" } }, 403],
    ],
  },
  log: {
    middleware: () => log({ write: (entry) => void entries.push(entry) }),
    polyfill: true,
    exchanges: () => [[{ method: "DELETE" }, 200]],
    after: () => expect(entries).toMatchObject([{ method: "DELETE", pattern: "/items/:id?", status: 200 }]),
  },
  negotiate: {
    middleware: () => negotiate({ produces: ["text/plain"], consumes: ["text/plain"] }),
    polyfill: true,
    exchanges: () => [
      [{}, 200, { vary: "Accept" }],
      [{ headers: { accept: "image/png" } }, 406, { vary: "Accept" }],
      [{ method: "PUT", content: "{}", headers: { "content-type": "a/b" } }, 415, { accept: "text/plain" }],
    ],
  },
  "rate-limit": {
    middleware: () => rateLimit({ limiter: new RateLimiterMemory({ points: 1, duration: 60 }), address }),
    polyfill: true,
    exchanges: () => [
      [
        {},
        200,
        { "ratelimit-policy": '"default";q=1;w=60', ratelimit: '"default";r=0;t=60', "retry-after": undefined },
      ],
      [{ headers: { "x-forwarded-for": "192.0.2.1" } }, 429, { "retry-after": "60" }],
    ],
  },
  "request-id": {
    middleware: () => requestId({ trust: true }),
    polyfill: true,
    exchanges: () => [
      [{}, 200, { "x-request-id": expect.stringMatching(/^[-\da-f]{36}$/) }],
      [{ headers: { "x-request-id": "id-1" } }, 200, { "x-request-id": "id-1" }],
    ],
  },
  "secure-headers": {
    middleware: () => secureHeaders({ isSecure: () => true }),
    polyfill: true,
    exchanges: () => [
      [
        {},
        200,
        { "x-content-type-options": "nosniff", "strict-transport-security": "max-age=31536000; includeSubDomains" },
      ],
    ],
  },
  timeout: {
    middleware: () => timeout({ timeoutMs: 20 }),
    polyfill: true,
    // Goes on for ever, so that nothing but the middleware answers.
    handler: ({ method, signal }) =>
      method !== "PUT" || new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.reason.name))),
    exchanges: () => [
      [{}, 200],
      [{ method: "PUT" }, 503, { "content-type": "application/problem+json" }],
    ],
    after: () => expect(aborted).toEqual(["TimeoutError"]),
  },
  trace: {
    middleware: () => trace({ tracer }),
    polyfill: true,
    exchanges: () => [[{ headers: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` } }, 200]],
    after: () => {
      const [span] = exporter.getFinishedSpans();
      expect([span!.name, span!.spanContext().traceId]).toEqual(["GET /items/:id?", "a".repeat(32)]);
      expect(span!.attributes).toMatchObject({ "http.route": "/items/:id?", "http.response.status_code": 200 });
    },
  },
};

beforeEach(() => {
  entries.length = aborted.length = 0;
  exporter.reset();
});

async function exchanged(app: Parameters<typeof started>[0], { exchanges, after }: Row): Promise<void> {
  const server = await started(app, { address, onError: () => {} });
  for (const [{ method = "GET", headers = {}, content }, status, fields = {}] of await exchanges()) {
    const answer = await ask(server, { path: "/items", method, headers }, content);
    const wanted = Object.fromEntries(Object.keys(fields).map((name) => [name, answer.headers[name]]));
    expect([method, answer.status, wanted]).toEqual([method, status, fields]);
  }
  after?.();
}

describe.each(Object.entries(rows))("%s over a socket", (_, row) => {
  it("works by the native chain", async () => {
    const handler = async (input: Request): Promise<Response> => {
      await row.handler?.(input);
      return new Response("reached", { headers: { "content-type": "text/plain" } });
    };
    await exchanged(
      nativeAround(await row.middleware(), handler, () => {}, row.implemented),
      row,
    );
  });
});

describe.each(Object.entries(rows).filter(([, { polyfill }]) => polyfill))("%s over a socket", (_, row) => {
  it("works by the polyfill chain", async () => {
    const handler = async (context: Context): Promise<unknown> => {
      await row.handler?.(context as unknown as Request);
      return context.response.writableEnded ? true : context.response.end("reached");
    };
    const app = polyfillAround(await row.middleware(), handler, row.implemented);
    await exchanged(app, row);
  });
});

it("has each middleware of the package over a socket", () => {
  const pages = readdirSync(fileURLToPath(new URL("../../docs/middleware", import.meta.url)));
  expect(Object.keys(rows).toSorted()).toEqual(pages.map((file) => file.replace(/\.md$/, "")).toSorted());
});
