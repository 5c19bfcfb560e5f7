import type { FileSource, FoundFile } from "./file-source.ts";

/** One state of a file, as far as the fields of a response tell of it. */
export type FileState = Omit<FoundFile, "read" | "close">;

/**
 * Reports the state of a file without opening it, because it was there a moment ago. Takes what `find` takes. Returns
 * null if the file does not exist, and undefined if only `find` can say.
 */
export type TellState = (...asked: Parameters<FileSource["find"]>) => FileState | null | undefined;

const tellers = new WeakMap<FileSource, { readonly find: FileSource["find"]; readonly tell: TellState }>();

export function addTeller(source: FileSource, tell: TellState): void {
  tellers.set(source, { find: source.find, tell });
}

/** Returns what reports states of a source. Returns null if somebody has replaced `find`, which may refuse a file. */
export function tellerOf(source: FileSource): TellState | null {
  const teller = tellers.get(source);
  return teller !== undefined && source.find === teller.find ? teller.tell : null;
}
