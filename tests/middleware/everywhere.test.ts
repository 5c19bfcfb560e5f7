// What each middleware does at least on every runtime: no sockets, no clock that is not the runtime's own.
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { jwt } from "fingerpost/middleware/jwt";
import { log } from "fingerpost/middleware/log";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { timeout } from "fingerpost/middleware/timeout";
import { trace } from "fingerpost/middleware/trace";
import { Attribute } from "fingerpost/modules/http.native.js";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { nativeAround, requestFor, type NativeInput } from "./around.ts";

const readAll = async (request: NativeInput): Promise<Response> => new Response(await request.text());

/** Content in chunks, whose length nobody knows beforehand. */
function chunked(...texts: string[]): RequestInit & { readonly duplex: "half" } {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    pull(controller) {
      const text = texts.shift();
      if (text === undefined) controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
  return { method: "POST", body, duplex: "half" };
}

describe("on every runtime", () => {
  it.each([false, true])(
    "bodyLimit({ streaming: %s }) answers 413, and hands over content within the limit",
    async (streaming) => {
      const app = nativeAround(bodyLimit({ maxBytes: 5, streaming }), readAll);
      const found = await app.fetch(requestFor(chunked("ab", "cd", "e")));
      expect([found.status, await found.text()]).toEqual([200, "abcde"]);
      expect((await app.fetch(requestFor(chunked("ab", "cd", "ef")))).status).toBe(413);
      expect((await app.fetch(requestFor({ method: "POST", body: "abcdef" }))).status).toBe(413);
    },
  );

  it("timeout() answers 503, and aborts the signal", async () => {
    let reason: unknown;
    const app = nativeAround(timeout({ timeoutMs: 5 }), async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reason = signal.reason;
      return new Response();
    });
    expect((await app.fetch(requestFor())).status).toBe(503);
    await Promise.resolve();
    expect((reason as DOMException).name).toBe("TimeoutError");
  });

  it("timeout() hands over params, content and the signal of the request", async () => {
    const gone = new AbortController();
    const app = nativeAround(timeout({ timeoutMs: 60_000 }), async (request) => {
      const text = await request.text();
      gone.abort();
      return new Response(`${request.params.pathParam("id")} ${text} ${request.signal.aborted}`);
    });
    const request = requestFor({ method: "PUT", body: "content", signal: gone.signal }, "/items/7");
    expect(await (await app.fetch(request)).text()).toBe("7 content true");
  });

  it("basic() tells passwords apart", async () => {
    const app = nativeAround(basic({ realm: "x", users: { ada: "café" } }));
    const statusOf = async (password: string): Promise<number> => {
      const bytes = new TextEncoder().encode(`ada:${password}`);
      const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
      return (await app.fetch(requestFor({ headers: { authorization } }))).status;
    };
    expect([await statusOf("café"), await statusOf("cafe")]).toEqual([200, 401]);
  });

  it("bearer() tells tokens apart, and sets whom they identify", async () => {
    const who = new Attribute<string>("who");
    const app = nativeAround(
      bearer({ tokens: { a: "Ada" }, identity: who }),
      (request) => new Response(who.get(request)),
    );
    const found = await app.fetch(requestFor({ headers: { authorization: "Bearer a" } }));
    const refused = await app.fetch(requestFor({ headers: { authorization: "Bearer b" } }));
    expect([await found.text(), refused.status]).toEqual(["Ada", 401]);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="default", error="invalid_token"');
  });

  it("jwt() verifies signatures", async () => {
    const [key, other] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
    const app = nativeAround(jwt({ algorithms: ["HS256"], issuer: "i", audience: "a", key }));
    const statusOf = async (secret: Uint8Array): Promise<number> => {
      const signer = new SignJWT({ iss: "i", aud: "a", exp: 4_000_000_000 }).setProtectedHeader({ alg: "HS256" });
      const authorization = `Bearer ${await signer.sign(secret)}`;
      return (await app.fetch(requestFor({ headers: { authorization } }))).status;
    };
    expect([await statusOf(key), await statusOf(other)]).toEqual([200, 401]);
  });

  it("rateLimit() answers 429, with fields", async () => {
    let left = 1;
    const consume = async () => {
      const consumption = { remainingPoints: Math.max(0, --left), msBeforeNext: 1500 };
      if (left < 0) throw consumption;
      return consumption;
    };
    const app = nativeAround(
      rateLimit({ limiter: { points: 1, duration: 2, consume }, address: () => "::ffff:192.0.2.1" }),
    );
    const [first, second] = [await app.fetch(requestFor()), await app.fetch(requestFor())];
    expect([first.status, first.headers.get("ratelimit"), first.headers.get("retry-after")]).toEqual([
      200,
      '"default";r=0;t=2',
      null,
    ]);
    expect([second.status, second.headers.get("ratelimit-policy"), second.headers.get("retry-after")]).toEqual([
      429,
      '"default";q=1;w=2',
      "2",
    ]);
  });

  it("log() and trace() see the response and pass it on", async () => {
    const seen: unknown[] = [];
    const write = ({
      method,
      pattern,
      status,
    }: {
      method: string;
      pattern: string | null;
      status: number | null;
    }): void => void seen.push([method, pattern, status]);
    const app = nativeAround([log({ write }), trace()], () => new Response("content", { status: 201 }));
    expect(await (await app.fetch(requestFor({ method: "POST" }, "/items/7"))).text()).toBe("content");
    expect(seen).toEqual([["POST", "/items/:id?", 201]]);
  });
});
