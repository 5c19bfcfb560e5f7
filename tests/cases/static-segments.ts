import type { CaseTable } from "./case.ts";

/** C4.3: the root and static segments. */
export const staticSegments: readonly CaseTable[] = [
  {
    patterns: [],
    rows: [
      ["/", 404, "no patterns, no match"],
      ["/a", 404, "no patterns, no match for any path"],
    ],
  },
  {
    patterns: ["/"],
    rows: [
      ["/", "/", {}, "the root matches /"],
      ["/?a=/b", "/", {}, "a query is no part of the path"],
      ["/#/b", "/", {}, "a fragment is no part of the path"],
      ["/a", 404, "the root is not a prefix"],
      ["//", 404, "two slashes are an empty segment, not the root"],
      ["///", 404, "three slashes are two empty segments"],
      ["/%2F", 404, "an encoded slash is a segment"],
    ],
  },
  {
    patterns: ["/users"],
    rows: [
      ["/users", "/users", {}, "a static segment matches itself"],
      ["/users?id=7", "/users", {}, "the query does not matter"],
      ["/users#top", "/users", {}, "the fragment does not matter"],
      ["/users?a#b?c", "/users", {}, "query and fragment do not matter"],
      ["/Users", 404, "matching is case-sensitive"],
      ["/user", 404, "a shorter segment is another one"],
      ["/users2", 404, "a longer segment is another one"],
      ["/users/7", 404, "a pattern is not a prefix of paths"],
      ["/a/users", 404, "a pattern begins at the beginning of the path"],
      ["/", 404, "the root is another path"],
      ["//users", 404, "an empty segment in front makes another path"],
      ["/users;v=1", 404, "a matrix parameter is a part of its segment"],
      ["/users%20", 404, "an encoded space is a part of its segment"],
    ],
  },
  {
    patterns: ["/users/me/settings", "/users/me", "/users", "/"],
    rows: [
      ["/users/me/settings", "/users/me/settings", {}, "three static segments"],
      ["/users/me", "/users/me", {}, "two of them"],
      ["/users", "/users", {}, "one of them"],
      ["/", "/", {}, "none of them"],
      ["/users/you", 404, "the last segment differs"],
      ["/users/me/settings/x", 404, "one segment too many"],
      ["/me/settings", 404, "the first segment is missing"],
    ],
  },
  {
    patterns: ["/a", "/ab", "/abc", "/b", "/ba", "/a/b", "/ab/a"],
    rows: [
      ["/a", "/a", {}, "a text that others begin with"],
      ["/ab", "/ab", {}, "a text that begins with another and is the beginning of a third"],
      ["/abc", "/abc", {}, "a text that begins with two others"],
      ["/ba", "/ba", {}, "the same letters in another order"],
      ["/a/b", "/a/b", {}, "a slash is not a letter"],
      ["/ab/a", "/ab/a", {}, "a longer path behind a shorter segment"],
      ["/ac", 404, "the same length, another last letter"],
      ["/abd", 404, "the same length, another third letter"],
      ["/ab/b", 404, "the end of one and the beginning of another"],
      ["/abcd", 404, "longer than all of them"],
      ["/aa", 404, "between two of them"],
    ],
  },
  {
    patterns: ["/health", "/status", "/metric"],
    rows: [
      ["/health", "/health", {}, "one of three texts of the same length"],
      ["/status", "/status", {}, "another one"],
      ["/heatlh", 404, "letters exchanged"],
      ["/stetic", 404, "put together from several"],
      ["/\u0000ealth", 404, "a control character where the texts differ"],
    ],
  },
  {
    patterns: ["/__proto__", "/constructor", "/toString", "/hasOwnProperty", "/a/__proto__/b"],
    rows: [
      ["/__proto__", "/__proto__", {}, "a segment may be called __proto__"],
      ["/constructor", "/constructor", {}, "a segment may be called constructor"],
      ["/toString", "/toString", {}, "a segment may be called toString"],
      ["/a/__proto__/b", "/a/__proto__/b", {}, "anywhere"],
      ["/valueOf", 404, "what objects inherit is not in the table"],
      ["/a/constructor/b", 404, "nor is it at a deeper place"],
    ],
  },
  {
    patterns: ["/a-b_c~d.e", "/!$&'\\(\\)\\*+,;=\\:@"],
    rows: [
      ["/a-b_c~d.e", "/a-b_c~d.e", {}, "all unreserved characters"],
      ["/!$&'()*+,;=:@", "/!$&'\\(\\)\\*+,;=\\:@", {}, "all sub-delimiters, colon and at sign"],
      ["/%21$&'()*+,;=:@", 404, "a reserved character and its escape are different"],
    ],
  },
];
