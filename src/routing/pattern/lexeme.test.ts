import { describe, expect, it } from "vitest";
import { misplaced, readName, readText } from "./lexeme.ts";

describe("readName()", () => {
  it("reads an identifier of JavaScript from a place on, whatever its script", () => {
    for (const name of ["a", "$", "_a1", "é", "idé", "größe2", "名前", "𝒳", "a\u200c"]) {
      expect(readName(`:${name}`, 1), name).toBe(name);
      expect(readName(`:${name}.:b`, 1), name).toBe(name);
    }
    for (const text of ["", "1a", "-a", "?", "\u200c"]) expect(readName(`:${text}`, 1), text).toBeUndefined();
  });
});

describe("readText()", () => {
  it("reads up to what means something, or is misplaced where it means nothing", () => {
    for (const character of ["/", "\\", ":", "(", ...misplaced.keys()]) {
      expect(readText(`xa.b-é${character}c`, 1), character).toBe("a.b-é");
      expect(readText(character, 0), character).toBeUndefined();
    }
  });
});
