import { writtenAnswer, type KeptAnswer } from "./kept-answer.ts";
import type { KeyLease, WriteLease } from "./record-store.ts";
import type { WriteRules } from "./write-rules.ts";

/** The right to run a write, under each of its names. */
export class Lease {
  readonly #names: readonly string[];
  readonly #rules: WriteRules;
  readonly #leases: KeyLease[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param names all names of the write, which stand in what is kept. */
  constructor(names: readonly string[], rules: WriteRules) {
    this.#names = names;
    this.#rules = rules;
  }

  /** Takes the lease of one name in. */
  add(key: string, { fence }: WriteLease): void {
    this.#leases.push({ key, fence });
  }

  /** Extends the lease from now on. Call it before anything waits: what does not wait outlives no lease. */
  extend(): void {
    if (this.#timer !== undefined) return;
    const { store, leaseMs } = this.#rules;
    // A try that fails is followed by another one before the lease ends.
    this.#timer = setInterval(() => {
      // Whether the lease was lost shows when the answer is to be kept.
      void this.#each((name, fence) => store.extend(name, fence, leaseMs)).catch(() => {});
    }, leaseMs / 3);
    // Node and Bun: a write that is under way keeps no process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  /** Keeps an answer by the transaction of the handler. @throws when it cannot be. */
  async commit(transaction: unknown, answer: KeptAnswer): Promise<void> {
    const { store, ttlMs } = this.#rules;
    if (store.commit === undefined) {
      throw new Error("Cannot commit an answer: the store has no transactions; use one with commit()");
    }
    await store.commit(transaction, this.#leases, writtenAnswer(answer, this.#names), ttlMs);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** Keeps an answer. @throws when the store fails, or another run has begun. */
  async finish(answer: KeptAnswer): Promise<void> {
    const { store, ttlMs } = this.#rules;
    const text = writtenAnswer(answer, this.#names);
    const finished = await this.#each((name, fence) => store.finish(name, fence, text, ttlMs));
    if (finished.every(Boolean)) return;
    throw new Error("Cannot keep the answer of a write: its lease ended, and another run may have begun");
  }

  /** Forgets a write whose answer is not kept: it may be tried again. */
  async release(): Promise<void> {
    await this.#each((name, fence) => this.#rules.store.release(name, fence));
  }

  #each<Given>(ask: (name: string, fence: string) => Given): Promise<Awaited<Given>[]> {
    return Promise.all(this.#leases.map(async ({ key, fence }) => ask(key, fence)));
  }
}
