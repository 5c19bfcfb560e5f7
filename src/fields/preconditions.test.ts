import { describe, expect, it } from "vitest";
import { parseEntityTag } from "./entity-tag.ts";
import { evaluatePreconditions, isRangeCurrent, type Preconditions, type Validators } from "./preconditions.ts";

const date = "Sun, 06 Nov 1994 08:49:37 GMT";
const before = "Sun, 06 Nov 1994 08:49:36 GMT";
const after = "Sun, 06 Nov 1994 08:49:38 GMT";
const lastModified = new Date(Date.UTC(1994, 10, 6, 8, 49, 37, 500));

function validators(etag: string | null, modified: Date | null = null): Validators {
  return { etag: etag === null ? null : parseEntityTag(etag), lastModified: modified };
}

const current = validators('"a"', lastModified);
const none: Preconditions = { ifMatch: null, ifNoneMatch: null, ifModifiedSince: null, ifUnmodifiedSince: null };

function read(preconditions: Partial<Preconditions>, state: Validators | null = current): string {
  return evaluatePreconditions({ ...none, ...preconditions }, true, state);
}

function change(preconditions: Partial<Preconditions>, state: Validators | null = current): string {
  return evaluatePreconditions({ ...none, ...preconditions }, false, state);
}

describe("evaluatePreconditions()", () => {
  it("RFC 9110 §13.1.1 If-Match performs when one of the tags is the current one", () => {
    expect(change({ ifMatch: '"a"' })).toBe("perform");
    expect(change({ ifMatch: '"x", "a"' })).toBe("perform");
    expect(change({ ifMatch: '"x"' })).toBe("failed");
    expect(change({ ifMatch: "a" })).toBe("failed");
    expect(change({ ifMatch: "" })).toBe("failed");
  });

  it("RFC 9110 §13.1.1 If-Match compares strongly", () => {
    expect(change({ ifMatch: 'W/"a"' })).toBe("failed");
    expect(change({ ifMatch: '"a"' }, validators('W/"a"'))).toBe("failed");
    expect(change({ ifMatch: 'W/"a"' }, validators('W/"a"'))).toBe("failed");
  });

  it("RFC 9110 §13.1.1 If-Match: * performs when there is anything", () => {
    expect(change({ ifMatch: "*" })).toBe("perform");
    expect(change({ ifMatch: "*" }, validators(null))).toBe("perform");
    expect(change({ ifMatch: "*" }, null)).toBe("failed");
    expect(change({ ifMatch: '"a"' }, null)).toBe("failed");
  });

  it("RFC 9110 §13.1.2 If-None-Match fails when one of the tags is the current one: 304 for reading, else 412", () => {
    expect(read({ ifNoneMatch: '"a"' })).toBe("not modified");
    expect(read({ ifNoneMatch: '"x", "a"' })).toBe("not modified");
    expect(read({ ifNoneMatch: '"x"' })).toBe("perform");
    expect(change({ ifNoneMatch: '"a"' })).toBe("failed");
    expect(change({ ifNoneMatch: '"x"' })).toBe("perform");
  });

  it("RFC 9110 §13.1.2 If-None-Match compares weakly", () => {
    expect(read({ ifNoneMatch: 'W/"a"' })).toBe("not modified");
    expect(read({ ifNoneMatch: '"a"' }, validators('W/"a"'))).toBe("not modified");
  });

  it("RFC 9110 §13.1.2 If-None-Match: * performs when there is nothing", () => {
    expect(change({ ifNoneMatch: "*" }, null)).toBe("perform");
    expect(change({ ifNoneMatch: "*" }, validators(null))).toBe("failed");
    expect(read({ ifNoneMatch: "*" })).toBe("not modified");
  });

  it("RFC 9110 §13.1.3 If-Modified-Since is 304 unless it was modified later", () => {
    expect(read({ ifModifiedSince: before })).toBe("perform");
    expect(read({ ifModifiedSince: date })).toBe("not modified");
    expect(read({ ifModifiedSince: after })).toBe("not modified");
  });

  it("RFC 9110 §13.1.3 If-Modified-Since is ignored with If-None-Match, for other methods, and without a date", () => {
    expect(read({ ifModifiedSince: date, ifNoneMatch: '"x"' })).toBe("perform");
    expect(change({ ifModifiedSince: date })).toBe("perform");
    expect(read({ ifModifiedSince: date }, validators('"a"'))).toBe("perform");
    expect(read({ ifModifiedSince: date }, null)).toBe("perform");
    for (const ifModifiedSince of ["", "yesterday", "1994-11-06", `${date}, ${date}`]) {
      expect(read({ ifModifiedSince }), ifModifiedSince).toBe("perform");
    }
  });

  it("RFC 9110 §13.1.4 If-Unmodified-Since fails when it was modified later", () => {
    expect(change({ ifUnmodifiedSince: before })).toBe("failed");
    expect(change({ ifUnmodifiedSince: date })).toBe("perform");
    expect(change({ ifUnmodifiedSince: after })).toBe("perform");
    expect(read({ ifUnmodifiedSince: before })).toBe("failed");
  });

  it("RFC 9110 §13.1.4 If-Unmodified-Since is ignored with If-Match, and without a date", () => {
    expect(change({ ifUnmodifiedSince: before, ifMatch: '"a"' })).toBe("perform");
    expect(change({ ifUnmodifiedSince: before }, validators('"a"'))).toBe("perform");
    expect(change({ ifUnmodifiedSince: before }, null)).toBe("perform");
    expect(change({ ifUnmodifiedSince: "soon" })).toBe("perform");
  });

  it("RFC 9110 §13.2.2 evaluates in order: what fails comes before what is not modified", () => {
    expect(read({ ifMatch: '"x"', ifNoneMatch: '"a"' })).toBe("failed");
    expect(read({ ifMatch: '"a"', ifNoneMatch: '"a"' })).toBe("not modified");
    expect(read({ ifMatch: '"a"', ifModifiedSince: date })).toBe("not modified");
    expect(read({ ifUnmodifiedSince: before, ifNoneMatch: '"a"' })).toBe("failed");
    expect(read({ ifUnmodifiedSince: date, ifModifiedSince: date })).toBe("not modified");
    expect(read({})).toBe("perform");
  });
});

describe("isRangeCurrent()", () => {
  it("RFC 9110 §13.1.5 compares tags strongly", () => {
    expect(isRangeCurrent('"a"', current)).toBe(true);
    expect(isRangeCurrent('"x"', current)).toBe(false);
    expect(isRangeCurrent('W/"a"', validators('W/"a"'))).toBe(false);
    expect(isRangeCurrent('"a"', null)).toBe(false);
    expect(isRangeCurrent('"a"', validators(null, lastModified))).toBe(false);
  });

  it("RFC 9110 §13.1.5 compares dates exactly, of a second that is over", () => {
    expect(isRangeCurrent(date, current)).toBe(true);
    expect(isRangeCurrent(after, current)).toBe(false);
    expect(isRangeCurrent(before, current)).toBe(false);
    expect(isRangeCurrent(date, current, lastModified)).toBe(false);
    expect(isRangeCurrent(date, validators('"a"'))).toBe(false);
    expect(isRangeCurrent(date, null)).toBe(false);
    expect(isRangeCurrent("x", validators(null))).toBe(false);
  });
});
