import { describe, expect, it } from "vitest";
import { countGroups, escapedLiteral } from "./expression.ts";

describe("countGroups()", () => {
  it("counts capture groups, whether or not they take part", () => {
    expect(countGroups("a")).toBe(0);
    expect(countGroups("(a)|(b)")).toBe(2);
    expect(countGroups("((a)(?:b)(?=c)(?<n>d))")).toBe(3);
    expect(countGroups("\\(a\\)[(]")).toBe(0);
  });
});

describe("escapedLiteral()", () => {
  it("makes an expression that matches the text itself", () => {
    const text = "^a.b*c+(d)[e]{f}|g\\h/i?$-é";
    expect(new RegExp(`^${escapedLiteral(text)}$`).test(text)).toBe(true);
    expect(new RegExp(`^${escapedLiteral("a.b")}$`).test("axb")).toBe(false);
    expect(escapedLiteral("a-b")).toBe("a-b");
  });
});
