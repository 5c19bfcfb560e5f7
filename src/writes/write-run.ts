import type { Answer } from "../http/answer/carried-answer.ts";
import { measuring } from "../http/javascript/measuring.ts";
import { after, isThenable } from "../http/javascript/thenable.ts";
import { askedStore, unavailable } from "../http/protocol/asked-store.ts";
import { errorKept, isAnswerOf, otherThanGiven, readAnswer, type KeptAnswer } from "./kept-answer.ts";
import type { Made } from "./kept-content.ts";
import { Lease } from "./lease.ts";
import type { WriteLease, WriteRecord } from "./record-store.ts";
import { Status } from "../http/protocol/status.ts";
import { refusedKey } from "./refusals.ts";
import { replayed } from "./replayed.ts";
import { limitedRules } from "./limited-rules.ts";
import type { WriteRules } from "./write-rules.ts";

/** A write, as its request describes it. */
export interface Write {
  /** The names under which a store knows it: see `writeNamesOf()`. */
  readonly names: readonly string[];
  readonly method: string;
  /** What answers, in messages: the name of a resource or its pattern. */
  readonly resource: string;
  readonly rules: WriteRules;
  /** Returns what distinguishes the request from another one with its key. It is asked when a record is looked at. */
  fingerprint(name: string): string | Promise<string>;
  /** Makes the answer of what the handler returned. */
  made(given: unknown): Made | Promise<Made>;
  /** Observes an error of a request that has its answer. */
  tell(error: unknown): void;
}

interface Committed {
  /** The answers that the handler may return. */
  readonly answers: readonly unknown[];
  readonly sent: Answer;
}

/**
 * One run of a write. It has two moments. The first answer is looked for before anything else is asked. The lease is
 * taken when nothing but the handler is left, so that no refusal uses up a key.
 */
export class WriteRun {
  readonly #write: Write;
  readonly #rules: WriteRules;
  #lease: Lease | null = null;
  #committed: Committed | null = null;

  constructor(write: Write) {
    this.#write = write;
    this.#rules = limitedRules(write.rules);
  }

  /**
   * Finds the first answer. Returns null when the write has not begun, or may be tried again.
   * @throws {HTTPError} the first answer, if it was an error. 409 while the write is under way, 422 for another request
   * with its key, 503 when the store fails.
   */
  async found(): Promise<Answer | null> {
    const { names } = this.#write;
    const rules = this.#rules;
    const finding = names.map(async (name) => askedStore(() => after(rules.store.find(name), checkedIfAny)));
    for (const [at, record] of (await Promise.all(finding)).entries()) {
      if (record !== null && isOf(record, names)) return this.#repeated(record, names[at]!);
    }
    return null;
  }

  /**
   * Calls the handler, and keeps its answer. Another request with the key may have come first: then the answer is its
   * own. If the store fails when the handler has run, the client gets the answer, and the observer the error.
   * @throws {HTTPError} as `found()` does.
   */
  async answered(handle: () => unknown): Promise<Answer> {
    const { method, resource, tell } = this.#write;
    const lease = await this.#leased();
    if (!(lease instanceof Lease)) return lease;
    this.#lease = lease;
    let made: Made;
    try {
      const given = await waitedFor(handle(), lease);
      if (this.#committed !== null) {
        const { answers, sent } = this.#committed;
        if (answers.includes(given)) return sent;
        throw new TypeError(
          `Cannot answer ${method} of ${resource}: the handler returned another answer than it committed; return ` +
            "what commit() returns",
        );
      }
      made = await waitedFor(this.#write.made(given), lease);
    } catch (error) {
      await settled(lease, errorKept(error, this.#rules), tell);
      throw error;
    } finally {
      lease.end();
    }
    await settled(lease, made.kept, tell);
    return made.sent;
  }

  /**
   * Keeps an answer of the handler by its transaction, and returns it.
   * @param others what the handler may return besides.
   * @throws when it cannot be kept: the transaction must then end without effect.
   */
  async commit(transaction: unknown, given: unknown, ...others: readonly unknown[]): Promise<Answer> {
    const { kept, sent } = await this.#write.made(given);
    if (kept === null) {
      throw new Error(`Cannot commit an answer: one of status ${sent.status} or with Retry-After is not kept`);
    }
    if (kept.content === undefined) {
      throw new Error("Cannot commit an answer: its content is longer than 1 MiB, or has no end");
    }
    await this.#lease!.commit(transaction, kept);
    this.#committed = { answers: [given, sent.made, ...others], sent };
    return sent;
  }

  async #repeated({ fingerprint, answer }: WriteRecord, name: string): Promise<Answer> {
    const rules = this.#rules;
    const isSame = fingerprint === (await this.#write.fingerprint(name));
    const outcome = isSame ? (answer === null ? "under_way" : "replayed") : "other_request";
    measuring.measure?.("fingerpost.idempotency.requests", 1, { "fingerpost.outcome": outcome });
    if (!isSame) {
      throw refusedKey(Status.UnprocessableContent, "Idempotency-Key was used for another request", rules);
    }
    if (answer === null) {
      throw refusedKey(Status.Conflict, `A request with this ${rules.key} is under way`, rules, { "Retry-After": "1" });
    }
    return replayed(read(answer));
  }

  /** Takes the lease of each name. Returns the first answer in its place, if there is one. */
  async #leased(): Promise<Lease | Answer> {
    const { names, tell } = this.#write;
    const { store, leaseMs, ttlMs } = this.#rules;
    const lease = new Lease(names, this.#rules);
    let isWhole = false;
    try {
      for (const name of names) {
        const fingerprint = await this.#write.fingerprint(name);
        const begun = await askedStore(() => after(store.begin(name, fingerprint, leaseMs, ttlMs), checkedRecord));
        if ("fence" in begun) lease.add(name, begun);
        else if (isOf(begun, names)) return await this.#repeated(begun, name);
      }
      isWhole = true;
      return lease;
    } finally {
      if (!isWhole) await settled(lease, null, tell);
    }
  }
}

/** Keeps the answer of a write, or lets it be tried again. */
async function settled(lease: Lease, answer: KeptAnswer | null, tell: Write["tell"]): Promise<void> {
  try {
    await (answer === null ? lease.release() : lease.finish(answer));
  } catch (error) {
    tell(error);
  }
}

/** Returns whether a record may be of a write: nobody knows of one that is under way. */
function isOf({ answer }: WriteRecord, names: readonly string[]): boolean {
  return answer === null || isAnswerOf(answer, names);
}

/** Extends a lease while something is waited for. */
function waitedFor<Value>(value: Value, lease: Lease): Value {
  if (isThenable(value)) lease.extend();
  return value;
}

/** @throws {HTTPError} 503 when a store returns something else than it was given. */
function read(answer: string): KeptAnswer {
  try {
    return readAnswer(answer);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** A store of somebody else may say `undefined`. */
function checkedIfAny(found: WriteRecord | null | undefined): WriteRecord | null {
  return (found ?? null) === null ? null : checkedRecord(found!);
}

/** Refuses what is neither a lease nor a record. */
function checkedRecord<Given extends WriteRecord | WriteLease>(given: Given): Given {
  const { fence, fingerprint, answer } = Object(given) as Partial<Record<"fence" | "fingerprint" | "answer", unknown>>;
  const isRecord = typeof fingerprint === "string" && (answer === null || typeof answer === "string");
  if (typeof fence === "string" || isRecord) return given;
  throw otherThanGiven();
}
