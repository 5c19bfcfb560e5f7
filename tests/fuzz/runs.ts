import { runs as runsOfProperties } from "../properties/runs.ts";
import { givenSeed } from "../support/seed.ts";

/** How a property that costs more is tried: as often as this in `npm test`, in proportion to `FINGERPOST_RUNS` else. */
export function runs(usual: number): { readonly numRuns: number; readonly seed?: number } {
  const numRuns = Math.ceil((usual * runsOfProperties) / 2000);
  return { numRuns, ...(givenSeed === undefined ? {} : { seed: givenSeed }) };
}
