import { isFieldValue } from "../../fields/token.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import { methods } from "../../http/protocol/method.ts";
import type { Method } from "../declaration/operation.ts";

/** The methods of this chain: QUERY is the tenth (RFC 10008). */
export const semanticMethods: readonly Method[] = [...methods, "QUERY"];

/** The members of an operation that need no more than a look: what each may be. */
export const words: Readonly<Record<string, readonly [isFit: (value: unknown) => boolean, expected: string]>> =
  Object.assign(Object.create(null), {
    id: [isText, "a text"],
    summary: [isText, "a text"],
    description: [isText, "a text"],
    cache: [isFieldValue, 'the value of a field, such as "no-store"'],
    tags: [(value: unknown) => Array.isArray(value) && value.every(isText), "a list of texts"],
    deprecated: [isDeprecation, 'true, or { since: "2027-01-31", link: "https://example.org" }'],
    examples: [isPlainObject, "an object"],
    security: [isPlainObject, "an object"],
    conditional: [(value: unknown) => value === "required", '"required"'],
    etag: [(value: unknown) => value === "content", '"content"'],
  });
/** The members that hold schemas or paths. */
export const others: ReadonlySet<string> = new Set(["path", "query", "headers", "cookies", "content", "at"]);

/** Returns whether an operation may have a member. */
export function isMember(name: string): boolean {
  return words[name] !== undefined || others.has(name) || isStatus(name);
}

/** Returns whether a member of an operation declares an answer. */
export function isStatus(member: string): boolean {
  return /^(?:101|[2-5]\d\d)$/.test(member);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** What a URL may hold (RFC 3986 §2), and a link of a field between its brackets (RFC 8288 §3). */
const isURL = /^[!#-;=?-~]*$/;

function isDeprecation(value: unknown): boolean {
  if (typeof value === "boolean") return true;
  if (!isPlainObject(value)) return false;
  const { since, sunset = since, link = "" } = value as Readonly<Record<string, unknown>>;
  return [since, sunset].every((date) => !Number.isNaN(Date.parse(String(date)))) && isText(link) && isURL.test(link);
}
