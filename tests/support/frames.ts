// Frames of WebSocket (RFC 6455 §5), and a client that sends them as they are.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export const opcodes = { continuation: 0, text: 1, bytes: 2, close: 8, ping: 9, pong: 10 } as const;

/** How a frame is written otherwise than it should be. */
export interface FrameOptions {
  readonly isFinal?: boolean;
  /** The three reserved bits, as a number from 0 to 7. */
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** Bytes of the length: 0 for the seven bits, 2 or 8. Default: as few as it takes. */
  readonly lengthBytes?: 0 | 2 | 8;
}

const mask = [0x37, 0xfa, 0x21, 0x3d] as const;

/** Writes a frame of a client. */
export function frame(opcode: number, content: string | Uint8Array = "", options: FrameOptions = {}): Buffer {
  const payload = Buffer.from(content as Uint8Array);
  const { length } = payload;
  const { isFinal = true, reserved = 0, isMasked = true } = options;
  const { lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8 } = options;
  const head = Buffer.alloc(2 + lengthBytes);
  head[0] = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) head.writeUInt16BE(length, 2);
  if (lengthBytes === 8) head.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, Buffer.from(mask), payload.map((byte, at) => byte ^ mask[at % 4]!)]);
}

/** Writes a close frame. */
export function closeFrame(code: number, reason: string | Uint8Array = "", options?: FrameOptions): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return frame(opcodes.close, Buffer.concat([head, Buffer.from(reason as Uint8Array)]), options);
}

/** What is sent as text or as bytes. */
export type Message = string | Uint8Array;

/** What a server sent after the handshake: its messages and pongs, and the code of its close frame. */
export interface Heard {
  readonly messages: readonly Message[];
  readonly pongs: readonly string[];
  /** 1005 for a close frame without a code; null for none. */
  readonly close: number | null;
}

/** How bytes are sent, the extensions that are offered, of which a server takes none, and how long it may take. */
export interface ConverseOptions {
  readonly pieceLength?: number;
  readonly patienceMs?: number;
  readonly extensions?: string | null;
  /** What is sent when the server has sent so many bytes, and not before. */
  readonly after?: { readonly length: number; readonly sent: Uint8Array };
}

/**
 * Shakes hands, sends bytes, in one write or in pieces of that length, and reads until the server ends the connection.
 *
 * @throws {Error} when it refuses the handshake, sends a frame that no server may send, or leaves the connection open.
 */
export async function converse(
  port: number,
  path: string,
  sent: Uint8Array,
  options: ConverseOptions = {},
): Promise<Heard> {
  const { pieceLength = sent.length, extensions = "permessage-deflate", patienceMs = 15_000, after } = options;
  const received: Buffer[] = [];
  let length = 0;
  const socket = await shaken(port, path, extensions);
  socket.on("data", (chunk) => {
    received.push(chunk);
    if (after !== undefined && length < after.length && length + chunk.length >= after.length) socket.write(after.sent);
    length += chunk.length;
  });
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  for (let at = 0; at < sent.length && !socket.destroyed; at += pieceLength) {
    socket.write(sent.subarray(at, at + pieceLength));
    if (pieceLength < sent.length) await new Promise(setImmediate);
  }
  const isLate = await Promise.race([closed, wait(patienceMs, true, { ref: false })]);
  socket.destroy();
  const whole = heard(Buffer.concat(received));
  if (isLate === true) throw new Error(`the connection is open after ${JSON.stringify(whole).slice(0, 1_000)}`);
  return whole;
}

/** Shakes hands. @throws {Error} when the server refuses the handshake, or takes an extension. */
export async function shaken(port: number, path: string, extensions: string | null = null): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => {});
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
      `${extensions === null ? "" : `Sec-WebSocket-Extensions: ${extensions}\r\n`}\r\n`,
  );
  let head: Buffer = Buffer.alloc(0);
  while (!head.includes("\r\n\r\n") && !socket.destroyed) {
    await once(socket, "readable");
    head = Buffer.concat([head, (socket.read() as Buffer | null) ?? Buffer.alloc(0)]);
  }
  const end = head.indexOf("\r\n\r\n") + 4;
  const fields = head.toString("latin1", 0, end);
  if (!fields.startsWith("HTTP/1.1 101 ")) throw new Error(`the handshake was answered by ${fields}`);
  if (/^sec-websocket-extensions:/im.test(fields)) throw new Error("the server took an extension");
  if (head.length > end) socket.unshift(head.subarray(end));
  return socket;
}

/** Reads the frames of a server, strictly. */
function heard(received: Buffer): Heard {
  const messages: Message[] = [];
  const pongs: string[] = [];
  let close: number | null = null;
  let open: { readonly opcode: number; readonly parts: Buffer[] } | null = null;
  for (let at = 0; at < received.length;) {
    const [first = 0, second = 0] = received.subarray(at);
    const opcode = first & 0x0f;
    if ((first & 0x70) !== 0 || second > 127) throw new Error("the server sent a frame that no server may send");
    const lengthBytes = second === 126 ? 2 : second === 127 ? 8 : 0;
    const start = at + 2 + lengthBytes;
    const length =
      lengthBytes === 0
        ? second
        : Number(
            `0x${received
              .subarray(at + 2, start)
              .toString("hex")
              .padStart(2, "0")}`,
          );
    const payload = received.subarray(start, start + length);
    if (payload.length < length) break;
    at = start + length;
    if (close !== null) throw new Error("the server sent a frame after its close frame");
    if (opcode === opcodes.close) close = length === 0 ? 1005 : payload.readUInt16BE(0);
    else if (opcode === opcodes.pong) pongs.push(payload.toString("latin1"));
    else if (opcode === opcodes.text || opcode === opcodes.bytes || opcode === opcodes.continuation) {
      if ((opcode === opcodes.continuation) !== (open !== null)) throw new Error("the server broke a message");
      open ??= { opcode, parts: [] };
      open.parts.push(payload);
      if ((first & 0x80) === 0) continue;
      const whole = Buffer.concat(open.parts);
      messages.push(open.opcode === opcodes.text ? whole.toString() : new Uint8Array(whole));
      open = null;
    }
  }
  return { messages, pongs, close };
}
