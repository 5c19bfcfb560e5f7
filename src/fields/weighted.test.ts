import { describe, expect, it } from "vitest";
import { parseWeighted } from "./weighted.ts";

describe("parseWeighted()", () => {
  it("RFC 9110 §12.4.2 reads weights of up to three digits; without one it is 1", () => {
    const qualities = (field: string) => parseWeighted(field).map(({ quality }) => quality);
    expect(qualities("a, b;q=0.5, c ; Q=0.125, d;q=0, e;q=1.000, f;q=0., g;q=1., h;q=1")).toEqual([
      1, 0.5, 0.125, 0, 1, 0, 1, 1,
    ]);
  });

  it("RFC 9110 §12.4.2 leaves out members with another weight", () => {
    expect(
      parseWeighted("a;q=1.5, a;q=10.5, b;q=-1, b;q=-0.5, b;q=00.5, c;q=0.1234, d;q=x, e;q, f;q=, ;q=1, ;, g"),
    ).toEqual([{ value: "g", parameters: [], quality: 1 }]);
  });

  it("RFC 9110 §12.5.1 reads the weight wherever it stands among the parameters", () => {
    expect(parseWeighted('a;q=0.5;b="c;d"')).toEqual([{ value: "a", parameters: [["b", "c;d"]], quality: 0.5 }]);
  });

  it("costs time in proportion to length", () => {
    expect(parseWeighted("a;q=0.1,".repeat(100_000))).toHaveLength(100_000);
    expect(parseWeighted(`a${";".repeat(1_000_000)}`)).toHaveLength(1);
  });
});
