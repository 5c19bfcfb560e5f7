// What each middleware that adds fields or changes content does at least on every runtime: no sockets.
import { allowedMethods } from "fingerpost/middleware/allowed-methods";
import { compress } from "fingerpost/middleware/compress";
import { cookieJarOf, cookies } from "fingerpost/middleware/cookies";
import { cors } from "fingerpost/middleware/cors";
import { csrf } from "fingerpost/middleware/csrf";
import { requestId, requestIdOf } from "fingerpost/middleware/request-id";
import { secureHeaders } from "fingerpost/middleware/secure-headers";
import { conditional, negotiate, negotiatedOf } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import { nativeAround, requestFor } from "./around.ts";

const origin = "https://app.example";
const text = "A text that is worth compressing. ".repeat(100);

describe("on every runtime", () => {
  it("cors() answers preflights, and tells origins apart", async () => {
    const app = nativeAround(cors({ origins: origin, credentials: true }));
    const preflight = { origin, "access-control-request-method": "PUT", "access-control-request-headers": "x-a" };
    const allowed = await app.fetch(requestFor({ method: "OPTIONS", headers: preflight }));
    expect([allowed.status, allowed.body]).toEqual([204, null]);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "x-a",
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    });
    const other = await app.fetch(requestFor({ headers: { origin: "https://evil.example" } }));
    expect([await other.text(), other.headers.get("access-control-allow-origin"), other.headers.get("vary")]).toEqual([
      "reached",
      null,
      "Origin",
    ]);
  });

  it("conditional() computes a tag, and answers 304 and 412 by it", async () => {
    const app = nativeAround(
      conditional(),
      () => new Response("content", { headers: { "content-type": "text/plain" } }),
    );
    const found = await app.fetch(requestFor());
    const etag = found.headers.get("etag")!;
    // The same on every runtime, so that several can serve one site.
    expect([await found.text(), etag]).toEqual(["content", '"4mzuhv88JyzVzO6Xc/8CMg"']);
    const known = await app.fetch(requestFor({ headers: { "if-none-match": `W/${etag}` } }));
    expect([known.status, known.body, known.headers.get("etag")]).toEqual([304, null, etag]);
    expect((await app.fetch(requestFor({ headers: { "if-match": '"other"' } }))).status).toBe(412);
  });

  it("negotiate() chooses, and answers 406 and 415", async () => {
    const options = { produces: ["text/csv", "application/json"], languages: ["en", "de"], consumes: ["text/*"] };
    const app = nativeAround(negotiate(options), (request) => Response.json(negotiatedOf(request)));
    const headers = { accept: "application/*, text/csv;q=0.5", "accept-language": "de-CH" };
    const found = await app.fetch(requestFor({ headers }));
    expect(await found.json()).toEqual({ mediaType: "application/json", language: "de", coding: null });
    expect(found.headers.get("vary")).toBe("Accept, Accept-Language");
    expect((await app.fetch(requestFor({ headers: { accept: "image/png" } }))).status).toBe(406);
    const refused = await app.fetch(requestFor({ method: "PUT", body: "x", headers: { "content-type": "image/png" } }));
    expect([refused.status, refused.headers.get("accept")]).toEqual([415, "text/*"]);
  });

  it.each(["gzip", "deflate"] as const)("compress() codes content as %s", async (coding) => {
    const headers = { "content-type": "text/plain", etag: '"7"' };
    const app = nativeAround(compress({ codings: [coding] }), () => new Response(text, { headers }));
    const found = await app.fetch(requestFor({ headers: { "accept-encoding": coding } }));
    expect(found.headers.get("content-encoding")).toBe(coding);
    expect(found.headers.get("etag")).toBe(`"7~${coding}"`);
    expect(await new Response(found.body!.pipeThrough(new DecompressionStream(coding))).text()).toBe(text);
    const plain = await app.fetch(requestFor({ headers: { "accept-encoding": "identity" } }));
    expect([await plain.text(), plain.headers.get("vary")]).toEqual([text, "Accept-Encoding"]);
  });

  it("csrf() refuses other sites", async () => {
    const app = nativeAround(csrf());
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await app.fetch(requestFor({ method: "POST", headers }))).status;
    expect(await statusOf({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await statusOf({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await statusOf({ origin: "http://localhost" })).toBe(200);
    expect(await statusOf({ origin: "https://evil.example" })).toBe(403);
  });

  it("allowedMethods() answers HEAD by GET, OPTIONS, and 405 with Allow", async () => {
    const app = nativeAround(allowedMethods(), () => new Response("reached"), undefined, ["GET"]);
    const answers = await Promise.all(["HEAD", "OPTIONS", "PUT"].map((method) => app.fetch(requestFor({ method }))));
    const allowed = "GET, HEAD, OPTIONS";
    expect(answers.map(({ status, headers }) => [status, headers.get("allow")])).toEqual([
      [200, null],
      [204, allowed],
      [405, allowed],
    ]);
    expect(await answers[0]!.text()).toBe("");
  });

  it("secureHeaders() adds fields, also to an error", async () => {
    const app = nativeAround(secureHeaders(), () => {
      throw new Error("bug");
    });
    const { status, headers } = await app.fetch(requestFor());
    expect(status).toBe(500);
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
      "referrer-policy": "same-origin",
    });
    expect(headers.has("strict-transport-security")).toBe(false);
  });

  it("requestId() gives handler and client the same id", async () => {
    const app = nativeAround(requestId(), (request) => new Response(requestIdOf(request)));
    const [first, second] = [await app.fetch(requestFor()), await app.fetch(requestFor())];
    const id = first.headers.get("x-request-id");
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(await first.text()).toBe(id);
    expect(second.headers.get("x-request-id")).not.toBe(id);
  });

  it("cookies() signs, verifies, and keeps several fields apart", async () => {
    const app = nativeAround(cookies({ secrets: ["a secret of at least 32 bytes, it is"] }), async (request) => {
      const jar = cookieJarOf(request);
      await jar.setSigned("user", "7");
      jar.set("theme", "dark", { partitioned: true });
      return new Response(await jar.getSigned("user"));
    });
    const lines = (await app.fetch(requestFor())).headers.getSetCookie();
    expect(lines).toEqual([
      expect.stringMatching(/^user=7\.[-\w]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      "theme=dark; Path=/; HttpOnly; Secure; SameSite=Lax; Partitioned",
    ]);
    const cookie = lines[0]!.split(";")[0]!;
    expect(await (await app.fetch(requestFor({ headers: { cookie } }))).text()).toBe("7");
    const forged = await app.fetch(requestFor({ headers: { cookie: cookie.replace("user=7", "user=8") } }));
    expect(await forged.text()).toBe("");
  });
});
