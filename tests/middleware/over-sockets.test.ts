import { gunzipSync } from "node:zlib";
import { compress } from "fingerpost/middleware/compress";
import { cors } from "fingerpost/middleware/cors";
import { csrf } from "fingerpost/middleware/csrf";
import { requestId } from "fingerpost/middleware/request-id";
import { secureHeaders } from "fingerpost/middleware/secure-headers";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { conditional, negotiate } from "fingerpost/native/content";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { ask, begin, started } from "../support/sockets.ts";

const origin = "https://app.example";
const text = "All work and no play makes Jack a dull boy. ".repeat(100);

class Story extends Resource {
  override paths = ["/story"];
  produces = ["text/html"];
  consumes = ["text/html"];

  override GET(): Response {
    return new Response(text, { headers: { "content-type": "text/html", vary: "Cookie" } });
  }

  validator(): { etag: string } {
    return { etag: '"7"' };
  }

  override async PUT(request: Request): Promise<Response> {
    return new Response(`${(await request.text()).length}`);
  }
}

const app = Application.builder()
  .resources(Story)
  .middleware(
    requestId(),
    secureHeaders(),
    cors({ origins: [origin] }),
    csrf(),
    compress({ codings: ["gzip"] }),
    negotiate(),
    conditional(),
  )
  .onError(() => {})
  .build();

describe("middleware over a socket", () => {
  it("adds up to one response", async () => {
    const headers = { origin, "sec-fetch-site": "cross-site", "accept-encoding": "gzip" };
    const server = await started(app);
    const [response] = (await once(begin(server, { path: "/story", headers }).end(), "response")) as [IncomingMessage];
    const content = await buffer(response);
    expect(gunzipSync(content).toString()).toBe(text);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "content-encoding": "gzip",
      "content-type": "text/html",
      "content-length": String(content.length),
      etag: '"7~gzip"',
      vary: "Cookie, Accept, Accept-Encoding, Origin",
      "x-content-type-options": "nosniff",
    });
    expect(response.headers["x-request-id"]).toMatch(/^[-\da-f]{36}$/);
    expect(response.headers["transfer-encoding"]).toBeUndefined();
  });

  it("RFC 9110 §15.4.5 sends 304 without content and its fields", async () => {
    const headers = { origin, "if-none-match": '"7~gzip"', "accept-encoding": "gzip" };
    const answer = await ask(await started(app), { path: "/story", headers });
    expect([answer.status, answer.text]).toEqual([304, ""]);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": origin,
      etag: '"7~gzip"',
      vary: "Cookie, Accept, Accept-Encoding, Origin",
    });
    for (const name of ["content-type", "content-length", "content-encoding", "transfer-encoding"]) {
      expect(answer.headers[name], name).toBeUndefined();
    }
  });

  it("has all fields on errors: 403, 404, 406, 412, 415", async () => {
    const own = { "sec-fetch-site": "same-origin" };
    const cases: readonly (readonly [number, string, string, Record<string, string>])[] = [
      [403, "PUT", "/story", { "sec-fetch-site": "cross-site" }],
      [404, "GET", "/nowhere", {}],
      [406, "GET", "/story", { accept: "image/png" }],
      [412, "PUT", "/story", { ...own, "content-type": "text/html", "if-match": '"6"' }],
      [415, "PUT", "/story", { ...own, "content-type": "text/plain" }],
    ];
    for (const [status, method, path, headers] of cases) {
      const content = method === "PUT" ? "text" : undefined;
      const answer = await ask(await started(app), { method, path, headers: { origin, ...headers } }, content);
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": origin,
        "x-content-type-options": "nosniff",
        "content-type": "application/problem+json",
      });
      expect(answer.headers.vary?.split(", "), String(status)).toContain("Origin");
      expect(answer.headers["x-request-id"]).toHaveLength(36);
    }
  });

  it("lets a change pass that is allowed, with its content", async () => {
    const headers = { "content-type": "text/html", "if-match": '"7"', "sec-fetch-site": "same-origin" };
    const answer = await ask(await started(app), { method: "PUT", path: "/story", headers }, "abc");
    expect([answer.status, answer.text]).toEqual([200, "3"]);
  });
});
