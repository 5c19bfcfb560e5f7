import { replacedInput } from "../../dispatch/replaced-input.ts";
import { preferredCoding } from "../../fields/accept-encoding.ts";
import { withOriginalTags } from "../../fields/derived-tag.ts";
import type { Preconditions } from "../../fields/preconditions.ts";
import { requestField } from "../../fields/request-fields.ts";
import { contentCodings } from "./compressor.ts";

/** Content codings whose tags are read back, also where this runtime cannot make them: another server may have. */
const isCoding = (aspect: string): boolean => (contentCodings as readonly string[]).includes(aspect);

/**
 * Returns the preconditions with the tags that the tags of codings were made from. For GET and HEAD only tags of
 * codings that the client accepts count. A cache that has the content in gzip must not be told that it may go on to
 * send that to a client without gzip. A range is of content that has no coding, so there they do not count either.
 */
export function withOriginals<Asked extends Pick<Preconditions, "ifMatch" | "ifNoneMatch">>(
  input: object,
  method: unknown,
  preconditions: Asked,
): Asked {
  const { ifMatch, ifNoneMatch } = preconditions;
  if (ifMatch === null && ifNoneMatch === null) return preconditions;
  const isRead = method === "GET" || method === "HEAD";
  if (isRead && requestField(input, "range") !== null) return preconditions;
  const accepted = requestField(input, "accept-encoding") ?? "";
  const counts = (aspect: string): boolean =>
    isCoding(aspect) && (!isRead || preferredCoding(accepted, [aspect]) !== null);
  const named = (value: string | null): string | null =>
    value === null ? null : (withOriginalTags(value, counts) ?? value);
  return { ...preconditions, ifMatch: named(ifMatch), ifNoneMatch: named(ifNoneMatch) };
}

/** Returns the input with such preconditions: itself, if it names no tag of a coding. */
export function readBack(input: object, method: unknown): object {
  const given = { ifMatch: requestField(input, "if-match"), ifNoneMatch: requestField(input, "if-none-match") };
  const { ifMatch, ifNoneMatch } = withOriginals(input, method, given);
  if (ifMatch === given.ifMatch && ifNoneMatch === given.ifNoneMatch) return input;
  const headers = new Headers((input as Request).headers);
  if (ifMatch !== null) headers.set("if-match", ifMatch);
  if (ifNoneMatch !== null) headers.set("if-none-match", ifNoneMatch);
  return replacedInput(input, { headers });
}
