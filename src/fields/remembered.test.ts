import { describe, expect, it } from "vitest";
import { remembered } from "./remembered.ts";

function counted(): { readonly read: (text: string) => { readonly text: string }; readonly parsed: string[] } {
  const parsed: string[] = [];
  const read = remembered((text) => {
    parsed.push(text);
    return { text };
  });
  return { read, parsed };
}

describe("remembered()", () => {
  it("parses the same text once, and returns the same value", () => {
    const { read, parsed } = counted();
    expect(read("a/b")).toEqual({ text: "a/b" });
    expect(read(["a", "b"].join("/"))).toBe(read("a/b"));
    expect(parsed).toEqual(["a/b"]);
  });

  it("remembers that a text is malformed", () => {
    let parsed = 0;
    const read = remembered(() => {
      parsed++;
      return null;
    });
    expect([read("?"), read("?"), parsed]).toEqual([null, null, 1]);
  });

  it("keeps 16 texts, and lets the oldest go first", () => {
    const { read, parsed } = counted();
    for (let at = 0; at < 16; at++) read(`a/${at}`);
    for (let at = 0; at < 16; at++) read(`a/${at}`);
    expect(parsed).toHaveLength(16);
    read("a/16");
    for (let at = 1; at < 16; at++) read(`a/${at}`);
    expect(parsed).toHaveLength(17);
    read("a/0");
    expect(parsed.at(-1)).toBe("a/0");
  });

  it("keeps no text of more than 256 characters", () => {
    const { read, parsed } = counted();
    const [longest, longer] = ["a".repeat(256), "a".repeat(257)];
    for (const text of [longest, longest, longer, longer]) read(text);
    expect(parsed.map(({ length }) => length)).toEqual([256, 257, 257]);
  });

  it("keeps nothing if the parser throws", () => {
    let parsed = 0;
    const read = remembered(() => {
      parsed++;
      throw new TypeError("no");
    });
    expect(() => read("a")).toThrow("no");
    expect(() => read("a")).toThrow("no");
    expect(parsed).toBe(2);
  });
});
