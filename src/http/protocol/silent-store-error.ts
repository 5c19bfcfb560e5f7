/** The error of a store that does not answer: one for all questions until it answers again. */
export class SilentStoreError extends Error {
  override readonly name = "SilentStoreError";
  /** How many questions it has not answered in time, so far. */
  unanswered = 0;
}
