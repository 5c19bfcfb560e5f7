import { describe, expect, it } from "vitest";
import { isDotFile, isFileName } from "./file-name.ts";

const decoded = (raw: string): boolean => isFileName(decodeURIComponent(raw));

describe("isFileName()", () => {
  it("F1 takes names of files", () => {
    for (const name of (
      "a index.html a.b.c .env ...a a..b -rf ~ $x a%2Fb %2e%2e é 日本.txt ~1 a;b a&b a=b {} a+b con1 " +
      "common " +
      "null"
    ).split(" "))
      expect(isFileName(name), name).toBe(true);
    for (const name of [
      "a b",
      " a",
      "contact.html",
      "auxiliary",
      "nulls",
      "com10",
      "lpt",
      "com",
      "console.log",
      "prn-1",
    ])
      expect(isFileName(name), name).toBe(true);
  });

  it("F1 refuses an empty segment and dot segments", () => {
    for (const raw of ["", ".", "..", "%2e", "%2E%2e", ".%2e", "%2e."]) expect(decoded(raw), raw).toBe(false);
  });

  it("F1 refuses separators, NUL and what ends a line", () => {
    for (const raw of "%2F a%2Fb a%2fb %2Fetc ..%2F %5C a%5Cb ..%5c %00 a%00.png %0a a%0D%0Ab %7F %09 %C2%85".split(
      " ",
    ))
      expect(decoded(raw), raw).toBe(false);
  });

  it("F1 decodes nothing: what is escaped twice is a name", () => {
    for (const raw of ["%252e%252e", "%252F", "%255C", "%2500"]) expect(decoded(raw), raw).toBe(true);
  });

  it("F1 refuses what Windows takes for another name", () => {
    for (const name of ["a.", "a..", "a ", "a. .", "a.txt.", "...", ". ", ".. ", ". .", ".env.", ".env "])
      expect(isFileName(name), JSON.stringify(name)).toBe(false);
  });

  it("F1 refuses drives and streams of Windows", () => {
    for (const name of ["c:", "C:a", "a.txt:b", "a.txt::$DATA", ":", "a:$i30:$INDEX_ALLOCATION"])
      expect(isFileName(name), name).toBe(false);
  });

  it("F1 refuses devices of Windows, with any end and in any case", () => {
    const devices =
      "con prn aux nul com0 com1 com9 lpt1 lpt9 com\u00b9 lpt\u00b2 com\u00b3 CONIN$ conout$ clock$ NUL Con CoM1";
    for (const device of devices.split(" ")) {
      for (const name of [device, `${device}.txt`, `${device}.tar.gz`, `${device} .txt`, `${device}  .b`, `${device}.`])
        expect(isFileName(name), name).toBe(false);
    }
  });
});

describe("isDotFile()", () => {
  it("F4 is true of names that begin with a dot", () => {
    for (const name of [".env", ".git", ".well-known", "..."]) expect(isDotFile(name), name).toBe(true);
    for (const name of ["env", "a.env", ""]) expect(isDotFile(name), name).toBe(false);
  });
});
