import { outcome, type Outcome } from "./registry.ts";

/** Loads the files of the suite one after the other, and works off the tests of each before the next. */
export async function run(
  files: readonly [name: string, load: () => Promise<unknown>][],
): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {};
  for (const [name, load] of files) {
    await load();
    outcomes[name] = await outcome();
  }
  return outcomes;
}
