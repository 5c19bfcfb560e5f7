import { Application, HTTPError, Middleware, Resource, ResourceGroup, reply, Status, text } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";

class SignedIn extends Middleware {
  static readonly security = { user: { type: "apiKey", in: "cookie", name: "user" } };
}

/** Asks a guarded read of one of the middlewares around it. */
async function asked(
  middleware: readonly (new () => Middleware)[],
  { path = "/thing/1", declared = {}, ...init }: RequestInit & { path?: string; declared?: object } = {},
): Promise<unknown[]> {
  class Thing extends Resource {
    paths = ["/thing/:id"] as const;
    static GET = {
      path: z.object({ id: z.int() }),
      headers: z.object({ "X-Tenant": z.string().optional(), "X-Count": z.int().optional() }),
      200: text(),
      404: "None",
      ...declared,
    };
    override GET({ path: { id } }: { path: { id: number } }): never {
      if (id === 1) return "One" as never;
      if (id === 4) return reply(404) as never;
      throw id === 5 ? new Error("fault") : new HTTPError(Status.Gone, undefined, { headers: { vary: "cookie" } });
    }
  }
  const group = ResourceGroup.builder()
    .middleware(...(middleware as never[]))
    .resources(Thing as never)
    .build();
  const app = Application.builder()
    .resources(group as never)
    .onError(() => {})
    .build();
  const { status, headers } = await app.request(path as never, init as never);
  return [status, headers.get("cache-control"), headers.get("vary")];
}

function answering(given: () => Response): new () => Middleware {
  return class Answering extends Middleware {
    override ALL(): Response {
      return given();
    }
  };
}

describe("answers of a read", () => {
  it("C9.10 say for whom they are, whoever made them", async () => {
    const both = ["private", "X-Tenant, X-Count, Cookie"];
    const guards = [
      class extends SignedIn {
        override ALL(request: Request): Promise<Response> | Response {
          return this.next(request);
        }
      },
    ];
    expect(await asked(guards)).toEqual([200, ...both]);
    for (const method of ["GET", "HEAD"]) {
      expect(await asked(guards, { method, path: "/thing/4" }), "replied").toEqual([404, ...both]);
      expect(await asked(guards, { method, path: "/thing/x" }), "a step").toEqual([404, ...both]);
      expect(await asked(guards, { method, path: "/thing/5" }), "a fault").toEqual([500, ...both]);
      const thrown = await asked(guards, { method, path: "/thing/6" });
      expect(thrown, "thrown, with a field of its own").toEqual([410, "private", "cookie, X-Tenant, X-Count"]);
    }
    expect(await asked(guards, { headers: { "x-count": "x" } })).toEqual([400, ...both]);
    expect(await asked(guards, { headers: { accept: "image/png" } })).toEqual([
      406,
      "private",
      "Accept, X-Tenant, X-Count, Cookie",
    ]);
    expect(await asked(guards, { path: "/thing/4", declared: { shared: true } })).toEqual([404, ...both]);
    expect(await asked(guards, { path: "/thing/4", declared: { cache: "no-store" } })).toEqual([
      404,
      "no-store",
      both[1],
    ]);
  });

  it("C9.10 do so where middleware answers, but for what is good, and shared by everyone", async () => {
    const none = new Response(null, { status: 404 });
    const both = ["private", "X-Tenant, X-Count, Cookie"];
    const guards = (given: () => Response): (new () => Middleware)[] => [
      Object.assign(answering(given), { security: SignedIn.security }),
    ];
    expect(await asked(guards(() => none))).toEqual([404, ...both]);
    expect(none.headers.has("vary")).toBe(false);
    expect(await asked(guards(() => Response.redirect("http://localhost/", 308)))).toEqual([308, ...both]);
    expect(await asked(guards(() => new Response("fine")))).toEqual([200, null, null]);
    const own = { status: 410, headers: { "cache-control": "no-store", vary: "*" } };
    expect(await asked(guards(() => new Response(null, own)))).toEqual([410, "no-store", "*"]);
  });

  it("C9.10 do so where middleware went on with another request", async () => {
    class Thing extends Resource {
      paths = ["/thing"] as const;
      static GET = { cookies: z.object({ user: z.string().optional() }), 204: "Fine" };
      override GET(): never {
        throw new HTTPError(Status.NotFound);
      }
    }
    class Rewriting extends Middleware {
      override ALL(request: Request): Promise<Response> | Response {
        return this.next(request, new Request("http://localhost/thing", request));
      }
    }
    const app = Application.builder().resources(Thing).middleware(Rewriting).build();
    expect((await app.request("/elsewhere")).headers.get("vary")).toBe("Cookie");
    const plain = Application.builder().resources(Thing).build();
    expect((await plain.request("/thing")).headers.get("vary")).toBe("Cookie");
    expect((await plain.request("/elsewhere")).headers.get("vary")).toBeNull();
  });
});
