import { describe, expect, it } from "vitest";
import { parseForwarded, parseXForwardedFor } from "./forwarded.ts";

describe("parseForwarded()", () => {
  it("RFC 7239 §4 reads the examples", () => {
    expect(parseForwarded('for="_gazonk"')).toEqual(["_gazonk"]);
    expect(parseForwarded('For="[2001:db8:cafe::17]:4711"')).toEqual(["2001:db8:cafe::17"]);
    expect(parseForwarded("for=192.0.2.60;proto=http;by=203.0.113.43")).toEqual(["192.0.2.60"]);
    expect(parseForwarded("for=192.0.2.43, for=198.51.100.17")).toEqual(["192.0.2.43", "198.51.100.17"]);
  });

  it("RFC 7239 §7.1 reads the examples of lists", () => {
    expect(parseForwarded('for=192.0.2.43,for="[2001:db8:cafe::17]",for=unknown')).toEqual([
      "192.0.2.43",
      "2001:db8:cafe::17",
      "unknown",
    ]);
  });

  it("RFC 7239 §6.2 drops ports", () => {
    expect(parseForwarded('for="192.0.2.43:47011"')).toEqual(["192.0.2.43"]);
    expect(parseForwarded('for="192.0.2.43:_obf"')).toEqual(["192.0.2.43"]);
  });

  it("keeps the place of an element that has no address, or several", () => {
    expect(parseForwarded("for=192.0.2.1, proto=http, for=a;for=b, for=@, for=192.0.2.2")).toEqual([
      "192.0.2.1",
      null,
      null,
      null,
      "192.0.2.2",
    ]);
  });

  it("RFC 9110 §5.6.4 sees no comma in a quoted string", () => {
    expect(parseForwarded('for="a,b";by=x, for=c')).toEqual(["a,b", "c"]);
    expect(parseForwarded('by="x, for=1.2.3.4", for=c')).toEqual([null, "c"]);
    expect(parseForwarded('for="x, for=6.6.6.6, a\\"b", for=1.1.1.1')).toEqual(['x, for=6.6.6.6, a"b', "1.1.1.1"]);
  });
});

describe("parseForwarded() of what a client left open", () => {
  const proxies = 'for=198.51.100.9, for="[2001:db8::1]:80"';

  it("RFC 7239 §4 reads what the nearest proxies wrote, whatever quotes a client puts before it", () => {
    for (const own of [
      'for="',
      'for=1.1.1.1, for="',
      'for=1.1.1.1, for="a\\',
      'by="x;for=',
      '"',
      '""',
      '"\\"',
      "\\",
      '"a"b"',
    ]) {
      expect(parseForwarded(`${own}, ${proxies}`).slice(-2), own).toEqual(["198.51.100.9", "2001:db8::1"]);
    }
  });

  it("costs time in proportion to length", () => {
    expect(parseForwarded(`${"\\".repeat(400_000)}", for=a`).at(-1)).toBe("a");
    expect(parseForwarded('"\\'.repeat(400_000))).toHaveLength(1);
    expect(parseForwarded("for=a,".repeat(400_000))).toHaveLength(400_000);
  });
});

describe("parseXForwardedFor()", () => {
  it("reads addresses from the farthest to the nearest", () => {
    expect(parseXForwardedFor("203.0.113.7, 2001:db8::1,198.51.100.2")).toEqual([
      "203.0.113.7",
      "2001:db8::1",
      "198.51.100.2",
    ]);
  });

  it("drops ports and brackets", () => {
    expect(parseXForwardedFor("203.0.113.7:80, [2001:db8::1]:80, [2001:db8::2]")).toEqual([
      "203.0.113.7",
      "2001:db8::1",
      "2001:db8::2",
    ]);
  });

  it("sees elements apart whatever quotes a client puts before them", () => {
    expect(parseXForwardedFor('"x, 203.0.113.7')).toEqual(['"x', "203.0.113.7"]);
    expect(parseXForwardedFor("192.0.2.1], 203.0.113.7")).toEqual(["192.0.2.1]", "203.0.113.7"]);
    expect(parseXForwardedFor("[::1, 203.0.113.7")).toEqual(["[::1", "203.0.113.7"]);
  });
});
