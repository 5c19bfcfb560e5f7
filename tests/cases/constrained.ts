import type { CaseTable } from "./case.ts";

/** C4.3: constrained params. */
export const constrained: readonly CaseTable[] = [
  {
    patterns: ["/users/:id(\\d+)"],
    rows: [
      ["/users/7", "/users/:id(\\d+)", { id: "7" }, "a constraint accepts"],
      ["/users/0123456789", "/users/:id(\\d+)", { id: "0123456789" }, "the whole segment"],
      ["/users/7/", "/users/:id(\\d+)", { id: "7" }, "a slash at the end is ignored"],
      ["/users/%37", "/users/:id(\\d+)", { id: "7" }, "an encoded digit is a digit"],
      ["/users/7a", 404, "it must match the segment entirely, to the end"],
      ["/users/a7", 404, "and from the beginning"],
      ["/users/", 404, "it needs a segment"],
      ["/users/7/8", 404, "it is one segment"],
      ["/users/7%2F8", 404, "an encoded slash is no digit"],
      ["/users/٧", 404, "a digit of another script is encoded, and no \\d"],
    ],
  },
  {
    patterns: ["/files/:name([a-z/?]+)", "/files/:name([a-z/?]+)/raw"],
    rows: [
      ["/files/a", "/files/:name([a-z/?]+)", { name: "a" }, "characters of a class"],
      [
        "/files/a?b=c/d",
        "/files/:name([a-z/?]+)",
        { name: "a" },
        "a query is no part of the path, whatever the class has",
      ],
      ["/files/a/raw", "/files/:name([a-z/?]+)/raw", { name: "a" }, "nor does it see a slash"],
      ["/files/a/b/raw", 404, "a param with a constraint is one segment"],
      ["/files/a/b", 404, "also at the end"],
    ],
  },
  {
    patterns: ["/a/b/:id(\\d+)", "/a/b/:id(\\d+)/c", "/a/:x/:y"],
    rows: [
      ["/a/b/7", "/a/b/:id(\\d+)", { id: "7" }, "the longest static text comes first"],
      ["/a/b/7x", "/a/:x/:y", { x: "b", y: "7x" }, "where the constraint refuses, the next pattern is tried"],
      ["/a/b/x", "/a/:x/:y", { x: "b", y: "x" }, "also at once"],
      ["/a/b/7/c", "/a/b/:id(\\d+)/c", { id: "7" }, "it may go on behind it"],
      ["/a/b/7/d", 404, "or fail there"],
    ],
  },
  {
    patterns: ["/:x(a|ab)/c"],
    rows: [
      ["/a/c", "/:x(a|ab)/c", { x: "a" }, "the first alternative"],
      ["/ab/c", "/:x(a|ab)/c", { x: "ab" }, "the second, though the first begins it"],
      ["/abb/c", 404, "neither"],
    ],
  },
  {
    patterns: ["/:any(.*)/end"],
    rows: [
      ["/a/end", "/:any(.*)/end", { any: "a" }, "a named expression that matches anything stays in its segment"],
      ["/a/b/end", 404, "it does not match a slash"],
      ["//end", 404, "nor an empty segment, although its expression would"],
    ],
  },
  {
    patterns: ["/:code([A-Z]{2}-[0-9]{3})"],
    rows: [
      ["/AB-123", "/:code([A-Z]{2}-[0-9]{3})", { code: "AB-123" }, "counted repetitions"],
      ["/ab-123", 404, "an expression is case-sensitive too"],
      ["/AB-1234", 404, "one digit too many"],
    ],
  },
  {
    patterns: ["/:part((x)(y)?(?:z))"],
    rows: [
      ["/xyz", "/:part((x)(y)?(?:z))", { part: "xyz" }, "groups inside are allowed and not readable"],
      ["/xz", "/:part((x)(y)?(?:z))", { part: "xz" }, "also when they take no part"],
      ["/yz", 404, "and count as what they are"],
    ],
  },
  {
    patterns: ["/:sign([$^]+)"],
    rows: [
      ["/$^", "/:sign([$^]+)", { sign: "$^" }, "in a character class both are characters"],
      ["/a", 404, "as ever, only those of the class"],
    ],
  },
  {
    patterns: ["/:price(\\$\\d+)"],
    rows: [
      ["/$5", "/:price(\\$\\d+)", { price: "$5" }, "an escaped $ is a character"],
      ["/5", 404, "which is required"],
    ],
  },
  {
    patterns: ["/:x((?!new(?!.))[a-z]+)"],
    rows: [
      ["/old", "/:x((?!new(?!.))[a-z]+)", { x: "old" }, "look-ahead excludes a word"],
      ["/newer", "/:x((?!new(?!.))[a-z]+)", { x: "newer" }, "but not a longer one"],
      ["/new", 404, "the word itself"],
    ],
  },
  {
    patterns: ["/:x([a-z]+(?!.))/:y"],
    rows: [["/ab/c", "/:x([a-z]+(?!.))/:y", { x: "ab", y: "c" }, "look-ahead does not see the next segment"]],
  },
  {
    patterns: ["/:name([^/]+)"],
    rows: [
      ["/é", "/:name([^/]+)", { name: "é" }, "expressions see the encoded text, values are decoded"],
      ["/%E9", "/:name([^/]+)", { name: 400 }, "what an expression accepts may still be undecodable"],
    ],
  },
  {
    patterns: ["/:letter(%C3%A9|%C3%A8)"],
    rows: [
      ["/é", "/:letter(%C3%A9|%C3%A8)", { letter: "é" }, "an expression writes non-ASCII letters encoded"],
      ["/%c3%a8", "/:letter(%C3%A9|%C3%A8)", { letter: "è" }, "in upper case, whatever the path had"],
      ["/e", 404, "the letter without its accent is another"],
    ],
  },
  {
    patterns: ["/:paren(\\(\\d\\)|[)(]+)"],
    rows: [
      ["/(7)", "/:paren(\\(\\d\\)|[)(]+)", { paren: "(7)" }, "escaped parentheses do not count"],
      ["/)(", "/:paren(\\(\\d\\)|[)(]+)", { paren: ")(" }, "nor do those in a class"],
      ["/7", 404, "the parentheses belong to the path"],
    ],
  },
];
