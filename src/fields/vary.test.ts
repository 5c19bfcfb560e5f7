import { describe, expect, it } from "vitest";
import { addVary } from "./vary.ts";

function added(value: string | null, ...names: string[]): string | null {
  const headers = new Headers(value === null ? {} : { vary: value });
  addVary(headers, ...names);
  return headers.get("vary");
}

describe("addVary()", () => {
  it("RFC 9110 §12.5.5 adds names to what is there, each once", () => {
    expect(added(null, "Origin")).toBe("Origin");
    expect(added("accept-encoding, accept-language", "Origin")).toBe("accept-encoding, accept-language, Origin");
    expect(added("Origin", "Accept")).toBe("Origin, Accept");
    expect(added(null, "Accept", "Accept-Language")).toBe("Accept, Accept-Language");
  });

  it("RFC 9110 §5.1 compares names without regard to case", () => {
    expect(added("ORIGIN", "Origin")).toBe("ORIGIN");
  });

  it("RFC 9110 §12.5.5 leaves a * alone", () => {
    expect(added("*", "Origin")).toBe("*");
  });

  it("leaves a value alone that has all names already", () => {
    expect(added("accept,origin", "Origin")).toBe("accept,origin");
  });
});
