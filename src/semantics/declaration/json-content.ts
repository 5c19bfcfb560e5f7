import { OptionCheck } from "../../http/javascript/option-check.ts";
import { isSchema, type StandardSchema } from "../../json-schema/shape/standard-schema.ts";

/** A schema whose content may have so many bytes. It is a Standard Schema of the same values. */
export type JsonContent<Schema extends StandardSchema> = Pick<Schema, "~standard"> & {
  /** The schema itself. */
  readonly schema: Schema;
  /** Maximum size of a request body in bytes. */
  readonly maxBytes: number;
  /** How many members the objects and lists of a request have at most. */
  readonly maxMembers: number;
};

/** Options of `json()` besides a schema. */
export interface JsonOptions {
  /** Maximum size of a request body in bytes; fingerpost answers more with 413. Default: 1 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * Maximum number of members of objects and lists together, or of fields of a form; fingerpost answers more with 413.
   * Default: 100,000.
   */
  readonly maxMembers?: number | undefined;
}

/** What `json()` returned. A schema of a library may have members of the same names. */
const made = new WeakSet<object>();

/**
 * Declares content by a schema, and how long it may be. In a map of media types, the key is the type: a form, too.
 *
 * @throws {TypeError} when an option is wrong, or `schema` is not a schema.
 * @example
 * ```ts
 * class Books extends Resource {
 *   paths = ["/books"] as const;
 *
 *   static PUT = { content: json(z.array(z.string()), { maxBytes: 20_000_000 }), 204: "The books are stored" };
 *   PUT({ content }: Call<typeof Books, "PUT">) {
 *     console.log(content.length);
 *     return reply(204);
 *   }
 * }
 * ```
 */
export function json<Schema extends StandardSchema>(schema: Schema, options: JsonOptions): JsonContent<Schema> {
  const check = new OptionCheck("json", options, ["maxBytes", "maxMembers"]);
  const { maxBytes = 1_048_576, maxMembers = 100_000 } = check.options;
  check.require(isSchema(schema), "schema", "a schema, such as z.string(), or jsonSchema(schema, check)", schema);
  check.count("maxBytes", "maxMembers");
  const content = Object.freeze({ "~standard": schema["~standard"], schema, maxBytes, maxMembers });
  made.add(content);
  return content as JsonContent<Schema>;
}

export function isJsonContent(value: unknown): value is JsonContent<StandardSchema> {
  return typeof value === "object" && value !== null && made.has(value);
}
