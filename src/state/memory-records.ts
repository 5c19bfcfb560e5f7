import { OptionCheck } from "../http/javascript/option-check.ts";
import { forgettingEnded, knownIn, nowMs, putIn } from "./ending-entries.ts";
import type { RecordStore, WriteLease, WriteRecord } from "../writes/record-store.ts";

/** Options of `memoryRecords()`. */
export interface MemoryRecordsOptions {
  /**
   * Maximum number of records. Beyond it, a new write gets 503. In this release a write has one for each of its two
   * names. Default: 200,000.
   */
  readonly maxRecords?: number | undefined;
}

interface Entry extends WriteRecord {
  readonly fence: string;
  answer: string | null;
  leaseEndMs: number;
  endMs: number;
}

/**
 * Makes a store of records in the memory of this process: for tests, and for one process that may forget.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const once = idempotency({ store: memoryRecords(), ownerOf: () => "everyone" });
 * const group = ResourceGroup.builder().middleware(once).build();
 * ```
 */
export function memoryRecords(options: MemoryRecordsOptions = {}): RecordStore {
  const check = new OptionCheck("memoryRecords", options, ["maxRecords"]);
  const { maxRecords = 200_000 } = check.options;
  check.positive("maxRecords");
  return new MemoryRecords(maxRecords);
}

class MemoryRecords implements RecordStore {
  readonly #maxRecords: number;
  readonly #entries = new Map<string, Entry>();
  readonly #forgetEnded = forgettingEnded(this.#entries, (old) => this.#entries.delete(old));
  #lastFence = 0;

  constructor(maxRecords: number) {
    this.#maxRecords = maxRecords;
  }

  find(key: string): WriteRecord | null {
    const entry = knownIn(this.#entries, key);
    return entry === null || isOver(entry) ? null : recordOf(entry);
  }

  begin(key: string, fingerprint: string, leaseMs: number, ttlMs: number): WriteLease | WriteRecord {
    const entry = knownIn(this.#entries, key);
    if (entry !== null && !(isOver(entry) && entry.fingerprint === fingerprint)) return recordOf(entry);
    this.#forgetEnded();
    if (entry === null && this.#entries.size >= this.#maxRecords) {
      throw new Error(`Cannot begin a write: there are ${this.#maxRecords} records already; raise "maxRecords"`);
    }
    const fence = String(++this.#lastFence);
    const now = nowMs();
    putIn(this.#entries, key, { fingerprint, answer: null, fence, leaseEndMs: now + leaseMs, endMs: now + ttlMs });
    return { fence };
  }

  extend(key: string, fence: string, leaseMs: number): boolean {
    const entry = this.#leased(key, fence);
    if (entry === null) return false;
    entry.leaseEndMs = nowMs() + leaseMs;
    entry.endMs = Math.max(entry.endMs, entry.leaseEndMs);
    return true;
  }

  finish(key: string, fence: string, answer: string, ttlMs: number): boolean {
    const entry = this.#leased(key, fence);
    if (entry === null) return false;
    // The record stays at its place in the order. Records behind it are forgotten later by the time that the handler
    // took.
    entry.answer = answer;
    entry.endMs = nowMs() + ttlMs;
    return true;
  }

  release(key: string, fence: string): void {
    if (this.#leased(key, fence) !== null) this.#entries.delete(key);
  }

  #leased(key: string, fence: string): Entry | null {
    const entry = knownIn(this.#entries, key);
    return entry?.fence === fence && entry.answer === null ? entry : null;
  }
}

function isOver({ answer, leaseEndMs }: Entry): boolean {
  return answer === null && leaseEndMs <= nowMs();
}

function recordOf({ fingerprint, answer }: Entry): WriteRecord {
  return { fingerprint, answer };
}
