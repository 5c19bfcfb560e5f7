import { methods } from "../../http/method.ts";
import { isFieldValue } from "../../fields/token.ts";
import { described } from "../../http/described.ts";
import { given, isPlainObject } from "../../http/given.ts";
import { parsePathPattern } from "../../routing/pattern/path-pattern.ts";
import { isSchema, jsonSchemaOf } from "../content/standard-schema.ts";
import { membersOf } from "../content/text-members.ts";
import { reads } from "../line/plan.ts";
import { checkAnswer } from "./answer-check.ts";
import { checkInput } from "./input-check.ts";
import type { Method, Operation } from "./operation.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** The methods of this chain: QUERY is the tenth (RFC 10008). */
export const semanticMethods: readonly Method[] = [...methods, "QUERY"];

/** The members of an operation that need no more than a look: what each may be. */
const words: Readonly<Record<string, readonly [isFit: (value: unknown) => boolean, expected: string]>> = Object.assign(
  Object.create(null),
  {
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
  },
);
const others = new Set(["path", "query", "headers", "cookies", "content", "at"]);

/**
 * Refuses declarations that cannot work, naming class, method and member.
 *
 * @throws {TypeError} which says what to write.
 */
export function checkDeclarations(
  Class: Readonly<Record<string, unknown>>,
  { name, resource, patterns }: Declaring,
  isImplemented: (method: Method) => boolean,
): void {
  const { paths } = resource as { readonly paths: readonly unknown[] };
  for (const member of ["deprecated", "tags"]) {
    const [isFit, expected] = words[member]!;
    const value = Class[member];
    if (value === undefined || isFit(value)) continue;
    throw new TypeError(
      `Cannot add ${name} to the application: static ${member} is ${described(value)}; write ${expected}`,
    );
  }
  const validator = given(resource as { readonly validator?: unknown }, "validator") ?? isText;
  if (typeof validator !== "function") {
    throw new TypeError(
      `Cannot add ${name} to the application: its validator is ${described(validator)}; write validator(call) { … }`,
    );
  }
  const params = new Set(patterns.flatMap((pattern) => parsePathPattern(pattern).names));
  for (const method of semanticMethods) {
    const operation = Class[method];
    if (operation === undefined) continue;
    const cannot = `Cannot add ${name} to the application: static ${method}`;
    if (typeof operation !== "object" || operation === null) {
      throw new TypeError(`${cannot} must be an operation, got ${described(operation)}; write { 200: … }`);
    }
    if (!isImplemented(method)) {
      throw new TypeError(`${cannot} is declared and ${method} is not implemented; write ${method}(call) { … }`);
    }
    checkOperation(operation as Readonly<Record<string, unknown>>, cannot, paths, params);
    refuseUnweighed(operation as Operation, method, resource, cannot);
  }
  refuseStrays(Class, name);
}

/** Without validators each precondition holds, so that a required one protects nothing. Reads may have a tag of their content. */
function refuseUnweighed({ conditional, etag }: Operation, method: Method, resource: object, cannot: string): void {
  if (conditional === undefined || given(resource as { validator?: unknown }, "validator") !== undefined) return;
  if (etag !== undefined && reads.has(method)) return;
  throw new TypeError(`${cannot} requires a precondition, and the class has no validator; write validator(call) { … }`);
}

/**
 * Refuses an operation that no method would have, such as `static POTS`.
 *
 * Other objects may have the same shape: texts by status, or parts that several operations share. So an object of texts
 * only is refused if its name has the letters of a method. Any other is refused if its name has capital letters only.
 */
function refuseStrays(Class: object, name: string): void {
  for (let at = Class; typeof at === "function"; at = Object.getPrototypeOf(at) as object) {
    for (const [member, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if ((semanticMethods as readonly string[]).includes(member) || !isLikeOperation(value)) continue;
      const meant = semanticMethods.find((method) => lettersOf(method) === lettersOf(member));
      if (!meant && !(/^[A-Z]+$/.test(member) && Object.values(value).some((one) => typeof one === "object"))) continue;
      throw new TypeError(
        `Cannot add ${name} to the application: static ${member} is an operation, and ${member} is not a method; write static ${meant ?? "GET, static POST, …"}, or rename it`,
      );
    }
  }
}

function lettersOf(name: string): string {
  // oxlint-disable-next-line unicorn/no-array-sort
  return [...name.toUpperCase()].sort().join("");
}

/** Returns whether an object has only members of operations, and one is an answer below 400. */
function isLikeOperation(value: unknown): value is object {
  if (!isPlainObject(value)) return false;
  const members = Object.keys(value);
  return members.every(isMember) && members.some((member) => isStatus(member) && member < "4");
}

function isMember(name: string): boolean {
  return words[name] !== undefined || others.has(name) || isStatus(name);
}

function isStatus(member: string): boolean {
  return /^[2-5]\d\d$/.test(member);
}

/** A resource in an application. */
interface Declaring {
  readonly name: string;
  readonly resource: object;
  /** Its path patterns, prefixes of groups included. */
  readonly patterns: readonly string[];
}

function checkOperation(
  operation: Readonly<Record<string, unknown>>,
  cannot: string,
  paths: readonly unknown[],
  params: ReadonlySet<string>,
): void {
  let hasAnswer = false;
  for (const [member, value] of Object.entries(operation)) {
    const word = words[member];
    if (word !== undefined) {
      const [isFit, expected] = word;
      if (value === undefined || isFit(value)) continue;
      throw new TypeError(`${cannot} has ${described(value)} for ${member}; write ${expected}`);
    }
    if (others.has(member)) continue;
    const status = Number(member);
    if (!isStatus(member)) {
      throw new TypeError(`${cannot} has a member "${member.slice(0, 80)}", which is neither known nor a status code`);
    }
    if (status < 400) hasAnswer = true;
    checkAnswer(value, status, cannot);
  }
  if (!hasAnswer) throw new TypeError(`${cannot} has no answer below 400; write 200: …, or 204: "…"`);
  checkInput(operation, cannot);
  const { at, path } = operation;
  const required = isSchema(path) ? requiredOf(path) : [];
  const missing = required.find((name) => !params.has(name));
  if (missing !== undefined) {
    throw new TypeError(
      `${cannot} has a path with ${described(missing)}, which no path of the class has; write one of ${[...params].map(described).join(", ").slice(0, 200)}`,
    );
  }
  if (at === undefined) return;
  const wrong = Array.isArray(at) ? (at as unknown[]).find((one) => !paths.includes(one)) : at;
  if (!Array.isArray(at) || at.length === 0 || wrong !== undefined) {
    throw new TypeError(
      `${cannot} is at ${at === undefined || wrong === undefined ? "nothing" : described(wrong)}, which is no path of the class; write one of ${paths.map(described).join(", ").slice(0, 200)}`,
    );
  }
}

function requiredOf(schema: StandardSchema): readonly string[] {
  const shown = jsonSchemaOf(schema, "input");
  return shown === undefined ? [] : [...membersOf(shown).required];
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
