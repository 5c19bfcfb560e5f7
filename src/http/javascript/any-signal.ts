import { isSignal } from "./any-realm.ts";
import { ownOf } from "./property.ts";

/**
 * A signal that aborts when the first of several does, or when it is told to.
 *
 * Not `AbortSignal.any()`: a source that lives as long as the process would hold each signal made of it. `release()`
 * ends that here.
 */
export class AnySignal {
  readonly #controller = new AbortController();
  readonly #sources = new Set<AbortSignal>();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts the signal when another one aborts. */
  follow(source: AbortSignal | null | undefined): this {
    if (source === null || source === undefined || this.signal.aborted) return this;
    if (source.aborted) {
      this.abort(source.reason);
    } else {
      source.addEventListener("abort", this.#abort, ownOf({ once: true }));
      this.#sources.add(source);
    }
    return this;
  }

  abort(reason?: unknown): void {
    this.release();
    this.#controller.abort(reason);
  }

  /** Follows no other signal any more. */
  release(): void {
    for (const source of this.#sources) source.removeEventListener("abort", this.#abort);
    this.#sources.clear();
  }

  readonly #abort = ({ target }: Event): void => this.abort((target as AbortSignal).reason);
}

/** Returns a signal of this realm, which functions of the platform take. One of another realm is followed. */
export function ownSignal<Given>(signal: Given): Given | AbortSignal {
  return isSignal(signal) && !(signal instanceof AbortSignal) ? new AnySignal().follow(signal).signal : signal;
}
