import { describe, expect, it } from "vitest";
import { LineCall, type LineRequest } from "./line-call.ts";

describe("LineCall", () => {
  it("has no params, as its type: path and query are what their schemas return", () => {
    expect("params" in new LineCall(new Request("http://localhost/items/7") as LineRequest, [])).toBe(false);
  });
});
