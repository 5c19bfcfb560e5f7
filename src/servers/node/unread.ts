import type { IncomingMessage, ServerResponse } from "node:http";
import { given } from "../../http/given.ts";
import { isHttp2, type NodeRequest, type NodeResponse } from "./leaving.ts";

/** How long an answer has to arrive before what its client still sends is cut off. */
const graceMs = 1000;
/** How much is received meanwhile: a client may send all before it reads anything. */
const mostBytes = 1024 * 1024;

/**
 * Has a server receive no content without end behind an answer: what its client would still send is of no use (RFC 9112 §9.6, RFC
 * 9113 §8.1).
 *
 * @param mayReadOn whether handlers were given Node's own objects, and may read on behind an answer that is no error.
 */
export function boundUnread(message: NodeRequest, response: NodeResponse, mayReadOn: boolean): void {
  if (isAwaitingContinue(message, response)) continueWhenRead(message, response);
  const isReadOn = (): boolean => mayReadOn && response.statusCode < 400 && isBeingRead(message);
  if (!isHttp2(response)) {
    // Before Node ends the connection, or gives it to the next request.
    response.once("prefinish", () => {
      if (!(message as IncomingMessage).complete && !isReadOn()) linger(message as IncomingMessage, response);
    });
  } else if (!response.stream.endAfterHeaders) {
    const { stream } = response;
    // Node closes a stream by itself in some cases only: not where its answer has no content, or where some was read.
    stream.once("finish", () => {
      if (message.readableEnded || isReadOn()) return;
      const timer = setTimeout(() => stream.close(), graceMs).unref();
      stream.once("close", () => clearTimeout(timer));
    });
  }
}

/**
 * Has an answer say that its connection closes, where content under way is not read: what follows it would wait for the end of
 * that (RFC 9112 §9.3).
 */
export function closeBehindUnread(message: NodeRequest, response: ServerResponse): void {
  // A handler that has read some of it may have left the rest, and what it waits for resumes the message.
  if (isUnderWay(message) && (!isBeingRead(message) || message.isPaused())) response.shouldKeepAlive = false;
}

/** Whether not all content has come: Node says so of a message only some callbacks later than it could. */
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
  // Nothing that is public tells; hosts that imitate Node have no such member.
  return given(response as { _sent100?: boolean }, "_sent100") === false;
}

/** Ends a connection behind an answer, but not so soon that a reset would take the answer with it (RFC 9112 §9.6). */
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
 * Has a client that waits for it send its content as soon as somebody reads that (RFC 9110 §10.1.1). Node has it send all at once,
 * unless a server has a listener for `checkContinue`.
 */
function continueWhenRead(message: NodeRequest, response: NodeResponse): void {
  const listen = (event: string | symbol): void => {
    if (event !== "data" && event !== "readable") return;
    message.off("newListener", listen);
    if (!response.headersSent) response.writeContinue();
  };
  message.on("newListener", listen);
}
