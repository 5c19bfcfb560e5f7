import type { CaseTable } from "./case.ts";

/** C4.7: one trailing slash is ignored, inner empty segments never are. */
export const slashes: readonly CaseTable[] = [
  {
    patterns: ["/users/", "/posts", "/users/:id/", "/posts/:id"],
    rows: [
      ["/users", "/users/", {}, "a slash at the end of a pattern is ignored"],
      ["/users/", "/users/", {}, "and in the path"],
      ["/posts", "/posts", {}, "a pattern without one"],
      ["/posts/", "/posts", {}, "matches with one"],
      ["/users/7", "/users/:id/", { id: "7" }, "behind a param"],
      ["/users/7/", "/users/:id/", { id: "7" }, "with the slash"],
      ["/posts/7/", "/posts/:id", { id: "7" }, "the other way round"],
      ["/posts//", 404, "one slash is ignored, not two"],
      ["/posts/7//", 404, "behind a param neither"],
      ["/posts/?x", "/posts", {}, "a slash before the query is at the end of the path"],
      ["/posts?x/", "/posts", {}, "a slash at the end of the query is not"],
      ["/posts/#x", "/posts", {}, "a slash before the fragment is at the end of the path"],
      ["/posts%2F", 404, "an encoded slash is not ignored"],
    ],
  },
  {
    patterns: ["//", "//a", "/a//b", "/a//"],
    rows: [
      ["//", "//", {}, "a pattern of one empty segment"],
      ["///", 404, "which has one slash at the end already"],
      ["//a", "//a", {}, "an empty segment in front"],
      ["//a/", "//a", {}, "and the slash at the end ignored"],
      ["/a//b", "/a//b", {}, "an empty segment in the middle"],
      ["/a//", "/a//", {}, "an empty segment at the end"],
      ["/a/", 404, "is not the slash at the end"],
      ["/a/b", 404, "nor is an inner one left out"],
      ["/a///b", 404, "nor doubled"],
      ["/", 404, "the root has no empty segment"],
    ],
  },
  {
    patterns: ["//:a", "/x//:a?"],
    rows: [
      ["//7", "//:a", { a: "7" }, "a param behind an empty segment"],
      ["/7", 404, "which is required"],
      ["/x//", "/x//:a?", { a: undefined }, "an absent optional behind an empty segment"],
      ["/x//7", "/x//:a?", { a: "7" }, "or supplied"],
      ["/x/", 404, "the empty segment is required"],
    ],
  },
  {
    patterns: ["/e/(a|b)", "/f/(a|b)/", "/g/*", "/h/(a)b"],
    rows: [
      ["/e/a", "/e/(a|b)", { "0": "a" }, "a pattern that ends in an expression"],
      ["/e/a/", 404, "sees the slash"],
      ["/f/a", "/f/(a|b)/", { "0": "a" }, "one that ends in a slash does not end in an expression"],
      ["/f/a/", "/f/(a|b)/", { "0": "a" }, "and ignores it"],
      ["/g/a/", "/g/*", { "0": "a/" }, "a rest sees the slash"],
      ["/h/ab/", "/h/(a)b", { "0": "a" }, "one that ends in literal text ignores it"],
    ],
  },
  {
    patterns: ["/i/(a|b)", "/i/(a|b)/", "/i/:p*"],
    rows: [
      ["/i/a", "/i/(a|b)", { "0": "a" }, "both match: the one that sees the path as it is wins"],
      ["/i/a/", "/i/(a|b)/", { "0": "a" }, "only the one that ignores the slash matches"],
      ["/i/c/", "/i/:p*", { p: "c/" }, "neither: the rest sees the slash"],
    ],
  },
  {
    patterns: ["/j/(a/?)", "/j/(b\\/?)/"],
    rows: [
      ["/j/a/", "/j/(a/?)", { "0": "a/" }, "an expression that takes the slash"],
      ["/j/a", "/j/(a/?)", { "0": "a" }, "or does without"],
      ["/j/b/", "/j/(b\\/?)/", { "0": "b" }, "where it is ignored, the expression does not get it"],
      ["/j/b//", "/j/(b\\/?)/", { "0": "b/" }, "but it gets the one before it"],
    ],
  },
];
