import { describe, expect, it } from "vitest";
import { formatIpAddress, networkOf, parseIpAddress } from "./ip-address.ts";

function canonical(text: string): string | null {
  const bytes = parseIpAddress(text);
  return bytes === null ? null : formatIpAddress(bytes);
}

describe("parseIpAddress()", () => {
  it("RFC 4291 §2.2 reads its examples", () => {
    expect(canonical("ABCD:EF01:2345:6789:ABCD:EF01:2345:6789")).toBe("abcd:ef01:2345:6789:abcd:ef01:2345:6789");
    expect(canonical("2001:DB8:0:0:8:800:200C:417A")).toBe("2001:db8::8:800:200c:417a");
    expect(canonical("2001:DB8::8:800:200C:417A")).toBe("2001:db8::8:800:200c:417a");
    expect(canonical("FF01::101")).toBe("ff01::101");
    expect(canonical("::1")).toBe("::1");
    expect(canonical("::")).toBe("::");
    expect(canonical("0:0:0:0:0:0:13.1.68.3")).toBe("::d01:4403");
  });

  it("RFC 4291 §2.5.5.2 reads a mapped IPv4 address as that address", () => {
    for (const text of ["::FFFF:129.144.52.38", "0:0:0:0:0:ffff:8190:3426", "129.144.52.38"]) {
      expect(canonical(text)).toBe("129.144.52.38");
    }
  });

  it("RFC 4291 §2.5.5.2 takes no other address for a mapped one, whatever its last bits are", () => {
    expect(canonical("2001:db8::ffff:192.0.2.1")).toBe("2001:db8::ffff:c000:201");
    expect(canonical("0:0:0:0:1:ffff:192.0.2.1")).toBe("::1:ffff:c000:201");
    expect(canonical("::1:192.0.2.1")).toBe("::1:c000:201");
  });

  it("reads the largest and the longest address, and :: for a single group", () => {
    expect(canonical("255.255.255.255")).toBe("255.255.255.255");
    expect(canonical("0000:0000:0000:0000:0000:ffff:192.168.100.228")).toBe("192.168.100.228");
    expect(canonical("1:2:3:4:5:6:7::")).toBe("1:2:3:4:5:6:7:0");
  });

  it("RFC 4007 §11 drops the zone", () => {
    expect(canonical("fe80::1%eth0")).toBe("fe80::1");
  });

  it("returns null for text that is not an address, or could be read in two ways", () => {
    for (const text of [
      "",
      "1",
      "1.2.3",
      "1.2.3.4.5",
      "1.2.3.256",
      "01.2.3.4",
      "1.2.3.04",
      "0x1.2.3.4",
      "1.2.3.4 ",
      " 1.2.3.4",
      "1.2.3.-4",
      "1.2.3.4:80",
      ":",
      ":::",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7::8",
      "12345::",
      "g::",
      "1:2",
      "::1.2.3.4:5",
      "1.2.3.4::",
      "[::1]",
      ":1:2:3:4:5:6:7:8",
      "1:2:3:4:5:6:7:8:",
      "example.com",
      "::ffff:1.2.3",
      "a".repeat(100_000),
    ]) {
      expect(parseIpAddress(text), text.slice(0, 50)).toBeNull();
    }
  });
});

describe("formatIpAddress()", () => {
  it("RFC 5952 §4 writes one form", () => {
    expect(canonical("2001:0db8::0001")).toBe("2001:db8::1");
    expect(canonical("2001:db8:0:1:1:1:1:1")).toBe("2001:db8:0:1:1:1:1:1");
    expect(canonical("2001:0:0:1:0:0:0:1")).toBe("2001:0:0:1::1");
    expect(canonical("2001:db8:0:0:1:0:0:1")).toBe("2001:db8::1:0:0:1");
    expect(canonical("2001:DB8::AAAA")).toBe("2001:db8::aaaa");
    expect(canonical("1:2:3:4:5:6:0:0")).toBe("1:2:3:4:5:6::");
  });
});

describe("networkOf()", () => {
  it("keeps as many bits as the network has", () => {
    const network = (text: string, bits: number) => formatIpAddress(networkOf(parseIpAddress(text)!, bits));
    expect(network("2001:db8:1:2:3:4:5:6", 64)).toBe("2001:db8:1:2::");
    expect(network("2001:db8:1:2ff:3:4:5:6", 57)).toBe("2001:db8:1:280::");
    expect(network("192.0.2.130", 25)).toBe("192.0.2.128");
    expect(network("192.0.2.130", 32)).toBe("192.0.2.130");
    expect(network("192.0.2.130", 0)).toBe("0.0.0.0");
  });
});
