import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";

/** What Node passes for a request: the class of `node:http`, or the one of `node:http2` that imitates it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** What Node passes to write the response to. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Whether the client has left before its response was whole. */
export function hasLeft(response: NodeResponse): boolean {
  const { destroyed } = "stream" in response ? response.stream : response;
  // Closing is how normal completion looks, too.
  return (destroyed || waitedFor(response)?.destroyed === true) && !response.writableEnded;
}

/** Calls a function when the client leaves before its response is whole, or at once if it has left. */
export function onLeaving(response: NodeResponse, act: () => void): void {
  if (hasLeft(response)) return act();
  response.once("close", () => response.writableEnded || act());
  const socket = waitedFor(response);
  if (socket === null) return;
  const responses = waitingFor(socket).add(response);
  response.once("close", () => responses.delete(response));
}

/** The connection that a response waits for, where the client asked for something else before; null if it has one. */
function waitedFor(response: NodeResponse): Socket | null {
  return "stream" in response || response.socket !== null ? null : response.req.socket;
}

const waiting = new WeakMap<Socket, Set<NodeResponse>>();

/**
 * The responses to tell that the client has left: Node 20 and 22 let only the one know that has the connection.
 *
 * One listener for all of them, or clients that wait for no answer would have Node warn of too many.
 */
function waitingFor(socket: Socket): Set<NodeResponse> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const responses = new Set<NodeResponse>();
  waiting.set(socket, responses);
  socket.once("close", () => {
    for (const response of responses) if (waitedFor(response) !== null) response.emit("close");
  });
  return responses;
}

/** A signal that aborts when the client leaves. */
export function signalOf(response: NodeResponse): AbortSignal {
  const gone = new AbortController();
  onLeaving(response, () => gone.abort());
  return gone.signal;
}

/** The header fields of a message, as they were sent. */
export function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // RFC 9113 §8.3: pseudo fields are no fields.
    if (!name.startsWith(":")) headers.append(name, rawHeaders[i + 1] as string);
  }
  return headers;
}
