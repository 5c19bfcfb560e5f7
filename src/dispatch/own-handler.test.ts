import { describe, expect, it } from "vitest";
import { isOwnHandler, markOwn } from "./own-handler.ts";

describe("isOwnHandler()", () => {
  it("is true of a handler that was marked, also by another copy of the package", () => {
    const handler = (): void => {};
    expect(isOwnHandler(handler)).toBe(false);
    markOwn(handler);
    expect(isOwnHandler(handler)).toBe(true);
    expect(isOwnHandler({ [Symbol.for("fingerpost.ownHandler")]: true })).toBe(true);
  });

  it("is false of any other value", () => {
    for (const value of [undefined, null, 7, "text", {}, () => {}]) expect(isOwnHandler(value)).toBe(false);
  });
});
