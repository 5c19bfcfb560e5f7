import { trimmed } from "./list.ts";

/** An entity tag (RFC 9110 §8.8.3). */
export interface EntityTag {
  readonly isWeak: boolean;
  /** What stands between the quotes. */
  readonly opaque: string;
}

const opaqueTag = /^[\x21\x23-\x7e\x80-\xff]*$/;

export function parseEntityTag(value: string): EntityTag | null {
  const isWeak = value.startsWith("W/");
  const quoted = isWeak ? value.slice(2) : value;
  const opaque = quoted.slice(1, -1);
  if (quoted.length < 2 || quoted[0] !== '"' || !quoted.endsWith('"') || !opaqueTag.test(opaque)) return null;
  return { isWeak, opaque };
}

/** Writes an entity tag. @throws {TypeError} when the text has characters that an entity tag cannot have. */
export function formatEntityTag({ isWeak, opaque }: EntityTag): string {
  if (opaqueTag.test(opaque)) return `${isWeak ? "W/" : ""}"${opaque}"`;
  throw new TypeError("Cannot write an entity tag: it cannot hold quotes, whitespace or control characters");
}

/**
 * Reads the value of `If-Match` or `If-None-Match` (RFC 9110 §13.1.1): `*`, or entity tags. Commas and backslashes in a
 * tag belong to it. Malformed tags are passed over up to the next comma.
 */
export function parseEntityTags(value: string): "*" | EntityTag[] {
  const tags: EntityTag[] = [];
  for (const [, quoted = "", rest, comma] of value.matchAll(member) as Iterable<readonly string[]>) {
    const tag = parseEntityTag(quoted);
    if (tag !== null && trimmed(rest!) === "") tags.push(tag);
    else if (trimmed(quoted + rest) === "*" && tags.length === 0 && comma === "") return "*";
  }
  return tags;
}

/** A tag, if there is one, and what is between it and the next comma. */
const member = /[\t ,]*((?:W\/)?"[^"]*")?([^,]*)(,?)/g;

/** Strong comparison (RFC 9110 §8.8.3.2): the same, and neither of them weak. */
export function isStrongMatch(a: EntityTag, b: EntityTag): boolean {
  return !a.isWeak && !b.isWeak && a.opaque === b.opaque;
}

/** Weak comparison (RFC 9110 §8.8.3.2): the same but for weakness. */
export function isWeakMatch(a: EntityTag, b: EntityTag): boolean {
  return a.opaque === b.opaque;
}
