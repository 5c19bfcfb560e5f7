import { describe, expect, it } from "vitest";
import { filledPath } from "./filled-path.ts";

describe("filledPath()", () => {
  it.each([
    ["/a/(b|(c(d)))", { 0: "cd" }, "/a/cd"],
    ["/a/([(])/:x", { 0: "(", x: 1 }, "/a/(/1"],
    ["/a/([^)(]+)b", { 0: "v/w" }, "/a/v/wb"],
    ["/a/(v|\\(|\\))", { 0: "v" }, "/a/v"],
    ["/a\\(/:x(\\d+)\\)", { x: 1 }, "/a(/1)"],
    ["/a\\\\(x)", { 0: "x" }, "/a%5Cx"],
    ["/[(x)]", { 0: "x" }, "/[x]"],
    ["/:x((?:a|[(]b(?:c))+)/(d(e)[)f])", { x: "aa", 0: "def" }, "/aa/def"],
    ["/:x(\\d+)?/:y([)(\\d])?", { x: 1, y: 2 }, "/1/2"],
    ["/:x(\\d+)?/:y([)(\\d])?", { x: 1 }, "/1"],
    ["/:x(\\d+)?/:y([)(\\d])?", {}, "/"],
    ["/a/*", { 0: ["b", "c/d"] }, "/a/b/c%2Fd"],
    ["/a/:x/", { x: "b" }, "/a/b/"],
    ["/(\\d+)(\\w+)/:r*", { 0: 1, 1: "a" }, "/1a"],
    ["/(\\d+)/:x?/", { 0: 1, x: "b" }, "/1/b/"],
    ["/(\\d+)(\\w+)/:r*", { 0: 1, 1: "a", r: "b/c" }, "/1a/b/c"],
    ["/(.+)/edit", { 0: "a/b" }, "/a/b/edit"],
    ["/(\\d+)/:x", { 0: 12, x: "b" }, "/12/b"],
    ["/:a@:b", { a: "-", b: "y@z" }, "/-@y%40z"],
    ["/100%/:x", { x: "1" }, "/100%/1"],
    ["/:a^:b", { a: "x", b: "y^z" }, "/x^y%5Ez"],
    ["/v2/(.+)/blobs/:digest", { 0: "library/ubuntu", digest: "sha256:ab" }, "/v2/library/ubuntu/blobs/sha256%3Aab"],
    ["/v2/(.+)/blobs/:digest", { 0: "a/blobs/b", digest: "x" }, "/v2/a/blobs/b/blobs/x"],
    ["/(.+).:ext(\\w+)/*", { 0: "a/b.c", ext: "d", 1: ["e", "f"] }, "/a/b.c.d/e/f"],
    ["/(.+)/:x", { 0: "a/b", x: "c" }, "/a/b/c"],
    ["/v2/:name+/blobs/:digest", { name: "library/ubuntu", digest: "a:b" }, "/v2/library/ubuntu/blobs/a%3Ab"],
    ["/v2/:name+/blobs/:digest", { name: ["a/b", "blobs", "c"], digest: "x" }, "/v2/a%2Fb/blobs/c/blobs/x"],
    ["/:repo+/info/refs", { repo: "a/info/refs" }, "/a/info/refs/info/refs"],
  ])("C4.3 fills %s by %j", (pattern, path, filled) => {
    expect(filledPath(pattern, path)).toBe(filled);
  });

  it.each([
    ["/:a-:b", { a: "acme-1", b: "x" }, "a"],
    ["/:a-:b", { a: "acme-", b: "x" }, "a"],
    ["/:a--:b", { a: "x-", b: "y" }, "a"],
    ["/:a^:b", { a: "x^", b: "y" }, "a"],
    // The router would find the digit in the escape of a space.
    ["/:a\\2:b", { a: "x y", b: "z" }, "a"],
    ["/%:a", { a: "aa" }, "a"],
    ["/:a%2d:b", { a: "x", b: "y" }, "a"],
    ["/:a→:b", { a: "x→y", b: "z" }, "a"],
    ["/:a@:b", { a: "x@y", b: "z" }, "a"],
    ["/x/:a.:b.:c", { a: "1", b: "2.3", c: "4" }, "b"],
    ["/:id(\\d+)", { id: "me" }, "id"],
    ["/:id(\\d+)?", { id: "me" }, "id"],
    ["/:id(\\d+).json", { id: "1.json" }, "id"],
    ["/(.+\\.jpg)", { 0: "a.png" }, "0"],
    ["/(.+)-(.+)", { 0: "a", 1: "b-c" }, "0"],
    ["/(.+)/:x?/", { 0: "a", x: "b" }, "0"],
    ["/:n+/:x?", { n: "a", x: "b" }, "n"],
    ["/:n+/x/:rest*", { n: "a", rest: "x/b" }, "n"],
    ["/(.+?)/blobs/:digest*", { 0: "a/blobs/b", digest: "x" }, "0"],
    ["/(a+)/:x-:y", { 0: "aa", x: "b-", y: "c" }, "x"],
  ])("C11.4 refuses for %s the values %j, which would be read as others", (pattern, path, name) => {
    expect(() => filledPath(pattern, path)).toThrow(
      new TypeError(`Cannot fill ${pattern}: the path param "${name}" would be read as another value, or not at all`),
    );
  });

  it("C11.4 takes values next to literals that are read back", () => {
    expect(filledPath("/:a-:b", { a: "acme", b: "1-2" })).toBe("/acme-1-2");
    expect(filledPath("/@:user", { user: "." })).toBe("/@.");
  });

  it.each(["/%2:x", "/%:x", "/.%2:x"])("C11.4 makes no dot segment of %s, which a URL parser resolves", (pattern) => {
    expect(() => filledPath(pattern, { x: pattern === "/%:x" ? "2e" : "e" })).toThrow(
      new TypeError(`Cannot fill ${pattern}: the path param "x" is absent, empty or a dot segment`),
    );
  });

  it("C11.4 refuses half of a surrogate pair", () => {
    for (const x of ["\ud800", "a\udfff", ["a", "\udc00"]]) {
      expect(() => filledPath("/:x+", { x })).toThrow(
        new TypeError('Cannot fill /:x+: the path param "x" has half of a surrogate pair'),
      );
    }
    expect(filledPath("/:x", { x: "\u{1f600}" })).toBe("/%F0%9F%98%80");
  });

  it("C4.3 keeps a slash inside a segment of a list", () => {
    expect(filledPath("/files/:path+", { path: ["a/b", "c"] })).toBe("/files/a%2Fb/c");
  });
});
