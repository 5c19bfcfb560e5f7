import { describe, expect, it } from "vitest";
import { joinedList, joinedObject, otherOf } from "./answer-branch.ts";
import { answerShapesOf } from "./answer-shape-reading.ts";
import type { AnswerShape, ShapeOf } from "./answer-shape.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const shapeOf = <Kind extends AnswerShape["kind"]>(schema: object): ShapeOf<Kind> =>
  answerShapesOf(schema as Record<string, unknown>).root as ShapeOf<Kind>;

/** A shape as text, as far as these tests need it. */
const kindsOf = (shape: AnswerShape | null): unknown =>
  shape?.kind === "union" ? shape.of.branches.map(({ kind }) => kind) : (shape?.kind ?? null);

describe("joinedObject()", () => {
  const one = { type: "object", properties: { a: integer, b: string }, required: ["a", "b"] };
  const other = { type: "object", properties: { a: string }, required: ["a"], additionalProperties: integer };
  const joined = joinedObject(shapeOf(one), shapeOf(other));

  it("names what one of them names, and requires what both require", () => {
    expect(joined.of.members.map(({ name, shape, isRequired }) => [name, kindsOf(shape), isRequired])).toEqual([
      ["a", ["integer", "string"], true],
      ["b", ["string", "integer"], false],
    ]);
    expect(kindsOf(otherOf(joined.of, "c"))).toBe("integer");
    expect(kindsOf(otherOf(joined.of, "__proto__"))).toBe(null);
  });

  it("has what one says where the other takes nothing", () => {
    const none = { type: "object", properties: { a: { not: {} } } };
    expect(kindsOf(joinedObject(shapeOf(one), shapeOf(none)).of.byName.get("a")!.shape)).toBe("integer");
  });

  it("asks all objects that it is joined of for other names", () => {
    const patterned = { type: "object", patternProperties: { "^x-": string }, additionalProperties: false };
    const three = joinedObject(joined, shapeOf(patterned));
    expect(kindsOf(otherOf(three.of, "x-a"))).toEqual(["integer", "string"]);
    expect(kindsOf(otherOf(three.of, "y"))).toBe("integer");
    const closed = joinedObject(shapeOf(one), shapeOf(patterned));
    expect(kindsOf(otherOf(closed.of, "y"))).toBe(null);
    const open = joinedObject(shapeOf(patterned), shapeOf({ ...one, additionalProperties: true }));
    expect(kindsOf(otherOf(open.of, "x-a"))).toBe("any");
    const opened = joinedObject(shapeOf({ ...one, additionalProperties: true }), shapeOf(patterned));
    expect(kindsOf(otherOf(opened.of, "x-a"))).toBe("any");
  });
});

describe("joinedList()", () => {
  it("has items of either", () => {
    const one = shapeOf<"list">({ type: "array", items: integer });
    const other = shapeOf<"list">({ type: "array", prefixItems: [string], items: integer });
    expect(kindsOf(joinedList(one, other).of.items)).toEqual(["integer", "string", "integer"]);
  });
});
