import { ServerResponse, type IncomingMessage } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import { propertyOf, hasProperty } from "../../http/javascript/property.ts";

/** What Node passes for a request: the class of `node:http`, or the one of `node:http2` that imitates it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** What Node passes to write the response to. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Returns whether a response goes out over HTTP/2, where the stream and not the connection is what a client leaves. */
export function isHttp2(response: NodeResponse): response is Http2ServerResponse {
  return !(response instanceof ServerResponse) && hasProperty(response, "stream");
}

export function hasLeft(response: NodeResponse): boolean {
  // Closing is how normal completion looks, too.
  if (response.writableEnded) return false;
  if (isHttp2(response)) return response.stream.destroyed;
  return response.destroyed || (response.socket === null && waitedFor(response)?.destroyed === true);
}

/**
 * Ends a stream of HTTP/2 that the client resets with NO_ERROR (RFC 9113 §8.1). Node does so after other codes. After
 * this one it would wait until the client has taken the rest of the answer, and end the content as if it were whole.
 * Where an answer was ended before, the end of the client's content shows it: Node lets it come after the reset.
 */
export function leaveWhenReset({ stream }: Http2ServerResponse): void {
  stream.once("aborted", () => void (stream.rstCode === 0 && stream.destroy()));
  stream.once("end", () => {
    // A stream that the server has closed may still send what is left. Its session knows it then.
    if (stream.closed) setImmediate(() => stream.state.state === unknownState && stream.destroy());
  });
}

/** What Node says of a stream that its session does not know: "idle". */
const unknownState = 1;

/**
 * Calls a function when the client leaves before its response is whole, or at once if it has left. Returns a function
 * that revokes that.
 */
export function onLeaving(response: NodeResponse, act: () => void): () => void {
  // A response that has ended waits for nothing any more, and a connection that is kept would hold it.
  if (response.writableEnded) return () => {};
  if (!hasLeft(response)) return onClose(response, () => response.writableEnded || act());
  act();
  return () => {};
}

/**
 * Calls a function once when a response is over, for whatever reason. Returns a function that revokes that. Of
 * responses that wait for their turn, Node 20 and 22 tell nothing when the client leaves: its connection does.
 */
export function onClose(response: NodeResponse, act: () => void): () => void {
  const socket = waitedFor(response);
  const waiting = socket === null ? null : waitingFor(socket);
  const forget = (): void => {
    response.off("close", tell);
    waiting?.delete(tell);
  };
  const tell = (): void => {
    forget();
    act();
  };
  response.on("close", tell);
  waiting?.add(tell);
  return forget;
}

export function signalOf(response: NodeResponse): AbortSignal {
  const gone = new AbortController();
  onLeaving(response, () => gone.abort(reasonOf(response)));
  return gone.signal;
}

/** The signal of a request whose connection belongs to a WebSocket: it aborts when that is over. */
export function signalOfSocket(socket: Socket): AbortSignal {
  const gone = new AbortController();
  if (socket.destroyed) gone.abort();
  else socket.once("close", () => gone.abort());
  return gone.signal;
}

const reasons = new WeakMap<NodeResponse, unknown>();

/** The reason of each signal that aborts when the client leaves: the cause of what fails then, by which it is known. */
export function reasonOf(response: NodeResponse): unknown {
  if (!reasons.has(response)) reasons.set(response, AbortSignal.abort().reason);
  return reasons.get(response);
}

/** The connection that a response waits for, where the client asked for something else before; null if it has one. */
function waitedFor(response: NodeResponse): Socket | null {
  if (isHttp2(response) || response.socket !== null) return null;
  // Hosts that imitate Node may leave it out.
  return (propertyOf(response, "req") as IncomingMessage | undefined)?.socket ?? null;
}

const waitingOn = new WeakMap<Socket, Set<() => void>>();

/** What to call when a connection closes: one listener for all, or Node would warn of too many. */
function waitingFor(socket: Socket): Set<() => void> {
  const known = waitingOn.get(socket);
  if (known !== undefined) return known;
  const waiting = new Set<() => void>();
  waitingOn.set(socket, waiting);
  socket.once("close", () => {
    for (const tell of waiting) tell();
  });
  return waiting;
}
