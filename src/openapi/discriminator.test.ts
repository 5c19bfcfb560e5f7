import { Application, jsonSchema, Resource } from "fingerpost";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { discriminatorOf } from "./discriminator.ts";

const object = (properties: object, required = Object.keys(properties)): object => ({ properties, required });

describe("discriminatorOf()", () => {
  it.each<[string, object[], object | null]>([
    [
      "the member whose texts differ",
      [object({ n: {}, k: { const: "a" } }), object({ n: {}, k: { enum: ["b", "c"] } })],
      { propertyName: "k", values: [["a"], ["b", "c"]] },
    ],
    ["none of one branch", [object({ k: { const: "a" } })], null],
    ["none whose texts are the same", [object({ k: { const: "a" } }), object({ k: { enum: ["b", "a"] } })], null],
    ["none that is not required", [object({ k: { const: "a" } }), object({ k: { const: "b" } }, [])], null],
    ["none of numbers", [object({ k: { const: 1 } }), object({ k: { const: 2 } })], null],
    ["none where a branch is something else", [object({ k: { const: "a" } }), { type: "null" }], null],
  ])("finds %s", (_, branches, expected) => {
    expect(discriminatorOf(branches, {})).toEqual(expected);
  });
});

describe("a document", () => {
  const cat = z.object({ kind: z.literal("cat"), lives: z.int() });
  const dog = z.object({ kind: z.enum(["dog", "puppy"]), name: z.string().default("Rex") });

  function described(content: unknown, answer: unknown): Record<string, Record<string, unknown>> {
    class Pets extends Resource {
      override paths = ["/pets"];
      static POST = { content, 200: answer };
      override POST(): never {
        return undefined as never;
      }
    }
    const app = Application.builder()
      .resources(Pets as never)
      .build();
    return document(app, { title: "Pets", version: "1" }).components.schemas as never;
  }

  it("C10.6 names the discriminator of a union, and the components of both sides", () => {
    const named = [cat.meta({ id: "Cat" }), dog.meta({ id: "Dog" })] as const;
    const pet = z.discriminatedUnion("kind", [...named]).meta({ id: "Pet" });
    const { Pet, PetInput } = described(pet, pet);
    const of = (Dog: string): object => ({
      propertyName: "kind",
      mapping: {
        cat: "#/components/schemas/Cat",
        dog: `#/components/schemas/${Dog}`,
        puppy: `#/components/schemas/${Dog}`,
      },
    });
    expect([Pet!["discriminator"], PetInput!["discriminator"]]).toEqual([of("Dog"), of("DogInput")]);
  });

  it("C10.6 maps named branches only, and keeps a discriminator that is declared", () => {
    const mixed = z.union([cat.meta({ id: "OneCat" }), dog]).meta({ id: "Mixed" });
    const own = {
      ...(z.toJSONSchema(z.union([cat, dog])) as object),
      $id: "Own",
      discriminator: { propertyName: "k" },
    };
    const { Mixed, Own } = described(
      jsonSchema(own, () => true),
      mixed,
    );
    expect(Mixed!["discriminator"]).toEqual({
      propertyName: "kind",
      mapping: { cat: "#/components/schemas/OneCat" },
    });
    expect(Own!["discriminator"]).toEqual({ propertyName: "k" });
  });
});
