import { parseMediaType } from "../../fields/media-type.ts";
import { isFieldValue } from "../../fields/token.ts";
import { described } from "../../http/described.ts";
import { isSchema } from "../content/standard-schema.ts";
import { isRawContent } from "./raw-content.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** Returns whether a value declares content of one media type. */
export function isContent(value: unknown): boolean {
  return isSchema(value) || isRawContent(value);
}

/** Returns whether a value declares content by media type. */
export function isMap(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([type, content]) => parseMediaType(type) !== null && isContent(content));
}

/** Refuses a media type that no content has, and a charset in which no request is read. */
export function checkTypes(content: unknown, where: "content" | number, cannot: string): void {
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

/** The schemas of content, by whatever media type. */
export function schemasIn(content: unknown): StandardSchema[] {
  if (isSchema(content)) return [content];
  if (isRawContent(content)) return content.kind === "events" ? [content.schema] : [];
  return content === undefined ? [] : Object.values(content as object).flatMap(schemasIn);
}
