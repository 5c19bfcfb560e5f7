/**
 * A segment of a generated pattern: its source, with numbers where names go, and texts that it matches, or nearly does.
 */
export type Part = readonly [source: string, ...samples: string[]];

export const statics: readonly Part[] = [
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

export const affixed: readonly Part[] = [
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
  [":1-:2(\\d)", "a-7", "a-77"],
  ["%:1", "%a", "%41"],
];

export const constrained: readonly Part[] = [
  [":1(\\d+)", "7", "42", "a", "7a"],
  [":1([a-z]+)", "a", "ab", "A"],
  [":1(a|ab)", "a", "ab", "abc"],
  [":1(.+)", "a", "%2F"],
  [":1(.*)", "a", ""],
  [":1([^-]+)", "a", "a-b"],
  [":1((a)(b)?)", "a", "ab"],
  [":1(.+?)", "a", "ab"],
  [":1((?!a).*)", "b", "a"],
  [":1([\\w.-]+)", "a-b", "x.json", "é"],
  [":1([$^]|a[)]?)", "$", "^", "a)"],
];

export const expressions: readonly Part[] = [
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

export const param: Part = [":1", "a", "7", "ab", "%2F", "%zz", "%FF", "constructor", ""];
