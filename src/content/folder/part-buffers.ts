import { Buffer } from "node:buffer";

/** How long the parts are in which a file is read. */
export const partBytes = 262_144;
/** How long a file is, at most, that is read in one piece. */
const pieceBytes = 65_536;

/** Buffers that nobody uses now, by their length: 6 MiB in all. */
const spare = new Map<number, Buffer[]>([
  [partBytes, []],
  [pieceBytes, []],
]);
const most: Readonly<Record<number, number>> = { [partBytes]: 16, [pieceBytes]: 32 };

/** Returns how long the buffers are that come back for reads of a length; null if others are made each time. */
export function spareLengthFor(length: number): number | null {
  if (length === partBytes) return partBytes;
  // For less the rest of the buffer would be wasted, and new ones cost little.
  return length > pieceBytes / 2 && length <= pieceBytes ? pieceBytes : null;
}

/**
 * Returns a buffer to read into. PERF: the system hands out memory of this size anew each time. A file of 1 MB takes
 * half the CPU if buffers come back (`bench/files`).
 */
export function bufferFor(length: number): Buffer {
  const spareLength = spareLengthFor(length);
  // Not from the pool that Node shares among buffers, because the receiver may keep it. Not filled with zeros, which
  // would be wasted.
  if (spareLength === null) return Buffer.allocUnsafeSlow(length);
  const used = spare.get(spareLength)!.pop() ?? Buffer.allocUnsafeSlow(spareLength);
  return used.subarray(0, length);
}

export function takeBack({ buffer }: Uint8Array): void {
  const buffers = spare.get(buffer.byteLength);
  if (buffers !== undefined && buffers.length < most[buffer.byteLength]!) buffers.push(Buffer.from(buffer));
}
