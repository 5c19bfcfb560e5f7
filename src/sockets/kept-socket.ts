/**
 * A WebSocket of a Durable Object: its object may be evicted, and the socket stays.
 *
 * @experimental
 */
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
    const found = attachmentOf(socket);
    kept = isKept(found) ? found : null;
    known.set(socket, kept);
  }
  return kept;
}

function attachmentOf(socket: HibernatableSocket): unknown {
  try {
    return socket.deserializeAttachment();
  } catch {
    // What somebody else has attached must not keep a message from the other sockets.
    return null;
  }
}

/** The program may attach something else, and the version before may have kept less. */
function isKept(value: unknown): value is Kept {
  const { id, url, fields, topics, until } = Object(value) as Partial<Record<keyof Kept, unknown>>;
  const isDate = until === null || typeof until === "number";
  return (
    typeof id === "string" &&
    typeof url === "string" &&
    isDate &&
    isList(fields, (one) => isList(one, isText) && (one as unknown[]).length === 2) &&
    isList(topics, isText)
  );
}

function isList(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isMember);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
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

/** By a connection whose end is waited for. */
const ends = new WeakMap<HibernatableSocket, { readonly promise: Promise<void>; readonly resolve: () => void }>();

/** Fulfills when a connection is over. */
export function overOf(socket: HibernatableSocket): Promise<void> {
  let waited = ends.get(socket);
  if (waited === undefined) {
    let resolve!: () => void;
    const promise = new Promise<void>((over) => (resolve = over));
    ends.set(socket, (waited = { promise, resolve }));
  }
  return waited.promise;
}

export function tellOver(socket: HibernatableSocket): void {
  ends.get(socket)?.resolve();
}

const fieldsOfHandshakes = /^(?:connection|upgrade|sec-websocket-.+)$/;

/** Lists the fields of a handshake that another one with the same connection needs. */
export function fieldsToKeep(headers: Headers, protocol: string): [name: string, value: string][] {
  const fields = [...headers].filter(([name]) => !fieldsOfHandshakes.test(name));
  return protocol === "" ? fields : [...fields, [protocolField, protocol]];
}

const protocolField = "sec-websocket-protocol";

/** Returns the subprotocol that both sides agreed on; an empty string for none. */
export function protocolOf({ fields }: Kept): string {
  return fields.find(([name]) => name === protocolField)?.[1] ?? "";
}
