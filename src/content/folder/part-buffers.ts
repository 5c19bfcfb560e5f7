import { Buffer } from "node:buffer";

/** How long the parts are in which a file is read. */
export const partBytes = 262_144;

/** 4 MiB in all. */
const mostSpare = 16;
const spare: Buffer[] = [];

/**
 * Returns a buffer to read a part into.
 *
 * PERF: the system hands out memory of this size anew each time. A file of 1 MB takes half the CPU if buffers come back
 * (`bench/files`).
 */
export function bufferFor(length: number): Buffer {
  const used = length === partBytes ? spare.pop() : undefined;
  // Not from the pool that Node shares among buffers, because the receiver may keep it. Not filled with zeros, which
  // would be wasted.
  return used ?? Buffer.allocUnsafeSlow(length);
}

/** Takes a buffer back that nobody else has any more. */
export function takeBack(part: Uint8Array): void {
  if (part.byteLength === partBytes && spare.length < mostSpare) spare.push(part as Buffer);
}
