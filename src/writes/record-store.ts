/**
 * Stores what is known of writes, each by its key.
 *
 * `fingerpost/stores` has functions that make stores. A store of your own must do each step at once: two calls of
 * `begin()` with one key never both get a lease.
 *
 * A method that waits for nothing may return no Promise.
 */
export interface RecordStore {
  /** Finds the record of a key. Returns null when there is none, or its lease ended without an answer. */
  find(key: string): WriteRecord | null | Promise<WriteRecord | null>;
  /**
   * Begins a write: takes a lease. Returns the record instead if the write is under way, was answered, or began with
   * another fingerprint.
   *
   * @param ttlMs how long the store keeps a write that never ends, in milliseconds.
   */
  begin(
    key: string,
    fingerprint: string,
    leaseMs: number,
    ttlMs: number,
  ): WriteLease | WriteRecord | Promise<WriteLease | WriteRecord>;
  /** Extends a lease. Returns false if the lease is not the newest. */
  extend(key: string, fence: string, leaseMs: number): boolean | Promise<boolean>;
  /** Stores the response of a write. Returns false if the lease is not the newest. */
  finish(key: string, fence: string, answer: string, ttlMs: number): boolean | Promise<boolean>;
  /** Forgets a write that has no answer to keep. */
  release(key: string, fence: string): void | Promise<void>;
  /**
   * Stores the response of a write in the handler's transaction, if the store can: under each key of the write.
   *
   * @throws when there is no transaction, or a lease is not the newest. The transaction must then end without effect.
   */
  readonly commit?:
    | ((transaction: unknown, leases: readonly KeyLease[], answer: string, ttlMs: number) => Promise<void>)
    | undefined;
}

/** A write that began, as a store knows it. */
export interface WriteRecord {
  /** The fingerprint of the request that began the write. */
  readonly fingerprint: string;
  /** The answer as it was kept. Null while the write is under way. */
  readonly answer: string | null;
}

/** A lease, and the key that it is of. */
export interface KeyLease extends WriteLease {
  readonly key: string;
}

/** The right to run one write. */
export interface WriteLease {
  /** A number that grows with each lease of a key, in decimal digits: an old lease can keep no answer. */
  readonly fence: string;
}
