import { parseMediaType } from "../../fields/media-type.ts";
import type { DeclaredContent } from "../declaration/operation.ts";
import { isJsonContent } from "../declaration/json-content.ts";
import { isProblemContent } from "../declaration/problem-content.ts";
import { isRawContent, type BytesContent, type RawContent, type TextContent } from "../declaration/raw-content.ts";
import { textTypeOf } from "../declaration/content-sending.ts";
import { contentKinds, schemasOfRaw } from "./content-kinds.ts";
import { isSchema, type StandardSchema } from "../../json-schema/shape/standard-schema.ts";

/** A form whose files are stored while they come in. */
export type Form = Extract<RawContent, { readonly kind: "form" }>;

/** One media type of declared content. */
export interface Media {
  /** The media type as it is declared. */
  readonly type: string;
  /** Whether that is a range of them. */
  readonly isRange: boolean;
  /** Null where the content is of a raw kind. */
  readonly schema: StandardSchema | null;
  /** Null where a schema describes the content. */
  readonly raw: RawContent | null;
  /** Maximum size of a request body in bytes; undefined where nothing is said. */
  readonly maxBytes?: number | undefined;
  /** How many members a request has at most; undefined where nothing is said. */
  readonly maxMembers?: number | undefined;
  readonly isJson: boolean;
}

/** What content of requests and of answers has in common. */
export class Medium {
  readonly type: string;
  readonly isRange: boolean;
  readonly schema: StandardSchema | null;
  readonly raw: RawContent | null;
  readonly isJson: boolean;

  constructor({ type, isRange, schema, raw, isJson }: Media) {
    this.type = type;
    this.isRange = isRange;
    this.schema = schema;
    this.raw = raw;
    this.isJson = isJson;
  }
}

/** Reads content as it is declared: a schema is JSON, a raw kind has a type of its own, and a map has several. */
export function mediaOf(content: DeclaredContent): Media[] {
  if (isSchema(content)) return [mediumOf(isProblemContent(content) ? problemType : "application/json", content)];
  if (isRawContent(content)) {
    const { types = [content.type] } = contentKinds[content.kind];
    return types.map((type) => mediumOf(type, content));
  }
  return Object.entries(content).map(([type, declared]) => mediumOf(type, declared as StandardSchema | RawContent));
}

const problemType = "application/problem+json";

/**
 * Names the type by which clients may ask for content: all that is written here is UTF-8, whether its field says so or
 * not.
 */
export function sentTypeOf({ type, raw }: Media): string {
  return raw === null || contentKinds[raw.kind].isText === true ? textTypeOf(type) : type;
}

function mediumOf(type: string, declared: StandardSchema | RawContent): Media {
  const essence = type.split(";")[0]!.trim().toLowerCase();
  const isJson = essence === "application/json" || essence.endsWith("+json");
  const medium = { type, isRange: essence.endsWith("/*"), schema: null, raw: null, isJson };
  if (isRawContent(declared)) {
    return { ...medium, raw: declared, maxBytes: (declared as BytesContent | TextContent).maxBytes };
  }
  if (!isJsonContent(declared)) return { ...medium, schema: declared };
  const { schema, maxBytes, maxMembers } = declared;
  return { ...medium, schema, maxBytes, maxMembers };
}

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
  if (isJsonContent(content)) return [content.schema];
  if (isSchema(content)) return [content];
  if (isRawContent(content)) return schemasOfRaw(content);
  return content === undefined ? [] : Object.values(content as object).flatMap(schemasIn);
}
