import type { CaseTable } from "./case.ts";

/** C4.5: which pattern wins; every pair of neighboring kinds, and what goes on behind them. */
export const precedence: readonly CaseTable[] = [
  {
    patterns: [
      ...["/v2/:name+/blobs/:digest", "/v2/:name+/blobs/uploads", "/v2/:name+/manifests/:reference"],
      ...["/v2/:path+", "/v2/:one/blobs/:digest", "/v2/_catalog", "/v2/:name+/tags/list"],
    ],
    rows: [
      ["/v2/a/b/blobs/x", "/v2/:name+/blobs/:digest", { name: "a/b", digest: "x" }, "a rest spans slashes"],
      ["/v2/a/blobs/x", "/v2/:one/blobs/:digest", { one: "a", digest: "x" }, "a param wins over it"],
      ["/v2/a/b/blobs/uploads", "/v2/:name+/blobs/uploads", { name: "a/b" }, "static wins behind it, too"],
      [
        "/v2/blobs/x/blobs/y",
        "/v2/:name+/blobs/:digest",
        { name: "blobs/x", digest: "y" },
        "it takes the longest text",
      ],
      ["/v2/a/b/blobs", "/v2/:path+", { path: "a/b/blobs" }, "a rest at the end takes what nothing else does"],
      ["/v2/a/b/c/tags/list/", "/v2/:name+/tags/list", { name: "a/b/c" }, "a slash at the end is ignored behind it"],
      ["/v2/a%2Fb/c/blobs/x", "/v2/:name+/blobs/:digest", { name: "a/b/c", digest: "x" }, "values are decoded once"],
      ["/v2//blobs/x", "/v2/:path+", { path: "/blobs/x" }, "it takes one segment at least"],
      ["/v2/_catalog", "/v2/_catalog", {}, "static wins over a rest"],
    ],
  },
  {
    patterns: ["/:n+/:file.:type", "/:n+/:x(\\d+)", "/:n+/(v\\d+/[a-z]+)", "/:n+/s/:y(\\d)?", "/:n+/end"],
    rows: [
      ["/a/b/x.json", "/:n+/:file.:type", { n: "a/b", file: "x", type: "json" }, "an affixed segment behind a rest"],
      ["/a/b/7", "/:n+/:x(\\d+)", { n: "a/b", x: "7" }, "a constrained param behind a rest"],
      ["/a/v1/b", "/:n+/(v\\d+/[a-z]+)", { n: "a", "0": "v1/b" }, "an expression behind a rest"],
      ["/a/s", "/:n+/s/:y(\\d)?", { n: "a", y: undefined }, "what follows may end in an optional param"],
      ["/a/v1/end", "/:n+/end", { n: "a/v1" }, "static wins over them"],
      ["/a/b/c", 404, "nothing takes it"],
    ],
  },
  {
    patterns: ["/:r+/:y(\\d+)?", "/:r+/x"],
    rows: [
      [
        "/a/7",
        "/:r+/:y(\\d+)?",
        { r: "a/7", y: undefined },
        "the rest takes what an optional constrained param could have",
      ],
      ["/a/x", "/:r+/x", { r: "a" }, "static wins over both"],
    ],
  },
  {
    patterns: ["/:n+/b/:x", "/:n+/a/:x/:y", "/:n+/:x/c", "/:n+/:x?"],
    rows: [
      ["/q/a/b/c", "/:n+/a/:x/:y", { n: "q", x: "b", y: "c" }, "of two literals the first in the order of code units"],
      ["/q/b/c", "/:n+/b/:x", { n: "q", x: "c" }, "a literal wins over a param, wherever the rest ends"],
      ["/q/r/c", "/:n+/:x/c", { n: "q", x: "r" }, "a required param wins over an optional one"],
      ["/q/r", "/:n+/:x?", { n: "q/r", x: undefined }, "the rest takes what an optional param could have"],
    ],
  },
  {
    patterns: ["/x/*", "/x/:id", "/x/:n(\\d+)", "/x/:v.json", "/x/me"],
    rows: [
      ["/x/me", "/x/me", {}, "static wins over everything"],
      ["/x/7.json", "/x/:v.json", { v: "7" }, "affixed wins over what follows"],
      ["/x/7", "/x/:n(\\d+)", { n: "7" }, "constrained wins over param and rest"],
      ["/x/a", "/x/:id", { id: "a" }, "param wins over rest"],
      ["/x/a/b", "/x/*", { "0": "a/b" }, "the rest takes what is left"],
      ["/x/me/b", "/x/*", { "0": "me/b" }, "also behind a text that is static elsewhere"],
    ],
  },
  {
    patterns: ["/@:user", "/@me", "/@:user/x", "/@me/y"],
    rows: [
      ["/@me", "/@me", {}, "static wins over affixed"],
      ["/@ada", "/@:user", { user: "ada" }, "other texts are the affixed param's"],
      ["/@me/x", "/@:user/x", { user: "me" }, "static fails further on: affixed is tried"],
      ["/@me/y", "/@me/y", {}, "static goes on"],
      ["/@ada/y", 404, "affixed does not go on to what is behind static"],
    ],
  },
  {
    patterns: ["/:n(v?\\d)", "/v:n", "/:n(v?\\d)/x", "/v:n/y"],
    rows: [
      ["/v1", "/v:n", { n: "1" }, "affixed wins over constrained"],
      ["/1", "/:n(v?\\d)", { n: "1" }, "what is not affixed is the constrained param's"],
      ["/v1/x", "/:n(v?\\d)/x", { n: "v1" }, "affixed fails further on: constrained is tried"],
      ["/v1/y", "/v:n/y", { n: "1" }, "affixed goes on"],
    ],
  },
  {
    patterns: ["/(v?\\d)", "/v:n", "/(v?\\d)/x", "/v:n/y"],
    rows: [
      ["/v1", "/v:n", { n: "1" }, "affixed wins over an expression"],
      ["/1", "/(v?\\d)", { "0": "1" }, "what is not affixed is the expression's"],
      ["/v1/x", "/(v?\\d)/x", { "0": "v1" }, "affixed fails further on: the expression is tried"],
      ["/v1/y", "/v:n/y", { n: "1" }, "affixed goes on"],
    ],
  },
  {
    patterns: ["/:id/x", "/:n(\\d+)/y", "/:any", "/:n(\\d+)"],
    rows: [
      ["/7", "/:n(\\d+)", { n: "7" }, "constrained wins over param"],
      ["/a", "/:any", { any: "a" }, "what the constraint refuses is the param's"],
      ["/7/x", "/:id/x", { id: "7" }, "constrained fails further on: param is tried"],
      ["/7/y", "/:n(\\d+)/y", { n: "7" }, "constrained goes on"],
      ["/a/y", 404, "param does not go on to what is behind constrained"],
    ],
  },
  {
    patterns: ["/:any", "/(\\d+)", "/:id/x", "/(\\d+)/y"],
    rows: [
      ["/7", "/(\\d+)", { "0": "7" }, "an expression wins over param"],
      ["/a", "/:any", { any: "a" }, "what the expression refuses is the param's"],
      ["/7/x", "/:id/x", { id: "7" }, "an expression fails further on: param is tried"],
      ["/7/", "/:any", { any: "7" }, "an expression at the end sees the slash and fails: param ignores it"],
    ],
  },
  {
    patterns: ["/:a/*", "/:a/b", "/:all+"],
    rows: [
      ["/x/b", "/:a/b", { a: "x" }, "param wins over rest, then static over rest"],
      ["/x/c", "/:a/*", { a: "x", "0": "c" }, "then rest behind the param"],
      ["/x", "/:a/*", { a: "x", "0": undefined }, "param with a rest of none wins over a rest"],
      ["//b", "/:all+", { all: "/b" }, "a rest takes an empty segment, which no param does"],
    ],
  },
  {
    patterns: ["/r/:p*", "/r/:p+", "/r/(.*)", "/r/(.*)/z"],
    rows: [
      ["/r/a", "/r/:p+", { p: "a" }, "of the rests, one or more segments first"],
      ["/r/a/z", "/r/(.*)/z", { "0": "a" }, "before that, an expression that goes on"],
      ["/r/", "/r/(.*)", { "0": "" }, "then an expression that matches anything"],
      ["/r", "/r/:p*", { p: undefined }, "which alone matches nothing at all"],
      ["/r//z", "/r/(.*)/z", { "0": "" }, "an expression may match the empty text"],
    ],
  },
  {
    patterns: ["/(.+)/*", "/(.+)", "/:all+"],
    rows: [["/a/", "/:all+", { all: "a/" }, "an expression with nothing behind it but a rest of none is at the end"]],
  },
  {
    patterns: ["/(.+)/:y*", "/(.+)/(.+)"],
    rows: [
      ["/a/b", "/(.+)/(.+)", { "0": "a", "1": "b" }, "behind an expression, a rest of none is the last to be tried"],
    ],
  },
  {
    patterns: ["/([^x]+)", "/([^x]+)/*", "/([^x]+)/(.+)"],
    rows: [
      ["/a/b", "/([^x]+)/(.+)", { "0": "a", "1": "b" }, "an expression that goes on wins over one that ends"],
      ["/a/", "/([^x]+)", { "0": "a/" }, "which wins over one that goes on with a rest of none"],
      ["/a/x", "/([^x]+)/(.+)", { "0": "a", "1": "x" }, "an expression goes before a rest of none"],
      ["/a//", "/([^x]+)/(.+)", { "0": "a", "1": "/" }, "even if it only takes a slash"],
    ],
  },
  {
    patterns: ["/o/:all+", "/o/:id(\\d+)?", "/o/v:x"],
    rows: [
      ["/o/v1", "/o/v:x", { x: "1" }, "affixed wins over optional constrained and rest"],
      ["/o/7", "/o/:id(\\d+)?", { id: "7" }, "optional constrained wins over rest"],
      ["/o", "/o/:id(\\d+)?", { id: undefined }, "and takes what a rest of one or more does not"],
      ["/o/v", "/o/:all+", { all: "v" }, "the rest takes what both refuse"],
    ],
  },
  {
    patterns: ["/q/(.*)", "/q/:id", "/w/(.+)", "/w/:id(\\d+)"],
    rows: [
      ["/q/a", "/q/:id", { id: "a" }, "(.*) matches anything, so param wins"],
      ["/q/a/b", "/q/(.*)", { "0": "a/b" }, "and (.*) is left with the rest"],
      ["/q/", "/q/(.*)", { "0": "" }, "and with nothing"],
      ["/w/7", "/w/:id(\\d+)", { id: "7" }, "(.+) ranks as rest too"],
      ["/w/a", "/w/(.+)", { "0": "a" }, "and takes what is refused"],
    ],
  },
  {
    patterns: ["/a/:x(.*)", "/a/:y", "/b/((?:.*))", "/b/:y"],
    rows: [
      ["/a/1", "/a/:x(.*)", { x: "1" }, "a constrained param ranks as one, whatever its expression"],
      ["/b/1", "/b/((?:.*))", { "0": "1" }, "only the exact texts (.*) and (.+) rank as rest"],
    ],
  },
  {
    patterns: ["/:a.:b", "/:a.json", "/x:a.json", "/:a-:b.json", "/x:a", "/:b.:a(\\d+)"],
    rows: [
      ["/a.b", "/:a.:b", { a: "a", b: "b" }, "one literal character"],
      ["/a.7", "/:b.:a(\\d+)", { b: "a", a: "7" }, "equal text: the one with more constraints wins"],
      ["/a.json", "/:a.json", { a: "a" }, "five literal characters win over one"],
      ["/xa.json", "/x:a.json", { a: "a" }, "six win over five"],
      ["/x-a.json", "/:a-:b.json", { a: "x", b: "a" }, "equally many: the text that is first in code unit order"],
      ["/xa", "/x:a", { a: "a" }, "text in front"],
      ["/xa.b", "/:a.:b", { a: "xa", b: "b" }, "equally many: a param in front sorts before text"],
    ],
  },
  {
    patterns: ["/d/:x-:y", "/d/:x.:y", "/d/a:x"],
    rows: [
      ["/d/1.2-3", "/d/:x-:y", { x: "1.2", y: "3" }, "a hyphen sorts before a dot"],
      ["/d/1-2.3", "/d/:x-:y", { x: "1", y: "2.3" }, "wherever it stands in the path"],
      ["/d/a.b", "/d/:x.:y", { x: "a", y: "b" }, "both sort before a letter in front"],
      ["/d/ab", "/d/a:x", { x: "b" }, "which is left with the others"],
    ],
  },
  {
    patterns: ["/é:y", "/:x-abc"],
    rows: [
      ["/éz-abc", "/é:y", { y: "z-abc" }, "literal characters are counted as canonical paths spell them"],
      ["/z-abc", "/:x-abc", { x: "z" }, "the other one"],
    ],
  },
];
