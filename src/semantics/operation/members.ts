import { isUnshared, parseCacheControl, unshared } from "../../fields/cache-control.ts";
import { formatHttpDate } from "../../fields/http-date.ts";
import { isFieldValue, isScope } from "../../fields/token.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import { methods } from "../../http/protocol/method.ts";
import { isKept } from "../../writes/write-rules.ts";
import type { Method, Operation } from "../declaration/operation.ts";
import type { AnswerField, FixedField } from "./answer-field.ts";
import { isMay } from "./access-model.ts";
import { isStatus } from "./answer-model.ts";
import { isPersonal, isTagged, isValidated, type OperationModel } from "./operation-model.ts";
import { isTool } from "./tools.ts";

/** The methods of this chain: QUERY is the tenth (RFC 10008). */
export const semanticMethods: readonly Method[] = [...methods, "QUERY"];

/**
 * Says what the line needs of one member of an operation. `described-members.ts` has what others say of it: a program
 * that does not describe itself is smaller. A new member needs a row in each, and its type in `Operation`. A part that
 * a member does not have is null, so that none is forgotten.
 */
export interface Member {
  readonly isFit: (value: unknown) => boolean;
  /** What to write, for messages. */
  readonly expected: string;
  /** The names of the header fields of requests that it reads. */
  readonly requestFields: readonly string[] | null;
  /** The header fields of answers. Operations without the member are asked, too: a field may have a default. */
  readonly answerFields: ((model: OperationModel) => readonly MemberField[]) | null;
}

/** A header field that answers have because of a member. */
export type MemberField = FixedField | SteppedField;

/** A field whose value a step of the line makes for each answer. */
interface SteppedField extends AnswerField {
  /** Whether answers of a status have it, which are declared, or which a step ends with. */
  readonly isOn: (status: number) => boolean;
}

/** A member that only documents, agents or other members read: no request and no answer shows it. */
function unseen(row: Pick<Member, "isFit" | "expected">): Member {
  return { ...row, requestFields: null, answerFields: null };
}

/** The members of an operation besides schemas, paths and answers. */
export const members: Record<string, Member> = Object.assign(Object.create(null), {
  // No two operations have one id.
  id: unseen({ isFit: isName, expected: "a text that is not empty" }),
  summary: unseen({ isFit: isText, expected: "a text" }),
  // A description names each of the operations at one place.
  description: unseen({ isFit: isText, expected: "a text" }),
  cache: {
    isFit: isCacheControl,
    expected: 'directives of Cache-Control, such as "no-store" or "max-age=60"',
    requestFields: null,
    answerFields: (model) => {
      const isForOne = isPersonal(model);
      const { cache = isForOne ? "private" : undefined } = model.declaration;
      if (cache === undefined) return [];
      // Behind a cookie a shared cache would store it, and some serve what they may not without asking.
      return [{ name: "Cache-Control", value: isForOne && !isUnshared(cache) ? unshared(cache) : cache }];
    },
  },
  shared: unseen({
    isFit: (value) => typeof value === "boolean",
    expected: "true, where all users get the same",
  }),
  tags: unseen({
    isFit: (value) => Array.isArray(value) && value.every(isName),
    expected: "a list of texts",
  }),
  audience: unseen({
    isFit: isName,
    expected: 'a text, such as "internal"',
  }),
  deprecated: {
    isFit: isDeprecation,
    expected: 'true, or { since: "2027-01-31", link: "https://example.org" }',
    requestFields: null,
    answerFields: ({ declaration }) => fieldsOfEnd(declaration.deprecated),
  },
  scopes: unseen({
    isFit: (value) => Array.isArray(value) && value.length > 0 && value.every(isScope),
    expected: 'a list of scopes, such as ["tickets:write"]',
  }),
  may: unseen({
    isFit: isMay,
    expected: "a function of { path, request }, or { hides: true, ask }",
  }),
  anonymous: unseen({
    isFit: (value) => typeof value === "boolean",
    expected: "true, where everybody may",
  }),
  examples: unseen({ isFit: isPlainObject, expected: "an object" }),
  security: unseen({
    isFit: areSchemes,
    expected: 'schemes of OpenAPI by name, such as { key: { type: "apiKey", in: "header", name: "X-Key" } }',
  }),
  precondition: {
    isFit: (value) => typeof value === "boolean",
    expected: "true or false",
    requestFields: null,
    answerFields: ({ declaration, takesPreconditions }) =>
      declaration.precondition === true && takesPreconditions
        ? [{ name: "Cache-Control", isOn: (status) => status === 428 }]
        : [],
  },
  idempotency: {
    isFit: (value) => value === true || (isPlainObject(value) && (value as { optional?: unknown }).optional === true),
    expected: "true, or { optional: true }",
    requestFields: ["Idempotency-Key"],
    answerFields: ({ isOnce, answers }) => {
      if (!isOnce) return [];
      return [
        { name: "Idempotent-Replayed", isOn: (status) => answers.has(status) && isKept(status, noFields) },
        { name: "Retry-After", isOn: (status) => status === 409 },
      ];
    },
  },
  etag: {
    isFit: (value) => value === "content",
    expected: '"content"',
    requestFields: null,
    answerFields: (model) =>
      model.declaration.etag !== undefined && isValidated(model)
        ? [{ name: "ETag", isOn: (status) => [200, 206, 304].includes(status) && isTagged(model, status) }]
        : [],
  },
  tool: unseen({
    isFit: isTool,
    expected: 'true, or { name: "place_order", description: "…" }',
  }),
} satisfies { readonly [Name in MemberName]: Member });

/** The members of `Operation` that have a row: all but answers, and what `others` names. */
export type MemberName = Exclude<keyof Operation, number | "path" | "query" | "headers" | "cookies" | "content" | "at">;

const noFields = new Headers();

export function membersOf({ declaration }: Pick<OperationModel, "declaration">): readonly Member[] {
  return Object.entries(declaration).flatMap(([name, value]) => (value === undefined ? [] : (members[name] ?? [])));
}

/** The fields of answers of an operation that members are the reason of. */
export function memberFieldsOf(model: OperationModel): readonly MemberField[] {
  return Object.values(members).flatMap(({ answerFields }) => answerFields?.(model) ?? []);
}

/** The members that hold schemas or paths, and what `patch()` adds. */
export const others: ReadonlySet<string> = new Set(["path", "query", "headers", "cookies", "content", "at", "~patch"]);

export function isMember(name: string): boolean {
  return members[name] !== undefined || others.has(name) || isStatus(name);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isName(value: unknown): boolean {
  return isText(value) && value.trim() !== "";
}

/** Numbers of seconds are digits (RFC 9111 §1.2.2). Words that nobody knows are extensions (§5.2.3). */
function isCacheControl(value: unknown): boolean {
  if (!isText(value) || !isFieldValue(value)) return false;
  const directives = [...parseCacheControl(value)];
  return (
    directives.length > 0 && directives.every(([name, seconds]) => !isOfSeconds.test(name) || /^\d+$/.test(seconds))
  );
}

const isOfSeconds = /^max-age$|^s-maxage$|^stale-(?:while-revalidate|if-error)$/;

/** Components have names of these characters (OpenAPI 3.1 §4.8.7.1), and schemes one of five types (§4.8.27). */
function areSchemes(value: unknown): boolean {
  return isPlainObject(value) && Object.entries(value as object).every(isScheme);
}

function isScheme([name, scheme]: readonly [string, unknown]): boolean {
  return /^[\w.-]+$/.test(name) && isPlainObject(scheme) && schemeTypes.has((scheme as { type?: unknown }).type);
}

const schemeTypes: ReadonlySet<unknown> = new Set(["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"]);

/** What a URL may hold (RFC 3986 §2), and a link of a field between its brackets (RFC 8288 §3). */
const isURL = /^[!#-;=?-~]*$/;

function isDeprecation(value: unknown): boolean {
  if (typeof value === "boolean") return true;
  if (!isPlainObject(value)) return false;
  const { since, sunset = since, link = "" } = value as Readonly<Record<string, unknown>>;
  return [since, sunset].every((date) => !Number.isNaN(Date.parse(String(date)))) && isText(link) && isURL.test(link);
}

/** The fields by which answers announce the end of an operation (RFC 9745, RFC 8594). */
function fieldsOfEnd(deprecated: Operation["deprecated"]): readonly FixedField[] {
  if (typeof deprecated !== "object") return [];
  const { since, sunset, link } = deprecated;
  const fields: FixedField[] = [{ name: "Deprecation", value: `@${Math.floor(Date.parse(since) / 1000)}` }];
  if (sunset !== undefined) fields.push({ name: "Sunset", value: formatHttpDate(new Date(sunset)) });
  if (link !== undefined) fields.push({ name: "Link", value: `<${link}>; rel="deprecation"` });
  return fields;
}
