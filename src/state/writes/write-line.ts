import { requestField } from "../../fields/request-fields.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { sha256 } from "../../http/javascript/digest.ts";
import { askedStore } from "./asked-store.ts";
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
export async function beginWrite(id: string, fingerprint: string, rules: WriteRules): Promise<Lease | KeptAnswer> {
  const { store, leaseMs, ttlMs } = rules;
  const begun = await askedStore(async () => {
    return checkedRecord(await store.begin(id, fingerprint, leaseMs, ttlMs));
  });
  return "fence" in begun ? new Lease(id, begun.fence, rules) : answerOf(begun, fingerprint, rules);
}

/**
 * Finds the answer of a write. Returns null when it has not begun, or may be tried again.
 *
 * @throws {HTTPError} 409 while it is under way, 422 for another request with its key, 503 when the store fails.
 */
export async function findWrite(
  id: string,
  fingerprintOf: () => Promise<string>,
  rules: WriteRules,
): Promise<KeptAnswer | null> {
  const record = await askedStore(async () => {
    // A store of somebody else may say `undefined`.
    const found = (await rules.store.find(id)) ?? null;
    return found === null ? null : checkedRecord(found);
  });
  return record === null ? null : answerOf(record, await fingerprintOf(), rules);
}

/** Refuses what is neither a lease nor a record. */
function checkedRecord<Given extends WriteRecord | WriteLease>(given: Given): Given {
  const { fence, fingerprint, answer } = Object(given) as Partial<Record<"fence" | "fingerprint" | "answer", unknown>>;
  const isRecord = typeof fingerprint === "string" && (answer === null || typeof answer === "string");
  if (typeof fence === "string" || isRecord) return given;
  throw otherThanGiven();
}

async function answerOf(record: WriteRecord, fingerprint: string, rules: WriteRules): Promise<KeptAnswer> {
  if (record.fingerprint !== fingerprint) {
    throw refused(Status.UnprocessableContent, "Idempotency-Key was used for another request", rules);
  }
  const { answer } = record;
  if (answer !== null) return askedStore(async () => readAnswer(answer));
  throw refused(Status.Conflict, `A request with this ${rules.key} is under way`, rules, { "Retry-After": "1" });
}

/** The right to run a write. It is extended until it is done. */
export class Lease {
  readonly #id: string;
  readonly #fence: string;
  readonly #rules: WriteRules;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(id: string, fence: string, rules: WriteRules) {
    this.#id = id;
    this.#fence = fence;
    this.#rules = rules;
    const { store, leaseMs } = rules;
    // A try that fails is followed by another one before the lease ends.
    this.#timer = setInterval(() => void extended(() => store.extend(id, fence, leaseMs)), leaseMs / 3);
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
  async finish(answer: KeptAnswer): Promise<void> {
    this.end();
    const { store, ttlMs } = this.#rules;
    if (await store.finish(this.#id, this.#fence, writtenAnswer(answer), ttlMs)) return;
    throw new Error("Cannot keep the answer of a write: its lease ended, and another run may have begun");
  }

  /** Forgets a write whose answer is not kept: it may be tried again. */
  async release(): Promise<void> {
    this.end();
    await this.#rules.store.release(this.#id, this.#fence);
  }
}

async function extended(extend: () => Promise<unknown>): Promise<void> {
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
