import {
  Application,
  Attribute,
  Middleware,
  reply,
  Resource,
  ResourceGroup,
  socket,
  text,
  type Call,
} from "fingerpost";
import { Files, type FileSource } from "fingerpost/files";
import { mcp, resourceMetadata } from "fingerpost/mcp";
import { mock } from "fingerpost/mock";
import { bearer } from "fingerpost/middleware/bearer";
import { mount } from "fingerpost/mount";
import { document, drift, openapi } from "fingerpost/openapi";
import { sessions, signedIn, type Session } from "fingerpost/sessions";
import { memorySessions } from "fingerpost/stores";
import * as native from "fingerpost/native";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const tokens = { all: ["notes:read", "notes:write"], reads: ["notes:read"], nothing: [] as string[] };
const user = new Attribute<readonly string[]>("user");
const guard = bearer<readonly string[]>({
  tokens,
  optional: true,
  identity: user,
  scopesOf: (scopes) => scopes,
  resourceMetadataURL: "https://api.example/meta",
});

class Note extends Resource {
  paths = ["/notes/:id"] as const;

  static GET = {
    scopes: ["notes:read"],
    path: z.object({ id: z.string().max(3) }),
    query: z.object({ n: z.int() }).partial(),
    200: text(),
  };
  override GET(): string {
    return "note";
  }

  static PUT = {
    summary: "Writes a note",
    tool: true as const,
    scopes: ["notes:write"],
    content: text(),
    204: "Stored",
  };
  override PUT(): undefined {}
}

class Room extends Resource {
  paths = ["/room"] as const;

  static GET = { scopes: ["notes:read"], 101: socket({ receives: text(), sends: text() }) };
  override GET() {
    return reply(101, {});
  }
}

const about = resourceMetadata({ resource: "https://api.example/mcp", authorizationServers: ["https://id.example"] });
const all = resourceMetadata({ resource: "https://api.example", authorizationServers: ["https://id.example"] });
const app = Application.builder()
  .resources(
    ResourceGroup.builder().middleware(guard).resources(Note, Room).build(),
    mcp({ name: "notes", version: "1" }),
    about,
    all,
  )
  .build();

async function statusOf(token: string | null, path: string, method = "GET", more: object = {}): Promise<number> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  return (await app.request(path, { method, headers, ...more })).status;
}

describe("who may do what", () => {
  it("C23.1 is asked after the path, and before what is read later, HEAD and handshakes as GET", async () => {
    for (const token of [null, "nothing", "all"]) {
      expect(await statusOf(token, "/notes/long", "GET"), `${token}`).toBe(404);
      expect(await statusOf(token, "/notes/1", "DELETE"), `${token}`).toBe(405);
      expect(await statusOf(token, "/notes/1", "OPTIONS"), `${token}`).toBe(204);
    }
    for (const method of ["GET", "HEAD"]) {
      expect(await statusOf(null, "/notes/1?n=x", method)).toBe(401);
      expect(await statusOf("nothing", "/notes/1?n=x", method)).toBe(403);
      expect(await statusOf("reads", "/notes/1?n=x", method)).toBe(400);
      expect(await statusOf("reads", "/notes/1", method)).toBe(200);
    }
    expect(await statusOf("reads", "/notes/1", "PUT", { body: "{" })).toBe(403);
    expect([await statusOf(null, "/room"), await statusOf("reads", "/room")]).toEqual([401, 426]);
  });

  it("C23.2 is refused with the challenge of the guard, and documented", async () => {
    const challenge = async (token: string | null): Promise<string | null> =>
      (
        await app.request("/notes/1", token === null ? {} : { headers: { authorization: `Bearer ${token}` } })
      ).headers.get("www-authenticate");
    const metadata = 'resource_metadata="https://api.example/meta"';
    expect(await challenge(null)).toBe(`Bearer realm="default", ${metadata}`);
    expect(await challenge("nothing")).toBe(
      `Bearer realm="default", scope="notes:read", error="insufficient_scope", ${metadata}`,
    );
    const { paths } = document(app, { title: "a", version: "1" });
    expect(paths["/notes/{id}"]!["put"]).toMatchObject({
      security: [{ bearer: ["notes:write"] }],
      responses: {
        401: { description: "A valid token is needed" },
        403: { description: "A scope lacks: notes:write is needed" },
      },
    });
    const { questions } = await app.explain(new Request("http://localhost/notes/1"));
    expect(questions.find(({ step }) => step === 3)).toMatchObject({ finding: "not asked: the scopes notes:read" });
    const refused = await app.explain(new Request("http://localhost/notes/1"), { run: true });
    expect(refused).toMatchObject({ status: 401 });
    expect(refused.questions.at(-1)).toMatchObject({ step: 3, finding: "no: Unauthorized" });
  });

  it("C23.3 says in explain() what may decides, and what it hides", async () => {
    class Hidden extends Resource {
      paths = ["/hidden/:id"] as const;
      static may = { hides: true as const, ask: () => false };
      static GET = { query: z.object({ n: z.int() }).partial(), 200: text(), 404: "None" };
      override GET(): string {
        return "";
      }
    }
    const hiding = Application.builder().resources(Hidden).build();
    const request = (query = ""): Request => new Request(`http://localhost/hidden/7${query}`);
    const run = await hiding.explain(request(), { run: true });
    expect([run.status, run.questions.at(-1)!.finding]).toEqual([404, "no: may hides it"]);
    const open = await hiding.explain(request("?n=x"));
    expect([open.status, open.questions.at(-1)!.finding]).toEqual([
      null,
      "no: query #/n: Expected an integer; 400 if the sender may",
    ]);
    class Open extends Hidden {
      static override may = { hides: true as const, ask: () => true };
    }
    const passed = await Application.builder().resources(Open).build().explain(request(), { run: true });
    expect(passed.questions.find(({ step }) => step === 3)!.finding).toBe("yes: Open.may");
    const { paths } = document(hiding, { title: "a", version: "1" });
    expect(Object.keys(paths["/hidden/{id}"]!["get"]!.responses)).toEqual(["200", "400", "404", "406"]);
  });

  it("C23.4 documents what everybody may as without security", () => {
    class Health extends Resource {
      paths = ["/health"] as const;
      static GET = { anonymous: true, 204: "Well" };
      override GET(): void {}
    }
    const built = Application.builder().resources(Health).guarded().build();
    expect(document(built, { title: "a", version: "1" }).paths["/health"]!["get"]!.security).toEqual([]);
  });

  it("C23.5 is asked before mounts, documents and tools, in the group of each", async () => {
    class Legacy extends mount(["/legacy/:path*"], () => new Response("old")) {}
    class Old extends native.Resource {
      override paths = ["/old"];
      override GET(): Response {
        return new Response("old");
      }
    }
    class Hiding extends Old {
      static may = { hides: true as const, ask: () => false };
      override paths = ["/hiding"];
    }
    const closed = ResourceGroup.builder()
      .prefix("/closed")
      .may(({ request }) => request.headers.has("x-member"))
      .resources(
        Legacy as never,
        Hiding as never,
        ...openapi({ title: "a", version: "1" }),
        mcp({ name: "a", version: "1" }),
      )
      .build();
    const behind = Application.builder().resources(closed).build();
    for (const path of ["/closed/legacy/7", "/closed/openapi.json", "/closed/docs"]) {
      for (const method of ["GET", "HEAD"]) {
        expect((await behind.request(path, { method })).status, path).toBe(403);
        expect((await behind.request(path, { method, headers: { "x-member": "1" } })).status, path).toBe(200);
      }
    }
    expect((await behind.request("/closed/legacy/7", { method: "OPTIONS" })).status).toBe(403);
    expect((await behind.request("/closed/hiding", { headers: { "x-member": "1" } })).status).toBe(404);
    expect((await behind.request("/closed/mcp", { method: "OPTIONS" })).status).toBe(204);
    expect((await behind.request("/closed/mcp", { method: "POST", json: {} })).status).toBe(403);
    class Plain extends native.Resource {
      override paths = ["/"];
    }
    const group = ResourceGroup.builder()
      .anonymous()
      .resources(Plain as never)
      .build();
    expect(() =>
      native.Application.builder()
        .resources(group as never)
        .build(),
    ).toThrow("says who may");
  });

  it("C23.6 leaves out tools whose scopes lack, and lists what is supported", async () => {
    const listed = async (token: string): Promise<boolean> => {
      const headers = { accept: "application/json, text/event-stream", authorization: `Bearer ${token}` };
      const json = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      return (await (await app.request("/mcp", { method: "POST", headers, json })).text()).includes("putNote");
    };
    expect([await listed("all"), await listed("reads"), await listed("wrong")]).toEqual([true, false, false]);
    const supported = async (path: string): Promise<unknown> =>
      ((await (await app.request(`/.well-known/oauth-protected-resource${path}`)).json()) as Record<string, unknown>)[
        "scopes_supported"
      ];
    expect(await supported("/mcp")).toEqual(["notes:write"]);
    expect(await supported("")).toEqual(["notes:read", "notes:write"]);
  });

  it("C22.4 lists all tools in a mock, whose guards let everybody through, with all scopes", async () => {
    const listed = async (options: object): Promise<boolean> => {
      const headers = { accept: "application/json, text/event-stream" };
      const json = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      return (await (await mock(app, options).request("/mcp", { method: "POST", headers, json })).text()).includes(
        "putNote",
      );
    };
    expect([await listed({}), await listed({ guards: true })]).toEqual([true, false]);
  });

  it("C23.6 asks guards of the application for tools with scopes", async () => {
    class Counted extends Middleware {
      override ALL(request: Request): Response | Promise<Response> {
        return this.next(request);
      }
    }
    const around = Application.builder()
      .middleware(Counted, guard)
      .resources(Note, mcp({ name: "notes", version: "1" }))
      .build();
    const listed = async (headers: object): Promise<boolean> => {
      const json = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const given = { accept: "application/json, text/event-stream", ...headers };
      return (await (await around.request("/mcp", { method: "POST", headers: given, json })).text()).includes(
        "putNote",
      );
    };
    expect(await listed({})).toBe(false);
    expect(await listed({ authorization: "Bearer reads" })).toBe(false);
    expect(await listed({ authorization: "Bearer all" })).toBe(true);
  });

  it("C23.7 says for whom an answer is that identity decided", async () => {
    const headers = { authorization: "Bearer all" };
    for (const [token, status] of [
      ["all", 200],
      ["nothing", 403],
    ] as const) {
      const response = await app.request("/notes/1", { headers: { ...headers, authorization: `Bearer ${token}` } });
      expect([response.status, response.headers.get("cache-control"), response.headers.get("vary")]).toEqual([
        status,
        "private",
        "Authorization",
      ]);
    }
  });

  it("C23.7 says so of files that may decides, without a guard, and asks no declaration of them", async () => {
    class Assets extends Files {
      paths = ["/assets/:path*"] as const;
      static may = (): boolean => true;
      source: FileSource = {
        codings: [],
        find: () => ({
          length: 1,
          etag: '"1"',
          lastModified: null,
          type: "text/plain",
          coding: null,
          read: () => new Uint8Array([97]),
          close: () => {},
        }),
      };
      override immutable = true;
    }
    const built = Application.builder().resources(Assets).build();
    const response = await built.request("/assets/a.txt");
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, expect.stringContaining("private")]);
    expect(drift(built).handlers).toEqual([]);
  });

  it("C23.6 asks guards that read what middleware of the application has found, such as a session", async () => {
    interface Data {
      readonly scopes: string[];
    }
    const session = new Attribute<Session<Data>>("session");
    const schema = z.object({ scopes: z.array(z.string()) });
    class SignIn extends Resource {
      paths = ["/session"] as const;
      static POST = { content: z.object({ scopes: z.array(z.string()) }), 204: "Signed in" };
      override async POST({ content, request }: Call<typeof SignIn, "POST">): Promise<void> {
        await session.get(request).start(content);
      }
    }
    class Free extends Resource {
      paths = ["/free"] as const;
      static GET = { 204: "Free", tool: { name: "free", description: "Is for whom is signed in" } };
      override GET(): undefined {}
    }
    const guarded = signedIn<Data>({ session, scopesOf: ({ scopes }) => scopes });
    const around = Application.builder()
      .middleware(sessions({ session, schema, store: memorySessions() }))
      .resources(
        ResourceGroup.builder().middleware(guarded).resources(Note, Free).build(),
        SignIn,
        mcp({ name: "notes", version: "1", forwardCookies: true }),
      )
      .build();
    const listed = async (scopes: readonly string[] | null): Promise<boolean[]> => {
      const json = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const headers: Record<string, string> = { accept: "application/json, text/event-stream" };
      if (scopes !== null) {
        const signed = await around.request("/session", { method: "POST", json: { scopes } });
        headers["cookie"] = signed.headers.get("set-cookie")!.split(";")[0]!;
      }
      const content = await (await around.request("/mcp", { method: "POST", headers, json })).text();
      return ["putNote", "free"].map((name) => content.includes(`"${name}"`));
    };
    expect(await listed(null)).toEqual([false, false]);
    expect(await listed(["notes:read"])).toEqual([false, true]);
    expect(await listed(["notes:write"])).toEqual([true, true]);
  });

  it("C23.2 knows what sessions grant, and guards that declare grants alone", async () => {
    interface Data {
      readonly scopes: string[];
    }
    const session = new Attribute<{ readonly data: Data | null }>("session");
    class Sessions extends Middleware {
      override ALL(request: Request): Response | Promise<Response> {
        const sent = request.headers.get("x-scopes");
        session.set(request, { data: sent === null ? null : { scopes: sent.split(" ") } });
        return this.next(request);
      }
    }
    const key = new Attribute<string>("key");
    class Keyed extends Middleware {
      static readonly identity = key;
      static readonly grants = (found: string): readonly string[] => [found];
      override ALL(request: Request): Response | Promise<Response> {
        const found = request.headers.get("x-key");
        if (found !== null) key.set(request, found);
        return this.next(request);
      }
    }
    const by = (...guards: readonly (typeof Sessions)[]): Application =>
      Application.builder()
        .resources(
          ResourceGroup.builder()
            .middleware(...(guards as never[]))
            .resources(Note)
            .build(),
        )
        .build();
    const cookie = by(Sessions, signedIn<Data>({ session, scopesOf: ({ scopes }) => scopes }) as never);
    const keyed = by(Keyed as never);
    const of = async (asked: Application, headers: Record<string, string>): Promise<unknown[]> => {
      const { status, headers: fields } = await asked.request("/notes/1", { headers });
      return [status, fields.get("vary")];
    };
    expect(await of(cookie, { "x-scopes": "notes:read" })).toEqual([200, "Cookie"]);
    expect(await of(cookie, { "x-scopes": "other" })).toEqual([403, "Cookie"]);
    expect(await of(keyed, { "x-key": "notes:read" })).toEqual([200, "Authorization, Cookie"]);
    expect(await of(keyed, { "x-key": "other" })).toEqual([403, "Authorization, Cookie"]);
    expect(await of(keyed, {})).toEqual([401, "Authorization, Cookie"]);
  });
});
