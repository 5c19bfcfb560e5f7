import { byteLengthOf } from "../http/javascript/byte-length.ts";

/** The longest message that is sent, in bytes: Bun takes no longer ones, and neither does `connect()` of the client. */
export const mostBytes = 16_777_216;

/** Refuses a message that no client takes. @throws {RangeError} when it has more than 16 MiB. */
export function refuseLong(data: string | Uint8Array): void {
  if (!isLonger(data, mostBytes)) return;
  throw new RangeError(`Cannot send a message: it has more than ${mostBytes} bytes; send it in parts`);
}

/** Returns whether a message has more bytes in UTF-8. Most texts need not be counted for that. */
export function isLonger(data: string | Uint8Array, most: number): boolean {
  if (data.length > most) return true;
  return typeof data === "string" && data.length * 3 > most && byteLengthOf(data) > most;
}
