import { describe, expect, it } from "vitest";
import { mergedAttributes, refusalOfAttributes, type CookieAttributes } from "./cookie-attributes.ts";

const refused = (attributes: CookieAttributes) =>
  expect(refusalOfAttributes(attributes), JSON.stringify(attributes)).toEqual(expect.any(String));

describe("mergedAttributes()", () => {
  it("takes an attribute from the last that says something of it", () => {
    const merged = mergedAttributes({ path: "/", secure: true }, { path: "/a" }, { path: undefined as never });
    expect({ ...merged }).toEqual({ path: "/a", secure: true });
  });

  it("takes null for no attributes", () => {
    expect({ ...mergedAttributes({ path: "/" }, null) }).toEqual({ path: "/" });
  });

  it("has nothing that was put on all objects", () => {
    expect(Object.getPrototypeOf(mergedAttributes({}))).toBeNull();
  });
});

describe("refusalOfAttributes()", () => {
  it("finds nothing wrong with those that fit together", () => {
    for (const attributes of [{}, { path: "/", domain: "example.com" }, { sameSite: "None", secure: true }] as const) {
      expect(refusalOfAttributes(attributes)).toBeNull();
    }
  });

  it("RFC 6265 §4.1.1 refuses attributes that end the field, or the attribute", () => {
    for (const path of ["", "a", "/;Domain=evil", "/\r\n", "/é"]) refused({ path });
    for (const domain of ["", "a b", "a;b", "a\n", "http://a"]) refused({ domain });
    for (const wrong of [null, 5, ["/"]]) refused({ path: wrong as never });
    refused({ domain: null as never });
    for (const wrong of [new Date(Number.NaN), new Date(8.64e15), new Date(-1e14), 0, "Thu"]) {
      refused({ expires: wrong as never });
    }
    refused({ sameSite: "lax" as "Lax" });
  });

  it("RFC 1034 §3.5 refuses domains that no host has, as browsers lose such cookies", () => {
    for (const domain of [".", "..", "domain..com", "..example.com", "example.com.", ".example.com."])
      refused({ domain });
    for (const label of ["-", "-a", "a-", "a".repeat(64)]) {
      for (const domain of [label, `${label}.com`, `www.${label}.com`, `www.${label}`]) refused({ domain });
    }
    refused({ domain: `${"a.".repeat(126)}aa` });
    refused({ domain: `.${"a.".repeat(126)}aa` });
    refused({ domain: `${"a".repeat(63)}.`.repeat(50_000) });
    for (const domain of ["a_b.com", "bücher.example", "example.com:80", "[::1]"]) refused({ domain });
  });

  it("RFC 6265 §5.2.3 RFC 1034 §3.5 RFC 1123 §2.1 takes domains that a host can have", () => {
    const longest = `${"a.".repeat(126)}a`;
    for (const domain of [
      "localhost",
      "example.com",
      "EXAMPLE.com",
      "3com.example",
      "xn--bcher-kva.example",
      longest,
    ]) {
      expect(refusalOfAttributes({ domain }), domain).toBeNull();
      expect(refusalOfAttributes({ domain: `.${domain}` }), domain).toBeNull();
    }
    for (const domain of ["a", "a--b.c-d.e", `${"a".repeat(63)}.com`, "127.0.0.1"]) {
      expect(refusalOfAttributes({ domain }), domain).toBeNull();
    }
  });

  it("refuses an unknown attribute, and a value that is neither true nor false", () => {
    for (const other of [{ samesite: "Strict" }, { maxAge: 5 }, { HttpOnly: true }]) refused(other as never);
    for (const name of ["secure", "httpOnly", "partitioned"]) {
      for (const value of ["true", 1, null]) refused({ [name]: value } as never);
    }
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.2.7 and CHIPS hold SameSite=None and Partitioned to Secure", () => {
    expect(refusalOfAttributes({ sameSite: "None" })).toBe('sameSite "None" needs secure: true');
    expect(refusalOfAttributes({ partitioned: true })).toBe("partitioned needs secure: true");
  });
});
