import { once } from "node:events";
import { validateHeaderName, validateHeaderValue, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { problemOf } from "../../dispatch/error-response.ts";
import { isLight, taken } from "./light-response.ts";
import { alreadyRead, answerOf, discard, type Answer } from "./answer.ts";
import { hasLeft, type NodeRequest, type NodeResponse } from "./message.ts";
import { openReader } from "./reader.ts";
import { counterOf, sendContent } from "./stream.ts";

// The server frames messages itself (RFC 9112 §6); RFC 9113 §8.2.2 bars the fields of the connection.
const framing = new Set(["keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"]);
const connection = new Set(["connection", "upgrade", "http2-settings"]);

// What describes the content that a failed handler was about to send, rather than the exchange.
const ofFailedContent =
  "content-type content-length content-encoding content-language content-location content-range content-disposition " +
  "content-digest content-md5 digest repr-digest accept-ranges transfer-encoding trailer etag last-modified expires";

/**
 * Writes a Web `Response` to Node's, with backpressure, and returns when all of it was handed over or the client has left.
 *
 * Fields that are already there stay, unless the response has them too; `Set-Cookie` and `Vary` add up.
 *
 * @throws {TypeError} when the content was read before; other errors are those of the content itself.
 */
export async function send(web: Response, request: NodeRequest, response: NodeResponse): Promise<void> {
  const answer = isLight(web) ? taken(web) : answerOf(web);
  const { body, fields } = answer;
  if (body instanceof ReadableStream && (body.locked || Readable.isDisturbed(body as unknown as Readable)))
    throw alreadyRead();
  if (response.headersSent || hasLeft(response)) return discard(answer);
  if (body === null || request.method === "HEAD") {
    discard(answer);
    setHead(answer, response, true);
    if (request.method !== "HEAD" && answer.status !== 304) counterOf(response)("", true);
    response.end();
  } else if (typeof body === "string" || body instanceof Uint8Array) {
    setHead(answer, response, true);
    counterOf(response)(body, true);
    response.end(typeof body === "string" ? behind(answer, body, response) : body);
  } else {
    const reader = openReader(body, fields);
    // A file that is not there can still be answered by an error.
    if ("pending" in body && body.pending === true) await once(body as Readable, "ready");
    await sendContent(reader, () => setHead(answer, response, false), response as ServerResponse);
  }
}

/** Writes the response made from an error (C7.3). Fields of the exchange that are already there stay (C5.7). */
export function sendProblem(error: unknown, request: NodeRequest, response: NodeResponse): void {
  const { status, statusText, headers, body } = problemOf(error);
  for (const name of ofFailedContent.split(" ")) response.removeHeader(name);
  // How long it would have been fresh is not said of an error; that nobody keeps anything is.
  if (!/\bno-store\b/i.test(String(response.getHeader("cache-control")))) response.removeHeader("cache-control");
  if (body !== null) headers.set("content-length", String(Buffer.byteLength(body)));
  const head = { status, statusText, fields: [...headers].flat() };
  setHead(head, response, true);
  if (body !== null && request.method !== "HEAD") response.end(behind(head, body, response));
  else response.end();
}

/** Text as Node has to get it: one that it writes in one piece with its head makes UTF-8 of fields, too, which are Latin-1. */
function behind({ statusText, fields }: Head, text: string, response: NodeResponse): string | Buffer {
  const isSame =
    isAscii(statusText) &&
    fields.every(isAscii) &&
    response.getHeaderNames().every((name) => isAscii(String(response.getHeader(name))));
  return isSame ? text : Buffer.from(text);
}

function isAscii(value: string): boolean {
  return !/[\x80-\xff]/.test(value);
}

type Head = Omit<Answer, "body">;

/** @param isWhole whether all content is there, so that the head may go out at once: nothing can fail any more. */
function setHead({ status, statusText, fields }: Head, response: NodeResponse, isWhole: boolean): void {
  // RFC 9110 §15.2: what is informational is no answer.
  if (status < 200 || status > 599) throw new RangeError(`Cannot send the response: its status is ${status}`);
  const isHttp2 = "stream" in response;
  const kept: string[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]!;
    const value = fields[at + 1]!;
    if (framing.has(name) || (isHttp2 && connection.has(name))) continue;
    // RFC 9110 §8.6: one number, and none with 204.
    if (name === "content-length" && (status === 204 || !/^\d+$/.test(value))) continue;
    kept.push(name, value);
  }
  response.statusCode = status;
  if (!isHttp2) {
    // RFC 9113 §8.3.2: HTTP/2 has no reason phrase.
    response.statusMessage = statusText;
    // Content longer than announced would be taken for the next response.
    response.strictContentLength = true;
    // PERF: 0.5 to 1.3 us less, in three runs, than to set them one by one, which keeps what is there (`bench/http`, fingerpost light).
    const head = isWhole && response.getHeaderNames().length === 0 ? headOf(kept) : null;
    if (head !== null) return void response.writeHead(status, head);
  }
  setFields(kept, response);
}

/**
 * Gives fields as an object, the form that whoever wraps `writeHead()` knows. Null if one is there twice, or if there is no
 * length, which Node adds only to a head that it writes by itself.
 */
function headOf(fields: readonly string[]): Record<string, string> | null {
  const head: Record<string, string> = {};
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]!;
    if (name in head) return null;
    head[name] = fields[at + 1]!;
  }
  return "content-length" in head ? head : null;
}

/** Sets all fields or, if there is one that Node does not send, such as a control character that `Headers` takes, none. */
function setFields(fields: readonly string[], response: NodeResponse): void {
  for (let at = 0; at < fields.length; at += 2) {
    validateHeaderName(fields[at]!);
    validateHeaderValue(fields[at]!, fields[at + 1]!);
  }
  const own = new Set<string>();
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]!;
    // One that is there twice is a list (RFC 9110 §5.3); light responses do not join them.
    if (name === "set-cookie" || name === "vary" || own.has(name)) response.appendHeader(name, fields[at + 1]!);
    else response.setHeader(name, fields[at + 1]!);
    // RFC 9110 §8.6: a length is no list.
    if (name !== "content-length") own.add(name);
  }
}
