import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { hasFallback } from "./fallback-members.ts";

describe("hasFallback()", () => {
  it("finds catch() of zod, also inside of others", () => {
    const schema = z.object({
      a: z.int().catch(1),
      b: z.int().catch(1).optional(),
      c: z.int().default(1),
      d: z.int(),
    });
    expect(["a", "b", "c", "d", "e", "constructor"].map((name) => hasFallback(schema, name))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("finds fallback() of Valibot", () => {
    const schema = v.object({ a: v.fallback(v.number(), 1), b: v.number() });
    for (const one of [schema, toStandardJsonSchema(schema)])
      expect(["a", "b", "toString"].map((name) => hasFallback(one, name))).toEqual([true, false, false]);
  });

  it("finds none of others, or of no object", () => {
    expect(hasFallback(type({ a: "number = 1" }), "a")).toBe(false);
    expect(hasFallback(z.string(), "a")).toBe(false);
  });
});
