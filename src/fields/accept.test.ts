import { describe, expect, it } from "vitest";
import { OfferedTypes, parseAccept, preferredMediaType, qualityOf } from "./accept.ts";
import { parseMediaType } from "./media-type.ts";

describe("qualityOf()", () => {
  it("RFC 9110 §12.5.1 returns the qualities of its example", () => {
    const ranges = parseAccept(
      "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5",
    );
    const quality = (text: string) => qualityOf(parseMediaType(text)!, ranges);
    expect(quality("text/plain;format=flowed")).toBe(1);
    expect(quality("text/plain")).toBe(0.7);
    expect(quality("text/html")).toBe(0.3);
    expect(quality("image/jpeg")).toBe(0.5);
    expect(quality("text/plain;format=fixed")).toBe(0.4);
  });

  it("RFC 9110 §12.5.1 lets the most specific range decide", () => {
    const ranges = parseAccept("*/*;q=0, text/*, text/plain, text/plain;format=flowed");
    expect(qualityOf(parseMediaType("image/png")!, ranges)).toBe(0);
    expect(qualityOf(parseMediaType("text/csv")!, ranges)).toBe(1);
  });
});

describe("preferredMediaType()", () => {
  it("RFC 6906 §3.1 ignores parameters that no type has, such as a profile, where nothing else is acceptable", () => {
    const json = ["text/html", "application/json"] as const;
    for (const range of ["profile=x", 'profile="https://e.example/a";q=0.1', "charset=utf-8", "odata.metadata=none"]) {
      expect(preferredMediaType(`application/json;${range}`, json), range).toBe("application/json");
    }
    expect(preferredMediaType("application/json;profile=x, text/html;q=0.1", json)).toBe("text/html");
    expect(preferredMediaType("application/json;profile=x;q=0", json)).toBeNull();
    expect(preferredMediaType("application/json;q=0, application/json;profile=x", json)).toBeNull();
    expect(preferredMediaType("image/png;profile=x", json)).toBeNull();
    expect(preferredMediaType("application/*;profile=x", json)).toBe("application/json");
    expect(preferredMediaType("*/*;charset=utf-8", json)).toBe("text/html");
    expect(preferredMediaType("image/*;charset=utf-8", json)).toBeNull();
    const versions = ["application/json;version=2", "application/json;version=3"] as const;
    expect(preferredMediaType("application/json;version=1", versions)).toBeNull();
    expect(preferredMediaType("application/json;profile=x, application/json;version=3;q=0.1", versions)).toBe(
      versions[1],
    );
    expect(preferredMediaType("application/json;a=1", ["not a type", "application/json"])).toBe("application/json");
  });

  it("RFC 9110 §12.5.1 reads its first example: audio/basic, or else any audio", () => {
    const accept = "audio/*; q=0.2, audio/basic";
    expect(preferredMediaType(accept, ["audio/ogg", "audio/basic"])).toBe("audio/basic");
    expect(preferredMediaType(accept, ["text/plain", "audio/ogg"])).toBe("audio/ogg");
    expect(preferredMediaType(accept, ["text/plain"])).toBeNull();
  });

  it("RFC 9110 §12.5.1 reads its more elaborate example", () => {
    const accept = "text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c";
    const order = ["text/plain", "text/x-dvi", "text/x-c", "text/html"];
    expect(preferredMediaType(accept, order)).toBe("text/x-c");
    expect(preferredMediaType(accept, ["text/plain", "text/x-dvi"])).toBe("text/x-dvi");
    expect(preferredMediaType(accept, ["text/plain"])).toBe("text/plain");
  });

  it("takes the first of equal ones", () => {
    expect(preferredMediaType("*/*", ["application/json", "text/html"])).toBe("application/json");
    expect(preferredMediaType("text/html, application/json", ["application/json", "text/html"])).toBe(
      "application/json",
    );
  });

  it("RFC 9110 §12.5.1 accepts anything without the field, and where none of it can be read", () => {
    for (const accept of [null, "", "text", "*/html", "text/html;q=2"]) {
      expect(preferredMediaType(accept, ["text/html", "text/plain"]), String(accept)).toBe("text/html");
    }
  });

  it("RFC 9110 §12.4.2 never chooses what has quality 0", () => {
    expect(preferredMediaType("text/html;q=0, */*", ["text/html", "text/plain"])).toBe("text/plain");
    expect(preferredMediaType("text/html;q=0", ["text/html"])).toBeNull();
  });

  it("RFC 9110 §8.3.1 compares types without regard to case", () => {
    expect(preferredMediaType("TEXT/HTML", ["text/html"])).toBe("text/html");
    expect(preferredMediaType('text/html;charset="UTF-8"', ["text/html;charset=utf-8"])).toBe(
      "text/html;charset=utf-8",
    );
  });

  it("RFC 9110 §8.3.1 only chooses media types, whatever the client takes", () => {
    expect(preferredMediaType("*/*", ["html", "text/plain"])).toBe("text/plain");
    expect(preferredMediaType("html, */*", ["html"])).toBeNull();
  });

  it("is null where nothing is offered", () => {
    expect(preferredMediaType(null, [])).toBeNull();
  });
});

describe("OfferedTypes.preferredAt()", () => {
  const offered = new OfferedTypes(["application/json;charset=utf-8", "text/html;level=1", "text/html"]);

  it("finds the first one without parsing by no field, anything and its own type", () => {
    for (const accept of [null, "*/*", "application/json"]) expect(offered.preferredAt(accept)).toBe(0);
  });

  it("finds where the preferred one stands", () => {
    expect(offered.preferredAt("application/json;q=0.1, text/html;q=0.5")).toBe(1);
    expect(offered.preferredAt("text/html;level=1;q=0, text/html")).toBe(2);
    expect(offered.preferredAt("application/json;charset=latin1, image/png")).toBe(-1);
    expect(offered.preferredAt("application/json;q=0, */*;q=0.1")).toBe(1);
  });

  it("says that nothing is acceptable where nothing is offered, and skips what is no media type", () => {
    for (const accept of [null, "*/*", "text/html", "?"]) expect(new OfferedTypes([]).preferredAt(accept)).toBe(-1);
    const malformed = new OfferedTypes(["?", "text/html"]);
    expect([null, "*/*", "text/html", "?"].map((accept) => malformed.preferredAt(accept))).toEqual([0, 1, 1, 0]);
  });
});
