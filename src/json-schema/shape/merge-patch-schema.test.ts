import { describe, expect, it } from "vitest";
import { mergePatchSchemaOf } from "./merge-patch-schema.ts";

describe("mergePatchSchemaOf()", () => {
  it("requires no member, and lets null remove one", () => {
    const title = { type: "string" };
    expect(mergePatchSchemaOf({ type: "object", required: ["title"], properties: { title, any: true } })).toEqual({
      type: "object",
      properties: { title: { anyOf: [title, { type: "null" }] }, any: { anyOf: [true, { type: "null" }] } },
    });
  });

  it("describes patches of branches, and of members that have no name", () => {
    const number = { type: "number" };
    expect(mergePatchSchemaOf({ anyOf: [{ required: ["a"] }, { additionalProperties: number }] })).toEqual({
      anyOf: [{}, { additionalProperties: { anyOf: [number, { type: "null" }] } }],
    });
  });

  it("describes patches of definitions, once each, that hold themselves, too", () => {
    const node = { type: "object", required: ["next"], properties: { next: { $ref: "#/$defs/Node" } } };
    const { $ref, $defs } = mergePatchSchemaOf({ $ref: "#/$defs/Node", $defs: { Node: node } });
    const next = { anyOf: [{ $ref: "#/$defs/NodePatch" }, { type: "null" }] };
    expect([$ref, $defs]).toEqual([
      "#/$defs/NodePatch",
      { Node: node, NodePatch: { type: "object", properties: { next } } },
    ]);
  });
});
