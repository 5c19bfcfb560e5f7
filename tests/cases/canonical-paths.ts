import type { CaseTable } from "./case.ts";

/** C4.1, C4.2: one reading of the path, whatever takes part in the pattern. */
export const canonicalPaths: readonly CaseTable[] = [
  {
    patterns: ["/a/b", "/:x/:y.:z/c", "/(\\d+)/d", "/r/:rest*"],
    rows: [
      ["/%61/./x/../%62", "/a/b", {}, "static segments see the canonical path"],
      ["/x/../q%2e/%79%2Ez/c", "/:x/:y.:z/c", { x: "q.", y: "y", z: "z" }, "so do params"],
      ["/%31%32/e/../d", "/(\\d+)/d", { "0": "12" }, "so do expressions"],
      ["/r/a/../b/./c/", "/r/:rest*", { rest: "b/c/" }, "so do rests"],
      ["/r/.a/../../r/.b/./c", "/r/:rest*", { rest: ".b/c" }, "dot segments behind a segment that begins with a dot"],
      ["/r/.a/..", "/r/:rest*", { rest: "" }, "at the end too"],
      ["/r/.a/.", "/r/:rest*", { rest: ".a/" }, "which leaves a slash"],
      ["/r/.a//..//../b", "/r/:rest*", { rest: ".a/b" }, "an empty segment is one to go up from"],
      ["/r/.well-known/..a/...", "/r/:rest*", { rest: ".well-known/..a/..." }, "other segments with dots stay"],
      ["/r/a/..", "/r/:rest*", { rest: "" }, "a dot segment at the end leaves a slash"],
      ["/r/a/.", "/r/:rest*", { rest: "a/" }, "a single dot too"],
      ["\\a\\b", 404, "the first character must be a slash"],
      ["/a\\b", "/a/b", {}, "behind it, backslashes are slashes"],
      ["/\ta/\nb\r", "/a/b", {}, "tabs and line breaks are dropped"],
      ["/a/b\u0000\u001f ", "/a/b", {}, "spaces and control characters are dropped at the end of a target"],
      ["/a/b\u0000?", 404, "they are encoded elsewhere"],
    ],
  },
  {
    patterns: ["/:x"],
    rows: [
      ["/%2D%2E%5F%7E", "/:x", { x: "-._~" }, "unreserved marks are decoded"],
      ["/%21%24%26%27%28%29", "/:x", { x: "!$&'()" }, "reserved ones when they are read"],
      ["/!$&'()*+,;=:@", "/:x", { x: "!$&'()*+,;=:@" }, "they may stand in a segment plainly"],
      ['/"<>`{}', "/:x", { x: '"<>`{}' }, "what may not stand there is encoded"],
      ["/[]|^", "/:x", { x: "[]|^" }, "what the URL parser lets stand is left"],
      ["/%5B%5D%7C%5E", "/:x", { x: "[]|^" }, "and reads the same encoded"],
      ["/%25", "/:x", { x: "%" }, "an encoded percent sign"],
      ["/%2525", "/:x", { x: "%25" }, "encoded twice"],
      ["/%e2%82%ac", "/:x", { x: "€" }, "three bytes in lower case"],
      ["/%E2%82%AC", "/:x", { x: "€" }, "in upper case"],
      ["/€", "/:x", { x: "€" }, "or plain"],
      ["/\u{1F600}", "/:x", { x: "\u{1F600}" }, "a pair of surrogates"],
      ["/\udc00\ud800", "/:x", { x: "\ufffd\ufffd" }, "in the wrong order they are two lone ones"],
      ["/a%", "/:x", { x: 400 }, "an unfinished escape"],
      ["/%61%", "/:x", { x: 400 }, "behind one that is decoded"],
      ["/%%36%31", "/:x", { x: 400 }, "one that could be completed is not"],
      ["/%4%31", "/:x", { x: 400 }, "by its second digit neither"],
      ["/%E9", "/:x", { x: 400 }, "Latin-1 is no UTF-8"],
      ["/%F4%90%80%80", "/:x", { x: 400 }, "beyond Unicode"],
      ["/%EF%BB%BFa", "/:x", { x: "\ufeffa" }, "a byte order mark is a character"],
    ],
  },
];

/** C4.9: the length of a path. */
export const bounds: readonly CaseTable[] = [
  {
    patterns: ["/:x", "/r/:rest+", "/static", "/(\\d+)/x"],
    rows: [
      ["/" + "a".repeat(8191), "/:x", { x: "a".repeat(8191) }, "8,192 characters are matched"],
      ["/" + "a".repeat(8192), 414, "one more is too long"],
      ["/" + "a".repeat(8192) + "?x", 414, "whatever follows"],
      ["/static?" + "a".repeat(65536), "/static", {}, "a query does not count"],
      ["/static#" + "a".repeat(65536), "/static", {}, "nor does a fragment"],
      ["http://h/" + "a".repeat(8191), "/:x", { x: "a".repeat(8191) }, "nor does an origin"],
      ["http://h/" + "a".repeat(8192), 414, "behind which one more is too long"],
      ["/" + "%61".repeat(8191), "/:x", { x: "a".repeat(8191) }, "the canonical path is measured"],
      ["/" + "%61".repeat(8192), 414, "which is too long with one more"],
      ["/" + "é".repeat(1365), "/:x", { x: "é".repeat(1365) }, "a letter counts as its escapes"],
      ["/" + "é".repeat(1366), 414, "of which these are too many"],
      ["/a".repeat(2500) + "/..".repeat(2500) + "/static", "/static", {}, "dot segments do not count"],
      ["/..".repeat(20_000) + "/static", "/static", {}, "however many"],
      [
        "/r" + "/a".repeat(3500),
        "/r/:rest+",
        { rest: "a/".repeat(3500).slice(0, -1) },
        "3,500 segments are not too many",
      ],
      ["/" + "a".repeat(65536), 414, "64 kB are"],
      ["/" + "/".repeat(1_000_000), 414, "1 MB is"],
      ["/" + "1".repeat(8000) + "/x", "/(\\d+)/x", { "0": "1".repeat(8000) }, "an expression on 8,000 characters"],
    ],
  },
];
