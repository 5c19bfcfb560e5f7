import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type as ark } from "arktype";
import { jsonSchema } from "fingerpost";
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { SessionData } from "./session-data.ts";

const typeBox = (options: object): StandardSchema => {
  const schema = Type.Object({ user: Type.String() }, options);
  return jsonSchema(schema, (value) => Value.Check(schema, value));
};
const sent = { user: "ada", isAdmin: true };

describe("SessionData.written()", () => {
  it.each<[library: string, schema: StandardSchema]>([
    ["Zod", z.object({ user: z.string() })],
    ["Valibot", v.object({ user: v.string() })],
    ["ArkType, told to delete them", ark({ "+": "delete", user: "string" })],
  ])("C13.2 keeps no member that the schema does not return: %s", async (_, schema) => {
    const { text, data } = await new SessionData(schema).written(sent);
    expect([text, data]).toEqual(['{"user":"ada"}', { user: "ada" }]);
  });

  it.each<[library: string, schema: StandardSchema]>([
    ["Zod", z.strictObject({ user: z.string() })],
    ["Valibot", v.strictObject({ user: v.string() })],
    ["ArkType", ark({ "+": "reject", user: "string" })],
    ["TypeBox", typeBox({ additionalProperties: false })],
  ])("C13.2 refuses members that the schema refuses: %s", async (_, schema) => {
    await expect(new SessionData(schema).written(sent)).rejects.toThrow("its data does not fit the schema");
  });

  it.each<[library: string, schema: StandardSchema]>([
    ["Zod", z.looseObject({ user: z.string() })],
    ["Valibot", v.looseObject({ user: v.string() })],
    ["ArkType", ark({ user: "string" })],
    ["TypeBox", typeBox({})],
  ])("C13.2 keeps members that the schema returns: %s", async (_, schema) => {
    const written = await new SessionData(schema).written(sent);
    expect([JSON.parse(written.text), written.data]).toEqual([sent, sent]);
  });

  it("C13.2 keeps what a schema adds, so that it is the same in each request", async () => {
    const data = new SessionData(z.object({ user: z.string(), device: z.string().default(() => crypto.randomUUID()) }));
    const written = await data.written({ user: "ada" });
    expect(await data.read(written.text)).toEqual({ data: written.data });
  });

  it("C13.2 has the data that the next request has", async () => {
    const data = new SessionData(z.object({ count: z.int().transform((count) => count + 1) }));
    const written = await data.written({ count: 1 });
    expect(await data.read(written.text)).toEqual({ data: written.data });
    const dated = new SessionData(z.object({ at: z.coerce.date() }));
    const at = new Date(0);
    expect((await dated.written({ at })).data).toEqual({ at });
  });

  it("C13.2 leaves members of another version of the schema when data changes, and removes its own", async () => {
    const older = new SessionData(z.object({ user: z.string(), cart: z.string().optional() }));
    const before = '{"user":"ada","cart":"full","theme":"dark","__proto__":{"isAdmin":true}}';
    const { text, data } = await older.rewritten({ user: "eve", isAdmin: true }, before);
    expect([text, data]).toEqual(['{"user":"eve","theme":"dark","__proto__":{"isAdmin":true}}', { user: "eve" }]);
    expect(await older.rewritten({ user: "eve" }, '{"user":"ada"}')).toEqual({
      text: '{"user":"eve"}',
      data: { user: "eve" },
    });
    const listed = new SessionData(z.union([z.array(z.string()), z.object({ user: z.string() })]));
    expect((await listed.rewritten(["a"], '{"user":"ada","theme":"dark"}')).text).toBe('["a"]');
    expect((await listed.rewritten({ user: "eve" }, '["a"]')).text).toBe('{"user":"eve"}');
  });

  it("asks the schema once where it changes nothing", async () => {
    const check = vi.fn(() => true);
    await new SessionData(z.object({ user: z.string() }).refine(check)).written({ user: "ada" });
    expect(check).toHaveBeenCalledTimes(1);
  });

  it.each<[because: string, schema: StandardSchema, message: string]>([
    ["does not take again", z.object({ user: z.string().transform((user) => [user]) }), "does not fit the schema"],
    ["JSON cannot write", z.object({ user: z.string() }).transform(() => undefined), "JSON cannot write undefined"],
  ])("C13.2 refuses data of which a schema makes what it %s", async (_, schema, message) => {
    await expect(new SessionData(schema).written(sent)).rejects.toThrow(message);
  });
});
