import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { hasProperty } from "../../http/javascript/property.ts";
import { longestTimerMs } from "../../http/javascript/option-check.ts";
import { OpenConnection, OpenConnections } from "./open-connections.ts";

/** The connections of a server, and the responses that are under way on each. */
export interface Connections {
  /** The responses of one connection: several if the client has not waited for the first. */
  responsesOn(socket: Socket): ServerResponse[];
  /**
   * Closes the server gracefully. It accepts no new connections and requests. Idle connections close at once, and the
   * others after their last response. Connections that were handed over close when their owner ends them. After the
   * grace period, all that are left are destroyed.
   */
  close(graceMs: number): void;
  /** Leaves the connection of a request to the listener for CONNECT or for an upgrade. */
  readonly take: Take;
}

type Take = (this: void, request: IncomingMessage, socket: Duplex) => void;

/**
 * Names the member of a socket that is what we know of it, and of each response on it. A message loses its socket when
 * it is destroyed by Node's own streams. PERF: each request asks twice, and a `WeakMap` takes 0.15 us of 8 more
 * (`node bench/requests/kernel-less.js "fingerpost semantics" R1`).
 */
const known: unique symbol = Symbol("known");

/** A connection, to a server of ours if something is known of it, or a response on it. */
type Known = object & { [known]?: Connection };

/** Signals that were asked for, by request. A single one would keep its listeners for as long as the server. */
const asked = new WeakMap<object, AbortController>();
/** Connections that were handed over, with the message that did it, or what stands for it. */
const taken = new WeakMap<Duplex, object>();
/** What ends by itself on a connection that was handed over. */
const leavings = new WeakMap<Duplex, Leaving>();

/** What is told that the server of its connection begins to close. */
interface Leaving {
  leave(): void;
}

export function isStopping(socket: Duplex): boolean {
  return (socket as Known)[known]?.closing.aborted === true;
}

/** Ends what speaks on a connection that was handed over when its server begins to close; at once if it has begun. */
export function tellLeaving(socket: Duplex, one: Leaving): void {
  if (isStopping(socket)) one.leave();
  else leavings.set(socket, one);
}

/** Puts something in the place of the message that handed a connection over, and takes memory for as long as it. */
export function replaceTaking(message: IncomingMessage, replacement: { readonly socket: Duplex }): void {
  const leaving = asked.get(message);
  if (leaving !== undefined) asked.set(replacement, leaving);
  taken.set(replacement.socket, replacement);
}

/** Returns the signal that aborts when the server of a request begins to close before its response is over. */
export function stoppingSignalOn(message: { readonly socket: Duplex }): AbortSignal {
  let leaving = asked.get(message);
  if (leaving === undefined) {
    asked.set(message, (leaving = new AbortController()));
    if (isStopping(message.socket)) leaving.abort();
  }
  return leaving.signal;
}

const take: Take = (request, socket) => void taken.set(socket, request);

/** Makes a server, which has no connections yet, answer requests until it closes. Keeps track of its connections. */
export function trackConnections(server: Server, answer: RequestListener): Connections {
  const open = new OpenConnections<Connection>();
  const stopping = new AbortController();
  const { signal } = stopping;

  const isSecure = hasProperty(server, "setSecureContext");
  const handshakes = isSecure ? trackHandshakes(server) : null;
  // A TLS connection is a separate one, once both sides agree.
  server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
    if (signal.aborted) return void socket.destroySoon();
    // A connection comes again when another protocol was not taken.
    if ((socket as Known)[known]?.closing === signal) return void taken.delete(socket);
    const connection = new Connection(socket, signal);
    (socket as Known)[known] = connection;
    open.add(connection);
  });
  trackUpgrades(server);
  const listen: RequestListener = (request, response) => {
    // RFC 9112 §9.6: nothing after the last response. Unread content would end it by a reset.
    if (signal.aborted) return void request.resume();
    const connection = (request.socket as Known)[known];
    if (connection !== undefined) {
      const { underWay } = connection;
      connection.underWay = underWay === null ? response : new Set(responsesOf(underWay)).add(response);
      (response as Known)[known] = connection;
      response.on("close", isOver);
    }
    answer(request, response);
  };
  server.on("request", listen);
  // If you have a listener of your own, it decides.
  if (server.listenerCount("checkContinue") === 0) server.on("checkContinue", listen);

  // One function for all: once() would make two more for each response.
  function isOver(this: ServerResponse): void {
    // A response has this listener only if its connection is known.
    const connection = (this as Known)[known]!;
    const { underWay } = connection;
    const isLast = underWay instanceof Set ? underWay.delete(this) && underWay.size === 0 : true;
    if (isLast) connection.underWay = null;
    const socket = signal.aborted ? connection.deref() : undefined;
    if (socket !== undefined && !taken.has(socket) && isLast) socket.destroySoon();
  }

  return {
    take,
    responsesOn: (socket) => responsesOf((socket as Known)[known]?.underWay ?? null),
    close(graceMs) {
      stopping.abort();
      // Node also treats connections as idle whose response has been ended but not yet sent. The rest of its `close()`
      // is needed: an interval would keep the server until the process ends.
      const { closeIdleConnections } = server;
      server.closeIdleConnections = () => {};
      server.close();
      server.closeIdleConnections = closeIdleConnections;
      handshakes?.close();
      const { closeAllConnections } = server;
      server.closeAllConnections = () => {
        closeAllConnections.call(server);
        // Node has handed over the connections of CONNECT and of other protocols, and no longer knows them.
        for (const [socket] of open) socket.destroy();
        handshakes?.destroyUnnamed();
      };
      for (const [socket, { underWay }] of open) {
        const responses = responsesOf(underWay);
        const last = responses.at(-1);
        // Tells the client by `Connection: close`, if the head is not sent yet. Node drops what comes after that.
        if (last !== undefined) last.shouldKeepAlive = false;
        else if (!taken.has(socket)) socket.destroySoon();
        for (const { req } of responses) asked.get(req)?.abort();
        asked.get(taken.get(socket)!)?.abort();
        leavings.get(socket)?.leave();
      }
      const timer = setTimeout(() => server.closeAllConnections(), Math.min(graceMs, longestTimerMs)).unref();
      server.once("close", () => clearTimeout(timer));
    },
  };
}

/** What is known of a connection, and its responses that are under way: null for none, and a set for several. */
class Connection extends OpenConnection {
  readonly closing: AbortSignal;
  underWay: ServerResponse | Set<ServerResponse> | null = null;

  constructor(socket: Socket, closing: AbortSignal) {
    super(socket);
    this.closing = closing;
  }
}

function responsesOf(underWay: Connection["underWay"]): ServerResponse[] {
  if (underWay === null) return [];
  return underWay instanceof Set ? [...underWay] : [underWay];
}

/** Keeps track of the connections that are handed over to listeners for an upgrade to another protocol. */
function trackUpgrades(server: Server): void {
  const listensTo = (event: string | symbol): boolean => event === "upgrade" && !server.listeners(event).includes(take);
  // Node hands over a connection only if somebody listens, and so do we.
  if (server.listenerCount("upgrade") > 0) server.prependListener("upgrade", take);
  server.on("newListener", (event, listener) => {
    if (listener !== take && listensTo(event)) server.prependListener("upgrade", take);
  });
  server.on("removeListener", (event) => {
    if (event === "upgrade" && server.listenerCount(event) === 1) server.off("upgrade", take);
  });
}

interface Handshakes {
  /** Closes the connections whose TLS handshake is not done yet. */
  close(): void;
  /** Destroys the connections without a name, whether their handshake is done or not. */
  destroyUnnamed(): void;
}

/**
 * Keeps track of the connections whose TLS handshake is not done yet. Node allows a client two minutes for that, and
 * `closeAllConnections()` does not know of these connections.
 */
function trackHandshakes(server: Server): Handshakes {
  const open = new Map<string, Socket>();
  const unnamed = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    const name = nameOf(socket);
    // Connections of a Unix socket have no name: later nothing shows which of them is the TLS one.
    if (name === null) {
      unnamed.add(socket);
      return void socket.once("close", () => unnamed.delete(socket));
    }
    open.set(name, socket);
    socket.once("close", () => open.delete(name));
  });
  // Another object, which does not show whose it is.
  server.on("secureConnection", (socket: Socket) => open.delete(nameOf(socket) ?? ""));
  return {
    close() {
      for (const socket of open.values()) socket.destroy();
    },
    destroyUnnamed() {
      for (const socket of unnamed) socket.destroy();
    },
  };
}

/** Returns a name that no two connections of a server have at once. Null if there are no ports. */
function nameOf({ remoteAddress, remotePort, localAddress }: Socket): string | null {
  return remotePort === undefined ? null : `${remoteAddress} ${remotePort} ${localAddress}`;
}
