import { describe, expect, it } from "vitest";
import { countGroups, matchesAnything, quoted, readExpression } from "./expression.ts";

/** The expression; what is wrong with it is thrown. */
const read = (pattern: string, open: number): string =>
  readExpression(pattern, open, (reason, index) => {
    throw new Error(`${reason} at ${index}`);
  });

describe("readExpression()", () => {
  it("reads up to the parenthesis that balances the first", () => {
    expect(read("/x(a(b)c)d", 2)).toBe("a(b)c");
    expect(read("(a)(b)", 0)).toBe("a");
    expect(read("(((a)))", 0)).toBe("((a))");
  });

  it("passes over escaped parentheses and those in character classes", () => {
    expect(read("(a\\)b)", 0)).toBe("a\\)b");
    expect(read("(\\(a)", 0)).toBe("\\(a");
    expect(read("([)(]+)", 0)).toBe("[)(]+");
    expect(read("([\\])]+)", 0)).toBe("[\\])]+");
    expect(read("([^]a)b", 0)).toBe("[^]a");
  });

  it("finds the parenthesis that is not closed", () => {
    const fault = 'unbalanced parenthesis; write "\\\\(" for the character';
    expect(() => read("/x(a", 2)).toThrow(`${fault} at 2`);
    expect(() => read("((a)", 0)).toThrow(`${fault} at 0`);
    expect(() => read("([)", 0)).toThrow(`${fault} at 0`);
    expect(() => read("(a\\", 0)).toThrow(`${fault} at 0`);
  });

  it("finds back references, by number and by name", () => {
    const fault = "back references cannot be used; write the alternatives out";
    expect(() => read("((a)\\1)", 0)).toThrow(`${fault} at 4`);
    expect(() => read("(a\\9)", 0)).toThrow(`${fault} at 2`);
    expect(() => read("((?<n>a)\\k<n>)", 0)).toThrow(`${fault} at 8`);
  });

  it("takes no other escape for a back reference", () => {
    for (const source of ["\\0", "\\\\1", "[\\1]", "\\d1", "\\k", "a\\.1"]) {
      expect(read(`(${source})`, 0)).toBe(source);
    }
  });

  it("refuses an empty expression", () => {
    const fault = 'invalid expression: it is empty; write "\\\\(\\\\)" for the characters';
    expect(() => read("/a()", 2)).toThrow(`${fault} at 2`);
  });

  it("refuses a group in place of an expression, and says where it belongs", () => {
    const fault = 'invalid expression: write "((?:a))", a group inside the parentheses';
    expect(() => read("/(?:a)", 1)).toThrow(`${fault} at 1`);
    expect(() => read(`(?:${"a".repeat(500)})`, 0)).toThrow(
      `invalid expression: write "((?:${"a".repeat(78)}))", a group inside the parentheses`,
    );
  });

  it("tells what the engine says of an invalid expression, in short", () => {
    expect(() => read("/([b-a])", 1)).toThrow("invalid expression: Range out of order in character class at 1");
    expect(() => read(`(${"a".repeat(500)}**)`, 0)).toThrow(/^invalid expression: .{1,80} at 0$/);
  });
});

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
