import { stoppingSignalFor } from "../dispatch/stopping-signal.ts";
import { preferredMediaType } from "../fields/accept.ts";
import { contentReaderOf, refuseCoded } from "../fields/carried-content.ts";
import { RequestFields, requestField } from "../fields/request-fields.ts";
import { essenceOf } from "../fields/media-type.ts";
import { AnySignal } from "../http/javascript/any-signal.ts";
import { isAsyncIterable } from "../http/javascript/async-iterable.ts";
import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { streamedValues } from "../http/message/streamed-values.ts";
import { readLines } from "../formats/lines/line-reader.ts";

const mediaTypes = ["application/jsonl", "application/x-ndjson"];

/** Options of `linesOf()`. */
export interface LinesOfOptions {
  /** Maximum size of the body in bytes. */
  readonly maxBytes: number;
  /** Maximum size of a line in bytes. Default: 64 KiB. */
  readonly maxLineBytes?: number | undefined;
}

/**
 * Reads the JSON lines of a request, value by value, while they come in.
 *
 * Lines end in LF or CRLF. Empty lines are left out. Nothing is read before it is asked for, and no more than one line
 * is held. If the loop ends early, the rest is not read.
 *
 * @param input the request, or the context of the polyfill module.
 * @throws {HTTPError} 415 when the content is another type, or has a `Content-Encoding`. 413 when it or a line is too
 * long, 400 when a line is not JSON. The message has the number of the line.
 * @throws {TypeError} when a limit is wrong.
 * @example
 * ```ts
 * import { linesOf } from "fingerpost/native/content";
 *
 * const headers = { "Content-Type": "application/jsonl" };
 * const request = new Request("http://localhost/", { method: "POST", headers, body: '{"id":1}\n{"id":2}\n' });
 *
 * const values: unknown[] = [];
 * for await (const value of linesOf(request, { maxBytes: 1_000_000 })) values.push(value);
 * console.log(values); // [ { id: 1 }, { id: 2 } ]
 * ```
 */
export async function* linesOf(input: object, options: LinesOfOptions): AsyncGenerator<unknown, void, undefined> {
  const check = new OptionCheck("linesOf", options, ["maxBytes", "maxLineBytes"]);
  const { maxBytes, maxLineBytes = 65_536 } = check.options;
  check.require(maxBytes !== undefined, "maxBytes", "given");
  check.count("maxBytes", "maxLineBytes");
  if (!mediaTypes.includes(essenceOf(requestField(input, "content-type") ?? "") ?? "")) {
    throw new HTTPError(Status.UnsupportedMediaType, "Expected application/jsonl", {
      headers: { Accept: mediaTypes.join(", ") },
    });
  }
  refuseCoded(new RequestFields(input));
  const source = contentReaderOf(input, maxBytes);
  if (source === null) return;
  for await (const { number, text } of readLines(source, maxLineBytes)) yield valueOf(text, number);
}

function valueOf(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No cause: the message of a SyntaxError quotes what was sent.
    throw new HTTPError(Status.BadRequest, `Line ${number} is not JSON`);
  }
}

/**
 * Answers a request with JSON lines, one for each value of an async iterable.
 *
 * Values are made only as fast as the client reads. The type is `application/jsonl`, or `application/x-ndjson` if the
 * client prefers it. When the client leaves, the signal aborts and the iterable ends: `finally` runs in a generator.
 * When the server stops, the signal aborts, and the iterable goes on for `graceMs` of the server.
 *
 * An error of the iterable breaks the response off, so that no client takes a part for all.
 *
 * @param open makes the values, such as an `async function*`. `HEAD` does not call it.
 * @throws {TypeError} when it is given no function.
 * @example
 * ```ts
 * import { lineStream } from "fingerpost/native/content";
 *
 * class Export extends Resource {
 *   paths = ["/export"] as const;
 *
 *   GET(request: Request): Response {
 *     return lineStream(request, async function* () {
 *       for (let id = 1; id <= 3; id++) yield { id };
 *     });
 *   }
 * }
 * ```
 */
export function lineStream(request: Request, open: (signal: AbortSignal) => AsyncIterable<unknown>): Response {
  if (typeof open !== "function") {
    throw new TypeError(
      "Cannot answer with lines: expected a function that makes values, such as async function* (signal) { … }, got " +
        `${described(open)}`,
    );
  }
  const accept = requestField(request, "accept");
  const type = (accept === null ? null : preferredMediaType(accept, mediaTypes)) ?? mediaTypes[0]!;
  const headers = { "content-type": type, "cache-control": "no-store", vary: "Accept", "x-accel-buffering": "no" };
  if (request.method === "HEAD") return new Response(null, { headers });
  const leaving = new AnySignal().follow(request.signal).follow(stoppingSignalFor(request));
  const values = { [Symbol.asyncIterator]: () => iterableOf(open(leaving.signal))[Symbol.asyncIterator]() };
  return new Response(streamedValues(values, lineOf, leaving), { headers });
}

function iterableOf(values: unknown): AsyncIterable<unknown> {
  if (isAsyncIterable(values)) return values;
  throw new TypeError(`Cannot send lines: expected an async iterable, got ${described(values)}`);
}

function lineOf(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text !== undefined) return `${text}\n`;
  throw new TypeError(`Cannot send a line: expected a value that JSON can write, got ${described(value)}`);
}
