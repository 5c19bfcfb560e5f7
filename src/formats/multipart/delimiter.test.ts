import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Delimiter } from "./delimiter.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("Delimiter.indexIn()", () => {
  it("finds what indexOf() of a string finds, in content of few letters", () => {
    const letters = fc.constantFrom("\r", "\n", "-", "a", "b");
    const text = fc.string({ unit: letters, maxLength: 60 });
    const boundary = fc.string({ unit: fc.constantFrom("-", "a", "b"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, boundary, fc.nat(10), fc.boolean(), (around, name, from, isIn) => {
        const content = isIn ? `${around.slice(0, 20)}\r\n--${name}${around.slice(20)}` : around;
        expect(new Delimiter(name).indexIn(bytesOf(content), from)).toBe(content.indexOf(`\r\n--${name}`, from));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["a boundary of one letter, in content of that letter", "a".repeat(70), "a"],
    ["content of beginnings that end before the last byte", "a".repeat(70), `\r\n--${"a".repeat(69)}b`],
    ["content of carriage returns", "a".repeat(70), "\r"],
    ["content of carriage returns before the last byte", "a", "\ra"],
    ["content of ends", `b${"a".repeat(69)}`, `c${"a".repeat(69)}`],
    ["content of hyphens", "-".repeat(70), "\r\n---"],
    ["content of what is nowhere in it", "a".repeat(70), "z"],
  ])("reads no byte more than three times: %s", (_, boundary, unit) => {
    let reads = 0;
    const counted = new Proxy(bytesOf(unit.repeat(Math.ceil(20_000 / unit.length))), {
      get(target, name) {
        reads += typeof name === "string" && /^\d+$/.test(name) ? 1 : 0;
        return Reflect.get(target, name, target) as unknown;
      },
    });
    expect(new Delimiter(boundary).indexIn(counted, 0)).toBe(-1);
    expect(reads).toBeLessThan(3 * counted.length);
  });
});

describe("Delimiter.begunAtEndOf()", () => {
  it.each([
    ["x", 0],
    ["x\r", 1],
    ["x\r\n-", 3],
    ["x\r\n--B", 5],
    ["x\r\n-\r\n-", 3],
    ["x\r\n-x", 0],
    ["\r", 1],
    ["", 0],
  ])("returns of %j that %i bytes may be the beginning", (content, length) => {
    expect(new Delimiter("BC").begunAtEndOf(bytesOf(content), 0)).toBe(length);
  });

  it("does not look before the place where content begins", () => {
    expect(new Delimiter("BC").begunAtEndOf(bytesOf("\r\n-"), 1)).toBe(0);
  });
});
