/** A connection of this process that a session has begun. */
export interface Follower {
  /** The key of the session. */
  readonly key: string;
  /** The key of its owner; null before it is known, or where nobody asks for it. */
  owner: string | null;
  readonly end: () => void;
}

/** The connections of this process, by the sessions that have begun them. */
export class Followers {
  readonly #bySession = new Map<string, Set<Follower>>();

  add(follower: Follower): void {
    const others = this.#bySession.get(follower.key);
    if (others === undefined) this.#bySession.set(follower.key, new Set([follower]));
    else others.add(follower);
  }

  delete(follower: Follower): void {
    const others = this.#bySession.get(follower.key);
    if (others?.delete(follower) === true && others.size === 0) this.#bySession.delete(follower.key);
  }

  /** Ends the connections of a session. */
  end(key: string): void {
    for (const follower of this.#bySession.get(key) ?? []) follower.end();
  }

  /** Ends the connections of an owner. The connections of one session stay. */
  endOwner(owner: string, except: string | null): void {
    const all = [...this.#bySession.values()].flatMap((followers) => [...followers]);
    for (const follower of all) if (follower.owner === owner && follower.key !== except) follower.end();
  }
}
