import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Conversions } from "../schema/conversions.ts";
import { PartModel } from "./input-model.ts";

describe("PartModel", () => {
  const part = (schema: z.ZodType): PartModel => new PartModel("query", schema, new Conversions());

  it("lists the members that take nothing of what was tried, and no member inside of one", () => {
    const never = z.custom(() => false);
    const schema = z.object({ never, text: z.string(), any: z.custom(() => true), list: z.array(never) });
    expect(part(schema).untakenMembers).toEqual(["never"]);
  });

  it("has the members that its JSON Schema declares, and none without one", () => {
    const members = part(z.object({ a: z.string(), b: z.string().optional() })).members;
    expect([[...members.named.keys()], [...members.required]]).toEqual([["a", "b"], ["a"]]);
    const bare = { "~standard": { version: 1, vendor: "other", validate: (value: unknown) => ({ value }) } } as const;
    expect(new PartModel("query", bare, new Conversions()).members.named.size).toBe(0);
  });
});
