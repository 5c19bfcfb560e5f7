import { OfferedTypes } from "../../fields/accept.ts";
import { essenceOf, isActiveType, parseMediaType, specificityOf } from "../../fields/media-type.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import type { FieldList } from "../../http/answer/field-list.ts";
import { isBlob } from "../../http/javascript/any-realm.ts";
import type { AnswerMedium, AnswerModel } from "../operation/answer-model.ts";
import type { RequestMedium } from "../operation/input-model.ts";
import { sentTypeOf } from "../operation/media.ts";
import type { ReplyHeaders } from "../declaration/reply.ts";

/** The type of bytes of which nothing is known (RFC 9110 §8.3). */
export const unknownBytes = "application/octet-stream";

/** What a handler answered with, besides the status. */
interface Given {
  readonly content: unknown;
  readonly headers: ReplyHeaders | undefined;
}

/**
 * Returns the declared types that content has already, by the `Content-Type` of its reply or as a `Blob`: the client
 * chooses among them only. Null where it has none, and is written as the client prefers.
 */
export function ownMediaOf({ media }: AnswerModel, { content, headers }: Given): readonly AnswerMedium[] | null {
  const field = headers && typeGivenBy(headers);
  if (field !== undefined) {
    const named = media.filter((one) => isNamed(field, sentTypeOf(one)));
    const exact = named.filter(({ isRange }) => !isRange);
    return exact.length > 0 ? exact : named;
  }
  // What is written from any value may be written from a Blob.
  if (media.length < 2 || !isBlob(content) || content.type === "" || media.some(({ raw }) => raw?.kind === "written"))
    return null;
  const bytes = media.filter(({ raw }) => raw?.kind === "bytes");
  if (bytes.length === 0) return null;
  const named = bytes.filter(({ type }) => essenceOf(type) === essenceOf(content.type));
  const covering = bytes.filter(({ type, isRange }) => isRange && isNamed(content.type, type));
  return [...named, ...covering, ...bytes.filter(({ type }) => essenceOf(type) === unknownBytes)];
}

/**
 * Names the type of content that is declared by a range: as its reply says it, or its `Blob`, or of unknown bytes. Null
 * where the range does not cover it.
 */
export function typeWithin(range: string, { content, headers }: Given): string | null {
  const field = headers && typeGivenBy(headers);
  const type = field ?? ((isBlob(content) && content.type) || unknownBytes);
  return isNamed(type, range) ? type : null;
}

/**
 * Returns the type that bytes are sent as; null where they are of another one than declared. Uploads are stored with
 * the type of the client, which must not decide whether a browser runs them.
 */
export function bytesTypeOf(
  { type: declared, isRange: isStored }: AnswerMedium,
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

/** The media type of the content of a request: as declared, or as it came where a range is declared. */
export function contentTypeOf({ type, isRange }: RequestMedium, fields: Pick<RequestFields, "get">): string {
  if (!isRange) return type;
  const came = fields.get("content-type") ?? unknownBytes;
  return came.replace(/^[^;]*/, essenceOf(came)!);
}

/** Returns the medium of content without a type: the one that a read has settled on, if the status has that. */
export function mediumFor({ media }: AnswerModel, mediaType: string): AnswerMedium | undefined {
  return media.find(({ type }) => type === mediaType) ?? media[0];
}

/** Returns the medium that a client prefers; `undefined` when it accepts none. */
export function preferredOf(media: readonly AnswerMedium[], accept: string | null): AnswerMedium | undefined {
  return media[new OfferedTypes(media.map(sentTypeOf)).preferredAt(accept)];
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
