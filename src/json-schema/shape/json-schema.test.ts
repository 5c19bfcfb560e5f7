import { describe, expect, it } from "vitest";
import { expressionOf, isJsonSchema, keywordOf, listOf, namedOf, schemaAt } from "./json-schema.ts";

describe("schemaAt()", () => {
  const integer = { type: "integer" };

  it("returns a schema without reference as it is", () => {
    expect(schemaAt(integer, {})).toBe(integer);
  });

  it("takes true for everything and false for nothing", () => {
    expect(schemaAt(true, {})).toEqual({});
    expect(schemaAt(false, {})).toEqual({ not: {} });
  });

  it.each([
    ["a definition", { $ref: "#/$defs/N" }, { $defs: { N: integer } }],
    ["one of draft-07", { $ref: "#/definitions/N" }, { definitions: { N: integer } }],
    ["a reference to a reference", { $ref: "#/$defs/M" }, { $defs: { M: { $ref: "#/$defs/N" }, N: integer } }],
    ["a name with a slash and a tilde", { $ref: "#/$defs/a~1b~0c" }, { $defs: { "a/b~c": integer } }],
    ["a name that is percent-encoded", { $ref: "#/$defs/a%20b" }, { $defs: { "a b": integer } }],
    ["a member of the root", { $ref: "#/properties/n" }, { properties: { n: integer } }],
    ["an anchor", { $ref: "#n" }, { $defs: { N: { $anchor: "n", ...integer } } }],
    ["the id of the root", { $ref: "urn:x" }, { $id: "urn:x", ...integer }],
    [
      "an anchor among others",
      { $ref: "#n" },
      { $defs: { M: { $anchor: "m" }, T: true }, definitions: { N: { $anchor: "n", ...integer } } },
    ],
    ["an anchor of the root", { $ref: "#n" }, { $anchor: "n", ...integer }],
    ["an anchor far inside", { $ref: "#n" }, { properties: { a: { anyOf: [null, { $anchor: "n", ...integer }] } } }],
    ["an anchor behind the id of the root", { $ref: "urn:x#n" }, { $id: "urn:x", not: { $anchor: "n", ...integer } }],
    ["an id", { $ref: "N" }, { $defs: { N: { $id: "N", ...integer } } }],
    ["a pointer behind the id of the root", { $ref: "urn:x#/$defs/N" }, { $id: "urn:x", $defs: { N: integer } }],
  ])("follows %s", (_, schema, root) => {
    expect(schemaAt(schema, root)).toMatchObject(integer);
  });

  it("follows a reference to the whole document", () => {
    const root = { type: "object" };
    expect(schemaAt({ $ref: "#" }, root)).toBe(root);
  });

  it("ignores annotations beside a reference", () => {
    expect(schemaAt({ $ref: "#/$defs/N", description: "How many" }, { $defs: { N: integer } })).toBe(integer);
  });

  it("keeps what is said beside a reference, and returns the same object each time", () => {
    const schema = { $ref: "#/$defs/N", minimum: 1 };
    const root = { $defs: { N: integer } };
    expect(schemaAt(schema, root)).toEqual({ allOf: [{ minimum: 1 }, integer] });
    expect(schemaAt(schema, root)).toBe(schemaAt(schema, root));
  });

  it.each([
    ["nowhere", { $ref: "#/$defs/N" }, {}],
    ["out of the document", { $ref: "https://example.com/n.json" }, {}],
    ["to itself", { $ref: "#/$defs/N" }, { $defs: { N: { $ref: "#/$defs/N" } } }],
    ["to what is no schema", { $ref: "#/$defs/N" }, { $defs: { N: 5 } }],
    ["to what all objects have", { $ref: "#/$defs/toString" }, { $defs: {} }],
    ["to a broken escape", { $ref: "#/$defs/%" }, { $defs: {} }],
  ])("takes a reference %s for everything", (_, schema, root) => {
    expect(schemaAt(schema, root)).toEqual({});
  });

  it("follows a reference to a schema of nothing", () => {
    expect(schemaAt({ $ref: "#/$defs/N" }, { $defs: { N: false } })).toEqual({ not: {} });
  });
});

describe("keywordOf(), listOf(), namedOf()", () => {
  it("read what the schema has itself", () => {
    expect(keywordOf({ type: "null" }, "type")).toBe("null");
    expect(keywordOf({}, "constructor")).toBeUndefined();
    expect(listOf({ anyOf: [true] }, "anyOf")).toEqual([true]);
    expect(listOf({ anyOf: 5 }, "anyOf")).toEqual([]);
    expect(namedOf({ properties: { a: {} } }, "properties")).toEqual([["a", {}]]);
    expect(namedOf({ properties: [] }, "properties")).toEqual([]);
  });
});

describe("expressionOf()", () => {
  it("makes an expression with the flag u, without it where that cannot be, and else one that matches nothing", () => {
    expect(expressionOf("^\\p{L}")).toEqual(/^\p{L}/u);
    expect(expressionOf("\\-")).toEqual(new RegExp("\\-"));
    expect(["", "(", "a"].some((text) => expressionOf("(").test(text))).toBe(false);
  });
});

describe("isJsonSchema()", () => {
  it("takes objects, and neither lists nor booleans", () => {
    expect([{}, [], null, true, "a"].map(isJsonSchema)).toEqual([true, false, false, false, false]);
  });
});
