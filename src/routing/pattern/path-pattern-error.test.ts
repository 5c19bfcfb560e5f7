import { describe, expect, it } from "vitest";
import { PathPatternError } from "./path-pattern-error.ts";

describe("PathPatternError", () => {
  it("shows the pattern with a caret under the column", () => {
    const error = new PathPatternError("a reason", "/users/:", 7, "Users");
    expect(error.message).toBe("Cannot parse path pattern of Users: a reason\n  /users/:\n         ^");
    expect(error).toMatchObject({ name: "PathPatternError", pattern: "/users/:", index: 7 });
    expect(error).toBeInstanceOf(SyntaxError);
  });

  it("does without the name of a class", () => {
    expect(new PathPatternError("a reason", "", 0).message).toBe("Cannot parse path pattern: a reason\n  \n  ^");
  });

  it("shows a part of a long pattern, with the caret in the middle", () => {
    const [, shown, caret] = new PathPatternError(
      "a reason",
      `/${"a".repeat(200)}:${"b".repeat(200)}`,
      201,
    ).message.split("\n");
    expect(shown).toBe(`  ${"a".repeat(40)}:${"b".repeat(39)}`);
    expect(caret).toBe(`  ${" ".repeat(40)}^`);
  });

  it("keeps a line break in the pattern from breaking the message", () => {
    const lines = new PathPatternError("a reason", "/a\nb\0c\u0085d\x7f", 2).message.split("\n");
    expect(lines).toEqual(["Cannot parse path pattern: a reason", "  /a b c d ", "    ^"]);
  });
});
