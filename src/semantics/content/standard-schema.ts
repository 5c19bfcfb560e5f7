import { isJsonSchema, type JsonSchema } from "./json-schema.ts";
import { lenientOptionsOf } from "./lenient-options.ts";

/**
 * A schema that any validation library may give: one object under `~standard`, as Standard Schema 1 describes it.
 *
 * `Input` is what the schema takes, `Output` what validation gives: they differ where a schema has defaults or transforms.
 */
export interface Schema<Input = unknown, Output = Input> {
  readonly "~standard": SchemaMembers<Input, Output>;
}

/** What a library promises under `~standard`. */
export interface SchemaMembers<Input = unknown, Output = Input> {
  readonly version: 1;
  /** The name of the library, `"zod"` for one. */
  readonly vendor: string;
  readonly validate: (
    value: unknown,
    options?: { readonly libraryOptions?: Record<string, unknown> | undefined } | undefined,
  ) => Validation<Output> | Promise<Validation<Output>>;
  /** For the compiler only; no value stands here. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  /** Standard JSON Schema; libraries without it have no such member. */
  readonly jsonSchema?: JsonSchemaConverter | undefined;
}

/** What validation gives: the value without issues, or issues. */
export type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** One reason why a value does not fit. Libraries add members of their own. */
export interface Issue {
  readonly message: string;
  /** From the whole value to what does not fit; no path is the whole. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Describes either side of a schema as JSON Schema; throws where it cannot. */
export interface JsonSchemaConverter {
  readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
  readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
}

/** Which JSON Schema is wanted. */
export interface JsonSchemaOptions {
  readonly target: JsonSchemaTarget;
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The versions of JSON Schema that the standard names; a library may know others, or fewer. */
export type JsonSchemaTarget = "draft-2020-12" | "draft-07" | "openapi-3.0" | ({} & string);

/** What a schema takes. */
export type InputOf<S extends Schema> = NonNullable<S["~standard"]["types"]>["input"];

/** What validation by a schema gives. */
export type OutputOf<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** Whether a value is a Standard Schema; those of ArkType are functions. */
export function isSchema(value: unknown): value is Schema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const members = (value as Partial<Schema>)["~standard"];
  return typeof members === "object" && members !== null && typeof members.validate === "function";
}

/**
 * Returns the JSON Schema of one side of a schema; `undefined` if its library has none.
 *
 * A member that JSON Schema cannot describe, a date or a bigint, becomes the schema of everything, and its neighbors keep
 * their types. Does not throw. Each call converts again: schemas may be completed after they are declared.
 */
export function jsonSchemaOf(schema: Schema, side: "input" | "output"): JsonSchema | undefined {
  for (const libraryOptions of [lenientOptionsOf(vendorOf(schema), side), undefined]) {
    for (const target of targets) {
      try {
        const converted: unknown = schema["~standard"].jsonSchema?.[side]({
          target,
          ...(libraryOptions === undefined ? {} : { libraryOptions }),
        });
        if (isJsonSchema(converted)) return converted;
      } catch {
        // Another target, or the library's own options, may do.
      }
    }
  }
  return undefined;
}

const targets: readonly JsonSchemaTarget[] = ["draft-2020-12", "draft-07", "openapi-3.0"];

function vendorOf(schema: Schema): string {
  try {
    return schema["~standard"].vendor;
  } catch {
    return "";
  }
}
