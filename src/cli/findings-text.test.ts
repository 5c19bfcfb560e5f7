import { describe, expect, it } from "vitest";
import { findingsText } from "./findings-text.ts";

describe("findingsText()", () => {
  it("counts findings", () => {
    const one = { kind: "no-paths", resource: "A", pattern: null, message: "m", example: null } as const;
    expect(findingsText([])).toBe("Nothing found");
    expect(findingsText([one])).toBe("no-paths: A\n  m\n\n1 finding");
    expect(findingsText([one, { ...one, pattern: "/a", example: "/b" }])).toBe(
      "no-paths: A\n  m\nno-paths: /a of A\n  m\n  such as /b\n\n2 findings",
    );
  });

  it("has nothing that a program wrote steer the terminal, and cuts what is long", () => {
    const steered = "a\u001b[31m\nb";
    const text = findingsText([
      { kind: "order", resource: steered, pattern: steered, message: steered, example: steered },
      { kind: "order", resource: steered, pattern: null, message: "m".repeat(1000), example: null },
    ]);
    expect(text).not.toMatch(/[^\n -~…]/);
    expect(text.split("\n").length).toBe(7);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBe(402);
  });
});
