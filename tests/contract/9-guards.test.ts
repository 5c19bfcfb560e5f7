// What caches may keep of answers behind guards.
import { Application, HTTPError, Middleware, reply, Resource, ResourceGroup, Status, text } from "fingerpost";
import { bearer } from "fingerpost/middleware/bearer";
import { describe, expect, it } from "vitest";

const session = { type: "apiKey", in: "cookie", name: "session" };

function guardOf(security: object | undefined): typeof Middleware {
  return class SignedIn extends Middleware {
    static readonly security = security;
    ALL(request: Request): Promise<Response> | Response {
      return this.next(request);
    }
  };
}

function classOf(declared: object): new () => Resource {
  return class Account extends Resource {
    paths = ["/account"] as const;
    static GET = { 200: text(), ...declared };
    override GET(): never {
      return "Ada" as never;
    }
    static POST = { 200: text() };
    override POST(): never {
      return "Ada" as never;
    }
  };
}

const SignedIn = guardOf({ session }) as new () => Middleware;

/** An application whose only resource is behind a guard at one of the places that a guard can have. */
const places: Record<string, (Class: new () => Resource) => Application> = {
  application: (Class) =>
    Application.builder()
      .middleware(SignedIn)
      .resources(Class as never)
      .build(),
  group: (Class) =>
    Application.builder()
      .resources(
        ResourceGroup.builder()
          .middleware(SignedIn)
          .resources(Class as never)
          .build(),
      )
      .build(),
  class: (Class) => {
    class Guarded extends Class {
      static middleware = [SignedIn];
    }
    Object.defineProperty(Guarded, "name", { value: "Account" });
    return Application.builder()
      .resources(Guarded as never)
      .build();
  },
};

describe("caches behind guards", () => {
  for (const [place, appOf] of Object.entries(places)) {
    it(`C9.10 build() refuses cache behind a guard of the ${place}, naming both`, () => {
      for (const cache of [
        "public",
        "max-age=60",
        "no-cache, public",
        "s-maxage=5, no-cache",
        'no-cache="x-user"',
        'private="x-user", max-age=60',
      ]) {
        expect(() => appOf(classOf({ cache })), cache).toThrow(
          `Cannot add Account to the application: static GET has "${cache.replaceAll('"', '\\"')}" for cache behind ` +
            `SignedIn, so that caches may give one user's answer to another; write "private, …", or shared: true ` +
            "where all users get the same",
        );
      }
      for (const declared of [
        { cache: "private, max-age=60" },
        { cache: "no-store" },
        { cache: "no-cache" },
        { cache: "public", shared: true },
        {},
      ])
        expect(() => appOf(classOf(declared)), JSON.stringify(declared)).not.toThrow();
    });

    it(`C9.10 what a guard of the ${place} reads gives Vary, and private where nothing is declared`, async () => {
      const fieldsOf = async (declared: object, method = "GET"): Promise<(string | null)[]> => {
        const { headers } = await appOf(classOf(declared)).request("/account", { method });
        return [headers.get("cache-control"), headers.get("vary")];
      };
      expect(await fieldsOf({})).toEqual(["private", "Cookie"]);
      expect(await fieldsOf({ cache: "private, max-age=60" })).toEqual(["private, max-age=60", "Cookie"]);
      expect(await fieldsOf({ cache: "no-cache" })).toEqual(["private, no-cache", "Cookie"]);
      expect(await fieldsOf({ cache: "no-cache", shared: true })).toEqual(["no-cache", null]);
      expect(await fieldsOf({ cache: "Private, no-cache" })).toEqual(["Private, no-cache", "Cookie"]);
      expect(await fieldsOf({ cache: 'no-cache, private="x-user"' })).toEqual(["private, no-cache", "Cookie"]);
      expect(await fieldsOf({ cache: "public, max-age=60", shared: true })).toEqual(["public, max-age=60", null]);
      expect(await fieldsOf({ shared: true })).toEqual([null, null]);
      // Nothing keeps the answer to a POST that does not say how long it is fresh (RFC 9110 §9.3.3).
      expect(await fieldsOf({}, "POST")).toEqual([null, null]);
    });
  }

  it("C9.10 a write may say in its reply for whom its answer is", async () => {
    class Note extends Resource {
      paths = ["/notes"] as const;
      static POST = { 201: text() };
      POST() {
        return reply(201, "Ada", { "Cache-Control": "private, max-age=5" });
      }
    }
    const app = Application.builder().middleware(SignedIn).resources(Note).build();
    const response = await app.request("/notes", { method: "POST" });
    expect([response.status, response.headers.get("cache-control")]).toEqual([201, "private, max-age=5"]);
  });

  it("C9.10 a guard that declares 401, and not by what it asks, is one", async () => {
    class Unsaid extends Middleware {
      static readonly answers = { 401: "Sign in" };
      ALL(request: Request): Promise<Response> | Response {
        if (/u=\w/.test(request.headers.get("cookie") ?? "")) return this.next(request);
        throw new HTTPError(Status.Unauthorized);
      }
    }
    const appOf = (declared: object, guard: typeof Middleware = Unsaid as never): Application =>
      Application.builder()
        .middleware(guard as new () => Middleware)
        .resources(classOf(declared) as never)
        .build();
    const fieldsOf = async (app: Application): Promise<unknown[]> => {
      const { status, headers } = await app.request("/account", { cookies: { u: "Ada" } });
      return [status, headers.get("cache-control"), headers.get("vary")];
    };
    expect(await fieldsOf(appOf({}))).toEqual([200, "private", "Authorization, Cookie"]);
    expect(await fieldsOf(appOf({ shared: true }))).toEqual([200, null, null]);
    expect(() => appOf({ cache: "public" })).toThrow('static GET has "public" for cache behind Unsaid, so that');
    // One that refuses for another reason is none.
    class Elsewhere extends Unsaid {
      static override readonly answers = { 403: "Not from here" } as never;
    }
    expect(await fieldsOf(appOf({}, Elsewhere as never))).toEqual([200, null, null]);
  });

  it("C9.10 each scheme names its field", async () => {
    for (const [security, expected] of [
      [{ session }, "Cookie"],
      [{ key: { type: "apiKey", in: "header", name: "X-API-Key" }, other: session }, "X-API-Key, Cookie"],
      [{ key: { type: "apiKey", in: "query", name: "key" } }, null],
      [{ tls: { type: "mutualTLS" } }, null],
      [{ basic: { type: "http", scheme: "basic" } }, "Authorization"],
      [{ login: { type: "oauth2", flows: {} } }, "Authorization"],
      [undefined, undefined],
    ] as const) {
      const app = Application.builder()
        .middleware(guardOf(security) as new () => Middleware)
        .resources(classOf({}) as never)
        .build();
      const { headers } = await app.request("/account");
      const given = [headers.get("cache-control"), headers.get("vary")];
      expect(given).toEqual(expected === undefined ? [null, null] : ["private", expected]);
    }
  });

  it("C9.10 bearer() is a guard, wherever its token is", async () => {
    const headers = { "x-key": "a", cookie: "id=a" };
    for (const [token, vary] of [
      [{ header: "X-Key" }, "X-Key"],
      [{ cookie: "id" }, "Cookie"],
      [(): string => "a", null],
    ] as const) {
      const builder = Application.builder().middleware(bearer({ tokens: { a: "Ada" }, token: token as never }));
      expect(() => builder.resources(classOf({ cache: "public" }) as never).build()).toThrow("for cache behind Bearer");
      const fieldsOf = async (declared: object): Promise<unknown[]> => {
        const guard = bearer({ tokens: { a: "Ada" }, token: token as never });
        const app = Application.builder()
          .middleware(guard)
          .resources(classOf(declared) as never)
          .build();
        const response = await app.request("/account", { headers });
        return [response.status, response.headers.get("cache-control"), response.headers.get("vary")];
      };
      expect(await fieldsOf({})).toEqual([200, "private", vary]);
      expect(await fieldsOf({ shared: true })).toEqual([200, null, null]);
    }
  });

  it("C9.10 an operation that asks for credentials itself is behind a guard", async () => {
    const declared = { security: { session }, 401: "Sign in" };
    expect(() =>
      Application.builder()
        .resources(classOf({ ...declared, cache: "public" }) as never)
        .build(),
    ).toThrow('static GET has "public" for cache behind security of static GET, so that');
    const app = Application.builder()
      .resources(classOf(declared) as never)
      .build();
    expect(Object.fromEntries((await app.request("/account")).headers)).toMatchObject({
      "cache-control": "private",
      vary: "Cookie",
    });
    expect((await app.request("/account", { method: "HEAD" })).headers.get("cache-control")).toBe("private");
  });

  it("C9.10 a guard of other methods does not count", async () => {
    class Writers extends Middleware {
      static readonly security = { session };
      POST(): never {
        throw new HTTPError(Status.Unauthorized);
      }
    }
    const app = Application.builder()
      .middleware(Writers)
      .resources(classOf({ cache: "public" }) as never)
      .build();
    expect((await app.request("/account")).headers.get("cache-control")).toBe("public");
    expect((await app.request("/account", { method: "POST" })).status).toBe(401);
  });

  it("C9.10 shared is true or false", () => {
    expect(() =>
      Application.builder()
        .resources(classOf({ shared: "yes" }) as never)
        .build(),
    ).toThrow('static GET has "yes" for shared; write true, where all users get the same');
  });
});
