import type { OptionCheck } from "../http/javascript/option-check.ts";
import { described } from "../http/javascript/described.ts";
import { longestTimerMs } from "../http/javascript/option-check.ts";
import type { RecordStore } from "./record-store.ts";

/** What every write of an application has in common. */
export interface WriteRules {
  readonly store: RecordStore;
  readonly ttlMs: number;
  readonly leaseMs: number;
  /** A URI of the documentation of keys. */
  readonly docs?: string | undefined;
  /** The name of the key in refusals, such as `Idempotency-Key`. */
  readonly key: string;
  /** Returns whether answers with a status are kept, of those that can be. */
  readonly keeps: (status: number) => boolean;
}

/** The options that make rules. */
export interface WriteOptions {
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
  const isLease = Number.isSafeInteger(leaseMs) && leaseMs >= 3 && leaseMs <= longestTimerMs;
  check.require(isLease, "leaseMs", "a whole number of at least 3 that a timer can wait", leaseMs);
  check.require(Number.isSafeInteger(ttlMs) && ttlMs >= leaseMs, "ttlMs", 'at least "leaseMs"', ttlMs);
  check.require(docs === undefined || isURI(docs), "docs", "a URI", docs);
  return { store, ttlMs, leaseMs, docs, key, keeps };
}

/** Returns what `scope` named. @throws {TypeError} when it named nobody: all of them would share their keys. */
export function checkedScope(scope: unknown): string {
  if (typeof scope === "string" && scope !== "") return scope;
  throw new TypeError(`Cannot begin a write: expected a string from "scope", got ${described(scope)}`);
}

function isRecordStore(store: unknown): boolean {
  const given = (store ?? {}) as Partial<Record<keyof RecordStore, unknown>>;
  const methods = ["find", "begin", "extend", "finish", "release"] as const;
  return methods.every((name) => typeof given[name] === "function");
}

// RFC 8288 §3: what is between the angle brackets of a link.
function isURI(text: unknown): boolean {
  return typeof text === "string" && /^[!#-;=?-Z[\]_a-z~]+$/.test(text);
}
