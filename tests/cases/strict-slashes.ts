import type { CaseTable } from "./case.ts";

/** C4.7: with `trailingSlash("strict")` the slash is significant everywhere. */
export const strictSlashes: readonly CaseTable[] = [
  {
    patterns: ["/", "/users", "/users/:id/", "/posts/", "/:a/:b"],
    trailingSlash: "strict",
    rows: [
      ["/", "/", {}, "the root"],
      ["/users", "/users", {}, "no slash in the pattern, none in the path"],
      ["/users/", 404, "a slash too many"],
      ["/users/7/", "/users/:id/", { id: "7" }, "a slash in both"],
      ["/users/7", "/:a/:b", { a: "users", b: "7" }, "a slash too few: another pattern matches"],
      ["/posts/", "/posts/", {}, "a slash behind a static segment"],
      ["/posts", 404, "which is missing"],
      ["//", 404, "an empty segment is not the root"],
      ["/x/y/", 404, "no pattern of two params with a slash"],
    ],
  },
  {
    patterns: ["/same", "/same/", "/id/:x", "/id/:y/"],
    trailingSlash: "strict",
    rows: [
      ["/same", "/same", {}, "patterns that differ by the slash are two"],
      ["/same/", "/same/", {}, "both are found"],
      ["/id/7", "/id/:x", { x: "7" }, "with params too"],
      ["/id/7/", "/id/:y/", { y: "7" }, "under their own names"],
    ],
  },
  {
    patterns: ["/:a?", "/log/:year?", "/dir/:name?/"],
    trailingSlash: "strict",
    rows: [
      ["/", "/:a?", { a: undefined }, "the root by an absent param: a path has one slash at least"],
      ["/x", "/:a?", { a: "x" }, "or its value"],
      ["/x/", 404, "no slash behind it"],
      ["/log", "/log/:year?", { year: undefined }, "an absent param takes its slash along"],
      ["/log/", 404, "so that the slash is one too many"],
      ["/log/2026", "/log/:year?", { year: "2026" }, "a supplied one"],
      ["/dir/", "/dir/:name?/", { name: undefined }, "a pattern with a slash at the end keeps it"],
      ["/dir", "/:a?", { a: "dir" }, "and does not match without"],
      ["/dir/x/", "/dir/:name?/", { name: "x" }, "nor with the param supplied"],
      ["/dir/x", 404, "where it is missing"],
    ],
  },
  {
    patterns: ["/r/*", "/p/:path+", "/e/(a|b)", "/f/(a|b)/", "/g/(a)b/"],
    trailingSlash: "strict",
    rows: [
      ["/r", "/r/*", { "0": undefined }, "a rest of none"],
      ["/r/", "/r/*", { "0": "" }, "a rest of the empty text"],
      ["/r/a/", "/r/*", { "0": "a/" }, "a rest sees the path as it is, as ever"],
      ["/p/", 404, "one or more segments"],
      ["/e/a", "/e/(a|b)", { "0": "a" }, "an expression"],
      ["/e/a/", 404, "without the slash"],
      ["/f/a/", "/f/(a|b)/", { "0": "a" }, "an expression and a slash"],
      ["/f/a", 404, "which is required"],
      ["/g/ab/", "/g/(a)b/", { "0": "a" }, "literal text and a slash"],
      ["/g/ab", 404, "which is required as well"],
    ],
  },
  {
    patterns: ["//", "/a//", "/b//c"],
    trailingSlash: "strict",
    rows: [
      ["//", "//", {}, "an empty segment and a slash"],
      ["/", 404, "not the root"],
      ["/a//", "/a//", {}, "two slashes at the end"],
      ["/a/", 404, "not one"],
      ["/b//c", "/b//c", {}, "an inner empty segment"],
    ],
  },
];
