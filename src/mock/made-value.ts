import { generateSync } from "json-schema-faker";
import type { JsonSchema } from "../json-schema/shape/json-schema.ts";

/**
 * Makes a value that fits a schema; the same for the same seed. It may not fit a schema that holds itself, or a check
 * that JSON Schema has no word for. So several values are tried. If none passes, the first one is returned.
 */
export function madeValue(schema: JsonSchema, isFit: (value: unknown) => boolean, seed: number): unknown {
  const first = valueOf(schema, seed);
  for (let value = first, tries = 1; ; value = valueOf(schema, seed + tries * step), tries++) {
    if (isFit(value)) return value;
    if (tries === mostTries) return first;
  }
}

const mostTries = 20;
/** Seeds of neighbors make similar values. */
const step = 0x9e_37_79_b1;

function valueOf(schema: JsonSchema, seed: number): unknown {
  return generateSync(schema, {
    seed: seed >>> 0,
    alwaysFakeOptionals: true,
    useExamplesValue: true,
    useDefaultValue: true,
    // Members that nobody named would not be written.
    fillProperties: false,
    maxDepth: 6,
  });
}

/** A number for a text: FNV-1a, in 32 bits. */
export function seedOf(text: string, seed: number): number {
  let hash = 0x81_1c_9d_c5 ^ seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
}
