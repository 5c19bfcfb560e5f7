import { builtinModule, type ModuleHost } from "../../http/javascript/builtin-module.ts";

/**
 * Secrets that are known by their digests only, and found without telling by the time it takes how much of one was right.
 *
 * Digests are of equal length however long a secret is, and all of them are compared, each to its end.
 */
export class Secrets<Value> {
  readonly #digestOf: Digester;
  readonly #entries: readonly Entry<Value>[] | Promise<readonly Entry<Value>[]>;

  /** @param digestOf makes the digests; what it returns for one secret, a Promise or not, it returns for all. */
  constructor(secrets: Iterable<readonly [secret: string, value: Value]>, digestOf: Digester = digesterOf(globalThis)) {
    this.#digestOf = digestOf;
    const entries = [...secrets].map(([secret, value]) => ({ digest: digestOf(secret), value }));
    this.#entries = entries.every(isMade)
      ? entries
      : Promise.all(entries.map(async ({ digest, value }) => ({ digest: await digest, value })));
  }

  /** What belongs to a secret, or null when nobody has it. */
  find(secret: string): Found<Value> | Promise<Found<Value>> {
    const digest = this.#digestOf(secret);
    if (digest instanceof Uint8Array && Array.isArray(this.#entries)) return foundIn(this.#entries, digest);
    return Promise.all([this.#entries, digest]).then(([entries, made]) => foundIn(entries, made));
  }
}

interface Entry<Value> {
  readonly digest: Uint8Array;
  readonly value: Value;
}

type Found<Value> = { readonly value: Value } | null;

type Digester = (text: string) => Uint8Array | Promise<Uint8Array>;

interface NodeCrypto {
  createHash(algorithm: "sha256"): { update(text: string): { digest(): Uint8Array } };
}

/**
 * The way of a runtime to make a digest.
 *
 * PERF: Web Crypto works in another thread, which costs 60 us; `node:crypto` costs 2 (`bench/requests`, R4).
 */
export function digesterOf(host: ModuleHost): Digester {
  const crypto = builtinModule("node:crypto", host) as NodeCrypto | undefined;
  if (crypto === undefined) return webDigestOf;
  return (text) => crypto.createHash("sha256").update(text).digest();
}

async function webDigestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function isMade<Value>(entry: { digest: Uint8Array | Promise<Uint8Array>; value: Value }): entry is Entry<Value> {
  return entry.digest instanceof Uint8Array;
}

function foundIn<Value>(entries: readonly Entry<Value>[], digest: Uint8Array): Found<Value> {
  let found: Found<Value> = null;
  for (const entry of entries) if (isEqual(entry.digest, digest)) found = entry;
  return found;
}

function isEqual(digest: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (const [at, byte] of digest.entries()) difference |= byte ^ other[at]!;
  return difference === 0;
}
