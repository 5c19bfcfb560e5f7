// What careless and hostile clients send, as bytes; and a client that sends them and leaves.
import { connect } from "node:net";

const key = "dGhlIHNhbXBsZSBub25jZQ==";
const version = "Sec-WebSocket-Version: 13";
const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\n${version}\r\nSec-WebSocket-Key: ${key}\r\n`;
const long = "x".repeat(100_000);
const types = "application/json application/x-www-form-urlencoded text/plain application/octet-stream".split(" ");

/** Frames that no client may send (RFC 6455 §5), and one that it may, before it leaves. */
const frames = {
  "a frame without a mask": [0x81, 0x02, 0x68, 0x69],
  "a reserved bit": [0xf1, 0x80, 0, 0, 0, 0],
  "an unknown opcode": [0x83, 0x80, 0, 0, 0, 0],
  "a continuation of nothing": [0x80, 0x80, 0, 0, 0, 0],
  "a fragmented ping": [0x09, 0x80, 0, 0, 0, 0],
  "a ping of 126 bytes": [0x89, 0xfe, 0, 126, 0, 0, 0, 0, ...Array.from({ length: 126 }, () => 0)],
  "text that is no UTF-8": [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
  "text that is no JSON": [0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7b],
  bytes: [0x82, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
  "a length of 2^63": [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  "a length beyond any limit": [0x82, 0xff, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
  "half a frame": [0x81, 0xfe, 0x01],
  "a close of one byte": [0x88, 0x81, 0, 0, 0, 0, 0x03],
  "a close of code 1005": [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed],
  "a reason that is no UTF-8": [0x88, 0x83, 0, 0, 0, 0, 0x03, 0xe8, 0xff],
  "garbage in place of frames": Array.from({ length: 300 }, (_, at) => (at * 89) % 256),
};

/** Fields that say something odd, for each field that something of the package reads. */
const fields = [
  "Accept: ;q=,,*/x;;",
  `Accept: ${"a/b;q=0.1, ".repeat(1000)}`,
  "Accept-Encoding: br;q=2, ,gzip;q=x, *;q=0",
  "Accept-Language: \xff, -, *;q=9",
  "Authorization: Basic",
  "Authorization: Basic ////",
  "Authorization: Basic \xff\xfe",
  "Authorization: Bearer",
  "Authorization: Bearer a.b.c",
  "Authorization: Bearer eyJhbGciOiJub25lIn0.e30.",
  "Authorization: Digest x, y=z",
  "Access-Control-Request-Method: \x01",
  "Access-Control-Request-Headers: ,,,\r\nOrigin: null",
  "Connection: close, x, upgrade\r\nUpgrade: h2c, \x80",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 1\r\nContent-Length: 2",
  "Content-Length: 99999999999999999999",
  "Content-Type: application/json; charset=utf-16",
  "Content-Encoding: gzip, x",
  "Content-Range: bytes 0-1/*",
  "Cookie: ;=;a;=b;__proto__=1; a=%zz; a=\xff",
  `Cookie: ${"a=b;".repeat(2500)}`,
  "Expect: 100-continue\r\nContent-Length: 10",
  "Expect: what",
  'Forwarded: for=;by=",for="[::',
  "Host:",
  "Host: a b",
  "Host: evil\r\nHost: other",
  'Idempotency-Key: "',
  'If-Match: "',
  'If-Match: W/"a", *, b',
  'If-None-Match: ,"a",W/',
  "If-Modified-Since: Thu, 99 Foo 2026 99:99:99 GMT",
  "If-Range: x\r\nRange: bytes=0-0",
  "Last-Event-ID: \xff\x80",
  "Last-Event-ID: 99999999999999999999",
  "Max-Forwards: -1",
  "Origin: http://[",
  "Origin: null\r\nSec-Fetch-Site: cross-site",
  "Prefer: ;,=;respond-async;wait=x",
  "Range: bytes=9-1,-,-0,a-b",
  `Range: bytes=${"0-0,".repeat(2000)}`,
  "Sec-WebSocket-Key: x\r\nUpgrade: websocket",
  "TE: trailers;q=x",
  "Trailer: Content-Length",
  "Transfer-Encoding: gzip",
  "Transfer-Encoding: chunked\r\nContent-Length: 3",
  "Traceparent: 00-0-0-zz",
  "X-Forwarded-For: ,,\xff, ::ffff:1.2.3.4:x",
  "X-Forwarded-Proto: javascript",
  "X-Request-Id: \xff\t",
  `X-Long: ${long}`,
  "X-Bad: \0",
  "no colon",
  ": no name",
  " folded",
];

/** Content that is not what its type says, and types that are none. */
const contents = [
  ...types.flatMap((type) => ["", "{", "\xff\xfe", `{"__proto__":{"a":1},"a":1e400}`].map((text) => [type, text])),
  ["application/json", `${"[".repeat(50_000)}`],
  ["application/json", "null"],
  ["application/json", "[]"],
  ["application/json", "{}"],
  ["application/x-www-form-urlencoded", "%zz=%&=&&__proto__=1&a[b]=c"],
  ["application/x-www-form-urlencoded", "%zz=%&".repeat(2000)],
  ["multipart/form-data", "--x\r\n\r\n--x--"],
  ["multipart/form-data; boundary=", "--\r\n"],
  ["multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x"],
  ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="file"; filename="../a"\r\n\r\n'],
  ["application/jsonl", '{"a":\n\n1}\n'],
  ["application/octet-stream;;", "a"],
  ["x", "a"],
  ["\xff/\xff", "a"],
];

/** Bytes that are no request at all. */
const notRequests = {
  nothing: "",
  "only the end of lines": "\r\n\r\n\r\n",
  "a greeting of TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "a preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
  bytes: Array.from({ length: 500 }, (_, at) => String.fromCharCode((at * 151) % 256)).join(""),
  "HTTP/0.9": "GET /\r\n\r\n",
  "HTTP/9.9": "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
  "HTTP/1.0 without Host": "GET / HTTP/1.0\r\n\r\n",
  "HTTP/1.1 without Host": "GET / HTTP/1.1\r\n\r\n",
  "lines that end by LF": "GET / HTTP/1.1\nHost: a\n\n",
  "a method of 100,000 letters": `${long} / HTTP/1.1\r\nHost: a\r\n\r\n`,
  "a line without an end": long,
  "a head without an end": `GET / HTTP/1.1\r\nHost: a\r\n${"a: b\r\n".repeat(20_000)}`,
};

/**
 * Bad requests for a server with resources at some paths, each with a name, its bytes, what follows after 101, and how
 * the client leaves.
 *
 * @param credentials values of Authorization that lead past guards.
 */
export function badRequests(targets, paths, credentials) {
  const made = [];
  let turn = 0;
  // Each path, each credential and each way to leave, by turns of different lengths.
  const next = (list) => list[turn++ % list.length];
  const add = (name, head, how = "read", more = "") =>
    made.push({ name, bytes: Buffer.from(head, "latin1"), how, more });
  const authorized = () => {
    const value = credentials.length === 0 ? undefined : next([undefined, ...credentials]);
    return value === undefined ? "" : `Authorization: ${value}\r\n`;
  };
  const head = (method, target, more = "") =>
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${authorized()}${more}`;
  const closing = "Connection: close\r\n\r\n";

  for (const target of ["//", "/\\", "*", "http://", "//@/", "///[", "/%", ...paths]) {
    add(`${target} with Upgrade`, head("GET", target, `${upgrade}\r\n`));
    add(`${target} with Upgrade, and a reset at once`, head("GET", target, `${upgrade}\r\n`), "reset");
    add(`${target} with Upgrade, and an end`, head("GET", target, `${upgrade}\r\n`), "end");
  }
  for (const path of paths) {
    for (const text of ["{", "null"]) {
      const content = `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n${closing}${text}`;
      add(`POST ${path} of ${text}`, head("POST", path, content));
    }
  }
  for (const target of targets) add(`GET ${target}`, head("GET", target, closing));
  for (const [name, bytes] of Object.entries(frames)) {
    const at = next(paths);
    add(name, head("GET", at, `${upgrade}\r\n`), next(["read", "reset"]), Buffer.from(bytes));
  }
  for (const line of [
    "Sec-WebSocket-Key: x",
    "Sec-WebSocket-Version: 99",
    "Upgrade: websocket, h2c",
    "Upgrade: \x80",
  ]) {
    add(`Upgrade by ${line}`, head("GET", next(paths), `Connection: upgrade\r\nUpgrade: websocket\r\n${line}\r\n\r\n`));
  }
  for (const line of fields) {
    for (const method of ["GET", next(["POST", "PUT", "OPTIONS", "HEAD", "DELETE"])]) {
      add(`${method} with ${line.slice(0, 60)}`, head(method, next(paths), `${line}\r\n${closing}`));
    }
  }
  for (const [type, text] of contents) {
    const method = next(["POST", "PUT", "PATCH", "QUERY", "GET"]);
    const from = `${head(method, next(paths))}Content-Type: ${type}\r\nIf-Match: *\r\n`;
    add(`${method} of ${type} ${text.slice(0, 20)}`, `${from}Content-Length: ${text.length}\r\n${closing}${text}`);
    add(`half of ${type}`, `${from}Content-Length: ${text.length + 9}\r\n\r\n${text}`, next(["reset", "end", "leave"]));
    add(`a broken chunk of ${type}`, `${from}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\nzz\r\n${text}`);
  }
  for (const path of paths) {
    for (const how of ["reset", "end", "leave"]) {
      add(`GET ${path}, and ${how}`, head("GET", path, "\r\n"), how);
      add(`POST ${path} in chunks, and ${how}`, head("POST", path, "Transfer-Encoding: chunked\r\n\r\n5\r\nab"), how);
      add(`half a head to ${path}, and ${how}`, head("GET", path, "Accept: te").slice(0, -2), how);
    }
    add(`two at ${path}, and a reset`, head("GET", path, "\r\n").repeat(2), "reset");
    for (const method of ["get", "CONNECT", "TRACE", "__proto__", "OPTIONS", "HEAD", "QUERY", "\xff"]) {
      add(`${method} ${path}`, head(method, path, closing));
    }
    const ends = [
      "?%zz=%&a[]=1&__proto__=1",
      "?a=1&a=2&a=",
      `?q=${long.slice(0, 9_000)}`,
      "#a",
      "/%00",
      "/..%2f..%2fa",
    ];
    for (const end of ends) add(`GET ${path}${end.slice(0, 30)}`, head("GET", `${path}${end}`, closing));
  }
  for (const [name, bytes] of Object.entries(notRequests)) add(name, bytes, next(["end", "reset", "leave"]));
  return made;
}

/** Frames of a bad client after a handshake, each at each path, without a field and with each that is given. */
export function badFrames(paths, credentials) {
  return paths.flatMap((path) =>
    ["", ...credentials.map((field) => `${field}\r\n`)].flatMap((field) =>
      Object.entries(frames).map(([name, bytes], at) => ({
        name,
        bytes: Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${field}${upgrade}\r\n`, "latin1"),
        how: at % 2 === 0 ? "read" : "reset",
        more: Buffer.from(bytes),
        // The first one has the process load what completes it.
        longestMs: 10_000,
      })),
    ),
  );
}

/** How long a server may take for what it is asked. */
const shortMs = 80;

/**
 * Sends a request and leaves: after all was answered ("read"), at once ("reset"), after it said that it sends no more
 * ("end"), or at the first byte ("leave"). Whoever waits is cut off after some time, and leaves, too.
 */
export function sendBadly(address, { bytes, how, more, longestMs = shortMs }) {
  return new Promise((resolve) => {
    const socket = connect(
      typeof address === "string" ? { path: address } : { port: address.port, host: address.host },
    );
    let timer = setTimeout(() => socket.destroy(), longestMs);
    // A Unix socket knows no reset.
    const reset = () => (typeof address === "string" ? socket.destroy() : socket.resetAndDestroy());
    let first = null;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      first ??= chunk;
      if (how === "leave") socket.destroy();
      else if (more.length > 0 && first === chunk && chunk.toString("latin1").startsWith("HTTP/1.1 101")) {
        socket.write(more, () => how === "reset" && reset());
        clearTimeout(timer);
        timer = setTimeout(() => socket.destroy(), shortMs);
      }
    });
    socket.on("connect", () => {
      if (how === "end") socket.end(bytes);
      else socket.write(bytes, () => how === "reset" && more.length === 0 && reset());
    });
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(first?.toString("latin1") ?? "");
    });
  });
}
