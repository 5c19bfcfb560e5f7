// Shakes hands and exchanges frames (RFC 6455 §5) as they are on the wire.
import { connect } from "node:net";
import { noteLines } from "./exchange.js";
import { parsedAnswer } from "./over-http1.js";

const opcodes = { continuation: 0, text: 1, bytes: 2, close: 8, ping: 9, pong: 10 };
const names = Object.fromEntries(Object.entries(opcodes).map(([name, opcode]) => [opcode, name]));
const mask = [0x37, 0xfa, 0x21, 0x3d];
const patienceMs = 20_000;

const handshake = {
  Host: "h.example",
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Writes a frame of a client. */
function frame(opcode, content = "", { isFinal = true, reserved = 0, isMasked = true } = {}) {
  const payload = Buffer.from(content);
  const long = payload.length > 125;
  const head = Buffer.alloc(long ? 4 : 2);
  head[0] = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (long ? 126 : payload.length);
  if (long) head.writeUInt16BE(payload.length, 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, Buffer.from(mask), payload.map((byte, at) => byte ^ mask[at % 4])]);
}

const text = (content, options) => frame(opcodes.text, content, options);
const said = (content) => text(JSON.stringify({ text: content }));
function closing(code, reason = "") {
  const content = Buffer.alloc(2 + reason.length);
  content.writeUInt16BE(code, 0);
  content.write(reason, 2);
  return frame(opcodes.close, content);
}
const bye = closing(1000, "bye");

const shake = (title, path, headers = {}, ...frames) => ({ title, path, headers, frames });
const offers = (value) => ({ "Sec-WebSocket-Protocol": value });

/** Handshakes, right and wrong, and frames after them; the fields of a handshake that are null are not sent. */
export const conversations = [
  shake("a message", "/rooms/lobby", {}, said("Hello"), bye),
  shake("two messages", "/rooms/lobby", {}, said("one"), said("two"), bye),
  shake("a message that does not fit", "/rooms/lobby", {}, said("too long")),
  shake("a message that is not JSON", "/rooms/lobby", {}, text("{")),
  shake("bytes in place of text", "/rooms/lobby", {}, frame(opcodes.bytes, "{}")),
  shake("text that is not UTF-8", "/rooms/lobby", {}, text(Buffer.from([0xff]))),
  shake("a handler that throws", "/rooms/lobby", {}, said("fail")),
  shake("a handler that closes", "/rooms/lobby", {}, said("close")),
  shake("a ping", "/rooms/lobby", {}, frame(opcodes.ping, "abc"), bye),
  shake("a message in fragments", "/rooms/lobby", {}, text('{"text":', { isFinal: false }), frame(0, '"a"}'), bye),
  shake("a close without a code", "/rooms/lobby", {}, frame(opcodes.close)),
  shake("a close with a wrong code", "/rooms/lobby", {}, closing(1005)),
  shake("a frame without a mask", "/rooms/lobby", {}, text("{}", { isMasked: false })),
  shake("a reserved bit", "/rooms/lobby", {}, text("{}", { reserved: 4 })),
  shake("an unknown opcode", "/rooms/lobby", {}, frame(3, "{}")),
  shake("a long ping", "/rooms/lobby", {}, frame(opcodes.ping, "x".repeat(126))),
  shake("a message that is too long", "/both", {}, text("x".repeat(11))),
  shake("an echo", "/both", {}, text("Hello"), bye),
  shake("a plain GET", "/both", { Connection: "close", Upgrade: null }),
  shake("no room", "/rooms/none"),
  shake("a handler of GET that throws", "/rooms/error"),
  shake("nowhere", "/nowhere"),
  shake("no socket", "/text"),
  shake("a subprotocol", "/rooms/lobby", offers("v1"), bye),
  shake("several subprotocols", "/rooms/lobby", offers("foo, v1, v2"), bye),
  shake("a subprotocol that is not spoken", "/rooms/lobby", offers("foo"), bye),
  shake("a subprotocol twice", "/rooms/lobby", offers("v1, v1")),
  shake("a subprotocol that is no token", "/rooms/lobby", offers("v 1")),
  shake("an extension", "/rooms/lobby", { "Sec-WebSocket-Extensions": "permessage-deflate" }, bye),
  shake("no key", "/rooms/lobby", { "Sec-WebSocket-Key": null, Connection: "Upgrade, close" }),
  shake("a short key", "/rooms/lobby", { "Sec-WebSocket-Key": "P5l8BJcZwRc=" }),
  shake("no version", "/rooms/lobby", { "Sec-WebSocket-Version": null }),
  shake("version 12", "/rooms/lobby", { "Sec-WebSocket-Version": "12" }),
  shake("no Upgrade", "/rooms/lobby", { Upgrade: null, Connection: "close" }),
  shake("a page of a friend", "/rooms/lobby", { Origin: "https://friend.example" }, bye),
  shake("a page of the host", "/rooms/lobby", { Origin: "http://h.example" }, bye),
  shake("a page of another host", "/rooms/lobby", { Origin: "https://evil.example" }),
];

/** The same in the native module. */
export const nativeConversations = [
  shake("an echo", "/echo", {}, text("Hello"), frame(opcodes.bytes, Buffer.from([1, 2])), bye),
  shake("a message that is too long", "/echo", {}, text("x".repeat(101))),
  shake("a page of another host", "/echo", { Origin: "https://evil.example" }),
  shake("a short key", "/echo", { "Sec-WebSocket-Key": "P5l8BJcZwRc=" }),
  shake("a plain GET", "/echo", { Connection: "close", Upgrade: null }),
];

/** Has each conversation, one after the other, and records the answer to the handshake and the frames that came. */
export async function converse(recording, prefix, port, rows, control, { sent = {} } = {}) {
  for (const { title, path, headers, frames } of rows) {
    const name = `${prefix} · ${title}`;
    await control.begin(name);
    const fields = Object.entries({ ...handshake, ...sent, ...headers }).filter(([, value]) => value !== null);
    const head = fields.map(([field, value]) => `${field}: ${value}\r\n`).join("");
    const lines = await conversed(port, `GET ${path} HTTP/1.1\r\n${head}\r\n`, frames);
    recording.add(name, [lines, noteLines(await control.notes())]);
  }
}

async function conversed(port, head, frames) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let received = Buffer.alloc(0);
  let wake = () => {};
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on("error", () => {});
  socket.on("close", () => wake());
  const until = async (isDone) => {
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    while (!isDone() && !socket.closed) await new Promise((resolve) => (wake = resolve));
    clearTimeout(timer);
  };
  socket.write(head);
  await until(() => received.includes("\r\n\r\n"));
  const end = received.indexOf("\r\n\r\n");
  const answer = received.toString("latin1", 0, end).split("\r\n");
  const isOpen = answer[0].includes(" 101 ");
  if (isOpen) {
    for (const one of frames) socket.write(one);
    // What was sent last ends the conversation, by the one side or the other.
    if (frames.length === 0) socket.end();
    await until(() => framesOf(received.subarray(end + 4)).some(({ name }) => name === "close"));
  } else await until(() => parsedAnswer(received).isComplete);
  socket.end();
  await until(() => false);
  if (!isOpen) return parsedAnswer(received).lines;
  const heads = answer.map((line) => `< ${line}`);
  return [...heads, ...framesOf(received.subarray(end + 4)).map(({ name, content }) => `< ${name} ${content}`)];
}

/** The frames that a server sent. */
function framesOf(bytes) {
  const frames = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const long = (bytes[at + 1] & 0x7f) === 126;
    const start = at + (long ? 4 : 2);
    const length = long ? bytes.readUInt16BE(at + 2) : bytes[at + 1] & 0x7f;
    const payload = bytes.subarray(start, start + length);
    if (payload.length < length) break;
    const name = names[bytes[at] & 0x0f] ?? "unknown";
    const isClose = name === "close" && length > 1;
    frames.push({
      name,
      content: isClose
        ? `${payload.readUInt16BE(0)} ${payload.toString("utf8", 2)}`
        : JSON.stringify(payload.toString("latin1")),
    });
    at = start + length;
  }
  return frames;
}
