import { describe, expect, it } from "vitest";
import { isToken68, parseBasicCredentials, parseCredentials } from "./authorization.ts";

describe("parseCredentials()", () => {
  it("RFC 7617 §2 reads its example", () => {
    const credentials = parseCredentials("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    expect(credentials).toEqual({
      scheme: "basic",
      token68: "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
      parameters: new Map(),
    });
  });

  it("RFC 6750 §2.1 reads its example", () => {
    expect(parseCredentials("Bearer mF_9.B5f-4.1JqM")).toMatchObject({ scheme: "bearer", token68: "mF_9.B5f-4.1JqM" });
  });

  it("RFC 7616 §3.9.1 reads the parameters of its example", () => {
    const { scheme, token68, parameters } = parseCredentials(
      'Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=MD5, nc=00000001, ' +
        "qop=auth",
    )!;
    expect([scheme, token68]).toEqual(["digest", null]);
    expect(Object.fromEntries(parameters)).toEqual({
      username: "Mufasa",
      realm: "http-auth@example.org",
      uri: "/dir/index.html",
      algorithm: "MD5",
      nc: "00000001",
      qop: "auth",
    });
  });

  it("RFC 9110 §11.1 reads the scheme without regard to case, and alone", () => {
    expect(parseCredentials("bEARER x")?.scheme).toBe("bearer");
    expect(parseCredentials("Negotiate")).toEqual({ scheme: "negotiate", token68: null, parameters: new Map() });
  });

  it("RFC 9110 §11.4 allows several spaces, and no tab, after the scheme", () => {
    expect(parseCredentials("Bearer   x")?.token68).toBe("x");
    expect(parseCredentials("Bearer\tx")).toBeNull();
  });

  it("returns null for a malformed value", () => {
    for (const value of ["", " ", "Bearer a b", "Bear,er x", "Bearer é", "Digest a=1, a=2", "Bearer a=b=c d"]) {
      expect(parseCredentials(value), value).toBeNull();
    }
  });
});

describe("isToken68()", () => {
  it("RFC 9110 §11.2 takes padding at the end only", () => {
    for (const text of ["a", "a=", "a==", "-._~+/9"]) expect(isToken68(text), text).toBe(true);
    for (const text of ["", "=", "==", "a=b", "a b"]) expect(isToken68(text), text).toBe(false);
  });

  it("costs time in proportion to length", () => {
    expect(isToken68(`${"a".repeat(500_000)}${"=".repeat(500_000)}`)).toBe(true);
    expect(isToken68(`${"a".repeat(500_000)}${"=".repeat(500_000)}!`)).toBe(false);
  });
});

describe("parseBasicCredentials()", () => {
  it("RFC 7617 §2 reads its example", () => {
    expect(parseBasicCredentials("QWxhZGRpbjpvcGVuIHNlc2FtZQ==")).toEqual({ user: "Aladdin", password: "open sesame" });
  });

  it("RFC 7617 §2.1 reads UTF-8", () => {
    expect(parseBasicCredentials("dGVzdDoxMjPCow==")).toEqual({ user: "test", password: "123£" });
  });

  it("RFC 7617 §2 ends the name at the first colon", () => {
    expect(parseBasicCredentials(btoa("a:b:c"))).toEqual({ user: "a", password: "b:c" });
    expect(parseBasicCredentials(btoa(":"))).toEqual({ user: "", password: "" });
  });

  it("RFC 7617 §2.1 leaves a byte order mark in the name, so that no two texts are one user", () => {
    expect(parseBasicCredentials(btoa("\xef\xbb\xbfa:b"))).toEqual({ user: "\ufeffa", password: "b" });
  });

  it("returns null without a colon, with control characters, and without Base64 of UTF-8", () => {
    for (const text of [btoa("ab"), btoa("a\n:b"), btoa("a:\xff"), "a", "*", "QQ=="]) {
      expect(parseBasicCredentials(text), text).toBeNull();
    }
  });
});
