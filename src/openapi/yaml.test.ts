import { describe, expect, it } from "vitest";
import { yamlOf } from "./yaml.ts";

describe("yamlOf()", () => {
  it("writes blocks, with texts as JSON has them", () => {
    const value = { a: { b: [1, "two", [null], { c: true, d: {} }], "/e/{f}": [] }, no: undefined, on: "x: #y" };
    expect(yamlOf(value)).toBe(`a:
  b:
    - 1
    - "two"
    - - null
    - c: true
      d: {}
  "/e/{f}": []
"on": "x: #y"
`);
  });

  it("writes anything but an object", () => {
    expect(yamlOf("text")).toBe('"text"\n');
    expect(yamlOf([])).toBe("[]\n");
  });
});
