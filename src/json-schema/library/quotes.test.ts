import { describe, expect, it } from "vitest";
import { Quotes } from "./quotes.ts";

const none = (): ReadonlySet<string> => new Set();

describe("Quotes.has()", () => {
  it.each<[unknown, string, boolean]>([
    ["hunter2", "Not hunter2", true],
    ["hunter2", "Nothunter2!", true],
    ["hunter2", "Not hunter", false],
    ['a"b\n', 'Not "a\\"b\\n"', true],
    ["ab", 'Not "ab"', true],
    ["ab", "Not 'ab'", true],
    ["ab", "Bad <ab>", true],
    ["ab", "Bad (ab)", true],
    ["ab", "Bad “AB”", true],
    ["q7", "Bad q7.", true],
    ["q7", "Bad eq7", false],
    ["hunter2", "Not HUNTER2", true],
    ["HUNTER2", "Not hunter2", true],
    ["  hunter2\n", "Not hunter2", true],
    [" ", "Not < >", false],
    ["ab", "Grab one", false],
    ["ab", "Not ab", false],
    ["", 'Not ""', false],
    [7, "Not 7", true],
    [7, "7 is not one", true],
    [7, "At most 70, or 17", false],
    [7, "Not 17, but 7.", true],
    ["hunter2 and more", 'Not "hunter"... here', true],
    ["hunter2 and more", "Not 'HUNT…'", true],
    ["hunter2 and more", 'Not "hun"...', false],
    ["hunter2 and more", "Not hunter, or hunt", false],
    ['{"a": 1, "pass": hunter2, "x": 1}', 'Unexpected, ...", "pass": hunte"... is not JSON', true],
    ["the title", 'Not "title"', true],
    ["this or that", 'Not "a" or "b"', false],
    [["the title"], 'Not "title"', false],
    [["the title"], 'Not "the t"', true],
    [true, "Not true", false],
    [undefined, "Not undefined", false],
  ])("finds of %j in %j: %j", (sent, text, expected) => {
    expect(new Quotes(sent).has(text, [], none)).toBe(expected);
  });

  it.each([
    ["Not hunter2", ["list"], true],
    ["Not hunter2", ["list", 0, "count"], true],
    ["Not 41", ["list", 0, "word"], false],
    ["Not swordfish", ["list", 0, "word"], true],
    ["Not xyzzy", ["list", 0, "word"], false],
    ['Not "sword"...', ["list", 0, "word"], true],
    ['Not "hunt"...', ["list", 0, "count"], true],
    ['Not "fish"...', ["list", 0, "word"], false],
    ["Not xyzzy", ["gone", "toString"], false],
  ])("finds %j at %j, in strings beside it and at the top: %j", (text, place, expected) => {
    const quotes = new Quotes({ top: "swordfish", list: [{ word: "hunter2", count: 41 }, { word: "xyzzy" }] });
    expect(quotes.has(text, place, none)).toBe(expected);
  });

  it("finds bigints as it finds numbers", () => {
    expect(new Quotes(7n).has("Not 7", [], none)).toBe(true);
  });

  it("does not count words of the schema", () => {
    expect(new Quotes("numbers").has('Expected "number"', [], () => new Set(["number"]))).toBe(false);
    expect(new Quotes("number").has("Expected number", [], () => new Set(["number"]))).toBe(false);
  });

  it("looks at a large value once, and at a part of it", () => {
    let looks = 0;
    const wide = new Proxy(
      Array.from({ length: 100_000 }, () => ({})),
      {
        get: (target, name, receiver) => (looks++, Reflect.get(target, name, receiver) as unknown),
      },
    );
    const quotes = new Quotes(wide);
    for (let at = 0; at < 100; at++) quotes.has("No", [at], none);
    expect(looks).toBeLessThan(3_000);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, `value ${at}`]));
    expect(new Quotes(many).has("Not value 7", [], none)).toBe(true);
    expect(new Quotes(many).has("Not value 999", [], none)).toBe(true);
    expect(new Quotes({ many }).has("Not value 777", [], none)).toBe(true);
  });
});
