import { onceAMinute } from "./sweeps.ts";

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

/**
 * Returns what calls a function with the key of each entry that ended, up to the first that has not. Once a minute it
 * looks at all, because users may give one store to several that keep for different times.
 */
export function forgettingEnded(
  entries: Entries<{ readonly endMs: number }>,
  forget: (key: string) => void,
): () => unknown {
  const forgetEnded = (isOfAll: boolean): void => {
    for (const [key, { endMs }] of entries) {
      if (endMs <= nowMs()) forget(key);
      else if (!isOfAll) return;
    }
  };
  const ofAll = onceAMinute(() => forgetEnded(true));
  return () => (forgetEnded(false), ofAll());
}
