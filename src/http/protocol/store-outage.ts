import { outages, type Outage, type Print } from "./outages.ts";

/** The error of a store that does not answer: one for all questions until it answers again. */
export class SilentStoreError extends Error {
  override readonly name = "SilentStoreError";
  /** How many questions it has not answered in time, so far. */
  unanswered = 0;
}

interface StoreError extends Error {
  readonly code?: unknown;
  /** What a connection to several addresses failed by. */
  readonly errors?: readonly Error[];
}

/** The time in which a store fails in one way. It is told once, and counted. */
class StoreOutage implements Outage {
  #count = 0;
  #print: Print | null = null;

  /** Counts an error, and returns whether one was told before. The count is printed when it is ten times as much. */
  isTold(print: Print): boolean {
    this.#print = print;
    this.#count++;
    if (/^10+$/.test(String(this.#count))) print("The store still fails: %d requests so far", this.#count);
    return this.#count > 1;
  }

  /** Returns one line for a store out of reach. Without a code, the program may be at fault: null. */
  lineOf({ name, code = name, message, errors }: StoreError): string | null {
    if (code === name && name !== "SilentStoreError") return null;
    return `${String(code)}: ${String(message || errors?.[0]?.message).split("\n", 1)[0]}; more of it is counted`;
  }

  end(): void {
    if (this.#count > 1) this.#print!("The store answers again: %d requests had failed", this.#count);
  }
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
    for (const outage of this.#kinds.values()) outage.end();
    this.#kinds.clear();
  }
}
