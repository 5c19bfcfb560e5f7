import { describe, expect, it } from "vitest";
import { formatBase64, parseBase64 } from "./base64.ts";

describe("parseBase64()", () => {
  it("RFC 4648 §10 reads what formatBase64() writes", () => {
    for (const text of ["", "f", "fo", "foo", "foob", "fooba", "foobar", "\u00ff".repeat(20_000)]) {
      const bytes = new Uint8Array(Buffer.from(text, "latin1"));
      expect(formatBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      expect(parseBase64(formatBase64(bytes))).toEqual(bytes);
    }
  });

  it("RFC 4648 §3 refuses any other form", () => {
    for (const text of ["Zg", "Zg=", "Zh==", "Zg==Zg==", "Z===", "Zm 9v", "Zm9v\n", "Zm-v", "=", "====", "Zm9vYg"]) {
      expect(parseBase64(text), text).toBeNull();
    }
  });
});
