import { Ajv } from "ajv";
import type { Idiom } from "./idiom.ts";
import { rawRows } from "./raw.ts";

const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false });
const text = { type: "string" };
const number = { type: "number" };
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});

export const rows: readonly Idiom[] = rawRows(
  {
    text,
    integer: { type: "integer" },
    union: { anyOf: [object({ n: number }), object({ s: text })] },
    loose: {
      anyOf: [
        { ...object({ n: number }), additionalProperties: true },
        { type: "object", additionalProperties: number },
      ],
    },
    discriminated: {
      anyOf: [object({ kind: { const: "a" }, n: number }), object({ kind: { const: "b" }, s: text })],
    },
    recursive: object({ name: text, children: { type: "array", items: { $ref: "#" } } }),
    readOnly: object({ v: { ...text, readOnly: false } }),
    intersection: { allOf: [object({ n: number }), object({ s: text })] },
    withDefault: object({ v: { ...text, default: "x" } }, []),
    object: (properties) => object(properties),
  },
  (schema) => ajv.compile(schema),
);
