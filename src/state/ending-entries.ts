/** Entries by their keys, in the order in which they were put: with one time to live, the first ends first. */
type Entries<Entry extends { readonly endMs: number }> = Map<string, Entry>;

/** A clock that is set back or forth ends nothing early, and keeps nothing forever. */
export function nowMs(): number {
  return performance.now();
}

export function knownIn<Entry extends { readonly endMs: number }>(entries: Entries<Entry>, key: string): Entry | null {
  const entry = entries.get(key);
  return entry === undefined || entry.endMs <= nowMs() ? null : entry;
}

export function putIn<Entry extends { readonly endMs: number }>(
  entries: Entries<Entry>,
  key: string,
  entry: Entry,
): void {
  entries.delete(key);
  entries.set(key, entry);
}

/** Calls a function with the key of each entry that ended, up to the first that has not. */
export function forgetEnded(entries: Entries<{ readonly endMs: number }>, forget: (key: string) => void): void {
  for (const [key, { endMs }] of entries) {
    if (endMs > nowMs()) return;
    forget(key);
  }
}
