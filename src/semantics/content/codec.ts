import type { StandardSchema } from "../declaration/standard-schema.ts";

/**
 * Returns whether a schema of zod holds a codec, which has an encoding besides its decoding. A Standard Schema can only decode: what a handler
 * returns would be taken for what a client sends.
 */
export function hasCodec(schema: StandardSchema): boolean {
  const { vendor, jsonSchema } = schema["~standard"];
  if (vendor !== "zod") return false;
  let isFound = false;
  const override = ({ zodSchema }: ZodConversion): void => {
    // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
    const { reverseTransform } = zodSchema._zod.def;
    isFound ||= typeof reverseTransform === "function";
  };
  try {
    jsonSchema?.output({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any", override } });
  } catch {
    // What cannot be described at all has no parts that could be looked at.
  }
  return isFound;
}

interface ZodConversion {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly reverseTransform?: unknown } } };
}
