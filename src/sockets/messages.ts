import type { MountedResource } from "../dispatch/mounted-resource.ts";
import type { InvalidMember } from "./peer.ts";

/** How messages of a connection are read and written. */
export interface MessageFormat {
  /** Whether messages that come in are bytes; null where either is taken. */
  readonly isBinary: boolean | null;
  read(data: string | Uint8Array<ArrayBuffer>): ReadMessage | Promise<ReadMessage>;
  /** Writes a message. @throws {TypeError} when the value is not what is declared. */
  write(value: unknown): string | Uint8Array;
}

/** A message that was read, or what does not fit in it. */
export type ReadMessage = { readonly value: unknown } | { readonly errors: readonly InvalidMember[] };

/** Messages as they come: strings and bytes. */
export const rawMessages: MessageFormat = {
  isBinary: null,
  read: (value) => ({ value }),
  write(value) {
    if (typeof value === "string") return value;
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new TypeError("Cannot send a message: expected a string or bytes; write JSON.stringify(value)");
  },
};

/** How messages to all peers of a resource are written. The first one asks the resource whether it declares them. */
export function formatOf(mounted: Pick<MountedResource, "writerOf">): MessageFormat {
  let written: Pick<MessageFormat, "write"> | null = null;
  return { ...rawMessages, write: (message) => (written ??= mounted.writerOf?.() ?? rawMessages).write(message) };
}
