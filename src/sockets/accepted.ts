import { originalOf } from "../dispatch/input-exchange.ts";
import type { ConnectionOptions } from "./connection.ts";
import type { BunSocket } from "./bun-wire.ts";
import type { StandardSocket } from "./standard-wire.ts";
import type { WireListener } from "./wire.ts";

/** A handshake that the application has accepted, and its server has not completed yet. */
export interface Accepted {
  readonly connection: WireListener;
  /** The end of the server, on a runtime that makes both. */
  readonly socket?: StandardSocket;
  readonly wires: Wires;
  /** The subprotocol; an empty string for none. */
  readonly protocol: string;
  /** The longest message that is taken, in bytes. */
  readonly maxBytes: number;
  /** Whether messages of the client are JSON, and whether those to it are: for clients in memory. */
  readonly receivesJson?: boolean;
  readonly sendsJson?: boolean;
}

/** How sockets of hosts are opened, and connections write to them: programs without WebSockets do not contain that. */
export interface Wires {
  /** Reports the events of a socket of the platform to a connection, which writes to it. */
  listenTo(socket: StandardSocket, connection: WireListener): void;
  openOnBun(socket: BunSocket, connection: WireListener): void;
  /** Completes a handshake by the server of Bun. Returns what the runtime is given for the 101, if anything. */
  completeOnBun(accepted: Accepted, request: Request, server: UpgradingServer, response: Response): Response | null;
  /** Completes a handshake by what Deno has for it, and returns the answer that the runtime is given. */
  completeOnDeno(accepted: Accepted, request: Request, upgrade: Upgrade, response: Response): Response;
}

/** The server of Bun that a handshake came by. */
export interface UpgradingServer {
  upgrade(request: Request, options: object): boolean;
}

/** Makes of the request of a handshake its socket, and the answer that the runtime is given. */
export type Upgrade = (
  request: Request,
  options: object,
) => { readonly socket: StandardSocket; readonly response: Response };

/** By the request that came in: copies of a response lose what hangs on it. */
const accepted = new WeakMap<object, Accepted>();

/** Requests whose sender takes the handshake itself, whatever the runtime, and what it changes of the connection. */
const inMemory = new WeakMap<object, Sender>();

export interface Sender {
  /** The handshake, once the application has accepted it. */
  accepted?: Accepted;
  readonly change?: (options: ConnectionOptions) => ConnectionOptions;
  /** Whether the connection exists already, and the handshake is repeated. */
  readonly isRepeated?: boolean;
}

/** Keeps the handshake of a request for its sender, so that no host gets it. */
export function keepInMemory(request: object, sender: Sender): void {
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

/** Keeps a handshake for the sender of its request, if that takes it, or else for the host. */
export function keepAccepted(request: object, handshake: Accepted): void {
  const sender = inMemory.get(request);
  if (sender === undefined) accepted.set(request, handshake);
  else sender.accepted = handshake;
}

/** The fields of an answer to a handshake, without fields of the protocol, which the server writes. */
export function ownFieldsOf({ headers }: Response): [name: string, value: string][] {
  return [...headers].filter(
    ([name]) => !/^(?:connection|content-.*|sec-websocket-.*|transfer-encoding|upgrade)$/.test(name),
  );
}

/** Takes the handshake that was accepted for a request of a host; `undefined` for none. */
export function takeAccepted(request: object): Accepted | undefined {
  const found = accepted.get(request);
  accepted.delete(request);
  return found;
}
