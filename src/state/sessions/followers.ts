import type { ProcessFeed } from "../../http/message/process-feed.ts";

/** A connection of this process that a session has begun. */
export interface Follower {
  /** The key of the session. */
  readonly key: string;
  /** The key of its owner; null before it is known, or where nobody asks for it. */
  owner: string | null;
  readonly end: () => void;
}

/** What processes tell each other. A key is a digest: whoever reads it has no session. */
interface EndMessage {
  /** The key of a session that ended. */
  readonly session?: unknown;
  /** The key of an owner whose sessions ended. */
  readonly owner?: unknown;
  /** The key of the session that did not. */
  readonly except?: unknown;
}

/** The connections of this process, by the sessions that have begun them. */
export class Followers {
  readonly #bySession = new Map<string, Set<Follower>>();
  readonly #feed: ProcessFeed | null;
  #isListening = false;

  /** @param feed sends to other processes, and receives from them. Absent if there is only this one. */
  constructor(feed?: ProcessFeed) {
    this.#feed = feed ?? null;
  }

  add(follower: Follower): void {
    const others = this.#bySession.get(follower.key);
    if (others === undefined) this.#bySession.set(follower.key, new Set([follower]));
    else others.add(follower);
    // Without a connection there is nothing to end.
    if (this.#feed !== null && !this.#isListening) void this.#listen(this.#feed);
  }

  delete(follower: Follower): void {
    const others = this.#bySession.get(follower.key);
    if (others?.delete(follower) === true && others.size === 0) this.#bySession.delete(follower.key);
  }

  /** Ends the connections of a session, in all processes. @throws when the feed fails. */
  async end(key: string): Promise<void> {
    this.#end(key);
    await this.#feed?.send({ session: key });
  }

  /**
   * Ends the connections of an owner, in all processes. The connections of one session stay.
   * @throws when the feed fails.
   */
  async endOwner(owner: string, except: string | null): Promise<void> {
    this.#endOwner(owner, except);
    await this.#feed?.send({ owner, except });
  }

  /** Ends all connections when the feed ends: nobody would say any more which sessions did. */
  async #listen({ inbox }: ProcessFeed): Promise<void> {
    this.#isListening = true;
    try {
      for await (const { data } of inbox.listen()) this.#take(Object(data) as EndMessage);
    } catch {
      // A feed that broke off has ended, too.
    }
    // A feed may break off at once, when a follower is about to be told how it is stopped.
    await Promise.resolve();
    this.#isListening = false;
    for (const follower of this.#all()) follower.end();
  }

  #take({ session, owner, except = null }: EndMessage): void {
    if (typeof session === "string") this.#end(session);
    if (typeof owner === "string") this.#endOwner(owner, except);
  }

  #end(key: string): void {
    for (const follower of this.#bySession.get(key) ?? []) follower.end();
  }

  #endOwner(owner: string, except: unknown): void {
    for (const follower of this.#all()) if (follower.owner === owner && follower.key !== except) follower.end();
  }

  #all(): readonly Follower[] {
    return [...this.#bySession.values()].flatMap((followers) => [...followers]);
  }
}
