import type { Coding, Stored } from "./file-source.ts";

/** One state of a file, as far as the fields of a response tell of it. */
export type FileState = Omit<Stored, "read" | "close">;

/** The key of a method that reports the state of a file without opening it, because it was there a moment ago. */
export const tellState: unique symbol = Symbol("tellState");

/** A source that knows the states of some files. */
export interface Telling {
  /** Takes what `find` takes. Returns null if the file does not exist, and undefined if only `find` can say. */
  readonly [tellState]?: (segments: readonly string[], coding: Coding | null) => FileState | null | undefined;
}
