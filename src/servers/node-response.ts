import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { problemOf } from "../core/error-response.ts";
import { alreadyRead, discard, isLight, taken, type Answer } from "./light-response.ts";
import { hasLeft, type NodeRequest, type NodeResponse } from "./node-message.ts";
import { readerOf, sendContent } from "./node-stream.ts";

// The server frames messages itself (RFC 9112 §6); RFC 9113 §8.2.2 bars the fields of the connection.
const framing = new Set(["keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"]);
const connection = new Set(["connection", "upgrade"]);

// What describes the content that a failed handler was about to send, rather than the exchange.
const descriptive =
  "content-type content-length content-encoding content-language content-location content-range content-disposition " +
  "transfer-encoding trailer etag last-modified cache-control expires";

/**
 * Writes a Web `Response` to Node's, with backpressure, and returns when all of it was handed over or the client has left.
 *
 * Fields that are already there stay, unless the response has them too; `Set-Cookie` and `Vary` add up.
 *
 * @throws {TypeError} when the content was read before; other errors are those of the content itself.
 */
export async function send(web: Response, request: NodeRequest, response: NodeResponse): Promise<void> {
  const answer = isLight(web) ? taken(web) : web;
  const { body } = answer;
  if (body instanceof ReadableStream && (body.locked || Readable.isDisturbed(body as unknown as Readable)))
    throw alreadyRead();
  if (response.headersSent || hasLeft(response)) return discard(body);
  const head = (): void => setHead(answer, response);
  if (body === null || request.method === "HEAD") {
    discard(body);
    head();
    response.end();
  } else if (typeof body === "string" || body instanceof Uint8Array) {
    head();
    response.end(body);
  } else {
    const reader = body instanceof ReadableStream ? body.getReader() : readerOf(body);
    // A file that is not there can still be answered by an error.
    if ("pending" in body && body.pending === true) await once(body as Readable, "ready");
    await sendContent(reader, head, response as ServerResponse);
  }
}

/** Writes the response made from an error (C7.3). Fields of the exchange that are already there stay (C5.7). */
export function sendProblem(error: unknown, request: NodeRequest, response: NodeResponse): void {
  const { status, statusText, headers, body } = problemOf(error);
  for (const name of descriptive.split(" ")) response.removeHeader(name);
  if (body !== null) headers.set("content-length", String(Buffer.byteLength(body)));
  setHead({ status, statusText, headers }, response);
  if (body !== null && request.method !== "HEAD") response.end(body);
  else response.end();
}

function setHead({ status, statusText, headers }: Omit<Answer, "body">, response: NodeResponse): void {
  // RFC 9110 §15.2: what is informational is no answer.
  if (status < 200 || status > 599) throw new RangeError(`Cannot send the response: its status is ${status}`);
  const isHttp2 = "stream" in response;
  for (const [name, value] of headers) {
    if (framing.has(name) || (isHttp2 && connection.has(name))) continue;
    // RFC 9110 §8.6: one number, and none with 204.
    if (name === "content-length" && (status === 204 || !/^\d+$/.test(value))) continue;
    if (name === "set-cookie" || name === "vary") response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  response.statusCode = status;
  // RFC 9113 §8.3.2: HTTP/2 has no reason phrase.
  if (isHttp2) return;
  response.statusMessage = statusText;
  // Content longer than announced would be taken for the next response.
  response.strictContentLength = true;
}
