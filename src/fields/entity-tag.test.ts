import { describe, expect, it } from "vitest";
import { formatEntityTag, isStrongMatch, isWeakMatch, parseEntityTag, parseEntityTags } from "./entity-tag.ts";

const opaque = (value: string) => {
  const tags = parseEntityTags(value);
  return tags === "*" ? tags : tags.map(formatEntityTag);
};

describe("parseEntityTag()", () => {
  it("RFC 9110 §8.8.3 reads its examples", () => {
    expect(parseEntityTag('"xyzzy"')).toEqual({ isWeak: false, opaque: "xyzzy" });
    expect(parseEntityTag('W/"xyzzy"')).toEqual({ isWeak: true, opaque: "xyzzy" });
    expect(parseEntityTag('""')).toEqual({ isWeak: false, opaque: "" });
  });

  it("RFC 9110 §8.8.3 returns null for a malformed value", () => {
    for (const value of ["", "xyzzy", '"', '"a', 'a"', 'w/"a"', 'W/ "a"', '"a b"', '"a"b"', '"\x7f"', '"a\n"', "*"]) {
      expect(parseEntityTag(value), value).toBeNull();
    }
  });
});

describe("formatEntityTag()", () => {
  it("RFC 9110 §8.8.3 refuses what an entity tag cannot hold", () => {
    expect(formatEntityTag({ isWeak: true, opaque: "a" })).toBe('W/"a"');
    for (const text of ['"', "a b", "\n", "€"]) {
      expect(() => formatEntityTag({ isWeak: false, opaque: text })).toThrow(
        new TypeError("Cannot write an entity tag: it cannot hold quotes, whitespace or control characters"),
      );
    }
  });
});

describe("parseEntityTags()", () => {
  it("RFC 9110 §13.1.1 and §13.1.2 read their examples", () => {
    expect(opaque('"xyzzy"')).toEqual(['"xyzzy"']);
    expect(opaque('"xyzzy", "r2d2xxxx", "c3piozzzz"')).toEqual(['"xyzzy"', '"r2d2xxxx"', '"c3piozzzz"']);
    expect(opaque('W/"xyzzy", W/"r2d2xxxx", W/"c3piozzzz"')).toHaveLength(3);
    expect(opaque("*")).toBe("*");
    expect(opaque(" * ")).toBe("*");
  });

  it("RFC 9110 §8.8.3 takes commas and backslashes for parts of a tag", () => {
    expect(opaque('"a,b" , "c\\", "d"')).toEqual(['"a,b"', '"c\\"', '"d"']);
  });

  it("passes over what is malformed", () => {
    expect(opaque('abc, "a", "b"c, W/"d"')).toEqual(['"a"', 'W/"d"']);
    expect(opaque('"a", *')).toEqual(['"a"']);
    expect(opaque('*, "a"')).toEqual(['"a"']);
    expect(opaque('"a b", "c"')).toEqual(['"c"']);
    expect(opaque('"a,b"c, "d"')).toEqual(['"d"']);
    expect([opaque("abc, *"), opaque(",*")]).toEqual(["*", "*"]);
    for (const value of ["", ",", "abc", '"abc', "W/"]) expect(opaque(value), value).toEqual([]);
  });

  it("costs time in proportion to length", () => {
    expect(opaque('"a",'.repeat(100_000))).toHaveLength(100_000);
    expect(opaque('"'.repeat(100_001))).toEqual([]);
    expect(opaque(`"a"${" ".repeat(500_000)}b`)).toEqual([]);
    expect(opaque("W/,".repeat(100_000))).toEqual([]);
  });
});

describe("isStrongMatch() and isWeakMatch()", () => {
  it("RFC 9110 §8.8.3.2 compare as its table says", () => {
    const rows = [
      ['W/"1"', 'W/"1"', false, true],
      ['W/"1"', 'W/"2"', false, false],
      ['W/"1"', '"1"', false, true],
      ['"1"', '"1"', true, true],
    ] as const;
    for (const [first, second, strong, weak] of rows) {
      const [a, b] = [parseEntityTag(first)!, parseEntityTag(second)!];
      expect([isStrongMatch(a, b), isWeakMatch(a, b)]).toEqual([strong, weak]);
    }
  });
});
