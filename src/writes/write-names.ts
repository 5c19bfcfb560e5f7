import { sha256 } from "../http/javascript/digest.ts";
import { namelessOf } from "../routing/pattern/nameless-pattern.ts";

/** What a name is made of: JSON tells parts of any text apart. */
type Parts = readonly (string | null | readonly (string | undefined)[])[];

/**
 * The names under which a store knows a write: whose it is, where, and which one.
 *
 * A name begins with its version, but for the first version. Processes of the release before know that alone, so for
 * one release it is asked first, begun and kept as well. Otherwise a deploy would run a write again.
 *
 * @param earlier the parts of the first version, which had the names of path params.
 * @param current the parts of the second. There are several lists where several things tell a repeat.
 */
export async function writeNamesOf(earlier: Parts, ...current: readonly Parts[]): Promise<readonly string[]> {
  const [first, ...others] = await Promise.all([earlier, ...current].map((parts) => sha256(JSON.stringify(parts))));
  return [first!, ...others.map((digest) => `v2-${digest}`)];
}

/** The names of a write by a key: whose key it is, the method, where, and the key. */
export function keyedNamesOf(owner: string, method: string, pattern: string, key: string): Promise<readonly string[]> {
  return writeNamesOf([owner, method, pattern, key], ["key", owner, method, placeOf(pattern), key]);
}

/** The names of places, by patterns that requests have matched. */
const places = new Map<string, string>();

/** Returns where a pattern is, whatever its params are called: a change of the code makes no other place of it. */
export function placeOf(pattern: string): string {
  let place = places.get(pattern);
  if (place === undefined) places.set(pattern, (place = namelessOf(pattern)));
  return place;
}
