import { describe, expect, it } from "vitest";
import { countGroups, matchesAnything, quoted, scanExpression } from "./expression.ts";

describe("scanExpression()", () => {
  it("reads up to the parenthesis that balances the first", () => {
    expect(scanExpression("/x(a(b)c)d", 2)).toMatchObject({ source: "a(b)c", end: 9 });
    expect(scanExpression("(a)(b)", 0)).toMatchObject({ source: "a", end: 3 });
    expect(scanExpression("(((a)))", 0)).toMatchObject({ source: "((a))", end: 7 });
  });

  it("passes over escaped parentheses and those in character classes", () => {
    expect(scanExpression("(a\\)b)", 0)).toMatchObject({ source: "a\\)b", end: 6 });
    expect(scanExpression("(\\(a)", 0)).toMatchObject({ source: "\\(a", end: 5 });
    expect(scanExpression("([)(]+)", 0)).toMatchObject({ source: "[)(]+", end: 7 });
    expect(scanExpression("([\\])]+)", 0)).toMatchObject({ source: "[\\])]+", end: 8 });
    expect(scanExpression("([^]a)b", 0)).toMatchObject({ source: "[^]a", end: 6 });
  });

  it("finds the parenthesis that is not closed", () => {
    const fault = 'unbalanced parenthesis; write "\\\\(" for the character';
    expect(scanExpression("/x(a", 2)).toMatchObject({ fault, index: 2 });
    expect(scanExpression("((a)", 0)).toMatchObject({ fault, index: 0 });
    expect(scanExpression("([)", 0)).toMatchObject({ fault, index: 0 });
    expect(scanExpression("(a\\", 0)).toMatchObject({ fault, index: 0 });
  });

  it("finds back references, by number and by name", () => {
    const fault = "back references cannot be used; write the alternatives out";
    expect(scanExpression("((a)\\1)", 0)).toMatchObject({ fault, index: 4 });
    expect(scanExpression("(a\\9)", 0)).toMatchObject({ fault, index: 2 });
    expect(scanExpression("((?<n>a)\\k<n>)", 0)).toMatchObject({ fault, index: 8 });
  });

  it("takes no other escape for a back reference", () => {
    for (const source of ["\\0", "\\\\1", "[\\1]", "\\d1", "\\k", "a\\.1"]) {
      expect(scanExpression(`(${source})`, 0)).toMatchObject({ source, end: source.length + 2 });
    }
  });

  it("refuses an empty expression", () => {
    const fault = 'invalid expression: it is empty; write "\\\\(\\\\)" for the characters';
    expect(scanExpression("/a()", 2)).toMatchObject({ fault, index: 2 });
  });

  it("refuses a group in place of an expression, and says where it belongs", () => {
    const fault = 'invalid expression: write "((?:a))", a group inside the parentheses';
    expect(scanExpression("/(?:a)", 1)).toMatchObject({ fault, index: 1 });
    const { fault: cut } = scanExpression(`(?:${"a".repeat(500)})`, 0) as { fault: string };
    expect(cut).toBe(`invalid expression: write "((?:${"a".repeat(78)}))", a group inside the parentheses`);
  });

  it("tells what the engine says of an invalid expression, in short", () => {
    const { fault, index } = scanExpression("/([b-a])", 1) as { fault: string; index: number };
    expect(fault).toBe("invalid expression: Range out of order in character class");
    expect(index).toBe(1);
    const { fault: long } = scanExpression(`(${"a".repeat(500)}**)`, 0) as { fault: string };
    expect(long).toMatch(/^invalid expression: /);
    expect(long.length).toBeLessThanOrEqual(100);
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
