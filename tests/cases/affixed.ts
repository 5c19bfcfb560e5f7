import type { CaseTable } from "./case.ts";

/** C4.3: params with literal text in their segment. */
export const affixed: readonly CaseTable[] = [
  {
    patterns: ["/:file.:ext"],
    rows: [
      ["/photo.jpg", "/:file.:ext", { file: "photo", ext: "jpg" }, "a dot separates two params"],
      ["/archive.tar.gz", "/:file.:ext", { file: "archive", ext: "tar.gz" }, "the first takes the shortest text"],
      ["/a..b", "/:file.:ext", { file: "a", ext: ".b" }, "the last takes the rest, whatever it is"],
      ["/..a.b", "/:file.:ext", { file: ".", ext: "a.b" }, "a value is not empty, so the first dot is a value's"],
      ["/%2Fa.b", "/:file.:ext", { file: "/a", ext: "b" }, "an encoded slash is part of a value"],
      ["/a%2Eb", "/:file.:ext", { file: "a", ext: "b" }, "an encoded dot is a dot"],
      ["/photo", 404, "the separator is missing"],
      ["/photo.", 404, "the last value would be empty"],
      ["/.jpg", 404, "the first value would be empty"],
      ["/a.b/c", 404, "an affixed segment is one segment"],
      ["/a/b.c", 404, "and only the first"],
    ],
  },
  {
    patterns: ["/@:user"],
    rows: [
      ["/@ada", "/@:user", { user: "ada" }, "literal text in front"],
      ["/@@", "/@:user", { user: "@" }, "a value may repeat it"],
      ["/@", 404, "the value would be empty"],
      ["/ada", 404, "the literal is missing"],
      ["/a@b", 404, "the literal is not in front"],
      ["/%40ada", 404, "an escape of a reserved character is another text"],
    ],
  },
  {
    patterns: ["/v:major-beta"],
    rows: [
      ["/v3-beta", "/v:major-beta", { major: "3" }, "literal text on both sides"],
      ["/v-beta-beta", "/v:major-beta", { major: "-beta" }, "the last param takes all but the literal at the end"],
      ["/v3-beta2", 404, "the literal is not at the end"],
      ["/v-beta", 404, "nothing is left for the value"],
      ["/3-beta", 404, "the literal in front is missing"],
    ],
  },
  {
    patterns: ["/:id.json"],
    rows: [
      ["/7.json", "/:id.json", { id: "7" }, "literal text behind"],
      ["/7.json.json", "/:id.json", { id: "7.json" }, "only the literal at the end is taken off"],
      ["/.json", 404, "nothing is left for the value"],
      ["/7.jsonx", 404, "text behind the literal"],
      ["/7.json/", "/:id.json", { id: "7" }, "a slash at the end is ignored"],
    ],
  },
  {
    patterns: ["/:a-:b-:c"],
    rows: [
      ["/1-2-3", "/:a-:b-:c", { a: "1", b: "2", c: "3" }, "three params with one separator"],
      ["/1-2-3-4", "/:a-:b-:c", { a: "1", b: "2", c: "3-4" }, "the last one takes the rest"],
      ["/-1-2-3", "/:a-:b-:c", { a: "-1", b: "2", c: "3" }, "the first takes the separator rather than be empty"],
      ["/1--2-3", "/:a-:b-:c", { a: "1", b: "-2", c: "3" }, "so does one in the middle"],
      ["/1-2", 404, "one separator too few"],
      ["/1-2-", 404, "an empty value at the end"],
    ],
  },
  {
    patterns: ["/:a--:b"],
    rows: [
      ["/1--2", "/:a--:b", { a: "1", b: "2" }, "a separator of two characters"],
      ["/1-2--3", "/:a--:b", { a: "1-2", b: "3" }, "half of it is part of a value"],
      ["/1---2", "/:a--:b", { a: "1", b: "-2" }, "the first place where it stands counts"],
      ["/1-2", 404, "half of it is not enough"],
    ],
  },
  {
    patterns: ["/:a-:b-"],
    rows: [
      ["/1-2-", "/:a-:b-", { a: "1", b: "2" }, "a literal between and a literal behind"],
      ["/1-2-3-", "/:a-:b-", { a: "1", b: "2-3" }, "the last value may hold the literal"],
      ["/1--", 404, "the literal at the end is not given up for a value"],
      ["/1-2", 404, "the literal behind is missing"],
    ],
  },
  {
    patterns: ["/:id(\\d+).json", "/:name(\\w+)-:size(\\d+)"],
    rows: [
      ["/7.json", "/:id(\\d+).json", { id: "7" }, "an affixed param may be constrained"],
      ["/x.json", 404, "its constraint refuses"],
      ["/blue-40", "/:name(\\w+)-:size(\\d+)", { name: "blue", size: "40" }, "two constraints"],
      ["/blue-green-40", 404, "a constraint refuses the split that was made; no other is tried"],
      ["/blue-x", 404, "the second constraint refuses"],
    ],
  },
  {
    patterns: ["/:from(\\d+)..:to(\\d+)"],
    rows: [
      ["/1..9", "/:from(\\d+)..:to(\\d+)", { from: "1", to: "9" }, "constrained on both sides of a separator"],
      ["/1...9", 404, "the second value would begin with a dot"],
    ],
  },
  {
    patterns: ["/é:name", "/:a%2F:b"],
    rows: [
      ["/%C3%A9a", "/é:name", { name: "a" }, "a literal in plain Unicode"],
      ["/éa", "/é:name", { name: "a" }, "and a path in plain Unicode"],
      ["/x%2fy", "/:a%2F:b", { a: "x", b: "y" }, "an encoded slash may separate params"],
      ["/x/y", 404, "a slash does not"],
    ],
  },
  {
    patterns: ["/files/:name.txt/:line"],
    rows: [
      ["/files/a.txt/7", "/files/:name.txt/:line", { name: "a", line: "7" }, "an affixed segment in the middle"],
      ["/files/a.txt", 404, "a required param behind it"],
    ],
  },
];
