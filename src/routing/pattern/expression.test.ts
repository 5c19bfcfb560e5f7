import { describe, expect, it } from "vitest";
import { countGroups, matchesAnything, quoted } from "./expression.ts";

describe("countGroups()", () => {
  it("counts capture groups, whether or not they take part", () => {
    expect(countGroups("a")).toBe(0);
    expect(countGroups("(a)|(b)")).toBe(2);
    expect(countGroups("((a)(?:b)(?=c)(?<n>d))")).toBe(3);
    expect(countGroups("\\(a\\)[(]")).toBe(0);
  });
});

describe("quoted()", () => {
  it("makes an expression that matches the text itself", () => {
    const text = "^a.b*c+(d)[e]{f}|g\\h/i?$-é";
    expect(new RegExp(`^${quoted(text)}$`).test(text)).toBe(true);
    expect(new RegExp(`^${quoted("a.b")}$`).test("axb")).toBe(false);
    expect(quoted("a-b")).toBe("a-b");
  });
});

describe("matchesAnything()", () => {
  it("knows the two expressions that rank as a rest", () => {
    expect([".*", ".+"].map(matchesAnything)).toEqual([true, true]);
    expect([".", ".*?", "(.*)", "(?:.*)", "^.*", ".*$", "[^]*"].map(matchesAnything)).not.toContain(true);
  });
});
