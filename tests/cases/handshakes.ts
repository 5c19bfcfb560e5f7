// Handshakes that clients send, right and wrong, and what they are answered with: RFC 6455 §4.2.1, and what the tests
// of the package ws ask for.

/** A handshake, and its answer. */
export interface HandshakeCase {
  readonly name: string;
  readonly method: string;
  readonly version: string;
  /** Field lines beside `Host`. */
  readonly lines: readonly string[];
  readonly content: string;
  readonly status: number;
  /** The subprotocol that is agreed on by a server that speaks `v2` and `v1`; null for none. */
  readonly protocol: string | null;
}

const fields = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** The answer to the key above (RFC 6455 §1.3). */
export const acceptOfCase = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

type Changes = Readonly<Record<string, string | readonly string[] | null>>;
type More = Partial<Pick<HandshakeCase, "method" | "version" | "content" | "protocol">>;

/** A row: of each field, its value, its values on lines of their own, or null where it is not sent. */
function row(name: string, status: number, changes: Changes, more: More = {}): HandshakeCase {
  const lines = Object.entries({ ...fields, ...changes }).flatMap(([field, values]) =>
    (values === null ? [] : [values].flat()).map((value) => `${field}: ${value}`),
  );
  return { name, status, lines, method: "GET", version: "1.1", content: "", protocol: null, ...more };
}

const asked = [
  row("a handshake", 101, {}),
  row("Upgrade in other letters", 101, { Upgrade: "WebSocket" }),
  row("Upgrade with another protocol before", 101, { Upgrade: "foo, websocket" }),
  row("Upgrade with another protocol after", 101, { Upgrade: "websocket, foo" }),
  row("two fields Upgrade", 101, { Upgrade: ["foo", "websocket"] }),
  row("Connection in other letters", 101, { Connection: "uPGRADE" }),
  row("Connection with keep-alive, as Firefox sends it", 101, { Connection: "keep-alive, Upgrade" }),
  row("two fields Connection", 101, { Connection: ["keep-alive", "Upgrade"] }),
  row("no Connection", 426, { Connection: null }),
  row("Connection without upgrade", 426, { Connection: "close" }),
  row("no Upgrade", 426, { Upgrade: null }),
  row("an empty Upgrade", 426, { Upgrade: "" }),
  row("another protocol only", 426, { Upgrade: "foo" }),
  row("a protocol that begins alike", 426, { Upgrade: "websockets" }),
  row("HTTP/1.0", 426, {}, { version: "1.0" }),
  row("HEAD", 426, {}, { method: "HEAD" }),
  row("POST", 405, {}, { method: "POST" }),
  row("POST with content", 405, { "Content-Length": "2" }, { method: "POST", content: "{}" }),
  row("PUT", 405, { "Content-Length": "0" }, { method: "PUT" }),
];

const keys = [
  row("no key", 400, { "Sec-WebSocket-Key": null }),
  row("an empty key", 400, { "Sec-WebSocket-Key": "" }),
  row("a key of 8 bytes", 400, { "Sec-WebSocket-Key": "P5l8BJcZwRc=" }),
  row("a key of 15 bytes", 400, { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25j" }),
  row("a key of 17 bytes", 400, { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZWE=" }),
  row("a key of 24 bytes", 400, { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZWRnaGhn" }),
  row("a key without its padding", 400, { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ" }),
  row("a key with bits after its end", 400, { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZR==" }),
  row("a key in base64url", 400, { "Sec-WebSocket-Key": "dGhl_HNhbXBs-SBub25jZQ==" }),
  row("a key with a space", 400, { "Sec-WebSocket-Key": "dGhlIHNhbXBs ZSBub25jZQ==" }),
  row("two keys", 400, { "Sec-WebSocket-Key": [fields["Sec-WebSocket-Key"], fields["Sec-WebSocket-Key"]] }),
];

const versions = [
  row("no version", 426, { "Sec-WebSocket-Version": null }),
  row("an empty version", 426, { "Sec-WebSocket-Version": "" }),
  row("version 12", 426, { "Sec-WebSocket-Version": "12" }),
  row("version 8", 426, { "Sec-WebSocket-Version": "8" }),
  row("version 013", 426, { "Sec-WebSocket-Version": "013" }),
  row("version 13.0", 426, { "Sec-WebSocket-Version": "13.0" }),
  row("a list of versions", 426, { "Sec-WebSocket-Version": "13, 8" }),
  row("two fields of versions", 426, { "Sec-WebSocket-Version": ["8", "13"] }),
  row("Hixie-76, with two keys and no version", 426, {
    "Sec-WebSocket-Version": null,
    "Sec-WebSocket-Key": null,
    "Sec-WebSocket-Key1": "4 @1  46546xW%0l 1 5",
    "Sec-WebSocket-Key2": "12998 5 Y3 1  .P00",
  }),
];

const offer = (value: string | readonly string[]): Changes => ({ "Sec-WebSocket-Protocol": value });
const protocols = [
  row("a subprotocol that is spoken", 101, offer("v1"), { protocol: "v1" }),
  row("one that is not", 101, offer("foo")),
  row("one in other letters", 101, offer("V1")),
  row("several", 101, offer("v1, v2"), { protocol: "v2" }),
  row("several without spaces", 101, offer("foo,v1,bar"), { protocol: "v1" }),
  row("several with tabs and spaces", 101, offer("foo \t,\t v1"), { protocol: "v1" }),
  row("several on two lines", 101, offer(["foo", "v1"]), { protocol: "v1" }),
  row("all characters of a token", 101, offer("!#$%&'*+-.^_`|~0aZ, v1"), { protocol: "v1" }),
  row("one twice", 400, offer("v1, v1")),
  row("one twice, with another between", 400, offer("v1,v2,v1")),
  row("one twice, on two lines", 400, offer(["v1", "v1"])),
  row("none in the field", 400, offer("")),
  row("only a comma", 400, offer(",")),
  row("an empty one at the end", 400, offer("v1,")),
  row("an empty one between", 400, offer("v1,  ,v2")),
  row("an empty one before", 400, offer(", v1")),
  row("one with a space", 400, offer("v 1")),
  row("one with a parameter", 400, offer("v1;q=1")),
  row("one with an at sign", 400, offer("v1,b@r")),
  row("one with a backslash", 400, offer("f\\oo")),
  row("one in quotes", 400, offer('"v1"')),
];

const others = [
  row("an extension that nobody knows", 101, { "Sec-WebSocket-Extensions": "foo; bar" }),
  row("permessage-deflate", 101, { "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits" }),
  row("several fields of extensions", 101, { "Sec-WebSocket-Extensions": ["foo", "permessage-deflate"] }),
  row("content", 400, { "Content-Length": "3" }, { content: "abc" }),
  row("chunked content", 400, { "Transfer-Encoding": "chunked" }, { content: "0\r\n\r\n" }),
  row("content of no length", 101, { "Content-Length": "0" }),
  row("a page of the host", 101, { Origin: "http://h" }),
  row("a page of another port", 403, { Origin: "http://h:81" }),
  row("a page of a name that begins alike", 403, { Origin: "http://h.example" }),
  row("two origins", 403, { Origin: "http://h http://h" }),
  row("an empty origin", 403, { Origin: "" }),
];

export const handshakeCases: readonly HandshakeCase[] = [
  ...asked,
  ...keys,
  ...versions,
  ...protocols.map((one) => ({ ...one, name: `subprotocols: ${one.name}` })),
  ...others,
];

/** Where the server of a runtime decides itself, and the status that it may answer with. */
export const handshakeDepartures: Readonly<Record<string, readonly (readonly [name: RegExp, status: number])[]>> = {
  // None of them shows the version of HTTP.
  bun: [[/^HTTP\/1\.0$/, 101]],
  // It takes no `Content-Length` with `Upgrade`, whatever the method.
  deno: [
    [/^HTTP\/1\.0$/, 101],
    [/^(?:POST with content|PUT|content of no length)$/, 400],
  ],
  // It does not show `Connection`, nor a field without a value, and takes no list in `Upgrade`. A Durable Object
  // gets no other method with `Upgrade`.
  workerd: [
    [/^(?:HTTP\/1\.0|no Connection|Connection without upgrade|subprotocols: none in the field|an empty origin)$/, 101],
    [/^(?:Upgrade with another protocol|two fields Upgrade)/, 426],
    [/^(?:HEAD|POST|POST with content|PUT)$/, 400],
  ],
};
