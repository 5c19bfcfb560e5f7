import { Application, Resource } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";

/** What `build()` says of a class with an operation. */
function refusalOf(operation: object): string {
  class Thing extends Resource {
    override paths = ["/"];
    override GET(): undefined {}
  }
  Object.assign(Thing, { GET: operation });
  try {
    Application.builder().resources(Thing).build();
    return "";
  } catch (error) {
    return (error as Error).message.replace("Cannot add Thing to the application: static GET has ", "");
  }
}

describe("checkAnswers()", () => {
  it("knows what others call the members, in any case", () => {
    const meant = {
      content: ["body", "requestBody", "payload", "json", "form"],
      path: ["params", "param", "pathParams"],
      query: ["querystring", "search", "searchParams"],
      headers: ["header", "Header"],
      cookies: ["cookie"],
      id: ["operationId"],
      200: ["response", "responses", "returns"],
    };
    for (const [here, names] of Object.entries(meant)) {
      for (const name of names) {
        expect(refusalOf({ [name]: {}, 204: "Done" })).toBe(`a member "${name}", as others call it; write ${here}`);
      }
    }
  });

  it("refuses a JSON Schema by each word that one begins with, and says what to write", () => {
    const words = { type: "object", properties: {}, $ref: "#/a", anyOf: [], oneOf: [], allOf: [], enum: ["a"] };
    for (const [word, value] of Object.entries(words)) {
      expect(refusalOf({ 200: { [word]: value } }), word).toBe(
        "a JSON Schema for 200; write jsonSchema(schema, check)",
      );
    }
    expect(refusalOf({ 200: { description: "Found", content: z.string() } })).toBe("");
  });
});
