// Every middleware of the package, so that each is held to the same: a request that it lets pass is answered as without
// it.
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
import type { MiddlewareClass } from "../../src/application/middleware.ts";

interface Row {
  /** The page of the middleware in `docs/middleware/`, and what is special about this row. */
  readonly name: string;
  readonly middleware: MiddlewareClass;
  /** The fields of a request that passes, and takes as long a way as there is. */
  readonly headers?: Readonly<Record<string, string>>;
}

const limiter = { points: 5, duration: 60, consume: async () => ({ remainingPoints: 4, msBeforeNext: 60_000 }) };

/** One for each way through each middleware. */
export const rows: readonly Row[] = [
  { name: "allowed-methods", middleware: allowedMethods() },
  {
    name: "basic",
    middleware: basic({ realm: "x", users: { ada: "secret" } }),
    headers: { authorization: `Basic ${btoa("ada:secret")}` },
  },
  { name: "bearer", middleware: bearer({ tokens: { a: "Ada" } }), headers: { authorization: "Bearer a" } },
  { name: "body-limit", middleware: bodyLimit({ maxBytes: 100 }) },
  { name: "body-limit, streaming", middleware: bodyLimit({ maxBytes: 100, streaming: true }) },
  { name: "compress", middleware: compress() },
  { name: "compress, by gzip", middleware: compress({ minBytes: 0 }), headers: { "accept-encoding": "gzip" } },
  { name: "conditional", middleware: conditional() },
  {
    name: "conditional, without a stale range",
    middleware: conditional(),
    headers: { range: "bytes=0-1", "if-range": '"x"' },
  },
  { name: "cookies", middleware: cookies(), headers: { cookie: "a=b" } },
  { name: "cors", middleware: cors({ origin: "https://app.example" }), headers: { origin: "https://app.example" } },
  { name: "csrf", middleware: csrf(), headers: { "sec-fetch-site": "same-origin" } },
  {
    name: "jwt",
    middleware: jwt({ algorithms: ["HS256"], issuer: "i", audience: "a", key: new Uint8Array(32), optional: true }),
  },
  { name: "log", middleware: log({ write: () => {} }) },
  { name: "negotiate", middleware: negotiate(), headers: { accept: "*/*" } },
  { name: "rate-limit", middleware: rateLimit({ limiter, key: () => "somebody" }) },
  { name: "request-id", middleware: requestId() },
  { name: "secure-headers", middleware: secureHeaders() },
  { name: "timeout", middleware: timeout({ timeoutMs: 60_000 }) },
  { name: "trace", middleware: trace() },
];

/** Content of chunks that come one by one; what is not text is read off another stream, as `fetch()` gives. */
export function chunks(...texts: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = [...texts];
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      const text = left.shift();
      if (text === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
  });
}

/** The content of a response, decoded: whoever asks for gzip may be given it. */
export function textOf(response: Response): Promise<string> {
  if (response.headers.get("content-encoding") !== "gzip") return response.text();
  return new Response(response.body!.pipeThrough(new DecompressionStream("gzip"))).text();
}
