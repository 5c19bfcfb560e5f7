import type { StandardSchema } from "./standard-schema.ts";

const known = new WeakMap<StandardSchema, object>();

/**
 * Returns the schema of Valibot that `toStandardJsonSchema()` has wrapped. The wrapper hides the parts of the schema. A
 * conversion shows them, the schema itself as the last one. Of a pipe it shows the first part.
 */
export function unwrappedValibot(schema: StandardSchema): object {
  let found = known.get(schema);
  if (found !== undefined) return found;
  found = schema;
  const overrideSchema = ({ valibotSchema }: { readonly valibotSchema: object }): void => void (found = valibotSchema);
  try {
    schema["~standard"].jsonSchema?.input({
      target: "draft-2020-12",
      libraryOptions: { errorMode: "ignore", overrideSchema },
    });
  } catch {
    // What was seen until then is a part, and not the whole.
    found = schema;
  }
  known.set(schema, found);
  return found;
}
