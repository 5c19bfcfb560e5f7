import { Application, Resource, type Call } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { StandardSchema } from "../shape/standard-schema.ts";

describe("Conversions.shown()", () => {
  it("is asked by no build() where definitions tell enough, and once for each schema by requests", async () => {
    const asked = new Map<string, number>();
    const thing = counted("thing", z.object({ id: z.int(), name: z.string().optional() }), asked);
    const declared = {
      path: counted("path", z.object({ id: z.coerce.number().int() }), asked),
      query: counted("query", z.object({ limit: z.coerce.number().max(9).default(1) }), asked),
      content: thing,
    };

    class Things extends Resource {
      override paths = ["/things/:id"] as const;
      static PUT = { ...declared, 200: thing };
      override PUT({ path }: Call<typeof Things, "PUT">): { id: number } {
        return { id: path.id };
      }
    }
    const app = Application.builder().resources(Things).build();
    expect(asked).toEqual(new Map());

    for (let at = 0; at < 3; at++) {
      const response = await app.request(`/things/${at}`, { method: "PUT", json: { id: at } });
      expect(await response.json()).toEqual({ id: at });
    }
    expect(asked).toEqual(
      new Map([
        ["input of path", 1],
        ["input of query", 1],
        ["output of thing", 1],
      ]),
    );
  });

  it("is asked by build() where they do not, for the same mistakes", () => {
    const asked = new Map<string, number>();

    class Dates extends Resource {
      override paths = ["/dates"] as const;
      static POST = { content: counted("content", z.object({ at: z.date() }), asked), 204: "Taken" };
      override POST(): void {}
    }
    expect(() => Application.builder().resources(Dates).build()).toThrow(
      'Cannot add Dates to the application: static POST has a date or a bigint for "at" of content',
    );
    expect(asked).toEqual(new Map([["input of content", 1]]));
  });
});

function counted<Schema extends StandardSchema<unknown, unknown>>(
  name: string,
  schema: Schema,
  asked: Map<string, number>,
): Schema {
  const { jsonSchema, ...others } = schema["~standard"];
  const ofSide = (side: "input" | "output") => (options: { readonly target: string }) => {
    const key = `${side} of ${name}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
    return jsonSchema![side](options);
  };
  const value = { ...others, jsonSchema: { input: ofSide("input"), output: ofSide("output") } };
  return Object.defineProperty(schema, "~standard", { value });
}
