import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchemaOf } from "../shape/standard-schema.ts";
import { unshownPlacesIn } from "./unshown-places.ts";

const placesIn = (schema: z.ZodType): string[] =>
  unshownPlacesIn(jsonSchemaOf(schema, "input")).map(({ path }) => path.join("."));

describe("unshownPlacesIn()", () => {
  it("C8.15 names places that JSON Schema cannot show", () => {
    expect(placesIn(z.object({ n: z.int(), d: z.coerce.date(), u: z.union([z.int(), z.bigint()]) }))).toEqual([
      "d",
      "u",
    ]);
    expect(placesIn(z.date())).toEqual([""]);
    expect(placesIn(z.object({ o: z.object({ d: z.date() }), l: z.array(z.date().nullable()) }))).toEqual([
      "o.d",
      "l.0",
    ]);
    expect(placesIn(z.object({ t: z.tuple([z.int(), z.date()], z.bigint()) }).catchall(z.date()))).toEqual([
      "t.1",
      "t.2",
      "*",
    ]);
    expect(placesIn(z.object({ o: z.object({ d: z.date() }).nullable() }))).toEqual(["o.d"]);
    expect(placesIn(z.object({ n: z.int(), s: z.array(z.string()), o: z.object({}).optional() }))).toEqual([]);
    expect(unshownPlacesIn(undefined)).toEqual([]);
  });

  it("ends where a schema holds itself", () => {
    const node = z.object({
      at: z.date(),
      get next() {
        return node.optional();
      },
    });
    expect(placesIn(node)).toEqual(["at"]);
  });
});
