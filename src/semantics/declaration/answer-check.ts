import { isToken } from "../../fields/token.ts";
import { described } from "../../http/described.ts";
import { hasCodec } from "../content/conversions.ts";
import { isSchema } from "../content/standard-schema.ts";
import { checkTypes, isContent, isMap, schemasIn } from "./content-check.ts";
import type { StandardSchema } from "./standard-schema.ts";

const withoutContent: ReadonlySet<number> = new Set([204, 205, 304]);
const answerMembers: ReadonlySet<string> = new Set(["description", "content", "headers", "examples"]);

/**
 * Refuses what an operation declares of one status, if it cannot be sent.
 *
 * @param cannot the beginning of the message.
 * @throws {TypeError} which says what to write.
 */
export function checkAnswer(value: unknown, status: number, cannot: string): void {
  if (typeof value === "string") return;
  const isWhole = isContent(value);
  if (!isWhole && (typeof value !== "object" || value === null)) {
    throw new TypeError(`${cannot} has ${described(value)} for ${status}; write a schema, a text, or { content: … }`);
  }
  const { content, headers = {}, ...more } = (isWhole ? { content: value } : value) as AnswerMembers;
  const unknown = Object.keys(more).find((member) => !answerMembers.has(member));
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
