import { requireTime, type OptionCheck } from "../http/javascript/option-check.ts";
import { described } from "../http/javascript/described.ts";
import { storeTimeoutOf, type StoreTimeout } from "../http/protocol/store-timeout.ts";
import type { RecordStore } from "./record-store.ts";

/** What every write of an application has in common. */
export interface WriteRules {
  readonly store: RecordStore;
  readonly storeTimeoutMs: number;
  readonly ttlMs: number;
  readonly leaseMs: number;
  /** A URI of the documentation of keys. */
  readonly docs?: string | undefined;
  /** The name of the key in refusals, such as `Idempotency-Key`. */
  readonly key: string;
  /** Returns whether answers with a status are kept, of those that can be. */
  readonly keeps: (status: number) => boolean;
}

export interface WriteOptions extends StoreTimeout {
  /** Keeps the records of writes; shared by all processes. */
  readonly store: RecordStore;
  /** How long an answer is kept, in milliseconds. Default: a day. */
  readonly ttlMs?: number | undefined;
  /** How long a run that no longer extends its lease counts as under way, in milliseconds. Default: a minute. */
  readonly leaseMs?: number | undefined;
  /** A URI of your documentation of keys, which refusals link to. */
  readonly docs?: string | undefined;
}

/** Reads the rules of writes. @throws {TypeError} when an option is wrong. */
export function checkedRules(
  check: OptionCheck<WriteOptions>,
  key: string,
  keeps: WriteRules["keeps"] = () => true,
): WriteRules {
  const { store, ttlMs = 86_400_000, leaseMs = 60_000, docs } = check.options;
  check.require(isRecordStore(store), "store", "a store such as memoryRecords()", store);
  const storeTimeoutMs = storeTimeoutOf(check);
  requireTime(check, "leaseMs", leaseMs, 3);
  check.require(Number.isSafeInteger(ttlMs) && ttlMs >= leaseMs, "ttlMs", 'at least "leaseMs"', ttlMs);
  check.require(docs === undefined || isURI(docs), "docs", "a URI");
  return { store, storeTimeoutMs, ttlMs, leaseMs, docs, key, keeps };
}

/** The request was not at fault, or another try may go otherwise. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns whether an answer is kept: one that a further try would not change. */
export function isKept(status: number, headers: Pick<Headers, "has">): boolean {
  return status >= 200 && status < 500 && !passing.has(status) && !headers.has("retry-after");
}

/** Returns what `ownerOf` named. @throws {TypeError} when it named nobody: all of them would share their keys. */
export function checkedOwner(owner: unknown): string {
  if (typeof owner === "string" && owner !== "") return owner;
  throw new TypeError(`Cannot begin a write: expected a string from "ownerOf", got ${described(owner)}`);
}

/** Names the questions with a limit. `commit()` has none: the transaction of the handler has its own end. */
export const questions = ["find", "begin", "extend", "finish", "release"] as const;

function isRecordStore(store: unknown): boolean {
  const given = (store ?? {}) as Partial<Record<keyof RecordStore, unknown>>;
  return questions.every((name) => typeof given[name] === "function");
}

// RFC 8288 §3: what is between the angle brackets of a link.
function isURI(text: unknown): boolean {
  return typeof text === "string" && /^[!#-;=?-Z[\]_a-z~]+$/.test(text);
}
