import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { descend, prefixTreeOf, standsAt as standsAtHere, TailTable, type Prefix } from "./literal-table.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe.each(["V8", "Bun"])("standsAt() on %s", (engine) => {
  const text = "/users/me/a-segment-that-is-longer-than-most/end";

  let standsAt: typeof standsAtHere;

  beforeEach(async () => {
    if (engine === "Bun") vi.stubGlobal("Bun", {});
    vi.resetModules();
    ({ standsAt } = await import("./literal-table.ts"));
  });

  it("tells whether a literal stands at a place", () => {
    expect(standsAt(text, "/users", 0)).toBe(true);
    expect(standsAt(text, "users", 1)).toBe(true);
    expect(standsAt(text, "users", 0)).toBe(false);
    expect(standsAt(text, "end", text.length - 3)).toBe(true);
    expect(standsAt(text, "", 5)).toBe(true);
  });

  it("does so for long ones", () => {
    expect(standsAt(text, "/a-segment-that-is-longer-than-most", 9)).toBe(true);
    expect(standsAt(text, "/a-segment-that-is-longer-than-most", 8)).toBe(false);
    expect(standsAt(text, "/a-segment-that-is-longer-than-mosT", 9)).toBe(false);
    expect(standsAt(text, "/a-segment-that-is-Longer-than-most", 9)).toBe(false);
  });

  it("does not read over the end of the text", () => {
    expect(standsAt("/a", "/ab", 0)).toBe(false);
    expect(standsAt("/a", "/a-text-of-more-than-twelve-characters", 0)).toBe(false);
    expect(standsAt("/a", "a", 5)).toBe(false);
  });
});

describe("TailTable.find()", () => {
  const tableOf = (...literals: string[]): TailTable<string> =>
    new TailTable(new Map(literals.map((text) => [text, text])));

  it("finds the literal that is the text from one place to another", () => {
    const table = tableOf("/a", "/b", "/ab", "/users", "/posts");
    for (const literal of ["/a", "/b", "/ab", "/users", "/posts"]) {
      expect(table.find(`xx${literal}yy`, 2, 2 + literal.length)).toBe(literal);
    }
  });

  it("tells texts apart by their first characters", () => {
    expect(["a/", "b/"].map((text) => tableOf("a/", "b/").find(text, 0, 2))).toEqual(["a/", "b/"]);
  });

  it("finds nothing else", () => {
    const table = tableOf("/aa", "/ab", "/ba", "/posts");
    for (const text of ["/", "/a", "/bb", "/ac", "/`a", "/aaa", "/post", "/pasts", "/posts!", "/\0\0", "/éa"]) {
      expect(table.find(text, 0, text.length), text).toBeNull();
    }
  });

  it("tells many texts of one length apart", () => {
    const literals = Array.from({ length: 1000 }, (_, index) => `/item-${1000 + index}/x`);
    const table = tableOf(...literals);
    for (const literal of literals) expect(table.find(literal, 0, literal.length)).toBe(literal);
    expect(table.find("/item-2000/x", 0, 12)).toBeNull();
    expect(table.find("/item-1000/y", 0, 12)).toBeNull();
  });

  it("keeps what it found apart from what it did not", () => {
    const table = new TailTable(
      new Map([
        ["/a", 0],
        ["/b", 1],
      ]),
    );
    expect(table.find("/a", 0, 2)).toBe(0);
    expect(table.find("/c", 0, 2)).toBeNull();
  });
});

describe("descend()", () => {
  class Text implements Prefix {
    shorter: this | null = null;
    readonly literal: string;
    constructor(literal: string) {
      this.literal = literal;
    }
  }

  /** All literals that stand in the text at `from`, the longest first. */
  const standingIn = (literals: readonly string[], text: string, from = 0, to = text.length): string[] => {
    const found: string[] = [];
    const tree = prefixTreeOf(literals.map((literal) => new Text(literal)));
    for (let prefix = descend(tree, text, from, to); prefix !== null; prefix = prefix.shorter) {
      if (standsAtHere(text, prefix.literal, from)) found.push(prefix.literal);
    }
    return found;
  };

  it("leads to all prefixes of the text, the longest first", () => {
    const literals = ["/", "/a/", "/a/b/", "/a/c/", "/ab/", "/b/", "/a/b/c/d/"];
    expect(standingIn(literals, "/a/b/x")).toEqual(["/a/b/", "/a/", "/"]);
    expect(standingIn(literals, "/a/b/c/d/e")).toEqual(["/a/b/c/d/", "/a/b/", "/a/", "/"]);
    expect(standingIn(literals, "/ab/x")).toEqual(["/ab/", "/"]);
    expect(standingIn(literals, "/c/x")).toEqual(["/"]);
  });

  it("does not depend on the order of the prefixes", () => {
    const literals = ["/a/b/", "/", "/b/", "/a/"];
    expect(standingIn(literals, "/a/b/x")).toEqual(["/a/b/", "/a/", "/"]);
    expect(standingIn(literals.toReversed(), "/a/b/x")).toEqual(["/a/b/", "/a/", "/"]);
  });

  it("keeps the prefix that ends above the place where longer ones part", () => {
    expect(standingIn(["/a/", "/a/b/c/", "/a/b/d/"], "/a/b/x")).toEqual(["/a/"]);
  });

  it("finds nothing where nothing stands", () => {
    expect(standingIn(["/a/", "/b/"], "/c/")).toEqual([]);
    expect(standingIn(["/a/", "/b/"], "")).toEqual([]);
    expect(standingIn(["/a/", "/b/"], "/a")).toEqual([]);
    expect(standingIn(["/a/x/", "/a/y/"], "/b/x/")).toEqual([]);
    expect(standingIn(["/a/x/", "/a/y/"], "/a/\0")).toEqual([]);
    expect(standingIn(["/a/x/", "/a/y/"], "/a/é")).toEqual([]);
  });

  it("reads the text between two places only", () => {
    expect(standingIn(["/a/", "/a/b/"], "xx/a/b/c", 2)).toEqual(["/a/b/", "/a/"]);
    expect(standingIn(["/a/", "/a/b/"], "/a/b/c", 0, 5)).toEqual(["/a/b/", "/a/"]);
    expect(standingIn(["/a/", "/a/b/"], "/a/b/c", 0, 4)).toEqual(["/a/"]);
    expect(standingIn(["/a/", "/a/b/"], "/a/b/c", 0, 2)).toEqual([]);
  });
});
