import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { dataIn, foundBetween, type Found } from "./compared-schemas.ts";

type Group = readonly [schema: unknown, ...values: unknown[]];
type Fits = (value: unknown) => boolean;

const suite = Object.entries(dataIn<Readonly<Record<string, readonly Group[]>>>("suite.json"));
const sides = ["request", "answer"] as const;

/** Whether values fit, as Ajv says; null for a schema that it cannot use alone. */
function fitsOf([schema, ...values]: Group): Fits | null {
  try {
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(structuredClone(schema) as object);
    for (const value of values) fits(value);
    return fits as Fits;
  } catch {
    return null;
  }
}

const groups = suite.flatMap(([file, all]) =>
  all.map((group, at) => ({ file, at, group, schema: group[0], fits: fitsOf(group) })),
);
const pairs = groups.flatMap((one, at) =>
  [groups[at + 1], groups[at + 2]].flatMap((other) =>
    other === undefined || other.file !== one.file || one.fits === null || other.fits === null
      ? []
      : [
          [one, other],
          [other, one],
        ],
  ),
) as (readonly [(typeof groups)[0], (typeof groups)[0]])[];

/** Breaks that values prove and practice allows: a closed object of an answer begins to have a member that is named. */
const practice = ["ref 0 to 1", "unevaluatedProperties 18 to 19", "unevaluatedProperties 18 to 20"];

describe("changesBetween() beside the JSON-Schema-Test-Suite", () => {
  it("C22.1 finds each break that a value proves", () => {
    const missed: string[] = [];
    let proofs = 0;
    for (const [one, other] of pairs) {
      const values = [...one.group.slice(1), ...other.group.slice(1)];
      for (const side of sides) {
        const [from, to] = side === "request" ? [one, other] : [other, one];
        if (!values.some((value) => from.fits!(value) && !to.fits!(value))) continue;
        proofs++;
        const found = foundBetween(one.schema, other.schema, side);
        if (found !== "breaking" && found !== "unclear") missed.push(`${one.file} ${one.at} to ${other.at}`);
      }
    }
    expect(missed).toEqual(practice);
    expect([pairs.length, proofs]).toEqual([1116, 1372]);
  });

  it("C22.1 knows most of these breaks, and says of the others that they are unclear", () => {
    const counts = { breaking: 0, unclear: 0 };
    for (const [one, other] of pairs) {
      const values = [...one.group.slice(1), ...other.group.slice(1)];
      if (!values.some((value) => one.fits!(value) && !other.fits!(value))) continue;
      const found = foundBetween(one.schema, other.schema, "request");
      if (found === "breaking" || found === "unclear") counts[found]++;
    }
    expect(counts).toEqual({ breaking: 591, unclear: 95 });
  });

  const same = (found: Found): boolean => found === "none" || found === "compatible";

  it("C22.1 finds no break where one meaning has two spellings", () => {
    // A reference into the schema itself leads elsewhere from inside of another one.
    for (const { schema, file, at } of groups.filter((one) => !JSON.stringify(one.schema).includes('"$ref":"#'))) {
      for (const side of sides) {
        const broken = [
          schema,
          { allOf: [schema] },
          { anyOf: [schema] },
          { oneOf: [schema] },
          { allOf: [schema, schema] },
          { description: "A schema", allOf: [schema] },
          { allOf: [{ description: "A schema" }, schema] },
        ].filter((other) => !same(foundBetween(schema, other, side)) || !same(foundBetween(other, schema, side)));
        expect(broken, `${file} ${at}, ${side}`).toEqual([]);
      }
    }
  });

  it("C22.1 finds no break in a request that takes something else, too", () => {
    // What is unevaluated depends on all that is beside it, so such a break cannot be ruled out.
    for (const [one, other] of pairs.filter((both) => both.every(({ file }) => !file.startsWith("unevaluated")))) {
      const union = { anyOf: [one.schema, other.schema] };
      expect(foundBetween(one.schema, union, "request"), `${one.file} ${one.at}`).not.toBe("breaking");
      expect(foundBetween(union, one.schema, "answer"), `${one.file} ${one.at}`).not.toBe("breaking");
    }
  });
});
