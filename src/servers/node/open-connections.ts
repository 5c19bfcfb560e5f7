import type { Socket } from "node:net";

/**
 * The connections of a server that are open, each with a record of it. None is kept for being here, and nothing has to
 * be told that one is over: each new one has two others looked at.
 * PERF: a listener for the end of each took 200 bytes of 2,800 that an idle connection took. Node adds one of its own
 * for each response, and a list of three listeners has room for nineteen (`node bench/requests/idle.js`).
 */
export class OpenConnections<Kept extends OpenConnection> {
  readonly #all = new Set<Kept>();
  #hand: IterableIterator<Kept> = this.#all.values();

  add(connection: Kept): void {
    this.#look();
    this.#look();
    this.#all.add(connection);
  }

  /** How many are remembered: no more than twice those that were open at once, and drops with each new one. */
  get size(): number {
    return this.#all.size;
  }

  *[Symbol.iterator](): Generator<[Socket, Kept], void, undefined> {
    for (const connection of this.#all) {
      const socket = connection.deref();
      if (socket !== undefined && !socket.closed) yield [socket, connection];
    }
  }

  #look(): void {
    const { value, done } = this.#hand.next();
    if (done === true) this.#hand = this.#all.values();
    // A stream of a program may not say whether it is closed.
    else if ((value.deref() ?? over).closed) this.#all.delete(value);
  }
}

const over = { closed: true };

/** A record of a connection, which does not keep it. */
export class OpenConnection extends WeakRef<Socket> {}
