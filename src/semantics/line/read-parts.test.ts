import { describe, expect, it } from "vitest";
import { z } from "zod";
import { text } from "../declaration/raw-content.ts";
import { Application } from "../semantics-application.ts";
import { Resource } from "../semantics-resource.ts";

describe("readFields()", () => {
  it("gives a member with a fallback nothing that could not be read, and tells the others once each", async () => {
    class Counted extends Resource {
      override paths = ["/"];
      static GET = { query: z.object({ n: z.coerce.number().catch(1), m: z.coerce.number() }), 200: text() };
      override GET({ query }: { query: object }): string {
        return JSON.stringify(query);
      }
    }
    const app = Application.builder()
      .resources(Counted as never)
      .build();
    const answerTo = async (query: string): Promise<string> => (await app.request(`/?${query}`)).text();
    // A number of the library that is none of JSON.
    expect(await answerTo("n=0x10&m=2")).toBe('{"n":1,"m":2}');
    expect(await answerTo("n=3&m=2")).toBe('{"n":3,"m":2}');
    for (const query of ["n=0x10&m=0x10", "m=0x10"]) {
      const { errors } = JSON.parse(await answerTo(query)) as { errors: { pointer: string }[] };
      expect(errors.map(({ pointer }) => pointer)).toEqual(["#/m"]);
    }
  });
});
