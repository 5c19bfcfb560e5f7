import { describe, expect, it } from "vitest";
import { charactersParsed } from "../../tests/growth/characters-read.ts";
import { isOrigin } from "./origin.ts";

describe("isOrigin()", () => {
  it("RFC 6454 §6.2 takes what browsers write", () => {
    for (const text of [
      "https://example.com",
      "http://example.com:8080",
      "http://127.0.0.1:3000",
      "http://[::1]:3000",
      "https://xn--bcher-kva.example",
      "chrome-extension://aaaabbbbccccdddd",
      "capacitor://localhost",
      "capacitor://localhost:8080",
    ]) {
      expect(isOrigin(text), text).toBe(true);
    }
  });

  it("RFC 6454 §6.2 refuses what they do not write", () => {
    for (const text of [
      "",
      "*",
      "null",
      "example.com",
      "https://",
      "https://example.com/",
      "https://example.com:443",
      "http://example.com:80",
      "HTTPS://example.com",
      "https://EXAMPLE.com",
      "https://a b",
      "https://u:p@example.com",
      "https://example.com?x",
      "https://a.example, https://b.example",
      "https://a.example https://b.example",
      "https://bücher.example",
      "https://*.example.com",
      "https://example.com\n",
      "https://[::1",
      "capacitor://localhost/",
      "capacitor://localhost?x",
      "capacitor://localhost#x",
      "capacitor://localhost:080",
      " capacitor://localhost",
      "file://localhost",
      "file:///",
      `https://${"a".repeat(1000)}`,
      7,
      null,
    ]) {
      expect(isOrigin(text), String(text)).toBe(false);
    }
  });

  it("RFC 1035 §2.3.4 refuses a host that is too long, and has it parsed by nobody", () => {
    for (const scheme of ["https", "capacitor"]) {
      for (const host of ["a".repeat(256), `xn--${"9a".repeat(200)}`, `${"a".repeat(256)}:8080`]) {
        expect(charactersParsed(() => expect(isOrigin(`${scheme}://${host}`)).toBe(false))).toBe(0);
      }
      expect(isOrigin(`${scheme}://${"a".repeat(255)}:8080`)).toBe(true);
    }
  });
});
