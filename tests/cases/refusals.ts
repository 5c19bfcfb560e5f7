/** An entry of `paths` that is refused (C4.4). */
export interface Refusal {
  readonly pattern: string;
  /** Under which character of the pattern the caret stands, counted from 0. */
  readonly column: number;
  /** How the message begins, behind the name of the class. */
  readonly reason: string;
}

type Row = readonly [pattern: string, column: number, reason: string];

const beginnings: readonly Row[] = [
  ["", 0, 'an empty string matches nothing; write "/" for the root'],
  ["users", 0, 'no leading slash; write "/users"'],
  ["users/:id?", 0, 'no leading slash; write "/users/:id?"'],
  [":id", 0, 'no leading slash; write "/:id"'],
  ["*", 0, 'no leading slash; write "/*"'],
  ["(.*)", 0, 'no leading slash; write "/(.*)"'],
  ["\\/users", 0, "no leading slash"],
  ["http://example.com/users", 0, 'a path pattern has no scheme and no host; write "/users"'],
  ["http://example.com/users?all#top", 0, 'a path pattern has no scheme and no host; write "/users"'],
  ["http://example.com?all", 0, 'a path pattern has no scheme and no host; write "/"'],
  ["https://example.com", 0, 'a path pattern has no scheme and no host; write "/"'],
  ["HTTP://h/a/:b", 0, 'a path pattern has no scheme and no host; write "/a/:b"'],
];

const characters: readonly Row[] = [
  ["/users?sort=name", 6, "a path holds no query"],
  ["/?", 1, "a path holds no query"],
  ["/users?", 6, 'a path holds no query; write an optional param "/:name?", or "\\\\?" for the character'],
  ["/users/?", 7, "a path holds no query"],
  ["/users#top", 6, 'a path holds no fragment; write "\\\\#" for the character'],
  ["/{a}", 1, "groups do not exist"],
  [
    "/a{",
    2,
    'groups do not exist; write ":name" or ":name([0-9]+)" for a param, "/:name?" for an optional one, or ' +
      '"\\\\{" for the character',
  ],
  ["/:a{/:b}?", 3, "groups do not exist"],
  [
    "/a}",
    2,
    'groups do not exist; write ":name" or ":name([0-9]+)" for a param, "/:name?" for an optional one, or ' +
      '"\\\\}" for the character',
  ],
  ["/a*", 2, '"*" must fill the last segment; write "(.*)" for any text, or "\\\\*" for the character'],
  ["/*a", 1, '"*" must fill the last segment'],
  ["/a/*b/c", 3, '"*" must fill the last segment'],
  ["/**", 1, '"*" must fill the last segment'],
  ["/\\", 1, 'nothing follows the backslash; write "\\\\\\\\" for the character'],
  ["/a/b\\", 4, "nothing follows the backslash"],
  ["/a\\/b", 2, 'a slash always separates segments; write "%2F" for an encoded one'],
  ["/.", 1, "a dot segment is resolved before matching and never matches"],
  ["/a/../b", 3, "a dot segment is resolved"],
  ["/a/./", 3, "a dot segment is resolved"],
  ["/%2e", 1, "a dot segment is resolved"],
  ["/a/%2E./b", 3, "a dot segment is resolved"],
  ["/\\.\\./b", 1, "a dot segment is resolved"],
];

const params: readonly Row[] = [
  ["/:", 1, '":" without a name; write "\\\\:" for the character'],
  ["/a/:/b", 3, '":" without a name'],
  ["/:7", 1, '":" without a name'],
  ["/v:-beta", 2, '":" without a name'],
  ["/:(\\d+)", 1, '":" without a name'],
  ["/a:80", 2, '":" without a name'],
  ["/:\\u0061", 1, '":" without a name'],
  ["/:id/:id", 5, 'duplicate name "id"'],
  ["/:a/x/:b.:a", 9, 'duplicate name "a"'],
  ["/:a/(x)/:a*", 8, 'duplicate name "a"'],
  ["/:__proto__/:__proto__", 12, 'duplicate name "__proto__"'],
  ["/:a:b", 3, 'two params with nothing between them; separate them by literal text, as in "/:a-:b"'],
  ["/(x):b1", 4, 'two params with nothing between them; separate them by literal text, as in "/:a-:b"'],
  ["/:a(x):b", 6, "two params with nothing between them"],
  ["/:a(\\d)(x)", 7, "two params with nothing between them"],
  ["/(x):a", 4, "two params with nothing between them"],
  ["/(a)-:x(b)(c)", 10, "two params with nothing between them"],
  ["/:a?/b", 5, 'static segment "b" follows optional param ":a?"'],
  ["/:a?//b", 5, 'static segment "" follows optional param ":a?"'],
  [
    "/:id?/:name",
    6,
    'required param ":name" follows optional param ":id?"; write optional params last, or two patterns',
  ],
  ["/:a?/:b?/:c(\\d)", 9, 'required param ":c(\\d)" follows optional param ":b?"'],
  ["/:a?/v:b", 5, 'required param "v:b" follows optional param ":a?"'],
  ["/:a?/(x)", 5, 'expression "(x)" follows optional param ":a?"'],
  ["/:a?/:b+", 5, 'rest ":b+" follows optional param ":a?"'],
  ["/:a?/*", 5, 'rest "*" follows optional param ":a?"'],
  ["/:a?b", 3, '"?" marks an optional param, which fills its segment; write "\\\\?" for the character'],
  ["/:a-:b?", 6, '"?" marks an optional param, which fills its segment'],
  ["/v:a?", 4, '"?" marks an optional param, which fills its segment'],
  ["/:a??", 3, '"?" marks an optional param, which fills its segment'],
  ["/:a(\\d)?x", 7, '"?" marks an optional param, which fills its segment'],
];

const rests: readonly Row[] = [
  ["/*/a", 3, 'rest "*" must be last; write ":name+"'],
  ["/:a*/:b", 5, 'rest ":a*" must be last; write ":a+"'],
  ["/*/", 2, 'rest "*" must be last; leave out the slash'],
  ["/a/:b*/", 6, 'rest ":b*" must be last; leave out the slash'],
  ["/a/:b+/", 6, 'rest ":b+" must be last; leave out the slash'],
  ["/:a+/*", 5, 'rest "*" follows rest ":a+", so that nothing ends the first; write ":name"'],
  ["/:a+/:b+/c", 5, 'rest ":b+" follows rest ":a+", and a pattern has one before its end; write ":name"'],
  ["/:a+/x/:b+/c", 7, 'rest ":b+" follows rest ":a+", and a pattern has one before its end; write ":name"'],
  ["/:a+b", 3, '"+" marks a rest param, which fills its segment; write "\\\\+" for the character'],
  ["/:a*b", 3, '"*" marks a rest param, which fills its segment'],
  ["/v:a+", 4, '"+" marks a rest param, which fills its segment'],
  ["/:a-:b*", 6, '"*" marks a rest param, which fills its segment'],
  ["/:a(\\d)+", 7, 'a rest param takes no expression; write "(\\\\d)" alone'],
  ["/:a(b)*", 6, 'a rest param takes no expression; write "(b)" alone'],
];

const expressions: readonly Row[] = [
  ["/(a", 1, 'unbalanced parenthesis; write "\\\\(" for the character'],
  ["/a/(b\\)", 3, "unbalanced parenthesis"],
  ["/((a)", 1, "unbalanced parenthesis"],
  ["/([)]", 1, "unbalanced parenthesis"],
  ["/:a(b", 3, "unbalanced parenthesis"],
  ["/a)", 2, 'unbalanced parenthesis; write "\\\\)" for the character'],
  ["/(a))", 4, "unbalanced parenthesis"],
  ["/()", 1, 'invalid expression: it is empty; write "\\\\(\\\\)" for the characters'],
  ["/:a()", 3, "invalid expression: it is empty"],
  ["/(*)", 1, "invalid expression: "],
  ["/a/:b(+)", 5, "invalid expression: "],
  ["/([b-a])", 1, "invalid expression: "],
  ["/(a{2,1})", 1, "invalid expression: "],
  ["/((?<a>b)(?<a>c))", 1, "invalid expression: "],
  ["/(?:a)", 1, 'invalid expression: write "((?:a))", a group inside the parentheses'],
  ["/(?=a)b", 1, "invalid expression: write "],
  ["/:a(?<b>c)", 3, "invalid expression: write "],
  ["/(a)(\\1)", 5, "back references cannot be used; write the alternatives out"],
  ["/((a)\\1)", 5, "back references cannot be used"],
  ["/((?<n>a)\\k<n>)", 9, "back references cannot be used"],
  ["/:x((a)\\2)", 7, "back references cannot be used"],
  ["/:a(^b)", 4, 'the constraint of a param is anchored already; leave out "^", or write "\\\\^" for the character'],
  ["/:a(b|c$)?", 7, 'the constraint of a param is anchored already; leave out "$"'],
  ["/x:a([^^]\\^(?=$))", 14, "the constraint of a param is anchored already"],
  ["/(^a)/:b(c$)", 10, "the constraint of a param is anchored already"],
  ["/(a)?", 4, '"?" belongs inside the parentheses'],
  ["/(a)+/b", 4, '"+" belongs inside the parentheses'],
  ["/x(a)*", 5, '"*" belongs inside the parentheses'],
];

/** Everything that the grammar refuses. */
export const refusals: readonly Refusal[] = [beginnings, characters, params, rests, expressions]
  .flat()
  .map(([pattern, column, reason]) => ({ pattern, column, reason }));
