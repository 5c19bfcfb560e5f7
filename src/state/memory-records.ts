import { OptionCheck } from "../http/javascript/option-check.ts";
import type { RecordStore, WriteLease, WriteRecord } from "./writes/record-store.ts";

/** What `memoryRecords()` takes. */
export interface MemoryRecordsOptions {
  /** How many records are kept at most. Beyond it, a new write is 503. Default: 100,000. */
  readonly maxRecords?: number | undefined;
}

interface Entry extends WriteRecord {
  readonly fence: string;
  readonly leaseEndMs: number;
  readonly endMs: number;
}

/**
 * Makes a store of records in the memory of this process: for tests, and for one process that may forget.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const once = idempotency({ store: memoryRecords(), scope: () => "everyone" });
 * const group = ResourceGroup.builder().middleware(once).build();
 * ```
 */
export function memoryRecords(options: MemoryRecordsOptions = {}): RecordStore {
  const check = new OptionCheck("memoryRecords", options, ["maxRecords"]);
  const { maxRecords = 100_000 } = check.options;
  check.require(Number.isSafeInteger(maxRecords) && maxRecords > 0, "maxRecords", "at least 1", maxRecords);
  return new MemoryRecords(maxRecords);
}

class MemoryRecords implements RecordStore {
  readonly #maxRecords: number;
  readonly #entries = new Map<string, Entry>();
  #lastFence = 0;

  constructor(maxRecords: number) {
    this.#maxRecords = maxRecords;
  }

  async find(key: string): Promise<WriteRecord | null> {
    const entry = this.#known(key);
    return entry === null || isOver(entry) ? null : recordOf(entry);
  }

  async begin(key: string, fingerprint: string, leaseMs: number, ttlMs: number): Promise<WriteLease | WriteRecord> {
    const entry = this.#known(key);
    if (entry !== null && !(isOver(entry) && entry.fingerprint === fingerprint)) return recordOf(entry);
    this.#forgetOld();
    if (entry === null && this.#entries.size >= this.#maxRecords) {
      throw new Error(`Cannot begin a write: there are ${this.#maxRecords} records already; raise "maxRecords"`);
    }
    const fence = String(++this.#lastFence);
    this.#put(key, { fingerprint, answer: null, fence, leaseEndMs: now() + leaseMs, endMs: now() + ttlMs });
    return { fence };
  }

  async extend(key: string, fence: string, leaseMs: number): Promise<boolean> {
    const entry = this.#leased(key, fence);
    if (entry === null) return false;
    const leaseEndMs = now() + leaseMs;
    this.#entries.set(key, { ...entry, leaseEndMs, endMs: Math.max(entry.endMs, leaseEndMs) });
    return true;
  }

  async finish(key: string, fence: string, answer: string, ttlMs: number): Promise<boolean> {
    const entry = this.#leased(key, fence);
    if (entry !== null) this.#put(key, { ...entry, answer, endMs: now() + ttlMs });
    return entry !== null;
  }

  async release(key: string, fence: string): Promise<void> {
    if (this.#leased(key, fence) !== null) this.#entries.delete(key);
  }

  #known(key: string): Entry | null {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.endMs <= now() ? null : entry;
  }

  #leased(key: string, fence: string): Entry | null {
    const entry = this.#known(key);
    return entry?.fence === fence && entry.answer === null ? entry : null;
  }

  /** The entries are in the order in which they were put: with one time to live, the oldest ends first. */
  #put(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #forgetOld(): void {
    for (const [key, { endMs }] of this.#entries) {
      if (endMs > now()) return;
      this.#entries.delete(key);
    }
  }
}

// A clock that is set back or forth ends no lease early, and keeps none forever.
function now(): number {
  return performance.now();
}

function isOver({ answer, leaseEndMs }: Entry): boolean {
  return answer === null && leaseEndMs <= now();
}

function recordOf({ fingerprint, answer }: Entry): WriteRecord {
  return { fingerprint, answer };
}
