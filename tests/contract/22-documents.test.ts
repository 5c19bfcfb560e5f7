import fc from "fast-check";
import { Application, Middleware, Resource, ResourceGroup, text } from "fingerpost";
import { document, openapi, type DocumentOptions, type OpenAPIDocument } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { expectValid } from "../support/document-validators.ts";

const about = { title: "Shop", version: "1.0.0" };
const book = z.object({ title: z.string() }).meta({ id: "Book" });
const stock = z.object({ left: z.int() }).meta({ id: "Stock" });

class KeyGuard extends Middleware {
  static security = { staffKey: { type: "apiKey", in: "header", name: "x-key" } };
  static answers = { 401: "A key is needed" };
  override ALL(input: unknown): Promise<Response> | Response {
    return this.next(input);
  }
}

class Books extends Resource {
  override paths = ["/books/:name"] as const;
  static GET = { 200: book };
  override GET(): { title: string } {
    return { title: "Kindred" };
  }
  static DELETE = { 204: "Gone", audience: "staff", deprecated: true };
  override DELETE(): void {}
}

class Stock extends Resource {
  override paths = ["/stock"] as const;
  static audience = "staff";
  static tags = ["Warehouse"];
  static middleware = [KeyGuard];
  static GET = { 200: stock };
  override GET(): { left: number } {
    return { left: 1 };
  }
}

function shop(...more: readonly unknown[]): Application {
  return Application.builder()
    .resources(...([Books, Stock, ...more] as never[]))
    .build();
}

const isPublic = ({ audience }: { readonly audience: string | undefined }): boolean => audience !== "staff";

const operationsOf = ({ paths }: OpenAPIDocument): string[] =>
  Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));

describe("documents of one application", () => {
  it("C22.2 have the operations that a function chooses, by what it is told of each", () => {
    const told: unknown[] = [];
    const all = document(shop(), { ...about, only: (operation) => told.push(operation) > 0 });
    expect(all).toEqual(document(shop(), about));
    expect(told).toEqual([
      {
        method: "DELETE",
        path: "/books/{name}",
        resource: "Books",
        tags: ["Books"],
        audience: "staff",
        isDeprecated: true,
      },
      {
        method: "GET",
        path: "/books/{name}",
        resource: "Books",
        tags: ["Books"],
        audience: undefined,
        isDeprecated: false,
      },
      { method: "GET", path: "/stock", resource: "Stock", tags: ["Warehouse"], audience: "staff", isDeprecated: false },
    ]);
  });

  it("C22.2 have nothing that only other operations use", () => {
    const shown = document(shop(), { ...about, only: isPublic });
    expect(operationsOf(shown)).toEqual(["get /books/{name}"]);
    expect(shown.tags).toEqual([{ name: "Books" }]);
    expect(Object.keys(shown.components.schemas)).toEqual(["Book", "Problem"]);
    expect(shown.components.securitySchemes).toBeUndefined();
  });

  it("C22.2 do not speak of a rival that is left out", () => {
    class Numbered extends Resource {
      override paths = ["/books/:id(\\d+)"] as const;
      static GET = { 200: book, audience: "staff" };
      override GET(): unknown {
        return { title: "Kindred" };
      }
    }
    const app = shop(Numbered);
    expect(JSON.stringify(document(app, about))).toContain("Numbered");
    expect(JSON.stringify(document(app, { ...about, only: isPublic }))).not.toContain("Numbered");
  });

  it("C22.2 have the operations of a group at its prefixes, be it nested, and those of groups in it", () => {
    const inner = ResourceGroup.builder().resources(Stock).prefix("/inner").build();
    const first = ResourceGroup.builder().resources(Books).prefix("/v1").build();
    const second = ResourceGroup.builder().resources(Books, inner).prefix("/v2").build();
    const api = ResourceGroup.builder().resources(first, second).prefix("/api").build();
    const app = Application.builder().resources(api).build();
    const of = (group: DocumentOptions["only"]): string[] => operationsOf(document(app, { ...about, only: group }));
    expect(of(first)).toEqual(["delete /api/v1/books/{name}", "get /api/v1/books/{name}"]);
    expect(of(inner)).toEqual(["get /api/v2/inner/stock"]);
    expect(of(second)).toEqual(["delete /api/v2/books/{name}", "get /api/v2/books/{name}", "get /api/v2/inner/stock"]);
    expect(of(api)).toEqual([...of(first), ...of(second)]);
  });

  it("C22.2 count a path that two groups have to both", () => {
    const one = ResourceGroup.builder().resources(Books).build();
    const other = ResourceGroup.builder().resources(Books, Stock).build();
    const app = Application.builder().resources(one, other).build();
    expect(operationsOf(document(app, { ...about, only: one }))).toHaveLength(2);
    expect(operationsOf(document(app, { ...about, only: other }))).toHaveLength(3);
  });

  it("C22.2 refuse what chooses nothing that can be chosen", () => {
    expect(() => document(shop(), { ...about, only: "staff" as never })).toThrow(
      'Cannot describe the application: expected only to be a group, or a function of an operation, got "staff"',
    );
    const other = ResourceGroup.builder().resources(Books).prefix("/a", "/b").build();
    expect(() => document(shop(), { ...about, only: other })).toThrow(
      'Cannot describe the application: it has no operation of the group of the prefixes "/a, /b"; pass the group ' +
        "that was added by resources()",
    );
    class Wrong extends Resource {
      override paths = ["/wrong"];
      static audience = 5;
      static GET = { 200: text() };
      override GET(): string {
        return "";
      }
    }
    expect(() => shop(Wrong)).toThrow(
      'Cannot add Wrong to the application: static audience is 5; write a text, such as "internal"',
    );
  });

  it("C22.2 are served side by side, each with its page", async () => {
    const staff = openapi({ ...about, title: "Staff", path: "/staff.json", docsPath: "/staff" });
    const app = shop(openapi({ ...about, only: isPublic }), staff);
    const read = async (path: string): Promise<string> => (await app.request(path)).text();
    expect(operationsOf(JSON.parse(await read("/openapi.json")) as OpenAPIDocument)).toHaveLength(1);
    expect(operationsOf(JSON.parse(await read("/staff.json")) as OpenAPIDocument)).toHaveLength(3);
    expect(await read("/docs")).not.toContain("/stock");
    expect(await read("/staff")).toContain("/stock");
  });

  it("C22.2 by audience are each valid, and have nothing of the other", { timeout: 180_000 }, async () => {
    const audiences = fc.constantFrom("public", "staff");
    const kinds = fc.array(fc.record({ audience: audiences, isGuarded: fc.boolean(), hasProblem: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(kinds, async (generated) => {
        const app = Application.builder()
          .resources(...generated.map(resourceOf))
          .build();
        for (const [shown, hidden] of [
          ["public", "staff"],
          ["staff", "public"],
        ]) {
          const one = document(app, { ...about, only: ({ audience }) => audience === shown });
          const written = JSON.stringify(one);
          expect(operationsOf(one)).toHaveLength(generated.filter(({ audience }) => audience === shown).length);
          expect(written).not.toContain(hidden);
          const schemas = generated.flatMap(({ audience }, at) => (audience === shown ? [`${shown}${at}`] : []));
          expect(
            Object.keys(one.components.schemas)
              .filter((name) => name !== "Problem")
              .toSorted(),
          ).toEqual(schemas);
          await expectValid(one);
        }
      }),
      { numRuns: 30 },
    );
  });
});

/** A resource whose path, tag, schema and way to authenticate are named after its audience. */
function resourceOf(
  { audience, isGuarded, hasProblem }: { audience: string; isGuarded: boolean; hasProblem: boolean },
  at: number,
): never {
  class Guard extends Middleware {
    static security = { [`${audience}Key`]: { type: "http", scheme: "bearer" } };
    override ALL(input: unknown): Promise<Response> | Response {
      return this.next(input);
    }
  }
  class Generated extends Resource {
    override paths = [`/${audience}/${at}`];
    static audience = audience;
    static tags = [audience];
    static middleware = isGuarded ? [Guard] : [];
    static GET = {
      id: `get${at}`,
      200: z.object({ value: z.string() }).meta({ id: `${audience}${at}` }),
      ...(hasProblem ? { 404: "Not there" } : {}),
    };
    override GET(): unknown {
      return { value: "" };
    }
  }
  return Generated as never;
}
