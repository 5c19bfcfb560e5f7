import { describe, expect, it } from "vitest";
import { statusOf } from "./outcome.ts";

describe("statusOf()", () => {
  it("is null for what has no status, nothing at all among it", () => {
    for (const result of [undefined, null, "text", { status: "200" }]) expect(statusOf(result, {})).toBeNull();
  });
});
