import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isJsonContent, json, type JsonOptions } from "./json-content.ts";

describe("json()", () => {
  it("declares a schema and a bound, and is a Standard Schema of the same values", async () => {
    const schema = z.object({ a: z.int() });
    const content = json(schema, { maxBytes: 7 });
    expect(content).toMatchObject({ schema, maxBytes: 7 });
    expect(await content["~standard"].validate({ a: 1 })).toEqual({ value: { a: 1 } });
    expect([content, schema, { ...content }, null, undefined, "a"].map(isJsonContent)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it.each([
    [{ maxBytes: -1 }, 'Cannot call json(): its option "maxBytes" must be a whole number that is not negative, got -1'],
    [
      { maxMembers: 0.5 },
      'Cannot call json(): its option "maxMembers" must be a whole number that is not negative, got 0.5',
    ],
    [{ limit: 1 }, 'Cannot call json(): it has no option "limit"'],
  ])("refuses the options %j", (options, message) => {
    expect(() => json(z.string(), options as unknown as JsonOptions)).toThrow(message);
  });
});
