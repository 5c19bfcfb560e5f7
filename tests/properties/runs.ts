import fc from "fast-check";
import { givenSeed } from "../support/seed.ts";

/** How often a property is tried: 2,000 times, as `FINGERPOST_RUNS` says, or as the bundle of a runtime knows. */
export const runs =
  (globalThis as { fingerpostRuns?: number }).fingerpostRuns ??
  Number(globalThis.process?.env["FINGERPOST_RUNS"] ?? 2000);

/** Time enough for that many runs on a slow machine; a property that loops for ever is to be stopped some day. */
export const timeout = 20_000 + runs * 50;

/**
 * Tries a property, less often if it takes long. A failure prints the seed and the path to the smallest example that
 * was found; `FINGERPOST_SEED` repeats the run.
 */
export async function holds(
  property: fc.IRawProperty<unknown>,
  numRuns = runs,
  seed: number | undefined = givenSeed,
): Promise<void> {
  await fc.assert(property, { numRuns, ...(seed === undefined ? {} : { seed }) });
}
