import { describe, expect, it } from "vitest";
import { derivedTag, formatDerivedTag, listsTag, originalOf, withOriginalTags } from "./derived-tag.ts";

const isGzip = (aspect: string): boolean => aspect === "gzip";

describe("derivedTag()", () => {
  it("names a representation of a version, weak or not", () => {
    expect(derivedTag({ isWeak: false, opaque: "7" }, "application/json")).toEqual({
      isWeak: false,
      opaque: "7~application/json",
    });
    expect(formatDerivedTag('W/"7"', "gzip")).toBe('W/"7~gzip"');
    expect(formatDerivedTag('"7', "gzip")).toBeNull();
  });

  it("takes nothing from an aspect that no tag can hold", () => {
    expect(formatDerivedTag('"7"', 'gzip, "br~\u00fc"')).toBe('"7~gzip,br"');
  });
});

describe("originalOf()", () => {
  it("is the tag of the version, where an aspect is known", () => {
    expect(originalOf({ isWeak: true, opaque: "a~b~gzip" }, isGzip)).toEqual({ isWeak: true, opaque: "a~b" });
    for (const opaque of ["7", "7~br", "gzip", "7~"]) expect(originalOf({ isWeak: false, opaque }, isGzip)).toBeNull();
  });
});

describe("withOriginalTags()", () => {
  it("adds the tags of versions, and leaves what was sent", () => {
    expect(withOriginalTags('"7~gzip", W/"8~gzip", "9~br"', isGzip)).toBe('"7~gzip", W/"8~gzip", "9~br", "7", W/"8"');
    for (const value of ["*", "", '"7"', "7~gzip", '"7~gzip']) expect(withOriginalTags(value, isGzip)).toBeNull();
  });
});

describe("listsTag()", () => {
  it("compares weakly, and never matches all", () => {
    expect([listsTag('"1", W/"7"', '"7"'), listsTag('"8"', '"7"'), listsTag("*", '"7"')]).toEqual([true, false, false]);
    expect([listsTag(null, '"7"'), listsTag('"7"', null)]).toEqual([false, false]);
  });
});
