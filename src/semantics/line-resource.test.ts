import { describe, expect, it, vi } from "vitest";
import { Middleware } from "../application/native.ts";
import { cors } from "../middleware/cors.ts";
import { text } from "./declaration/raw-content.ts";
import { Application } from "./semantics-application.ts";
import { Resource } from "./semantics-resource.ts";

class Things extends Resource {
  override paths = ["/things"];

  static GET = { 200: text() };
  override GET(): string {
    return "got";
  }
}

describe("declare()", () => {
  it("goes on with the handlers that a class had when the application was built", async () => {
    class Changed extends Things {
      static QUERY = { 200: text() };
      override QUERY(): string {
        return "asked";
      }
    }
    const app = Application.builder().resources(Changed).build();
    Object.assign(Changed.prototype, { GET: () => "other", QUERY: () => "other", POST: () => "other" });
    expect(await (await app.request("/things")).text()).toBe("got");
    expect(await (await app.request("/things", { method: "QUERY" })).text()).toBe("asked");
    expect((await app.request("/things", { method: "POST" })).status).toBe(405);
  });

  it("C8.12 warns once of a handler that declares nothing beside others that do", () => {
    class Shelf extends Things {
      override POST(): never {
        throw new Error("Not called");
      }
    }
    class Plain extends Resource {
      override paths = ["/plain"];
      override GET(): never {
        throw new Error("Not called");
      }
    }
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      Application.builder().resources(Shelf, Plain).build();
      Application.builder().resources(Shelf, Plain).build();
      const warnings = print.mock.calls.map(([told]) => String(told));
      expect(warnings).toEqual([
        "POST of Shelf declares nothing, so that nothing checks it; write static POST = { 200: … }",
      ]);
    } finally {
      print.mockRestore();
    }
  });

  it("has no handler but those of methods", async () => {
    const app = Application.builder()
      .resources(Things)
      .onError(() => {})
      .build();
    for (const method of ["constructor", "toString", "__proto__", "get"]) {
      expect((await app.fetch({ method, url: "http://localhost/things" } as Request)).status, method).toBe(501);
    }
  });

  it("shows scripts of other origins what members of an operation add", async () => {
    class Old extends Things {
      static override GET = {
        200: text(),
        etag: "content" as const,
        deprecated: { since: "2026-01-31", sunset: "2027-01-31", link: "https://example.org" },
      };
    }
    const app = Application.builder()
      .middleware(cors({ origins: "*", exposeHeaders: [] }))
      .resources(Old)
      .build();
    const { headers } = await app.request("/things", { headers: { origin: "https://shop.example" } });
    const shown = (headers.get("access-control-expose-headers") ?? "").split(", ");
    expect(shown.toSorted()).toEqual(["Deprecation", "ETag", "Link", "Sunset"]);
    for (const name of shown) expect(headers.has(name), name).toBe(true);
  });

  it("refuses what is read of guards only for answers", () => {
    class Failing extends Middleware {
      static answers(): never {
        throw new RangeError("not now");
      }
      override ALL(input: unknown): Promise<Response> {
        return this.next(input) as Promise<Response>;
      }
    }
    class Guarded extends Things {
      static override middleware = [Failing];
    }
    expect(() => Application.builder().resources(Guarded).build()).toThrow("not now");
    class Unlocked extends Things {
      static override GET = { 200: text(), security: { key: null } };
    }
    expect(() =>
      Application.builder()
        .resources(Unlocked as never)
        .build(),
    ).toThrow(TypeError);
  });
});
