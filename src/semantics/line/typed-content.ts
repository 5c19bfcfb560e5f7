import { OfferedTypes } from "../../fields/accept.ts";
import { essenceOf, parseMediaType } from "../../fields/media-type.ts";
import { isBlob } from "../../http/javascript/any-realm.ts";
import type { AnswerMedium, AnswerModel } from "../operation/answer-model.ts";
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
  if (field !== undefined) return media.filter((one) => isNamed(field, sentTypeOf(one)));
  // What is written from any value may be written from a Blob.
  if (media.length < 2 || !isBlob(content) || content.type === "" || media.some(({ raw }) => raw?.kind === "written"))
    return null;
  const bytes = media.filter(({ raw }) => raw?.kind === "bytes");
  if (bytes.length === 0) return null;
  const essences = new Set([essenceOf(content.type), unknownBytes]);
  return [...essences].flatMap((essence) => bytes.filter(({ type }) => essenceOf(type) === essence));
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
  if (given?.type !== own.type || given.subtype !== own.subtype) return false;
  return [...given.parameters].every(([name, value]) => own.parameters.get(name) === value);
}
