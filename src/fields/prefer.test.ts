import { describe, expect, it } from "vitest";
import { preferenceOf } from "./prefer.ts";

describe("preferenceOf()", () => {
  it.each([
    "return=minimal",
    "Return=Minimal",
    'return="minimal"',
    'return="min\\imal"',
    "return = minimal",
    "return\t=\tminimal; foo; bar=1",
    "respond-async, wait=5, return=minimal",
    "wait, return=minimal, return=representation",
    ",, return=minimal ,",
  ])("RFC 7240 §2 reads %s", (field) => {
    expect(preferenceOf(field, "return")).toBe("minimal");
  });

  it.each([
    "",
    "return",
    "return=",
    'return=""',
    "return=min imal",
    'return="minimal',
    "return=, return=minimal",
    "return, return=minimal",
    'foo="x, return=minimal, y"',
    "foo; return=minimal",
    "; return=minimal",
    "foo=return=minimal",
    "returns=minimal",
    "=minimal",
  ])("RFC 7240 §2 finds no value of it in %s", (field) => {
    expect(preferenceOf(field, "return")).toBeNull();
  });

  it("RFC 7240 §2 counts the first of two", () => {
    expect(preferenceOf("return=representation, return=minimal", "return")).toBe("representation");
    expect(preferenceOf("wait=10, return=minimal", "wait")).toBe("10");
  });
});
