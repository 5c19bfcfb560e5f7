import { describe, expect, it } from "vitest";
import { shown, tableOf } from "./text-table.ts";

describe("tableOf()", () => {
  it("makes each column as wide as its widest cell, the last one as it comes", () => {
    const rows = [["a", "b"], ["long", "\u{1f600}", "last"], ["x"]];
    expect(tableOf(rows, "> ")).toBe("> a     b\n> long  \u{1f600}  last\n> x");
  });

  it("takes more rows than a call takes arguments", () => {
    const rows = Array.from({ length: 150_000 }, (_, number) => [String(number), "x"]);
    expect(tableOf(rows).split("\n").at(-1)).toBe("149999  x");
  });
});

describe("shown()", () => {
  it("writes control characters out, and cuts what is long", () => {
    expect(shown("a\u001bb\nc")).toBe("a\\u{1b}b\\u{a}c");
    expect(shown("a\u202eb\u2028c\ud800d")).toBe("a\\u{202e}b\\u{2028}c\\u{d800}d");
    expect(shown("x".repeat(10), 4)).toBe("xxx…");
    expect(shown("xxxx", 4)).toBe("xxxx");
  });
});
