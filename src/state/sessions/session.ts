import type { SessionEntry } from "./session-store.ts";

/** The session of a request. The browser has its secret, and a store has its data. */
export interface Session<Data> extends SealedSession<Data> {
  /**
   * The name of the session, which stores get as `key`; null if there is no session. It can be shown, because the
   * cookie has a secret in its place.
   */
  readonly id: string | null;
  /**
   * Begins a session with a new secret, and ends the one that the request had. Call it whenever rights change, at
   * sign-in above all.
   *
   * @param options.label what `list()` shows of the session, such as the name of a browser.
   * @throws {HTTPError} 503 when the store fails.
   * @throws {TypeError} when the data does not fit the schema, or the response is there.
   */
  start(data: Data, options?: StartOptions): Promise<void>;
  /**
   * Changes the data, if nobody else has changed it meanwhile; otherwise the function runs again on the newer data, up
   * to 10 times. It must have no effects, therefore.
   *
   * @returns the new data.
   * @throws {HTTPError} 401 when the session has ended, 503 when others were faster each time, or the store fails.
   * @throws {Error} when there is no session.
   */
  update(change: (data: Data) => Data | Promise<Data>): Promise<Data>;
  /** Ends the session in the store, and deletes the cookie. @throws {HTTPError} 503 when the store fails. */
  end(): Promise<void>;
}

/**
 * The session of a request, which the browser has in a sealed cookie. Nothing can revoke it before its time is over.
 */
export interface SealedSession<Data> {
  /** The data; null when there is no session. Do not change it in place: `update()` of a `Session` writes it. */
  readonly data: Data | null;
  /** When the session ends at the latest; null if there is none. `reply(101, …, { until })` takes it. */
  readonly endsAt: Date | null;
  /**
   * Begins a session.
   *
   * @throws {TypeError} when the data does not fit the schema or the cookie, or the response is there.
   */
  start(data: Data): Promise<void>;
  /** Deletes the cookie. A copy of a sealed cookie still works. @throws {TypeError} when the response is there. */
  end(): Promise<void>;
}

/** Options of `start()` besides the data. */
export interface StartOptions {
  /** What `list()` shows of the session. Default: an empty string. */
  readonly label?: string | undefined;
}

/** Answers questions about the sessions of an owner: the class that `sessions({ ownerOf })` returns. */
export interface SessionsOfOwners {
  /** Lists the sessions of an owner. @throws {HTTPError} 503 when the store fails. */
  list(owner: string): Promise<SessionEntry[]>;
  /** Ends one session of an owner, and no other one. @throws {HTTPError} 503 when the store fails. */
  revoke(owner: string, id: string): Promise<void>;
  /**
   * Ends all sessions of an owner.
   *
   * @param options.except the `id` of a session that stays.
   * @throws {HTTPError} 503 when the store fails.
   */
  revokeAll(owner: string, options?: { readonly except?: string | null | undefined }): Promise<void>;
}
