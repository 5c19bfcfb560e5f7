import { describe, expect, it } from "vitest";
import { isCompressibleType } from "../../fields/compressible-type.ts";
import { isCompressible } from "./compressibility.ts";

const html = { "content-type": "text/html" };

const isOne = (init: ResponseInit, mediaTypes = isCompressibleType) =>
  isCompressible(new Response(null, init), mediaTypes);

describe("isCompressible()", () => {
  it("asks by type and subtype, and takes nothing but true for yes", () => {
    const asked: string[] = [];
    const headers = { "content-type": "Application/X-Mine; a=b" };
    const answer = (value: unknown) => (mediaType: string) => (asked.push(mediaType), value as boolean);
    expect([isOne({ headers }, answer(true)), isOne({ headers }, answer(1))]).toEqual([true, false]);
    expect(asked).toEqual(["application/x-mine", "application/x-mine"]);
    for (const type of ["text", "", "text/html;charset"]) {
      expect(
        isOne({ headers: { "content-type": type } }, () => true),
        type,
      ).toBe(false);
    }
  });

  it("RFC 9110 §15.4.5 needs a media type, but with 304, which need not repeat it", () => {
    expect([isOne({}), isOne({ status: 304 })]).toEqual([false, true]);
    expect(isOne({ status: 304, headers: { "content-type": "image/png" } })).toBe(false);
  });

  it("RFC 9110 §8.4, RFC 9111 §5.2.2.6, RFC 9530 §3 bar what is coded, not to change, or has a digest", () => {
    for (const field of ["content-encoding", "content-digest", "repr-digest", "digest", "content-md5"]) {
      expect(isOne({ headers: { ...html, [field]: "x" } }), field).toBe(false);
    }
    expect(isOne({ headers: { ...html, "cache-control": "public, No-Transform" } })).toBe(false);
    expect(isOne({ headers: { ...html, "cache-control": "public" } })).toBe(true);
  });
});
