/** Returns whether a close frame may have a code (RFC 6455 §7.4). */
export function isCloseCode(code: number): boolean {
  if (!Number.isInteger(code)) return false;
  return (
    code === 1000 || code === 1001 || code === 1003 || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999)
  );
}

/**
 * Refuses a code that a close frame must not have, or that this side must not send.
 * @throws {RangeError} when it is one.
 */
export function checkCloseCode(code: number, isOwn: boolean = true): void {
  if (isOwn && isCloseCode(code)) return;
  throw new RangeError(`Cannot close a connection with ${code}: write 1000, or a code from 3000 to 4999`);
}

/** Cuts a reason to the 123 bytes that a close frame has for it (RFC 6455 §5.5), between two characters. */
export function closeReason(reason: string): string {
  const bytes = new TextEncoder().encode(reason);
  if (bytes.length <= mostBytes) return reason;
  let end = mostBytes;
  // A byte that continues a character is 10xxxxxx.
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

const mostBytes = 123;
