/** Two patterns of different resources: whether they match the same paths, so that `build()` refuses them (C4.6). */
export interface Conflict {
  readonly patterns: readonly [string, string];
  readonly isRefused: boolean;
  readonly because: string;
  readonly trailingSlash: "ignore" | "strict";
}

type Row = readonly [one: string, other: string, because: string];

const refused: readonly Row[] = [
  ["/users", "/users", "the same text"],
  ["/users/:id", "/users/:name", "params of different names"],
  ["/:a/x/:b", "/:c/x/:d", "several of them"],
  ["/users/", "/users", "a slash at the end, which is ignored"],
  ["/users/:id/", "/users/:id", "behind a param as well"],
  ["/caf%C3%A9", "/café", "two spellings of one text"],
  ["/%61", "/a", "an escape of an unreserved character"],
  ["/x%2fy", "/x%2Fy", "hex digits in lower and upper case"],
  ["/\\a", "/a", "a needless backslash"],
  ["/a b", "/a%20b", "a space, plain and encoded"],
  ["/users/:id?", "/users", "an optional param: the form without it"],
  ["/users/:id?", "/users/:name", "an optional param: the form with it"],
  ["/a/:b?/:c?", "/a/:x", "one form of several"],
  ["/a/:b?/:c?", "/a/:x/:y?", "two forms of several"],
  ["/:a?", "/", "the root"],
  ["/v:a-:b", "/v:c-:d", "affixed params of different names"],
  ["/:a(\\d+)", "/:b(\\d+)", "constrained params of different names"],
  ["/:a(\\d+)?", "/", "an optional one: the form without it"],
  ["/:a(\\d+).x", "/:b(\\d+).x", "affixed and constrained"],
  ["/(\\d+)", "/(\\d+)", "equal expressions"],
  ["/(\\d+)/:a", "/(\\d+)/:b", "with params behind them"],
  ["/:a/(x)", "/:b/(x)", "with params in front of them"],
  ["/(x)/:a?", "/(x)/:b", "with an optional param behind them: the form with it"],
  ["/(x)/:a?", "/(x)", "the form without it, as it is written"],
  ["/(x)/:a?", "/(x)/", "the form without it, which ignores the slash"],
  ["/(x)/a", "/(x)/a/", "a slash at the end, which is ignored here"],
  ["/a/*", "/a/:rest*", "a rest with and without a name"],
  ["/:a+", "/:b+", "rests of different names"],
  ["/(x)/*", "/(x)/:rest*", "behind an expression as well"],
  ["/:__proto__", "/:constructor", "whatever they are called"],
];

const accepted: readonly Row[] = [
  ["/users", "/Users", "another text"],
  ["/users/:id", "/users/me", "param and static"],
  ["/users/:id", "/users/:id(\\d+)", "param and constrained param"],
  ["/users/:id", "/users/:id.json", "param and affixed param"],
  ["/:a(\\d+)", "/:a([0-9]+)", "expressions of different text, whatever they match"],
  ["/:a(\\d+)", "/(\\d+)", "a constrained param stays in its segment, an expression does not"],
  ["/:a-:b", "/:a.:b", "another separator"],
  ["/:a", "/:a/b", "another length"],
  ["/:a?", "/:a/b", "no form is equal"],
  ["/a/:b?", "/a/b", "the static segment wins"],
  ["/a", "/a/*", "the pattern that ends wins"],
  ["/a/:b?", "/a/*", "it wins here too"],
  ["/a/*", "/a/:b+", "zero or more, one or more"],
  ["/a/*", "/a/(.*)", "a rest and an expression"],
  ["/a/(.*)", "/a/(.+)", "two expressions"],
  ["/(x)", "/(x)/", "one sees the slash, the other ignores it"],
  ["/(x)", "/(x)/*", "the pattern that ends wins"],
  ["/a", "/a//", "an empty segment"],
  ["/a%2Fb", "/a/b", "an encoded slash"],
  ["/a\\?", "/a", "an escaped character"],
  ["/a(x)", "/(x)a", "text on the other side"],
];

const refusedIfStrict: readonly Row[] = [
  ["/users", "/users", "the same text"],
  ["/users/", "/users/", "the same text with a slash"],
  ["/:a?", "/", "an absent param at the root leaves the slash"],
  ["/a/:b?", "/a", "an absent param takes its slash along"],
  ["/a/:b?/", "/a/", "or leaves the one at the end"],
  ["/(x)/", "/(x)/", "equal expressions with a slash"],
  ["/(x)/:a?/", "/(x)/", "an absent param behind an expression"],
];

const acceptedIfStrict: readonly Row[] = [
  ["/users", "/users/", "the slash counts"],
  ["/users/:id", "/users/:id/", "behind a param too"],
  ["/a/:b?", "/a/", "so that an absent param leaves none"],
  ["/(x)/:a?", "/(x)/", "behind an expression neither"],
  ["/(x)", "/(x)/", "behind an expression too"],
];

/** Pairs of patterns, with the verdict; the order of the two never matters. */
export const conflicts: readonly Conflict[] = [
  ...conflictsOf(refused, true, "ignore"),
  ...conflictsOf(accepted, false, "ignore"),
  ...conflictsOf(refusedIfStrict, true, "strict"),
  ...conflictsOf(acceptedIfStrict, false, "strict"),
];

function conflictsOf(rows: readonly Row[], isRefused: boolean, trailingSlash: "ignore" | "strict"): Conflict[] {
  return rows.map(([one, other, because]) => ({ patterns: [one, other], isRefused, because, trailingSlash }));
}
