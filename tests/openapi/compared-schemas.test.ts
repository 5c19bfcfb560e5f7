import { describe, expect, it } from "vitest";
import { changesBetween } from "../../src/openapi/changes/document-changes.ts";
import {
  changesOf,
  dataIn,
  documentWith,
  foundBetween,
  worstOf,
  type Found,
  type Members,
  type Side,
} from "./compared-schemas.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const number = { type: "number" };
const object = (properties: Members, more: Members = {}): Members => ({ type: "object", properties, ...more });
const [a, b, c] = ["a", "b", "c"].map((name) => object({ [name]: string }, { required: [name] })) as [
  Members,
  Members,
  Members,
];
const schemas = { A: a, B: b, C: c };
const [toA, toB, toC] = ["A", "B", "C"].map((name) => ({ $ref: `#/components/schemas/${name}` })) as Members[];
const closed = { additionalProperties: false };
const atX = { patternProperties: { "^x": string } };
const list = (more: Members): Members => ({ type: "array", ...more });
const strictly = { type: "number", minimum: 1, exclusiveMinimum: true };

type Row = readonly [what: string, before: unknown, after: unknown, request: Found, answer: Found];

const rows: readonly Row[] = [
  [
    "a list of integers becomes a tuple with rest",
    list({ items: integer }),
    list({ prefixItems: [string], items: integer }),
    "breaking",
    "breaking",
  ],
  [
    "a tuple may be longer",
    list({ prefixItems: [string], items: false }),
    list({ prefixItems: [string] }),
    "compatible",
    "breaking",
  ],
  [
    "a closed tuple is one of so many items",
    list({ prefixItems: [string], items: false }),
    list({ prefixItems: [string], maxItems: 1 }),
    "none",
    "none",
  ],
  [
    "two alternatives are described",
    { anyOf: [a, b] },
    {
      anyOf: [
        { ...a, title: "A" },
        { ...b, description: "B" },
      ],
    },
    "compatible",
    "compatible",
  ],
  [
    "members of two alternatives are described",
    { oneOf: [a, b] },
    { oneOf: [object({ a: { ...string, title: "A" } }, { required: ["a"] }), b] },
    "compatible",
    "compatible",
  ],
  [
    "both have an optional member",
    { anyOf: [a, b] },
    { anyOf: [a, b].map((one) => ({ ...one, properties: { ...(one["properties"] as Members), n: integer } })) },
    "compatible",
    "compatible",
  ],
  ["A becomes A or C", toA, { anyOf: [toA, toC] }, "compatible", "breaking"],
  ["A becomes A or C, one of which is inline", toA, { anyOf: [a, toC] }, "compatible", "breaking"],
  ["A or C becomes A", { anyOf: [toA, toC] }, toA, "breaking", "compatible"],
  [
    "literals become an enum",
    {
      anyOf: [
        { type: "string", const: "x" },
        { type: "string", const: "y" },
      ],
    },
    { type: "string", enum: ["y", "x"] },
    "none",
    "none",
  ],
  [
    "a literal among others is gone",
    { anyOf: [{ const: "x" }, { const: "y" }, integer] },
    { anyOf: [{ enum: ["x"] }, integer] },
    "breaking",
    "compatible",
  ],
  [
    "an object becomes loose",
    object({ a: string }, closed),
    object({ a: string }, { additionalProperties: {} }),
    "compatible",
    "compatible",
  ],
  [
    "objects of a union become loose",
    {
      anyOf: [
        { ...a, ...closed },
        { ...b, ...closed },
      ],
    },
    {
      anyOf: [
        { ...a, additionalProperties: {} },
        { ...b, additionalProperties: {} },
      ],
    },
    "compatible",
    "compatible",
  ],
  [
    "an object becomes a map",
    object({ a: string }, closed),
    object({ a: string }, { additionalProperties: integer }),
    "compatible",
    "unclear",
  ],
  ["exclusiveMinimum of 3.0 is the one of 3.1", strictly, { type: "number", exclusiveMinimum: 1 }, "none", "none"],
  ["exclusiveMinimum of 3.0 goes", strictly, { ...strictly, exclusiveMinimum: false }, "compatible", "breaking"],
  [
    "exclusiveMaximum of 3.0 comes",
    { type: "number", maximum: 1 },
    { type: "number", maximum: 1, exclusiveMaximum: true },
    "breaking",
    "compatible",
  ],
  ["types are in another order", { type: ["string", "null"] }, { type: ["null", "string"] }, "none", "none"],
  [
    "nullable of 3.0 is an alternative",
    { ...string, nullable: true },
    { anyOf: [{ type: "null" }, string] },
    "none",
    "none",
  ],
  [
    "allOf of named schemas is one object",
    { allOf: [toA, toB] },
    object({ a: string, b: string }, { required: ["b", "a"] }),
    "none",
    "none",
  ],
  [
    "allOf of named schemas is another object",
    { allOf: [toA, toB] },
    object({ a: string, b: integer }, { required: ["b", "a"] }),
    "breaking",
    "breaking",
  ],
  [
    "a pattern of members of a closed object goes",
    object({}, { ...atX, ...closed }),
    object({}, closed),
    "breaking",
    "compatible",
  ],
  [
    "a pattern of members of a closed object comes",
    object({}, closed),
    object({}, { ...atX, ...closed }),
    "compatible",
    "unclear",
  ],
  [
    "a member that a pattern was about is other",
    object({}, { ...atX, ...closed }),
    object({ xa: integer }, { ...atX, ...closed }),
    "breaking",
    "compatible",
  ],
  [
    "a member that was one of the others is other",
    object({}, { additionalProperties: integer }),
    object({ a: string }, { additionalProperties: integer }),
    "breaking",
    "breaking",
  ],
  [
    "contains may be missing",
    list({ contains: integer }),
    list({ contains: integer, minContains: 0 }),
    "compatible",
    "breaking",
  ],
  ["contains that may be missing says nothing", list({}), list({ contains: integer, minContains: 0 }), "none", "none"],
  [
    "contains with other limits",
    list({ contains: integer }),
    list({ contains: integer, minContains: 0, maxContains: 1 }),
    "breaking",
    "breaking",
  ],
  ["not refuses more", { not: { enum: [1] } }, { not: { enum: [1, 2] } }, "breaking", "compatible"],
  ["not refuses less", { not: { type: ["string", "null"] } }, { not: string }, "compatible", "breaking"],
  ["not refuses something else", { not: string }, { not: integer }, "breaking", "breaking"],
  ["not refuses all", string, { not: {} }, "breaking", "compatible"],
  ["a member is refused", object({ a: string }), object({ a: string, b: false }), "breaking", "compatible"],
  ["a member is refused that was there", object({ a: string }), object({ a: false }), "breaking", "compatible"],
  ["a member is refused no more", object({ a: string, b: false }), object({ a: string }), "compatible", "breaking"],
  [
    "a required member is refused, so nothing fits",
    object({ a: string }),
    object({ a: string, b: false }, { required: ["b"] }),
    "breaking",
    "compatible",
  ],
  [
    "a bound within another one",
    { type: "number", minimum: 5 },
    { type: "number", minimum: 5, exclusiveMinimum: 3 },
    "compatible",
    "compatible",
  ],
  [
    "a bound of integers in two spellings",
    { type: "integer", minimum: 1 },
    { type: "integer", exclusiveMinimum: 0 },
    "compatible",
    "compatible",
  ],
  [
    "bounds that let nothing through",
    { type: "number", minimum: 1 },
    { type: "number", minimum: 1, maximum: 0 },
    "breaking",
    "compatible",
  ],
  [
    "a count of members within those that are required",
    object({ a: string }, { required: ["a"], minProperties: 1 }),
    object({ a: string }, { required: ["a"] }),
    "compatible",
    "compatible",
  ],
  ["a limit of another type", integer, { type: "integer", minLength: 3, pattern: "a" }, "none", "none"],
  [
    "limits beside values that fit them",
    { enum: ["x", "y"] },
    { type: "string", enum: ["x", "y"], maxLength: 3 },
    "none",
    "none",
  ],
  [
    "limits beside values of which one does not fit",
    { enum: ["x", "yyyy"] },
    { type: "string", enum: ["x", "yyyy"], maxLength: 3 },
    "breaking",
    "compatible",
  ],
  ["values become a range that has them", { enum: [1, 2] }, { type: "integer", minimum: 0 }, "compatible", "breaking"],
  ["values become a range that lacks one", { enum: [1, 2] }, { type: "integer", minimum: 2 }, "breaking", "breaking"],
  ["both booleans are the type", { type: "boolean" }, { enum: [true, false] }, "none", "none"],
  ["items repeat as before", list({}), list({ uniqueItems: false }), "none", "none"],
  ["oneOf of what may overlap", { anyOf: [toA, toB] }, { oneOf: [toA, toB] }, "unclear", "none"],
  [
    "a reference that leads elsewhere",
    { $ref: "https://example.com/a" },
    { $ref: "https://example.com/b" },
    "unclear",
    "unclear",
  ],
  [
    "patterns that may be about one member",
    object({}, { patternProperties: { "^a": string } }),
    object({}, { patternProperties: { a$: string } }),
    "breaking",
    "breaking",
  ],
];

describe("changesBetween() of schemas", () => {
  it.each(rows)("C22.1 knows what it means that %s", (_, before, after, request, answer) => {
    const found = (["request", "answer"] as const).map((side) => foundBetween(before, after, side, schemas));
    expect(found).toEqual([request, answer]);
  });

  it("C22.1 compares what refers to itself where something else in the circle differs", () => {
    const circle = (type: string, first: string): Members => ({
      $ref: `#/components/schemas/${first}`,
      components: {
        X: object({ y: { $ref: "#/components/schemas/Y" } }),
        Y: object({ x: { $ref: "#/components/schemas/X" }, name: { type } }),
      },
    });
    for (const first of ["X", "Y"]) {
      const [one, other] = [circle("string", first), circle("integer", first)];
      const documents = [one, other].map(({ $ref, components }) =>
        documentWith({ $ref }, "answer", components as Members),
      );
      expect(worstOf(changesBetween(documents[0], documents[1]))).toBe("breaking");
      const two = [one, other].map(({ components }) => ({
        ...documentWith(true, "answer", components as Members),
        paths: Object.fromEntries(
          ["X", "Y"].map((name) => [
            `/${name}`,
            (documentWith({ $ref: `#/components/schemas/${name}` }, "answer")["paths"] as Members)["/a"],
          ]),
        ),
      }));
      const broken = changesBetween(two[0], two[1]).filter(({ verdict }) => verdict === "breaking");
      expect(new Set(broken.map(({ operation }) => operation))).toEqual(new Set(["POST /X", "POST /Y"]));
    }
  });
});

describe("growth of changesBetween()", () => {
  /** Counts how often members of a document are listed. */
  function counted(document: unknown): { readonly document: unknown; count(): number } {
    let count = 0;
    const wrapped = (value: unknown): unknown =>
      typeof value !== "object" || value === null
        ? value
        : new Proxy(
            Array.isArray(value)
              ? value.map(wrapped)
              : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, wrapped(one)])),
            {
              ownKeys(target) {
                count++;
                return Reflect.ownKeys(target);
              },
            },
          );
    return { document: wrapped(document), count: () => count };
  }

  function steps(side: Side, before: readonly [unknown, Members], after: readonly [unknown, Members]): [number, Found] {
    const [one, other] = [
      counted(documentWith(before[0], side, before[1])),
      counted(documentWith(after[0], side, after[1])),
    ];
    const found = worstOf(changesBetween(one.document, other.document));
    return [one.count() + other.count(), found];
  }

  const doubled = (keyword: string, levels: number, leaf: Members): readonly [unknown, Members] => {
    const to = (level: number): Members => ({ $ref: `#/components/schemas/L${level}` });
    const all = Array.from({ length: levels }, (_, at) => [
      `L${at + 1}`,
      keyword === "properties" ? object({ a: to(at), b: to(at) }) : { [keyword]: [to(at), to(at)] },
    ]);
    return [to(levels), Object.fromEntries([["L0", leaf], ...all])];
  };

  it.each(["allOf", "anyOf", "oneOf", "properties"])(
    "C22.1 does not double with each level of doubled %s",
    (keyword) => {
      for (const side of ["request", "answer"] as const) {
        for (const leaf of [number, object({ a: number })]) {
          const [less] = steps(side, doubled(keyword, 10, object({ a: string })), doubled(keyword, 10, leaf));
          const [more, found] = steps(side, doubled(keyword, 20, object({ a: string })), doubled(keyword, 20, leaf));
          // 2^10 would be the factor of doubling.
          expect(more / less).toBeLessThan(16);
          expect(found).toBe("breaking");
        }
      }
    },
  );

  const wide = (count: number, of: (at: number) => Members): readonly [unknown, Members] => [
    { oneOf: Array.from({ length: count }, (_, at) => of(at)) },
    {},
  ];
  const alternative = (at: number, more: Members = {}): Members =>
    object({ [`p${at}`]: string, ...more }, { required: [`p${at}`] });
  const kind = (at: number, more: Members = {}): Members =>
    object({ kind: { const: `k${at}` }, ...more }, { required: ["kind"] });

  it.each([
    ["of kinds", kind],
    ["without kinds", alternative],
  ] as const)("C22.1 is linear in alternatives %s", (_, of) => {
    for (const more of [{}, { n: integer }]) {
      const [less] = steps(
        "request",
        wide(400, of),
        wide(401, (at) => of(at, more)),
      );
      const [much, found] = steps(
        "request",
        wide(1500, of),
        wide(1501, (at) => of(at, more)),
      );
      expect(much / less).toBeLessThan(6);
      expect(found).not.toBe("breaking");
    }
  });

  it("C22.1 says what was not compared", () => {
    const before = wide(300, (at) => alternative(at))[0];
    const after = wide(300, (at) => alternative(at + 1000, { n: integer }))[0];
    expect(changesOf(before, after, "request")).toContainEqual(
      expect.objectContaining({ verdict: "unclear", what: "not compared beyond 10000 pairs of alternatives" }),
    );
    const members = (type: string): Members =>
      object(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`p${at}`, { type }])));
    expect(changesOf(members("string"), members("number"), "answer").at(-1)).toMatchObject({
      verdict: "unclear",
      what: "not compared beyond 500 differences",
    });
    const many = (type: string): Members =>
      object(
        Object.fromEntries(
          Array.from({ length: 20_500 }, (_, at) => [`p${at}`, { type: ["null", type], title: `${at}` }]),
        ),
      );
    const found = changesOf(many("string"), many("string"), "answer");
    expect(found).toMatchObject([{ verdict: "unclear", what: "not compared beyond 20000 pairs of schemas" }]);
  });
});

interface Pairs {
  readonly documents: Readonly<Record<string, unknown>>;
  readonly pairs: readonly (readonly [before: string, after: string, theirs: Found])[];
}

/** Where we judge otherwise than openapi-diff, and why. */
const decided: readonly [after: RegExp, ours: Found, because: string][] = [
  [/^response_apiresponse_changed/, "unclear", "a reader of one status may take no other"],
  [/^response_apiresponse_decreased$/, "compatible", "an error is not answered any more"],
  [/^response_header_required_increased$|^response_minlength_increased$/, "compatible", "an answer says more"],
  [/^response_headers_decreased$/, "unclear", "a field that was optional is missed by some"],
  [/^response_minlength_changed/, "breaking", "an answer gives what it did not give"],
  [/^oauthflow_|_url_changed$/, "unclear", "callers hold tokens of the old flow"],
  [/^oneof_changed_but_compatible$/, "unclear", "what fits two schemas of oneOf does not fit"],
  [/^operation_changed_incompatible_operation_id$/, "unclear", "generated clients name their methods so"],
  [/^request_params_decreased$/, "unclear", "what is sent all the same may be ignored, or refused"],
  [/^request_readonly_increased$/, "unclear", "what is sent may be ignored, or refused"],
  [/^(request|response)_schema_|^schema_/, "unclear", "members of the answer are gone that were optional"],
  [/^security_scheme_bearer_format_changed$/, "compatible", "bearerFormat is a hint (OpenAPI 3.1 §4.8.27)"],
  [/^response_writeonly_increased$/, "unclear", "it is a member that is gone"],
  [/^response_writeonly_required_decreased$/, "compatible", "it is a member that is new in answers"],
];

describe("changesBetween() beside openapi-diff", () => {
  const { documents, pairs } = dataIn<Pairs>("openapi-diff.json");

  it("C22.1 judges its pairs alike, but where it is written down", () => {
    const otherwise = pairs.flatMap(([before, after, theirs]) => {
      const ours = worstOf(changesBetween(documents[before], documents[after], { date: "2026-11-28" }));
      return ours === theirs ? [] : [[after, ours] as const];
    });
    expect(
      otherwise.filter(([after, ours]) => !decided.some(([name, one]) => name.test(after) && one === ours)),
    ).toEqual([]);
    expect(decided.filter(([name]) => !otherwise.some(([after]) => name.test(after)))).toEqual([]);
  });
});
