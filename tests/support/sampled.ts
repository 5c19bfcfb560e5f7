import { givenSeed } from "./seed.ts";

let turn = givenSeed ?? Math.floor(Math.random() * 1000);

/**
 * One of so many parts of the cases, each time the next one, so that callers share all of them between each other:
 * `FINGERPOST_SEED` says where they begin. With `FINGERPOST_WHOLE`, as at night, all cases.
 */
export function sampled<Case>(cases: readonly Case[], parts: number): readonly Case[] {
  if (process.env["FINGERPOST_WHOLE"] !== undefined) return cases;
  const part = turn++ % parts;
  return cases.filter((_, at) => at % parts === part);
}
