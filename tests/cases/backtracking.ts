import type { CaseTable } from "./case.ts";

/** C4.5: where the more specific branch fails further on, the others are tried. */
export const backtracking: readonly CaseTable[] = [
  {
    patterns: ["/users/me/settings", "/users/:id/posts"],
    rows: [
      ["/users/me/posts", "/users/:id/posts", { id: "me" }, "static fails at the third segment: param is tried"],
      ["/users/me/settings", "/users/me/settings", {}, "static goes through"],
      ["/users/me", 404, "neither ends here"],
      ["/users/you/settings", 404, "param does not lead to what is behind static"],
    ],
  },
  {
    patterns: ["/a/b/c/d", "/a/b/:x/e", "/a/:y/c/f", "/:z/b/c/g", "/*"],
    rows: [
      ["/a/b/c/d", "/a/b/c/d", {}, "no step back"],
      ["/a/b/c/e", "/a/b/:x/e", { x: "c" }, "one step back"],
      ["/a/b/c/f", "/a/:y/c/f", { y: "b" }, "two steps back"],
      ["/a/b/c/g", "/:z/b/c/g", { z: "a" }, "three steps back"],
      ["/a/b/c/h", "/*", { "0": "a/b/c/h" }, "all the way back"],
    ],
  },
  {
    patterns: ["/:a/:b/x", "/:c/y/:d", "/z/:e/:f"],
    rows: [
      ["/z/y/x", "/z/:e/:f", { e: "y", f: "x" }, "the first segment decides first"],
      ["/q/y/x", "/:c/y/:d", { c: "q", d: "x" }, "then the second"],
      ["/q/r/x", "/:a/:b/x", { a: "q", b: "r" }, "then the third"],
      ["/q/r/s", 404, "then none"],
    ],
  },
  {
    patterns: ["/:n(\\d+)/a", "/:w(\\w+)/b", "/:p/c", "/x:q/d", "/*"],
    isOrdered: true,
    rows: [
      ["/7/a", "/:n(\\d+)/a", { n: "7" }, "the first constraint goes on"],
      ["/7/b", "/:w(\\w+)/b", { w: "7" }, "the first constraint fails further on: the second is tried"],
      ["/7/c", "/:p/c", { p: "7" }, "both fail: the param is tried"],
      ["/7/d", "/*", { "0": "7/d" }, "all fail: the rest is taken"],
      ["/x7/d", "/x:q/d", { q: "7" }, "affixed goes on"],
      ["/x7/b", "/:w(\\w+)/b", { w: "x7" }, "affixed fails further on: the constraint is tried"],
    ],
  },
  {
    patterns: ["/:id(\\d+)/edit", "/:id(\\d+)/:tab/x", "/:name/:tab"],
    rows: [
      ["/7/edit", "/:id(\\d+)/edit", { id: "7" }, "static behind constrained"],
      ["/7/info", "/:name/:tab", { name: "7", tab: "info" }, "values of a branch that was given up are forgotten"],
      ["/7/info/x", "/:id(\\d+)/:tab/x", { id: "7", tab: "info" }, "param behind constrained"],
    ],
  },
  {
    patterns: ["/:a-:b-:c/x", "/:a-:b/y", "/:a/z"],
    rows: [
      ["/1-2-3/x", "/:a-:b-:c/x", { a: "1", b: "2", c: "3" }, "three values"],
      ["/1-2-3/y", "/:a-:b/y", { a: "1", b: "2-3" }, "given up for two"],
      ["/1-2-3/z", "/:a/z", { a: "1-2-3" }, "given up for one"],
    ],
  },
  {
    patterns: ["/(\\d+)/x", "/(\\d+)/y", "/7/:a/z", "/:b/z"],
    rows: [
      ["/7/x", "/(\\d+)/x", { "0": "7" }, "static fails further on: an expression is tried"],
      ["/7/y", "/(\\d+)/y", { "0": "7" }, "an equal expression with another end"],
      ["/7/z", "/:b/z", { b: "7" }, "an expression that fails hides no param"],
      ["/7/7/z", "/7/:a/z", { a: "7" }, "static goes on"],
    ],
  },
  {
    patterns: ["/shop/:category/:item", "/shop/sale/:item(\\d+)", "/shop/:category(new|old)/list"],
    rows: [
      ["/shop/sale/7", "/shop/sale/:item(\\d+)", { item: "7" }, "static, then constrained"],
      ["/shop/sale/x", "/shop/:category/:item", { category: "sale", item: "x" }, "static, then refused: two params"],
      ["/shop/new/list", "/shop/:category(new|old)/list", { category: "new" }, "constrained, then static"],
      ["/shop/new/x", "/shop/:category/:item", { category: "new", item: "x" }, "constrained, then nothing: two params"],
    ],
  },
  {
    patterns: ["/a/:x/c/*", "/a/b/:y", "/:r+"],
    rows: [
      ["/a/b/c", "/a/b/:y", { y: "c" }, "static wins although a rest could follow"],
      ["/a/b/c/d", "/a/:x/c/*", { x: "b", "0": "d" }, "static has no more segments: the param is tried"],
      ["/a/b/d/c", "/:r+", { r: "a/b/d/c" }, "neither: the rest"],
    ],
  },
  {
    patterns: ["/f/:a(x)?/:b?", "/f/:c/:d/:e", "/f/x/y/:g(\\d)"],
    rows: [
      ["/f/x/y", "/f/:a(x)?/:b?", { a: "x", b: "y" }, "an optional chain ends where the others go on"],
      ["/f/x/y/7", "/f/x/y/:g(\\d)", { g: "7" }, "static all the way, then constrained"],
      ["/f/x/y/z", "/f/:c/:d/:e", { c: "x", d: "y", e: "z" }, "refused at the end: three params"],
      ["/f/z/y", 404, "the constraint of an optional param refuses"],
    ],
  },
  {
    patterns: ["/u/:__proto__/a", "/u/:constructor/b", "/u/:toString(\\d+)/a"],
    rows: [
      ["/u/x/a", "/u/:__proto__/a", { ["__proto__"]: "x" }, "patterns of one shape keep their own names"],
      ["/u/x/b", "/u/:constructor/b", { constructor: "x" }, "each of them"],
      ["/u/7/a", "/u/:toString(\\d+)/a", { toString: "7" }, "whatever they are called"],
      ["/u/7/b", "/u/:constructor/b", { constructor: "7" }, "also after a step back"],
    ],
  },
];
