import { describe, expect, it } from "vitest";
import { declaredBytesOf, statusOf } from "./outcome.ts";

describe("statusOf()", () => {
  it("is null for what has no status, nothing at all among it", () => {
    for (const result of [undefined, null, "text", { status: "200" }]) expect(statusOf(result, {})).toBeNull();
  });
});

describe("declaredBytesOf()", () => {
  it("is null for what declares none, nothing at all among it", () => {
    const results = [undefined, null, "text", 5, {}, { headers: null }, { headers: { get: "5" } }, { headers: [] }];
    for (const result of [...results, new Response("12345"), { headers: new Headers({ "Content-Length": "5, 5" }) }]) {
      expect(declaredBytesOf(result, {})).toBeNull();
    }
    expect(declaredBytesOf({ headers: new Headers({ "Content-Length": "5" }) }, {})).toBe(5);
  });

  it("reads nothing off what all objects have", () => {
    Object.assign(Object.prototype, { headers: { get: () => "5" } });
    try {
      expect(declaredBytesOf({}, {})).toBeNull();
    } finally {
      delete (Object.prototype as { headers?: unknown }).headers;
    }
  });
});
