import type { CaseTable } from "./case.ts";

/** C4.3: rests, which see the path as it is (C4.7). */
export const rests: readonly CaseTable[] = [
  {
    patterns: ["/files/:path*"],
    rows: [
      ["/files", "/files/:path*", { path: undefined }, "no segment: the value is undefined"],
      ["/files/", "/files/:path*", { path: "" }, "an empty text behind the slash"],
      ["/files/a", "/files/:path*", { path: "a" }, "one segment"],
      ["/files/a/b/c", "/files/:path*", { path: "a/b/c" }, "several"],
      ["/files/a/", "/files/:path*", { path: "a/" }, "a slash at the end is part of the value"],
      ["/files//", "/files/:path*", { path: "/" }, "so are empty segments"],
      ["/files//a", "/files/:path*", { path: "/a" }, "wherever they stand"],
      ["/files/a%2Fb/c", "/files/:path*", { path: "a/b/c" }, "the value is decoded as one text"],
      ["/files/%zz/a", "/files/:path*", { path: 400 }, "one bad escape makes all of it unreadable"],
      ["/files/../a", 404, "dot segments are resolved before"],
      [
        "/files/..%2Fa",
        "/files/:path*",
        { path: "../a" },
        "those behind an encoded slash are not, and show when decoded",
      ],
      ["/files?x", "/files/:path*", { path: undefined }, "the query is no part of it"],
      ["/files/a?x/y#z", "/files/:path*", { path: "a" }, "nor is the fragment"],
      ["/filesystem", 404, "a segment is matched as a whole"],
      ["/", 404, "what stands in front is required"],
    ],
  },
  {
    patterns: ["/files/:path+"],
    rows: [
      ["/files/a", "/files/:path+", { path: "a" }, "one segment"],
      ["/files/a/b/", "/files/:path+", { path: "a/b/" }, "several, as they are"],
      ["/files//", "/files/:path+", { path: "/" }, "a slash is a character"],
      ["/files", 404, "at least one is needed"],
      ["/files/", 404, "an empty one is none"],
    ],
  },
  {
    patterns: ["/*"],
    rows: [
      ["/", "/*", { "0": "" }, "every path begins with a slash: the rest of the root is empty"],
      ["/a", "/*", { "0": "a" }, "read by number"],
      ["/a/b", "/*", { "0": "a/b" }, "all segments"],
      ["//", "/*", { "0": "/" }, "an empty segment"],
      ["///a//", "/*", { "0": "//a//" }, "and more of them"],
      ["/a?b", "/*", { "0": "a" }, "up to the query"],
    ],
  },
  {
    patterns: ["/:all+"],
    rows: [
      ["/a", "/:all+", { all: "a" }, "a rest at the root"],
      ["//", "/:all+", { all: "/" }, "an empty segment counts"],
      ["/", 404, "the root has none"],
    ],
  },
  {
    patterns: ["/:tenant/*"],
    rows: [
      ["/acme", "/:tenant/*", { tenant: "acme", "0": undefined }, "a param in front of a rest of none"],
      ["/acme/", "/:tenant/*", { tenant: "acme", "0": "" }, "of an empty text"],
      ["/acme/x/y", "/:tenant/*", { tenant: "acme", "0": "x/y" }, "of two segments"],
      ["/", 404, "the param needs a segment"],
      ["//x", 404, "an empty one is none"],
    ],
  },
  {
    patterns: ["/v:n/:path*", "/:id(\\d+)/*"],
    rows: [
      ["/v1", "/v:n/:path*", { n: "1", path: undefined }, "an affixed param in front of a rest"],
      ["/v1/a/b", "/v:n/:path*", { n: "1", path: "a/b" }, "which takes what is left"],
      ["/7/", "/:id(\\d+)/*", { id: "7", "0": "" }, "a constrained param in front of a rest"],
      ["/x/a", 404, "which refuses"],
    ],
  },
  {
    patterns: ["/a/*", "/a", "/a/b/*", "/a/b/c"],
    rows: [
      ["/a", "/a", {}, "a pattern that ends wins over a rest of none"],
      ["/a/", "/a", {}, "with the slash that it ignores too"],
      ["/a/x", "/a/*", { "0": "x" }, "the shorter rest takes what the longer does not"],
      ["/a/b", "/a/b/*", { "0": undefined }, "the longer rest of none wins: its segment is static"],
      ["/a/b/", "/a/b/*", { "0": "" }, "also when it is empty"],
      ["/a/b/c", "/a/b/c", {}, "static wins"],
      ["/a/b/c/d", "/a/b/*", { "0": "c/d" }, "the longest prefix goes first"],
      ["/a/bc", "/a/*", { "0": "bc" }, "a prefix ends at a slash"],
    ],
  },
  {
    patterns: ["/x/:a?", "/x/*"],
    rows: [
      ["/x", "/x/:a?", { a: undefined }, "a pattern whose optional is absent ends there as well"],
      ["/x/1", "/x/:a?", { a: "1" }, "a param wins over a rest"],
      ["/x/1/2", "/x/*", { "0": "1/2" }, "the rest has more segments"],
      ["/x//", "/x/*", { "0": "/" }, "and empty ones"],
    ],
  },
  {
    patterns: ["/y/*", "/y/:path+"],
    rows: [
      ["/y/1", "/y/:path+", { path: "1" }, "one or more wins over zero or more"],
      ["/y", "/y/*", { "0": undefined }, "which is left with none"],
      ["/y/", "/y/*", { "0": "" }, "and with the empty one"],
    ],
  },
];
