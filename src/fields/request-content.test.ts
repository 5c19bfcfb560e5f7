import { describe, expect, it } from "vitest";
import { overHttp2 } from "../../tests/support/http2.ts";
import { nativeAround, polyfillAround } from "../../tests/middleware/around.ts";
import { negotiate } from "../middleware/negotiate.ts";
import { hasContent } from "./request-content.ts";

const type = { "content-type": "text/plain" };

/** Whether a `Request` has content, and whether a context of HTTP/1 with the same fields has. */
function onBothChains(init: RequestInit): [native: boolean, polyfill: boolean] {
  const request = new Request("https://example.com/", init);
  return [hasContent(request), hasContent({ request: { headers: request.headers, httpVersionMajor: 1 } })];
}

describe("hasContent()", () => {
  it("knows by body and framing, not by the type alone", () => {
    const method = "POST";
    expect(onBothChains({ method })).toEqual([false, false]);
    expect(onBothChains({ headers: type })).toEqual([false, false]);
    expect(onBothChains({ method, headers: type })).toEqual([false, false]);
    expect(onBothChains({ method, body: "x", headers: { ...type, "content-length": "1" } })).toEqual([true, true]);
    expect(onBothChains({ method, body: "x", headers: { "transfer-encoding": "chunked" } })).toEqual([true, true]);
  });

  it("takes a length of 0 for none, whatever there is to be read, and ignores an invalid length", () => {
    const method = "POST";
    for (const length of ["0", "00"]) {
      expect(onBothChains({ method, body: "", headers: { ...type, "content-length": length } })).toEqual([
        false,
        false,
      ]);
    }
    for (const length of ["x", "-0", "", "01", "10"]) {
      expect(onBothChains({ method, body: "x", headers: { "content-length": length } }), length).toEqual([true, true]);
    }
  });

  it("RFC 9112 §6.3 goes by Transfer-Encoding where there is a length too", () => {
    const headers = { "transfer-encoding": "chunked", "content-length": "0" };
    expect(onBothChains({ method: "POST", body: "x", headers })).toEqual([true, true]);
  });

  it("goes by the type if the host says nothing", () => {
    expect(hasContent({ request: { headers: type } })).toBe(true);
    expect(hasContent({ request: { headers: {} } })).toBe(false);
  });

  it("C8.10 looks at the content of a Request in a context, and not at what a host has parsed", () => {
    const carrying = (body: unknown): boolean => hasContent({ request: { headers: type, body } });
    expect([carrying(null), carrying(new Request("https://a/", { method: "POST", body: "x" }).body)]).toEqual([
      false,
      true,
    ]);
    const request = new Request("https://a/", { method: "POST", headers: type });
    expect(hasContent({ headers: request.headers, request })).toBe(false);
    expect(hasContent({ request: { headers: {}, httpVersionMajor: 1, body: {} } })).toBe(false);
  });

  it("RFC 9113 §8.1 knows over HTTP/2, by both chains", async () => {
    const Json = negotiate({ consumes: ["application/json"] });
    for (const app of [nativeAround(Json), polyfillAround(Json)]) {
      const send = await overHttp2(app);
      const statusOf = (fields: Record<string, string>, content?: string): Promise<unknown> =>
        send({ ":method": "POST", ":path": "/items", ...fields }, content);
      expect(await statusOf(type)).toBe(200);
      expect(await statusOf({ ...type, "content-length": "0" })).toBe(200);
      expect(await statusOf(type, "x")).toBe(415);
      expect(await statusOf({}, "x")).toBe(415);
      expect(await statusOf({ "content-type": "application/json" }, "7")).toBe(200);
    }
  });
});
