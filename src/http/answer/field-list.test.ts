import { describe, expect, it } from "vitest";
import { FieldList, headersInitOf, pairsOf } from "./field-list.ts";

const alike = (act: (fields: FieldList | Headers) => unknown): void => {
  const outcomes = [new FieldList(["x-a", "1", "x-a", "2"]), new Headers({ "x-a": "1, 2" })].map((fields) => {
    let outcome: unknown;
    try {
      outcome = act(fields);
    } catch (error) {
      outcome = (error as Error).constructor;
    }
    return [outcome, ["X-A", "x-b", "vary", "set-cookie"].map((name) => [fields.get(name), fields.has(name)])];
  });
  expect(outcomes[0]).toEqual(outcomes[1]);
};

describe("FieldList", () => {
  it("says and does what Headers do", () => {
    alike((fields) => fields.get("x-a"));
    alike((fields) => fields.set("X-a", "3"));
    alike((fields) => fields.append("x-A", "3"));
    alike((fields) => fields.append("x-b", "3"));
    alike((fields) => fields.delete("X-A"));
    alike((fields) => [fields.append("Set-Cookie", "a=1"), fields.append("set-cookie", "b=2"), fields.getSetCookie()]);
    alike((fields) => [fields.set("Vary", "Origin"), fields.append("vary", "Accept")]);
  });

  it("RFC 9110 §5.5 leaves what is not plain to the platform, which trims values and refuses others", () => {
    alike((fields) => fields.set("x-b", "  3\t"));
    alike((fields) => fields.append("x-b", ""));
    alike((fields) => fields.set("x b", "3"));
    alike((fields) => fields.set("", "3"));
    alike((fields) => fields.set("x-b", "3\r\nx-c: 4"));
    alike((fields) => fields.append("x-b", "\u{1f600}"));
    alike((fields) => fields.set("x-b", 3 as never));
    alike((fields) => fields.set("x-b", "\u00e4"));
  });

  it("changes the list that it was given, and lists it in its order", () => {
    const lines = ["x-b", "1"];
    const fields = new FieldList(lines);
    fields.append("x-a", "2");
    expect(lines).toEqual(["x-b", "1", "x-a", "2"]);
    expect([...fields]).toEqual([
      ["x-b", "1"],
      ["x-a", "2"],
    ]);
  });
});

describe("headersInitOf()", () => {
  it("is an object where each name is there once, and makes the same Headers as pairs", () => {
    for (const [lines, isObject] of [
      [["x-a", "1", "vary", "Origin"], true],
      [[], true],
      [["set-cookie", "a=1", "set-cookie", "b=2"], false],
      [["__proto__", "1", "x-a", "1"], false],
      [["x-a", "1", "constructor", "1"], false],
    ] as const) {
      const init = headersInitOf(lines);
      expect(Array.isArray(init)).toBe(!isObject);
      expect([...new Headers(init)]).toEqual([...new Headers(pairsOf(lines))]);
    }
  });

  it("finds names whatever their case, of however many", () => {
    const list = new FieldList();
    for (let at = 0; at < 300; at++) list.append(`X-${at}`, String(at));
    expect([list.get("x-0"), list.get("X-299"), list.lines.length]).toEqual(["0", "299", 600]);
  });
});
