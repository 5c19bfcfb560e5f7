import { Type, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Idiom } from "./idiom.ts";
import { rawRows } from "./raw.ts";

export const rows: readonly Idiom[] = rawRows(
  {
    text: Type.String(),
    integer: Type.Integer(),
    union: Type.Union([Type.Object({ n: Type.Number() }), Type.Object({ s: Type.String() })]),
    loose: Type.Union([
      Type.Object({ n: Type.Number() }, { additionalProperties: true }),
      Type.Object({}, { additionalProperties: Type.Number() }),
    ]),
    discriminated: Type.Union([
      Type.Object({ kind: Type.Literal("a"), n: Type.Number() }),
      Type.Object({ kind: Type.Literal("b"), s: Type.String() }),
    ]),
    recursive: Type.Recursive((self) => Type.Object({ name: Type.String(), children: Type.Array(self) })),
    readOnly: Type.Object({ v: Type.Readonly(Type.String()) }),
    intersection: Type.Intersect([Type.Object({ n: Type.Number() }), Type.Object({ s: Type.String() })]),
    withDefault: Type.Object({ v: Type.Optional(Type.String({ default: "x" })) }),
    object: (properties) => Type.Object(properties as Record<string, TSchema>),
  },
  (schema) => (value) => {
    // Clean programs of TypeBox fill in defaults before they check.
    Value.Default(schema as TSchema, value);
    return Value.Errors(schema as TSchema, value);
  },
  true,
);
