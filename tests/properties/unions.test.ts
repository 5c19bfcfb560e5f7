// A union keeps of a value what zod keeps of it, wherever it is declared: in content, query, answers, events and lines.
// Its branches are lists, objects of any kind, and other unions, with and without transforms.
import fc from "fast-check";
import { Application, events, lines, Resource } from "fingerpost";
import { expect, it } from "vitest";
import { z } from "zod";
import { holds, timeout } from "./runs.ts";

/** A schema, and values of which some fit it. */
interface Tried {
  readonly schema: z.ZodType;
  readonly values: fc.Arbitrary<unknown>;
}

const leaves: readonly Tried[] = [
  { schema: z.string(), values: fc.constantFrom("", "a", "long text") },
  { schema: z.int(), values: fc.integer({ min: -3, max: 3 }) },
  { schema: z.boolean(), values: fc.boolean() },
  { schema: z.literal("a"), values: fc.constant("a") },
  { schema: z.string().nullable(), values: fc.constantFrom("b", null) },
];

const kinds: readonly ((shape: z.ZodRawShape) => z.ZodObject)[] = [
  z.object,
  z.object,
  z.looseObject,
  z.strictObject,
  (shape) => z.object(shape).catchall(z.string()),
];

const names = ["a", "b", "c"];
const others = fc.dictionary(fc.constantFrom(...names, "x", "y"), fc.constantFrom<unknown>(1, "t", [1], { z: 1 }), {
  maxKeys: 2,
});

function objectsOf(inner: fc.Arbitrary<Tried>, first: readonly (readonly [string, Tried])[] = []): fc.Arbitrary<Tried> {
  const members = fc.array(fc.tuple(fc.constantFrom(...names), inner, fc.boolean()), { maxLength: 3 });
  return fc.tuple(members, fc.constantFrom(...kinds)).map(([all, make]) => {
    const shape = Object.fromEntries([
      ...all.map(([name, { schema }, isOptional]) => [name, isOptional ? schema.optional() : schema]),
      ...first.map(([name, { schema }]) => [name, schema]),
    ]) as z.ZodRawShape;
    const given = fc.record(
      Object.fromEntries([...all, ...first].map(([name, { values }]) => [name, values] as const)),
      { requiredKeys: [...all.filter(([, , isOptional]) => !isOptional), ...first].map(([name]) => name) },
    );
    return {
      schema: make(shape),
      values: fc.tuple(given, others).map(([own, more]) => ({ ...more, ...own })),
    };
  });
}

const unionOf = (branches: readonly Tried[]): Tried => ({
  schema: z.union(branches.map(({ schema }) => schema)),
  values: fc.oneof(...branches.map(({ values }) => values)),
});

const { any: tried } = fc.letrec<{ any: Tried; objects: Tried; leaf: Tried }>((tie) => ({
  leaf: fc.constantFrom(...leaves),
  objects: fc.oneof(
    { weight: 3, arbitrary: objectsOf(tie("any")) },
    { weight: 1, arbitrary: fc.array(objectsOf(tie("any")), { minLength: 1, maxLength: 3 }).map(unionOf) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          ...["p", "q"].map((kind) =>
            objectsOf(tie("any"), [["k", { schema: z.literal(kind), values: fc.constant(kind) }]]),
          ),
        )
        .map((branches) => ({
          schema: z.discriminatedUnion("k", branches.map(({ schema }) => schema) as unknown as [z.ZodObject]),
          values: unionOf(branches).values,
        })),
    },
  ),
  any: fc.oneof(
    { maxDepth: 4, depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    tie("objects"),
    tie("any").map(({ schema, values }) => ({
      schema: z.array(schema),
      values: fc.array(values, { maxLength: 3 }),
    })),
    fc.array(tie("any"), { minLength: 2, maxLength: 3 }).map(unionOf),
    tie("objects").map(({ schema, values }) => ({
      schema: schema.transform((one) => ({ was: one })),
      values,
    })),
  ),
}));

/** What is sent of what a schema returns. */
const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A union of a schema and a list of it, and values. */
const cases = tried.chain(({ schema, values }) => {
  const listed = { schema: z.array(schema), values: fc.array(values, { maxLength: 2 }) };
  const union = unionOf([{ schema, values }, listed]);
  const shown = (): string => JSON.stringify(z.toJSONSchema(union.schema, { unrepresentable: "any" }));
  Object.defineProperty(union.schema, fc.toStringMethod, { value: shown });
  return fc.tuple(fc.constant(union.schema), fc.array(union.values, { maxLength: 3 }));
});

it("a union with a list keeps in content, answers, events and lines what zod keeps", { timeout }, async () => {
  await holds(
    fc.asyncProperty(cases, async ([schema, values]) => {
      let current: unknown;
      let taken: unknown;
      class Unions extends Resource {
        paths = ["/all"];
        static POST = { content: schema, 204: "Taken" };
        static GET = { 200: schema };
        static PUT = { content: z.unknown(), 200: events(schema) };
        static PATCH = { content: z.unknown(), 200: lines(schema) };
        override POST({ content }: { readonly content?: unknown }): undefined {
          taken = content;
        }
        override GET(): never {
          return current as never;
        }
        override async *PUT(): AsyncGenerator<never> {
          yield current as never;
        }
        override async *PATCH(): AsyncGenerator<never> {
          yield current as never;
        }
      }
      const app = Application.builder()
        .resources(Unions as never)
        .onError(() => undefined)
        .build();
      for (const value of values) {
        current = value;
        const { success, data } = schema.safeParse(value);
        const posted = await app.request("/all", { method: "POST", json: value });
        expect(posted.status).toBe(success ? 204 : 422);
        if (success) expect(taken).toEqual(data);
        // Members and types of an answer are checked, and not all that a schema says.
        if (!success) continue;
        const got = await app.request("/all");
        expect(got.status).toBe(200);
        expect(await got.json()).toEqual(written(data));
        const event = await (await app.request("/all", { method: "PUT", json: 1 })).text();
        expect(JSON.parse(/^data: (.*)$/m.exec(event)![1]!)).toEqual(written(data));
        const line = await (await app.request("/all", { method: "PATCH", json: 1 })).text();
        expect(JSON.parse(line)).toEqual(written(data));
      }
    }),
  );
});
