// All that comes of middleware, for `pollution.test.ts`, and all that comes of the platform without it.
import { cookie, cookieJarOf, CookieSigner, expiredCookie } from "fingerpost/middleware/cookies";
import { requestIdOf } from "fingerpost/middleware/request-id";
import { negotiatedOf } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { jwtVerify } from "jose";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import { formatRateLimit, formatRateLimitPolicy } from "../../src/fields/rate-limit-fields.ts";
import { formatSetCookie } from "../../src/fields/set-cookie.ts";
import { formatChallenge } from "../../src/fields/www-authenticate.ts";
import { ownOf } from "../../src/http/javascript/property.ts";
import { PassingStream } from "./passing.ts";
import { publicKey, secret, tokens, tried, user, type Sent } from "./pollution-requests.ts";

const plain = { "content-type": "text/plain" };

/** All that comes of building middleware and of sending it requests, and of writing fields, as text. */
export async function digestOfMiddleware(): Promise<string> {
  const lines: string[] = [];
  const line = async (name: string, run: () => unknown): Promise<void> => {
    try {
      lines.push(`${name}: ${String(await run())}`);
    } catch (error) {
      lines.push(`${name}: ${String(error)}`);
    }
  };
  for (const [name, create, requests] of tried(lines)) {
    await line(name, () => typeof create());
    for (const [index, sent] of requests.entries()) {
      await line(`native ${name} ${index}`, () => answerOfNative(create(), sent));
      await line(`polyfill ${name} ${index}`, () => answerOfPolyfill(create(), sent));
    }
  }
  const signer = new CookieSigner("x".repeat(32));
  await line("cookie", () => [cookie("a", "b"), cookie("a", "b", { path: "/c" }), expiredCookie("a")].join("\n"));
  await line("Set-Cookie", () => formatSetCookie("a", "b", { path: "/c" }));
  await line("signature", () => signer.sign("a", "b"));
  await line("verified", async () => signer.verify("a", await signer.sign("a", "b")));
  await line("challenge", () => formatChallenge("Basic", { realm: "x" }));
  await line("policy", () => formatRateLimitPolicy([{ name: "x", quota: 1 }]));
  await line("limit", () => formatRateLimit([{ name: "x", available: 1 }]));
  return lines.join("\n");
}

/** What handlers see. */
function seenBy(input: object): string {
  const { mediaType, language, coding } = negotiatedOf(input);
  return [mediaType, language, coding, jarOf(input), requestIdOf(input), JSON.stringify(user.find(input))].join(" ");
}

function jarOf(input: object): unknown {
  try {
    cookieJarOf(input).set("c", "d");
    return cookieJarOf(input).get("a");
  } catch {
    return null;
  }
}

async function answerOfNative(Middleware: MiddlewareClass, { method, fields, content }: Sent): Promise<string> {
  class Things extends native.Resource {
    paths = ["/things"];
    validator(): object {
      return { lastModified: new Date(0) };
    }
    GET(request: Request): Response {
      return new Response(seenBy(request), ownOf({ headers: plain }));
    }
    async POST(request: Request): Promise<Response> {
      return new Response(seenBy(request) + (await request.text()), ownOf({ headers: plain }));
    }
  }
  const builder = native.Application.builder().resources(Things).middleware(Middleware);
  const response = await builder
    .onError(() => {})
    .build()
    .fetch(requestOf(method, fields, content));
  const { status, headers, body } = response;
  return JSON.stringify([status, [...headers], body === null ? null : await response.text()]);
}

async function answerOfPolyfill(Middleware: MiddlewareClass, { method, fields }: Sent): Promise<string> {
  class Things extends polyfill.Resource {
    paths = ["/things"];
    GET(input: object): string {
      return seenBy(input);
    }
    POST(input: object): string {
      return seenBy(input);
    }
  }
  const app = polyfill.Application.builder().resources(Things).middleware(Middleware).build();
  const response = new NodeResponse();
  const request = { headers: { host: "h", ...fields }, httpVersionMajor: 1, socket: { remoteAddress: "192.0.2.1" } };
  const result = await app.handle({ url: "/things", method, request, response } as never);
  return JSON.stringify([String(result === response || result), response.statusCode, [...response.lines]]);
}

/** What middleware needs of Node's response. */
export class NodeResponse {
  statusCode = 200;
  readonly lines = new Map<string, unknown>();
  getHeader(name: string): unknown {
    return this.lines.get(name.toLowerCase());
  }
  setHeader(name: string, value: unknown): void {
    this.lines.set(name.toLowerCase(), value);
  }
  appendHeader(name: string, value: string): void {
    this.lines.set(name.toLowerCase(), [this.getHeader(name) ?? [], value].flat());
  }
  removeHeader(name: string): void {
    this.lines.delete(name.toLowerCase());
  }
  end(): void {}
}

function requestOf(method: string, headers: Sent["fields"], body: string | null): Request {
  return new Request("http://h/things", ownOf({ method, headers, body }));
}

/** What comes of the same without any middleware: a name that changes this is not ours to guard against. */
export async function digestOfPlatform(): Promise<string> {
  const lines: unknown[] = [];
  const hmac = ownOf({ name: "HMAC", hash: "SHA-256" });
  const key = await crypto.subtle.importKey("raw", secret, hmac, false, ["sign", "verify"]);
  const signature = await crypto.subtle.sign(hmac, key, secret);
  lines.push(new Uint8Array(signature).join(), await crypto.subtle.verify(hmac, key, signature, secret));
  lines.push(new Uint8Array(await crypto.subtle.digest("SHA-256", secret)).join());
  const options = ownOf({ algorithms: ["ES256"], issuer: "i", audience: "a" });
  for (const token of Object.values(tokens)) {
    lines.push(await jwtVerify(token, publicKey, options).then(({ payload }) => JSON.stringify(payload), String));
  }
  lines.push(await jwtVerify(tokens.shared, secret, ownOf({ algorithms: ["HS256"] })).then(() => "shared", String));
  const aborting = new AbortController();
  aborting.signal.addEventListener("abort", () => lines.push("aborted"));
  const either = AbortSignal.any([aborting.signal]);
  aborting.abort(new DOMException("late", "TimeoutError"));
  lines.push(either.aborted, requestOf("GET", {}, null).method, `${new Response(null, ownOf({ status: 204 })).body}`);
  for (const bodyOf of [() => streamOf("a", "b"), () => "ab"]) {
    const first = requestOf("POST", { "x-a": "b" }, "x=1");
    const init = ownOf({ body: bodyOf(), signal: new AbortController().signal, duplex: "half" } as RequestInit);
    const { method, headers } = new Request(first, init);
    lines.push(method, [...headers], await new Request(first.url, ownOf({ method, headers, ...init })).text());
    const response = new Response(bodyOf(), ownOf({ status: 201, statusText: "x", headers: plain }));
    const copy = new Response(response.body, response);
    lines.push(copy.status, copy.statusText, [...copy.headers], await copy.text());
  }
  const piped = streamOf("ab").pipeThrough(new PassingStream() as TransformStream<Uint8Array, Uint8Array>);
  lines.push(await new Response(piped, ownOf({ headers: plain })).text());
  lines.push(new URL("/a?b#c", "http://h:8080").href);
  return JSON.stringify(lines);
}

function streamOf(...parts: readonly string[]): ReadableStream<Uint8Array> {
  const chunks = parts.map((part) => new TextEncoder().encode(part));
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const chunk = chunks.shift();
    if (chunk === undefined) controller.close();
    else controller.enqueue(chunk);
  };
  return new ReadableStream<Uint8Array>(ownOf({ pull }), ownOf({ highWaterMark: 0 }));
}
