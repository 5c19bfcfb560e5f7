import { after } from "../http/javascript/thenable.ts";
import { writtenAnswer, type KeptAnswer } from "./kept-answer.ts";
import type { WriteRules } from "./write-rules.ts";

/** The right to run a write. */
export class Lease {
  readonly #name: string;
  readonly #fence: string;
  readonly #rules: WriteRules;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(name: string, fence: string, rules: WriteRules) {
    this.#name = name;
    this.#fence = fence;
    this.#rules = rules;
  }

  /** Extends the lease from now on. Call it before anything waits: what does not wait outlives no lease. */
  extend(): void {
    if (this.#timer !== undefined) return;
    const { store, leaseMs } = this.#rules;
    // A try that fails is followed by another one before the lease ends.
    this.#timer = setInterval(() => void extended(() => store.extend(this.#name, this.#fence, leaseMs)), leaseMs / 3);
    // Node and Bun: a write that is under way keeps no process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  /** Keeps an answer by the transaction of the handler. @throws when it cannot be. */
  async commit(transaction: unknown, answer: KeptAnswer): Promise<void> {
    const { store, ttlMs } = this.#rules;
    if (store.commit === undefined) {
      throw new Error("Cannot commit an answer: the store has no transactions; use postgresRecords()");
    }
    await store.commit(transaction, this.#name, this.#fence, writtenAnswer(answer), ttlMs);
  }

  /** Extends the lease no more. */
  end(): void {
    clearInterval(this.#timer);
  }

  /** Keeps an answer. @throws when the store fails, or another run has begun. */
  finish(answer: KeptAnswer): void | Promise<void> {
    const { store, ttlMs } = this.#rules;
    return after(store.finish(this.#name, this.#fence, writtenAnswer(answer), ttlMs), refuseUnfinished);
  }

  /** Forgets a write whose answer is not kept: it may be tried again. */
  release(): void | Promise<void> {
    return this.#rules.store.release(this.#name, this.#fence);
  }
}

function refuseUnfinished(isFinished: boolean): void {
  if (isFinished) return;
  throw new Error("Cannot keep the answer of a write: its lease ended, and another run may have begun");
}

async function extended(extend: () => unknown): Promise<void> {
  try {
    await extend();
  } catch {
    // Whether the lease was lost shows when the answer is to be kept.
  }
}
