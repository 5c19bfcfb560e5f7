/** Returns whether two strings are equal. Compares to the end, so that the time shows their lengths only. */
export function isEqualText(text: string, other: string): boolean {
  let difference = text.length ^ other.length;
  for (let at = 0; at < text.length; at++) difference |= text.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
