import { isSink, type Sink, type StoredFile } from "../../formats/multipart/sink.ts";
import { formatContentDisposition } from "../../fields/content-disposition.ts";
import { described } from "../../http/javascript/described.ts";
import type { AnySignal } from "../../http/javascript/any-signal.ts";
import type { Bytes } from "../../http/javascript/bytes.ts";
import { OptionCheck } from "../../http/javascript/option-check.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { streamedValues } from "../../http/message/streamed-values.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { EventsContent } from "./events-content.ts";
import type { FormContent } from "./form-content.ts";
import type { LinesContent } from "./lines-content.ts";
import { openedBy, type Opening } from "./opened-values.ts";
import { sentBytes, sentText, sentWritten, type SentBytes, type SentContent } from "./content-sending.ts";

/**
 * Content that no single schema describes: what `bytes()`, `text()`, `written()`, `events()`, `form()` and `lines()`
 * return.
 */
export type RawContent =
  | BytesContent
  | TextContent
  | WrittenContent<never>
  | EventsContent<StandardSchema>
  | FormContent
  | LinesContent;

/** Raw content that an answer may have. */
export type GivenContent = Exclude<RawContent, FormContent>;

/** Distinguishes raw kinds from schemas, and from maps of either. */
export function isRawContent(value: unknown): value is RawContent {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "kind")) return false;
  const { kind } = value as RawContent;
  return rawKinds.has(kind);
}

const rawKinds: ReadonlySet<unknown> = new Set(["bytes", "text", "written", "events", "form", "lines"]);

/** Bytes of a media type. */
export interface BytesContent<Type extends string = string, Taken = unknown> {
  /** Distinguishes the kinds. */
  readonly kind: "bytes";
  /** The media type, or a range of them. */
  readonly type: Type;
  /** Maximum size of a request body in bytes. */
  readonly maxBytes?: number | undefined;
  /** Whether a handler reads it while it comes in. */
  readonly isStream?: boolean | undefined;
  /** The sink that stores it while it comes in. */
  readonly sink?: Sink | undefined;
  /** Whether what came is stored, too, where the client leaves. */
  readonly isKept?: boolean | undefined;
  /** The type of what a handler gets. It does not exist at run time. */
  readonly taken?: Taken | undefined;
  /** The value of `Content-Disposition`. */
  readonly disposition?: string | undefined;
  /** Makes the stream of the pieces that a handler returned. */
  readonly pieces: PiecesWriter;
  /** Asks an async iterable of pieces for the first one, which decides the status. */
  readonly open: Opening;
  /** How what a handler returned is sent. */
  readonly sending: SentBytes;
}

/** The content of a request that a sink has stored. */
export interface StoredContent extends Omit<StoredFile, "fileName"> {
  /** Whether the client left before all of it came. Only with `partial: "keep"`. */
  readonly isPartial?: boolean | undefined;
}

/** Text of a media type. */
export interface TextContent<Type extends string = string> {
  /** Distinguishes the kinds. */
  readonly kind: "text";
  /** The media type. */
  readonly type: Type;
  /** Maximum size of a request body in bytes. */
  readonly maxBytes?: number | undefined;
  /** The value of `Content-Disposition`. */
  readonly disposition?: string | undefined;
  /** Makes the stream of the pieces that a handler returned. */
  readonly pieces: PiecesWriter;
  /** Asks an async iterable of pieces for the first one, which decides the status. */
  readonly open: Opening;
  /** How what a handler returned is sent. */
  readonly sending: SentContent;
}

/** A value that a function writes as text of a media type. */
export interface WrittenContent<Value, Type extends string = string> {
  /** Distinguishes the kinds. */
  readonly kind: "written";
  /** The media type. */
  readonly type: Type;
  /** Writes the value that the handler returned. */
  readonly write: (value: Value) => string;
  /** The value of `Content-Disposition`. */
  readonly disposition?: string | undefined;
  /** How what a handler returned is sent. */
  readonly sending: SentContent;
}

/** Returns whether content is read while it comes in, and not before. */
export function isTakenLater(raw: RawContent): boolean {
  return "read" in raw || "isStream" in raw || "sink" in raw;
}

/**
 * Makes a stream of pieces of text or bytes. Part of the declaration, so that a bundle without them leaves it out.
 */
type PiecesWriter = (pieces: AsyncIterable<unknown>, leaving: AnySignal) => ReadableStream<Uint8Array>;

/**
 * The media type that was given: what is expected of the result, such as by `satisfies Operation`, does not widen it.
 */
type Given<Type, Default> = { 0: Type & string; 1: Default }[Type extends string ? 0 : 1];

/** Options of `written()`. */
export interface WrittenOptions {
  /** Makes browsers save the answer, under a name if one is given. Default: they show it. */
  readonly download?: string | boolean | undefined;
}

/** Options of `text()`. */
export interface RawContentOptions extends WrittenOptions {
  /** Maximum size of a request body in bytes; fingerpost answers more with 413. Default: 1 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Options of `bytes()`. All but `download` is about requests. */
export interface BytesOptions<Stored extends object, Stream> extends RawContentOptions {
  /** Passes a stream to the handler, which reads the body while it arrives. Default: false. */
  readonly stream?: Stream | undefined;
  /** Stores the body while it arrives, with `disk()` or `memory()` of `fingerpost/files`, or a sink of your own. */
  readonly to?: Sink<Stored> | undefined;
  /**
   * What happens with the content that came if the client leaves. With `"keep"` the sink stores it, and the handler is
   * called: it can say where the client goes on. Default: `"discard"`.
   */
  readonly partial?: "keep" | "discard" | undefined;
}

/** What a handler gets. What is expected of the result infers neither, as `Given` has it. */
type TakenBytes<Stored extends object, Stream> = {
  readonly whole: Bytes;
  readonly stream: ReadableStream<Bytes>;
  readonly stored: StoredContent & Stored;
}[[Stored] extends [never] ? (Stream extends true ? "stream" : "whole") : "stored"];

/**
 * Declares content as bytes: a handler takes a `Uint8Array`, and returns bytes, a `Blob`, a stream of bytes or an async
 * iterable of pieces. A handler may be a generator.
 *
 * With `stream: true` a handler takes a stream. With `to` it takes what the sink returned, with size and digest. Either
 * holds no more than a chunk in memory, and slows the client down to its pace. A stream comes after preconditions: a
 * handler that writes compares `call.version` at its end.
 *
 * @param type the media type. Default: `application/octet-stream`. In a map of media types the key counts instead. It
 * may be a range, such as `image/*`. Then `call.contentType` is the type that came, and an answer has the type of its
 * `Blob`, or of `reply()`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * class Cover extends Resource {
 *   paths = ["/books/:isbn/cover"] as const;
 *
 *   static PUT = { content: bytes("image/png", { maxBytes: 5_000_000 }), 204: "The cover is stored" };
 *   PUT({ content }: Call<typeof Cover, "PUT">) {
 *     console.log(content.byteLength);
 *     return reply(204);
 *   }
 * }
 * ```
 */
export function bytes<
  Type extends string | undefined = undefined,
  Stored extends object = never,
  Stream extends boolean | undefined = undefined,
>(
  type: Type = "application/octet-stream" as Type,
  options: BytesOptions<Stored, Stream> = {},
): BytesContent<Given<Type, "application/octet-stream">, TakenBytes<Stored, Stream>> {
  const check = new OptionCheck("bytes", options, ["maxBytes", "stream", "to", "partial", "download"]);
  const { stream, to, partial } = check.options;
  check.boolean("stream");
  check.require(to === undefined || isSink(to), "to", "a sink, such as disk() or memory() of fingerpost/files");
  check.require(to === undefined || stream !== true, "stream", 'left out beside "to"');
  const isFit = (partial === "discard" || partial === "keep") && to !== undefined;
  check.require(partial === undefined || isFit, "partial", '"discard" or "keep", beside "to"');
  const content: BytesContent<Given<Type, "application/octet-stream">> = {
    kind: "bytes",
    type: type as never,
    ...boundOf(check),
    ...(stream === true && { isStream: true }),
    ...(to && { sink: to as Sink, isKept: partial === "keep" }),
    pieces: piecesBy(pieceOfBytes),
    open: openedBy,
    sending: sentBytes,
  };
  // The members say how content is read: those of all objects must not.
  return Object.freeze(ownOf(content as never));
}

/**
 * Declares content as text: a handler takes a string, and returns one, or an async iterable of pieces. A generator
 * sends each piece as fast as the client reads. Before its first `yield` it may return a `reply()`, or throw.
 *
 * @param type the media type. Default: `text/plain`. In a map of media types the key counts instead.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * class Note extends Resource {
 *   paths = ["/notes/:id"] as const;
 *
 *   static GET = { 200: text("text/markdown"), 404: "No note has this id" };
 *   GET({ path }: Call<typeof Note, "GET">) {
 *     return path.id === "1" ? "# Buy milk" : reply(404);
 *   }
 * }
 * ```
 */
export function text<Type extends string | undefined = undefined>(
  type: Type = "text/plain" as Type,
  options: RawContentOptions = {},
): TextContent<Given<Type, "text/plain">> {
  const check = new OptionCheck("text", options, ["maxBytes", "download"]);
  const pieces = piecesBy(pieceOfText);
  return Object.freeze(
    ownOf({ kind: "text" as const, type: type as never, ...boundOf(check), pieces, open: openedBy, sending: sentText }),
  );
}

function boundOf(check: OptionCheck<RawContentOptions>): Pick<TextContent, "maxBytes" | "disposition"> {
  const { maxBytes } = check.options;
  check.count("maxBytes");
  return { ...(maxBytes !== undefined && { maxBytes }), ...dispositionOf(check) };
}

function dispositionOf(check: OptionCheck<WrittenOptions>): Pick<TextContent, "disposition"> {
  const { download = false } = check.options;
  check.require(
    typeof download === "boolean" || typeof download === "string",
    "download",
    "a file name, true or false",
  );
  if (download === false) return {};
  return { disposition: formatContentDisposition("attachment", download === true ? "" : download) };
}

function piecesBy(write: (piece: unknown) => string | Uint8Array): PiecesWriter {
  return (pieces, leaving) => streamedValues(pieces, write, leaving);
}

function pieceOfText(piece: unknown): string {
  if (typeof piece === "string") return piece;
  throw new TypeError(`Cannot send a piece of text: expected a string, got ${described(piece)}`);
}

function pieceOfBytes(piece: unknown): Uint8Array {
  if (ArrayBuffer.isView(piece)) return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  throw new TypeError(`Cannot send a piece of bytes: expected a Uint8Array, got ${described(piece)}`);
}

/**
 * Declares how a value is written as text of another media type, such as CSV.
 *
 * @param type the media type.
 * @param write writes the value that the handler returned.
 * @throws {TypeError} when `write` is not a function, or an option is wrong.
 * @example
 * ```ts
 * const csv = written("text/csv", (titles: string[]) => titles.join("\r\n"));
 *
 * class Titles extends Resource {
 *   paths = ["/titles"] as const;
 *
 *   static GET = { 200: { content: { "application/json": z.array(z.string()), "text/csv": csv } } };
 *   GET() {
 *     return ["Kindred", "Emma"];
 *   }
 * }
 * ```
 */
export function written<Value, Type extends string = string>(
  type: Type,
  write: (value: Value) => string,
  options: WrittenOptions = {},
): WrittenContent<Value, Type> {
  const check = new OptionCheck<WrittenOptions>("written", options, ["download"]);
  check.require(typeof write === "function", "write", "a function", write);
  return Object.freeze({ kind: "written", type, write, sending: sentWritten, ...dispositionOf(check) });
}
