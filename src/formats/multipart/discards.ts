/** Functions that remove what was stored so far. */
export type Discards = (() => void | Promise<void>)[];

/** Removes what was stored. What went wrong before is what is told. */
export async function discardAll(discards: Discards): Promise<void> {
  await Promise.allSettled(discards.splice(0).map(async (discard) => discard()));
}
