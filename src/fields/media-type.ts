import { parseParts } from "./list.ts";
import { parseParameters } from "./field-parameters.ts";
import { remembered } from "./remembered.ts";
import { isToken } from "./token.ts";

/** A media type (RFC 9110 §8.3.1), or a range of them, where parts may be `*` (§12.5.1). */
export interface MediaType {
  /** In lower case. */
  readonly type: string;
  /** In lower case. */
  readonly subtype: string;
  /** Names are in lower case, and so are values of `charset`, which is case-insensitive. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads the value of `Content-Type`; null when it is malformed. A `*` is read as other tokens are. */
export const parseMediaType: (value: string) => MediaType | null = /* @__PURE__ */ remembered((value) => {
  const [essence = "", ...parts] = parseParts(value);
  const parameters = parseParameters(parts);
  return parameters === null ? null : mediaTypeOf(essence, parameters);
});

/**
 * Reads of the value of `Content-Type` no more than `type/subtype`, in lower case; null when any of it is malformed.
 */
export function essenceOf(value: string): string | null {
  const mediaType = parseMediaType(value);
  return mediaType === null ? null : `${mediaType.type}/${mediaType.subtype}`;
}

/** Makes a media type of `type/subtype` and parameters; null when it is malformed. */
export function mediaTypeOf(essence: string, parameters: Iterable<readonly [string, string]>): MediaType | null {
  const slash = essence.indexOf("/");
  const [type, subtype] = [essence.slice(0, Math.max(0, slash)), essence.slice(slash + 1)];
  if (!isToken(type) || !isToken(subtype) || (type === "*" && subtype !== "*")) return null;
  const normalized = [...parameters].map(([name, value]): [string, string] => [
    name,
    name === "charset" ? value.toLowerCase() : value,
  ]);
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), parameters: new Map(normalized) };
}

/** Returns whether a media type is a range, such as `image/*`: then no content is of it. */
export function isRange(value: string): boolean {
  return parseMediaType(value)?.subtype === "*";
}

/**
 * Returns whether browsers run scripts in content of a type. Chromium reads `text/xsl` as XML, Firefox `text/rdf`, and
 * each part of `multipart/x-mixed-replace` by a type of its own.
 */
export function isActiveType(essence: string): boolean {
  return /html|[/+]xml$|^text\/(xsl|rdf)$|mixed-replace$/.test(essence);
}

/**
 * How closely a range of media types covers one: 0 if not at all. It grows with the type, the subtype and each
 * parameter (RFC 9110 §12.5.1).
 */
export function specificityOf(range: MediaType, mediaType: MediaType): number {
  if (range.type !== "*" && range.type !== mediaType.type) return 0;
  if (range.subtype !== "*" && range.subtype !== mediaType.subtype) return 0;
  for (const [name, value] of range.parameters) if (mediaType.parameters.get(name) !== value) return 0;
  return 1 + (range.type === "*" ? 0 : 1) + (range.subtype === "*" ? 0 : 1) + range.parameters.size;
}
