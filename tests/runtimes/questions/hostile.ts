/** Bytes that a server may get instead of a request. */
export interface Hostile {
  readonly because: string;
  readonly bytes: string;
  /** Whether it is all that a request needs, so that the server must do something without waiting for more. */
  readonly isComplete: boolean;
}

const targets = [
  ...["/", "/?x", "?x", "", "a/b", "*", "h:80", "http://h", "http://h?x", "http:///x", "HTTP://H/a"],
  ...["http://u:p@[::1]:80/a", "http://münchen/a", "http://[::1/", "http://h:99999", "http://h:99999/hello/x"],
  ...["javascript:x", "//", "//evil/x", "///x", "/\\evil", "/./a", "/../a", "/%2e%2e/a", "/%252e/a", "/..;/a"],
  ...["/a;x=1/b", "/a%2Fb", "/a%5Cb", "/%", "/%4", "/%zz", "/%c0%af", "/%ed%a0%80", "/%ff%fe", "/%00", "/%0d%0a"],
  ...["/hello/%", "/hello/%4", "/hello/%zz", "/hello/%c0%af", "/hello/%ed%a0%80", "/hello/%ff%fe", "/hello/%00"],
  ...["/hello/%0d%0aset-cookie:a", "/\xff\xfe", "/\xed\xa0\x80", "/hello/\xff\xfe", "/\t", "/a\tb", "/a\x00b", "/a\rb"],
  ...["/a\nb", "/a b", "/#", "/hello/x#y", "/__proto__", "/constructor", "/hello/__proto__", "/hello/constructor"],
  ...["/hello?%", "/hello/x?%ff", "/echo/x?q=%ff", "/echo/x?__proto__=1", "https://h/hello/x", "ftp://h/hello/x"],
  ...["/[::1]", "/{x}", "/|", "/^", '/"<>`', "/hello/x?", "/hello/x?#", "file:///etc/passwd", "ws://h/", "about:blank"],
  ...[
    "/..",
    "/hello/..",
    "/hello/../../..",
    "http://",
    "http:",
    "http:/h/x",
    "://",
    ":",
    "/:",
    "/hello/:name",
    "/(.*)",
  ],
];

const methods = [
  ...["get", "Get", "CONNECT", "TRACE", "TRACK", "OPTIONS", "HEAD", "DELETE", "ALL", "PATHS", "paths", "__proto__"],
  ...[
    "constructor",
    "toString",
    "PURGE",
    "PROPFIND",
    "QUERY",
    "SEARCH",
    "M-SEARCH",
    "PRI",
    "",
    " ",
    "G T",
    "G\x00T",
    "GET\t",
  ],
  ...["GÉT", "GET/", "G\rT", "\r\nGET", "\n", "GET:", "(GET)", "GET,POST", "9", "X".repeat(10_000)],
];

const fields: Readonly<Record<string, readonly string[]>> = {
  "no Host": [],
  "an empty Host": ["Host:"],
  "two Hosts": ["Host: a", "Host: b"],
  "a Host with a path": ["Host: evil/admin"],
  "a Host with userinfo": ["Host: a@evil"],
  "a Host with a bad port": ["Host: h:99999"],
  "a Host that is no URL": ["Host: [::1"],
  "a Host with a backslash": ["Host: evil\\admin"],
  "a Host with a NUL": ["Host: a\x00b"],
  "a field without a colon": ["Host: h", "nonsense"],
  "a field without a name": ["Host: h", ": x"],
  "a field with a space in its name": ["Host: h", "a b: x"],
  "a space before the colon": ["Host: h", "Content-Length : 5"],
  "a folded field": ["Host: h", "A: b", " c"],
  "a field named __proto__": ["Host: h", "__proto__: x", "constructor: y"],
  "a field with bytes that are no ASCII": ["Host: h", "A: \xff\xfe"],
  "a field with a NUL": ["Host: h", "A: a\x00b"],
  "a field with a lone CR": ["Host: h", "A: a\rb"],
  "a field of 200 kB": ["Host: h", `A: ${"x".repeat(200_000)}`],
  "5,000 fields": ["Host: h", ...Array.from({ length: 5000 }, (_, index) => `A${index}: x`)],
  "cookies without end": ["Host: h", `Cookie: ${"a=b; ".repeat(1000)}`],
  "an upgrade to something unknown": ["Host: h", "Connection: upgrade", "Upgrade: nonsense"],
  "an upgrade to a web socket": [
    ...["Host: h", "Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ],
  "an upgrade to HTTP/2": [
    "Host: h",
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABk",
  ],
  "an expectation that nobody meets": ["Host: h", "Expect: nonsense"],
  "a Connection field that names others": ["Host: h", "Connection: host, content-length, close"],
  "a Connection field that is nonsense": ["Host: h", "Connection: \x01"],
  "no keep-alive of HTTP/1.0": ["Host: h", "Keep-Alive: timeout=999999999"],
  "a Range that is nonsense": ["Host: h", "Range: bytes=9-1,,-"],
};

const contents: Readonly<Record<string, string>> = {
  "two lengths": "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
  "a list of lengths": "Content-Length: 1, 2\r\n\r\nxx",
  "a negative length": "Content-Length: -1\r\n\r\nx",
  "a length with a sign": "Content-Length: +1\r\n\r\nx",
  "a length in hexadecimal": "Content-Length: 0x1\r\n\r\nx",
  "a length beyond all numbers": `Content-Length: ${"9".repeat(40)}\r\n\r\nx`,
  "an empty length": "Content-Length:\r\n\r\n",
  "a length and chunks": "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "an unknown transfer coding": "Transfer-Encoding: nonsense\r\n\r\nx",
  "chunked, but not last": "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
  "chunked twice": "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "a chunk size that is no number": "Transfer-Encoding: chunked\r\n\r\nz\r\nx\r\n0\r\n\r\n",
  "a chunk size beyond all numbers": `Transfer-Encoding: chunked\r\n\r\n${"f".repeat(40)}\r\nx\r\n`,
  "a chunk longer than its size": "Transfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n0\r\n\r\n",
  "a chunk extension without end": `Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(100_000)}\r\nx\r\n0\r\n\r\n`,
  "trailers that are nonsense": "Transfer-Encoding: chunked\r\n\r\n0\r\nnonsense\r\n\r\n",
  "content after a request without any": "\r\nnonsense nonsense nonsense\r\n\r\n",
};

const host = "Host: h\r\nConnection: close\r\n\r\n";

export const hostiles: readonly Hostile[] = [
  ...targets.map((target) => complete(`target ${JSON.stringify(target)}`, `GET ${target} HTTP/1.1\r\n${host}`)),
  ...[8_000, 64_000, 1_000_000].map((size) =>
    complete(`target of ${size}`, `GET /${"x".repeat(size)} HTTP/1.1\r\n${host}`),
  ),
  complete("3,500 segments", `GET ${"/x".repeat(3500)} HTTP/1.1\r\n${host}`),
  complete("2,500 dot segments", `GET ${"/..".repeat(2500)} HTTP/1.1\r\n${host}`),
  complete("a query of 60 kB", `GET /hello/x?${"a=b&".repeat(15_000)} HTTP/1.1\r\n${host}`),
  ...methods.map((method) =>
    complete(`method ${JSON.stringify(method.slice(0, 20))}`, `${method} /echo/x HTTP/1.1\r\n${host}`),
  ),
  ...["*", "h:80", "/", "http://h/"].flatMap((target) =>
    ["OPTIONS", "TRACE", "CONNECT", "PURGE", "POST"].map((method) =>
      complete(`${method} ${target}`, `${method} ${target} HTTP/1.1\r\n${host}`),
    ),
  ),
  ...[
    "HTTP/1.0",
    "HTTP/0.9",
    "HTTP/2.0",
    "HTTP/3",
    "HTTP/9.9",
    "HTTP/1.10",
    "http/1.1",
    "HTTP/1.",
    "XTTP/1.1",
    "",
    "ICE/1.0",
  ].map((version) => complete(`version ${JSON.stringify(version)}`, `GET / ${version}\r\n${host}`)),
  ...Object.entries(fields).map(([because, lines]) =>
    complete(because, ["GET /hello/x HTTP/1.1", ...lines, "Connection: close", "", ""].join("\r\n")),
  ),
  ...Object.entries(contents).map(([because, rest]) =>
    cut(because, `POST /content HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${rest}`),
  ),
  complete("line feeds alone", "GET / HTTP/1.1\nHost: h\nConnection: close\n\n"),
  complete("carriage returns alone", "GET / HTTP/1.1\rHost: h\r\r\r\n\r\n"),
  complete("two spaces", `GET  /  HTTP/1.1\r\n${host}`),
  complete("a tab", `GET\t/\tHTTP/1.1\r\n${host}`),
  complete("empty lines first", `\r\n\r\nGET / HTTP/1.1\r\n${host}`),
  cut("nothing", ""),
  cut("one byte", "G"),
  cut("half a line", "GET /hel"),
  cut("a line", "GET / HTTP/1.1\r\n"),
  cut("half of the fields", "GET / HTTP/1.1\r\nHost: h\r\nA: "),
  cut("half of the content", "POST /content HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf"),
  cut("half of a chunk", "POST /content HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"),
  cut("NULs", "\0".repeat(1000)),
  cut("noise", String.fromCharCode(...Array.from({ length: 1000 }, (_, index) => (index * 7919) % 256))),
  cut("a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".padEnd(200, "\x42")),
  cut("an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"),
  cut("an HTTP/2 preface with noise", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${"\xff".repeat(100)}`),
  cut("a request after nonsense", `nonsense\r\n\r\nGET / HTTP/1.1\r\n${host}`),
];

function complete(because: string, bytes: string): Hostile {
  return { because, bytes, isComplete: true };
}

/** Its end is the end of the connection. */
function cut(because: string, bytes: string): Hostile {
  return { because, bytes, isComplete: false };
}
