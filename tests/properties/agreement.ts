import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { answerOf, indexOf, matchSerialized } from "../support/answers.ts";
import { oracleOf } from "../support/oracle.ts";
import { choices, crowds, pathFor, tables, trailingSlashes, withoutRivals } from "./generated-patterns.ts";

export interface Agreement {
  readonly tables: number;
  /** How many pairs of a table and a path were tried, and how many of them matched. */
  readonly pairs: number;
  readonly matches: number;
}

/** The URL that the parser writes for a path, as a Web `Request` has it. */
export function urlOf(path: string): string {
  return new URL(`http://h${path}`).href;
}

/**
 * Holds the index against the oracle on that many tables, with a hundred paths each.
 *
 * @throws when they differ, with the smallest table and path that show it.
 */
export function agree(numberOfTables: number, seed: number): Agreement {
  let pairs = 0;
  let matches = 0;
  const paths = fc.array(choices, { minLength: 100, maxLength: 100 });
  const property = fc.property(fc.oneof(tables, crowds), paths, trailingSlashes, (table, some, trailingSlash) => {
    const kept = withoutRivals(table, trailingSlash);
    const sources = kept.map(({ source }) => source);
    const index = indexOf(sources, trailingSlash);
    const oracle = oracleOf(sources, trailingSlash);
    for (const choice of some) {
      const path = pathFor(kept, choice);
      const expected = oracle(path);
      const answers = {
        raw: answerOf(index.match(path, -1)),
        serialized: answerOf(matchSerialized(index, urlOf(path))),
      };
      for (const [kind, found] of Object.entries(answers)) {
        if (isDeepStrictEqual(found, expected)) continue;
        throw new Error(
          `${path}, ${kind}: the index finds ${JSON.stringify(found)}, the oracle ${JSON.stringify(expected)}`,
        );
      }
      pairs++;
      if (typeof expected === "object") matches++;
    }
  });
  fc.assert(property, { numRuns: numberOfTables, seed });
  return { tables: numberOfTables, pairs, matches };
}
