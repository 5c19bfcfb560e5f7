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

  it("RFC 6265 §4.1.1 refuses a name that is not a token, and a value with other characters", () => {
    for (const name of ["", "a b", "a=b", "a;b", "a\n", "é"]) refused(name, "b");
    for (const value of ["a b", "a;b", "a,b", 'a"b', "a\\b", "a\r\nb", "é", "\x7f"]) refused("a", value);
    expect(formatSetCookie("a", encodeURIComponent("a b; é"))).toBe("a=a%20b%3B%20%C3%A9");
  });

  it("refuses attributes that are none, and names the cookie and what is wrong", () => {
    expect(() => formatSetCookie("a", "b", { path: "x" })).toThrow(
      'Cannot write cookie "a": its path must begin with a slash, and cannot hold semicolons or control characters, ' +
        'got "x"',
    );
    refused("a", "b", { sameSite: "None" });
  });

  it("says what is wrong", () => {
    const message = (attributes: object, name = "a", value: unknown = "b"): unknown => {
      try {
        return formatSetCookie(name, value as string, attributes);
      } catch (error) {
        return (error as TypeError).message.replace(/^Cannot write cookie "[^"]+": /, "");
      }
    };
    expect(message({}, "a b")).toBe("its name must be a token");
    for (const value of ["a b", 5, null]) {
      expect(message({}, "a", value)).toBe(
        'its value must be printable ASCII without space, ", comma, ; and \\; use encodeURIComponent()',
      );
    }
    expect(message({}, "a", "b".repeat(4096))).toBe("its name and value have more than 4,096 octets");
    expect(message({ maxAge: 5 })).toBe(
      'there is no attribute "maxAge"; write one of domain, path, expires, maxAgeSeconds, secure, httpOnly, ' +
        "sameSite, partitioned",
    );
    expect(message({ secure: "yes" })).toBe('its secure must be true or false, got "yes"');
    for (const domain of ["a b", "domain..com", "a".repeat(300)]) {
      expect(message({ domain })).toBe(
        'its domain must be a host name like "example.com", with labels of 1 to 63 letters, digits and inner ' +
          "hyphens, " +
          `and at most 253 characters, got "${domain.slice(0, 80)}"`,
      );
    }
    expect(message({ path: "a/" })).toBe(
      'its path must begin with a slash, and cannot hold semicolons or control characters, got "a/"',
    );
    expect(message({ expires: 0 })).toBe("its expires must be a Date of the years 1601 to 9999, got 0");
    expect(message({ maxAgeSeconds: 0.5 })).toBe("its maxAgeSeconds must be a whole number, got 0.5");
    expect(message({ sameSite: "lax" })).toBe('its sameSite must be "Strict", "Lax" or "None", got "lax"');
    expect(message({ sameSite: "None" })).toBe('sameSite "None" needs secure: true');
    expect(message({ partitioned: true })).toBe("partitioned needs secure: true");
    expect(message({}, "__Http-a")).toBe("the prefix of its name needs secure: true");
    expect(message({ secure: true }, "__Http-a")).toBe("the prefix of its name needs httpOnly: true");
    expect(message({ secure: true }, "__Host-a")).toBe('the prefix of its name needs path: "/" and no domain');
  });

  it("RFC 6265 §5.1.1 RFC 9110 §5.6.7 writes dates of the first year and of the last", () => {
    for (const year of [1601, 9999]) {
      expect(formatSetCookie("a", "", { expires: new Date(Date.UTC(year, 0)) })).toContain(` Jan ${year} 00:00:00 GMT`);
    }
    for (const year of [1600, 10_000]) refused("a", "", { expires: new Date(Date.UTC(year, 0)) });
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.2.7 refuses SameSite=None without Secure", () => {
    refused("a", "b", { sameSite: "None" });
    expect(formatSetCookie("a", "b", { sameSite: "None", secure: true })).toBe("a=b; Secure; SameSite=None");
    expect(formatSetCookie("a", "b", { sameSite: "Strict" })).toBe("a=b; SameSite=Strict");
    expect(formatSetCookie("a", "b", { sameSite: "Lax" })).toBe("a=b; SameSite=Lax");
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.3.1 holds __Secure- to Secure, in any case", () => {
    refused("__Secure-a", "b");
    refused("__SECURE-a", "b");
    expect(formatSetCookie("__Secure-a", "b", { secure: true })).toBe("__Secure-a=b; Secure");
    expect(formatSetCookie("a__Secure-a", "b")).toBe("a__Secure-a=b");
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
