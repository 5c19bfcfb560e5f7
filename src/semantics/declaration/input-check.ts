import { isToken } from "../../fields/token.ts";
import { described } from "../../http/described.ts";
import { isSchema, jsonSchemaOf } from "../content/standard-schema.ts";
import { membersOf } from "../content/text-members.ts";
import { TextReader, type TextPart } from "../content/text-reader.ts";
import { tried } from "../content/tried-values.ts";
import { unshownPlacesIn } from "../content/unshown-places.ts";
import { checkTypes, isContent, isMap, schemasIn } from "./content-check.ts";
import { isRawContent } from "./raw-content.ts";
import type { StandardSchema } from "./standard-schema.ts";

const parts = ["path", "query", "headers", "cookies"] as const;

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
  const name = place.map((key) => (typeof key === "string" ? `.${key}` : "[]")).join("");
  const where = name === "" ? part : `"${name.replace(/^\./, "").slice(0, 80)}" of ${part}`;
  throw new TypeError(
    `${cannot} has a date or a bigint for ${where}, and no request carries one; write a schema that reads text, such as z.coerce.date()`,
  );
}
