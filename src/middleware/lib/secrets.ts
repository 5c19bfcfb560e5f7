/**
 * Secrets that are known by their digests only, and found without telling by the time it takes how much of one was right.
 *
 * Digests are of equal length however long a secret is, and all of them are compared, each to its end.
 */
export class Secrets<Value> {
  readonly #entries: Promise<readonly { readonly digest: Uint8Array; readonly value: Value }[]>;

  constructor(secrets: Iterable<readonly [secret: string, value: Value]>) {
    this.#entries = Promise.all(
      [...secrets].map(async ([secret, value]) => ({ digest: await digestOf(secret), value })),
    );
  }

  /** What belongs to a secret, or null when nobody has it. */
  async find(secret: string): Promise<{ readonly value: Value } | null> {
    const digest = await digestOf(secret);
    let found: { readonly value: Value } | null = null;
    for (const entry of await this.#entries) if (isEqual(entry.digest, digest)) found = entry;
    return found;
  }
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function isEqual(digest: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (const [at, byte] of digest.entries()) difference |= byte ^ other[at]!;
  return difference === 0;
}
