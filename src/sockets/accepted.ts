import type { WireListener } from "./wire.ts";

/** A handshake that the application has accepted, and its server has not completed yet. */
export interface Accepted {
  readonly connection: WireListener;
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

/** Requests whose sender takes the handshake itself, whatever the runtime. */
const inMemory = new WeakSet<object>();

/** Lets a request wait for `takeAccepted()`, if it is accepted. */
export function keepInMemory(request: object): void {
  inMemory.add(request);
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
