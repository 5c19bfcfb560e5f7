// What clients send and get by the idioms of `tests/idioms/`: the input of a schema, and its output as JSON.
import { Type, type Static } from "@sinclair/typebox";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { ReceivedAnswer, SentContent } from "../../src/semantics/declaration/client-content.ts";
import type { Problem } from "../../src/semantics/declaration/reply.ts";
import { jsonSchema } from "../../src/json-schema/library/raw-schema.ts";
import type { StandardSchema } from "../../src/json-schema/shape/standard-schema.ts";

type Sent<Schema extends StandardSchema> = SentContent<Schema>;
type Got<Schema extends StandardSchema> = ReceivedAnswer<200, Schema, Problem>;

type Kinds = { kind: "a"; n: number } | { kind: "b"; s: string };

describe("zod", () => {
  const at = z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() });
  const schema = z.object({
    fallback: z.number().catch(1),
    default: z.string().default("x"),
    prefault: z.string().prefault("x"),
    codec: at,
    word: z.stringbool(),
    list: z.array(z.string()).readonly(),
  });
  const kinds = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("a"), n: z.number() }),
    z.object({ kind: z.literal("b"), s: z.string() }),
  ]);

  it("has clients send the input, and get the output as JSON", () => {
    expectTypeOf<Sent<typeof schema>["default"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Sent<typeof schema>["prefault"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Sent<typeof schema>["codec"]>().toEqualTypeOf<string>();
    expectTypeOf<Sent<typeof schema>["word"]>().toEqualTypeOf<string>();
    expectTypeOf<Got<typeof schema>>().toEqualTypeOf<{
      fallback: number;
      default: string;
      prefault: string;
      codec: string;
      word: boolean;
      list: readonly string[];
    }>();
    expectTypeOf<Sent<typeof kinds>>().toEqualTypeOf<Kinds>();
    expectTypeOf<Got<typeof kinds>>().toEqualTypeOf<Kinds>();
    const both = z.intersection(z.object({ n: z.number() }), z.object({ s: z.string() }));
    expectTypeOf<Got<typeof both>["n"]>().toEqualTypeOf<number>();
  });
});

describe("Valibot", () => {
  const schema = v.object({
    fallback: v.fallback(v.number(), 1),
    default: v.optional(v.string(), "x"),
    date: v.pipe(v.string(), v.toDate()),
    list: v.pipe(v.array(v.string()), v.readonly()),
  });
  const kinds = v.variant("kind", [
    v.object({ kind: v.literal("a"), n: v.number() }),
    v.object({ kind: v.literal("b"), s: v.string() }),
  ]);

  it("has clients send the input, and get the output as JSON", () => {
    expectTypeOf<Sent<typeof schema>["default"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Sent<typeof schema>["date"]>().toEqualTypeOf<string>();
    expectTypeOf<Got<typeof schema>>().toEqualTypeOf<{
      fallback: number;
      default: string;
      date: string;
      // Valibot makes the member itself `readonly`, too.
      readonly list: readonly string[];
    }>();
    expectTypeOf<Sent<typeof kinds>>().toEqualTypeOf<Kinds>();
    expectTypeOf<Got<typeof kinds>>().toEqualTypeOf<Kinds>();
  });
});

describe("ArkType", () => {
  const schema = type({ default: "string = 'x'", date: "string.date.parse", count: "string.numeric.parse" });
  const kinds = type({ kind: "'a'", n: "number" }).or({ kind: "'b'", s: "string" });

  it("has clients send the input, and get the output as JSON", () => {
    expectTypeOf<Sent<typeof schema>>().toEqualTypeOf<{ default?: string; date: string; count: string }>();
    expectTypeOf<Got<typeof schema>>().toEqualTypeOf<{ default: string; date: string; count: number }>();
    expectTypeOf<Sent<typeof kinds>>().toEqualTypeOf<Kinds>();
    expectTypeOf<Got<typeof kinds>>().toEqualTypeOf<Kinds>();
  });
});

describe("TypeBox and Ajv", () => {
  const Both = Type.Union([
    Type.Object({ kind: Type.Literal("a"), n: Type.Number() }),
    Type.Object({ kind: Type.Literal("b"), s: Type.String() }),
  ]);
  const schema = jsonSchema<Static<typeof Both>>(Both, () => true);

  it("have clients send and get what the schema is said to be of", () => {
    expectTypeOf<Sent<typeof schema>>().toEqualTypeOf<Kinds>();
    expectTypeOf<Got<typeof schema>>().toEqualTypeOf<Kinds>();
  });
});
