import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { isThenable } from "../../http/javascript/thenable.ts";
import type { StandardSchema } from "./standard-schema.ts";
import { validated } from "./validation.ts";

interface Nested {
  child: Nested | null;
}

const nested: z.ZodType<Nested> = z.lazy(() => z.object({ child: z.nullable(nested) }));
/** A schema that makes another one each time it is asked. */
const endless = (): z.ZodType => z.lazy(() => z.object({ child: endless().optional() }));
const throwing = async (): Promise<never> => {
  throw new Error("The database is down");
};

describe("validated()", () => {
  it.each<[string, StandardSchema, unknown]>([
    ["checks of zod", z.object({ n: z.string().trim().min(1), all: z.array(z.int()) }), { n: "x", all: [5] }],
    ["a recursive schema", nested, { child: { child: null } }],
    [
      "Valibot",
      v.pipe(
        v.string(),
        v.check(() => true),
      ),
      "x",
    ],
  ])("returns the value of %s at once", (_name, schema, value) => {
    expect(validated(schema, value)).toMatchObject({ value });
    expect(validated(schema, 5)).toMatchObject({ issues: [{}] });
  });

  it.each<[string, StandardSchema, unknown]>([
    ["a refinement", z.object({ n: z.array(z.string().refine(() => true)) }), { n: ["x"] }],
    ["a refinement of zod/mini", mini.string().check(mini.refine(() => true)), "x"],
    ["a check of its own", z.string().check(() => {}), "x"],
    ["a conversion", z.object({ n: z.string().transform((text) => text) }), { n: "x" }],
    [
      "a codec",
      z.union([z.int().min(9), z.codec(z.string(), z.string(), { decode: (x) => x, encode: (x) => x })]),
      "x",
    ],
    ["a class", z.instanceof(Date), new Date(0)],
    ["a Promise", z.object({ n: z.promise(z.string()).optional() }), {}],
    ["a schema without an end", endless(), {}],
  ])("waits for %s, which may be asynchronous", async (_name, schema, value) => {
    expect(isThenable(validated(schema, value))).toBe(true);
    expect(await validated(schema, value)).toEqual({ value });
    expect(await validated(schema, 5)).toMatchObject({ issues: [{ path: [] }] });
  });

  it("has an asynchronous check that throws reject, and no other Promise with it", async () => {
    const unheard: unknown[] = [];
    const listen = (error: unknown): void => void unheard.push(error);
    process.on("unhandledRejection", listen);
    const schemas = [
      z.object({ n: z.string().refine(throwing) }),
      z.object({ n: z.string().superRefine(throwing) }),
      z.object({ n: z.string().transform(throwing) }),
      z.object({ n: z.string().refine((text) => Promise.reject(new Error(text))) }),
    ];
    for (const schema of schemas) await expect(validated(schema, { n: "x" })).rejects.toThrow(/./);
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("unhandledRejection", listen);
    expect(unheard).toEqual([]);
  });
});

describe("validated() where someone has put issues on all objects", () => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, "issues");
  });

  it("returns the value, or the issues of the schema", async () => {
    const schema = z.object({ n: z.string() });
    Reflect.set(Object.prototype, "issues", "x");
    const [taken, refused] = [await validated(schema, { n: "x" }), await validated(schema, { n: 5 })];
    Reflect.deleteProperty(Object.prototype, "issues");
    expect([taken.issues, (taken as { value: unknown }).value]).toEqual([undefined, { n: "x" }]);
    expect(refused.issues).toMatchObject([{ path: ["n"] }]);
  });
});
