import { describe, expect, it, onTestFinished } from "vitest";
import { PathIndexBuilder, type TrailingSlash } from "../build/path-index-builder.ts";
import type { PathIndex } from "./path-index.ts";
import { longestText, PathMatch } from "./path-match.ts";
import { parsePathPattern, type PathPattern } from "../pattern/path-pattern.ts";
import { absent, maxPathLength, parserLeavesDots, tooLong, unmatched, unparseable } from "../request/target-path.ts";

const indexOf = (sources: readonly string[], trailingSlash?: TrailingSlash): PathIndex<string> => {
  const builder = new PathIndexBuilder<string>(trailingSlash);
  for (const source of sources) builder.add(parsePathPattern(source), source);
  return builder.build();
};
/** Matches a URL that the URL parser wrote. */
const matchSerialized = <T>(index: PathIndex<T>, url: string): ReturnType<PathIndex<T>["match"]> =>
  index.match(url, url.indexOf("/", 8));
const valueOf = (index: PathIndex<string>, target: string, isSerialized = false): unknown => {
  const match = isSerialized ? matchSerialized(index, target) : index.match(target, -1);
  return match instanceof PathMatch ? match.value : match;
};

describe("PathIndex.find()", () => {
  it("finds nothing in an empty table", () => {
    for (const path of ["/", "/a", "", "a"]) expect(indexOf([]).find(path)).toBeNull();
    for (const path of ["/", "/a"]) expect(indexOf([], "strict").find(path)).toBeNull();
  });

  it("finds nothing for text without a leading slash", () => {
    const index = indexOf(["/", "/a", "/:a", "/*", "/(.*)"]);
    for (const path of ["", "a", "a/b", "*"]) expect(index.find(path)).toBeNull();
  });

  it("C4.9 finds no path that is too long, of which bounds would not fit", () => {
    const index = indexOf(["/files/*"]);
    const path = `/files/${"x".repeat(maxPathLength - 7)}`;
    expect(index.find(path)!.param("0")).toBe(path.slice(7));
    expect(index.find(`${path}x`)).toBeNull();
  });

  it("finds the others beside patterns that are longer than any path", () => {
    const long = `/${"a".repeat(200_000)}`;
    const others = ["/a", "/aa", "/ab", "/a/:id", "/aa/:id", "/x/:id"];
    const index = indexOf([`${long}b`, `${long}c`, `${long}b/:id`, `${long}c/:id`, "/:any/end", ...others]);
    for (const pattern of others) expect(index.find(pattern.replace(":id", "1"))?.value).toBe(pattern);
    expect(index.find("/aaaaaa/end")?.value).toBe("/:any/end");
    for (const path of ["/ac", "/aaa", "/aaa/1", long.slice(0, maxPathLength)]) expect(index.find(path)).toBeNull();
  });

  it("prefers a static segment to a param, and tries the param where that fails", () => {
    const index = indexOf(["/users/me/settings", "/users/:id/posts", "/users/:id"]);
    expect(index.find("/users/me/settings")!.value).toBe("/users/me/settings");
    expect(index.find("/users/me/posts")!.param("id")).toBe("me");
    expect(index.find("/users/me")!.param("id")).toBe("me");
  });

  it("overwrites the values of a branch that failed", () => {
    const index = indexOf(["/:a-:b-:c/x", "/:d/:e", "/f/:g(\\d)/:h/:i"]);
    const match = index.find("/1-2-3/y")!;
    expect(["a", "b", "c", "d", "e"].map((name) => match.param(name))).toEqual([
      undefined,
      undefined,
      undefined,
      "1-2-3",
      "y",
    ]);
    expect(index.find("/f/1")!.param("e")).toBe("1");
  });

  it("takes rests one after the other where there are several", () => {
    const index = indexOf(["/a/:x*", "/a/:x+", "/a/(.*)/z"]);
    expect(index.find("/a/b/z")!.value).toBe("/a/(.*)/z");
    expect(index.find("/a/b")!.value).toBe("/a/:x+");
    expect(index.find("/a/")!.value).toBe("/a/:x*");
    expect(index.find("/a")!.value).toBe("/a/:x*");
    expect(indexOf(["/a/(.+)", "/a/:x+"]).find("/a/")).toBeNull();
  });

  it("shows expressions the path from its beginning, with the slash only if the pattern ends in one", () => {
    const index = indexOf(["/a/((?<=^/a/)b$)", "/c/(d$)/"]);
    expect(index.find("/a/b")).not.toBeNull();
    expect(index.find("/a/b/")).toBeNull();
    expect(index.find("/c/d/")).not.toBeNull();
    expect(matchSerialized(index, "http://h/a/b?x")).toBeInstanceOf(PathMatch);
  });

  it("ignores one slash at the end, or none", () => {
    for (const [trailingSlash, expected] of [
      ["ignore", "/a"],
      ["strict", undefined],
    ] as const) {
      const index = indexOf(["/a", "/b/:x", "/c/:y?"], trailingSlash);
      expect(index.find("/a/")?.value).toBe(expected);
      expect(index.find("/a//")).toBeNull();
      expect(index.find("/b/1/")?.param("x")).toBe(expected && "1");
      expect(index.find("/b//")).toBeNull();
      expect(index.find("/c/")?.value).toBe(expected && "/c/:y?");
    }
  });
});

describe("PathIndex.find() where what may be taken leads nowhere", () => {
  const answers = (patterns: readonly string[], paths: Readonly<Record<string, string | null>>): void => {
    const index = indexOf(patterns);
    for (const [path, value] of Object.entries(paths)) expect(index.find(path)?.value ?? null, path).toBe(value);
  };

  it("C4.5 goes on with a shorter prefix where an expression in place of a rest fails", () => {
    answers(["/a/(.*)/b", "/:x/c"], { "/a/c": "/:x/c", "/a/x/b": "/a/(.*)/b" });
    answers(["/a/(.*)/b", "/a/(.+)/c", "/:x/:y"], { "/a/d": "/:x/:y", "/a/x/c": "/a/(.+)/c" });
  });

  it("C4.3 takes no empty segment", () => {
    answers(["/e/:a(\\d*)/x", "/e/:b([a-z]*)/x"], { "/e//x": null, "/e/1/x": "/e/:a(\\d*)/x" });
    answers(["/e/:a(\\d*)", "/e/:b([a-z]*)"], { "/e/": null, "/e": null });
  });
});

describe("PathIndex.match()", () => {
  const index = indexOf(["/", "/a", "/b/:x", "/c/:y/(z)", "/d/:rest+"]);

  it("finds the path in origin-form and in absolute URLs", () => {
    for (const target of ["/b/1", "/b/1?x", "/b/1#x", "/b/1?x#y", "http://h/b/1", "http://H/b/1?x", "//b/1".slice(1)]) {
      expect(valueOf(index, target), target).toBe("/b/:x");
    }
    for (const target of ["http://h", "http://h?/a", "http://h/?/a", "/?/a", "/#/a"])
      expect(valueOf(index, target)).toBe("/");
  });

  it("returns the same for what the URL parser wrote", () => {
    for (const target of ["http://h/b/1", "https://h.example:81/b/1?x/y#z", "http://h/b/1#?x", "http://h/b/%31"]) {
      expect(valueOf(index, new URL(target).href, true), target).toBe("/b/:x");
      expect((matchSerialized(index, new URL(target).href) as PathMatch<string>).param("x")).toBe("1");
    }
    expect(valueOf(index, "http://h/", true)).toBe("/");
    expect(valueOf(index, "http://h/?/a", true)).toBe("/");
    expect(valueOf(index, "http://h/a#/b/1", true)).toBe("/a");
    expect(valueOf(index, "http://h/e", true)).toBe(unmatched);
  });

  it("resolves the dot segments that some URL parsers leave", () => {
    for (const url of ["http://h/b/.a/../1", "http://h/b/.a/../1?x", "http://h/b/c/.a/./../../1"]) {
      expect((matchSerialized(index, new URL(url).href) as PathMatch<string>).param("x"), url).toBe("1");
    }
    expect(valueOf(index, new URL("http://h/d/.a/..").href, true)).toBe(unmatched);
    const behind = indexOf(["/d/.a/*", "/d/b"]);
    expect(valueOf(behind, "http://h/d/.a/b/c", true)).toBe("/d/.a/*");
    expect(valueOf(behind, new URL("http://h/d/.a/../b").href, true)).toBe("/d/b");
    expect((matchSerialized(index, "http://h/d/.a/b.c") as PathMatch<string>).param("rest")).toBe(".a/b.c");
  });

  it("C4.7 ignores no other character at the end of a path", () => {
    for (const [how, ignored] of [
      ["ignore", "/\\?#\t\n\r"],
      ["strict", "?#\t\n\r"],
    ] as const) {
      for (let code = 0; code < 128; code++) {
        const end = String.fromCharCode(code);
        const expected = ignored.includes(end) ? "/a" : unmatched;
        expect(valueOf(indexOf(["/a"], how), `/a${end}?x`), `${how} ${code}`).toBe(expected);
      }
    }
  });

  it("reads values out of the target in place", () => {
    const match = index.match("https://user.example:8080/c/7/z?c=8", -1) as PathMatch<string>;
    expect([match.param("y"), match.param("0")]).toEqual(["7", "z"]);
    expect((matchSerialized(index, "http://h/d/a/b/?x") as PathMatch<string>).param("rest")).toBe("a/b/");
  });

  it("makes paths canonical that are not", () => {
    for (const target of [
      "/%61",
      "/x/../a",
      "/./a",
      "\\a".replace("\\", "/"),
      "/\ta",
      "http://h/%61?x",
      "HTTP://h/./a",
    ]) {
      expect(valueOf(index, target), target).toBe("/a");
    }
    expect((index.match("/b/é", -1) as PathMatch<string>).param("x")).toBe("é");
    expect((matchSerialized(index, "http://h/b/%C3%A9") as PathMatch<string>).param("x")).toBe("é");
  });

  it("C4.1 takes no raw path for canonical because all of it is in classes, or begins so", () => {
    const classes = indexOf(["/a/:class([Z-a]+)", "/b/:id(\\d+)", "/b/:id(\\d+)/:slug([a-z-]+)"]);
    expect(valueOf(classes, "/a/Z_")).toBe("/a/:class([Z-a]+)");
    for (const target of ["/a/Z\\Z", "http://h/a/Z\\..\\..\\Z"]) expect(valueOf(classes, target)).toBe(unmatched);
    for (const target of ["/a/b/..\\Z", "/b/7/../../a/a", "/b/../a/Z"])
      expect(valueOf(classes, target)).toBe("/a/:class([Z-a]+)");
    for (const target of ["/b/7", "http://h/b/7/?x=%41#y", "/b/%37", "http://h/b/7#/x", "/b/x/../7", "/b\t/7"])
      expect(valueOf(classes, target)).toBe("/b/:id(\\d+)");
    expect(valueOf(classes, "http://h/b/7#x?y", true)).toBe("/b/:id(\\d+)");
    expect(valueOf(classes, "http://h/b/7/%61-b?y", true)).toBe("/b/:id(\\d+)/:slug([a-z-]+)");
    for (const target of ["/b/7é", "/b/7;x", "/b/7/x%2Fy"]) expect(valueOf(classes, target)).toBe(unmatched);
  });

  it("says why there is no match", () => {
    expect(valueOf(index, "/e")).toBe(unmatched);
    expect(valueOf(index, "/%65")).toBe(unmatched);
    expect(valueOf(index, "*")).toBe(absent);
    expect(valueOf(index, "")).toBe(absent);
    expect(valueOf(index, "http://[")).toBe(unparseable);
    expect(valueOf(index, `/b/${"1".repeat(8190)}`)).toBe(tooLong);
  });

  it("measures the path, not the target", () => {
    const long = `/b/${"1".repeat(8189)}`;
    for (const target of [long, `${long}?${"x".repeat(9000)}`, `http://h${long}`])
      expect(valueOf(index, target)).toBe("/b/:x");
    expect(valueOf(index, `http://h${long}#`, true)).toBe("/b/:x");
    expect(valueOf(index, `http://h${long}1`, true)).toBe(tooLong);
  });

  it("does not take a rest of none for a path with a slash at the end", () => {
    const rest = indexOf(["/a/*", "/b/:x/*"]);
    for (const [target, value] of [
      ["/a", undefined],
      ["/a/", ""],
      ["/a?", undefined],
      ["/a/?", ""],
    ] as const) {
      expect((rest.match(target, -1) as PathMatch<string>).param("0"), target).toBe(value);
      expect((matchSerialized(rest, `http://h${target}`) as PathMatch<string>).param("0"), target).toBe(value);
      expect((rest.match(target.replace("/a", "/b/1"), -1) as PathMatch<string>).param("0"), target).toBe(value);
    }
  });
});

/*
 * A path that is canonical is matched in place, and a URL that the URL parser wrote is not parsed again. The answer is
 * the same as through the parser. The only visible difference is whether the parser was called.
 */

const allKinds = new PathIndexBuilder<PathPattern>();
for (const pattern of [
  "/users",
  "/users/:id",
  "/users/:id/posts",
  "/a/:b/:c/:d",
  "/a/:b/:c/:d/:e/:f",
  "/files/*",
  "/versions/:version/:path*",
  "/numbers/:n(\\d+)",
  "/numbers/:word([a-z]+)",
  "/pairs/:a/:b",
  "/pairs/:a/:n(\\d+)",
  "/(.+\\.txt)",
]) {
  const parsed = parsePathPattern(pattern);
  allKinds.add(parsed, parsed);
}
const ofAllKinds = allKinds.build();

/** Returns the result, and how often the URL parser was called meanwhile. */
function answerTo(target: string, isSerialized: boolean): { readonly answer: string; readonly parsed: number } {
  let parsed = 0;
  const { URL } = globalThis;
  onTestFinished(() => void (globalThis.URL = URL));
  globalThis.URL = class extends URL {
    constructor(...args: ConstructorParameters<typeof URL>) {
      super(...args);
      parsed++;
    }
  };
  const match = isSerialized ? matchSerialized(ofAllKinds, target) : ofAllKinds.match(target, -1);
  globalThis.URL = URL;
  if (!(match instanceof PathMatch)) return { answer: match.problem, parsed };
  const values = match.value.names.map((name) => match.param(name)).filter((value) => value !== undefined);
  return { answer: [match.source, ...values].join(" "), parsed };
}

const x = (length: number): string => "x".repeat(length);
const inPlace: [target: string, answer: string][] = [
  ["http://h/users", "/users"],
  ["https://h:8080/users", "/users"],
  ["http://h/users?q=%61#f", "/users"],
  ["http://h/users/", "/users"],
  ["http://h/users/7", "/users/:id 7"],
  ["http://h/users/7?q=1", "/users/:id 7"],
  ["http://h/users/7?q=%61", "/users/:id 7"],
  ["http://h/users/7?%61", "/users/:id 7"],
  ["http://h/users/7?q=/posts", "/users/:id 7"],
  ["http://h/users/7?q=/.", "/users/:id 7"],
  ["http://h/users/7?q=.", "/users/:id 7"],
  ["http://h/users/7./posts", "/users/:id/posts 7."],
  ["http://h/a/1/2/3?q=/..", "/a/:b/:c/:d 1 2 3"],
  ["http://h/a/1/2/3/4/5", "/a/:b/:c/:d/:e/:f 1 2 3 4 5"],
  ["http://h/files/a/b.c", "/files/* a/b.c"],
  ["http://h/files", "/files/*"],
  ["http://h/versions/1?q=/.", "/versions/:version/:path* 1"],
  ["http://h/numbers/7?q=/.", "/numbers/:n(\\d+) 7"],
  ["http://h/numbers/seven", "/numbers/:word([a-z]+) seven"],
  ["http://h/b.txt", "/(.+\\.txt) b.txt"],
  ["http://h/users/.x", "/users/:id .x"],
  ["http://h/a/.1/2/..3", "/a/:b/:c/:d .1 2 ..3"],
  ["http://h/files/.well-known/x?q=/../", "/files/* .well-known/x"],
  ["http://h/.env", "unmatched"],
  ["http://h/nothing", "unmatched"],
  ["http://h/no.thing", "unmatched"],
  ["http://h/nothing?q=.", "unmatched"],
  ["http://h/nothing?q=/x", "unmatched"],
  [`http://h/files/${x(maxPathLength - 7)}`, `/files/* ${x(maxPathLength - 7)}`],
  [`http://${x(60)}.example.com/users/${x(maxPathLength - 7)}`, `/users/:id ${x(maxPathLength - 7)}`],
  [`http://${x(longestText - 17)}/users/abc`, "/users/:id abc"],
  ["http://h/users/%C3%A9?q=%37", "/users/:id é"],
  ["http://h/users/a%2Fb%20c/posts/", "/users/:id/posts a/b c"],
  ["http://h/nothing%20/%C3%A9", "unmatched"],
];

// A serialized URL of Node 20 and 22 may hold such segments: after a segment that begins with a dot their parser
// resolves none.
const withDots: [target: string, answer: string][] = [
  ["http://h/users/.x/../7", "/users/:id 7"],
  ["http://h/users/.x/../7/posts", "/users/:id/posts 7"],
  ["http://h/a/.1/../2/3/4", "/a/:b/:c/:d 2 3 4"],
  ["http://h/files/.x/../y", "/files/* y"],
  ["http://h/files/a/.b/../c", "/files/* a/c"],
  ["http://h/versions/1/a/.b/../c", "/versions/:version/:path* 1 a/c"],
  ["http://h/a/.b/../c.txt", "/(.+\\.txt) a/c.txt"],
  ["http://h/a/.b/../see.txt", "/(.+\\.txt) a/see.txt"],
  ["http://h/of/a/.b/../sight.txt", "/(.+\\.txt) of/a/sight.txt"],
  ["http://h/.x/../users", "/users"],
  ["http://h/.x/../nothing", "unmatched"],
  ["http://h/users/.x/..", "/users"],
  ["http://h/users/.x/.", "/users/:id .x"],
  ["http://h/pairs/.x/.", "unmatched"],
  ["http://h/pairs/.x/../1", "unmatched"],
  ["http://h/pairs/.x/./1", "/pairs/:a/:n(\\d+) .x 1"],
];

const rewritten: [target: string, answer: string][] = [
  ["http://h/users/7#f", "/users/:id 7"],
  ["http://h/users/7#f?q", "/users/:id 7"],
  ["http://h/users/%37", "/users/:id 7"],
  ["http://h/users/%37/posts?q=1#f", "/users/:id/posts 7"],
  ["http://h/users/%c3%a9", "/users/:id é"],
  ["http://h/%75sers/7?q=1", "/users/:id 7"],
  ["http://h/nothing#f", "unmatched"],
  ["http://h/nothing%41", "unmatched"],
  [`http://h/users/${x(maxPathLength - 6)}`, "too long"],
  [`http://h/users/${x(maxPathLength - 9)}%41`, `/users/:id ${x(maxPathLength - 9)}A`],
];

describe("PathIndex.match() of a serialized URL", () => {
  it.each([...inPlace, ...rewritten])("C4.2 does not ask the URL parser again: %s", (target, answer) => {
    expect(answerTo(target, true)).toEqual({ answer, parsed: 0 });
  });

  it("C4.2 matches a text of its own where the bounds of values would not fit", () => {
    const target = `http://${x(longestText - 16)}/users/abc`;
    expect(answerTo(target, true)).toEqual({ answer: "/users/:id abc", parsed: 0 });
  });

  it.runIf(parserLeavesDots).each(withDots)(
    "C4.2 resolves the dot segments that the parser left: %s",
    (target, answer) => {
      expect(answerTo(target, true)).toEqual({ answer, parsed: 0 });
    },
  );
});

describe("PathIndex.match() of a raw target", () => {
  const isPlain = ([target]: [string, string]): boolean =>
    !target.includes("#") || target.indexOf("?") < target.indexOf("#");

  it.each(inPlace.filter(isPlain))("C4.2 matches in place: %s", (target, answer) => {
    expect(answerTo(target, false)).toEqual({ answer, parsed: 0 });
    const { pathname, search, hash } = new URL(target);
    expect(answerTo(pathname + search + hash, false)).toEqual({ answer, parsed: 0 });
  });

  it.each([...rewritten, ...withDots])("C4.2 asks the URL parser: %s", (target, answer) => {
    expect(answerTo(target, false)).toEqual({ answer, parsed: 1 });
    expect(answerTo(target.slice("http://h".length), false)).toEqual({ answer, parsed: 1 });
  });
});
