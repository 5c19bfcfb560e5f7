import { Answer } from "../../http/answer/carried-answer.ts";
import { isBytes, isStream } from "../../http/javascript/any-realm.ts";
import { ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";
import { Readable } from "node:stream";
import { takerOf } from "../../http/message/lent-content.ts";
import { propertyOf, hasProperty } from "../../http/javascript/property.ts";
import { takeAnswer, type LightResponse, type WholeContent } from "../../http/message/light-response.ts";
import { isOfNode } from "./of-node.ts";
import { hasLeft, isHttp2, type NodeRequest, type NodeResponse } from "./client-leave.ts";
import { beginContent, cancelUnread, letGo, notAsAnnounced, sendContent } from "./stream.ts";
import { closeBehindUnread } from "./unread.ts";

/**
 * Writes a Web `Response` to Node's, with backpressure. Returns when all of it was handed over or the client has left:
 * at once for a light one, of which all content is there.
 *
 * Existing fields stay, except fields that the response has too. `Set-Cookie` and `Vary` add up.
 *
 * @throws {TypeError} when the content was read before. Other errors come from the content itself.
 */
export function send(web: Response, request: NodeRequest, response: NodeResponse): Promise<void> | undefined {
  const answer = (web as Partial<LightResponse>)[takeAnswer]?.();
  if (!answer) return sendForeign(web, request, response);
  if (!response.headersSent && !hasLeft(response)) sendWhole(answer, answer.content as WholeContent, request, response);
  return undefined;
}

/** Writes a `Response` of another class, or one that became whole. */
async function sendForeign(web: Response, request: NodeRequest, response: NodeResponse): Promise<void> {
  const foreign = web as Partial<ForeignResponse>;
  const isForeign = foreign._toNodeResponse !== undefined && hasProperty(foreign, "_toNodeResponse");
  const [answer, body] = isForeign
    ? taken(foreign as ForeignResponse)
    : [answerOf(web, [...web.headers].flat()), web.body];
  if (isStream(body) && (body.locked || Readable.isDisturbed(body as unknown as Readable))) throw alreadyRead();
  if (response.headersSent || hasLeft(response)) return discard(body);
  if (body === null || typeof body === "string" || isBytes(body)) return sendWhole(answer, body, request, response);
  if (request.method === "HEAD") {
    discard(body);
    return sendWhole(answer, null, request, response);
  }
  const begun = await beginContent(body);
  try {
    if (hasLeft(response)) return letGo(begun.reader, AbortSignal.abort().reason);
    if (begun.isAll) return sendWhole(answer, begun.first?.value ?? null, request, response);
    setHead(answer, undefined, begun.first?.value ?? "", request, response);
  } catch (error) {
    letGo(begun.reader);
    throw error;
  }
  await sendContent(begun, response as ServerResponse);
}

/** Writes head and content in one go. */
export function sendWhole(
  answer: Answer,
  content: string | Uint8Array | null,
  request: NodeRequest,
  response: NodeResponse,
): void {
  const { status } = answer;
  const { method } = request;
  const isBare = status === 204 || status === 304;
  const hasContent = method !== "HEAD" && !isBare;
  // RFC 9110 §9.3.6: a 2xx response to CONNECT has no length. §9.3.2: HEAD has the length of what it leaves out.
  const isUnknown = isBare || method === "CONNECT" || (content === null && !hasContent);
  const length = isUnknown ? null : Buffer.byteLength(content ?? "");
  setHead(answer, length, hasContent ? (content ?? "") : null, request, response);
  if (content === null || !hasContent) response.end();
  // PERF: what has a byte for each character is the same in Latin-1, which Node copies
  // (`node bench/requests/kernel-less.js`).
  else if (typeof content === "string" && length === content.length) response.end(content, "latin1");
  else if (typeof content === "string") response.end(encoded(content, answer, response));
  else {
    const takeBack = takerOf(content);
    if (takeBack === undefined || !isOfNode(response)) response.end(content);
    else response.end(content, () => takeBack(content));
  }
}

/**
 * Encodes a string for Node. If Node writes it in one piece with its head, it writes fields as UTF-8, too, but they are
 * Latin-1.
 */
function encoded(text: string, { reason, lines }: Answer, response: NodeResponse): string | Buffer {
  const isSame =
    !latin1.test(reason) &&
    !lines.some((field) => latin1.test(field)) &&
    response.getHeaderNames().every((name) => !latin1.test(String(response.getHeader(name))));
  return isSame ? text : Buffer.from(text);
}

const latin1 = /[\x80-\xff]/;

// The server frames messages itself (RFC 9112 §6); RFC 9113 §8.2.2 bars the fields of the connection.
const framing = new Set(["keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"]);
const connection = new Set(["connection", "upgrade", "http2-settings"]);

const { prototype } = ServerResponse;
const { setHeader, write, end } = prototype;
/**
 * Node's own function. Null where its other name, which Node 26 lacks, tells that somebody has replaced it before this
 * was loaded.
 */
const writeHead =
  (propertyOf(prototype as { writeHeader?: unknown }, "writeHeader") ?? prototype.writeHead) === prototype.writeHead
    ? prototype.writeHead
    : null;

/**
 * Sets status and fields. Writes them if all content is there, because then nothing can fail any more.
 * @param length the length of the content: null if it is unknown, undefined if not all content is there.
 * @param there the content that is there; null if none is sent.
 * @throws {TypeError} when its length differs from the length in the head.
 */
function setHead(
  { status, reason, lines }: Answer,
  length: number | null | undefined,
  there: string | Uint8Array | null,
  request: NodeRequest,
  response: NodeResponse,
): void {
  // RFC 9110 §15.2: an informational response is not an answer.
  if (status < 200 || status > 599) throw new RangeError(`Cannot send the response: its status is ${status}`);
  const isOverHttp2 = isHttp2(response);
  const kept: string[] = [];
  let announced: string | undefined;
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]!;
    const value = lines[at + 1]!;
    if (framing.has(name) || (isOverHttp2 && connection.has(name))) continue;
    // RFC 9110 §8.6: one number, and none with 204.
    if (name !== "content-length") kept.push(name, value);
    else if (status !== 204 && /^\d+$/.test(value)) announced = value;
  }
  if (announced !== undefined) kept.push("content-length", announced);
  if (there !== null) {
    // A value that a framework in front has set stays, if the answer does not set another.
    const promised = announced ?? response.getHeader("content-length");
    const left = promised === undefined ? 0 : Number(promised) - (length ?? Buffer.byteLength(there));
    if (length === undefined ? left < 0 : left !== 0) throw notAsAnnounced();
  }
  response.statusCode = status;
  // RFC 9113 §8.3.2: HTTP/2 has no reason phrase.
  if (isOverHttp2) return setFields(kept, response);
  response.statusMessage = reason;
  if (!request.complete) closeBehindUnread(request, response);
  // PERF: setting them one by one, which keeps existing fields, takes 0.5 to 1.3 us of 15 more
  // (`node bench/requests.js`). Whoever replaces one of these functions looks for fields that were set, or sets
  // others before the head is sent.
  const isAlone =
    length !== undefined &&
    response.getHeaderNames().length === 0 &&
    response.writeHead === writeHead &&
    response.setHeader === setHeader &&
    response.write === write &&
    response.end === end;
  // Content longer than announced would be taken for the next response. The length of all of it was compared here.
  // PERF: where Node compares it, too, the end is a chunk of its own: 0.3 us of 9 on Node 24
  // (`node bench/requests/kernel-less.js`).
  response.strictContentLength = !isAlone;
  // Node does not add a length to a head that is written before the content, or without any.
  const isAdded =
    announced === undefined &&
    typeof length === "number" &&
    (isAlone || (there === null && !response.hasHeader("content-length")));
  if (isAdded) kept.push("content-length", String(length));
  if (isAlone && (there === null || isAdded || announced !== undefined)) response.writeHead(status, kept);
  else setFields(kept, response);
}

/** Sets all fields. Sets none if Node would refuse one, such as a control character that `Headers` accepts. */
function setFields(fields: readonly string[], response: NodeResponse): void {
  for (let at = 0; at < fields.length; at += 2) {
    validateHeaderName(fields[at]!);
    validateHeaderValue(fields[at]!, fields[at + 1]!);
  }
  const own = new Set<string>();
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at]!;
    // A field that occurs twice is a list (RFC 9110 §5.3). Light responses do not join it.
    if (name === "set-cookie" || name === "vary" || own.has(name)) response.appendHeader(name, fields[at + 1]!);
    else response.setHeader(name, fields[at + 1]!);
    // RFC 9110 §8.6: a length is not a list.
    if (name !== "content-length") own.add(name);
  }
}

const isTaken: unique symbol = Symbol("isTaken");

/** A light `Response` of srvx. It returns its parts without making a whole response, but only once. */
interface ForeignResponse {
  [isTaken]?: true;
  _toNodeResponse(): {
    readonly status: number;
    readonly statusText: string;
    /** Names and values in turn. */
    readonly headers: readonly string[];
    readonly body?: SentBody;
  };
}

/** What a foreign response has as its content. */
type SentBody = ReadableStream<Uint8Array> | Readable | string | Uint8Array | null;

/**
 * Takes the parts to send. Refuses what the constructor of a whole `Response` would refuse.
 * @throws {TypeError} when it was taken before, or cannot be sent.
 */
function taken(light: ForeignResponse): [answer: Answer, body: SentBody] {
  if (light[isTaken] === true) throw alreadyRead();
  light[isTaken] = true;
  const made = light._toNodeResponse();
  const { status, statusText, headers } = made;
  const body = propertyOf(made, "body") ?? null;
  if (body !== null && (status === 204 || status === 205 || status === 304)) {
    discard(body);
    throw new TypeError(`Cannot send the response: a response with status ${status} has no content`);
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(statusText)) {
    throw new TypeError("Cannot send the response: its statusText holds characters that a reason phrase cannot");
  }
  return [answerOf(made, headers), body];
}

/** The head of a response, whose content is sent apart. */
function answerOf({ status, statusText }: Pick<Response, "status" | "statusText">, lines: readonly string[]): Answer {
  const answer = new Answer(status, lines, null);
  answer.reason = statusText;
  return answer;
}

function alreadyRead(): TypeError {
  return new TypeError("Cannot send the response: its content was read already");
}

/** Cancels content that nobody will read. */
function discard(body: SentBody): void {
  if (isStream(body) && body.locked) return;
  if (isStream(body) || body instanceof Readable) cancelUnread(body);
}
