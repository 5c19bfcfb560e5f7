import { generateSync } from "json-schema-faker";
import type { JsonSchema } from "../json-schema/shape/json-schema.ts";

/**
 * Makes a value that fits a schema; the same for the same seed. It may not fit a schema that holds itself, or a check
 * that JSON Schema has no word for. So several values are tried, the last ones without optional members. Undefined if
 * none passes.
 */
export function madeValue(schema: JsonSchema, isFit: (value: unknown) => boolean, seed: number): unknown {
  for (let tries = 0; tries < mostTries; tries++) {
    const value = valueOf(schema, seed + tries * step, tries < mostTries / 2);
    if (isFit(value)) return value;
  }
  return undefined;
}

const mostTries = 20;
/** Seeds of neighbors make similar values. */
const step = 0x9e_37_79_b1;

function valueOf(schema: JsonSchema, seed: number, isWhole: boolean): unknown {
  return generateSync(schema, {
    seed: seed >>> 0,
    alwaysFakeOptionals: isWhole,
    ...(isWhole ? {} : { optionalsProbability: 0, maxItems: 1 }),
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
