import { isSignal } from "./any-realm.ts";
import { ownOf } from "./property.ts";

/**
 * A signal that aborts when the first of several does, or when it is told to. Not `AbortSignal.any()`: a source that
 * lives as long as the process would hold each signal made of it. `release()` ends that here.
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
      followersOf(source).add(this);
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
    for (const source of this.#sources) followersOf(source).delete(this);
    this.#sources.clear();
  }
}

/** What follows a signal, by one listener: Node warns of more than ten. */
class Followers {
  readonly #source: AbortSignal;
  readonly #all = new Set<AnySignal>();

  constructor(source: AbortSignal) {
    this.#source = source;
  }

  add(follower: AnySignal): void {
    if (this.#all.size === 0) this.#source.addEventListener("abort", this.#abort, ownOf({ once: true }));
    this.#all.add(follower);
  }

  delete(follower: AnySignal): void {
    if (this.#all.delete(follower) && this.#all.size === 0) this.#source.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => {
    for (const follower of this.#all) follower.abort(this.#source.reason);
  };
}

const known = new WeakMap<AbortSignal, Followers>();

function followersOf(source: AbortSignal): Followers {
  let followers = known.get(source);
  if (followers === undefined) known.set(source, (followers = new Followers(source)));
  return followers;
}

/** Returns a signal of this realm, which functions of the platform take. One of another realm is followed. */
export function ownSignal<Given>(signal: Given): Given | AbortSignal {
  return isSignal(signal) && !(signal instanceof AbortSignal) ? new AnySignal().follow(signal).signal : signal;
}
