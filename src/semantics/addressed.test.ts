import { Application, HTTPError, Middleware, Resource, ResourceGroup, reply, Status, text } from "fingerpost";
import { Files, type FileSource } from "fingerpost/files";
import { mount } from "fingerpost/mount";
import { Application as NativeApplication, Resource as NativeResource } from "fingerpost/native";
import { openapi } from "fingerpost/openapi";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

class SignedIn extends Middleware {
  static readonly security = { user: { type: "apiKey", in: "cookie", name: "user" } };
  override ALL(request: Request): Promise<Response> | Response {
    return this.next(request);
  }
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
    const guards = [SignedIn];
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

  it("C9.10 do so where middleware answers", async () => {
    const none = new Response(null, { status: 404 });
    const both = ["private", "X-Tenant, X-Count, Cookie"];
    const guards = (given: () => Response): (new () => Middleware)[] => [
      Object.assign(answering(given), { security: SignedIn.security }),
    ];
    expect(await asked(guards(() => none))).toEqual([404, ...both]);
    expect(none.headers.has("vary")).toBe(false);
    expect(await asked(guards(() => Response.redirect("http://localhost/", 308)))).toEqual([308, ...both]);
    expect(await asked(guards(() => new Response("fine")))).toEqual([200, ...both]);
    expect(
      await asked(
        guards(() => new Response("fine")),
        { method: "HEAD" },
      ),
    ).toEqual([200, ...both]);
    expect(
      await asked(
        guards(() => new Response("fine")),
        { method: "OPTIONS" },
      ),
    ).toEqual([200, null, null]);
    const unstored = { declared: { cache: "no-store" } };
    expect(
      await asked(
        guards(() => new Response("fine")),
        unstored,
      ),
    ).toEqual([200, "no-store", both[1]]);
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

  it("C9.10 do so where middleware makes another answer of the good one", async () => {
    const [isPrivate, vary] = ["private", "X-Tenant, X-Count, Cookie"];
    const rebuilt = (fields: HeadersInit | null, status = 200): (new () => Middleware)[] => [
      class extends SignedIn {
        override async ALL(request: Request): Promise<Response> {
          const given = await this.next(request);
          const body = status === 304 ? null : given.body;
          const headers = fields ?? Object.fromEntries([...given.headers].filter(([name]) => name !== "etag"));
          return new Response(body, { status, headers });
        }
      },
    ];
    expect(await asked(rebuilt({}))).toEqual([200, isPrivate, vary]);
    expect(await asked(rebuilt(null))).toEqual([200, isPrivate, vary]);
    const own = { "cache-control": "private, max-age=5", vary: "cookie, X-Tenant, X-Count" };
    expect(await asked(rebuilt(own))).toEqual([200, ...Object.values(own)]);
    const open = rebuilt({ "cache-control": "public, max-age=60, s-maxage=9" });
    expect(await asked(open), "no shared: true").toEqual([200, "private, max-age=60", vary]);
    const shared = { shared: true };
    const declared = vary.replace(", Cookie", "");
    expect(await asked(open, { declared: shared })).toEqual([200, "public, max-age=60, s-maxage=9", declared]);
    expect(await asked(rebuilt({}), { declared: shared })).toEqual([200, null, declared]);
    expect(await asked(rebuilt({}), { declared: { ...shared, cache: "no-store" } })).toEqual([
      200,
      "no-store",
      declared,
    ]);
    // Caches keep the fields that a 304 lacks.
    expect(await asked(rebuilt({}, 304))).toEqual([304, null, null]);
    expect(await asked(rebuilt({ "cache-control": "max-age=9", vary: "Accept" }, 304))).toEqual([
      304,
      "private, max-age=9",
      `Accept, ${vary}`,
    ]);
  });

  it("C9.10 do so where a guard answers by itself, also where what it lets through is shared", async () => {
    const guard = Object.assign(
      answering(() => new Response("Sign in")),
      { security: SignedIn.security },
    );
    const both = ["private", "X-Tenant, X-Count, Cookie"];
    for (const declared of [{ shared: true }, { shared: true, cache: "public, max-age=60" }]) {
      expect(await asked([guard], { declared })).toEqual([200, ...both]);
    }
    const outer = class extends Middleware {
      override async ALL(request: Request): Promise<Response> {
        const response = new Response((await this.next(request)).body);
        response.headers.set("cache-control", "max-age=60");
        return response;
      }
    };
    expect(await asked([outer, guard])).toEqual([200, "private, max-age=60", both[1]]);
  });

  it("C9.10 are for one user where validator() or a reply says otherwise, and 500 where that is checked", async () => {
    const open = "public, s-maxage=60, max-age=60";
    const asking = async (declared: object, replies: "check" | "shape", headers = {}): Promise<unknown[]> => {
      class Thing extends Resource {
        paths = ["/thing", "/thing/:id"] as const;
        static GET = { 200: text(), 404: "None", ...declared };
        override GET({ path }: { path: { id?: string } }): never {
          const fields = { "Cache-Control": open };
          return (path.id === undefined ? reply(200, "One", fields) : reply(404, {}, fields)) as never;
        }
      }
      class Tagged extends Thing {
        override paths = ["/tagged"] as never;
        override GET(): never {
          return "One" as never;
        }
        override validator(): never {
          return { etag: '"1"', headers: { "cache-control": open, expires: undefined, vary: "X-A" } } as never;
        }
      }
      const errors: unknown[] = [];
      const group = ResourceGroup.builder()
        .middleware(SignedIn)
        .resources(Thing as never, Tagged as never)
        .build();
      const app = Application.builder()
        .resources(group as never)
        .replies(replies)
        .onError((error) => void errors.push((error as Error).message))
        .build();
      const answers: unknown[] = [];
      for (const path of ["/thing", "/thing/7", "/tagged"]) {
        const response = await app.request(path as never, { headers } as never);
        answers.push([response.status, response.headers.get("cache-control"), response.headers.get("vary")]);
      }
      return [...answers, ...errors];
    };
    const isPrivate = "private, max-age=60";
    expect(await asking({}, "shape")).toEqual([
      [200, isPrivate, "Cookie"],
      [404, isPrivate, "Cookie"],
      [200, isPrivate, "Cookie, X-A"],
    ]);
    const conditional = { "if-none-match": '"1"' };
    expect((await asking({}, "shape", conditional))[2]).toEqual([304, isPrivate, "Cookie, X-A"]);
    const cannot = 'so that caches may give one user\'s answer to another; write "private, …", or shared: true';
    const said = `has "${open}" for Cache-Control behind SignedIn, ${cannot} where all users get the same`;
    expect(await asking({}, "check")).toEqual([
      [500, "private", "Cookie"],
      [500, "private", "Cookie"],
      [500, "private", "Cookie"],
      `Cannot answer GET of Thing: its reply() ${said}`,
      `Cannot answer GET of Thing: its reply() ${said}`,
      `Cannot answer GET of Tagged: its validator() ${said}`,
    ]);
    expect(await asking({ shared: true }, "check")).toEqual([
      [200, open, null],
      [404, open, "Cookie"],
      [200, open, "X-A"],
    ]);
  });

  it("C9.10 do so where a handler makes the response itself, if a guard runs", async () => {
    const fieldsOf = ({ status, headers }: Response): unknown[] => [
      status,
      headers.get("cache-control"),
      headers.get("vary"),
    ];
    const shared = new Response(null, { status: 204 });
    class Native extends NativeResource {
      paths = ["/native/:act"] as const;
      override GET(request: { params: { pathParam(name: string): string } }): Response {
        const act = request.params.pathParam("act");
        if (act === "fails") throw new HTTPError(Status.Gone);
        if (act === "shared") return shared;
        return new Response("One", act === "none" ? {} : { headers: { "cache-control": act, vary: "Accept" } });
      }
      override POST(): Response {
        return new Response("Done");
      }
    }
    const source: FileSource = {
      codings: [],
      find: ([name]) =>
        name !== "a.txt"
          ? undefined
          : {
              ...{ length: 1, etag: '"1"', lastModified: null, type: "text/plain", coding: null },
              read: () => new Uint8Array(1),
              close: () => {},
            },
    };
    class Assets extends Files {
      paths = ["/assets/:path*"] as const;
      source = source;
    }
    const inner = NativeApplication.builder().resources(Native).build();
    class Mounted extends mount(["/mounted/:path*"], inner.fetch, { stripPrefix: true }) {}
    const members = [Native, Assets, Mounted, ...openapi({ title: "Things", version: "1" })];
    const asking = (...middleware: (new () => Middleware)[]) => {
      const group = ResourceGroup.builder()
        .middleware(...(middleware as never[]))
        .resources(...(members as never[]))
        .build();
      const app = Application.builder()
        .resources(group as never)
        .onError((error) => (error instanceof HTTPError && error.status === 410 ? new Response("Gone") : undefined))
        .build();
      return async (path: string, init: object = {}) => fieldsOf(await app.request(path as never, init as never));
    };
    const ask = asking(SignedIn);
    for (const place of ["/native", "/mounted/native"]) {
      expect(await ask(`${place}/none`)).toEqual([200, "private", "Cookie"]);
      expect(await ask(`${place}/shared`)).toEqual([204, "private", "Cookie"]);
      expect(await ask(`${place}/max-age=60`)).toEqual([200, "private, max-age=60", "Accept, Cookie"]);
      expect(await ask(`${place}/public`), "on purpose").toEqual([200, "public", "Accept, Cookie"]);
      expect(await ask(`${place}/s-maxage=9`), "on purpose").toEqual([200, "s-maxage=9", "Accept, Cookie"]);
      expect(await ask(`${place}/none`, { method: "POST" })).toEqual([200, null, null]);
    }
    class Writing extends Middleware {
      override ALL(request: Request): Promise<Response> | Response {
        return this.next(request, new Request(request, { method: "POST" }));
      }
    }
    expect(await asking(SignedIn, Writing)("/native/none"), "a read of a write").toEqual([200, "private", "Cookie"]);
    expect(shared.headers.has("vary")).toBe(false);
    expect(await ask("/native/fails"), "an observer").toEqual([200, "private", "Cookie"]);
    expect(await ask("/mounted/native/fails")).toEqual([410, "private", "Cookie"]);
    expect(await ask("/native/none", { method: "HEAD" })).toEqual([501, "private", "Cookie"]);
    for (const method of ["GET", "HEAD"]) {
      expect(await ask("/assets/a.txt", { method })).toEqual([200, "private, no-cache", "Cookie"]);
      expect(await ask("/assets/b.txt", { method })).toEqual([404, "private", "Cookie"]);
      expect(await ask("/openapi.json", { method })).toEqual([200, "private, no-cache", "Accept, Cookie"]);
    }
    const unchanged = { headers: { "if-none-match": '"1"' } };
    expect(await ask("/assets/a.txt", unchanged)).toEqual([304, "private, no-cache", null]);
    for (const plain of [asking(), asking(class extends Middleware {})]) {
      expect(await plain("/native/none")).toEqual([200, null, null]);
      expect(await plain("/native/max-age=60")).toEqual([200, "max-age=60", "Accept"]);
      expect(await plain("/native/fails")).toEqual([200, null, null]);
    }
  });

  it("C9.10 do so where an observer's response cannot be copied, and tell why", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    class Thing extends Resource {
      static middleware = [SignedIn];
      paths = ["/thing"] as const;
      static GET = { 204: "Fine" };
      override GET(): never {
        throw new HTTPError(Status.NotFound);
      }
    }
    const odd = { status: 299, headers: {}, body: null, arrayBuffer: () => {} };
    const observed = Application.builder()
      .resources(Thing)
      .onError(() => odd as never)
      .build();
    const { status, headers } = await observed.request("/thing");
    expect([status, headers.get("cache-control"), headers.get("vary")]).toEqual([500, "private", "Cookie"]);
    expect(print).toHaveBeenCalledOnce();
    print.mockRestore();

    const errors: unknown[] = [];
    const guard = Object.assign(
      answering(() => odd as never),
      { security: SignedIn.security },
    );
    class Guarded extends Thing {
      static override middleware = [guard] as never;
    }
    const app = Application.builder()
      .resources(Guarded)
      .onError((error) => void errors.push(error))
      .build();
    expect((await app.request("/thing")).status).toBe(500);
    expect(errors).toEqual([expect.any(TypeError)]);
  });
});
