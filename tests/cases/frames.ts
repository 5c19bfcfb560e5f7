// What clients may send in a WebSocket, and what they may not, after the sections of the Autobahn test suite.
import { closeFrame, frame, opcodes, type FrameOptions, type Message } from "../support/frames.ts";

/** Bytes of a client of an echo, and what a server that keeps RFC 6455 says to them before it ends the connection. */
export interface FrameCase {
  readonly name: string;
  /** The kind of messages that the server echoes. */
  readonly kind: "text" | "bytes";
  readonly sent: Uint8Array;
  readonly messages: readonly Message[];
  readonly pongs: readonly string[];
  /** Close codes that are right; null is a connection that is cut. */
  readonly closes: readonly (number | null)[];
}

const { continuation, text, bytes, close, ping, pong } = opcodes;
const part: FrameOptions = { isFinal: false };
const goodbye = closeFrame(1000);
/** A server may say why, or cut the connection (§7.1.7). */
const failed = [1002, null];
const notUtf8 = [1007, null];

function row(
  name: string,
  frames: readonly Uint8Array[],
  {
    messages = [],
    pongs = [],
    closes = [1000],
    kind = "text",
  }: Partial<Pick<FrameCase, "messages" | "pongs" | "closes" | "kind">> = {},
): FrameCase {
  return { name, kind, sent: Buffer.concat([...frames, goodbye]), messages, pongs, closes };
}

const x = (length: number): string => "x".repeat(length);
const lengths = [0, 1, 125, 126, 127, 128, 65_535, 65_536];

const framing = lengths.flatMap((length) => [
  row(`text of ${length} bytes`, [frame(text, x(length))], { messages: [x(length)] }),
  row(`bytes, ${length} of them`, [frame(bytes, x(length))], {
    kind: "bytes",
    messages: [Uint8Array.from(Buffer.from(x(length)))],
  }),
]);

const pings = [
  row("a ping without content", [frame(ping)], { pongs: [""] }),
  row("a ping with text", [frame(ping, "Hello")], { pongs: ["Hello"] }),
  row("a ping with bytes", [frame(ping, Buffer.from([0, 0xff, 0xfe, 0xfd]))], { pongs: ["\0\xff\xfe\xfd"] }),
  row("a ping of 125 bytes", [frame(ping, x(125))], { pongs: [x(125)] }),
  row("a ping of 126 bytes", [frame(ping, x(126))], { closes: failed }),
  row("pongs that nobody asked for", [frame(pong), frame(pong, "x"), frame(ping, "y")], { pongs: ["y"] }),
  row(
    "ten pings",
    Array.from({ length: 10 }, (_, at) => frame(ping, String(at))),
    { pongs: [..."0123456789"] },
  ),
];

const reserved = [1, 2, 3, 4, 5, 6, 7].map((bits) =>
  row(`reserved bits ${bits}`, [frame(text, "a"), frame(text, "b", { reserved: bits })], {
    messages: ["a"],
    closes: failed,
  }),
);
const reservedOfControl = [
  row("a ping with a reserved bit", [frame(ping, "", { reserved: 4 })], { closes: failed }),
  row("a close with a reserved bit", [closeFrame(1000, "", { reserved: 2 })], { closes: failed }),
];

const unknown = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) =>
  row(`opcode ${opcode}`, [frame(text, "a"), frame(opcode, opcode % 2 === 0 ? "" : "b")], {
    messages: ["a"],
    closes: failed,
  }),
);

const masks = [
  row("a frame without a mask", [frame(text, "a"), frame(text, "b", { isMasked: false })], {
    messages: ["a"],
    closes: failed,
  }),
  row("a close without a mask", [closeFrame(1000, "", { isMasked: false })], { closes: failed }),
  row("a length of 2^63", [Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])], {
    closes: [1002, 1009, null],
  }),
  row(
    "a length that is beyond any limit",
    [Buffer.from([0x82, 0xff, 0, 0, 0x7f, 255, 255, 255, 255, 255, 0, 0, 0, 0])],
    {
      kind: "bytes",
      closes: [1009, 1002, null],
    },
  ),
];

const fragments = [
  row("a ping in two parts", [frame(ping, "a", part), frame(continuation, "b")], { closes: failed }),
  row("a pong in two parts", [frame(pong, "a", part), frame(continuation, "b")], { closes: failed }),
  row("a close in two parts", [closeFrame(1000, "", part), frame(continuation)], { closes: failed }),
  row("text in two parts", [frame(text, "a", part), frame(continuation, "b")], { messages: ["ab"] }),
  row("text in three parts, all empty", [frame(text, "", part), frame(continuation, "", part), frame(continuation)], {
    messages: [""],
  }),
  row(
    "text in parts, with an empty one",
    [frame(text, "a", part), frame(continuation, "", part), frame(continuation)],
    {
      messages: ["a"],
    },
  ),
  row(
    "bytes in parts of one byte",
    [frame(bytes, "a", part), frame(continuation, "b", part), frame(continuation, "c")],
    {
      kind: "bytes",
      messages: [Uint8Array.of(97, 98, 99)],
    },
  ),
  row("a ping between two parts", [frame(text, "a", part), frame(ping, "p"), frame(continuation, "b")], {
    messages: ["ab"],
    pongs: ["p"],
  }),
  row(
    "pings between five parts",
    [
      frame(text, "1", part),
      frame(continuation, "2", part),
      frame(ping, "p"),
      frame(continuation, "3", part),
      frame(continuation, "4", part),
      frame(ping, "q"),
      frame(continuation, "5"),
    ],
    { messages: ["12345"], pongs: ["p", "q"] },
  ),
  row("a continuation of nothing", [frame(continuation, "a")], { closes: failed }),
  row("a part of a continuation of nothing", [frame(continuation, "a", part), frame(text, "b")], { closes: failed }),
  row("a continuation after a whole message", [frame(text, "a"), frame(continuation, "b")], {
    messages: ["a"],
    closes: failed,
  }),
  row("text within text", [frame(text, "a", part), frame(text, "b")], { closes: failed }),
  row("bytes within text", [frame(text, "a", part), frame(bytes, "b", part), frame(continuation, "c")], {
    closes: failed,
  }),
  row("a part with reserved bits", [frame(text, "a", part), frame(continuation, "b", { reserved: 4 })], {
    closes: failed,
  }),
  row("a close between two parts", [frame(text, "a", part), closeFrame(1001), frame(continuation, "b")], {
    closes: [1001],
  }),
  row(
    "65,536 bytes in 64 parts",
    Array.from({ length: 64 }, (_, at) => frame(at === 0 ? text : continuation, x(1_024), { isFinal: at === 63 })),
    { messages: [x(65_536)] },
  ),
];

/** UTF-8 by the table of Unicode 3-7: each kind of sequence, its ends, and what is just beyond them. */
const valid: Readonly<Record<string, string>> = {
  "one byte": "\0\u007F",
  "two bytes": "\u0080\u07FF",
  "three bytes": "\u0800\uD7FF\uE000\uFFFF",
  "four bytes": "\u{10000}\u{10FFFF}",
  "a byte order mark": "\uFEFFx",
  "non-characters": "\uFDD0\uFFFE\u{1FFFE}",
  "a greeting": "Hello-µ@ßöäüàá-UTF-8!!",
  "an accent of its own": "κόσμε",
};
const invalid: Readonly<Record<string, readonly number[]>> = {
  "a first continuation": [0x80],
  "a last continuation": [0xbf],
  "only continuations": [0x80, 0xbf, 0x80],
  "a lonely start of two": [0xc3],
  "a lonely start of three": [0xe2, 0x82],
  "a lonely start of four": [0xf0, 0x9f, 0x98],
  "a start of two and a space": [0xc3, 0x20],
  "an overlong slash in two": [0xc0, 0xaf],
  "an overlong slash in three": [0xe0, 0x80, 0xaf],
  "an overlong slash in four": [0xf0, 0x80, 0x80, 0xaf],
  "an overlong zero": [0xc0, 0x80],
  "a boundary of overlong": [0xc1, 0xbf],
  "a first surrogate": [0xed, 0xa0, 0x80],
  "a last surrogate": [0xed, 0xbf, 0xbf],
  "a pair of surrogates": [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80],
  "a point beyond Unicode": [0xf4, 0x90, 0x80, 0x80],
  "a start of five": [0xf8, 0x88, 0x80, 0x80, 0x80],
  "a start of six": [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
  "a byte 0xfe": [0xfe],
  "a byte 0xff": [0xff],
  "text and a surrogate": [...Buffer.from("κόσμε"), 0xed, 0xa0, 0x80, ...Buffer.from("edited")],
};
const strings = [
  ...Object.entries(valid).flatMap(([name, value]) => {
    const octets = Buffer.from(value);
    const parts = [...octets].map((octet, at) =>
      frame(at === 0 ? text : continuation, Buffer.from([octet]), { isFinal: at === octets.length - 1 }),
    );
    return [
      row(`UTF-8, ${name}`, [frame(text, value)], { messages: [value] }),
      row(`UTF-8, ${name}, parted after each byte`, parts, { messages: [value] }),
    ];
  }),
  ...Object.entries(invalid).flatMap(([name, octets]) => [
    row(`not UTF-8, ${name}`, [frame(text, Buffer.from(octets))], { closes: notUtf8 }),
    row(
      `not UTF-8, ${name}, in the second part`,
      [frame(text, "a", part), frame(continuation, Buffer.from(octets)), frame(text, "never")],
      { closes: notUtf8 },
    ),
    row(`a reason that is not UTF-8, ${name}`, [closeFrame(1000, Buffer.from(octets))], { closes: [1007, 1002, null] }),
  ]),
  row("bytes that are not UTF-8", [frame(bytes, Buffer.from([0xff, 0xfe]))], {
    kind: "bytes",
    messages: [Uint8Array.of(255, 254)],
  }),
];

const closings = [
  row("a close without content", [frame(close)], { closes: [1005, 1000] }),
  row("a close of one byte", [frame(close, "a")], { closes: failed }),
  row("a close with a reason", [closeFrame(1000, "done")]),
  row("a close with a reason of 123 bytes", [closeFrame(1000, x(123))]),
  row("a close with a reason of 124 bytes", [closeFrame(1000, x(124))], { closes: failed }),
  row("two close frames", [closeFrame(1000), closeFrame(1001)]),
  row("a ping after a close", [closeFrame(1000), frame(ping, "a")]),
  row("text after a close", [closeFrame(1000), frame(text, "a")]),
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999].map((code) =>
    row(`a close of ${code}`, [closeFrame(code)], { closes: [code] }),
  ),
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map((code) =>
    row(`a close of ${code}, which no frame has`, [closeFrame(code)], { closes: failed }),
  ),
];

const many = [
  row(
    "a hundred messages at once",
    Array.from({ length: 100 }, (_, at) => frame(text, String(at))),
    { messages: Array.from({ length: 100 }, (_, at) => String(at)) },
  ),
];

export const frameCases: readonly FrameCase[] = [
  ...framing,
  ...pings,
  ...reserved,
  ...reservedOfControl,
  ...unknown,
  ...masks,
  ...fragments,
  ...strings,
  ...closings,
  ...many,
];

/** Where the server of a runtime itself does otherwise; nothing of ours sees the frame. */
export const frameDepartures: Readonly<Record<string, RegExp>> = {
  deno: /without a mask$|^bytes within text|a lonely start of .*, in the second part|of 124 bytes$|^a close of 1014/,
  // What is not UTF-8 is decoded with U+FFFD. Of several pings, the last may be the one that is answered (§5.5.3).
  workerd:
    /^not UTF-8|^a reason that is not UTF-8|without a mask$|^a ping (?:of 126 bytes|with a reserved bit)|^ten pings|^a close of .*which no frame has|^a close of one byte|of 124 bytes$/,
};
