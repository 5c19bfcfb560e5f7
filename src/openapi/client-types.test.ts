import { Application, bytes, events, Resource, ResourceGroup, text } from "fingerpost";
import { openapi } from "fingerpost/openapi";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type as ark } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clientTypes } from "./client-types.ts";

class Book extends Resource {
  paths = ["/books/:isbn", "/books/:isbn/:page?", "/:optional?", "/books"] as const;

  static GET = {
    at: ["/books/:isbn", "/books"],
    query: z.object({ limit: z.int() }),
    headers: z.object({ "x-a": z.string().optional() }),
    cookies: z.object({ session: z.string() }),
    200: z.object({ title: z.string() }),
    204: "Nothing",
    404: "None",
  };
  override GET(): undefined {
    return undefined;
  }

  static PUT = { content: bytes(), 200: bytes() };
  override PUT(): Blob {
    return new Blob();
  }

  static POST = { content: { "application/json": z.int(), "image/*": bytes() }, 200: text() };
  override POST(): string {
    return "";
  }

  static PATCH = { content: { "text/csv": text() }, 200: events(z.int()) };
  override async *PATCH(): AsyncGenerator<number> {}

  static QUERY = { path: z.object({ isbn: z.string() }), content: z.string().optional(), 200: z.string() };
  override QUERY(): string {
    return "";
  }

  static DELETE = { content: text(), 204: "Gone" };
  override DELETE(): undefined {
    return undefined;
  }
}

class Undeclared extends Resource {
  paths = ["/undeclared"] as const;
  override GET(): string {
    return "";
  }
}

const app = Application.builder()
  .resources(Book, Undeclared, ...openapi({ title: "Books", version: "1" }))
  .build();
const printed = clientTypes(app.dispatcher);

/** The lines of one pattern, by method. */
function methodsAt(pattern: string): Record<string, string> {
  const [, block = ""] = printed.split(`  readonly ${JSON.stringify(pattern)}: {\n`);
  const lines = block.split("\n  };")[0]!.split("\n");
  return Object.fromEntries(lines.map((line) => [line.trim().split("(")[0]!, line.trim().replace(/^\w+/, "")]));
}

describe("clientTypes()", () => {
  it("has the patterns with declared operations, and imports nothing of the server", () => {
    const patterns = [...printed.matchAll(/^ {2}readonly "(.*)": \{$/gm)].map(([, pattern]) => pattern);
    expect(patterns).toEqual(["/books/:isbn", "/books/:isbn/:page?", "/:optional?", "/books"]);
    expect(printed.match(/^import .*$/gm)).toEqual([
      'import type { CallOptions, Refused, Uncompared } from "fingerpost/client";',
    ]);
    expect(Object.keys(methodsAt("/books/:isbn")).toSorted()).toEqual([
      "DELETE",
      "GET",
      "PATCH",
      "POST",
      "PUT",
      "QUERY",
    ]);
    expect(methodsAt("/:optional?")["GET"]).toBe(undefined);
  });

  it("has what a call takes", () => {
    const path = "{ readonly path: { readonly isbn: PathValue; } }";
    const at = methodsAt("/books/:isbn");
    const rest =
      '{ readonly query: { readonly limit: number; } } & { readonly headers?: { readonly "x-a"?: string | undefined; ' +
      "} | undefined } & { readonly cookies?: { readonly session: string; } | undefined } & CallOptions";
    expect(at["GET"]).toContain(`(input: ${path} & ${rest}): `);
    expect(methodsAt("/books")["GET"]).toContain(`(input: ${rest}): `);
    const data = "Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array>";
    expect(at["PUT"]).toContain(
      `(input: ${path} & { readonly content: ${data}; readonly type?: string | undefined } & CallOptions)`,
    );
    expect(at["POST"]).toContain(
      '& ({ readonly content: number; readonly type?: "application/json" | undefined } | { readonly content: ' +
        `${data}; readonly type: string }) & CallOptions)`,
    );
    expect(at["PATCH"]).toContain('& { readonly content: string; readonly type: "text/csv" } & CallOptions)');
    expect(at["QUERY"]).toContain(
      "(input: { readonly path: { readonly isbn: string; } } & { readonly content?: string | undefined } & " +
        "CallOptions)",
    );
    expect(at["DELETE"]).toContain("& { readonly content: string; readonly type: string } & CallOptions)");
    expect(methodsAt("/books/:isbn/:page?")["PUT"]).toContain(
      "readonly isbn: PathValue; readonly page?: PathValue | undefined; } }",
    );
    expect(methodsAt("/:optional?")["PUT"]).toContain(
      "(input: { readonly path?: { readonly optional?: PathValue | undefined; } | undefined } & ",
    );
  });

  it("has the params of the pattern that the schema of the path does not have", () => {
    class Page extends Resource {
      paths = ["/books/:isbn/:page?"] as const;

      static GET = { path: z.object({ isbn: z.int() }), 204: "There" };
      override GET(): undefined {
        return undefined;
      }

      static PUT = { path: z.object({ isbn: z.int(), page: z.int().optional() }), 204: "Stored" };
      override PUT(): undefined {
        return undefined;
      }

      static DELETE = { path: z.record(z.string(), z.string()), 204: "Gone" };
      override DELETE(): undefined {
        return undefined;
      }
    }
    const group = ResourceGroup.builder().resources(Page).prefix("/:tenant").build();
    const types = clientTypes(Application.builder().resources(group).build().dispatcher);
    const page = "readonly page?: PathValue | undefined;";
    expect(types).toContain(
      "GET(input: { readonly path: { readonly isbn: number; } } & { readonly path: { readonly tenant: PathValue; " +
        `${page} } } & CallOptions)`,
    );
    expect(types).toContain(
      "PUT(input: { readonly path: { readonly isbn: number; readonly page?: number | undefined; } } & { readonly " +
        "path: { readonly tenant: PathValue; } } & CallOptions)",
    );
    expect(types).toContain(
      "DELETE(input: { readonly path?: { readonly [name: string]: string } | undefined } & { readonly path: { " +
        `readonly tenant: PathValue; readonly isbn: PathValue; ${page} } } & CallOptions)`,
    );
  });

  it("has the content of errors as problems() sets it", () => {
    const failing = Application.builder()
      .resources(Book)
      .problems({ schema: z.object({ error: z.string() }), from: ({ title }) => ({ error: title }) })
      .build();
    const declared = clientTypes(failing.dispatcher);
    expect(declared).toContain("\ntype Problem = { readonly error: string; };\n");
    expect(declared).not.toContain("interface Problem");
    expect(declared).toContain("Result<404, false, Problem> | Refused<Problem> | Uncompared>;");
    expect(printed).toContain("\ninterface Problem {\n");
  });

  it("has what comes back", () => {
    const at = methodsAt("/books/:isbn");
    expect(at["GET"]).toContain(
      "Promise<Result<200, true, { readonly title: string; }> | Result<204, true, undefined> | Result<404, false, " +
        "Problem> | Refused<Problem> | Uncompared>;",
    );
    expect(at["PUT"]).toContain("Promise<Result<200, true, Blob> | Refused<Problem> | Uncompared>;");
    expect(at["POST"]).toContain("Promise<Result<200, true, string> | Refused<Problem> | Uncompared>;");
    expect(at["PATCH"]).toContain("Promise<Result<200, true, AsyncIterable<number>> | Refused<Problem> | Uncompared>;");
  });

  it("has a date as a text, and where it is sent as a text or a date", () => {
    class Person extends Resource {
      paths = ["/people"] as const;
      static POST = {
        query: z.object({ since: z.coerce.date().optional(), day: z.iso.date(), at: z.iso.datetime() }),
        content: z.object({ born: z.coerce.date() }),
        200: z.object({ born: z.date().nullable() }),
        201: toStandardJsonSchema(v.object({ born: v.date() })),
        202: ark({ born: "Date" }),
        203: events(z.object({ at: z.date() })),
      };
      override POST(): never {
        throw new Error();
      }
    }
    const types = clientTypes(Application.builder().resources(Person).build().dispatcher);
    expect(types).toContain(
      "{ readonly query: { readonly since?: string | Date | undefined; readonly day: string; readonly at: string; } " +
        "} & { readonly content: { readonly born: string | Date; } }",
    );
    const born = "{ readonly born: string; }";
    expect(types).toContain(
      `Result<200, true, { readonly born: string | null; }> | Result<201, true, ${born}> | Result<202, true, ` +
        `${born}> | Result<203, true, AsyncIterable<{ readonly at: string; }>>`,
    );
  });
});
