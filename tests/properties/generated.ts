import fc from "fast-check";
import { PathIndexBuilder, type TrailingSlash } from "../../src/routing/path-index-builder.ts";
import { parsePathPattern } from "../../src/routing/path-pattern.ts";

/** Text of any code points, lone surrogates too; fast-check's own takes a second to begin. */
export function anyText(maxLength = 12): fc.Arbitrary<string> {
  const codePoints = fc.oneof(fc.nat(127), fc.nat(0xffff), fc.nat(0x10ffff));
  return fc.array(codePoints, { maxLength }).map((points) => String.fromCodePoint(...points));
}

/** A segment of a generated pattern: its source, with numbers where names go, and texts that it matches, or nearly does. */
type Part = readonly [source: string, ...samples: string[]];

const statics: readonly Part[] = [
  ["a", "a", "%61", "A"],
  ["b", "b"],
  ["ab", "ab", "a", "abc"],
  ["a-b", "a-b"],
  ["users", "users", "user", "%75sers"],
  ["me", "me", "m%65"],
  ["", ""],
  ["x.json", "x.json", "x%2Ejson"],
  ["v1", "v1"],
  ["@a", "@a", "%40a"],
  ["café", "café", "caf%C3%A9", "caf%c3%a9"],
  ["%2F", "%2F", "%2f", "/"],
  ["%zz", "%zz", "%ZZ"],
  ["constructor", "constructor"],
  ["__proto__", "__proto__"],
  ["\\:a\\(\\*", ":a(*"],
  ["^|", "^|", "%5E|"],
  ["a b", "a b", "a%20b"],
  ["..a", "..a"],
];

const affixed: readonly Part[] = [
  ["v:1", "v1", "v", "v1.2", "av1"],
  ["@:1", "@a", "@"],
  [":1.json", "x.json", ".json", "x.json.json"],
  [":1.:2", "x.json", "x.tar.gz", "x.", ".x"],
  [":1-:2", "a-b", "-a-b", "a-", "a--b", "-a-"],
  [":1-:2-", "a-b-", "a--", "a---"],
  [":1-:2-:3", "a-b-a", "a-b", "a---b"],
  [":1--:2", "a--b", "a-b--a"],
  [":1-a-:2", "b-a-b", "a-a-a-a"],
  [":1(\\d+).json", "7.json", "x.json"],
  [":1(\\d+)-:2", "7-a", "a-7"],
  [":1-:2([a-z]+)", "a-b", "a-7", "a-b-b"],
  [":1-:2(\\d$)", "a-7", "a-77"],
  ["%:1", "%a", "%41"],
];

const constrained: readonly Part[] = [
  [":1(\\d+)", "7", "42", "a", "7a"],
  [":1([a-z]+)", "a", "ab", "A"],
  [":1(a|ab)", "a", "ab", "abc"],
  [":1(.+)", "a", "%2F"],
  [":1(.*)", "a", ""],
  [":1([^-]+)", "a", "a-b"],
  [":1(a$)", "a"],
  [":1(^a)", "a"],
  [":1((a)(b)?)", "a", "ab"],
  [":1(.+?)", "a", "ab"],
  [":1((?!a).*)", "b", "a"],
  [":1([\\w.-]+)", "a-b", "x.json", "é"],
  [":1([$^]|a[)]?)", "$", "^", "a)"],
];

const expressions: readonly Part[] = [
  ["([0-9]$)", "7", "77"],
  ["(.+\\.jpg)", "a.jpg", "a/b.jpg", ".jpg"],
  ["(a|b)", "a", "b", "ab"],
  ["(a|ab)(b|)", "a", "ab", "abb"],
  ["([a-z/]+)", "a", "a/b", "a//b/"],
  ["([a-z/]+?)", "a", "a/b"],
  ["(.*)", "", "a", "a/b"],
  ["(.+)", "a", "a/7/b"],
  ["v(\\d+)", "v1", "v12"],
  ["(\\d+)-:1", "7-a", "7-7-a", "-a"],
  [":1-(\\d+)", "a-7", "a-b-7"],
  [":1(\\d+)-(a|b/a)", "7-a", "7-b/a", "a-a"],
  ["(\\d)x:1(\\d)5", "7x75", "7x7"],
  ["(x*)", "", "x", "xx"],
  ["((?=.*b).*)", "ab", "a/b", "a"],
  ["(a/b|a)", "a/b", "a"],
  ["((?!a)[^/]*)", "b", "a"],
  ["(^/a)", "a"],
  ["((a)|(b)c?)", "a", "b"],
];

const param: Part = [":1", "a", "7", "ab", "%2F", "%zz", "%FF", "constructor", ""];
const segments: fc.Arbitrary<Part> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...statics) },
  { weight: 2, arbitrary: fc.constant(param) },
  { weight: 2, arbitrary: fc.constantFrom(...affixed) },
  { weight: 2, arbitrary: fc.constantFrom(...constrained) },
  { weight: 2, arbitrary: fc.constantFrom(...expressions) },
);
const optionals = fc.array(
  fc.constantFrom<Part>([":1?", ...param.slice(1)], [":1?", "a", "b"], [":1(\\d+)?", "7", "a"], [":1([ab]$)?", "a"]),
  { minLength: 1, maxLength: 3 },
);
const rests = fc.constantFrom<Part[]>(
  [[":1+", "a", "a/b", "", "/"]],
  [[":1*", "a", "a/b/", "", "%zz/a"]],
  [["*", "a", "", "a//b"]],
);
const slashes = fc.constantFrom<Part[]>([], [], [], [["", ""]]);

/** A pattern, and for each of its segments texts to build paths from. */
export interface GeneratedPattern {
  readonly source: string;
  readonly samples: readonly (readonly string[])[];
}

const names = ["id", "name", "constructor", "__proto__", "toString", "é", "$", "_"];

function patternOf(parts: readonly Part[]): GeneratedPattern {
  let count = 0;
  const source = parts.map(([text]) => `/${text.replace(/:\d/g, () => `:${names[count++] ?? `p${count}`}`)}`).join("");
  return { source: source === "" ? "/" : source, samples: parts.map(([, ...samples]) => samples) };
}

const patterns: fc.Arbitrary<GeneratedPattern> = fc
  .tuple(fc.array(segments, { maxLength: 4 }), fc.oneof(slashes, slashes, optionals, rests), slashes)
  .map(([body, tail, slash]) => {
    const isRest = tail.some(([source]) => /[+*]$/.test(source));
    return patternOf([...body, ...tail, ...(isRest ? [] : slash)]);
  });

/** Up to 40 patterns of all kinds. */
export const crowds: fc.Arbitrary<GeneratedPattern[]> = fc.array(patterns, {
  minLength: 1,
  maxLength: 40,
  size: "max",
});

/** The same, but mostly few: in a crowd the first segments decide. */
export const tables: fc.Arbitrary<GeneratedPattern[]> = fc.oneof(
  { weight: 9, arbitrary: fc.array(patterns, { minLength: 1, maxLength: 6, size: "max" }) },
  { weight: 1, arbitrary: crowds },
);

export const fewPatterns: fc.Arbitrary<GeneratedPattern[]> = fc.array(patterns, {
  minLength: 1,
  maxLength: 3,
  size: "max",
});

/** Leaves out patterns that match the same paths as an earlier one. */
export function withoutRivals(table: readonly GeneratedPattern[], trailingSlash: TrailingSlash): GeneratedPattern[] {
  const builder = new PathIndexBuilder<null>(trailingSlash);
  return table.filter(({ source }) => builder.add(parsePathPattern(source), null) === null);
}

export const trailingSlashes: fc.Arbitrary<TrailingSlash> = fc.constantFrom<TrailingSlash>("ignore", "strict");

/** Choices from which `pathFor` makes a path for a table: numbers, so that they can be made smaller one by one. */
export interface Choices {
  readonly pattern: number;
  readonly samples: readonly number[];
  readonly change: number;
  readonly place: number;
  readonly text: string;
}

const hostileTexts = [
  "",
  "/",
  "a",
  "7",
  "%",
  "%2F",
  "%2e",
  "..",
  ".",
  "%zz",
  "é",
  "\\",
  "\t",
  "//",
  "?",
  "#",
  "\0",
  "^",
  "%5e",
  "𝒳",
  "\ud800",
];

export const choices: fc.Arbitrary<Choices> = fc.record({
  pattern: fc.nat(39),
  samples: fc.array(fc.nat(7), { minLength: 8, maxLength: 8 }),
  change: fc.nat(11),
  place: fc.nat(40),
  text: fc.oneof(fc.constantFrom(...hostileTexts), anyText(3)),
});

/** A path that one of the patterns matches, or would but for one change. */
export function pathFor(
  table: readonly GeneratedPattern[],
  { pattern, samples, change, place, text }: Choices,
): string {
  const { samples: texts } = table[pattern % table.length]!;
  const parts = texts.map((some, index) => some[samples[index % 8]! % some.length]!);
  const path = `/${parts.join("/")}`;
  const at = 1 + (place % path.length);
  if (change === 0) return `${path}/`;
  if (change === 1) return `/${parts.slice(0, -1).join("/")}`;
  if (change === 2) return `${path}/${text}`;
  if (change === 3) return path.slice(0, at) + text + path.slice(at);
  if (change === 4) return path.slice(0, at) + text + path.slice(at + 1);
  if (change === 5) return `${path}?${text}`;
  if (change === 6) return encodedAt(path, at);
  if (change === 7) return path.slice(0, at);
  return path;
}

function encodedAt(path: string, at: number): string {
  const code = path.charCodeAt(at);
  return code < 128 ? `${path.slice(0, at)}%${code.toString(16).padStart(2, "0")}${path.slice(at + 1)}` : path;
}

/** Texts of which many are patterns. */
export const anyPatterns: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("/", "a", ":x", ":y", ":z", "-", "(a)", "(\\d+)", "?", "*", "+", "1") },
      { weight: 1, arbitrary: fc.constantFrom("(", ")", "\\", "[", "]", "|", "^", "$", "{", "}", "#", ".", "..", ":") },
      {
        weight: 1,
        arbitrary: fc.constantFrom("(.*)", "(.+)", "((a)b?)", "(?:", "%61", "%2f", "%", "é", " ", "\\(", "(a$)"),
      },
    ),
    { maxLength: 9 },
  )
  .map((pieces) => `/${pieces.join("")}`);

const pathPieces = fc.constantFrom(
  ...[
    "/",
    "/",
    "/",
    "//",
    "\\",
    "a",
    "b",
    "..",
    ".",
    "/.a",
    "/..",
    "/.",
    "%2e",
    "%2E",
    "%2f",
    "%61",
    "%C3%A9",
    "%c3",
    "%",
    "%4",
    "%zz",
    "%%36%31",
  ],
  ...[
    "é",
    "𝒳",
    "\ud800",
    " ",
    "\t",
    "\n",
    "\0",
    "?",
    "#",
    ":",
    "@",
    ";",
    "^",
    "|",
    "[",
    "]",
    "{",
    "`",
    '"',
    "<",
    "'",
    "&",
    "*",
    "~",
    "-",
    "_",
  ],
);
const paths = fc.array(pathPieces, { maxLength: 12 }).map((pieces) => pieces.join(""));

const origins = fc.constantFrom(
  ...[
    "http://h",
    "https://h",
    "HTTP://H",
    "http://h.example:8080",
    "http://u:p@h",
    "http://[::1]:80",
    "http://127.0.0.1",
  ],
  ...[
    "http://1",
    "http://0x7f.1",
    "http://münchen.de",
    "http://h:0",
    "http://h:65535",
    "http:/h",
    "http:h",
    "http:\\\\h",
    "http:///h",
  ],
  ...[
    "https://h%41",
    "http://a_b",
    "http://-a",
    "http://a-",
    "http://a..b",
    "http://xn--a",
    "http://H.",
    "hTTps://h@h:1",
    "http://h:59999",
  ],
);

/** Texts that may be `http` and `https` URLs. */
export const urls: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(origins, paths).map(([origin, path]) => origin + path) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(origins, paths, paths, paths)
      .map(([origin, path, query, end]) => `${origin}/${path}?${query}#${end}`),
  },
  { weight: 1, arbitrary: anyText().map((text) => `http://h/${text}`) },
  { weight: 1, arbitrary: fc.string().map((text) => `https://${text}`) },
);

/** Request targets of any form. */
export const targets: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: paths.map((path) => `/${path}`) },
  { weight: 2, arbitrary: urls },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "*",
      "?x",
      "h:80",
      "javascript:x",
      "data:,/a",
      "foo://h/a",
      "foo:/a/../b",
      "file:///a",
      "http://[",
    ),
  },
  { weight: 1, arbitrary: anyText() },
);
