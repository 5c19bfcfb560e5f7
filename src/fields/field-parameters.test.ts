import { describe, expect, it } from "vitest";
import { parseParameter, parseParameters } from "./field-parameters.ts";

describe("parseParameter()", () => {
  it("RFC 9110 §5.6.6 reads tokens and quoted strings alike", () => {
    expect(parseParameter("charset=utf-8")).toEqual(["charset", "utf-8"]);
    expect(parseParameter('Charset="utf-8"')).toEqual(["charset", "utf-8"]);
    expect(parseParameter('a="b=c"')).toEqual(["a", "b=c"]);
  });

  it("RFC 9110 §11.2 reads over whitespace around the equals sign", () => {
    expect(parseParameter('realm = "x"')).toEqual(["realm", "x"]);
  });

  it("returns null for a malformed value", () => {
    for (const part of ["", "a", "=b", "a=", "a b=c", "a=b c", 'a="b', "a=é"])
      expect(parseParameter(part), part).toBeNull();
  });
});

describe("parseParameters()", () => {
  it("RFC 9110 §11.2 refuses a name that stands there twice", () => {
    expect(parseParameters(["a=1", "b=2"])).toEqual(
      new Map([
        ["a", "1"],
        ["b", "2"],
      ]),
    );
    expect(parseParameters(["a=1", "A=2"])).toBeNull();
    expect(parseParameters(["a=1", "b"])).toBeNull();
  });
});
