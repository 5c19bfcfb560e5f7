/** Writes bytes in Base64, with padding (RFC 4648 §4). */
export function formatBase64(bytes: Uint8Array): string {
  let text = "";
  // A call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** Reads Base64 in the only form that `formatBase64()` writes; null if it is something else. */
export function parseBase64(text: string): Uint8Array<ArrayBuffer> | null {
  // Decoders skip blanks, take no padding for some, and ignore bits after the last byte.
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  return formatBase64(bytes) === text ? bytes : null;
}
