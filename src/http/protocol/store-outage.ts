/** The error of a store that does not answer: one for all questions until it answers again. */
export class SilentStoreError extends Error {
  override readonly name = "SilentStoreError";
  /** How many questions it has not answered in time, so far. */
  unanswered = 0;
}

/** The time in which a store fails in one way. It is told once, and counted. */
export class StoreOutage {
  /** How many errors of it were told. */
  told = 0;
  /** Called when the store answers again; null where nobody was told. */
  ended: (() => void) | null = null;
}

/** By what a question to a store was rejected with. */
const outages = new WeakMap<object, StoreOutage>();

/** Returns the outage that an error is a part of, if it is one of a store. */
export function outageOf(error: unknown): StoreOutage | undefined {
  return outages.get(Object(error) as object);
}

/** The outages of one store, by their kind: another kind of error is told as well. */
export class StoreOutages {
  readonly #kinds = new Map<string, StoreOutage>();

  failed(error: Error): void {
    const kind = `${error.name} ${String((error as { readonly code?: unknown }).code)}`;
    const outage = this.#kinds.get(kind) ?? new StoreOutage();
    this.#kinds.set(kind, outage);
    outages.set(error, outage);
  }

  answered(): void {
    if (this.#kinds.size === 0) return;
    for (const { ended } of this.#kinds.values()) ended?.();
    this.#kinds.clear();
  }
}
