import type { Answer } from "../../http/answer/carried-answer.ts";
import { validateHeaderValue, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addLeft, errorAnswer, print, type Problems } from "../../dispatch/error-response.ts";
import { hasLeft, isHttp2, type NodeRequest, type NodeResponse } from "./client-leave.ts";
import { sendWhole } from "./response-writing.ts";

/** The part of an application that shapes the responses made from errors. */
export interface Shaping {
  readonly problems?: Problems | null;
  match?(input: object, url: string): object;
  errorFieldsOf?(input: object): Iterable<[string, string]> | null;
}

/** Answers with an error, or, if an answer has begun, breaks it off so that it cannot be taken for a whole one. */
export function refuse(
  error: unknown,
  request: NodeRequest,
  response: NodeResponse,
  shaping: Shaping | null,
  input: object,
): void {
  if (response.writableEnded || hasLeft(response)) return;
  const shape = shaping?.problems ?? null;
  const left = response.headersSent ? null : shaping?.errorFieldsOf?.(input);
  const fields = [...(left ?? [])].filter(isSendable);
  // An error that makes no response is, like any unknown one, the server's fault.
  const attempts = shape === null ? [error, undefined] : [error, error, undefined];
  for (const [at, reason] of attempts.entries()) {
    try {
      if (response.headersSent) break;
      const answer = errorAnswer(reason, at === 0 ? shape : null, input);
      addLeft(answer.fields, fields);
      return sendError(answer, request, response);
    } catch (failure) {
      print(failure);
    }
  }
  if (isHttp2(response)) response.stream.close(2); // RFC 9113 §7: INTERNAL_ERROR
  // A response that waits for its turn has no connection yet; Node 24 and later would leave that open.
  else if (response.socket === null) response.once("socket", (socket: Socket) => socket.destroy());
  else breakOff(response);
}

/**
 * Returns whether Node sends a field that middleware left. One that it refuses must not take the others from the
 * answer.
 */
function isSendable([name, value]: [string, string]): boolean {
  try {
    validateHeaderValue(name, value);
    return true;
  } catch (fault) {
    print(fault);
    return false;
  }
}

// What describes the content that a failed handler was about to send, rather than the exchange.
const ofFailedContent =
  "content-type content-length content-encoding content-language content-location content-range content-disposition " +
  "content-digest content-md5 digest repr-digest accept-ranges transfer-encoding trailer etag last-modified expires";

/** Writes the response made from an error. Fields of the exchange that are already there stay. */
function sendError(answer: Answer, request: NodeRequest, response: NodeResponse): void {
  const content = answer.content as string | null;
  for (const name of ofFailedContent.split(" ")) response.removeHeader(name);
  // How long it would have been fresh is not said of an error; that nobody keeps anything is.
  if (!/\bno-store\b/i.test(String(response.getHeader("cache-control")))) response.removeHeader("cache-control");
  if (content !== null) answer.fields.set("content-length", String(Buffer.byteLength(content)));
  sendWhole(answer, content, request, response);
}

/**
 * RFC 9112 §8: content with neither chunks nor a length is whole when the connection ends, but for an error of that.
 */
function breakOff(response: ServerResponse): void {
  try {
    if (!response.chunkedEncoding && !response.hasHeader("content-length")) response.socket?.resetAndDestroy();
  } catch {
    // Only TCP can be reset. TLS ends without close_notify (RFC 9112 §9.8), a Unix socket as it always does.
  }
  response.destroy();
}
