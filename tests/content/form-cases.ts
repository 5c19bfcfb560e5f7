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
      'Content-Disposition: form-data; name=cover; filename="=?utf-8?B?w6Ruw6QucG5n?="; ' +
        "filename*=utf-8''%C3%A4n%C3%A4.png",
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

/** What the RFCs allow. */
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
  ...["text/html x", "text/html(x", "text/plain,text/html", "text/", "text", "text/*", "*/*", "text/html\xa0"].map(
    (type) =>
      part(
        `a label that is not a media type: ${type}`,
        ['Content-Disposition: form-data; name="a"; filename="b"', `Content-Type: ${type}`],
        400,
      ),
  ),
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

/** Parts between boundaries, of fields and content each. */
function formOfParts(because: string, parts: readonly (readonly string[])[], expect: FormCase["expect"]): FormCase {
  return { because, boundary: "B", lines: [...parts.flatMap((lines) => ["--B", ...lines]), "--B--", ""], expect };
}

const octets = "application/octet-stream";
const disposition = (rest: string): string => `Content-Disposition: form-data; ${rest}`;

/**
 * What the suites of multer, busboy, undici and the Web Platform Tests ask. Where a row says "here", that suite expects
 * something else: what is refused here would be read in two ways, or be lost without a word (decisions/123).
 */
const suites: readonly FormCase[] = [
  formOfParts(
    "multer, fields: empty ones, and names that are there twice",
    [
      [disposition('name="name"'), "", "Multer"],
      [disposition('name="key"'), "", ""],
      [disposition('name="checkboxfull"'), "", "cb1"],
      [disposition('name="checkboxfull"'), "", "cb2"],
      [disposition('name="checkboxhalfempty"'), "", "cb1"],
      [disposition('name="checkboxhalfempty"'), "", ""],
    ],
    [
      ["name", "Multer"],
      ["key", ""],
      ["checkboxfull", "cb1"],
      ["checkboxfull", "cb2"],
      ["checkboxhalfempty", "cb1"],
      ["checkboxhalfempty", ""],
    ],
  ),
  formOfParts(
    "multer, fields: brackets are part of a name, and make no object here",
    [
      [disposition('name="obj[0]"'), "", "a"],
      [disposition('name="obj[2]"'), "", "c"],
      [disposition('name="obj[x]"'), "", "yz"],
    ],
    [
      ["obj[0]", "a"],
      ["obj[2]", "c"],
      ["obj[x]", "yz"],
    ],
  ),
  formOfParts(
    "multer, select-field: files of one name in their order, of which one is empty",
    [
      [disposition('name="CA$|-|"; filename="empty.dat"'), `Content-Type: ${octets}`, "", ""],
      [disposition('name="set-1"; filename="tiny0.dat"'), `Content-Type: ${octets}`, "", "a"],
      [disposition('name="set-1"; filename="empty.dat"'), `Content-Type: ${octets}`, "", ""],
      [disposition('name="set-1"; filename="tiny1.dat"'), `Content-Type: ${octets}`, "", "foobar"],
    ],
    [
      ["CA$|-|", text("empty.dat", "", octets)],
      ["set-1", text("tiny0.dat", "a", octets)],
      ["set-1", text("empty.dat", "", octets)],
      ["set-1", text("tiny1.dat", "foobar", octets)],
    ],
  ),
  disposed(
    "multer, unicode: filename* counts before filename",
    'form-data; name="small0"; filename="poo.dat"; filename*=utf-8\'\'%F0%9F%92%A9.dat',
    [["small0", text("\u{1f4a9}.dat", "a")]],
  ),
  disposed("multer, def-param-charset: UTF-8 without a charset", 'form-data; name="f"; filename="caf\u00e9.txt"', [
    ["f", text("caf\u00e9.txt", "a")],
  ]),
  formOfParts(
    "multer, file-ordering: a field after a file",
    [
      [disposition('name="f"; filename="a.bin"'), "", "x"],
      [disposition('name="after"'), "", "1"],
    ],
    [
      ["f", text("a.bin", "x")],
      ["after", "1"],
    ],
  ),
  disposed(
    "multer, error-handling: a file with an empty name is read here",
    'form-data; name=""; filename="small0.dat"',
    [["", text("small0.dat", "a")]],
  ),
  {
    because: "multer, error-handling: no name, and no last boundary",
    boundary: "AaB03x",
    lines: ["--AaB03x", "Content-Disposition: form-data", "", "test content", "--AaB03x", ""],
    expect: 400,
  },
  formOfParts(
    "multer, async-file-filter-orphan: a file without a name after one that has one",
    [
      [disposition('name="f"; filename="a.bin"'), "", "x"],
      [disposition('filename="b.bin"'), "", "y"],
    ],
    400,
  ),
  {
    because: "busboy and undici: paths of Unix, of Windows and relative ones",
    boundary: "---------------------------paZqsnEHRufoShdX6fh0lUhXBP4k",
    lines: [
      "-----------------------------paZqsnEHRufoShdX6fh0lUhXBP4k",
      disposition('name="f0"; filename="/tmp/1k_a.dat"'),
      "",
      "A",
      "-----------------------------paZqsnEHRufoShdX6fh0lUhXBP4k",
      disposition('name="f1"; filename="C:\\files\\1k_b.dat"'),
      "",
      "B",
      "-----------------------------paZqsnEHRufoShdX6fh0lUhXBP4k",
      disposition('name="f2"; filename="relative/1k_c.dat"'),
      "",
      "C",
      "-----------------------------paZqsnEHRufoShdX6fh0lUhXBP4k--",
    ],
    expect: [
      ["f0", text("1k_a.dat", "A")],
      ["f1", text("1k_b.dat", "B")],
      ["f2", text("1k_c.dat", "C")],
    ],
  },
  formOfParts(
    "busboy and undici: an empty disposition beside a good one is not skipped here",
    [
      [disposition('name="cont"'), "Content-Type: ", "", "some random content"],
      ["Content-Disposition: ", "", "some random pass"],
    ],
    400,
  ),
  part(
    "busboy and undici: a folded type",
    [disposition("name=a; filename=notes.txt"), "Content-Type: ", " text/plain"],
    [["a", text("notes.txt", "a")]],
  ),
  part("busboy and undici: a disposition of another kind", ['Content-Disposition: attachment; name="a"'], 400),
  part("busboy and undici: a head of 64 KiB", [disposition(`name=a; filename=${"a".repeat(65_536)}`)], 413),
  formOfParts(
    "busboy and undici: content with a carriage return before what may be a boundary",
    [[disposition("name=a; filename=b"), "", `${"a".repeat(31)}\r${"b".repeat(40)}`]],
    [["a", text("b", `${"a".repeat(31)}\r${"b".repeat(40)}`)]],
  ),
  {
    because: "busboy and undici: an empty part after a line break",
    boundary: "d1bf46b3-aa33-4061-b28d-6c5ced8b08ee",
    lines: [
      "",
      "--d1bf46b3-aa33-4061-b28d-6c5ced8b08ee",
      "Content-Type: application/gzip",
      "Content-Encoding: gzip",
      "Content-Disposition: form-data; name=batch-1; filename=batch-1",
      "",
      "",
      "--d1bf46b3-aa33-4061-b28d-6c5ced8b08ee--",
    ],
    expect: [["batch-1", text("batch-1", "", "application/gzip")]],
  },
  {
    because: "busboy and undici: what is no field stops in the head",
    boundary: "asdasdasdasd",
    lines: [
      "--asdasdasdasd",
      ":)Content-Type: text/plain",
      `:)${disposition('name="foo"')}`,
      "",
      "asd",
      "--asdasdasdasd--",
    ],
    expect: 400,
  },
  disposed("undici: much space before a value without quotes", "form-data; name=          test", [["test", "a"]]),
  disposed("undici: much space before filename*", "form-data; name=\"file\"; filename*=          utf-8''hello", [
    ["file", text("hello", "a")],
  ]),
  ...(
    [
      ["a%0D%0Ab", "a\r\nb"],
      ["a%0D%0A%0D%0Ab", "a\r\n\r\nb"],
      ["a%22b", 'a"b'],
      ["a'b", "a'b"],
      ["a\\b", "a\\b"],
      ["\u00e1b", "\u00e1b"],
      ["_charset_", "_charset_"],
    ] as const
  ).map(([written, name]) =>
    disposed(`WPT, as browsers write a name: ${written}`, `form-data; name="${written}"`, [[name, "a"]]),
  ),
  ...(
    [
      ["b%0Ac", "b\nc"],
      ["b%0Dc", "b\rc"],
      ["b%22c", 'b"c'],
      ["b'c", "b'c"],
      ["\u0259.txt", "\u0259.txt"],
      ["\u4e2d\u6587.txt", "\u4e2d\u6587.txt"],
    ] as const
  ).map(([written, name]) =>
    disposed(`WPT, as browsers write the name of a file: ${written}`, `form-data; name="a"; filename="${written}"`, [
      ["a", text(name, "a")],
    ]),
  ),
  disposed("WPT: percent signs that browsers do not write stay", 'form-data; name="a%25f%2Fg"', [["a%25f%2Fg", "a"]]),
  formOfParts(
    "WPT: the boundary as text, and not after a line break",
    [
      [disposition('name="a"'), "", "x--B and B"],
      [disposition('name="b"'), "", "\u{1f600}"],
    ],
    [
      ["a", "x--B and B"],
      ["b", "\u{1f600}"],
    ],
  ),
  part(
    "WPT: names of fields in any case, and space before a colon",
    ['CONTENT-DISPOSITION \t: form-data; name="a"; filename="f"', "CoNtEnT-TyPe: \t TEXT/HTML \t"],
    [["a", text("f", "a", "text/html")]],
  ),
  {
    because: "WPT: a value that goes on after the boundary is content",
    boundary: "B",
    lines: ["--B", disposition("name=a"), "", "value--B--", ""],
    expect: 400,
  },
  { because: "WPT: nothing after the first boundary", boundary: "B", lines: ["--B"], expect: 400 },
  {
    because: "WPT: an empty boundary in quotes",
    boundary: '""',
    lines: ["--", disposition("name=a"), "", "1", "----"],
    expect: 400,
  },
  {
    because: "WPT: a boundary in quotes",
    boundary: '"a.b(c)"',
    lines: ["--a.b(c)", disposition("name=a"), "", "1", "--a.b(c)--"],
    expect: [["a", "1"]],
  },
  {
    because: "WPT: text after the last boundary is an epilogue here",
    boundary: "B",
    lines: ["--B", disposition("name=a"), "", "1", "--B--junk", ""],
    expect: [["a", "1"]],
  },
  ...["\0", "\n", "\r"].map((character) =>
    disposed(`WPT: U+${character.charCodeAt(0)} in a name`, `form-data; name="a${character}b"`, 400),
  ),
  disposed("WPT: another control in a name is refused here", 'form-data; name="a\u0001b"', 400),
  part("WPT: NUL in a field that nobody knows", [disposition("name=a"), "X-Custom: a\0b"], 400),
  part("WPT: a line feed in a type", [disposition("name=a; filename=f"), "Content-Type: text/\nhtml"], 400),
  part("WPT: whitespace before the first field is refused here", [` ${disposition("name=a")}`], 400),
  part(
    "WPT: two types are refused here",
    [disposition("name=a; filename=f"), "Content-Type: a/b", "Content-Type: c/d"],
    400,
  ),
  part("WPT: base64 is refused here", [disposition("name=a"), "Content-Transfer-Encoding: base64"], 400),
];

export const formCases: readonly FormCase[] = [...clients, ...allowed, ...refused, ...suites];

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
