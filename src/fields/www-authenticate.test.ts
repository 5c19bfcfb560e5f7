import { describe, expect, it } from "vitest";
import { formatChallenge } from "./www-authenticate.ts";

describe("formatChallenge()", () => {
  it("RFC 7617 §2 and §2.1 write their examples", () => {
    expect(formatChallenge("Basic", { realm: "WallyWorld" })).toBe('Basic realm="WallyWorld"');
    expect(formatChallenge("Basic", { realm: "foo", charset: "UTF-8" })).toBe('Basic realm="foo", charset="UTF-8"');
  });

  it("RFC 6750 §3 writes its example", () => {
    expect(
      formatChallenge("Bearer", {
        realm: "example",
        error: "invalid_token",
        error_description: "The access token expired",
      }),
    ).toBe('Bearer realm="example", error="invalid_token", error_description="The access token expired"');
  });

  it("leaves out what is undefined, and the space where nothing follows", () => {
    expect(formatChallenge("Bearer", { realm: undefined })).toBe("Bearer");
    expect(formatChallenge("Negotiate")).toBe("Negotiate");
  });

  it("refuses what would break the field", () => {
    expect(() => formatChallenge("Ba sic")).toThrow("is not a token");
    expect(() => formatChallenge("Basic", { "a b": "c" })).toThrow("is not a token");
    expect(() => formatChallenge("Basic", { realm: "a\r\nSet-Cookie: x" })).toThrow(TypeError);
    expect(formatChallenge("Basic", { realm: 'a"b' })).toBe('Basic realm="a\\"b"');
  });
});
