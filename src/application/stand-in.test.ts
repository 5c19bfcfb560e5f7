import { describe, expect, it } from "vitest";
import { nearest, standIn } from "./stand-in.ts";

describe("nearest()", () => {
  it("is what is held for the input that is stood in for, or else for the one behind it", () => {
    const [first, second, third] = [{}, {}, {}];
    standIn(second, first);
    standIn(third, second);
    const held = new WeakMap<object, string>([[first, "first"]]);
    expect([third, second, first].map((input) => nearest(input, held))).toEqual(["first", "first", undefined]);
    held.set(second, "second");
    held.set(third, "third");
    expect(nearest(third, held)).toBe("second");
  });
});
