import { HTTPError } from "fingerpost/native";

/** Notes on books, by path: "dune/part-1.txt". */
export const notes: Map<string, string> = new Map([["kindred/opening.txt", "She loses an arm on the first page.\n"]]);

export function noteAt(path: string): string {
  const note = notes.get(path);
  if (note === undefined) throw new HTTPError(404, "There is no note here; PUT one");
  return note;
}
