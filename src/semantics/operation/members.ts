import { isFieldValue } from "../../fields/token.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import { methods } from "../../http/protocol/method.ts";
import type { Deprecation, Method, Operation } from "../declaration/operation.ts";
import { isStatus } from "./answer-model.ts";
import type { OperationModel } from "./operation-model.ts";
import { isTool } from "./tools.ts";

/** The methods of this chain: QUERY is the tenth (RFC 10008). */
export const semanticMethods: readonly Method[] = [...methods, "QUERY"];

/** Everything that is known of one member of an operation. A new member needs its row, and its type in `Operation`. */
export interface Member {
  readonly isFit: (value: unknown) => boolean;
  /** What to write, for messages. */
  readonly expected: string;
  /** The statuses that an operation answers because of it, without declaring them, each with its meaning. */
  readonly answers?: (value: unknown, model: OperationModel) => Readonly<Record<number, string>>;
  /** The header fields of requests that the document gets from it. */
  readonly headers?: (value: unknown) => readonly MemberField[];
  /** The members that the operation of a document gets from it. */
  readonly documented?: (value: unknown) => object;
  /** What `explain()` says of it, before the handler. */
  readonly question?: readonly [question: string, section: string, findingOf: (value: unknown) => string];
}

/** A header field of requests that a member reads. */
export interface MemberField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The members of an operation besides schemas, paths and answers. */
export const members: Record<string, Member> = Object.assign(Object.create(null), {
  id: { isFit: isText, expected: "a text" },
  summary: { isFit: isText, expected: "a text" },
  description: { isFit: isText, expected: "a text" },
  cache: { isFit: isFieldValue, expected: 'the value of a field, such as "no-store"' },
  shared: { isFit: (value) => typeof value === "boolean", expected: "true, where all users get the same" },
  tags: { isFit: (value) => Array.isArray(value) && value.every(isText), expected: "a list of texts" },
  audience: {
    isFit: isText,
    expected: 'a text, such as "internal"',
    documented: (value) => ({ "x-audience": value }),
  },
  deprecated: {
    isFit: isDeprecation,
    expected: 'true, or { since: "2027-01-31", link: "https://example.org" }',
    documented: (value) => documentedDeprecation(value as boolean | Deprecation),
    question: [
      "Is the operation deprecated?",
      "RFC 9745 §2",
      (value) => {
        const { since, sunset } = value as Partial<Deprecation>;
        if (since === undefined) return value === true ? "yes" : "no";
        return `yes: from ${since} on${sunset === undefined ? "" : `, and gone from ${sunset} on`}`;
      },
    ],
  },
  examples: { isFit: isPlainObject, expected: "an object" },
  security: { isFit: isPlainObject, expected: "an object" },
  conditional: {
    isFit: (value) => value === "required",
    expected: '"required"',
    answers: (_, { isOnLine, takesPreconditions }): Readonly<Record<number, string>> =>
      isOnLine && takesPreconditions ? { 428: "The request needs a precondition, such as If-Match" } : {},
  },
  idempotency: {
    isFit: (value) => value === "required" || value === "optional",
    expected: '"required"',
    answers: () => ({
      400: "Idempotency-Key cannot be read, or is missing",
      409: "A request with this Idempotency-Key is under way; Retry-After says when to come back",
      422: "Idempotency-Key was used for another request",
    }),
    headers: (value) => [
      {
        name: "Idempotency-Key",
        description: "Names this request: a repeat with the same key gets the first answer",
        isRequired: value === "required",
        schema: { type: "string", minLength: 1, maxLength: 255 },
      },
    ],
  },
  etag: { isFit: (value) => value === "content", expected: '"content"' },
  tool: { isFit: isTool, expected: 'true, or { name: "place_order", description: "…" }' },
} satisfies Record<string, Member>);

/** The rows of the members that an operation has, with their values. */
export function membersOf(declaration: Operation): readonly (readonly [Member, value: unknown])[] {
  return Object.entries(declaration).flatMap(([name, value]) => {
    const member = value === undefined ? undefined : members[name];
    return member === undefined ? [] : [[member, value] as const];
  });
}

/** The statuses that an operation answers because of its members, each with its meaning. */
export function memberAnswersOf(model: OperationModel): Readonly<Record<number, string>> {
  const all = membersOf(model.declaration).map(([{ answers }, value]) => answers?.(value, model) ?? {});
  return Object.assign({}, ...all) as Readonly<Record<number, string>>;
}

/** The members that hold schemas or paths, and what `patch()` adds. */
export const others: ReadonlySet<string> = new Set(["path", "query", "headers", "cookies", "content", "at", "~patch"]);

/** Returns whether an operation may have a member. */
export function isMember(name: string): boolean {
  return members[name] !== undefined || others.has(name) || isStatus(name);
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

/**
 * OpenAPI has no place for the day on which an operation ends: tools that compare documents read it from `x-sunset`.
 */
function documentedDeprecation(deprecated: boolean | Deprecation): object {
  if (deprecated === false) return {};
  const { sunset } = deprecated as Partial<Deprecation>;
  return { deprecated: true, ...(sunset === undefined ? {} : { "x-sunset": sunset }) };
}
