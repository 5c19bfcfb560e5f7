import { describe, expect, it } from "vitest";
import { asked, askedOnNode } from "../../tests/middleware/asked.ts";
import { cookie, CookieSigner, cookiesOf, expiredCookie } from "./cookies.ts";

const [secret, other] = ["s".repeat(32), "o".repeat(32)] as const;

describe("cookiesOf()", () => {
  it("RFC 6265 §4.2 reads the cookies of a request, on both doors", async () => {
    const headers = { cookie: "a=1; b=2; a=3" };
    const text = (input: object) => JSON.stringify([...cookiesOf(input)]);
    const expected = '[["a","1"],["b","2"]]';
    expect(await (await asked({ GET: (input: object) => new Response(text(input)) })({ headers })).text()).toBe(
      expected,
    );
    const answer = await askedOnNode({ headers }, { GET: (context) => context.response.end(text(context)) });
    expect(answer.text).toBe(expected);
    expect(cookiesOf(new Request("https://example.com/")).size).toBe(0);
  });
});

describe("cookie()", () => {
  it("is safe unless told otherwise", () => {
    expect(cookie("id", "7")).toBe("id=7; Path=/; HttpOnly; Secure; SameSite=Lax");
    expect(cookie("id", "7", { secure: false, httpOnly: false, sameSite: "Strict", path: "/a" })).toBe(
      "id=7; Path=/a; SameSite=Strict",
    );
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.3 fits the prefixes as it is", () => {
    expect(cookie("__Host-id", "7")).toBe("__Host-id=7; Path=/; HttpOnly; Secure; SameSite=Lax");
    expect(() => cookie("__Host-id", "7", { path: "/a" })).toThrow(
      'Cannot write cookie "__Host-id": the prefix of its name needs path: "/" and no domain',
    );
    expect(() => cookie("__Secure-id", "7", { secure: false })).toThrow(TypeError);
  });

  it("CHIPS writes Partitioned", () => {
    expect(cookie("id", "7", { partitioned: true, sameSite: "None" })).toBe(
      "id=7; Path=/; HttpOnly; Secure; SameSite=None; Partitioned",
    );
  });

  it("refuses what would end the field or the value", () => {
    for (const value of ["a\r\nb", "a;b", "a b", "é"]) expect(() => cookie("id", value), value).toThrow(TypeError);
  });
});

describe("expiredCookie()", () => {
  it("RFC 6265 §4.1.2.2 deletes a cookie of the same path and domain", () => {
    expect(expiredCookie("id", { path: "/a", domain: "example.com" })).toBe(
      "id=; Domain=example.com; Path=/a; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; HttpOnly; Secure; SameSite=Lax",
    );
  });
});

describe("CookieSigner", () => {
  it("RFC 2104 verifies what it signed, for that name only", async () => {
    const signer = new CookieSigner(secret);
    for (const value of ["7", "", "a.b.c", "x=y", "é"]) {
      const signed = await signer.sign("user", value);
      expect(signed.startsWith(`${value}.`)).toBe(true);
      expect(await signer.verify("user", signed)).toBe(value);
      expect(await signer.verify("admin", signed)).toBeNull();
    }
    expect(cookie("user", await signer.sign("user", "7"))).toMatch(/^user=7\.[-\w]{43}; Path/);
  });

  it("RFC 4231 computes HMAC with SHA-256", async () => {
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(secret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode("user=7"));
    expect(await new CookieSigner(secret).sign("user", "7")).toBe(`7.${Buffer.from(signature).toString("base64url")}`);
  });

  it("gives null for what it did not sign", async () => {
    const signer = new CookieSigner(secret);
    const signed = await signer.sign("user", "7");
    const last = signed.at(-1)!;
    for (const text of [
      undefined,
      "",
      ".",
      "7",
      "7.",
      signed.replace("7.", "8."),
      signed.slice(0, -1),
      `${signed}A`,
      `${signed}=`,
      signed.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1),
      await new CookieSigner(other).sign("user", "7"),
      `7.${"!".repeat(43)}`,
    ]) {
      expect(await signer.verify("user", text), text).toBeNull();
    }
  });

  it("signs by the first secret and verifies by all", async () => {
    const old = await new CookieSigner(other).sign("user", "7");
    const signer = new CookieSigner(secret, other);
    expect(await signer.verify("user", old)).toBe("7");
    expect(await new CookieSigner(secret).verify("user", await signer.sign("user", "7"))).toBe("7");
    expect(await new CookieSigner(other).verify("user", await signer.sign("user", "7"))).toBeNull();
  });

  it("refuses short secrets, and none", () => {
    const message = "Cannot sign cookies: expected secrets of at least 32 bytes";
    expect(() => new CookieSigner("short")).toThrow(new TypeError(message));
    expect(() => new CookieSigner(secret, "")).toThrow(new TypeError(message));
    expect(() => Reflect.construct(CookieSigner, [])).toThrow(new TypeError(message));
  });
});
