/** Returns the words of a text, which spaces part. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
