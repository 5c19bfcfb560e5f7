import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { DeclaredContent } from "../declaration/operation.ts";
import { Conversions } from "../../json-schema/library/conversions.ts";
import { jsonSchema } from "../../json-schema/library/raw-schema.ts";
import { contentModelOf, PartModel, type ContentModel } from "./input-model.ts";

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

  it("has the members of a definition that its JSON Schema refers to", () => {
    const shown = { $ref: "#/$defs/Page", $defs: { Page: { type: "object", properties: { page: {} } } } };
    const { members } = new PartModel(
      "query",
      jsonSchema(shown, () => true),
      new Conversions(),
    );
    expect([...members.named.keys()]).toEqual(["page"]);
  });
});

describe("contentModelOf()", () => {
  const model = (content: DeclaredContent): ContentModel => contentModelOf(content, new Conversions());

  it("is optional where its schema takes undefined, and says so at once", () => {
    const later = { version: 1, vendor: "other", validate: async (value: unknown) => ({ value }) } as const;
    expect(model(z.string().optional()).isOptional).toBe(true);
    expect(model(z.string()).isOptional).toBe(false);
    expect(model({ "~standard": later }).isOptional).toBe(false);
  });

  it("is a map where content is declared by media type", () => {
    expect(model(z.string()).isMap).toBe(false);
    expect(model({ "application/json": z.string() }).isMap).toBe(true);
  });

  it("reads forms by their whole types, in any case", () => {
    const types = ["multipart/form-data", "Application/X-WWW-form-urlencoded;a=b", "x-multipart/form-data"];
    const { media } = model(Object.fromEntries(types.map((type) => [type, z.object({})])));
    expect(media.filter(({ form }) => form !== null).map(({ type }) => type)).toEqual(types.slice(0, 2));
  });
});
