import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** What Node passes for a request: the class of `node:http`, or the one of `node:http2` that imitates it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** What Node passes to write the response to. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Whether the client has left before its response was whole. */
export function hasLeft(response: NodeResponse): boolean {
  const { destroyed } = "stream" in response ? response.stream : response;
  // Closing is how normal completion looks, too.
  return destroyed && !response.writableEnded;
}

/** Calls a function when the client leaves before its response is whole, or at once if it has left. */
export function onLeaving(response: NodeResponse, act: () => void): void {
  if (hasLeft(response)) act();
  else response.once("close", () => response.writableEnded || act());
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
