import type { Answer } from "../../http/answer/carried-answer.ts";
import { discardAll, type Discards } from "../../formats/multipart/discards.ts";

/** What removes the files that are stored for a request; null where none is to be stored. */
const stored = new WeakMap<object, Discards | null>();

/** Discards the files of a request if it fails, by an error, or by an answer from 400 on. */
export async function discardingFiles(request: object, answer: () => Promise<Answer> | Answer): Promise<Answer> {
  const discards: Discards = [];
  stored.set(request, discards);
  let isAnswered = false;
  try {
    const given = await answer();
    isAnswered = given.status < 400;
    return given;
  } finally {
    if (!isAnswered) await discardAll(discards);
  }
}

/** Makes files of a request be read and not stored: an explanation leaves none. */
export function storeNoFiles(request: object): void {
  stored.set(request, null);
}

/**
 * Returns where functions go that remove stored files; null where none is to be stored. A handler that reads by itself
 * keeps them.
 */
export function discardsOf(request: object): Discards | null {
  const known = stored.get(request);
  return known === undefined ? [] : known;
}
