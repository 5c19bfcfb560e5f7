import { describe, expect, it } from "vitest";
import { z } from "zod";
import { basic } from "../../middleware/basic.ts";
import { bearer } from "../../middleware/bearer.ts";
import { Resource as NativeResource, type RequestOf } from "../../application/native.ts";
import {
  Application,
  Attribute,
  HTTPError,
  Middleware,
  patch,
  problem,
  reply,
  Resource,
  ResourceGroup,
  type Answer,
  type Asked,
  type Call,
} from "../../modules/http.semantics.ts";

interface User {
  readonly id: string;
  readonly scopes: readonly string[];
}

const user = new Attribute<User>("user");
const tokens: Record<string, User> = {
  reader: { id: "ada", scopes: ["read"] },
  writer: { id: "bob", scopes: ["read", "write"] },
  nobody: { id: "eve", scopes: [] },
};
const scopesOf = ({ scopes }: User): readonly string[] => scopes;
const guard = bearer<User>({ tokens, identity: user, scopesOf });
const optional = bearer<User>({ tokens, optional: true, identity: user, scopesOf });

interface App extends Pick<Application, "explain"> {
  request(path: string, options?: object): Promise<Response>;
}

async function asked(app: App, path: string, token: string | null, options: object = {}): Promise<Response> {
  return app.request(path, { ...options, headers: token === null ? {} : { authorization: `Bearer ${token}` } });
}

const statusOf = async (...given: Parameters<typeof asked>): Promise<number> => (await asked(...given)).status;

function appOf(members: readonly object[], ...middleware: readonly object[]): App {
  return Application.builder()
    .resources(
      ResourceGroup.builder()
        .middleware(...(middleware as never[]))
        .resources(...(members as never[]))
        .build(),
    )
    .onError((error) => void errors.push(error))
    .build();
}

const errors: unknown[] = [];
const lastError = (): string => (errors.pop() as Error).message;

class Tickets extends Resource {
  override paths = ["/tickets"] as const;
  static GET = { scopes: ["read"], 200: z.string() };
  override GET(): string {
    return "tickets";
  }
  static POST = { scopes: ["read", "write"], content: z.object({ title: z.string() }), 204: "Stored" };
  override POST(): void {}
}

describe("scopes", () => {
  const app = appOf([Tickets], optional);

  it("RFC 9110 §15.5.2 refuses by 401 with the guard's challenge whom no guard knows", async () => {
    const response = await asked(app, "/tickets", null);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="default"']);
  });

  it("RFC 6750 §3.1 refuses by 403 with the scopes who lacks one, before content is read", async () => {
    const response = await asked(app, "/tickets", "reader", { method: "POST", body: "{" });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      403,
      'Bearer realm="default", scope="read write", error="insufficient_scope"',
    ]);
  });

  it("lets through who has all, for HEAD as for GET", async () => {
    expect(await statusOf(app, "/tickets", "reader")).toBe(200);
    expect(await statusOf(app, "/tickets", "reader", { method: "HEAD" })).toBe(200);
    expect(await statusOf(app, "/tickets", "nobody", { method: "HEAD" })).toBe(403);
    expect(await statusOf(app, "/tickets", "writer", { method: "POST", json: { title: "a" } })).toBe(204);
  });

  it("answers 405 and OPTIONS before, to everybody", async () => {
    expect(await statusOf(app, "/tickets", null, { method: "PUT" })).toBe(405);
    expect(await statusOf(app, "/tickets", null, { method: "OPTIONS" })).toBe(204);
  });

  it("needs those of the guard, too, and names all in a challenge", async () => {
    const strict = appOf([Tickets], bearer<User>({ tokens, scopes: ["read"], scopesOf }));
    const lacking = async (token: string): Promise<string | null> =>
      (await asked(strict, "/tickets", token, { method: "POST" })).headers.get("www-authenticate");
    expect(await lacking("nobody")).toBe('Bearer realm="default", scope="read", error="insufficient_scope"');
    expect(await lacking("reader")).toBe('Bearer realm="default", scope="read write", error="insufficient_scope"');
  });

  it("lets one of several guards have granted all, and joins their challenges", async () => {
    const two = appOf(
      [Tickets],
      bearer<User>({ tokens, token: { header: "x-key" }, optional: true, scopesOf }),
      class Named extends Middleware {
        static readonly identity = name;
        static readonly grants = (given: string): readonly string[] => (given === "root" ? ["read", "write"] : []);
        static readonly security = { named: { type: "http", scheme: "bearer" } };
        ALL(request: Request): Response | Promise<Response> {
          const given = request.headers.get("x-name");
          if (given !== null) name.set(request, given);
          return this.next(request);
        }
      },
    );
    const get = async (headers: object): Promise<unknown[]> => {
      const { status, headers: fields } = await two.request("/tickets", { headers });
      return [status, fields.get("www-authenticate")];
    };
    expect(await get({ "x-key": "reader", "x-name": "guest" })).toEqual([200, null]);
    expect(await get({ "x-key": "nobody", "x-name": "root" })).toEqual([200, null]);
    expect(await get({})).toEqual([401, 'Bearer realm="default", Bearer']);
    expect(await get({ "x-name": "guest" })).toEqual([
      403,
      'Bearer realm="default", scope="read", error="insufficient_scope", Bearer error="insufficient_scope", ' +
        'scope="read"',
    ]);
  });

  it("has no challenge where no scheme has one for a scope that lacks, and fails for what is no list", async () => {
    const users = { ada: "analytical engine" };
    const authorization = `Basic ${btoa("ada:analytical engine")}`;
    const of = async (grants: (name: string) => readonly string[]): Promise<Response> =>
      appOf([Tickets], basic({ users, scopesOf: grants })).request("/tickets", { headers: { authorization } });
    expect((await of(() => ["read"])).status).toBe(200);
    const refused = await of(() => ["write"]);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([403, null]);
    expect((await of(() => "readonly" as never)).status).toBe(500);
    expect(lastError()).toBe('Cannot check the scopes: expected Basic to grant an array of them, got "readonly"');
  });

  it("has no challenge where guards of users have no scheme with one", async () => {
    class Keyed extends Middleware {
      static readonly identity = name;
      static readonly grants = (): readonly string[] => [];
      static readonly security = { key: { type: "apiKey", in: "header", name: "x-key" } };
      ALL(request: Request): Response | Promise<Response> {
        if (request.headers.has("x-key")) name.set(request, "somebody");
        return this.next(request);
      }
    }
    const keyed = appOf([Tickets], Keyed);
    const responses = await Promise.all(
      [{}, { "x-key": "a" }].map((headers) => keyed.request("/tickets", { headers })),
    );
    expect(responses.map(({ status, headers }) => [status, headers.get("www-authenticate")])).toEqual([
      [401, null],
      [403, null],
    ]);
  });
});

const name = new Attribute<string>("name");

describe("may", () => {
  const missing = problem("/problems/missing", { status: 404, title: "No such ticket" });
  class Ticket extends Resource {
    override paths = ["/tickets/:id", "/orgs/:org/tickets/:id"] as const;
    static may = ({ path, request }: Asked<typeof Ticket>): boolean => path.id === user.get(request).id;
    static GET = {
      path: z.object({ id: z.string().min(2) }),
      query: z.object({ n: z.int() }).partial(),
      200: z.string(),
    };
    override GET({ path }: Call<typeof Ticket, "GET">): string {
      return path.id;
    }
    static DELETE = {
      may: { ask: async (): Promise<boolean> => false, hides: true as const },
      204: "Gone",
      404: missing,
    };
    override DELETE(): Answer<typeof Ticket, "DELETE"> {
      return missing();
    }
  }

  it("gives the resource, by which it reaches what the constructor got", async () => {
    class Owned extends Resource {
      paths = ["/owned/:id"] as const;
      readonly owners: ReadonlyMap<string, string>;
      constructor(owners: ReadonlyMap<string, string>) {
        super();
        this.owners = owners;
      }
      static GET = {
        may: ({ path, request, resource }: Asked<typeof Owned>): boolean =>
          resource.owners.get(path.id) === user.get(request).id,
        204: "Owned",
      };
      override GET(): void {}
    }
    const group = ResourceGroup.builder().middleware(guard).resources(Owned).build();
    const app = Application.builder()
      .resources(group)
      .instantiate((Class) => new Class(new Map([["7", "ada"]])))
      .build();
    expect([await statusOf(app, "/owned/7", "reader"), await statusOf(app, "/owned/8", "reader")]).toEqual([204, 403]);
  });

  it("refuses by 403 after the path is read, and before the query, and says for whom it is", async () => {
    const app = appOf([Ticket], guard);
    const refused = await asked(app, "/tickets/bob?n=x", "reader");
    const { headers } = refused;
    expect([refused.status, headers.get("cache-control"), headers.get("vary")]).toEqual([
      403,
      "private",
      "Authorization",
    ]);
    expect(await statusOf(app, "/tickets/ada?n=x", "reader")).toBe(400);
    expect(await statusOf(app, "/tickets/ada", "reader")).toBe(200);
    expect(await statusOf(app, "/tickets/ada", "reader", { method: "HEAD" })).toBe(200);
    expect(await statusOf(app, "/tickets/a", "reader")).toBe(404);
    expect(await statusOf(app, "/tickets/bob", "reader", { method: "OPTIONS" })).toBe(204);
  });

  it("refuses by the text that the operation declares for 403", async () => {
    class Told extends Resource {
      override paths = ["/told"] as const;
      static may = (): boolean => false;
      static GET = { 200: z.object({}), 403: "Admins only" };
      override GET() {
        return {};
      }
      static DELETE = { 204: "Deleted", 403: { description: "Of a team", content: z.object({}) } };
      override DELETE() {}
      static PUT = { 204: "Stored", 403: { headers: { "x-team": z.string().optional() } } };
      override PUT() {}
    }
    const app = appOf([Told], guard);
    const contentOf = async (method: string) => (await asked(app, "/told", "reader", { method })).json();
    expect(await contentOf("GET")).toEqual({ title: "Forbidden", status: 403, detail: "Admins only" });
    expect(await contentOf("DELETE")).toEqual({ title: "Forbidden", status: 403 });
    expect(await contentOf("PUT")).toEqual({ title: "Forbidden", status: 403 });
  });

  it("asks groups, class and operation, outermost first, until one refuses", async () => {
    const order: string[] = [];
    class Inner extends Resource {
      paths = ["/:id"] as const;
      static may = async (): Promise<boolean> => (order.push("class"), true);
      static GET = { may: () => (order.push("operation"), false), 200: z.string() };
      override GET(): string {
        return "";
      }
    }
    const grouped = ResourceGroup.builder()
      .prefix("/v1/:org")
      .may(({ path }) => (order.push(`group ${path.org}`), path.org === "ours"))
      .resources(Inner)
      .build();
    const app = Application.builder().resources(grouped).build();
    expect((await app.request("/v1/ours/7")).status).toBe(403);
    expect(order.splice(0)).toEqual(["group ours", "class", "operation"]);
    expect((await app.request("/v1/theirs/7")).status).toBe(403);
    expect(order).toEqual(["group theirs"]);
  });

  it("hides by the 404 that the operation declares, byte for byte", async () => {
    const shown = async (response: Response): Promise<unknown> => [
      response.status,
      [...response.headers],
      await response.text(),
    ];
    class Plain extends Resource {
      paths = ["/:id"] as const;
      static may = { hides: true as const, ask: ({ path }: Asked<typeof Plain>) => path.id !== "hidden" };
      static GET = { 200: z.string(), 404: "No such thing" };
      override GET(): Answer<typeof Plain, "GET"> {
        return reply(404);
      }
      static PUT = { 204: "Put", 404: missing };
      override PUT(): Answer<typeof Plain, "PUT"> {
        return missing();
      }
      static POST = { 204: "Done" };
      override POST(): never {
        throw new HTTPError(404);
      }
    }
    const app = appOf([Plain]);
    for (const method of ["GET", "HEAD", "PUT", "POST"]) {
      const both = await Promise.all(
        ["/hidden", "/none"].map(async (path) => shown(await app.request(path, { method }))),
      );
      expect(both[0], method).toEqual(both[1]);
    }
    const guarded = appOf([Ticket], guard);
    expect(await statusOf(guarded, "/tickets/ada", "reader", { method: "DELETE" })).toBe(404);
  });

  it("fails by 500 where it throws, returns something else, or reads a param that no path has", async () => {
    const failing = (may: (asked: Asked<typeof Ticket>) => unknown): App => {
      class Failing extends Resource {
        paths = ["/f/:id"] as const;
        static may = may;
        static GET = { 200: z.string() };
        override GET(): string {
          return "";
        }
      }
      return appOf([Failing]);
    };
    const fails = async (may: (asked: Asked<typeof Ticket>) => unknown): Promise<string> => {
      expect((await failing(may).request("/f/7")).status).toBe(500);
      return lastError();
    };
    const refuse = (): never => {
      throw new HTTPError(404);
    };
    const threw = "Cannot ask Failing.may: it threw 404; write return false";
    expect(await fails(refuse)).toBe(threw);
    expect((await failing(refuse).request("/f/7")).status).toBe(500);
    expect((errors.pop() as Error).cause).toBeInstanceOf(HTTPError);
    expect(await fails(async () => refuse())).toBe(threw);
    expect(await fails(async () => Promise.reject(new Error("down")))).toBe("down");
    expect(await fails(() => undefined)).toBe(
      "Cannot ask Failing.may: it returned undefined; write return true or false",
    );
    expect(await fails(({ path }) => (path as unknown as { org: string }).org)).toBe(
      'Cannot ask who may use Failing: no path has a param "org"; write one of "id"',
    );
    expect(
      (await failing(({ path }) => JSON.stringify(path) === '{"id":"7"}' && `${path}` !== "").request("/f/7")).status,
    ).toBe(200);
    class Paramless extends Resource {
      paths = ["/"] as const;
      static may = ({ path }: { readonly path: object }): unknown => (path as { id: string }).id;
      static GET = { 200: z.string() };
      override GET(): string {
        return "";
      }
    }
    expect((await appOf([Paramless]).request("/")).status).toBe(500);
    expect(lastError()).toContain("write one of none");
    class Several extends Paramless {
      override paths = ["/:a/:b"] as never;
    }
    expect((await appOf([Several]).request("/1/2")).status).toBe(500);
    expect(lastError()).toContain('write one of "a", "b"');
  });

  it("says in explain() all that a request would be asked for", async () => {
    class Both extends Resource {
      override paths = ["/both"] as const;
      static may = (): boolean => true;
      static GET = { scopes: ["read", "write"], 200: z.string() };
      override GET(): string {
        return "";
      }
    }
    const { questions } = await appOf([Both], guard).explain(new Request("http://localhost/both"));
    expect(questions.find(({ step }) => step === 3)!.finding).toBe("not asked: the scopes read, write; Both.may");
  });

  it("makes what a handler lets caches share private, of writes, too", async () => {
    class Written extends Resource {
      override paths = ["/written"] as const;
      static POST = { 200: z.string() };
      override POST() {
        return reply(200, "", { "Cache-Control": "public, max-age=60", "x-more": "1" });
      }
    }
    const { headers } = await asked(appOf([Written], guard), "/written", "reader", { method: "POST" });
    expect([headers.get("cache-control"), headers.get("x-more")]).toEqual(["private, max-age=60", "1"]);
  });

  it("is asked once of a PATCH made of GET and PUT, which needs the scopes of all", async () => {
    let asks = 0;
    const thing = z.object({ n: z.int() });
    class Thing extends Resource {
      paths = ["/thing"] as const;
      static may = ({ request }: Asked<typeof Thing>): boolean => (asks++, user.get(request).id !== "eve");
      validator(): object {
        return { etag: '"1"' };
      }
      static GET = { scopes: ["read"], 200: thing };
      override GET(): z.infer<typeof thing> {
        return { n: 1 };
      }
      static PUT = { scopes: ["write"], content: thing, 200: thing };
      override PUT({ content }: Call<typeof Thing, "PUT">): z.infer<typeof thing> {
        return content;
      }
      static PATCH = patch(this.GET, this.PUT);
    }
    const app = appOf([Thing], guard);
    const change = async (token: string): Promise<number> =>
      (
        await app.request("/thing", {
          method: "PATCH",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/merge-patch+json" },
          body: '{"n":2}',
        })
      ).status;
    expect(await change("writer")).toBe(200);
    expect(asks).toBe(1);
    expect(await change("reader")).toBe(403);
    expect(asks).toBe(1);
  });

  it("runs before a handshake, and before 426", async () => {
    const { socket } = await import("../socket.ts");
    class Room extends Resource {
      paths = ["/room"] as const;
      static GET = { scopes: ["read"], 101: socket({ receives: z.string(), sends: z.string() }) };
      override GET(): Answer<typeof Room, "GET"> {
        return reply(101, {});
      }
    }
    const app = appOf([Room], optional) as Application;
    expect(await statusOf(app, "/room", null)).toBe(401);
    expect(await statusOf(app, "/room", "reader")).toBe(426);
    await expect(app.connect("/room" as never, { headers: { authorization: "Bearer nobody" } })).rejects.toMatchObject({
      status: 403,
    });
  });
});

describe("resources that are not on the line", () => {
  class Old extends NativeResource {
    override paths = ["/old/:id"] as const;
    static may = ({ path }: Asked<typeof Old>): boolean => path.id === "open";
    static PUT = { scopes: ["write"] };
    override GET(request: RequestOf): Response {
      return new Response(request.params.pathParam("id"));
    }
    override PUT(): Response {
      return new Response("put");
    }
  }

  it("are asked before their handlers, and say for whom they are", async () => {
    const app = appOf([
      class Plain extends Old {
        static override PUT = {} as never;
      },
    ]);
    const open = await app.request("/old/open");
    expect([open.status, await open.text(), open.headers.get("cache-control"), open.headers.get("vary")]).toEqual([
      200,
      "open",
      "private",
      "Authorization, Cookie",
    ]);
    expect((await app.request("/old/closed")).status).toBe(403);
  });

  it("are asked for scopes of their operations", async () => {
    const app = appOf([Old], optional);
    expect(await statusOf(app, "/old/open", null, { method: "PUT" })).toBe(401);
    expect(await statusOf(app, "/old/open", "writer", { method: "PUT" })).toBe(200);
    expect(await statusOf(app, "/old/closed", "writer", { method: "PUT" })).toBe(403);
  });
});
