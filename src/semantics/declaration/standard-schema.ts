/** A schema of any library that implements Standard Schema, version 1: zod, Valibot, ArkType and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The properties that the specification defines. */
  readonly "~standard": StandardProperties<Input, Output>;
}

/** The properties of a Standard Schema. */
interface StandardProperties<Input, Output> {
  /** The version of the specification. */
  readonly version: 1;
  /** The name of the library. */
  readonly vendor: string;
  /** Checks a value, and converts it to the output. */
  readonly validate: (
    value: unknown,
    options?: StandardOptions | undefined,
  ) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** The types of both sides. It does not exist at run time. */
  readonly types?: StandardTypes<Input, Output> | undefined;
  /** Converts the schema to JSON Schema, where the library can. */
  readonly jsonSchema?: JSONSchemaConverter | undefined;
}

/** The types of both sides of a schema. */
interface StandardTypes<Input, Output> {
  /** The type of values that the schema accepts. */
  readonly input: Input;
  /** The type of values that the schema returns. */
  readonly output: Output;
}

/** The result of a validation: a value, or what is wrong with the one that came. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** The message for people. */
  readonly message: string;
  /** The place in the value, from the outside in. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The options for a library. */
interface StandardOptions {
  /** Options of the library's own. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** Options of a conversion to JSON Schema. */
interface JSONSchemaOptions extends StandardOptions {
  /** The version of JSON Schema, such as `draft-2020-12`. */
  readonly target: string;
}

/** Converts each side of a schema to JSON Schema. */
interface JSONSchemaConverter {
  /** Converts the input side. @throws when the target is not supported, or JSON Schema cannot express the schema. */
  readonly input: (options: JSONSchemaOptions) => Record<string, unknown>;
  /** Converts the output side. @throws when the target is not supported, or JSON Schema cannot express the schema. */
  readonly output: (options: JSONSchemaOptions) => Record<string, unknown>;
}

/**
 * The type of values that a schema accepts.
 *
 * PERF: inferring the type costs the compiler 4 instantiations an answer less than indexing it: `node
 * scripts/check/type-cost.js`.
 */
export type InferInput<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly input: infer Input } | undefined };
}
  ? Input
  : never;

/** The type of values that a schema returns. */
export type InferOutput<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : never;
