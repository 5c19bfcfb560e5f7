import type { IncomingMessage, ServerResponse } from "node:http";
import { propertyOf } from "../../http/javascript/property.ts";
import { isLeftUnread } from "./content-chunks.ts";
import { isHttp2, leaveWhenReset, type NodeRequest, type NodeResponse } from "./client-leave.ts";

/** How long an answer has to arrive before the client's remaining content is cut off. */
const graceMs = 1000;
/** How much is received meanwhile. A client may send everything before it reads anything. */
const mostBytes = 1024 * 1024;

/**
 * Limits the content that a server receives after an answer. The rest of it is of no use (RFC 9112 §9.6, RFC 9113
 * §8.1).
 * @param mayReadOn whether handlers were given Node's own objects, and may read on after an answer that is not an
 * error.
 */
export function boundUnread(message: NodeRequest, response: NodeResponse, mayReadOn: boolean): void {
  if (isAwaitingContinue(message, response)) continueWhenRead(message, response);
  const isReadOn = (): boolean => mayReadOn && response.statusCode < 400 && isBeingRead(message);
  if (!isHttp2(response)) {
    // Before Node ends the connection, or passes it to the next request.
    response.on("prefinish", () => {
      if (!(message as IncomingMessage).complete && !isReadOn()) linger(message as IncomingMessage, response);
    });
    return;
  }
  leaveWhenReset(response);
  const { stream } = response;
  if (!stream.endAfterHeaders) {
    // Node closes a stream by itself in some cases only: not if its answer has no content, or if some content was read.
    stream.once("finish", () => {
      if (message.readableEnded || isReadOn()) return;
      const timer = setTimeout(() => stream.close(), graceMs).unref();
      stream.once("close", () => clearTimeout(timer));
    });
  }
}

/**
 * Marks the connection of an answer as closing if content under way is not read. The next request would wait for the
 * end of that content (RFC 9112 §9.3).
 */
export function closeBehindUnread(message: NodeRequest, response: ServerResponse): void {
  // A handler that has read some of it may have left the rest. If it still waits for the content, that resumes the
  // message.
  const isLeft = !isBeingRead(message) || message.isPaused() || isLeftUnread(message);
  if (isLeft && isUnderWay(message)) response.shouldKeepAlive = false;
}

/** Returns whether content is still to come. Node reports the end of a message some callbacks later than it could. */
function isUnderWay({ headers, readableLength }: NodeRequest): boolean {
  if (Object.hasOwn(headers, "transfer-encoding")) return true;
  return Object.hasOwn(headers, "content-length") && Number(headers["content-length"]) > readableLength;
}

function isBeingRead(message: NodeRequest): boolean {
  return message.listenerCount("data") + message.listenerCount("readable") > 0;
}

function isAwaitingContinue({ headers }: NodeRequest, response: NodeResponse): boolean {
  if (!Object.hasOwn(headers, "expect") || !/^100-continue$/i.test(headers.expect!)) return false;
  if (isHttp2(response)) return response.stream.sentInfoHeaders === undefined;
  // No public member shows it, and hosts that imitate Node have no such member.
  return propertyOf(response as { _sent100?: boolean }, "_sent100") === false;
}

/** Ends a connection after an answer, but not so soon that a reset would lose the answer (RFC 9112 §9.6). */
function linger(message: IncomingMessage, response: ServerResponse): void {
  const { socket } = message;
  // Node calls it at once for a connection that is to be closed.
  socket.destroySoon = () => socket.end();
  const timer = setTimeout(() => socket.destroy(), graceMs).unref();
  const stopTimer = (): void => clearTimeout(timer);
  let left = mostBytes;
  message.on("data", (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) message.pause();
  });
  message.once("end", () => {
    Reflect.deleteProperty(socket, "destroySoon");
    if (!response.shouldKeepAlive) return void socket.destroySoon();
    stopTimer();
    // The connection goes on, and may have many such requests.
    socket.off("close", stopTimer);
  });
  socket.once("close", stopTimer);
  message.resume();
}

/**
 * Asks a client that waits for it to send its content as soon as a handler reads it (RFC 9110 §10.1.1). Node does that
 * at once, except if a server has a listener for `checkContinue`.
 */
function continueWhenRead(message: NodeRequest, response: NodeResponse): void {
  const listen = (event: string | symbol): void => {
    if (event !== "data" && event !== "readable") return;
    message.off("newListener", listen);
    if (!response.headersSent) response.writeContinue();
  };
  message.on("newListener", listen);
}
