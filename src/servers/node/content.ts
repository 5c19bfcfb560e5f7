import { isBytes } from "../../http/javascript/any-realm.ts";
import { propertyOf, ownOf } from "../../http/javascript/property.ts";
import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { SharedContent } from "../../http/message/shared-content.ts";
import { ServerMessage } from "./server-message.ts";
import { hasLeft, isHttp2, reasonOf, type NodeRequest, type NodeResponse } from "./client-leave.ts";

/** Returns whether a message has content that a `Request` can hold: one with GET or HEAD cannot (Fetch §5.4). */
export function hasContent({ method, headers }: NodeRequest, response: NodeResponse): boolean {
  if (method === "GET" || method === "HEAD") return false;
  if (isHttp2(response)) return !response.stream.endAfterHeaders;
  if (Object.hasOwn(headers, "transfer-encoding")) return true;
  return Object.hasOwn(headers, "content-length") && Number(headers["content-length"]) > 0;
}

/**
 * Returns the content of a message as a stream. Nothing is read before the handler reads: unread content is Node's to
 * discard. By hand, because Readable.toWeb() of Node 20 throws outside of any handler when a client leaves, and because
 * iterating a message destroys its connection.
 */
export function contentOf(message: NodeRequest, response: NodeResponse): ReadableStream<Uint8Array> {
  let stop: (() => void) | null = null;
  const content = new SharedContent({
    pull() {
      stop ??= feed(message, response, {
        push(chunk) {
          message.pause();
          content.push(chunk);
        },
        close: () => content.close(),
        fail: (error) => content.fail(error),
      });
      message.resume();
    },
    cancel: () => stop?.(),
  });
  return content.open();
}

/**
 * Reads the content of a message at once; null if it is longer. Others may have the same buffer: who keeps the bytes
 * copies them. PERF: a stream takes 80 us, 3 times as long as all the rest of a request (`node bench/requests.js`, R2).
 */
export async function bytesOf(
  message: NodeRequest,
  response: NodeResponse,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  // Node tells of a request before it passes on the content that came with the head.
  await undefined;
  const whole = arrivedIn(message, response, maxBytes);
  if (whole === null) return gathered(message, response, maxBytes);
  // Node closes the connection after the answer if it does not know that the message has ended.
  const end = endOf(message);
  if (end !== null) await end;
  return whole;
}

/** Lets a message end whose content was taken, and Node go on to the next one. Null if it has ended. */
function endOf(message: NodeRequest): Promise<void> | null {
  if (message instanceof ServerMessage) return message.letEnd();
  message.resume();
  if (message.complete) return null;
  return new Promise((resolve) => {
    message.on("end", resolve);
    message.on("close", resolve);
  });
}

/**
 * Takes the content of a message if all of it is there, and nobody has begun to read it. Null if not.
 * PERF: no listener has to wait for it, nor for the end of either message, and nothing is copied: 3 to 4 us of 26
 * (`node bench/requests/kernel-less.js "fingerpost semantics" R2`).
 */
function arrivedIn(message: NodeRequest, response: NodeResponse, maxBytes: number): Uint8Array<ArrayBuffer> | null {
  if (isHttp2(response) || response.writableEnded || message.destroyed) return null;
  const { headers, readableLength: length } = message;
  if (length === 0 || length > maxBytes || headers["content-length"] !== String(length)) return null;
  // With a coding, the length is not what frames the content (RFC 9112 §6.3).
  if (headers["transfer-encoding"] !== undefined || headers.expect !== undefined) return null;
  if (message.readableFlowing !== null || message.readableDidRead || message.readableEncoding !== null) return null;
  return message.read() as Uint8Array<ArrayBuffer> | null;
}

/** Reads the content of a message as it comes; null if it is longer. */
function gathered(
  message: NodeRequest,
  response: NodeResponse,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  return new Promise((resolve, reject) => {
    const whole = new JoinedBytes(maxBytes);
    const stop = feed(message, response, {
      push(chunk) {
        if (!isBytes(chunk)) {
          reject(textForBytes());
          return queueMicrotask(() => stop());
        }
        if (whole.length + chunk.byteLength <= maxBytes) return whole.add(chunk);
        resolve(null);
        queueMicrotask(() => stop());
      },
      close: () => resolve(whole.bytes),
      fail: reject,
    });
    message.resume();
  });
}

/** Receives the content of a message. */
export type Sink = Pick<SharedContent, "push" | "close" | "fail">;

/** Where content is: still to come, or over, and why: a host has read it, and may have kept its bytes. */
type State = "coming" | "whole" | Uint8Array | "read" | "left" | "answered" | "stopped";

/** The state in which content is when somebody begins to read it. The order decides where several are true. */
function stateOf(message: NodeRequest, response: NodeResponse): State {
  if (response.writableEnded) return "answered";
  if (message.readableDidRead || message.readableEnded) {
    // Hosts of cloud functions keep the content that they have read.
    const raw = propertyOf(message as { rawBody?: unknown }, "rawBody");
    if (typeof raw === "string") return new TextEncoder().encode(raw);
    if (isBytes(raw)) return raw;
  }
  // HTTP/2 ends the message of a client that has left, as if it were whole, and does not destroy it.
  if (hasLeft(response) || (message.destroyed && !message.readableEnded)) return "left";
  // `readableEnded` alone does not say so: a message without content ends unread.
  if (message.readableDidRead) return "read";
  return message.readableEnded ? "whole" : "coming";
}

/** Hands content on until it is over, once. Returns a function that stops that. */
export function feed(message: NodeRequest, response: NodeResponse, content: Sink): () => void {
  let state: State = "coming";
  // Events may come when it is over.
  const push = (chunk: Uint8Array): void => {
    if (state === "coming") content.push(chunk);
  };
  const enter = (next: State): void => {
    if (state !== "coming" || next === "coming") return;
    state = next;
    message.off("data", push);
    conclude(state, message, response, content);
    // Unread content must not keep the next request of the connection waiting.
    message.resume();
  };
  // A stream of HTTP/2 that is closed while content comes in was reset: Node ends its message, too (RFC 9113 §8.1).
  const whole = (): void => enter(isHttp2(response) && response.stream.closed ? "left" : "whole");
  const left = (): void => enter("left");

  enter(stateOf(message, response));
  // What is over does nothing when it is called again, and `once()` would make two objects more for each.
  message.on("data", push);
  message.on("end", whole);
  message.on("error", left);
  message.on("close", left);
  // The stream of HTTP/2 says so only when the client is done, too, or has left.
  const sent = isHttp2(response) ? response.stream : response;
  sent.on("finish", () => enter(response.writableEnded ? "answered" : "left"));
  return () => enter("stopped");
}

/** Tells the reader how content ended. */
function conclude(state: Exclude<State, "coming">, message: NodeRequest, response: NodeResponse, content: Sink): void {
  if (typeof state !== "string") {
    if (state.byteLength > 0) content.push(state);
    return content.close();
  }
  switch (state) {
    case "whole":
      return content.close();
    case "read": {
      // The fault is the host's: the reader must not take it for the client's.
      const why = unreadable("it was read before listener(); call that first, or set rawBody to the bytes");
      return content.fail(new HTTPError(Status.InternalServerError, why));
    }
    case "left":
      // What Node says of HTTP/2 is true of every client that has left.
      if (isHttp2(response) || !message.complete) return content.fail(lossOf(message, response));
      // What a message has received can be read after the connection is closed, too.
      for (let part; (part = message.read() as Uint8Array | null) !== null;) content.push(part);
      return content.close();
    case "answered":
      return content.fail(new TypeError(unreadable("it was answered already")));
    case "stopped":
      return;
  }
}

/** A host that set an encoding gets text. It is not too long, and not the client's fault. */
export function textForBytes(): HTTPError {
  const why = unreadable("it is text, not bytes; do not call setEncoding() before listener()");
  return new HTTPError(Status.InternalServerError, why);
}

/** Makes the error for content of which the rest will not come. */
function lossOf(message: NodeRequest, response: NodeResponse): Error {
  const code = isHttp2(response) ? "" : codeOf(message);
  // Node has answered by the same status. The end of a connection within content is malformed, too, and means that the
  // client left.
  if (code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE")
    return new HTTPError(Status.BadRequest, unreadable("its chunks are malformed"));
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new HTTPError(Status.RequestTimeout, unreadable("it took longer than the server allows"));
  return new TypeError(unreadable("the client has left"), ownOf({ cause: reasonOf(response) }));
}

/** The code of the error by which a connection was closed. Hosts that imitate Node may have no connection. */
function codeOf(message: NodeRequest): string {
  const socket = propertyOf(message as { socket?: { errored?: { code?: unknown } | null } }, "socket");
  return String(socket?.errored?.code);
}

function unreadable(why: string): string {
  return `Cannot read the content of the request: ${why}`;
}
