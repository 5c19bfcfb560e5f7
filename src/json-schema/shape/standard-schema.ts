import { isThenable } from "../../http/javascript/thenable.ts";
import { isJsonSchema, type JsonSchema } from "./json-schema.ts";
import { lenientOptionsOf } from "./lenient-options.ts";
import { convertedByMembers } from "./member-conversion.ts";

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

/** One error of a value. */
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
 * The type of values that a schema accepts. PERF: indexing the type instead of inferring it costs the compiler 4
 * instantiations of 124 more (`node scripts/check/type-cost.js`).
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

/** Returns whether a value is a Standard Schema; schemas of ArkType are functions. */
export function isSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const members: unknown = standardOf(value as StandardSchema);
  return (
    typeof members === "object" &&
    members !== null &&
    typeof (members as Partial<StandardProperties<never, never>>).validate === "function"
  );
}

const ofClasses = new WeakMap<object, StandardSchema["~standard"]>();

/**
 * Returns the properties of a schema, or of another one of its class. PERF: zod makes them for each schema that is
 * asked, 0.8 kB, which `build()` does without (`node bench/requests.js --measure=cold`).
 */
export function standardOf(schema: StandardSchema): StandardSchema["~standard"] {
  if (Object.hasOwn(schema, "~standard") || !("_zod" in schema)) return schema["~standard"];
  const Class = Object.getPrototypeOf(schema) as object;
  let properties = ofClasses.get(Class);
  if (properties === undefined) ofClasses.set(Class, (properties = schema["~standard"]));
  return properties;
}

/**
 * Returns the JSON Schema of one side of a schema; `undefined` if its library has none.
 *
 * A member that JSON Schema cannot describe, a date or a bigint, becomes the schema of everything, and its neighbors
 * keep their types. So do the neighbors of a member whose conversion throws. Does not throw. Each call converts again:
 * schemas may be completed after they are declared.
 *
 * @param own options for the library, besides those by which it describes what it can.
 */
export function jsonSchemaOf(
  schema: StandardSchema,
  side: "input" | "output",
  own?: Readonly<Record<string, unknown>>,
): JsonSchema | undefined {
  const whole = convertedWhole(schema, side, own);
  if (whole !== undefined) return whole;
  const cleaned = cleaning(own);
  return convertedByMembers(schema, side, (member) => convertedWhole(member as StandardSchema, side, cleaned));
}

/** Has zod leave out defaults and examples that it cannot write. */
function cleaning(own: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    ...own,
    override: (context: { readonly jsonSchema: Record<string, unknown> }): void => {
      (own["override"] as ((given: object) => void) | undefined)?.(context);
      for (const keyword of ["default", "examples"]) {
        if (!isWritable(context.jsonSchema[keyword])) delete context.jsonSchema[keyword];
      }
    },
  };
}

function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/** Leaves out bigints, of defaults or examples: no JSON Schema holds one. */
export function withoutBigints<Schema>(schema: Schema): Schema {
  if (isWritable(schema)) return schema;
  const text = JSON.stringify(schema, (_, value: unknown) => (typeof value === "bigint" ? undefined : value));
  return JSON.parse(text) as Schema;
}

function convertedWhole(
  schema: StandardSchema,
  side: "input" | "output",
  own: Readonly<Record<string, unknown>> | undefined,
): JsonSchema | undefined {
  const lenient = lenientOptionsOf(vendorOf(schema), side);
  for (const libraryOptions of own === undefined
    ? [lenient, undefined]
    : [{ ...lenient, ...own }, lenient, undefined]) {
    for (const target of targets) {
      try {
        const converted: unknown = schema["~standard"].jsonSchema?.[side]({
          target,
          ...(libraryOptions === undefined ? {} : { libraryOptions }),
        });
        if (isJsonSchema(converted)) return withoutBigints(converted);
      } catch {
        // Another target, or the library's own options, may do.
      }
    }
  }
  return undefined;
}

const targets: readonly string[] = ["draft-2020-12", "draft-07", "openapi-3.0"];

/**
 * Returns the issues of a value that no client sent, while an application is built. Null if the schema throws or
 * rejects. Nobody waits then, so an error that is not caught would end the process.
 */
export function probed(schema: StandardSchema, value: unknown): Probed | Promise<Probed> {
  // An asynchronous schema of zod begins twice in `validate()`, which drops the first Promise.
  const { _zod: zod } = schema as Partial<ZodSchema>;
  const issuesOf = ({ issues }: { readonly issues?: Probed | undefined }): Probed => issues ?? [];
  try {
    const given = zod ? zod.run({ value, issues: [] }, { async: true }) : schema["~standard"].validate(value);
    return isThenable(given) ? Promise.resolve(given).then(issuesOf, () => null) : issuesOf(given);
  } catch {
    return null;
  }
}

/** The issues of a value: an empty list if the schema takes it. */
export type Probed = readonly StandardIssue[] | null;

/** The member of schemas of zod 4 by which other libraries run them. */
interface ZodSchema {
  readonly _zod: {
    run(from: ZodRun & { readonly value: unknown }, options: { readonly async: true }): ZodRun | Promise<ZodRun>;
  };
}

interface ZodRun {
  readonly issues: readonly StandardIssue[];
}

/** Returns the name of the library of a schema, or an empty text. */
export function vendorOf(schema: StandardSchema): string {
  try {
    return standardOf(schema).vendor;
  } catch {
    return "";
  }
}
