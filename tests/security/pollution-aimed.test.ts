// Values that someone chose who knows what middleware looks for; those of pollution.test.ts are the same for every
// name.
import { jwt } from "fingerpost/middleware/jwt";
import { requestId } from "fingerpost/middleware/request-id";
import { secureHeaders } from "fingerpost/middleware/secure-headers";
import { negotiate } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import { replacedInput } from "../../src/dispatch/replaced-input.ts";
import { requestField } from "../../src/fields/request-fields.ts";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../middleware/around.ts";
import { NodeResponse } from "./pollution-middleware.ts";

/** What comes of something while all objects have these properties. */
async function withAll<T>(properties: object, run: () => T | Promise<T>): Promise<T> {
  // oxlint-disable-next-line no-extend-native -- the subject of this test
  Object.assign(Object.prototype, properties);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(properties)) delete (Object.prototype as Record<string, unknown>)[name];
  }
}

describe("a polluted Object.prototype", () => {
  it("brings no fields", async () => {
    const headers = { "x-id": "evil" };
    const ask = () => [{}, { request: { headers: {} } }].map((input) => requestField(input, "x-id"));
    expect(await withAll({ headers }, ask)).toEqual([null, null]);
    expect(await withAll({ request: { headers } }, ask)).toEqual([null, null]);
  });

  it("brings no query parameter", async () => {
    const app = nativeAround([], ({ params }) => Response.json([params.queryParam("a") ?? null]));
    const request = requestFor();
    const response = await withAll({ 0: "evil" }, () => app.fetch(request));
    expect(await response.json()).toEqual([null]);
  });

  it("makes no connection a secure one", async () => {
    const app = nativeAround(secureHeaders());
    const request = requestFor();
    const { headers } = await withAll({ request: { socket: { encrypted: true } } }, () => app.fetch(request));
    expect(headers.has("strict-transport-security")).toBe(false);
  });

  it("takes no fields away from the response", async () => {
    const app = nativeAround(requestId());
    const request = requestFor();
    const { headers } = await withAll({ response: new NodeResponse() }, () => app.fetch(request));
    expect(headers.has("x-request-id")).toBe(true);
  });

  it("gives no other content", async () => {
    const request = requestFor({ method: "POST", body: "x=1" });
    const read = () => (replacedInput(request, {}) as Request).text();
    expect(await withAll({ body: "evil" }, read)).toBe("x=1");
    const app = polyfillAround(negotiate({ consumes: ["a/b"] }), () => "taken");
    const context = () => {
      const message = { headers: { "content-type": "c/d" }, httpVersionMajor: 1 };
      return app.handle({ url: "/items", method: "POST", request: message, response: new NodeResponse() });
    };
    expect(await withAll({ body: "evil" }, context)).toBe("taken");
  });

  it("makes no secret longer", async () => {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", new Uint8Array(16), hmac, false, ["verify"]);
    const create = () => refusalOf(() => jwt({ algorithms: ["HS256"], issuer: "i", audience: "a", key }));
    expect(await withAll({ k: "x".repeat(99) }, create)).toContain("a secret of at least 32 bytes");
  });
});
