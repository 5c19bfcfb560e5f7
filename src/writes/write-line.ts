import { requestField } from "../fields/request-fields.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { after } from "../http/javascript/thenable.ts";
import { sha256 } from "../http/javascript/digest.ts";
import { askedStore, unavailable } from "./asked-store.ts";
import { parseIdempotencyKey } from "./idempotency-key.ts";
import { otherThanGiven, readAnswer, writtenAnswer, type KeptAnswer } from "./kept-answer.ts";
import type { WriteLease, WriteRecord } from "./record-store.ts";
import type { WriteRules } from "./write-rules.ts";

/** Reads the key of a request. @throws {HTTPError} 400 when it is not a key, or there is none where it is required. */
export function keyOf(input: object, isRequired: boolean, rules: WriteRules): string | null {
  const value = requestField(input, "idempotency-key");
  if (value === null) {
    if (!isRequired) return null;
    throw refused(Status.BadRequest, "Idempotency-Key is required", rules);
  }
  const key = parseIdempotencyKey(value);
  if (key !== null) return key;
  throw refused(Status.BadRequest, "Idempotency-Key must be one string of 1 to 255 characters", rules);
}

/** The name under which a store knows a write. Scopes, methods, patterns and keys of any text are never confused. */
export function writeIdOf(scope: string, method: string, pattern: string, key: string): string | Promise<string> {
  return sha256(JSON.stringify([scope, method, pattern, key]));
}

/**
 * Begins a write. Returns its lease, or the answer that it had.
 *
 * @throws {HTTPError} 409 while it is under way, 422 for another request with its key, 503 when the store fails.
 */
export function beginWrite(
  id: string,
  fingerprint: string,
  rules: WriteRules,
): Lease | KeptAnswer | Promise<Lease | KeptAnswer> {
  const { store, leaseMs, ttlMs } = rules;
  return after(
    askedStore(() => after(store.begin(id, fingerprint, leaseMs, ttlMs), checkedRecord)),
    (begun) => ("fence" in begun ? new Lease(id, begun.fence, rules) : answerOf(begun, fingerprint, rules)),
  );
}

/** Finds the record of a write. Returns null when it has not begun, or may be tried again. @throws {HTTPError} 503. */
export function findWrite(id: string, { store }: WriteRules): WriteRecord | null | Promise<WriteRecord | null> {
  return askedStore(() => after(store.find(id), checkedIfAny));
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

/**
 * Returns the answer of a write.
 *
 * @throws {HTTPError} 409 while it is under way, 422 for another request with its key, 503 when the store lies.
 */
export function answerOf(record: WriteRecord, fingerprint: string, rules: WriteRules): KeptAnswer {
  if (record.fingerprint !== fingerprint) {
    throw refused(Status.UnprocessableContent, "Idempotency-Key was used for another request", rules);
  }
  if (record.answer === null) {
    throw refused(Status.Conflict, `A request with this ${rules.key} is under way`, rules, { "Retry-After": "1" });
  }
  try {
    return readAnswer(record.answer);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** The right to run a write. */
export class Lease {
  readonly #id: string;
  readonly #fence: string;
  readonly #rules: WriteRules;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(id: string, fence: string, rules: WriteRules) {
    this.#id = id;
    this.#fence = fence;
    this.#rules = rules;
  }

  /** Extends the lease from now on. Call it before anything waits: what does not wait outlives no lease. */
  extend(): void {
    if (this.#timer !== undefined) return;
    const { store, leaseMs } = this.#rules;
    // A try that fails is followed by another one before the lease ends.
    this.#timer = setInterval(() => void extended(() => store.extend(this.#id, this.#fence, leaseMs)), leaseMs / 3);
    // Node and Bun: a write that is under way keeps no process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  /** The answer that the handler's transaction kept, in a form of the caller. */
  committed: object | null = null;

  /** Keeps an answer by the transaction of the handler. @throws when it cannot be. */
  async commit(transaction: unknown, answer: KeptAnswer, committed: object): Promise<void> {
    const { store, ttlMs } = this.#rules;
    if (store.commit === undefined) {
      throw new Error("Cannot commit an answer: the store has no transactions; use postgresRecords()");
    }
    await store.commit(transaction, this.#id, this.#fence, writtenAnswer(answer), ttlMs);
    this.committed = committed;
  }

  /** Extends the lease no more. */
  end(): void {
    clearInterval(this.#timer);
  }

  /** Keeps an answer. @throws when the store fails, or another run has begun. */
  finish(answer: KeptAnswer): void | Promise<void> {
    this.end();
    const { store, ttlMs } = this.#rules;
    return after(store.finish(this.#id, this.#fence, writtenAnswer(answer), ttlMs), refuseUnfinished);
  }

  /** Forgets a write whose answer is not kept: it may be tried again. */
  release(): void | Promise<void> {
    this.end();
    return this.#rules.store.release(this.#id, this.#fence);
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

function refused(
  status: (typeof Status)["BadRequest" | "Conflict" | "UnprocessableContent"],
  message: string,
  { docs }: WriteRules,
  headers: Readonly<Record<string, string>> = {},
): HTTPError {
  const link: Readonly<Record<string, string>> = docs === undefined ? {} : { Link: `<${docs}>; rel="describedby"` };
  return new HTTPError(status, message, { headers: { ...headers, ...link } });
}
