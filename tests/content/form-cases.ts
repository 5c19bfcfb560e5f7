/** A member of a form, as it is read: the value of a field, or a file. */
export type FormMember = readonly [name: string, value: string | ReadFile];

export interface ReadFile {
  readonly fileName: string;
  /** What the client claims. */
  readonly type: string;
  readonly content: string;
}

export interface FormCase {
  readonly because: string;
  readonly boundary: string;
  /** Lines, joined by CRLF. */
  readonly lines: readonly string[];
  readonly expect: readonly FormMember[] | 400 | 413;
}

const text = (fileName: string, content: string, type = "text/plain"): ReadFile => ({ fileName, type, content });

/** A form of one part with a value of `Content-Disposition`, and what is read of it. */
function disposed(because: string, disposition: string, expect: FormCase["expect"]): FormCase {
  return part(because, [`Content-Disposition: ${disposition}`], expect);
}

function part(because: string, fields: readonly string[], expect: FormCase["expect"]): FormCase {
  return { because, boundary: "B", lines: ["--B", ...fields, "", "a", "--B--", ""], expect };
}

/** As the clients of the field write forms. */
const clients: readonly FormCase[] = [
  {
    because: "Chromium: a field, an empty field, a file, a file input where none was chosen",
    boundary: "----WebKitFormBoundaryTB2MiQ36fnSJlrhY",
    lines: [
      "------WebKitFormBoundaryTB2MiQ36fnSJlrhY",
      'Content-Disposition: form-data; name="title"',
      "",
      "Zwei Wörter",
      "------WebKitFormBoundaryTB2MiQ36fnSJlrhY",
      'Content-Disposition: form-data; name="empty"',
      "",
      "",
      "------WebKitFormBoundaryTB2MiQ36fnSJlrhY",
      'Content-Disposition: form-data; name="cover"; filename="größe %22 b.txt"',
      "Content-Type: text/plain",
      "",
      "a",
      "b",
      "------WebKitFormBoundaryTB2MiQ36fnSJlrhY",
      'Content-Disposition: form-data; name="other"; filename=""',
      "Content-Type: application/octet-stream",
      "",
      "",
      "------WebKitFormBoundaryTB2MiQ36fnSJlrhY--",
      "",
    ],
    expect: [
      ["title", "Zwei Wörter"],
      ["empty", ""],
      ["cover", text('größe " b.txt', "a\r\nb")],
      ["other", text("", "", "application/octet-stream")],
    ],
  },
  {
    because: "Firefox: many hyphens in the boundary, and a name with what browsers escape",
    boundary: "---------------------------9051914041544843365972754266",
    lines: [
      "-----------------------------9051914041544843365972754266",
      'Content-Disposition: form-data; name="a%0D%0A%22"',
      "",
      "--",
      "-----------------------------9051914041544843365972754266--",
      "",
    ],
    expect: [['a\r\n"', "--"]],
  },
  {
    because: "curl: a quote escaped by a backslash in older versions",
    boundary: "------------------------d74496d66958873e",
    lines: [
      "--------------------------d74496d66958873e",
      'Content-Disposition: form-data; name="file"; filename="a\\"b\\\\c.txt"',
      "Content-Type: text/plain",
      "",
      "hello",
      "--------------------------d74496d66958873e--",
      "",
    ],
    expect: [["file", text("c.txt", "hello")]],
  },
  {
    because: ".NET: names without quotes, filename*, the type first, the boundary in quotes",
    boundary: '"7427efb8-6ce7-4740-9198-d90399842641"',
    lines: [
      "--7427efb8-6ce7-4740-9198-d90399842641",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Disposition: form-data; name=title",
      "",
      "abc",
      "--7427efb8-6ce7-4740-9198-d90399842641",
      "Content-Type: image/png",
      "Content-Disposition: form-data; name=cover; filename=\"=?utf-8?B?w6Ruw6QucG5n?=\"; filename*=utf-8''%C3%A4n%C3%A4.png",
      "",
      "png",
      "--7427efb8-6ce7-4740-9198-d90399842641--",
      "",
    ],
    expect: [
      ["title", "abc"],
      ["cover", text("änä.png", "png", "image/png")],
    ],
  },
  disposed(".NET: a name with spaces, and no quotes", "form-data; name=two words", [["two words", "a"]]),
  disposed(".NET: a name that is not ASCII", 'form-data; name="=?utf-8?B?dMOkZ3M=?="', [["tägs", "a"]]),
  {
    because: "Python, requests: no type of fields, a type of files",
    boundary: "d1bf46b3aa334061b28d6c5ced8b08ee",
    lines: [
      "--d1bf46b3aa334061b28d6c5ced8b08ee",
      'Content-Disposition: form-data; name="title"',
      "",
      "Ada",
      "--d1bf46b3aa334061b28d6c5ced8b08ee",
      'Content-Disposition: form-data; name="file"; filename="a.csv"',
      "Content-Type: text/csv",
      "",
      "1,2",
      "--d1bf46b3aa334061b28d6c5ced8b08ee--",
      "",
    ],
    expect: [
      ["title", "Ada"],
      ["file", text("a.csv", "1,2", "text/csv")],
    ],
  },
  disposed(
    "Python, old urllib3: name* and filename*",
    "form-data; name*=utf-8''%C3%A9; filename*=utf-8''%E2%82%AC%20rates",
    [["é", text("€ rates", "a")]],
  ),
  part(
    "Python, http.client by hand: the field names in lower case",
    ['content-disposition:form-data;name="a";filename="b"', "content-type:text/css"],
    [["a", text("b", "a", "text/css")]],
  ),
  {
    because: "Go: escapes of a backslash, a boundary of hexadecimal digits",
    boundary: "5b2a9a1f6c1b6d0a4e8a1f0a33c1e1a6e8d8ba0ad9a6bcf0b2ae6ee9fbd1",
    lines: [
      "--5b2a9a1f6c1b6d0a4e8a1f0a33c1e1a6e8d8ba0ad9a6bcf0b2ae6ee9fbd1",
      'Content-Disposition: form-data; name="a\\"b"; filename="c d.bin"',
      "Content-Type: application/octet-stream",
      "",
      "x",
      "--5b2a9a1f6c1b6d0a4e8a1f0a33c1e1a6e8d8ba0ad9a6bcf0b2ae6ee9fbd1--",
      "",
    ],
    expect: [['a"b', text("c d.bin", "x", "application/octet-stream")]],
  },
  {
    because: "PHP, Guzzle: a length of each part",
    boundary: "b5bbc2e4",
    lines: [
      "--b5bbc2e4",
      'Content-Disposition: form-data; name="a"',
      "Content-Length: 3",
      "",
      "abc",
      "--b5bbc2e4",
      'Content-Disposition: form-data; name="tags[]"',
      "Content-Length: 1",
      "",
      "x",
      "--b5bbc2e4--",
      "",
    ],
    expect: [
      ["a", "abc"],
      ["tags[]", "x"],
    ],
  },
  {
    because: "Java, Apache HttpClient: a charset and a transfer encoding of each part",
    boundary: "Q1w2E3-r4T5y6_u7",
    lines: [
      "--Q1w2E3-r4T5y6_u7",
      'Content-Disposition: form-data; name="a"',
      "Content-Type: text/plain; charset=ISO-8859-1",
      "Content-Transfer-Encoding: 8bit",
      "",
      "abc",
      "--Q1w2E3-r4T5y6_u7",
      'Content-Disposition: form-data; name="f"; filename="f.bin"',
      "Content-Type: application/octet-stream",
      "Content-Transfer-Encoding: binary",
      "",
      "x",
      "--Q1w2E3-r4T5y6_u7--",
      "",
    ],
    expect: [
      ["a", "abc"],
      ["f", text("f.bin", "x", "application/octet-stream")],
    ],
  },
  {
    because: "axios: empty lines after the last boundary",
    boundary: "axios-1.7.7-boundary-bPgZ9x77LfApGVUN839vui4V7",
    lines: [
      "--axios-1.7.7-boundary-bPgZ9x77LfApGVUN839vui4V7",
      'Content-Disposition: form-data; name="file"; filename="doc.txt"',
      "Content-Type: text/plain",
      "",
      "Helloworld",
      "--axios-1.7.7-boundary-bPgZ9x77LfApGVUN839vui4V7--",
      "",
      "",
    ],
    expect: [["file", text("doc.txt", "Helloworld")]],
  },
];

/** What the RFCs allow, and the suites of busboy and undici ask. */
const allowed: readonly FormCase[] = [
  { because: "no part at all", boundary: "B", lines: ["--B--", ""], expect: [] },
  { because: "no part, and no line break at the end", boundary: "B", lines: ["--B--"], expect: [] },
  {
    because: "RFC 2046: a preamble and an epilogue are ignored",
    boundary: "B",
    lines: [
      "This is a form.",
      "--A",
      "--B",
      'Content-Disposition: form-data; name="a"',
      "",
      "1",
      "--B--",
      "Bye",
      "--B",
      "x",
    ],
    expect: [["a", "1"]],
  },
  {
    because: "RFC 2046: whitespace after a boundary is ignored",
    boundary: "B",
    lines: ["--B \t ", 'Content-Disposition: form-data; name="a"', "", "1", "--B--  "],
    expect: [["a", "1"]],
  },
  {
    because: "RFC 2046: a part without content has the line break of the boundary after its fields",
    boundary: "B",
    lines: [
      "--B",
      'Content-Disposition: form-data; name="a"',
      "",
      "--B",
      'Content-Disposition: form-data; name="b"',
      "",
      "",
      "--B--",
    ],
    expect: [
      ["a", ""],
      ["b", ""],
    ],
  },
  {
    because: "what only begins like the boundary is content",
    boundary: "----B",
    lines: [
      "------B",
      'Content-Disposition: form-data; name="a"',
      "",
      "------",
      "-------B",
      "\r------",
      "\r",
      "------B--",
    ],
    expect: [["a", "------\r\n-------B\r\n\r------\r\n\r"]],
  },
  {
    because: "content that begins with what is left of the boundary's line",
    boundary: "B",
    lines: ["--B", 'Content-Disposition: form-data; name="a"', "", "-B--", "--B--"],
    expect: [["a", "-B--"]],
  },
  {
    because: "lines of all kinds are content",
    boundary: "B",
    lines: ["--B", 'Content-Disposition: form-data; name="a"', "", "\n1\r2\n\r", "", "--B--"],
    expect: [["a", "\n1\r2\n\r\r\n"]],
  },
  {
    because: "a boundary of hyphens only",
    boundary: "----",
    lines: ["------", 'Content-Disposition: form-data; name="a"', "", "-----", "--------"],
    expect: [["a", "-----"]],
  },
  {
    because: "a boundary with what only quotes allow",
    boundary: '"a b:=?(/)\'+_,.-z"',
    lines: ["--a b:=?(/)'+_,.-z", 'Content-Disposition: form-data; name="a"', "", "1", "--a b:=?(/)'+_,.-z--"],
    expect: [["a", "1"]],
  },
  {
    because: "one name twice is two members, in order",
    boundary: "B",
    lines: [
      "--B",
      "Content-Disposition: form-data; name=a",
      "",
      "2",
      "--B",
      "Content-Disposition: form-data; name=a",
      "",
      "1",
      "--B--",
    ],
    expect: [
      ["a", "2"],
      ["a", "1"],
    ],
  },
  disposed("the disposition in another case", 'Form-Data; Name="a"', [["a", "a"]]),
  disposed("no space after a semicolon", 'form-data;name="a";filename="b"', [["a", text("b", "a")]]),
  disposed("much space around everything", 'form-data \t;  name = \t "a" ; filename =  b ', [["a", text("b", "a")]]),
  disposed("a semicolon at the end, and two in a row", 'form-data;; name="a";', [["a", "a"]]),
  disposed("semicolons and equals signs in quotes", 'form-data; name="a;b=c"', [["a;b=c", "a"]]),
  disposed("parameters that nobody knows", 'form-data; size=7; name="a"; x="y"', [["a", "a"]]),
  disposed("the file name before the name", 'form-data; filename="b"; name="a"', [["a", text("b", "a")]]),
  disposed("filename* counts, wherever it is", "form-data; name=a; filename*=UTF-8'en'%e2%82%ac; filename=\"EUR\"", [
    ["a", text("€", "a")],
  ]),
  disposed("filename* that cannot be read, beside filename", "form-data; name=a; filename*=utf-8''%ff; filename=b", [
    ["a", text("b", "a")],
  ]),
  disposed("filename* in another charset, beside filename", "form-data; name=a; filename*=koi8-r''%ff; filename=b", [
    ["a", text("b", "a")],
  ]),
  disposed("an empty name", 'form-data; name=""', [["", "a"]]),
  disposed("a name like one of an object's own", 'form-data; name="__proto__"', [["__proto__", "a"]]),
  disposed("a percent sign that escapes nothing", 'form-data; name="100%25 %2"', [["100%25 %2", "a"]]),
  disposed("a file name with a path of Unix", 'form-data; name="a"; filename="/tmp/../b.txt"', [
    ["a", text("b.txt", "a")],
  ]),
  disposed("a file name with a path of Windows", 'form-data; name="a"; filename="C:\\files\\b.txt"', [
    ["a", text("b.txt", "a")],
  ]),
  part(
    "a folded field (RFC 5322)",
    ["Content-Disposition: form-data;", '\tname="a";', '  filename="b"'],
    [["a", text("b", "a")]],
  ),
  part(
    "an empty type is the default",
    ["Content-Type: ", "Content-Disposition: form-data; name=a; filename=b"],
    [["a", text("b", "a")]],
  ),
  part(
    "the type of a field",
    ['Content-Disposition: form-data; name="a"', "Content-Type: application/json"],
    [["a", "a"]],
  ),
  part(
    "fields that nobody knows",
    ["X-Y: z", "Content-Encoding: gzip", "Content-Disposition: form-data; name=a"],
    [["a", "a"]],
  ),
  part(
    "a name of 7,000 characters",
    [`Content-Disposition: form-data; name=a; filename=${"b".repeat(7_000)}`],
    [["a", text("b".repeat(7_000), "a")]],
  ),
];

/** What cannot be read is refused as a whole: nothing is lost without a word. */
const refused: readonly FormCase[] = [
  { because: "nothing", boundary: "B", lines: [], expect: 400 },
  { because: "text without a boundary", boundary: "B", lines: ["a=1&b=2"], expect: 400 },
  {
    because: "another boundary",
    boundary: "B",
    lines: ["--C", "Content-Disposition: form-data; name=a", "", "1", "--C--"],
    expect: 400,
  },
  { because: "an end in the fields", boundary: "B", lines: ["--B", "Content-Disposition: form-data; na"], expect: 400 },
  {
    because: "an end after the fields",
    boundary: "B",
    lines: ["--B", "Content-Disposition: form-data; name=a", "", ""],
    expect: 400,
  },
  {
    because: "an end in the content",
    boundary: "B",
    lines: ["--B", "Content-Disposition: form-data; name=a", "", "1"],
    expect: 400,
  },
  {
    because: "an end in the last boundary",
    boundary: "B",
    lines: ["--B", "Content-Disposition: form-data; name=a", "", "1", "--B-"],
    expect: 400,
  },
  {
    because: "an end after a boundary",
    boundary: "B",
    lines: ["--B", "Content-Disposition: form-data; name=a", "", "1", "--B"],
    expect: 400,
  },
  {
    because: "a line that only begins with the boundary",
    boundary: "B",
    lines: ["--B", "Content-Disposition: form-data; name=a", "", "--B2", "--B--"],
    expect: 400,
  },
  {
    because: "text after the whitespace of a boundary",
    boundary: "B",
    lines: ["--B x", "Content-Disposition: form-data; name=a", "", "1", "--B--"],
    expect: 400,
  },
  {
    because: "one hyphen after a boundary",
    boundary: "B",
    lines: ["--B-", "Content-Disposition: form-data; name=a", "", "1", "--B--"],
    expect: 400,
  },
  {
    because: "line feeds alone",
    boundary: "B",
    lines: ["--B\nContent-Disposition: form-data; name=a\n\n1\n--B--\n"],
    expect: 400,
  },
  { because: "no boundary in the type", boundary: "", lines: ["--", "--"], expect: 400 },
  { because: "a boundary of 71 characters", boundary: "b".repeat(71), lines: [`--${"b".repeat(71)}--`], expect: 400 },
  { because: "a boundary that ends with a space", boundary: '"b "', lines: ["--b --"], expect: 400 },
  part("no fields", [], 400),
  part("no disposition", ["Content-Type: text/plain"], 400),
  part("an empty disposition", ["Content-Disposition: "], 400),
  part("a field without a colon", ["Content-Disposition form-data; name=a"], 400),
  part(
    "a field whose name is not a token",
    ["Content Disposition: form-data; name=a", "Content-Disposition: form-data; name=a"],
    400,
  ),
  part("two dispositions", ["Content-Disposition: form-data; name=a", "Content-Disposition: form-data; name=b"], 400),
  part("a line feed in a field", ["Content-Disposition: form-data; name=a\nX: y"], 400),
  part("two carriage returns in a field", ["Content-Disposition: form-data; name=a\r\r\nX: y"], 400),
  part("a NUL in a field", ["Content-Disposition: form-data; name=a\0"], 400),
  part("content in base64", ["Content-Disposition: form-data; name=a", "Content-Transfer-Encoding: base64"], 400),
  part("fields of 9,000 bytes", [`Content-Disposition: form-data; name=a; filename=${"b".repeat(9_000)}`], 413),
  disposed("another disposition", 'attachment; name="a"', 400),
  disposed("no name", 'form-data; filename="b"', 400),
  disposed("two names", "form-data; name=a; name=b", 400),
  disposed("a quote that does not end", 'form-data; name="a', 400),
  disposed("text after a quote", 'form-data; name="a"b"', 400),
  disposed("a parameter without a value", "form-data; name=a; b", 400),
  disposed("only a filename* that cannot be read", "form-data; name=a; filename*=utf-8''%ff", 400),
  disposed("only a filename* without quotes", "form-data; name=a; filename*=b", 400),
  disposed("a name in base64 that is none", 'form-data; name="=?utf-8?B?w?="', 400),
];

export const formCases: readonly FormCase[] = [...clients, ...allowed, ...refused];

/** Forms whose names or fields are in Latin-1. */
export const latin1Forms: readonly string[] = [
  "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n\xe9\r\n--B--\r\n",
  "--B\r\nContent-Disposition: form-data; name=\xe9\r\n\r\na\r\n--B--\r\n",
  '--B\r\nContent-Disposition: form-data; name=a; filename="\xe9"\r\n\r\na\r\n--B--\r\n',
  "--B\r\nContent-Disposition: form-data; name==?utf-8?B?6Q==?=\r\n\r\na\r\n--B--\r\n",
];

export function formOf({ lines }: FormCase): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(lines.join("\r\n"));
}

export function bytesOfLatin1(form: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(form, (character) => character.charCodeAt(0));
}

export function typeOf({ boundary }: FormCase): string {
  return boundary === "" ? "multipart/form-data" : `multipart/form-data; boundary=${boundary}`;
}
