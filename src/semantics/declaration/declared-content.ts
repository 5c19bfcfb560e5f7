import { parseMediaType } from "../../fields/media-type.ts";
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

/** Returns the schemas of content, of whatever media type. */
export function schemasIn(content: unknown): StandardSchema[] {
  if (isSchema(content)) return [content];
  if (isRawContent(content)) return content.kind === "events" ? [content.schema] : [];
  return content === undefined ? [] : Object.values(content as object).flatMap(schemasIn);
}
