import type { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { problemOf } from "../core/error-response.ts";
import type { NodeRequest, NodeResponse } from "./node-request.ts";

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
 * @param gone aborts when the client leaves.
 * @throws {TypeError} when the content was read before; other errors are those of the content itself.
 */
export async function send(
  { status, statusText, headers, body, bodyUsed }: Response,
  request: NodeRequest,
  response: NodeResponse,
  gone: AbortSignal,
): Promise<void> {
  if (bodyUsed || body?.locked === true) throw new TypeError("Cannot send the response: its content was read already");
  if (response.headersSent || gone.aborted) return discard(body);
  if (body === null || request.method === "HEAD") {
    discard(body);
    setHead(status, statusText, headers, response);
    response.end();
    return;
  }
  const head = (): void => setHead(status, statusText, headers, response);
  await stream(body.getReader(), head, response as ServerResponse, gone);
}

/** Writes the response made from an error (C7.3). Fields of the exchange that are already there stay (C5.7). */
export function sendProblem(error: unknown, request: NodeRequest, response: NodeResponse): void {
  const { status, statusText, headers, body } = problemOf(error);
  for (const name of descriptive.split(" ")) response.removeHeader(name);
  if (body !== null) headers.set("content-length", String(Buffer.byteLength(body)));
  setHead(status, statusText, headers, response);
  if (body !== null && request.method !== "HEAD") response.end(body);
  else response.end();
}

function setHead(status: number, statusText: string, headers: Headers, response: NodeResponse): void {
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

async function stream(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  head: () => void,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  gone.addEventListener("abort", () => void reader.cancel(gone.reason).catch(() => {}));
  let read = reader.read();
  const first = await atOnce(read);
  if (gone.aborted) return;
  // Not earlier: content that fails at its beginning can still be answered by an error.
  head();
  if (first === undefined) {
    response.flushHeaders();
  } else if (!first.done) {
    read = reader.read();
    // PERF: content that is there at once goes out in one piece, and Node counts its length.
    if ((await atOnce(read))?.done === true) return void response.end(first.value);
    await write(first.value, response, gone);
  }
  for (;;) {
    const { done, value } = await read;
    if (gone.aborted) return;
    if (done) return void response.end();
    await write(value, response, gone);
    read = reader.read();
  }
}

async function write(chunk: Uint8Array, response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (!gone.aborted && !response.write(chunk)) await drained(response);
}

function drained(response: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const resume = (): void => {
      response.off("drain", resume).off("close", resume);
      resolve();
    };
    response.on("drain", resume).on("close", resume);
  });
}

/** What a promise fulfills with, or undefined if it takes longer than what is under way already. */
function atOnce<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, new Promise<undefined>((resolve) => setImmediate(resolve, undefined))]);
}

function discard(body: ReadableStream<Uint8Array> | null): void {
  body?.cancel().catch(() => {});
}
