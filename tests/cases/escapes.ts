import type { CaseTable } from "./case.ts";

/** C4.2 and C4.3: percent-encoding, plain Unicode and backslashes in patterns. */
export const escapes: readonly CaseTable[] = [
  {
    patterns: ["/café", "/naïve/:näme?"],
    rows: [
      ["/café", "/café", {}, "a pattern in plain Unicode, a path in plain Unicode"],
      ["/caf%C3%A9", "/café", {}, "the path may be encoded"],
      ["/caf%c3%a9", "/café", {}, "in lower case as well"],
      ["/cafe%CC%81", 404, "the decomposed form is another text"],
      ["/cafe\u0301", 404, "also when written plainly"],
      ["/caf%E9", 404, "Latin-1 is another text"],
      ["/na%C3%AFve/x", "/naïve/:näme?", { näme: "x" }, "a name in plain Unicode"],
    ],
  },
  {
    patterns: ["/caf%c3%a8", "/%61%62c", "/x%2fy", "/50%"],
    rows: [
      ["/cafè", "/caf%c3%a8", {}, "a pattern may be written encoded"],
      ["/abc", "/%61%62c", {}, "its needless escapes are decoded"],
      ["/%61bc", "/%61%62c", {}, "in the path as well"],
      ["/%2561bc", 404, "an encoded percent sign stays"],
      ["/x%2Fy", "/x%2fy", {}, "an encoded slash in a pattern matches an encoded slash"],
      ["/x%2fy", "/x%2fy", {}, "in either case"],
      ["/x/y", 404, "and never a slash"],
      ["/50%", "/50%", {}, "a percent sign that begins no escape is a character"],
      ["/50%25", 404, "not the same as an encoded one"],
    ],
  },
  {
    patterns: ["/\\%41", "/\\%2542"],
    rows: [
      ["/A", "/\\%41", {}, "a backslash takes no meaning from a percent sign"],
      ["/%2541", 404, "it does not make text of the escape"],
      ["/%2542", "/\\%2542", {}, "the text %42 is written %2542"],
      ["/B", 404, "which is decoded once"],
    ],
  },
  {
    patterns: ["/%7Euser/%2D%2E%5F", "/a%3Ab", "/a\\:b"],
    rows: [
      ["/~user/-._", "/%7Euser/%2D%2E%5F", {}, "all unreserved characters are decoded"],
      ["/%7euser/%2d%2e%5f", "/%7Euser/%2D%2E%5F", {}, "in lower case too"],
      ["/a%3ab", "/a%3Ab", {}, "a reserved character stays encoded"],
      ["/a:b", "/a\\:b", {}, "its plain form is another text"],
    ],
  },
  {
    patterns: ["/\\:id", "/\\(a\\)", "/\\*", "/a\\?", "/a\\#b", "/\\{x\\}", "/a\\\\b", "/\\b"],
    rows: [
      ["/:id", "/\\:id", {}, "an escaped colon is a colon"],
      ["/(a)", "/\\(a\\)", {}, "escaped parentheses are parentheses"],
      ["/*", "/\\*", {}, "an escaped asterisk is an asterisk"],
      ["/a%3F", "/a\\?", {}, "an escaped question mark matches an encoded one"],
      ["/a?", 404, "and never the query"],
      ["/a%23b", "/a\\#b", {}, "an escaped number sign matches an encoded one"],
      ["/a#b", 404, "and never the fragment"],
      ["/%7Bx%7D", "/\\{x\\}", {}, "escaped braces match encoded ones"],
      ["/{x}", "/\\{x\\}", {}, "and plain ones, which the URL parser encodes"],
      ["/a%5Cb", "/a\\\\b", {}, "an escaped backslash matches an encoded one"],
      ["/a\\b", 404, "and never a plain one, which is a slash"],
      ["/b", "/\\b", {}, "any character may be escaped"],
    ],
  },
  {
    patterns: ["/a b", "/%20", "/<tag>", '/"q"', "/`", "/[x]|^"],
    rows: [
      ["/a%20b", "/a b", {}, "a space in a pattern is encoded"],
      ["/a b", "/a b", {}, "in a path too"],
      ["/a+b", 404, "a plus sign is no space"],
      ["/%20", "/%20", {}, "an encoded space alone"],
      ["/%3Ctag%3E", "/<tag>", {}, "angle brackets are encoded"],
      ["/%22q%22", '/"q"', {}, "so are quotation marks"],
      ["/`", "/`", {}, "and backticks"],
      ["/[x]|^", "/[x]|^", {}, "brackets, bars and carets are not"],
      ["/[x]|%5E", "/[x]|^", {}, "a caret is the same encoded: URL parsers differ in it"],
      ["/%5Bx%5D|^", 404, "an encoded bracket is not the same"],
    ],
  },
  {
    patterns: ["/👋/:x", "/:x-\\:y", "/a.:x\\?"],
    rows: [
      ["/%F0%9F%91%8B/1", "/👋/:x", { x: "1" }, "a code point outside the basic plane"],
      ["/👋/👋", "/👋/:x", { x: "👋" }, "in the path as well"],
      ["/1-:y", "/:x-\\:y", { x: "1" }, "an escaped colon behind a param"],
      ["/a.1%3F", "/a.:x\\?", { x: "1" }, "an escaped question mark behind a param"],
    ],
  },
  {
    patterns: ["/%zz", "/%4", "/%%361"],
    rows: [
      ["/%zz", "/%zz", {}, "what is no escape is matched as it stands"],
      ["/%ZZ", 404, "and its letters keep their case"],
      ["/%4", "/%4", {}, "half an escape"],
      ["/%%361", "/%%361", {}, "an escape that would complete a percent sign stays encoded"],
      ["/%%36%31", "/%%361", {}, "the one behind it is decoded"],
      ["/%61", 404, "so that nothing is decoded twice"],
      ["/a", 404, "nor three times"],
    ],
  },
];
