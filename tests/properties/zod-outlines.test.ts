// What build() reads off the definitions of zod is what the conversion to JSON Schema says (C8.2): whatever is known
// without a conversion has no mistake by it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { everything } from "../../src/json-schema/shape/json-schema.ts";
import { schemaMembersOf } from "../../src/json-schema/shape/schema-members.ts";
import { jsonSchemaOf, type StandardSchema } from "../../src/json-schema/shape/standard-schema.ts";
import { TextReader } from "../../src/json-schema/text/text-reader.ts";
import { tried } from "../../src/json-schema/library/tried-values.ts";
import { unshownPlacesIn } from "../../src/json-schema/library/unshown-places.ts";
import { isPlainlyCarried, isPlainlyWritten, outlineOf } from "../../src/json-schema/library/zod-outline.ts";
import { holds, timeout } from "./runs.ts";

const names = fc.constantFrom("a", "b", "x-c", "1", "__proto__", "not a token");
let ids = 0;

const wrappers: readonly ((one: z.ZodType) => z.ZodType)[] = [
  (one) => one.optional(),
  (one) => one.nullable(),
  (one) => one.readonly(),
  (one) => one.nonoptional(),
  (one) => one.default("a"),
  (one) => one.default(() => new Date(0)),
  (one) => one.default(1n),
  (one) => one.default(() => undefined),
  (one) => one.prefault(null),
  (one) => one.catch("a"),
  (one) => one.describe("Text"),
  (one) => one.meta({ id: `outline-${(ids += 1)}` }),
  (one) => one.meta({ id: "outline-of-several" }).describe("Again"),
  (one) => one.meta({ examples: [1, "a"], deprecated: true }),
  (one) => one.meta({ type: "string" }),
  (one) => one.meta({ default: 1n }),
  (one) => one.refine(() => true),
  (one) => one.transform(String),
  (one) => one.pipe(z.bigint() as never),
];

/** Schemas of all that zod has, more often of what texts and JSON have. */
const { any: schemas } = fc.letrec<{ any: z.ZodType; leaf: z.ZodType }>((tie) => {
  const inner = tie("any");
  const leaf = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...plainLeaves()) },
    { weight: 2, arbitrary: fc.constantFrom(...otherLeaves()) },
  );
  return {
    leaf: leaf.map((make) => make()),
    any: fc.oneof(
      { maxDepth: 4, depthSize: "small", withCrossShrink: true },
      { weight: 4, arbitrary: tie("leaf") },
      { weight: 2, arbitrary: objectsOf(inner) },
      { weight: 1, arbitrary: inner.map((one) => z.array(one)) },
      { weight: 2, arbitrary: fc.tuple(inner, fc.constantFrom(...wrappers)).map(([one, wrap]) => wrap(one)) },
      { weight: 1, arbitrary: fc.array(inner, { minLength: 1, maxLength: 3 }).map((all) => z.union(all)) },
      { weight: 1, arbitrary: fc.tuple(inner, inner).map(([one, other]) => z.tuple([one], other)) },
      { weight: 1, arbitrary: inner.map((one) => z.record(z.string().max(3), one)) },
      { weight: 1, arbitrary: fc.tuple(inner, inner).map(([one, other]) => z.intersection(one, other)) },
    ),
  };
});

function objectsOf(inner: fc.Arbitrary<z.ZodType>): fc.Arbitrary<z.ZodType> {
  const shape = fc.array(fc.tuple(names, inner), { maxLength: 4 }).map((all) => Object.fromEntries(all));
  const kinds = fc.constantFrom<(shape: z.ZodRawShape) => z.ZodType>(
    z.object,
    z.strictObject,
    z.looseObject,
    (members) => z.object(members).catchall(z.string()),
    (members) => z.object(members).refine(() => true, { path: ["a"] }),
  );
  return fc.tuple(shape, kinds).map(([members, make]) => make(members));
}

function plainLeaves(): (() => z.ZodType)[] {
  return [
    () => z.string(),
    () => z.string().trim().min(2).regex(/a/).regex(/b/),
    () => z.email(),
    () => z.iso.datetime(),
    () => z.coerce.number().int().min(5).multipleOf(5),
    () => z.int(),
    () => z.number().multipleOf(2).multipleOf(3),
    () => z.boolean(),
    () => z.coerce.boolean(),
    () => z.null(),
    () => z.enum(["a", "b"]),
    () => z.enum({ one: 1, two: "b" }),
    () => z.literal(["a", 1, true, null]),
    () => z.literal(1),
  ];
}

function otherLeaves(): (() => z.ZodType)[] {
  return [
    () => z.any(),
    () => z.unknown().refine((value) => value instanceof Date),
    () => z.date(),
    () => z.coerce.date(),
    () => z.bigint(),
    () => z.file(),
    () => z.never(),
    () => z.undefined(),
    () => z.custom((value) => value instanceof Date),
    () => z.literal([1n, undefined]),
    () => z.enum([]),
    () => z.lazy(() => z.array(z.string())),
    () => z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: String }),
    () => z.stringbool(),
    () => z.map(z.string(), z.bigint()),
    () => z.templateLiteral(["a", z.int()]),
    tree,
  ];
}

function tree(): z.ZodType {
  const schema: z.ZodType = z.object({
    get all() {
      return z.array(schema).optional();
    },
  });
  return schema;
}

describe("a schema of zod whose definitions are known", () => {
  it("takes no date and no bigint that requests cannot carry, by its conversion", { timeout }, async () => {
    const known = { yes: 0, no: 0 };
    await holds(
      fc.property(schemas, (schema) => {
        if (!isPlainlyCarried(schema)) return void known.no++;
        known.yes++;
        const shown = jsonSchemaOf(schema, "input");
        expect(unshownPlacesIn(shown).filter((place) => tried(schema, place) === "instance")).toEqual([]);
      }),
    );
    expect(Math.min(known.yes, known.no)).toBeGreaterThan(0);
  });

  it("has the members of its conversion, each of which texts can hold", { timeout }, async () => {
    const known = { yes: 0, no: 0 };
    await holds(
      fc.property(
        objectsOf(
          fc.oneof(
            schemas,
            fc.constantFrom(...plainLeaves()).map((make) => make()),
          ),
        ),
        (schema) => {
          const outline = outlineOf(schema);
          if (outline === null) return void known.no++;
          known.yes++;
          const shown = jsonSchemaOf(schema, "input");
          expect(shown).toMatchObject({ type: "object" });
          const { named, required } = schemaMembersOf(shown, shown ?? everything);
          expect(outline).toEqual({ names: [...named.keys()], required: [...required] });
          expect(new TextReader(shown, "query").objectMembers).toEqual([]);
          expect(unshownPlacesIn(shown).filter((place) => tried(schema, place) === "instance")).toEqual([]);
        },
      ),
    );
    expect(Math.min(known.yes, known.no)).toBeGreaterThan(0);
  });

  it("returns no bigint, and has no codec, by what its conversion visits", { timeout }, async () => {
    const known = { yes: 0, no: 0 };
    await holds(
      fc.property(schemas, (schema) => {
        if (!isPlainlyWritten(schema)) return void known.no++;
        known.yes++;
        const { types, isWhole } = visitedIn(schema);
        expect(types).not.toContain("bigint");
        expect(types).not.toContain("codec");
        expect(isWhole).toBe(true);
      }),
    );
    expect(Math.min(known.yes, known.no)).toBeGreaterThan(0);
  });
});

function visitedIn(schema: StandardSchema): { types: string[]; isWhole: boolean } {
  const types: string[] = [];
  const override = ({ zodSchema }: { readonly zodSchema: z.ZodType }): void => {
    // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
    const { type, reverseTransform } = zodSchema._zod.def as { type: string; reverseTransform?: unknown };
    types.push(typeof reverseTransform === "function" ? "codec" : type);
  };
  try {
    schema["~standard"].jsonSchema!.output({
      target: "draft-2020-12",
      libraryOptions: { unrepresentable: "any", override },
    });
    return { types, isWhole: true };
  } catch {
    return { types, isWhole: false };
  }
}
