import { parseMediaType } from "../../fields/media-type.ts";
import { isFieldValue } from "../../fields/token.ts";
import { described } from "../../http/javascript/described.ts";
import { isJsonSchema, type JsonSchema } from "../../json-schema/shape/json-schema.ts";
import { isSchema } from "../../json-schema/shape/standard-schema.ts";
import { isRawContent } from "../declaration/raw-content.ts";
import { wordSet } from "../../http/javascript/word-set.ts";

export type Unchecked = Readonly<Record<string, unknown>>;

/**
 * Refuses what is a schema elsewhere and none here: a JSON Schema, also one by media type, and an object whose members
 * are schemas.
 */
export function refuseRaw(value: unknown, where: string | number, cannot: string): void {
  if (!isJsonSchema(value) || isSchema(value) || isRawContent(value)) return;
  if (isJsonSchemaOfUsers(value)) {
    throw new TypeError(`${cannot} has a JSON Schema for ${where}; write jsonSchema(schema, check)`);
  }
  const members = Object.entries(value);
  // A member of an answer that is a schema may be a misspelled one.
  if (typeof where === "string" && members.length > 0 && members.every(([, member]) => isSchema(member))) {
    throw new TypeError(
      `${cannot} has an object of schemas for ${where}; write a schema of the object, such as z.object({ … })`,
    );
  }
  for (const [type, member] of members) {
    if (type.includes("/")) refuseRaw(member, `${described(type)} of ${where}`, cannot);
  }
}

/** Returns whether a value has what only JSON Schemas have. A schema of TypeBox that takes anything has no keyword. */
function isJsonSchemaOfUsers(value: JsonSchema): boolean {
  const isKeyword = (name: string): boolean => keywords.has(name) && !isSchema(value[name]);
  return (
    Object.keys(value).some(isKeyword) ||
    Object.getOwnPropertySymbols(value).some(({ description }) => description === "TypeBox.Kind")
  );
}

/** `description` and `examples` are left out, which answers have, too. */
const keywords = /* @__PURE__ */ wordSet(
  "$schema $id $ref type const enum anyOf oneOf allOf not properties patternProperties additionalProperties " +
    "required items prefixItems format pattern minLength maxLength minimum maximum",
);

/** Refuses a media type that no content has, and a charset in which no request is read. */
export function refuseUnreadTypes(content: unknown, where: "content" | number, cannot: string): void {
  if (content === undefined || isSchema(content)) return;
  const declared = isRawContent(content) ? [[content.type, content] as const] : Object.entries(content as object);
  for (const [type, one] of declared) {
    const mediaType = isFieldValue(type) ? parseMediaType(type) : null;
    // Bytes of an answer say which type of the range they are. What is written here has one type.
    const mayBeRange = where === "content" || (isRawContent(one) && one.kind === "bytes");
    const isWild = mediaType !== null && (mayBeRange ? /.\*|\*./ : /\*/).test(mediaType.subtype);
    if (mediaType === null || isWild) {
      throw new TypeError(`${cannot} has the media type ${described(type)} in ${where}; write one such as "image/png"`);
    }
    const charset = mediaType.parameters.get("charset") ?? "";
    if (where !== "content" || /^(?:utf-?8)?$/.test(charset)) continue;
    throw new TypeError(
      `${cannot} has the charset ${described(charset)} in content, which is read as UTF-8; leave it out`,
    );
  }
}
