/**
 * Stores sessions, each by its key.
 *
 * `fingerpost/stores` has functions that make stores. A store of your own keeps strings as they are, and measures time
 * by one clock. It does each step at once: of two calls of `replace()` with one version, one returns null. A method
 * that waits for nothing may return no Promise.
 */
export interface SessionStore {
  /**
   * Finds a session that has not ended. It extends a session that was last seen more than `everyMs` ago: the session
   * then ends `idleMs` from now, or at its absolute end.
   */
  find(key: string, idleMs: number, everyMs: number): StoredSession | null | Promise<StoredSession | null>;
  /** Keeps a new session. It ends when it was not seen for `idleMs`, and at the latest after `absoluteMs`. */
  begin(key: string, session: NewSession, idleMs: number, absoluteMs: number): void | Promise<void>;
  /**
   * Replaces the data of a session that still has this version, and extends it. Returns the new version, or null if the
   * version is another one or the session has ended.
   */
  replace(key: string, version: string, data: string, idleMs: number): string | null | Promise<string | null>;
  /** Ends a session. */
  delete(key: string): void | Promise<void>;
  /** Lists the sessions of an owner that have not ended. */
  list(owner: string): readonly SessionEntry[] | Promise<readonly SessionEntry[]>;
}

/** A session as a store is given it. */
export interface NewSession {
  readonly data: string;
  /** The owner of the session: the argument of `list()`. Null if nobody asks for it. */
  readonly owner: string | null;
  readonly label: string;
}

/** A session as a store returns it. */
export interface StoredSession {
  readonly data: string;
  /** Changes with each `replace()`. */
  readonly version: string;
  /** How long the session can still be extended: the time until its absolute end, in milliseconds. */
  readonly leftMs: number;
}

/** One session of an owner. */
export interface SessionEntry {
  /** The `key` that the store has it by. It can be shown, because the cookie has a secret in its place. */
  readonly id: string;
  readonly startedAt: Date;
  /** When the session was last seen, to the minute. */
  readonly seenAt: Date;
  /** What `start()` was given as `label`. */
  readonly label: string;
}
