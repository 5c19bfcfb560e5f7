import { describe, expect, it } from "vitest";
import { isConditional, namesTag, preconditionsOf } from "./request-preconditions.ts";

const date = "Sun, 06 Nov 1994 08:49:37 GMT";
const none = preconditionsOf(new Headers());

describe("preconditionsOf()", () => {
  it("RFC 9110 §13.1 reads all that decide whether a method is performed, as they were sent", () => {
    expect(none).toEqual({ ifMatch: null, ifNoneMatch: null, ifModifiedSince: null, ifUnmodifiedSince: null });
    const headers = {
      "if-match": '"a"',
      "if-none-match": "*",
      "if-modified-since": date,
      "if-unmodified-since": "yesterday",
      "if-range": '"a"',
    };
    expect(preconditionsOf(new Headers(headers))).toEqual({
      ifMatch: '"a"',
      ifNoneMatch: "*",
      ifModifiedSince: date,
      ifUnmodifiedSince: "yesterday",
    });
  });
});

describe("isConditional()", () => {
  it("takes tags, whatever they are, and no date that only reading goes by", () => {
    expect(isConditional({ ...none, ifMatch: "*" }, null)).toBe(true);
    expect(isConditional({ ...none, ifNoneMatch: "" }, null)).toBe(true);
    expect(isConditional({ ...none, ifModifiedSince: date }, undefined)).toBe(false);
    expect(isConditional(none, undefined)).toBe(false);
  });

  it("RFC 9110 §13.1.4 takes a date that can be compared, or about which nobody can say", () => {
    const dated = { ...none, ifUnmodifiedSince: date };
    const current = { etag: null, lastModified: new Date(date) };
    expect([isConditional(dated, current), isConditional(dated, undefined)]).toEqual([true, true]);
    expect([isConditional(dated, { ...current, lastModified: null }), isConditional(dated, null)]).toEqual([
      false,
      false,
    ]);
    expect(isConditional({ ...none, ifUnmodifiedSince: "yesterday" }, current)).toBe(false);
  });
});

describe("namesTag()", () => {
  it("RFC 9110 §13.1.1 distinguishes tags from *", () => {
    expect(['"a"', 'W/"a", "b"', ""].map(namesTag)).toEqual([true, true, true]);
    expect(["*", "\t* ", null].map(namesTag)).toEqual([false, false, false]);
  });
});
