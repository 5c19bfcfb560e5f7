import * as native from "fingerpost/modules/http.native.js";
import * as semantics from "fingerpost";
import { openapi } from "fingerpost/openapi";
import { sessions, signedIn, type Session, type StoredSessionsOptions } from "fingerpost/sessions";
import { memorySessions } from "fingerpost/stores";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

const { Application, Attribute, HTTPError, Resource, ResourceGroup, Response, Status } = native;

const schema = z.object({ user: z.string(), count: z.int().default(0) });
type Data = z.output<typeof schema>;

/** The value of the cookie that a response sets. */
function cookieOf(response: globalThis.Response): string | null {
  const [line] = response.headers.getSetCookie();
  return line === undefined ? null : line.slice(0, line.indexOf(";"));
}

type Act = (own: Session<Data>) => unknown;

/** An application whose one handler does what it is told with the session. */
function asking(
  options: Partial<Omit<StoredSessionsOptions<Data>, "session">> = {},
): (act: Act, cookie?: string | null, path?: string) => Promise<globalThis.Response> {
  const session = new Attribute<Session<Data>>("session");
  let current: Act = () => null;
  class Own extends Resource {
    paths = ["/own"];

    async POST(request: Request): Promise<globalThis.Response> {
      return Response.json((await current(session.get(request))) ?? null);
    }
  }
  const app = Application.builder()
    .resources(Own)
    .middleware(sessions<Data>({ session, schema, store: memorySessions(), ...options }))
    .onError(() => {})
    .build();
  return (act, cookie = null, path = "https://a.example/own") => {
    current = act;
    return app.fetch(new Request(path, { method: "POST", headers: cookie === null ? {} : { cookie } }));
  };
}

const start: Act = (own) => own.start({ user: "ada", count: 0 });
const read: Act = (own) => own.data;

describe("sessions()", () => {
  it("C13.1 begins each session with a new id of 32 bytes, and ends the one before", async () => {
    const ask = asking();
    const first = cookieOf(await ask(start))!;
    expect(first).toMatch(/^__Host-session=[\w-]{43}$/);
    const second = cookieOf(await ask(start, first))!;
    expect(second).not.toBe(first);
    expect(await (await ask(read, second)).json()).toEqual({ user: "ada", count: 0 });
    expect(await (await ask(read, first)).json()).toBeNull();
  });

  it("C13.1 takes no id that the client made up, and none but the first cookie's alone", async () => {
    const ask = asking();
    const fixed = `__Host-session=${"A".repeat(43)}`;
    const own = cookieOf(await ask(start, fixed))!;
    expect(own).not.toBe(fixed);
    expect(await (await ask(read, fixed)).json()).toBeNull();
    for (const sent of [
      `${own}; ${fixed}`,
      `${fixed}; ${own}`,
      `${own}x`,
      own.slice(0, -1),
      own.replace("__Host-", ""),
    ]) {
      expect(await (await ask(read, sent)).json()).toBeNull();
    }
  });

  it("C13.1 keeps in the store no id that a cookie could have", async () => {
    const store = memorySessions();
    const begin = vi.spyOn(store, "begin");
    const id = cookieOf(await asking({ store })(start))!.split("=")[1]!;
    const [key, { data, owner }] = begin.mock.calls[0]!;
    expect(key).toMatch(/^[\da-f]{64}$/);
    expect(`${key}${data}${owner}`).not.toContain(id);
  });

  it("C13.6 lets no shared cache keep what a handler made of a session, whatever it says by itself", async () => {
    const session = new Attribute<Session<Data>>("session");
    class Named extends Resource {
      paths = ["/named"];

      GET(request: Request): globalThis.Response {
        const { data } = session.get(request);
        const cacheControl = new URL(request.url).searchParams.get("cache")!;
        return new Response(String(data?.user), { headers: { "Cache-Control": cacheControl } });
      }
    }
    const Sessions = sessions<Data>({ session, schema, store: memorySessions() });
    const app = Application.builder().resources(Named).middleware(Sessions).build();
    const sentFor = async (cache: string): Promise<string | null> =>
      (await app.request(`https://a.example/named?cache=${encodeURIComponent(cache)}`)).headers.get("cache-control");
    expect(await sentFor("public, max-age=60")).toBe("no-store");
    expect(await sentFor("private, max-age=60")).toBe("private, max-age=60");
  });

  it("C13.1 takes no session of another kind, though both share a store", async () => {
    const store = memorySessions();
    const shop = asking({ store, cookie: "shop" });
    const admin = asking({ store, cookie: "admin" });
    const cookie = cookieOf(await shop(start))!;
    expect(await (await shop(read, cookie)).json()).not.toBeNull();
    expect(await (await admin(read, cookie.replace("shop", "admin"))).json()).toBeNull();
  });

  it("C13.1 ends a session by the server's clock", async () => {
    const ask = asking({ idleMs: 20 });
    const cookie = cookieOf(await ask(start));
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(await (await ask(read, cookie)).json()).toBeNull();
  });

  it("C13.1 replays nothing after end(), and deletes the cookie", async () => {
    const ask = asking();
    const cookie = cookieOf(await ask(start));
    const response = await ask(async (own) => {
      await own.end();
      return [own.data, own.id, own.endsAt];
    }, cookie);
    expect(await response.json()).toEqual([null, null, null]);
    expect(response.headers.get("set-cookie")).toBe(
      "__Host-session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; HttpOnly; Secure; SameSite=Lax",
    );
    expect(await (await ask(read, cookie)).json()).toBeNull();
    expect((await ask((own) => own.end())).status).toBe(200);
  });

  it("C13.2 loses nothing where two requests change a session at once", async () => {
    const ask = asking();
    const cookie = cookieOf(await ask(start));
    const add: Act = (own) => own.update((data) => ({ ...data, count: data.count + 1 }));
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(add, cookie)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await (await ask(read, cookie)).json()).toEqual({ user: "ada", count: 4 });
  });

  it("C13.2 has the old version of a deployment erase nothing of the new one", async () => {
    const store = memorySessions();
    const old = asking({ store });
    const newer = z.object({ user: z.string(), count: z.int(), theme: z.string() });
    const ask = asking({ store, schema: newer as never });
    const cookie = cookieOf(await ask((own) => own.start({ user: "ada", count: 0, theme: "dark" } as Data)))!;
    for (let n = 0; n < 2; n++) await old((own) => own.update((data) => ({ ...data, count: data.count + 1 })), cookie);
    expect(await (await old(read, cookie)).json()).toEqual({ user: "ada", count: 2 });
    expect(await (await ask(read, cookie)).json()).toEqual({ user: "ada", count: 2, theme: "dark" });
  });

  it("C13.2 is 503 after ten tries, and shows a try nothing of the one before", async () => {
    const store = memorySessions();
    const ask = asking({ store });
    const cookie = cookieOf(await ask(start));
    vi.spyOn(store, "replace").mockResolvedValue(null);
    const seen: number[] = [];
    const response = await ask((own) => {
      return own.update((data) => {
        seen.push(data.count);
        (data as { count: number }).count = 99;
        return data;
      });
    }, cookie);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(seen).toEqual(Array.from({ length: 10 }, () => 0));
  });

  it("C13.2 is 401 for a change of a session that ended meanwhile", async () => {
    const ask = asking();
    const cookie = cookieOf(await ask(start));
    const response = await ask(async (own) => {
      await ask((same) => same.end(), cookie);
      return own.update((data) => data);
    }, cookie);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Session"]);
  });

  it("C13.2 takes data that does not fit the schema for no session, and keeps none", async () => {
    const store = memorySessions();
    const cookie = cookieOf(await asking({ store })(start));
    const ask = asking({ store, schema: z.object({ name: z.string() }) as never });
    expect(await (await ask(read, cookie)).json()).toBeNull();
    for (const data of [{ user: 5 }, undefined, null]) {
      expect((await asking({ store })((own) => own.start(data as never))).status).toBe(500);
    }
    const later = asking({ store, schema: schema.refine(async () => true) as never });
    expect(await (await later(read, cookie)).json()).toEqual({ user: "ada", count: 0 });
  });

  it("C13.2 refuses a change of a session that is not there, or to another owner", async () => {
    const errors: string[] = [];
    const told: (act: Act) => Act = (act) => async (own) => {
      try {
        await act(own);
      } catch (error) {
        errors.push((error as Error).message);
      }
    };
    const ask = asking({ ownerOf: (data: Data) => data.user });
    await ask(told((own) => own.update((data) => data)));
    const cookie = cookieOf(await ask(start));
    await ask(
      told((own) => own.update((data) => ({ ...data, user: "bob" }))),
      cookie,
    );
    await asking({ ownerOf: () => "" })(told(start));
    expect(errors).toEqual([
      "Cannot update a session: there is none; call start()",
      "Cannot update a session: it would belong to somebody else; call start()",
      'Cannot start a session: expected a string from "ownerOf", got ""',
    ]);
  });

  it("C13.3 lists the sessions of an owner, and revokes them", async () => {
    const session = new Attribute<Session<Data>>("session");
    const Sessions = sessions({ session, schema, store: memorySessions(), ownerOf: ({ user }) => user });
    class Own extends Resource {
      paths = ["/own/:user?"];

      async PUT(request: native.RequestOf<Own>): Promise<globalThis.Response> {
        const user = request.params.pathParam("user") ?? "";
        await session.get(request).start({ user, count: 0 }, { label: "Firefox \u0000" });
        return new Response(session.get(request).id);
      }
      GET(request: Request): globalThis.Response {
        return new Response(session.get(request).data?.user ?? "nobody");
      }
    }
    const app = Application.builder().resources(Own).middleware(Sessions).build();
    const begun = await Promise.all(
      ["ada", "ada", "ada", "bob"].map((user) => app.request(`/own/${user}`, { method: "PUT" })),
    );
    const cookies = begun.map((response) => cookieOf(response)!);
    const ids = await Promise.all(begun.map((response) => response.text()));
    const users = () =>
      Promise.all(cookies.map(async (cookie) => (await app.request("/own", { headers: { cookie } })).text()));
    const listed = await Sessions.list("ada");
    expect(listed.map(({ id, label }) => [id, label])).toEqual(ids.slice(0, 3).map((id) => [id, "Firefox \u0000"]));
    expect(listed[0]!.startedAt).toBeInstanceOf(Date);
    await Sessions.revoke("ada", ids[3]!);
    await Sessions.revoke("ada", ids[0]!);
    expect(await users()).toEqual(["nobody", "ada", "ada", "bob"]);
    await Sessions.revokeAll("ada", { except: ids[1]! });
    expect(await users()).toEqual(["nobody", "ada", "nobody", "bob"]);
    await Sessions.revokeAll("ada");
    expect(await users()).toEqual(["nobody", "nobody", "nobody", "bob"]);
  });

  it("C13.5 sends the cookie when it changes, and writes what was seen once a minute", async () => {
    const store = memorySessions();
    const find = vi.spyOn(store, "find");
    const ask = asking({ store, persistent: true });
    const begun = await ask(start);
    expect(begun.headers.get("set-cookie")).toMatch(
      /^__Host-session=[\w-]+; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax$/,
    );
    const again = await ask((own) => own.endsAt, cookieOf(begun));
    expect(Math.abs(Date.parse(await again.clone().json()) - Date.now() - 43_200_000)).toBeLessThan(60_000);
    expect(again.headers.getSetCookie()).toEqual([]);
    expect(find.mock.calls[0]!.slice(1)).toEqual([1_800_000, 60_000]);
  });

  it("C13.5 without TLS is for this machine only", async () => {
    const ask = asking({ secure: false, cookie: "id" });
    const begun = await ask(start, null, "http://localhost:3000/own");
    expect(begun.headers.get("set-cookie")).toMatch(/^id=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    for (const host of ["127.0.0.1", "[::1]:80", "a.localhost"]) {
      expect((await ask(start, null, `http://${host}/own`)).status).toBe(200);
    }
    for (const host of ["a.example", "localhost.a.example", "127.0.0.1.a.example", "10.0.0.1"]) {
      expect((await ask(start, null, `http://${host}/own`)).status).toBe(500);
    }
  });

  it("C13.6 says of an answer whose session was read that nobody keeps it, also of an error", async () => {
    const ask = asking();
    const fieldsOf = ({ headers }: globalThis.Response) => [headers.get("vary"), headers.get("cache-control")];
    expect(fieldsOf(await ask(() => 1))).toEqual([null, null]);
    expect(fieldsOf(await ask(read))).toEqual(["Cookie", "no-store"]);
    expect(fieldsOf(await ask(start))).toEqual(["Cookie", "no-store"]);
    const failing: Act = (own) => {
      void own.id;
      throw new HTTPError(Status.Gone);
    };
    const failed = await ask(failing);
    expect([failed.status, ...fieldsOf(failed)]).toEqual([410, "Cookie", "no-store"]);
  });

  it("C13.6 keeps what an operation declares for cache, unless the cookie would be stored", async () => {
    const session = new semantics.Attribute<Session<Data>>("session");
    class Pages extends semantics.Resource {
      paths = ["/pages/:kind"];

      static GET = { 200: z.string() };
      async GET(call: semantics.Call<typeof Pages, "GET">): Promise<string> {
        return session.get(call).data?.user ?? "nobody";
      }
    }
    class Private extends Pages {
      override paths = ["/private"];
      static override GET = { 200: z.string(), cache: "private" };
    }
    class Shared extends Pages {
      override paths = ["/shared"];
      static override GET = { 200: z.string(), cache: "max-age=60", shared: true };
    }
    class Renewing extends Shared {
      override paths = ["/renewing"];
      override async GET(call: semantics.Call<typeof Pages, "GET">): Promise<string> {
        await session.get(call).start({ user: "ada", count: 0 });
        return "renewed";
      }
    }
    class Rotating extends Private {
      override paths = ["/rotating"];
      override async GET(call: semantics.Call<typeof Pages, "GET">): Promise<string> {
        await session.get(call).start({ user: "ada", count: 0 });
        return "renewed";
      }
    }
    class Unlike extends Private {
      override paths = ["/unlike"];
      override async GET(call: semantics.Call<typeof Pages, "GET">): Promise<never> {
        const user = session.get(call).data?.user ?? "nobody";
        return semantics.reply(200, user, { "cache-control": "max-age=60" }) as never;
      }
    }
    const store = memorySessions();
    const group = semantics.ResourceGroup.builder()
      .resources(Pages, Private, Shared, Renewing, Rotating, Unlike as never)
      .middleware(sessions({ session, schema, store }))
      .build();
    const app = semantics.Application.builder().resources(group).build();
    const cacheOf = async (path: string) => (await app.request(path)).headers.get("cache-control");
    expect(await cacheOf("/pages/a")).toBe("no-store");
    expect((await app.request("/pages/a", { method: "HEAD" })).headers.get("cache-control")).toBe("no-store");
    expect(await cacheOf("/private")).toBe("private");
    expect(await cacheOf("/shared")).toBe("max-age=60");
    expect(await cacheOf("/renewing")).toBe("no-store");
    expect(await cacheOf("/rotating")).toBe("private");
    expect(await cacheOf("/unlike")).toBe("no-store");
  });

  it("C13.6 takes a guard's private for no declaration of the operation", async () => {
    const session = new semantics.Attribute<Session<Data>>("session");
    class Account extends semantics.Resource {
      paths = ["/account"];
      static GET = { 200: z.string() };
      GET(call: semantics.Call<typeof Account, "GET">): string {
        return session.get(call).data!.user;
      }
    }
    class Kept extends Account {
      override paths = ["/kept"];
      static override GET = { 200: z.string(), cache: "private" };
    }
    class SignIn extends semantics.Resource {
      paths = ["/session"];
      static POST = { 204: "Signed in" };
      async POST(call: semantics.Call<typeof SignIn, "POST">): Promise<void> {
        await session.get(call).start({ user: "ada", count: 0 });
      }
    }
    const members = semantics.ResourceGroup.builder()
      .resources(Account, Kept)
      .middleware(signedIn({ session }))
      .build();
    const app = semantics.Application.builder()
      .resources(SignIn, members)
      .middleware(sessions({ session, schema, store: memorySessions() }))
      .build();
    const cookie = cookieOf(await app.request("/session", { method: "POST" }))!;
    for (const method of ["GET", "HEAD"]) {
      const { headers } = await app.request("/account", { method, headers: { cookie } });
      expect([headers.get("cache-control"), headers.get("vary")]).toEqual(["no-store", "Cookie"]);
      const kept = await app.request("/kept", { method, headers: { cookie } });
      expect(kept.headers.get("cache-control")).toBe("private");
    }
    expect((await app.request("/nowhere", { headers: { cookie } })).headers.get("cache-control")).toBeNull();
  });

  it("C13.6 refuses a shared cache behind signedIn()", () => {
    const session = new semantics.Attribute<Session<Data>>("session");
    class Account extends semantics.Resource {
      paths = ["/account"];
      static middleware = [signedIn({ session })];
      static GET = { 200: z.string(), cache: "max-age=60" };
      GET(): string {
        return "";
      }
    }
    expect(() => semantics.Application.builder().resources(Account).build()).toThrow(
      'static GET has "max-age=60" for cache behind SignedIn',
    );
  });

  it("is 503 where the store fails or lies, and never somebody else's session", async () => {
    const store = memorySessions();
    const ask = asking({ store });
    const [ada, bob] = [cookieOf(await ask(start)), cookieOf(await ask((own) => own.start({ user: "bob", count: 0 })))];
    const keys: string[] = [];
    const find = vi.spyOn(store, "find");
    for (const cookie of [ada, bob]) await ask(read, cookie);
    keys.push(...find.mock.calls.map(([key]) => key));
    const foreign = await memorySessions().find("x", 1, 1);
    find.mockRestore();
    const bobs = (await store.find(keys[1]!, 60_000, 60_000))!;
    const adas = (await store.find(keys[0]!, 60_000, 60_000))!;
    const cut = vi.spyOn(store, "find").mockResolvedValue({ ...adas, data: adas.data.slice(0, -1) });
    expect(await (await ask(read, ada)).json()).toBeNull();
    cut.mockRestore();
    for (const lie of [bobs, {}, { ...bobs, version: 1 }, { ...bobs, data: 5 }]) {
      const lying = vi.spyOn(store, "find").mockResolvedValue(lie as never);
      const response = await ask(read, ada);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
      lying.mockRestore();
    }
    const none = vi.spyOn(store, "find").mockResolvedValue((foreign ?? undefined) as never);
    expect(await (await ask(read, ada)).json()).toBeNull();
    none.mockRejectedValue(new Error("down"));
    expect((await ask(read, ada)).status).toBe(503);
    none.mockRestore();
    vi.spyOn(store, "delete").mockRejectedValue(new Error("down"));
    const failed = await ask((own) => own.end(), ada);
    expect([failed.status, cookieOf(failed)]).toEqual([503, null]);
    expect(await (await ask(read, ada)).json()).toEqual({ user: "ada", count: 0 });
    const rotated = await ask(start, ada);
    expect([rotated.status, cookieOf(rotated)]).toEqual([503, null]);
  });

  it("refuses to start when the response is there", async () => {
    let late: Session<Data> | undefined;
    const ask = asking();
    await ask((own) => void (late = own));
    await expect(late!.start({ user: "ada", count: 0 })).rejects.toThrow(
      "Cannot change a session: the response is there already",
    );
    expect(late!.data).toBeNull();
  });
});

describe("signedIn()", () => {
  const session = new Attribute<Session<Data>>("session");
  const user = new Attribute<Data>("user");

  class SignIn extends Resource {
    paths = ["/session"];

    async POST(request: Request): Promise<globalThis.Response> {
      await session.get(request).start({ user: "ada", count: 0 });
      return new Response(null, { status: 204 });
    }
  }
  class Account extends Resource {
    paths = ["/account"];

    GET(request: Request): globalThis.Response {
      return new Response(user.get(request).user);
    }
  }
  const appOf = (options: object) => {
    const group = ResourceGroup.builder()
      .resources(Account)
      .middleware(signedIn({ session, identity: user, ...options }))
      .build();
    return Application.builder()
      .resources(SignIn, group)
      .middleware(sessions({ session, schema, store: memorySessions() }))
      .build();
  };

  it("C13.7 is 401 with a challenge, and lets who has a session pass", async () => {
    const app = appOf({ realm: "shop" });
    const refused = await app.request("/account", { headers: { accept: "text/html" } });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Session realm="shop"']);
    expect(refused.headers.get("vary")).toBe("Cookie");
    const cookie = cookieOf(await app.request("/session", { method: "POST" }))!;
    const found = await app.request("/account", { headers: { cookie } });
    expect([found.status, await found.text()]).toEqual([200, "ada"]);
    expect(found.headers.get("cache-control")).toBe("no-store");
  });

  it("C13.7 redirects those who prefer HTML, where it is told to", async () => {
    const app = appOf({ signInURL: "/sign-in" });
    const browser = await app.request("/account", { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([browser.status, browser.headers.get("location")]).toEqual([303, "/sign-in"]);
    expect(browser.headers.get("vary")).toBe("Accept, Cookie");
    for (const accept of ["*/*", "application/json", "application/json, text/html"]) {
      const program = await app.request("/account", { headers: { accept } });
      expect([program.status, program.headers.get("vary")]).toEqual([401, "Accept, Cookie"]);
    }
  });

  it("C13.7 documents itself", async () => {
    const own = new semantics.Attribute<Session<Data>>("session");
    class Profile extends semantics.Resource {
      paths = ["/profile"];
      static middleware = [signedIn({ session: own, signInURL: "/sign-in" })];
      static GET = { 200: z.string() };
      GET(): string {
        return "";
      }
    }
    const securityOf = async () => {
      const described = semantics.Application.builder().resources(Profile);
      const app = described.resources(...openapi({ title: "Shop", version: "1" })).build();
      const document = (await (await app.request("/openapi.json")).json()) as {
        readonly components: { readonly securitySchemes: object };
        readonly paths: { readonly "/profile": { readonly get: { readonly responses: object } } };
      };
      const { responses } = document.paths["/profile"].get;
      return [document.components.securitySchemes, Object.keys(responses)];
    };
    const scheme = { type: "apiKey", in: "cookie", name: "__Host-session" };
    expect(await securityOf()).toMatchObject([{ session: scheme }, ["200", "303", "401", "406"]]);
    sessions({ session: own, schema, store: memorySessions(), cookie: "id" });
    expect(await securityOf()).toMatchObject([{ session: { ...scheme, name: "__Host-id" } }, expect.anything()]);
  });

  it("says where sessions() is missing", async () => {
    const errors: unknown[] = [];
    const own = new Attribute<Session<Data>>("session");
    const group = ResourceGroup.builder()
      .resources(Account)
      .middleware(signedIn({ session: own }))
      .build();
    const app = Application.builder()
      .resources(group)
      .onError((error) => void errors.push(error))
      .build();
    expect((await app.request("/account")).status).toBe(500);
    expect(String(errors[0])).toContain('Cannot get attribute "session"');
  });
});
