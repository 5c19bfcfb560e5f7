import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiteralTablesBuilder } from "../build/literal-table-builder.ts";
import { standsAt as standsAtHere, type Prefix } from "./literal-table.ts";

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

  it("detects whether a literal is at a place", () => {
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

  it("does so for long ones in long texts", () => {
    const long = text + "/x".repeat(200);
    expect(standsAt(long, "/a-segment-that-is-longer-than-most", 9)).toBe(true);
    expect(standsAt(long, "/a-segment-that-is-longer-than-most", 8)).toBe(false);
    expect(standsAt(long, "/a-segment-that-is-longer-than-mosT", 9)).toBe(false);
    expect(standsAt(long, "/a-segment-that-is-Longer-than-most", 9)).toBe(false);
    expect(standsAt(long, "/x".repeat(200), text.length)).toBe(true);
    expect(standsAt(long, "/x".repeat(201), text.length)).toBe(false);
  });

  it("does not read over the end of the text", () => {
    expect(standsAt("/a", "/ab", 0)).toBe(false);
    expect(standsAt("/a", "/a-text-of-more-than-twelve-characters", 0)).toBe(false);
    expect(standsAt("/a", "a", 5)).toBe(false);
  });
});

describe("LiteralTables.findStaticEnd()", () => {
  /** The literal that is the text from one place to another. */
  const staticEndOf = (literals: readonly string[], text: string, from = 0, to = text.length): string | null => {
    const builder = new LiteralTablesBuilder();
    builder.addStaticEnds(["/x", "/yy"].map((literal) => ({ literal })));
    const table = builder.addStaticEnds(literals.map((literal) => ({ literal })));
    const found = builder.build().findStaticEnd(table, text, from, to)?.literal;
    return found?.length === to - from && standsAtHere(text, found, from) ? found : null;
  };

  it("finds the literal that is the text from one place to another", () => {
    const literals = ["/a", "/b", "/ab", "/users", "/posts"];
    for (const literal of literals)
      expect(staticEndOf(literals, `xx${literal}yy`, 2, 2 + literal.length)).toBe(literal);
  });

  it("distinguishes texts by their first characters", () => {
    expect(["a/", "b/"].map((text) => staticEndOf(["a/", "b/"], text))).toEqual(["a/", "b/"]);
  });

  it("finds nothing else", () => {
    const literals = ["/aa", "/ab", "/ba", "/posts"];
    for (const text of ["", "/", "/a", "/bb", "/ac", "/`a", "/aaa", "/post", "/pasts", "/posts!", "/\0\0", "/éa"]) {
      expect(staticEndOf(literals, text), text).toBeNull();
    }
  });

  it("distinguishes many texts of one length", () => {
    const literals = Array.from({ length: 1000 }, (_, index) => `/item-${1000 + index}/x`);
    for (const literal of literals.slice(-50)) expect(staticEndOf(literals, literal)).toBe(literal);
    expect(staticEndOf(literals, "/item-2000/x")).toBeNull();
    expect(staticEndOf(literals, "/item-1000/y")).toBeNull();
  });
});

describe("LiteralTables.findPrefix()", () => {
  class Text implements Prefix {
    shorter: this | null = null;
    readonly literal: string;
    constructor(literal: string) {
      this.literal = literal;
    }
  }

  /** All literals that stand in the text at `from`, the longest first. */
  const standingIn = (literals: readonly string[], text: string, from = 0): string[] => {
    const found: string[] = [];
    const builder = new LiteralTablesBuilder<never, Text>();
    builder.addPrefixes(["/x/", "/y/"].map((literal) => new Text(literal)));
    const table = builder.addPrefixes(literals.map((literal) => new Text(literal)));
    const tables = builder.build();
    for (let prefix = tables.findPrefix(table, text, from); prefix !== null; prefix = prefix.shorter) {
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

  it("reads the text from a place on", () => {
    expect(standingIn(["/a/", "/a/b/"], "xx/a/b/c", 2)).toEqual(["/a/b/", "/a/"]);
    expect(standingIn(["/a/", "/a/b/"], "/a/b/c", 2)).toEqual([]);
  });
});
