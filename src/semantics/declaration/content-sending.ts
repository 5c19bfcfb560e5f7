import { essenceOf, isActiveType, parseMediaType, specificityOf } from "../../fields/media-type.ts";
import type { Validators } from "../../fields/preconditions.ts";
import { formatContentRange } from "../../fields/range.ts";
import { askedRanges } from "../../fields/representation.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import type { Answer, Content } from "../../http/answer/carried-answer.ts";
import type { FieldList } from "../../http/answer/field-list.ts";
import { isArrayBuffer, isBlob, isStream } from "../../http/javascript/any-realm.ts";
import type { AnySignal } from "../../http/javascript/any-signal.ts";
import { isAsyncIterable } from "../../http/javascript/async-iterable.ts";
import type { Bytes } from "../../http/javascript/bytes.ts";
import type { ReplyHeaders } from "./reply.ts";

/** The content and the fields that a handler answered with. */
export interface Given {
  readonly content: unknown;
  readonly headers: ReplyHeaders | undefined;
}

/** A declared media type, or a range of them. */
interface DeclaredType {
  readonly type: string;
  readonly isRange: boolean;
}

/** The values that a kind of content is made of. */
export interface SentValues {
  /** Whether a value that a handler returned is one for it. */
  readonly isFit: (content: unknown) => boolean;
  /** The values that fit, for the message about another one. */
  readonly expected: string;
}

/** How a kind of content is sent. Part of the declaration, so that a bundle without the kind leaves it out. */
export interface SentContent extends SentValues {
  /** Writes what a handler returned, and says its type. */
  send(raw: object, content: unknown, type: string, fields: FieldList, call: { readonly leaving: AnySignal }): Content;
}

/** How bytes are sent, which may be a part of them. */
export interface SentBytes extends SentContent {
  /**
   * Returns the type that bytes are sent as; null where they are of another one than declared. Uploads are stored with
   * the type of the client, which must not decide whether a browser runs them.
   */
  typeOf(declared: DeclaredType, given: Given, fields: FieldList): string | null;
  /**
   * Names the type of content that is declared by a range: as its reply says it, or its `Blob`, or of unknown bytes.
   * Null where the range does not cover it.
   */
  typeWithin(range: string, given: Given): string | null;
  /** Leaves of an answer what a request asks for. */
  part(answer: Answer, sent: RequestFields | null, length: number, validators: Validators | null): void;
}

/** What `text()` and `bytes()` have in common. */
interface Raw {
  readonly disposition?: string | undefined;
  readonly pieces: (pieces: AsyncIterable<unknown>, leaving: AnySignal) => ReadableStream<Uint8Array>;
}

export const sentValues: SentValues = { isFit: isAsyncIterable, expected: "Expected an async iterable" };

export const sentText: SentContent = {
  isFit: (content) => typeof content === "string" || isAsyncIterable(content),
  expected: "Expected a string or an async iterable",
  send(raw: Raw, content, type, fields, call) {
    describe(raw, textTypeOf(type), fields);
    return isPieces(content) ? raw.pieces(content, call.leaving) : (content as string | ReadableStream<Uint8Array>);
  },
};

export const sentWritten: SentContent = {
  isFit: () => true,
  expected: "",
  send(raw: Raw & { write(value: unknown): string }, content, type, fields) {
    describe(raw, type, fields);
    return raw.write(content);
  },
};

export const sentBytes: SentBytes = {
  isFit: (content) =>
    [isBlob, isArrayBuffer, isStream, ArrayBuffer.isView, isAsyncIterable].some((isOne) => isOne(content)),
  expected: "Expected a Blob, an ArrayBuffer, a view of one, a ReadableStream or an async iterable",
  send(raw: Raw, content, type, fields, call) {
    describe(raw, type, fields);
    if (isPieces(content)) return raw.pieces(content, call.leaving);
    if (isArrayBuffer(content)) return new Uint8Array(content);
    if (!ArrayBuffer.isView(content)) return content as Blob | ReadableStream<Uint8Array>;
    return new Uint8Array(content.buffer as ArrayBuffer, content.byteOffset, content.byteLength);
  },
  typeOf: bytesTypeOf,
  typeWithin,
  part(answer, sent, length, validators) {
    const { content, fields } = answer;
    fields.set("accept-ranges", "bytes");
    const ranges = sent && askedRanges(sent, length, validators);
    // Several ranges may be answered by the whole (RFC 9110 §14.2).
    if (ranges?.length !== 1) return;
    const [one] = ranges as [{ start: number; end: number }];
    fields.set("content-range", formatContentRange(one, length));
    fields.set("content-length", String(one.end - one.start));
    answer.status = 206;
    answer.content = (content as Blob | Bytes).slice(one.start, one.end) as Blob | Bytes;
  },
};

function describe({ disposition }: Pick<Raw, "disposition">, type: string, fields: FieldList): void {
  if (disposition !== undefined && !fields.has("content-disposition")) fields.set("content-disposition", disposition);
  fields.set("content-type", type);
}

/** Distinguishes pieces of text or of bytes from a stream of bytes, which is sent as it is. */
export function isPieces(content: unknown): content is AsyncIterable<unknown> {
  return isAsyncIterable(content) && !isStream(content);
}

/** The type of bytes of which nothing is known (RFC 9110 §8.3). */
export const unknownBytes = "application/octet-stream";

function typeWithin(range: string, { content, headers }: Given): string | null {
  const field = headers && typeGivenBy(headers);
  const type = field ?? ((isBlob(content) && content.type) || unknownBytes);
  return isNamed(type, range) ? type : null;
}

function bytesTypeOf(
  { type: declared, isRange: isStored }: DeclaredType,
  given: Given,
  fields: FieldList,
): string | null {
  const type = isStored ? typeWithin(declared, given) : declared;
  const essence = essenceOf(type ?? "");
  if (isStored || essence === unknownBytes) fields.set("x-content-type-options", "nosniff");
  else if (isBlob(given.content) && given.content.type !== "" && essenceOf(given.content.type) !== essence) return null;
  if (isStored && isActiveType(essence ?? "") && !fields.has("content-security-policy")) {
    fields.set("content-security-policy", "sandbox");
  }
  return type;
}

/** Returns the `Content-Type` that a handler gave; `undefined` without one. */
export function typeGivenBy(headers: ReplyHeaders): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name.toLowerCase() === "content-type") return String(value);
  }
  return undefined;
}

/** Returns whether the value of `Content-Type` names a type that is sent. It may leave out parameters. */
export function isNamed(field: string, sent: string): boolean {
  const given = parseMediaType(field);
  const own = parseMediaType(sent)!;
  if (own.subtype === "*") return given !== null && given.subtype !== "*" && specificityOf(own, given) > 0;
  if (given?.type !== own.type || given.subtype !== own.subtype) return false;
  return [...given.parameters].every(([name, value]) => own.parameters.get(name) === value);
}

/** Names the coding of text that is written: UTF-8, unless the declared type names one. */
export function textTypeOf(type: string): string {
  return /;\s*charset=/i.test(type) ? type : `${type};charset=utf-8`;
}
