export interface Note {
  readonly text: string;
  readonly author: string;
  /** Counts the changes: what tells one state of a note from another. */
  readonly version: number;
}

const first: readonly (readonly [id: string, note: Note])[] = [["1", { text: "Milk", author: "Ada", version: 1 }]];

/** The notes, for as long as the process lives. */
export const notes: Map<string, Note> = new Map(first);
