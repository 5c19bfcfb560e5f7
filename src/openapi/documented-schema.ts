import type { JsonSchema } from "../semantics/content/json-schema.ts";
import { jsonSchemaOf } from "../semantics/content/standard-schema.ts";
import type { StandardSchema } from "../semantics/declaration/standard-schema.ts";

/** Returns the JSON Schema of one side; `undefined` if there is none. A date in an answer is a string, as in JSON. */
export function documentedSchemaOf(schema: StandardSchema, side: "input" | "output"): JsonSchema | undefined {
  const { vendor, jsonSchema } = schema["~standard"];
  if (vendor !== "zod" || side === "input") return jsonSchemaOf(schema, side);
  try {
    const libraryOptions = { unrepresentable: "any", override: writeDate };
    return jsonSchema?.output({ target: "draft-2020-12", libraryOptions });
  } catch {
    return jsonSchemaOf(schema, side);
  }
}

interface ZodConversion {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly jsonSchema: Record<string, unknown>;
}

// oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
function writeDate({ zodSchema: { _zod: internals }, jsonSchema }: ZodConversion): void {
  if (internals.def.type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
}
