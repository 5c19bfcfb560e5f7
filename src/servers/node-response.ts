import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { problemOf } from "../core/error-response.ts";
import { hasLeft, type NodeRequest, type NodeResponse } from "./node-message.ts";
import { sendStream } from "./node-stream.ts";

// The server frames messages itself (RFC 9112 §6); RFC 9113 §8.2.2 bars the fields of the connection.
const framing = new Set(["keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"]);
const connection = new Set(["connection", "upgrade"]);

// What describes the content that a failed handler was about to send, rather than the exchange.
const descriptive =
  "content-type content-length content-encoding content-language content-location content-range content-disposition " +
  "transfer-encoding trailer etag last-modified cache-control expires";

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: Content | null;
}

type Content = ReadableStream<Uint8Array> | Readable | string | Uint8Array;

/**
 * Writes a Web `Response` to Node's, with backpressure, and returns when all of it was handed over or the client has left.
 *
 * Fields that are already there stay, unless the response has them too; `Set-Cookie` and `Vary` add up.
 *
 * @throws {TypeError} when the content was read before; other errors are those of the content itself.
 */
export async function send(web: Response, request: NodeRequest, response: NodeResponse): Promise<void> {
  const answer = answerOf(web);
  const { body } = answer;
  if (response.headersSent || hasLeft(response)) return discard(body);
  if (body === null || request.method === "HEAD") {
    discard(body);
    setHead(answer, response);
    response.end();
  } else if (typeof body === "string" || body instanceof Uint8Array) {
    setHead(answer, response);
    response.end(body);
  } else if (body instanceof ReadableStream) {
    await sendStream(body, () => setHead(answer, response), response as ServerResponse);
  } else {
    setHead(answer, response);
    await pipeline(body, response as ServerResponse);
  }
}

const taken: unique symbol = Symbol("taken");

/** A light `Response` of srvx: it gives what it is made of without making a whole one, but gives it once. */
interface LightResponse {
  [taken]?: true;
  /** Headers are names and values by turns. */
  _toNodeResponse(): Omit<Answer, "headers" | "body"> & {
    readonly headers: readonly string[];
    readonly body?: Content;
  };
}

function answerOf(web: Response | LightResponse): Answer {
  if (!("_toNodeResponse" in web)) {
    if (web.bodyUsed || web.body?.locked === true) throw alreadyRead();
    return web;
  }
  if (web[taken] === true) throw alreadyRead();
  web[taken] = true;
  const { status, statusText, headers, body = null } = web._toNodeResponse();
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at]!, headers[at + 1]!]);
  return { status, statusText, headers: pairs, body };
}

function alreadyRead(): TypeError {
  return new TypeError("Cannot send the response: its content was read already");
}

function discard(body: Content | null): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  else if (typeof body === "object" && body !== null && "destroy" in body) body.destroy();
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
