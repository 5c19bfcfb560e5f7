import { OfferedTypes } from "../../fields/accept.ts";
import { essenceOf } from "../../fields/media-type.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import { isBlob } from "../../http/javascript/any-realm.ts";
import type { AnswerMedium, AnswerModel } from "../operation/answer-model.ts";
import type { RequestMedium } from "../operation/input-model.ts";
import { sentTypeOf } from "../operation/media.ts";
import { isNamed, typeGivenBy, unknownBytes, type Given } from "../declaration/content-sending.ts";

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
