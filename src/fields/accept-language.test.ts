import { describe, expect, it } from "vitest";
import { isLanguageTag, parseAcceptLanguage, preferredLanguage } from "./accept-language.ts";

describe("preferredLanguage()", () => {
  it("RFC 9110 §12.5.4 reads its example: Danish, or else British and other English", () => {
    const field = "da, en-gb;q=0.8, en;q=0.7";
    expect(preferredLanguage(field, ["en", "en-GB", "da"])).toBe("da");
    expect(preferredLanguage(field, ["en", "en-GB"])).toBe("en-GB");
    expect(preferredLanguage(field, ["fr", "en-US"])).toBe("en-US");
    expect(preferredLanguage(field, [])).toBeNull();
  });

  it("RFC 4647 §3.3.1 filters by prefixes of whole subtags", () => {
    expect(preferredLanguage("de-de", ["de-Deva", "de-DE-1996"])).toBe("de-DE-1996");
    expect(preferredLanguage("de", ["den", "de-CH"])).toBe("de-CH");
  });

  it("RFC 4647 §3.3.1 covers the rest by *", () => {
    expect(preferredLanguage("fr;q=0.5, *", ["fr", "sv"])).toBe("sv");
    expect(preferredLanguage("*;q=0, fr", ["sv", "fr"])).toBe("fr");
    expect(preferredLanguage("*, en;q=0", ["en-US", "sv"])).toBe("sv");
  });

  it("RFC 4647 §3.4 shortens ranges where filtering finds nothing", () => {
    expect(preferredLanguage("de-CH", ["en", "de"])).toBe("de");
    expect(preferredLanguage("zh-Hant-CN-x-private1", ["zh", "zh-Hant"])).toBe("zh-Hant");
    expect(preferredLanguage("fr-CA;q=0.5, de-CH", ["fr", "de"])).toBe("de");
    expect(preferredLanguage("de-CH, de;q=0", ["en", "de"])).toBe("en");
  });

  it("RFC 4647 §3.4 shortens no range that is refused", () => {
    expect(preferredLanguage("de-CH;q=0", ["en", "de"])).toBe("en");
    expect(preferredLanguage("de-CH;q=0, fr-CA;q=0.1", ["de", "fr"])).toBe("fr");
  });

  it("counts a range by its name before *, however short it is", () => {
    expect(preferredLanguage("*, i;q=0", ["i-klingon", "en"])).toBe("en");
  });

  it("counts the first of several with one range", () => {
    expect(preferredLanguage("de;q=0.1, en;q=0.5, de", ["de", "en"])).toBe("en");
  });

  it("RFC 9110 §12.5.4 returns the first one if none is acceptable, or one that is not refused", () => {
    expect(preferredLanguage("sv", ["fr", "en"])).toBe("fr");
    expect(preferredLanguage("en;q=0", ["en", "de", "fr"])).toBe("de");
    expect(preferredLanguage("en;q=0", ["en-GB", "de"])).toBe("de");
    expect(preferredLanguage("de-CH, de;q=0", ["de", "en"])).toBe("en");
    expect(preferredLanguage("*;q=0", ["fr", "en"])).toBe("fr");
    expect(preferredLanguage("de-CH, de;q=0", ["de"])).toBe("de");
  });

  it("takes the first without the field, and where none of it can be read", () => {
    for (const field of [null, "", "toolongsubtag", "a b"]) expect(preferredLanguage(field, ["en", "de"])).toBe("en");
  });
});

describe("parseAcceptLanguage()", () => {
  it("RFC 4647 §2.1 leaves out anything but language ranges", () => {
    expect(parseAcceptLanguage("en, e_n, -en, en-, *, *-en, en;x=1")).toEqual([
      { range: "en", quality: 1 },
      { range: "*", quality: 1 },
    ]);
  });
});

describe("isLanguageTag()", () => {
  it("RFC 4647 §2.1 takes subtags of at most eight letters and digits, and texts only", () => {
    for (const text of ["en", "zh-Hant-CN", "i-klingon", "12345678"]) expect(isLanguageTag(text), text).toBe(true);
    for (const text of ["", "*", "en-", "en_GB", "123456789", 5, null, ["en"]]) {
      expect(isLanguageTag(text), String(text)).toBe(false);
    }
  });
});
