import { describe, expect, it } from "vitest";
import { essenceOf, parseMediaType } from "./media-type.ts";

describe("parseMediaType()", () => {
  it("RFC 9110 §8.3.1 reads its equivalent examples alike", () => {
    for (const value of [
      "text/html;charset=utf-8",
      'Text/HTML;Charset="utf-8"',
      'text/html; charset="utf-8"',
      "text/html;charset=UTF-8",
    ]) {
      expect(parseMediaType(value)).toEqual({
        type: "text",
        subtype: "html",
        parameters: new Map([["charset", "utf-8"]]),
      });
    }
  });

  it("RFC 9110 §8.3.1 keeps the case of other parameters", () => {
    expect(parseMediaType("multipart/form-data;boundary=AbC")!.parameters).toEqual(new Map([["boundary", "AbC"]]));
  });

  it("returns null for a malformed value", () => {
    for (const value of [
      "",
      "text",
      "/html",
      ";text/html",
      " ;text/html",
      "text/",
      "text/ html",
      "te xt/html",
      "text/html;charset",
      "a/b/c",
      "*/html",
    ]) {
      expect(parseMediaType(value), value).toBeNull();
    }
  });
});

describe("essenceOf()", () => {
  it("returns type and subtype in lower case, and null for a malformed value, after them too", () => {
    expect(essenceOf("Text/HTML; charset=utf-8")).toBe("text/html");
    for (const value of ["", "text", "text/html;charset"]) expect(essenceOf(value), value).toBeNull();
  });
});
