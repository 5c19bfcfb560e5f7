import { originalOf } from "../dispatch/input-exchange.ts";
import type { ConnectionOptions } from "./connection.ts";
import type { StandardSocket } from "./standard-wire.ts";
import type { WireListener } from "./wire.ts";

/** A handshake that the application has accepted, and its server has not completed yet. */
export interface Accepted {
  readonly connection: WireListener;
  /** The end of the server, on a runtime that makes both. */
  readonly socket?: StandardSocket;
  /** The subprotocol; an empty string for none. */
  readonly protocol: string;
  /** The longest message that is taken, in bytes. */
  readonly maxBytes: number;
  /** Whether messages of the client are JSON, and whether those to it are: for clients in memory. */
  readonly receivesJson?: boolean;
  readonly sendsJson?: boolean;
}

/** By the request that came in: copies of a response lose what hangs on it. */
const accepted = new WeakMap<object, Accepted>();

/** Requests whose sender takes the handshake itself, whatever the runtime, and what it changes of the connection. */
const inMemory = new WeakMap<object, Sender>();

interface Sender {
  /** Changes the connection before it is made. */
  readonly change?: (options: ConnectionOptions) => ConnectionOptions;
  /** Whether the connection exists already, and the handshake is repeated. */
  readonly isRepeated?: boolean;
}

/** Lets a request wait for `takeAccepted()`, if it is accepted. */
export function keepInMemory(request: object, sender: Sender = {}): void {
  inMemory.set(request, sender);
}

/** Returns the options of a connection as the sender of its handshake wants them. */
export function changedFor(input: object, options: ConnectionOptions): ConnectionOptions {
  return inMemory.get(originalOf(input))?.change?.(options) ?? options;
}

/** Returns whether a handshake is the one of a connection that exists already. */
export function isRepeated(input: object): boolean {
  return inMemory.get(originalOf(input))?.isRepeated === true;
}

/** Returns whether a request waits for `takeAccepted()`. */
export function isInMemory(request: object): boolean {
  return inMemory.has(request);
}

/** Keeps a handshake for the server of its request. */
export function keepAccepted(request: object, handshake: Accepted): void {
  accepted.set(request, handshake);
}

/** Takes the handshake that was accepted for a request; `undefined` for none. */
export function takeAccepted(request: object): Accepted | undefined {
  const found = accepted.get(request);
  accepted.delete(request);
  return found;
}
