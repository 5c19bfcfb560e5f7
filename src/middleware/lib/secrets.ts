import { sha256, type Digest } from "../../http/javascript/digest.ts";
import { isEqualText } from "../../http/javascript/equal-text.ts";

/**
 * Secrets that are known by their digests only, and found without telling by the time it takes how much of one was
 * right. Digests are of equal length however long a secret is, and all of them are compared, each to its end.
 */
export class Secrets<Value> {
  readonly #digestOf: Digest;
  readonly #entries: readonly Entry<Value>[] | Promise<readonly Entry<Value>[]>;

  /** @param digestOf makes the digests; what it returns for one secret, a Promise or not, it returns for all. */
  constructor(secrets: Iterable<readonly [secret: string, value: Value]>, digestOf: Digest = sha256) {
    this.#digestOf = digestOf;
    const entries = [...secrets].map(([secret, value]) => ({ digest: digestOf(secret), value }));
    this.#entries = entries.every(isMade)
      ? entries
      : Promise.all(entries.map(async ({ digest, value }) => ({ digest: await digest, value })));
  }

  /** What belongs to a secret, or null when nobody has it. */
  find(secret: string): Found<Value> | Promise<Found<Value>> {
    const digest = this.#digestOf(secret);
    if (typeof digest === "string" && Array.isArray(this.#entries)) return foundIn(this.#entries, digest);
    return Promise.all([this.#entries, digest]).then(([entries, made]) => foundIn(entries, made));
  }
}

interface Entry<Value> {
  readonly digest: string;
  readonly value: Value;
}

type Found<Value> = { readonly value: Value } | null;

function isMade<Value>(entry: { digest: string | Promise<string>; value: Value }): entry is Entry<Value> {
  return typeof entry.digest === "string";
}

function foundIn<Value>(entries: readonly Entry<Value>[], digest: string): Found<Value> {
  let found: Found<Value> = null;
  for (const entry of entries) if (isEqualText(entry.digest, digest)) found = entry;
  return found;
}
