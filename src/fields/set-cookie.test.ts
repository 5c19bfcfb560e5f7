import { describe, expect, it } from "vitest";
import type { CookieAttributes } from "./cookie-attributes.ts";
import { formatSetCookie } from "./set-cookie.ts";

const refused = (name: string, value: string, attributes?: CookieAttributes) => {
  expect(() => formatSetCookie(name, value, attributes), `${name}=${value}`).toThrow(TypeError);
  expect(() => formatSetCookie(name, value, attributes)).toThrow(/^Cannot write cookie "/);
};

describe("formatSetCookie()", () => {
  it("RFC 6265 §3.1 writes its examples", () => {
    expect(formatSetCookie("SID", "31d4d96e407aad42")).toBe("SID=31d4d96e407aad42");
    expect(formatSetCookie("SID", "31d4d96e407aad42", { path: "/", domain: "example.com" })).toBe(
      "SID=31d4d96e407aad42; Domain=example.com; Path=/",
    );
    expect(formatSetCookie("SID", "31d4d96e407aad42", { path: "/", secure: true, httpOnly: true })).toBe(
      "SID=31d4d96e407aad42; Path=/; HttpOnly; Secure",
    );
    expect(formatSetCookie("lang", "en-US", { expires: new Date(Date.UTC(2021, 5, 9, 10, 18, 14)) })).toBe(
      "lang=en-US; Expires=Wed, 09 Jun 2021 10:18:14 GMT",
    );
  });

  it("RFC 6265 §4.1.2.2 writes Max-Age, also one that deletes", () => {
    expect(formatSetCookie("a", "", { maxAgeSeconds: 0 })).toBe("a=; Max-Age=0");
    expect(formatSetCookie("a", "", { maxAgeSeconds: -1 })).toBe("a=; Max-Age=-1");
    for (const maxAgeSeconds of [0.5, Number.NaN, Infinity]) refused("a", "b", { maxAgeSeconds });
  });

  it("RFC 6265 §4.1.1 refuses a name that is no token, and a value with other characters", () => {
    for (const name of ["", "a b", "a=b", "a;b", "a\n", "é"]) refused(name, "b");
    for (const value of ["a b", "a;b", "a,b", 'a"b', "a\\b", "a\r\nb", "é", "\x7f"]) refused("a", value);
    expect(formatSetCookie("a", encodeURIComponent("a b; é"))).toBe("a=a%20b%3B%20%C3%A9");
  });

  it("refuses attributes that are none, and names the cookie and what is wrong", () => {
    expect(() => formatSetCookie("a", "b", { path: "x" })).toThrow(
      'Cannot write cookie "a": its path must begin with a slash, and cannot hold semicolons or control characters, got "x"',
    );
    refused("a", "b", { sameSite: "None" });
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.2.7 refuses SameSite=None without Secure", () => {
    refused("a", "b", { sameSite: "None" });
    expect(formatSetCookie("a", "b", { sameSite: "None", secure: true })).toBe("a=b; Secure; SameSite=None");
    expect(formatSetCookie("a", "b", { sameSite: "Strict" })).toBe("a=b; SameSite=Strict");
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.3.1 holds __Secure- to Secure, in any case", () => {
    refused("__Secure-a", "b");
    refused("__SECURE-a", "b");
    expect(formatSetCookie("__Secure-a", "b", { secure: true })).toBe("__Secure-a=b; Secure");
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.3.2 holds __Host- to Secure, the path / and no domain", () => {
    refused("__Host-a", "b", { path: "/" });
    refused("__Host-a", "b", { secure: true });
    refused("__Host-a", "b", { secure: true, path: "/x" });
    refused("__host-a", "b", { secure: true, path: "/", domain: "example.com" });
    expect(formatSetCookie("__Host-a", "b", { secure: true, path: "/" })).toBe("__Host-a=b; Path=/; Secure");
  });

  it("holds __Http- and __Host-Http- to HttpOnly as well", () => {
    refused("__Http-a", "b", { secure: true });
    refused("__Host-Http-a", "b", { secure: true, path: "/" });
    refused("__Host-Http-a", "b", { secure: true, httpOnly: true });
    expect(formatSetCookie("__Http-a", "b", { secure: true, httpOnly: true })).toBe("__Http-a=b; HttpOnly; Secure");
  });

  it("CHIPS holds Partitioned to Secure", () => {
    refused("a", "b", { partitioned: true });
    expect(formatSetCookie("a", "b", { partitioned: true, secure: true })).toBe("a=b; Secure; Partitioned");
  });

  it("takes null for no attributes", () => {
    expect(formatSetCookie("a", "b", null as never)).toBe("a=b");
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §5.6 refuses what clients drop for its length", () => {
    expect(formatSetCookie("a", "b".repeat(4095))).toHaveLength(4097);
    refused("a", "b".repeat(4096));
    refused("a", "b", { path: `/${"a".repeat(1024)}` });
  });
});
