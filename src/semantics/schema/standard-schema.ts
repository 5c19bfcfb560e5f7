import { isJsonSchema, type JsonSchema } from "./json-schema.ts";
import { isThenable } from "../../http/javascript/thenable.ts";
import type { StandardIssue, StandardSchema } from "../declaration/standard-schema.ts";
import { lenientOptionsOf } from "./lenient-options.ts";

/** Returns whether a value is a Standard Schema; schemas of ArkType are functions. */
export function isSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const members = (value as Partial<StandardSchema>)["~standard"];
  return typeof members === "object" && members !== null && typeof members.validate === "function";
}

/**
 * Returns the JSON Schema of one side of a schema; `undefined` if its library has none.
 *
 * A member that JSON Schema cannot describe, a date or a bigint, becomes the schema of everything, and its neighbors keep
 * their types. Does not throw. Each call converts again: schemas may be completed after they are declared.
 */
export function jsonSchemaOf(schema: StandardSchema, side: "input" | "output"): JsonSchema | undefined {
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

const targets: readonly string[] = ["draft-2020-12", "draft-07", "openapi-3.0"];

/**
 * Returns the issues of a value that no client sent, while an application is built. Null if the schema throws or rejects.
 *
 * Nobody waits then, so an error that is not caught would end the process.
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
    return schema["~standard"].vendor;
  } catch {
    return "";
  }
}
