import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { expect, it } from "vitest";
import { unwrappedValibot } from "./valibot-schema.ts";

it("unwrappedValibot() finds what toStandardJsonSchema() wraps, each time", () => {
  const inner = v.object({ a: v.optional(v.string()), b: v.array(v.date()) });
  const wrapped = toStandardJsonSchema(inner);
  expect(unwrappedValibot(wrapped)).toBe(inner);
  expect(unwrappedValibot(wrapped)).toBe(inner);
  expect(unwrappedValibot(inner)).toBe(inner);
});

it("unwrappedValibot() is the schema itself where its conversion throws", () => {
  const schema = toStandardJsonSchema(
    v.object({
      a: v.lazy((): v.GenericSchema => {
        throw new Error("No");
      }),
    }),
  );
  expect(unwrappedValibot(schema)).toBe(schema);
});
