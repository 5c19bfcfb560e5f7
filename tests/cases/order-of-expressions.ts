import type { CaseTable } from "./case.ts";

/** C4.5: different expressions at one place are tried in the order of registration; what goes on behind equal ones. */
export const orderOfExpressions: readonly CaseTable[] = [
  {
    patterns: ["/:word(\\w+)", "/:digits(\\d+)"],
    isOrdered: true,
    rows: [
      ["/7", "/:word(\\w+)", { word: "7" }, "two different constraints: the first one registered"],
      ["/a", "/:word(\\w+)", { word: "a" }, "whether or not the second would match"],
    ],
  },
  {
    patterns: ["/:digits(\\d+)", "/:word(\\w+)"],
    isOrdered: true,
    rows: [
      ["/7", "/:digits(\\d+)", { digits: "7" }, "the other way round"],
      ["/a", "/:word(\\w+)", { word: "a" }, "what the first refuses is the second's"],
    ],
  },
  {
    patterns: ["/(\\w+)", "/:digits(\\d+)", "/(\\d+)/x", "/:digits(\\d+)/x"],
    isOrdered: true,
    rows: [
      ["/7", "/(\\w+)", { "0": "7" }, "an expression and a constrained param: the first one registered"],
      ["/7/", "/:digits(\\d+)", { digits: "7" }, "an expression that fails hides nothing"],
      ["/7/x", "/:digits(\\d+)/x", { digits: "7" }, "the order is that in which the segments were first seen"],
    ],
  },
  {
    patterns: ["/(a.*)/x", "/(.*b)/x", "/(a.*)"],
    isOrdered: true,
    rows: [
      ["/ab/x", "/(a.*)/x", { "0": "ab" }, "two expressions: the first one registered"],
      ["/cb/x", "/(.*b)/x", { "0": "cb" }, "what it refuses is the second's"],
      ["/ab", "/(a.*)", { "0": "ab" }, "an equal expression stands where the first of its kind does"],
      ["/ac/x", "/(a.*)/x", { "0": "ac" }, "of equal expressions, the one that goes on wins"],
    ],
  },
  {
    patterns: ["/([a-z/]+)", "/([a-z/]+)/:n(\\d)", "/([a-z/]+)/:any", "/([a-z/]+)/:p*"],
    rows: [
      ["/a/b/7", "/([a-z/]+)/:n(\\d)", { "0": "a/b", n: "7" }, "behind equal expressions the kinds decide"],
      ["/a/b/A", "/([a-z/]+)/:any", { "0": "a/b", any: "A" }, "one after the other"],
      ["/a/b/A/7", "/([a-z/]+)/:p*", { "0": "a/b", p: "A/7" }, "to the last"],
      ["/a", "/([a-z/]+)", { "0": "a" }, "one that ends wins over a rest of none"],
    ],
  },
];
