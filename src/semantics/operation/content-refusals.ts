import { parseMediaType } from "../../fields/media-type.ts";
import { isFieldValue } from "../../fields/token.ts";
import { described } from "../../http/javascript/described.ts";
import { isJsonSchema } from "../../json-schema/json-schema.ts";
import { isSchema } from "../../json-schema/standard-schema.ts";
import { isRawContent } from "../declaration/raw-content.ts";

/** An operation before it was checked. */
export type Unchecked = Readonly<Record<string, unknown>>;

/** Refuses a JSON Schema that is not a Standard Schema. */
export function refuseRaw(value: unknown, where: string | number, cannot: string): void {
  const isRaw = isJsonSchema(value) && !isSchema(value) && rawKeywords.some((keyword) => Object.hasOwn(value, keyword));
  if (isRaw) throw new TypeError(`${cannot} has a JSON Schema for ${where}; write jsonSchema(schema, check)`);
}

const rawKeywords = ["type", "properties", "$ref", "anyOf", "oneOf", "allOf", "enum"];

/** Refuses a media type that no content has, and a charset in which no request is read. */
export function refuseUnreadTypes(content: unknown, where: "content" | number, cannot: string): void {
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
