/** What an application answers, as the pattern with its values or a status, and the targets that it answers so. */
type Targets = Readonly<Record<string, readonly string[]>>;

/** The rules of paths (C4) that targets show: the patterns of an application, a resource each, and its answers. */
export const pathsByRule: readonly [rule: string, patterns: readonly string[], answers: Targets][] = [
  [
    "C4.1 accepts absolute URLs and origin-form",
    ["/a"],
    { "/a": ["https://u:p@host:1/a?b#c", "http://h/a", "HTTP://H/a", "/a?b", "/a#b", "/a"] },
  ],
  [
    "C4.1 takes a scheme-relative look-alike for a path that begins with an empty segment",
    ["/x", "/host/x"],
    { 404: ["//host/x", "//x", "///x"] },
  ],
  [
    "C4.1 is not influenced by scheme, host, port, userinfo, query or fragment",
    ["/a", "/b"],
    {
      "/a": [
        ...["http://b/a", "https://h:8080/a", "http://b:b@h/a", "ftp://h/a", "http://h/a?b#b", "http://[::1]/a"],
        ...["/a?/b", "/a?x=/b#/b", "/a#/b"],
      ],
    },
  ],
  [
    "C4.1 reads an absolute URL without a path as /",
    ["/"],
    { "/": ["http://h", "http://h?x", "http://h#x", "https://u@h:1"] },
  ],
  [
    "C4.1 matches nothing by asterisk-form, authority-form, empty string or text without a leading slash",
    ["/:a?", "/*", "/x/(.*)"],
    { 404: ["*", "h:80", "", "?x", "a", "a/b", "#", "mailto:x", "[::1]:80"] },
  ],
  [
    "C4.1 rejects a URL that cannot be parsed with HTTPError 400",
    ["/*"],
    { 400: ["http://[::1/", "http://h:99999/", "http://", "https://a b/"] },
  ],
  [
    "C4.2 decodes escapes of unreserved characters, in paths and in patterns",
    ["/admin", "/%7euser"],
    { "/admin": ["/%61dmin", "/%61%64%6D%69%6e"], "/%7euser": ["/~user", "/%7Euser"] },
  ],
  [
    "C4.2 counts hex digits as upper case, in paths and in patterns",
    ["/caf%c3%a9", "/a%2fb"],
    { "/caf%c3%a9": ["/caf%C3%A9", "/caf%c3%a9", "/café"], "/a%2fb": ["/a%2Fb"] },
  ],
  ["C4.2 never takes %2F for a separator", ["/a/b", "/x/:one"], { 404: ["/a%2Fb"], "/x/:one 1/2": ["/x/1%2F2"] }],
  [
    "C4.2 lets patterns be written in plain Unicode",
    ["/café/:größe"],
    { "/café/:größe": ["/caf%C3%A9/xl", "/café/xl"] },
  ],
  ["C4.2 is case-sensitive", ["/admin", "/Users/:id"], { 404: ["/ADMIN", "/users/7"], "/Users/:id A": ["/Users/A"] }],
  ["C4.3 root matches the path /", ["/"], { "/": ["/"], 404: ["/a", "//"] }],
  [
    "C4.3 a static segment matches that segment",
    ["/users"],
    { "/users": ["/users"], 404: ["/user", "/userss", "/users/7", "/x/users", "/"] },
  ],
  [
    "C4.3 a required param matches one non-empty segment",
    ["/users/:id"],
    { "/users/:id 7": ["/users/7"], 404: ["/users", "/users/", "/users//", "/users/7/8"] },
  ],
  [
    "C4.3 optional params match one segment or none, any number of them",
    ["/a/:b?/:c?/:d?"],
    {
      "/a/:b?/:c?/:d?": ["/a"],
      "/a/:b?/:c?/:d? 1": ["/a/1"],
      "/a/:b?/:c?/:d? 1 2 3": ["/a/1/2/3"],
      404: ["/a/1/2/3/4"],
    },
  ],
  [
    "C4.3 affixed params take the shortest text in one segment, the last one the rest",
    ["/:file.:ext", "/@:user", "/v:major-beta"],
    {
      "/:file.:ext a tar.gz": ["/a.tar.gz"],
      "/@:user ada": ["/@ada"],
      "/v:major-beta 2": ["/v2-beta"],
      404: ["/@", "/.x", "/v-beta", "/a."],
    },
  ],
  [
    "C4.3 affixed params may be constrained",
    ["/:id(\\d+).json"],
    { "/:id(\\d+).json 42": ["/42.json"], 404: ["/x.json"] },
  ],
  [
    "C4.3 a constrained param matches a segment that the expression matches entirely",
    ["/a/:id(\\d+)", "/b/:id(\\d+)?", "/c/:id(x|xy)"],
    {
      "/a/:id(\\d+) 42": ["/a/42"],
      "/b/:id(\\d+)?": ["/b"],
      "/b/:id(\\d+)? 7": ["/b/7"],
      "/c/:id(x|xy) xy": ["/c/xy"],
      404: ["/a/42x", "/a/", "/b/x"],
    },
  ],
  [
    "C4.3 an expression matches at its place, slashes included; values are read by number",
    ["/([0-9]$)", "/(.+\\.jpg)", "/files/(a|b)/x", "/two/(\\d)-(\\d)"],
    {
      "/([0-9]$) 7": ["/7"],
      "/(.+\\.jpg) a/b.jpg": ["/a/b.jpg"],
      "/files/(a|b)/x b": ["/files/b/x"],
      "/two/(\\d)-(\\d) 1 2": ["/two/1-2"],
      404: ["/77", "/files/c/x"],
    },
  ],
  [
    "C4.3 a rest matches one or more, or zero or more remaining segments",
    ["/a/:path+", "/b/:path*", "/c/*"],
    {
      "/a/:path+ 1/2": ["/a/1/2"],
      "/b/:path*": ["/b"],
      "/b/:path* 1/2": ["/b/1/2"],
      "/c/* 1/2": ["/c/1/2"],
      "/c/*": ["/c"],
      404: ["/a"],
    },
  ],
  [
    "C4.3 a backslash makes a character literal",
    ["/a\\:b", "/a\\(b\\)", "/a\\*b", "/a\\{b\\}"],
    { "/a\\:b": ["/a:b"], "/a\\(b\\)": ["/a(b)"], "/a\\*b": ["/a*b"], "/a\\{b\\}": ["/a{b}"] },
  ],
  ["C4.3 names are JavaScript identifiers", ["/:$_a1"], { "/:$_a1 x": ["/x"] }],
  [
    "C4.3 expressions see the canonical path, may hold groups and look-ahead; ^ and $ mean its ends",
    ["/(caf%C3%A9)/x", "/a/((?:b|(c))d)", "/b/(^no)", "/c/((?!admin).+)"],
    {
      "/(caf%C3%A9)/x café": ["/caf%c3%a9/x"],
      "/a/((?:b|(c))d) cd": ["/a/cd"],
      "/c/((?!admin).+) user": ["/c/user"],
      404: ["/b/no", "/c/admin"],
    },
  ],
  [
    "C4.5 tries two different expressions in the order of registration",
    ["/(\\d+)", "/(\\w+)"],
    { "/(\\d+) 7": ["/7"] },
  ],
  ["C4.5 tries them in the opposite order, too", ["/(\\w+)", "/(\\d+)"], { "/(\\w+) 7": ["/7"] }],
  [
    "C4.5 tries the others when the more specific branch fails further on",
    ["/users/me/settings", "/users/:id/posts", "/users/*"],
    {
      "/users/me/settings": ["/users/me/settings"],
      "/users/:id/posts me": ["/users/me/posts"],
      "/users/* me/other": ["/users/me/other"],
    },
  ],
  [
    "C4.7 ignores one trailing slash, in paths and in patterns",
    ["/users/:id", "/posts/"],
    { "/users/:id 7": ["/users/7/"], "/posts/": ["/posts", "/posts/"], 404: ["/users/7//"] },
  ],
  [
    "C4.7 lets an expression or rest at the end see the path as it is",
    ["/a/(\\d+)", "/b/:path+", "/c/*"],
    { 404: ["/a/7/"], "/b/:path+ 7/": ["/b/7/"], "/c/* 7/": ["/c/7/"] },
  ],
  [
    "C4.7 never ignores inner empty segments, which match no param",
    ["/users/:id/posts", "/users/posts"],
    { 404: ["/users//posts", "//users/posts"] },
  ],
  ["C4.9 matches hostile segments without backtracking", ["/:a-:b-:c-:d-:e-:f.x"], { 404: [`/${"-a".repeat(4000)}`] }],
];

/** C4.5: what wins, whatever the order of registration. */
export const winners: readonly [rule: string, patterns: readonly string[], answers: Targets][] = [
  [
    "static, affixed, constrained, param, rest",
    ["/a/me", "/a/m:x", "/a/:id([a-z]+)", "/a/:id", "/a/*"],
    {
      "/a/me": ["/a/me"],
      "/a/m:x x": ["/a/mx"],
      "/a/:id([a-z]+) x": ["/a/x"],
      "/a/:id 7": ["/a/7"],
      "/a/* 7/8": ["/a/7/8"],
    },
  ],
  ["segment by segment from the left", ["/:a/b", "/a/:b"], { "/a/:b b": ["/a/b"] }],
  ["an expression that matches anything is a rest", ["/(.*)", "/:a"], { "/:a x": ["/x"] }],
  ["so is one that matches any text", ["/(.+)", "/:a"], { "/:a x": ["/x"] }],
  ["the affixed segment with more literal characters", ["/:a.:b", "/:a.json"], { "/:a.json x": ["/x.json"] }],
];
