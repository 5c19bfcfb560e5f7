// Mistakes of declarations, each with its cure.
import { Application, Resource, text } from "fingerpost/modules/http.semantics.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";

function refusalOf(operation: object): string {
  class Book extends Resource {
    paths = ["/book"];
    static GET = operation;
    override GET(): never {
      return "" as never;
    }
  }
  try {
    Application.builder()
      .resources(Book as never)
      .build();
  } catch (error) {
    return (error as Error).message.replace("Cannot add Book to the application: static GET ", "");
  }
  return "";
}

const raw = { type: "object", properties: {} };

describe("a mistake in a declaration", () => {
  it.each([
    [{ body: z.object({}) }, 'has a member "body", as others call it; write content'],
    [{ params: z.object({}) }, 'has a member "params", as others call it; write path'],
    [{ querystring: z.object({}) }, 'has a member "querystring", as others call it; write query'],
    [{ responses: {} }, 'has a member "responses", as others call it; write 200'],
    [{ other: 1 }, 'has a member "other", which is neither known nor a status code'],
    [{ query: raw }, "has a JSON Schema for query; write jsonSchema(schema, check)"],
    [{ query: {} }, "has an object for query; write a schema of an object"],
    [{ content: raw }, "has a JSON Schema for content; write jsonSchema(schema, check)"],
    [{ 200: raw }, "has a JSON Schema for 200; write jsonSchema(schema, check)"],
    [
      { 200: { content: text(), headers: z.object({ "x-total": z.int() }) } },
      'has one schema for the headers of 200; write a schema for each field, such as { "x-total": z.int() }',
    ],
  ])("C8.12 names its cure: %j", (declared, expected) => {
    expect(refusalOf({ 200: text(), ...declared })).toBe(expected);
  });

  it("C8.9 a handler that returns a Response is told so", async () => {
    const errors: unknown[] = [];
    class Book extends Resource {
      paths = ["/book"];
      static GET = { 200: z.object({ title: z.string() }) };
      override GET(): never {
        return new Response("x") as never;
      }
    }
    const app = Application.builder()
      .resources(Book as never)
      .onError((error) => void errors.push(error))
      .build();
    expect((await app.request("/book")).status).toBe(500);
    expect(String(errors[0])).toBe(
      "TypeError: Cannot answer GET of Book: its handler returned a Response; return content or a reply(), or extend the Resource of the native module",
    );
  });
});
