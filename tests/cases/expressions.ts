import type { CaseTable } from "./case.ts";

/** C4.3: expressions. From the first one on, the rest of a pattern is one expression. */
export const expressions: readonly CaseTable[] = [
  {
    patterns: ["/([0-9]$)"],
    rows: [
      ["/7", "/([0-9]$)", { "0": "7" }, "an expression is read by its number"],
      ["/%37", "/([0-9]$)", { "0": "7" }, "it is matched on the canonical path"],
      ["/77", 404, "it says where the path ends"],
      ["/7/", 404, "it sees a slash at the end"],
      ["/a", 404, "and what else is there"],
      ["/", 404, "or is not"],
    ],
  },
  {
    patterns: ["/(.+\\.jpg)"],
    rows: [
      ["/a.jpg", "/(.+\\.jpg)", { "0": "a.jpg" }, "an expression as the only segment"],
      ["/a/b/c.jpg", "/(.+\\.jpg)", { "0": "a/b/c.jpg" }, "an expression may match slashes"],
      ["/a//b.jpg", "/(.+\\.jpg)", { "0": "a//b.jpg" }, "and empty segments"],
      ["/%C3%A9/b.jpg", "/(.+\\.jpg)", { "0": "é/b.jpg" }, "its value is decoded"],
      ["/%zz/b.jpg", "/(.+\\.jpg)", { "0": 400 }, "or cannot be"],
      ["/a.jpg/", 404, "the pattern ends in an expression, so the slash counts"],
      ["/a.jpg/b", 404, "it must reach the end of the path"],
      ["/.jpg", 404, "a dot needs a character in front of it"],
    ],
  },
  {
    patterns: ["/files/(a|b)/x"],
    rows: [
      ["/files/a/x", "/files/(a|b)/x", { "0": "a" }, "an expression between static segments"],
      ["/files/b/x/", "/files/(a|b)/x", { "0": "b" }, "the pattern does not end in it: the slash is ignored"],
      ["/files/c/x", 404, "neither alternative"],
      ["/files/a/y", 404, "the segment behind differs"],
      ["/files/ab/x", 404, "alternatives do not add up"],
      ["/file/a/x", 404, "the segment in front differs"],
    ],
  },
  {
    patterns: ["/(a|ab)(c|bcd)(d*)"],
    rows: [
      [
        "/abcd",
        "/(a|ab)(c|bcd)(d*)",
        { "0": "a", "1": "bcd", "2": "" },
        "adjacent expressions, the first way that fits",
      ],
      ["/acdd", "/(a|ab)(c|bcd)(d*)", { "0": "a", "1": "c", "2": "dd" }, "another way"],
      [
        "/abc",
        "/(a|ab)(c|bcd)(d*)",
        { "0": "ab", "1": "c", "2": "" },
        "the first alternative is given up if it must be",
      ],
      ["/ab", 404, "no way"],
    ],
  },
  {
    patterns: ["/((a)(b)?)/((?:c|d))/:id"],
    rows: [
      ["/ab/c/7", "/((a)(b)?)/((?:c|d))/:id", { "0": "ab", "1": "c", id: "7" }, "inner groups shift no numbers"],
      ["/a/d/7", "/((a)(b)?)/((?:c|d))/:id", { "0": "a", "1": "d", id: "7" }, "also if they took no part"],
      ["/b/c/7", 404, "the first expression refuses"],
    ],
  },
  {
    patterns: ["/:user/(\\d+)/:more?"],
    rows: [
      ["/ada/7", "/:user/(\\d+)/:more?", { user: "ada", "0": "7", more: undefined }, "an optional behind, absent"],
      ["/ada/7/x", "/:user/(\\d+)/:more?", { user: "ada", "0": "7", more: "x" }, "an optional behind, supplied"],
      ["/ada/7/x/", "/:user/(\\d+)/:more?", { user: "ada", "0": "7", more: "x" }, "the slash at the end is ignored"],
      ["/ada/7/x/y", 404, "one segment too many"],
      ["/ada/x", 404, "the expression refuses"],
    ],
  },
  {
    patterns: ["/v(\\d+)/status"],
    rows: [
      ["/v12/status", "/v(\\d+)/status", { "0": "12" }, "literal text in front of an expression"],
      ["/v/status", 404, "nothing for it to match"],
      ["/12/status", 404, "the literal is missing"],
    ],
  },
  {
    patterns: ["/(\\d+)-:name.html"],
    rows: [
      ["/7-a.html", "/(\\d+)-:name.html", { "0": "7", name: "a" }, "an expression and a param in one segment"],
      ["/7-a-b.html.html", "/(\\d+)-:name.html", { "0": "7", name: "a-b.html" }, "the param takes all but the end"],
      ["/7-.html", 404, "the param would be empty"],
      ["/7-a/b.html", 404, "a param does not match a slash"],
    ],
  },
  {
    patterns: ["/:name-(\\d+)"],
    rows: [
      ["/a-7", "/:name-(\\d+)", { name: "a", "0": "7" }, "a param in front of an expression"],
      ["/a-b-7", 404, "it takes the shortest text, and no other is tried"],
      ["/a-7/", 404, "the pattern ends in an expression: the slash counts"],
    ],
  },
  {
    patterns: ["/(x)/:id(\\d+)5", "/(y)/:id\\5"],
    rows: [
      ["/x/75", "/(x)/:id(\\d+)5", { "0": "x", id: "7" }, "a digit behind a constraint is literal text"],
      ["/x/755", "/(x)/:id(\\d+)5", { "0": "x", id: "75" }, "which is taken off once"],
      ["/x/5", 404, "and leaves nothing for the value"],
      ["/y/a5", "/(y)/:id\\5", { "0": "y", id: "a" }, "a digit behind a param too"],
    ],
  },
  {
    patterns: ["/(.+?)/(.+?)/z"],
    rows: [
      ["/a/b/c/z", "/(.+?)/(.+?)/z", { "0": "a", "1": "b/c" }, "a lazy expression takes little first"],
      ["/a/z", 404, "but needs something"],
    ],
  },
  {
    patterns: ["/(.+)/(.+)/z"],
    rows: [["/a/b/c/z", "/(.+)/(.+)/z", { "0": "a/b", "1": "c" }, "a greedy one takes much first"]],
  },
];
