import { parseMediaType } from "../../fields/media-type.ts";
import { isFieldValue, isToken } from "../../fields/token.ts";
import { described } from "../../http/javascript/described.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import { parsePathPattern } from "../../routing/pattern/path-pattern.ts";
import { hasCodec } from "../content/conversions.ts";
import { isSchema, jsonSchemaOf } from "../content/standard-schema.ts";
import { membersOf } from "../content/text-members.ts";
import { TextReader, type TextPart } from "../content/text-reader.ts";
import { tried } from "../content/tried-values.ts";
import { unshownPlacesIn } from "../content/unshown-places.ts";
import { reads } from "../line/plan.ts";
import { isContent, isMap, schemasIn } from "./declared-content.ts";
import { isStatus, others, semanticMethods, words } from "./operation-members.ts";
import type { Method, Operation } from "./operation.ts";
import { refuseStrays } from "./stray-operations.ts";
import type { StandardSchema } from "./standard-schema.ts";
import { isRawContent } from "./raw-content.ts";

const parts = ["path", "query", "headers", "cookies"] as const;

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
  const validator = propertyOf(resource as { readonly validator?: unknown }, "validator");
  if (validator !== undefined && typeof validator !== "function") {
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
    const { conditional, etag } = operation as Operation;
    // Without validators each precondition holds, so that a required one protects nothing. Reads may have a tag of their content.
    if (conditional === undefined || validator !== undefined || (etag !== undefined && reads.has(method))) continue;
    throw new TypeError(
      `${cannot} requires a precondition, and the class has no validator; write validator(call) { … }`,
    );
  }
  refuseStrays(Class, name);
}

/**
 * Refuses what an operation declares of requests, if it cannot be read.
 *
 * @param cannot the beginning of the message.
 * @throws {TypeError} which says what to write.
 */
export function checkInput(operation: Readonly<Record<string, unknown>>, cannot: string): void {
  for (const part of parts) {
    const schema = operation[part];
    if (schema === undefined) continue;
    if (!isSchema(schema))
      throw new TypeError(`${cannot} has ${described(schema)} for ${part}; write a schema of an object`);
    const shown = jsonSchemaOf(schema, "input");
    if (typeof shown?.["type"] === "string" && shown["type"] !== "object") {
      throw new TypeError(`${cannot} has a schema of type ${shown["type"]} for ${part}; write a schema of an object`);
    }
    if (part === "headers" || part === "cookies") {
      const unfit = shown && [...membersOf(shown).shapes.keys()].find((name) => !isToken(name));
      if (unfit !== undefined) {
        throw new TypeError(
          `${cannot} has ${described(unfit)} for ${part}, a name that no request can have; write a token, such as "x-name"`,
        );
      }
    }
    const { objectMembers } = new TextReader(shown, part);
    if (objectMembers.length > 0) {
      throw new TypeError(
        `${cannot} has an object for "${objectMembers[0]!.slice(0, 80)}" of ${part}: text cannot hold one; write its members one by one`,
      );
    }
    refuseInstances(schema, part, cannot);
  }
  const { content } = operation;
  if (content === undefined) return;
  if (!isContent(content) && !isMap(content)) {
    throw new TypeError(
      `${cannot} has ${described(content)} for content; write a schema, bytes(), or { [mediaType]: schema }`,
    );
  }
  checkTypes(content, "content", cannot);
  for (const schema of schemasIn(content)) refuseInstances(schema, "content", cannot);
  for (const raw of isRawContent(content) ? [content] : Object.values(content as object).filter(isRawContent)) {
    if (raw.kind === "written" || raw.kind === "events") {
      throw new TypeError(`${cannot} has ${raw.kind}() for content, which only answers have; write text() or bytes()`);
    }
    const { maxBytes = 0 } = raw;
    if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
      throw new TypeError(`${cannot} has ${described(maxBytes)} for maxBytes; write a whole number of bytes`);
    }
  }
}

/** A value that is a date, and nothing that requests carry, would refuse whatever a client sends. */
function refuseInstances(schema: StandardSchema, part: TextPart | "content", cannot: string): void {
  const place = unshownPlacesIn(jsonSchemaOf(schema, "input")).find((one) => tried(schema, one) === "instance");
  if (place === undefined) return;
  const name = place.path.map((key) => (typeof key === "string" ? `.${key}` : "[]")).join("");
  const where = name === "" ? part : `"${name.replace(/^\./, "").slice(0, 80)}" of ${part}`;
  throw new TypeError(
    `${cannot} has a date or a bigint for ${where}, and no request carries one; write a schema that reads text, such as z.coerce.date()`,
  );
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
  const shown = isSchema(path) ? jsonSchemaOf(path, "input") : undefined;
  const missing = shown && [...membersOf(shown).required].find((name) => !params.has(name));
  if (missing !== undefined) {
    throw new TypeError(
      `${cannot} has a path with ${described(missing)}, which no path of the class has; write one of ${[...params].map(described).join(", ").slice(0, 200)}`,
    );
  }
  if (at === undefined) return;
  const wrong = Array.isArray(at) ? (at as unknown[]).find((one) => !paths.includes(one)) : at;
  if (!Array.isArray(at) || at.length === 0 || wrong !== undefined) {
    throw new TypeError(
      `${cannot} is at ${wrong === undefined ? "nothing" : described(wrong)}, which is no path of the class; write one of ${paths.map(described).join(", ").slice(0, 200)}`,
    );
  }
}

const withoutContent: ReadonlySet<number> = new Set([204, 205, 304]);

function checkAnswer(value: unknown, status: number, cannot: string): void {
  if (typeof value === "string") return;
  const isWhole = isContent(value);
  if (!isWhole && (typeof value !== "object" || value === null)) {
    throw new TypeError(`${cannot} has ${described(value)} for ${status}; write a schema, a text, or { content: … }`);
  }
  const { content, headers = {}, ...more } = (isWhole ? { content: value } : value) as AnswerMembers;
  const unknown = Object.keys(more).find((member) => member !== "description" && member !== "examples");
  if (unknown !== undefined) {
    throw new TypeError(
      `${cannot} has ${described(unknown)} in ${status}; write description, content, headers or examples`,
    );
  }
  if (content !== undefined && !isContent(content) && !isMap(content)) {
    throw new TypeError(
      `${cannot} has ${described(content)} for the content of ${status}; write a schema, or { [mediaType]: schema }`,
    );
  }
  if (content !== undefined && withoutContent.has(status)) {
    throw new TypeError(`${cannot} has content for ${status}, which has none; write ${status}: "…"`);
  }
  checkTypes(content, status, cannot);
  for (const [name, schema] of Object.entries(headers as object)) {
    if (isToken(name) && isSchema(schema)) continue;
    throw new TypeError(
      `${cannot} has ${described(schema)} for the field ${described(name)} of ${status}; write a field name and a schema`,
    );
  }
  for (const schema of [...schemasIn(content), ...(Object.values(headers as object) as StandardSchema[])]) {
    if (!hasCodec(schema)) continue;
    throw new TypeError(
      `${cannot} has a codec in ${status}, which would be decoded; write the schema of what the handler returns, such as z.date()`,
    );
  }
}

interface AnswerMembers {
  readonly content?: unknown;
  readonly headers?: unknown;
}

/** Refuses a media type that no content has, and a charset in which no request is read. */
function checkTypes(content: unknown, where: "content" | number, cannot: string): void {
  if (content === undefined || isSchema(content)) return;
  for (const type of isRawContent(content) ? [content.type] : Object.keys(content as object)) {
    const mediaType = isFieldValue(type) ? parseMediaType(type) : null;
    if (mediaType === null || (where !== "content" && mediaType.subtype === "*")) {
      throw new TypeError(`${cannot} has the media type ${described(type)} in ${where}; write one such as "image/png"`);
    }
    const charset = mediaType.parameters.get("charset") ?? "";
    if (where !== "content" || /^(?:utf-?8)?$/.test(charset)) continue;
    throw new TypeError(
      `${cannot} has the charset ${described(charset)} in content, which is read as UTF-8; leave it out`,
    );
  }
}
