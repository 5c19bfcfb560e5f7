import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** What Node passes for a request: the class of `node:http`, or the one of `node:http2` that imitates it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** What Node passes to write the response to. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** What a handler gets for a request that the constructor of `Request` refuses, such as TRACE or the target `*`. */
export interface RequestLike {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: null;
  readonly signal: AbortSignal;
}

/**
 * Makes a Web `Request` from Node's, so that method and path are those of the request line, whatever the Host field says.
 *
 * CONNECT, TRACE, TRACK, tokens whose case `Request` would change, and targets without a path make a {@link RequestLike}
 * with the method, and the target if it is no URL, as they were sent.
 *
 * @param signal aborts when the client leaves.
 */
export function requestOf(message: NodeRequest, response: NodeResponse, signal: AbortSignal): Request | RequestLike {
  const { method = "", url: target = "" } = message;
  const headers = headersOf(message);
  const url = urlOf(message, target);
  if (url === null || !/^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z-]+$/.test(method)) {
    return { url: url ?? target, method, headers, body: null, signal };
  }
  const body = method === "GET" || method === "HEAD" || !hasBody(message) ? null : bodyOf(message, response);
  // `duplex` is required with a stream, and unknown to the DOM's types.
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // RFC 9113 §8.3: pseudo fields are no fields.
    if (!name.startsWith(":")) headers.append(name, rawHeaders[i + 1] as string);
  }
  return headers;
}

/** The URL that the client meant, or null if the target has no path. */
function urlOf({ headers, socket }: NodeRequest, target: string): string | null {
  if (target.startsWith("/")) {
    const scheme = "encrypted" in socket && socket.encrypted === true ? "https" : "http";
    const origin = `${scheme}://${headers[":authority"] ?? headers.host ?? ""}`;
    return (isOrigin(origin) ? origin : `${scheme}://localhost`) + target;
  }
  // RFC 9112 §3.2.2: absolute-form, which a server must accept. A `Request` holds no credentials.
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const url = new URL(target);
  url.username = url.password = "";
  return url.href;
}

// Nothing that could end the authority: whatever follows is the path.
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^\s/\\?#@]+$/.test(text) && URL.canParse(text);
}

function hasBody(message: NodeRequest): boolean {
  if ("stream" in message) return !message.stream.endAfterHeaders;
  return "transfer-encoding" in message.headers || Number(message.headers["content-length"]) > 0;
}

// By hand, because Readable.toWeb() of Node 20 throws outside of any handler when a client leaves, and because iterating a
// message destroys its connection. Nothing is read before the handler reads: unread content is Node's to discard.
function bodyOf(message: NodeRequest, response: NodeResponse): ReadableStream<Uint8Array> {
  let stop: (() => void) | null = null;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        stop ??= feed(message, response, controller);
        message.resume();
      },
      cancel: () => stop?.(),
    },
    { highWaterMark: 0 },
  );
}

function feed(
  message: NodeRequest,
  response: NodeResponse,
  controller: ReadableStreamDefaultController<Uint8Array>,
): () => void {
  const enqueue = (chunk: Uint8Array): void => {
    message.pause();
    controller.enqueue(chunk);
  };
  let isOpen = true;
  const settle = (conclude: () => void) => (): void => {
    if (!isOpen) return;
    isOpen = false;
    message.off("data", enqueue);
    conclude();
    // What is left must not keep the next request of the connection waiting.
    message.resume();
  };
  const fail = (why: string): (() => void) =>
    settle(() => controller.error(new TypeError(`Cannot read the content of the request: ${why}`)));

  const answered = fail("it was answered already");
  const left = fail("the client has left");
  if (response.writableEnded) answered();
  else if (message.readableEnded) settle(() => controller.close())();
  else if (message.destroyed) left();
  message.on("data", enqueue);
  message.once(
    "end",
    settle(() => controller.close()),
  );
  message.once("error", left);
  message.once("close", left);
  response.once("finish", answered);
  return settle(() => {});
}
