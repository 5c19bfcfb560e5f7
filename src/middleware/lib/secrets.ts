import { builtinModule, type ModuleHost } from "../../http/javascript/builtin-module.ts";
import { isEqualText } from "../../http/javascript/equal-text.ts";

/**
 * Secrets that are known by their digests only, and found without telling by the time it takes how much of one was
 * right.
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
    if (typeof digest === "string" && Array.isArray(this.#entries)) return foundIn(this.#entries, digest);
    return Promise.all([this.#entries, digest]).then(([entries, made]) => foundIn(entries, made));
  }
}

interface Entry<Value> {
  readonly digest: string;
  readonly value: Value;
}

type Found<Value> = { readonly value: Value } | null;

/** Makes digests: strings whose characters are their bytes, which engines compare faster than arrays. */
type Digester = (text: string) => string | Promise<string>;

interface NodeCrypto {
  createHash(algorithm: "sha256"): { update(text: string): { digest(encoding: "latin1"): string } };
  /** Since Node 20.12. */
  hash?(algorithm: "sha256", text: string, encoding: "latin1"): string;
}

/**
 * The way of a runtime to make a digest.
 *
 * PERF: Web Crypto works in another thread, which costs 60 us. An object that hashes costs 4, `hash()` 0.8
 * (`node bench/requests.js`, R4).
 */
export function digesterOf(host: ModuleHost): Digester {
  const crypto = builtinModule("node:crypto", host) as NodeCrypto | undefined;
  if (crypto === undefined) return webDigestOf;
  if (typeof crypto.hash === "function") return (text) => crypto.hash!("sha256", text, "latin1");
  return (text) => crypto.createHash("sha256").update(text).digest("latin1");
}

async function webDigestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return String.fromCharCode(...new Uint8Array(bytes));
}

function isMade<Value>(entry: { digest: string | Promise<string>; value: Value }): entry is Entry<Value> {
  return typeof entry.digest === "string";
}

function foundIn<Value>(entries: readonly Entry<Value>[], digest: string): Found<Value> {
  let found: Found<Value> = null;
  for (const entry of entries) if (isEqualText(entry.digest, digest)) found = entry;
  return found;
}
