import { describe, expect, it } from "vitest";
import { preferredCoding } from "./accept-encoding.ts";

const offered = ["br", "gzip", "identity"] as const;

describe("preferredCoding()", () => {
  it("RFC 9110 §12.5.3 reads its examples", () => {
    expect(preferredCoding("compress, gzip", offered)).toBe("gzip");
    expect(preferredCoding("", offered)).toBe("identity");
    expect(preferredCoding("*", offered)).toBe("br");
    expect(preferredCoding("compress;q=0.5, gzip;q=1.0", offered)).toBe("gzip");
    expect(preferredCoding("gzip;q=1.0, identity; q=0.5, *;q=0", offered)).toBe("gzip");
    expect(preferredCoding("gzip;q=1.0, identity; q=0.5, *;q=0", ["br", "identity"])).toBe("identity");
  });

  it("RFC 9110 §12.5.3 accepts any coding without the field", () => {
    expect(preferredCoding(null, offered)).toBe("br");
  });

  it("RFC 9110 §12.5.3 accepts identity unless it is refused by name or by *", () => {
    expect(preferredCoding("compress", offered)).toBe("identity");
    expect(preferredCoding("identity;q=0", offered)).toBeNull();
    expect(preferredCoding("*;q=0", offered)).toBeNull();
    expect(preferredCoding("*;q=0, identity", offered)).toBe("identity");
  });

  it("RFC 9110 §12.4.2 never chooses what has quality 0", () => {
    expect(preferredCoding("br;q=0, gzip;q=0", offered)).toBe("identity");
    expect(preferredCoding("gzip;q=0.001", offered)).toBe("gzip");
    expect(preferredCoding("gzip;q=0.5, identity", offered)).toBe("identity");
  });

  it("counts the first of several with one name", () => {
    expect(preferredCoding("br;q=0, gzip, x-gzip;q=0, br", offered)).toBe("gzip");
  });

  it("RFC 9110 §12.5.3 leaves out members with parameters, which no coding has", () => {
    expect(preferredCoding("br;level=9, gzip", offered)).toBe("gzip");
  });

  it("RFC 9110 §8.4.1 compares without regard to case, and reads x-gzip and x-compress without their prefix", () => {
    expect(preferredCoding("GZIP", offered)).toBe("gzip");
    expect(preferredCoding("x-gzip", offered)).toBe("gzip");
    expect(preferredCoding("x-compress", ["compress", "identity"])).toBe("compress");
  });
});
