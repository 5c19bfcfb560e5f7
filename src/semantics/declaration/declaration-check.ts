import { methods } from "../../http/method.ts";
import { parseMediaType } from "../../fields/media-type.ts";
import { described } from "../../http/described.ts";
import { isSchema, jsonSchemaOf } from "../content/standard-schema.ts";
import { TextReader } from "../content/text-reader.ts";
import type { Method } from "./operation.ts";
import { isRawContent } from "./raw-content.ts";

/** The methods of this chain: QUERY is the tenth (RFC 10008). */
export const semanticMethods: readonly Method[] = [...methods, "QUERY"];

const words = new Set(
  "id summary description tags deprecated examples security path query headers cookies content at conditional cache etag".split(
    " ",
  ),
);
const parts = ["path", "query", "headers", "cookies"] as const;

/**
 * Refuses declarations that cannot work, naming class, method and member.
 *
 * @throws {TypeError} which says what to write.
 */
export function checkDeclarations(
  Class: Readonly<Record<string, unknown>>,
  paths: readonly unknown[],
  name: string,
  isImplemented: (method: Method) => boolean,
): void {
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
    checkOperation(operation as Readonly<Record<string, unknown>>, cannot, paths);
  }
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
    const { objectMembers } = new TextReader(jsonSchemaOf(schema, "input"), part);
    if (objectMembers.length > 0) {
      throw new TypeError(
        `${cannot} has an object for "${objectMembers[0]!.slice(0, 80)}" of ${part}: text cannot hold one; write its members one by one`,
      );
    }
  }
  const { content } = operation;
  if (content !== undefined && !isContent(content) && !isMap(content)) {
    throw new TypeError(
      `${cannot} has ${described(content)} for content; write a schema, bytes(), or { [mediaType]: schema }`,
    );
  }
}

function checkOperation(operation: Readonly<Record<string, unknown>>, cannot: string, paths: readonly unknown[]): void {
  let hasAnswer = false;
  for (const [member, value] of Object.entries(operation)) {
    if (words.has(member)) continue;
    const status = Number(member);
    if (!/^\d{3}$/.test(member) || status < 200 || status > 599) {
      throw new TypeError(`${cannot} has a member "${member.slice(0, 80)}", which is neither known nor a status code`);
    }
    if (status < 400) hasAnswer = true;
    if (typeof value === "string" || isContent(value)) continue;
    if (typeof value !== "object" || value === null) {
      throw new TypeError(`${cannot} has ${described(value)} for ${status}; write a schema, a text, or { content: … }`);
    }
    const { content } = value as { content?: unknown };
    if (content !== undefined && !isContent(content) && !isMap(content)) {
      throw new TypeError(
        `${cannot} has ${described(content)} for the content of ${status}; write a schema, or { [mediaType]: schema }`,
      );
    }
  }
  if (!hasAnswer) throw new TypeError(`${cannot} has no answer below 400; write 200: …, or 204: "…"`);
  checkInput(operation, cannot);
  const { at } = operation;
  if (at === undefined) return;
  const wrong = Array.isArray(at) ? (at as unknown[]).find((path) => !paths.includes(path)) : at;
  if (!Array.isArray(at) || wrong !== undefined) {
    throw new TypeError(
      `${cannot} is at ${described(wrong)}, which is no path of the class; write one of ${paths.map(described).join(", ").slice(0, 200)}`,
    );
  }
}

function isContent(value: unknown): boolean {
  return isSchema(value) || isRawContent(value);
}

function isMap(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([type, content]) => parseMediaType(type) !== null && isContent(content));
}
