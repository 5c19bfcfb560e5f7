import { isError } from "../javascript/any-realm.ts";
import { measuring } from "../javascript/measuring.ts";
import { isThenable } from "../javascript/thenable.ts";
import { SilentStoreError, StoreOutages } from "./store-outage.ts";

/** What to do with an answer that comes when nobody waits for it any more. */
type Late<Store> = {
  readonly [Name in keyof Store]?: Store[Name] extends (...args: infer Args) => infer Given
    ? (given: Awaited<Given>, ...args: Args) => unknown
    : never;
};

/**
 * Limits how long the functions of a store may take. Where one answers at once, no timer is set. A store that falls
 * silent would stop every request for ever: its connection is open, so that nothing fails.
 */
export function limitedStore<Store extends object, Name extends keyof Store & string>(
  store: Store,
  names: readonly Name[],
  timeoutMs: number,
  late: Late<Store> = {},
): Pick<Store, Name> {
  const limit = new StoreLimit(timeoutMs);
  const functions = store as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  const settles = late as Readonly<Record<string, ((given: unknown, ...args: unknown[]) => unknown) | undefined>>;
  const limited = names.map((name) => [
    name,
    (...args: unknown[]) => limit.ask(name, functions[name]!(...args), (given) => settles[name]?.(given, ...args)),
  ]);
  return Object.fromEntries(limited) as Pick<Store, Name>;
}

class StoreLimit {
  readonly #timeoutMs: number;
  readonly #outages = new StoreOutages();
  #silence: SilentStoreError | null = null;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  ask(name: string, answer: unknown, settle: (given: unknown) => unknown): unknown {
    if (!isThenable(answer)) return answer;
    const { measure } = measuring;
    const from = measure === null ? 0 : performance.now();
    return new Promise((resolve, reject) => {
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        reject(this.#silent(name));
      }, this.#timeoutMs);
      const answered = (): void => {
        clearTimeout(timer);
        this.#silence = null;
        measure?.("fingerpost.store.operation.duration", (performance.now() - from) / 1_000, {
          "db.operation.name": name,
        });
      };
      Promise.resolve(answer).then(
        (given) => {
          answered();
          this.#outages.answered();
          resolve(given);
          if (isOver) void settled(() => settle(given));
        },
        (error: unknown) => {
          answered();
          // A limiter rejects with what is left to a client, which is an answer.
          if (isError(error)) this.#outages.failed(error);
          else this.#outages.answered();
          reject(error);
        },
      );
    });
  }

  #silent(name: string): SilentStoreError {
    this.#silence ??= new SilentStoreError(
      `Cannot ask the store: ${name}() has not answered within ${this.#timeoutMs} ms; look at its connection`,
    );
    this.#silence.unanswered += 1;
    this.#outages.failed(this.#silence);
    return this.#silence;
  }
}

async function settled(settle: () => unknown): Promise<void> {
  try {
    await settle();
  } catch {
    // What nobody waits for ends by the times of the store itself.
  }
}
