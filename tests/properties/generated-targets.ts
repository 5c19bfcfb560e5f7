import fc from "fast-check";

/** Text of any code points, lone surrogates too; fast-check's own takes a second to begin. */
export function anyText(maxLength = 12): fc.Arbitrary<string> {
  const codePoints = fc.oneof(fc.nat(127), fc.nat(0xffff), fc.nat(0x10ffff));
  return fc.array(codePoints, { maxLength }).map((points) => String.fromCodePoint(...points));
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
