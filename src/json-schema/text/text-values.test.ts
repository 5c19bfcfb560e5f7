import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { addUrlEncoded, addValue, emptyValues } from "./text-values.ts";

describe("addValue()", () => {
  it("keeps one text as it is, and several as a list", () => {
    const values = emptyValues();
    for (const [name, text] of [
      ["a", "1"],
      ["b", "2"],
      ["a", "3"],
      ["a", ""],
    ] as const)
      addValue(values, name, text);
    expect({ ...values }).toEqual({ a: ["1", "3", ""], b: "2" });
  });

  it("takes names that all objects have, and leaves out __proto__", () => {
    const values = emptyValues();
    expect("toString" in values || "constructor" in values).toBe(false);
    for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__"]) addValue(values, name, "x");
    expect(Object.keys(values)).toEqual(["constructor", "toString", "hasOwnProperty"]);
  });
});

describe("addUrlEncoded()", () => {
  const read = (text: string): object => {
    const values = emptyValues();
    addUrlEncoded(values, text);
    return { ...values };
  };

  it.each<[string, object]>([
    ["", {}],
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a", { a: "" }],
    ["a=", { a: "" }],
    ["=1", { "": "1" }],
    ["&&a=1&", { a: "1" }],
    ["a=b=c", { a: "b=c" }],
    ["a&b=1", { a: "", b: "1" }],
    ["a+b=c+d", { "a b": "c d" }],
    ["a=1,2", { a: "1,2" }],
    ["a%3D=%26", { "a=": "&" }],
    ["a=%E2%82%AC", { a: "€" }],
    ["a=%", { a: "%" }],
    ["a=%zz+%41", { a: "%zz A" }],
    ["a=%FF", { a: "\ufffd" }],
    ["a=1&a=2", { a: ["1", "2"] }],
    ["%5F_proto__=1", {}],
    ["a[b]=1", { "a[b]": "1" }],
  ])("reads %s", (text, values) => {
    expect(read(text)).toEqual(values);
  });

  it("reads every text as URLSearchParams does", () => {
    const unit = fc.constantFrom("a", "b", "&", "=", "+", "%", "4", "1", "F", "é", "%C3%A9", "\ufeff");
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const expected: Record<string, unknown> = {};
        for (const name of new Set(new URLSearchParams(`&${text}`).keys())) {
          const all = new URLSearchParams(`&${text}`).getAll(name);
          expected[name] = all.length === 1 ? all[0] : all;
        }
        expect(read(text)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gives up decoding by itself at the first broken escape: an error for each would be dear", () => {
    const decode = vi.spyOn(globalThis, "decodeURIComponent");
    const values = emptyValues();
    addUrlEncoded(values, `?a=%3F&${"%zz=%&".repeat(1000)}?b=%ff&b=+`);
    expect(decode.mock.calls.length).toBeLessThan(5);
    decode.mockRestore();
    expect({ ...values }).toEqual({
      "?a": "?",
      "%zz": Array.from({ length: 1000 }, () => "%"),
      "?b": "\ufffd",
      b: " ",
    });
    const later = emptyValues();
    addUrlEncoded(later, "a=1&?=%");
    expect({ ...later }).toEqual({ a: "1", "?": "%" });
  });

  it.each([
    ["a=%E9", false],
    ["b=1&a=%C3", false],
    ["%ed%a0%80=1", false],
    ["a=%&b=%zz&c=%4", true],
    ["a=%&b=%C3%A9+", true],
    ["a=caf\u00e9", true],
  ])("says whether %s is UTF-8", (text, isUtf8) => {
    expect(addUrlEncoded(emptyValues(), text)).toBe(isUtf8);
  });
});
