import type { CaseTable } from "./case.ts";

/** C4.3: what expressions see, and what stands behind them. */
export const aroundExpressions: readonly CaseTable[] = [
  {
    patterns: ["/(\\w+)/:id(\\d+)/x:n(\\d)"],
    rows: [
      ["/a/12/x3", "/(\\w+)/:id(\\d+)/x:n(\\d)", { "0": "a", id: "12", n: "3" }, "constraints behind an expression"],
      ["/a/12x/x3", 404, "the first of them refuses"],
      ["/a/12/x33", 404, "the second refuses"],
    ],
  },
  {
    patterns: ["/(a(?=/b))/:x", "/(c(?!/d))/:x"],
    rows: [
      ["/a/b", "/(a(?=/b))/:x", { "0": "a", x: "b" }, "look-ahead sees what follows in the path"],
      ["/a/c", 404, "and may refuse for it"],
      ["/c/x", "/(c(?!/d))/:x", { "0": "c", x: "x" }, "negative look-ahead"],
      ["/c/d", 404, "which refuses"],
    ],
  },
  {
    patterns: ["/a/(^/a/b)"],
    rows: [["/a/b", 404, "^ holds at the beginning of the path only, which is not here"]],
  },
  {
    patterns: ["/a/((?<=^/a/)b)"],
    rows: [["/a/b", "/a/((?<=^/a/)b)", { "0": "b" }, "look-behind sees the path from its beginning"]],
  },
  {
    patterns: ["/docs/(index\\.html)/"],
    rows: [
      ["/docs/index.html", "/docs/(index\\.html)/", { "0": "index.html" }, "a pattern that ends in a slash ignores it"],
      ["/docs/index.html/", "/docs/(index\\.html)/", { "0": "index.html" }, "in the path as well"],
      ["/docs/index.html//", 404, "one slash only"],
    ],
  },
  {
    patterns: ["/x(a|b)c"],
    rows: [
      ["/xac/", "/x(a|b)c", { "0": "a" }, "a pattern that ends in literal text ignores the slash"],
      ["/xbc", "/x(a|b)c", { "0": "b" }, "and matches without it"],
    ],
  },
  {
    patterns: ["/list/((?:\\d+,)*\\d+)"],
    rows: [
      ["/list/1,2,3", "/list/((?:\\d+,)*\\d+)", { "0": "1,2,3" }, "a comma separated list"],
      ["/list/1,", 404, "which must not end in a comma"],
    ],
  },
  {
    patterns: ["/empty/(x*)", "/none/(x*)/y"],
    rows: [
      ["/empty/", "/empty/(x*)", { "0": "" }, "an expression may match the empty text behind the slash"],
      ["/empty", 404, "without the slash there is no place for it"],
      ["/none//y", "/none/(x*)/y", { "0": "" }, "it may match an empty segment"],
      ["/none/y", 404, "whose slashes must be there"],
    ],
  },
  {
    patterns: ["/(\\d{4})/:rest*", "/t/(\\d+)/*", "/u/(\\d+)/:rest+"],
    rows: [
      ["/2026", "/(\\d{4})/:rest*", { "0": "2026", rest: undefined }, "a rest behind an expression, of no segments"],
      ["/2026/", "/(\\d{4})/:rest*", { "0": "2026", rest: "" }, "behind the slash it is empty"],
      ["/2026/a/b/", "/(\\d{4})/:rest*", { "0": "2026", rest: "a/b/" }, "or what is left of the path as it is"],
      ["/t/7/a", "/t/(\\d+)/*", { "0": "7", "1": "a" }, "a rest without a name counts on"],
      ["/t/7", "/t/(\\d+)/*", { "0": "7", "1": undefined }, "and may be absent"],
      ["/u/7/a", "/u/(\\d+)/:rest+", { "0": "7", rest: "a" }, "one or more segments behind an expression"],
      ["/u/7/", 404, "not none"],
    ],
  },
];
