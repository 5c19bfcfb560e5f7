/** A WebSocket of a Durable Object: its object may be evicted, and the socket stays. */
export interface HibernatableSocket {
  /** The state of the connection, counted from 0: connecting, open, closing, closed. */
  readonly readyState: number;
  /** Sends a message. */
  send(data: string | Uint8Array): void;
  /** Closes the connection. */
  close(code?: number, reason?: string): void;
  /** Keeps a value with the socket. */
  serializeAttachment(value: unknown): void;
  /** Returns the value that was kept. */
  deserializeAttachment(): unknown;
}

/** The parts of a connection that stay while its object sleeps. */
export interface Kept {
  /** Names the connection, in this instance of its object and in those to come. */
  readonly id: string;
  /** The handshake: its URL, and the fields by which guards judge it. */
  readonly url: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly topics: readonly string[];
  /** The time from which nothing is sent or taken, in milliseconds; null for none. */
  readonly until: number | null;
}

/** Read once for each socket and instance: a message to a topic looks at all sockets of the object. */
const known = new WeakMap<HibernatableSocket, Kept | null>();

/** Returns what is kept with a socket; null for a connection that is over, or that somebody else accepted. */
export function keptWith(socket: HibernatableSocket): Kept | null {
  let kept = known.get(socket);
  if (kept === undefined) {
    const found = socket.deserializeAttachment() as Partial<Kept> | null;
    kept = Array.isArray(found?.fields) && Array.isArray(found.topics) ? (found as Kept) : null;
    known.set(socket, kept);
  }
  return kept;
}

/** Keeps something with a socket. The runtime throws when it is too long. */
export function keepWith(socket: HibernatableSocket, kept: Kept | null): void {
  socket.serializeAttachment(kept);
  known.set(socket, kept);
}

/** Returns whether the date of a connection has come. */
export function isOver({ until }: Pick<Kept, "until">): boolean {
  return until !== null && until <= Date.now();
}

/** Sends a close frame, if none was sent. */
export function end(socket: HibernatableSocket, code: number, reason: string): void {
  if (socket.readyState <= 1) socket.close(code, reason);
}

const fieldsOfHandshakes = /^(?:connection|upgrade|sec-websocket-.+)$/;

/** Lists the fields of a handshake that another one with the same connection needs. */
export function fieldsToKeep(headers: Headers, protocol: string): [name: string, value: string][] {
  const fields = [...headers].filter(([name]) => !fieldsOfHandshakes.test(name));
  return protocol === "" ? fields : [...fields, ["sec-websocket-protocol", protocol]];
}
