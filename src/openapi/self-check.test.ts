import { describe, expect, it } from "vitest";
import type { OpenAPIDocument } from "./openapi-document.ts";
import { checkWhole } from "./self-check.ts";

function documentWith(schema: unknown, schemas: object = {}): OpenAPIDocument {
  const content = { "application/json": { schema, examples: { none: { value: {} } } } };
  const get = { operationId: "a", tags: [], responses: { 200: { description: "OK", content } } };
  return {
    openapi: "3.1.1",
    info: { title: "A", version: "1" },
    tags: [],
    paths: { "/a": { get } },
    components: { schemas },
  } as unknown as OpenAPIDocument;
}

describe("checkWhole()", () => {
  it("passes what is whole", () => {
    const example = {
      type: "object",
      additionalProperties: {},
      default: {},
      properties: { default: { type: "string" } },
    };
    const whole = documentWith({ $ref: "#/components/schemas/A/properties/default" }, { A: example });
    expect(checkWhole(whole, 1)).toBe(whole);
    const far = documentWith({ $ref: "https://example.org/a.json" });
    expect(checkWhole(far, 1)).toBe(far);
  });

  it.each([
    [
      { $ref: "#/components/schemas/B" },
      {},
      "the reference #/components/schemas/B at #/paths//a/get/responses/200/content/application/json/schema, which " +
        "leads nowhere",
    ],
    [{}, {}, "a schema at #/paths//a/get/responses/200/content/application/json/schema that says nothing"],
    [
      true,
      { A: { properties: { default: {} } } },
      "a schema at #/components/schemas/A/properties/default that says nothing",
    ],
    [true, { A: { anyOf: [{ type: "string" }, {}] } }, "a schema at #/components/schemas/A/anyOf/1 that says nothing"],
  ])("refuses %j", (schema, schemas, fault) => {
    expect(() => checkWhole(documentWith(schema, schemas), 1)).toThrow(
      `Cannot describe the application: the document would have ${fault}; report it to fingerpost`,
    );
  });

  it("refuses a document that lacks an operation", () => {
    expect(() => checkWhole(documentWith(true), 2)).toThrow("the document would have 1 of 2 operations; report it");
  });
});
