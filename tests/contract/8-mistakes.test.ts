// Mistakes of declarations, each with its cure.
import { Type } from "@sinclair/typebox";
import { Application, events, json, lines, reply, Resource, text } from "fingerpost";
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
    [{ 200: Type.Unknown() }, "has a JSON Schema for 200; write jsonSchema(schema, check)"],
    [{ 200: { not: {} } }, "has a JSON Schema for 200; write jsonSchema(schema, check)"],
    [{ 200: { content: raw } }, "has a JSON Schema for 200; write jsonSchema(schema, check)"],
    [
      { 200: { content: { "application/json": raw } } },
      'has a JSON Schema for "application/json" of 200; write jsonSchema(schema, check)',
    ],
    [
      { 200: { content: text(), headers: { "x-total": { type: "integer" } } } },
      'has a JSON Schema for "x-total" of 200; write jsonSchema(schema, check)',
    ],
    [
      { content: { "text/csv": text(), "application/json": raw } },
      'has a JSON Schema for "application/json" of content; write jsonSchema(schema, check)',
    ],
    [
      { query: { id: z.string() } },
      "has an object of schemas for query; write a schema of the object, such as z.object({ … })",
    ],
    [
      { content: { type: z.string() } },
      "has an object of schemas for content; write a schema of the object, such as z.object({ … })",
    ],
    [
      { 200: { content: { title: z.string() } } },
      "has an object of schemas for 200; write a schema of the object, such as z.object({ … })",
    ],
    [
      { 200: { content: { title: z.string(), pages: 1 } } },
      "has an object for the content of 200; write a schema, or { [mediaType]: schema }",
    ],
    [{ 200: { content: text(), [Symbol("note")]: "Found" } }, ""],
    [{ 200: { title: z.string() } }, 'has "title" in 200; write description, content, headers or examples'],
    [
      { 200: { content: text(), headers: z.object({ "x-total": z.int() }) } },
      'has one schema for the headers of 200; write a schema for each field, such as { "x-total": z.int() }',
    ],
  ])("C8.12 names its cure: %j", (declared, expected) => {
    expect(refusalOf({ 200: text(), ...declared })).toBe(expected);
  });

  it.each([
    [() => events(raw as never), "events"],
    [() => json(raw as never, {}), "json"],
  ])("C8.12 names its cure where a function takes a schema: %s", (declare, name) => {
    expect(declare).toThrow(
      `Cannot call ${name}(): its option "schema" must be a schema, such as z.string(), or jsonSchema(schema, ` +
        "check), got an object",
    );
  });

  it("C8.12 names its cure where a path has a param in braces", () => {
    class Book extends Resource {
      paths = ["/b/{id}"];
    }
    expect(() =>
      Application.builder()
        .resources(Book as never)
        .build(),
    ).toThrow('groups do not exist; write ":name" or ":name([0-9]+)" for a param');
  });

  it.each([
    [
      { cache: "max-age=5" },
      'has "max-age=5" for cache, and answers with events(), which are sent with no-store; leave cache out',
    ],
    [{ etag: "content" }, 'has "content" for etag, and answers with events(), which have no tag; leave etag out'],
    [
      { etag: "content", 200: lines(z.string()) },
      'has "content" for etag, and answers with lines(), which have no tag; leave etag out',
    ],
    [
      { etag: "content", 200: "Nothing to say" },
      'has "content" for etag, and no content of 200 to make a tag of; leave etag out',
    ],
    [
      { cache: "max-age=5", 400: { content: z.string() } },
      'has "max-age=5" for cache, and answers with events(), which are sent with no-store; leave cache out',
    ],
    [{ cache: "no-store" }, ""],
    [{ cache: "max-age=5", 204: "None" }, ""],
    [
      {
        cache: "max-age=5",
        404: "None",
        200: { content: { "text/event-stream": events(z.string()), "text/plain": text() } },
      },
      "",
    ],
  ])("C8.12 names its cure where cache or etag does nothing: %j", (declared, expected) => {
    expect(refusalOf({ 200: events(z.string()), ...declared })).toBe(expected);
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
      "TypeError: Cannot answer GET of Book: its handler returned a Response; return content or a reply(), or extend " +
        "the Resource of fingerpost/native",
    );
  });

  it.each(["params", "url", "json", "body", "req", "user"])(
    "C8.8 says which chain a handler is of that reads %s of its call",
    async (member) => {
      const errors: unknown[] = [];
      class Book extends Resource {
        paths = ["/books/:id"] as const;
        static GET = { 200: text() };
        override GET(call: object): string {
          return String((call as Record<string, unknown>)[member]);
        }
      }
      const app = Application.builder()
        .resources(Book)
        .onError((error) => void errors.push(error))
        .build();
      expect((await app.request("/books/7")).status).toBe(500);
      expect(String(errors[0])).toMatch(
        new RegExp(
          `^TypeError: Cannot read ${member} of the call at "/books/:id" of Book: it extends the Resource of ` +
            "fingerpost; write (?:call\\.\\w+|an Attribute), or extend the Resource of fingerpost/native$",
        ),
      );
    },
  );

  it("RFC 9110 §15.5.2 adds to 401 what guards declare, and names one without where answers are checked", async () => {
    const errors: unknown[] = [];
    const answered = async (
      declared: object,
      options: { readonly checks?: boolean; readonly fields?: object } = {},
    ): Promise<(number | string | null)[]> => {
      class Login extends Resource {
        paths = ["/login"];
        static POST = { 200: text(), 401: "Wrong password", ...declared };
        override POST(): never {
          return reply(401, undefined as never, options.fields as never) as never;
        }
      }
      const builder = Application.builder()
        .resources(Login as never)
        .onError((error) => void errors.push(error));
      const app = (options.checks === true ? builder.replies("check") : builder).build();
      const response = await app.request("/login", { method: "POST" });
      return [response.status, response.headers.get("www-authenticate")];
    };
    const http = (scheme: string): object => ({ type: "http", scheme });
    const security = { users: http("basic"), tokens: http("bearer"), more: { type: "oauth2", flows: {} } };
    expect(await answered({ security })).toEqual([401, 'Basic realm="users", Bearer']);
    expect(await answered({ security }, { fields: { "www-authenticate": "Mine" } })).toEqual([401, "Mine"]);
    const cookie = { session: { type: "apiKey", in: "cookie", name: "id" } };
    expect(await answered({ security: cookie })).toEqual([401, null]);
    expect(errors).toEqual([]);
    expect(await answered({ security: cookie }, { checks: true })).toEqual([500, null]);
    expect(String(errors[0])).toBe(
      "TypeError: Cannot answer POST of Login: 401 has no WWW-Authenticate; give reply() the field, declare " +
        "security, or answer 403",
    );
  });

  it("RFC 9110 §15.5.2 adds a challenge to 401 with content, too", async () => {
    class Login extends Resource {
      paths = ["/login"];
      static POST = { 200: text(), 401: text(), security: { any: { type: "http", scheme: "digest" } } } as const;
      override POST(): never {
        return reply(401, "No") as never;
      }
    }
    const app = Application.builder()
      .resources(Login as never)
      .build();
    const response = await app.request("/login", { method: "POST" });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Digest"]);
    expect(await response.text()).toBe("No");
  });
});
