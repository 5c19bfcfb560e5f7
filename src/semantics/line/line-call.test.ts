import { describe, expect, it } from "vitest";
import { reply } from "../declaration/reply.ts";
import { LineCall, type LineRequest } from "./line-call.ts";

const call = new LineCall(new Request("http://localhost/items/7") as LineRequest, []);

describe("LineCall", () => {
  it.each([
    ["params", "call.path"],
    ["url", "call.request"],
    ["method", "call.request"],
    ["req", "call.request"],
    ["json", "call.content"],
    ["text", "call.content"],
    ["formData", "call.content"],
    ["arrayBuffer", "call.content"],
    ["body", "call.content"],
    ["res", "reply()"],
    ["html", "reply()"],
    ["redirect", "reply()"],
    ["get", "an Attribute"],
    ["set", "an Attribute"],
    ["user", "an Attribute"],
  ])("has no %s, as its type: whoever asks is told of the other chain", (member, instead) => {
    expect(() => call[member as keyof LineCall]).toThrow(
      new TypeError(
        `Cannot read ${member} of the call: it extends the Resource of fingerpost; ` +
          `write ${instead}, or extend the Resource of fingerpost/native`,
      ),
    );
  });

  it("has the one reply() of all calls, which costs a call nothing", () => {
    expect(call.reply).toBe(reply);
    expect(Object.keys(call)).not.toContain("reply");
  });

  it("shows none of them to what lists its members", () => {
    expect(Object.keys(call)).not.toContain("params");
    expect({ ...call }).not.toHaveProperty("url");
  });
});
