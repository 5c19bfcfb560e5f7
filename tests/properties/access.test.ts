import fc from "fast-check";
import { Application, patch, reply, Resource, ResourceGroup, socket, text, type Answer, type Call } from "fingerpost";
import { Files } from "fingerpost/files";
import { mcp } from "fingerpost/mcp";
import { bearer } from "fingerpost/middleware/bearer";
import { mount } from "fingerpost/mount";
import { Resource as NativeResource } from "fingerpost/native";
import { document, openapi } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { holds, runs, timeout } from "./runs.ts";

// C23: a handler runs if, and only if, what is declared allows it. The oracle knows the declaration alone.

const names = ["a", "b"] as const;
const kinds = ["line", "native", "mount", "files", "socket"] as const;
const methods = ["GET", "HEAD", "PUT", "PATCH", "QUERY", "DELETE", "OPTIONS"] as const;
const decisions = ["none", "yes", "no", "hides"] as const;
type Decision = (typeof decisions)[number];

const someScopes = fc.subarray([...names]);
const declared = fc.record({
  kind: fc.constantFrom(...kinds),
  guard: fc.constantFrom("none", "required", "optional", "two"),
  scopes: fc.record({ GET: someScopes, PUT: someScopes, QUERY: someScopes }),
  group: fc.constantFrom(...decisions),
  ofClass: fc.constantFrom(...decisions),
  operation: fc.constantFrom(...decisions),
  anonymous: fc.constantFrom("none", "group", "class"),
  isGuarded: fc.boolean(),
});
const asked = fc.record({
  method: fc.constantFrom(...methods),
  first: fc.option(someScopes, { nil: null }),
  second: fc.option(someScopes, { nil: null }),
});
type Declared = typeof declared extends fc.Arbitrary<infer Value> ? Value : never;
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

const mayOf = (decision: Decision): object => {
  if (decision === "none") return {};
  const ask = async (): Promise<boolean> => decision === "yes";
  return { may: decision === "hides" ? { hides: true, ask } : ask };
};
const scoped = (scopes: readonly string[]): object => (scopes.length === 0 ? {} : { scopes });
const guardOf = (header: string, optional: boolean): never =>
  bearer<string>({
    token: { header },
    optional,
    verify: (token) => token,
    scopesOf: (token) => token.split(" "),
  }) as never;

const thing = z.object({ n: z.int() });

function built(
  { kind, guard, scopes, group, ofClass, operation, anonymous, isGuarded }: Declared,
  ran: () => void,
): Application {
  const guards = { none: [], required: [guardOf("x-one", false)], optional: [guardOf("x-one", true)] };
  const around = guard === "two" ? [guardOf("x-one", true), guardOf("x-two", true)] : guards[guard];
  class Line extends Resource {
    paths = ["/thing"] as const;
    validator(): object {
      return { etag: '"1"' };
    }
    static GET = {
      ...scoped(scopes.GET),
      ...mayOf(operation),
      200: thing,
      404: "None",
      tool: { name: "get", description: "Gets the thing" },
    };
    override GET(): z.infer<typeof thing> {
      ran();
      return { n: 1 };
    }
    static PUT = {
      ...scoped(scopes.PUT),
      content: thing,
      200: thing,
      404: "None",
      tool: { name: "put", description: "Puts the thing" },
    };
    override PUT({ content }: Call<typeof Line, "PUT">): z.infer<typeof thing> {
      ran();
      return content;
    }
    static QUERY = { ...scoped(scopes.QUERY), content: text(), 200: thing, 404: "None" };
    override QUERY(): z.infer<typeof thing> {
      ran();
      return { n: 1 };
    }
    static PATCH = patch(this.GET, this.PUT);
  }
  class Native extends NativeResource {
    override paths = ["/thing"];
    static GET = { ...scoped(scopes.GET), ...mayOf(operation), 200: text(), 404: "None" };
    override GET(): Response {
      ran();
      return new Response("native");
    }
  }
  class Mounted extends mount(["/thing"], () => (ran(), new Response("mounted"))) {}
  class Folder extends Files {
    override paths = ["/:path*"] as const;
    source = { codings: [], find: (): undefined => ran() as undefined };
  }
  class Socket extends Resource {
    paths = ["/thing"] as const;
    static GET = {
      ...scoped(scopes.GET),
      ...mayOf(operation),
      101: socket({ receives: text(), sends: text() }),
      404: "None",
    };
    override GET(): Answer<typeof Socket, "GET"> {
      ran();
      return reply(101, {});
    }
  }
  const Class = { line: Line, native: Native, mount: Mounted, files: Folder, socket: Socket }[kind];
  Object.assign(Class, mayOf(ofClass), anonymous === "class" && { anonymous: true });
  const begun = ResourceGroup.builder()
    .middleware(...around)
    .resources(Class as never);
  const { may } = mayOf(group) as { readonly may?: never };
  if (may !== undefined) begun.may(may);
  if (anonymous === "group") begun.anonymous();
  const agents = ResourceGroup.builder()
    .resources(mcp({ name: "agents", version: "1" }), ...openapi({ title: "a", version: "1" }))
    .anonymous();
  const whole = Application.builder()
    .resources(begun.build(), agents.build())
    .onError(() => undefined);
  return (isGuarded ? whole.guarded() : whole).build();
}

/** The status by which a request is refused: 0 where its handler runs, null where nobody answers it but the line. */
function refusalBy({ kind, guard, scopes, group, ofClass, operation }: Declared, one: Asked): number | null {
  const { method, first, second } = one;
  const own = method === "HEAD" ? "GET" : method;
  const known = {
    line: ["GET", "PUT", "PATCH", "QUERY"],
    native: method === "HEAD" ? [] : ["GET"],
    files: ["GET"],
    socket: method === "HEAD" ? [] : ["GET"],
    mount: ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"],
  }[kind];
  if (!known.includes(own)) return null;
  if (guard === "required" && first === null) return 401;
  const of = own === "PATCH" ? (["GET", "PUT"] as const) : [own as "GET"];
  const needed = hasOperations(kind) ? of.flatMap((name) => scopes[name]) : [];
  const granted = guard === "none" ? [] : [first, guard === "two" ? second : null].filter((all) => all !== null);
  if (needed.length > 0) {
    if (granted.length === 0) return 401;
    if (!granted.some((all) => needed.every((scope) => all.includes(scope)))) return 403;
  }
  const ofOperation = hasOperations(kind) && (own === "GET" || own === "PATCH") ? operation : "none";
  const decision = [group, ofClass, ofOperation].find((each) => each === "no" || each === "hides");
  return decision === undefined ? 0 : decision === "no" ? 403 : 404;
}

const hasOperations = (kind: Declared["kind"]): boolean => kind !== "mount" && kind !== "files";
/** The scopes of each operation that is written; PATCH has those of two. */
const scopesIn = ({ kind, scopes }: Declared): readonly (readonly string[])[] =>
  kind === "line" ? [scopes.GET, scopes.PUT, scopes.QUERY] : hasOperations(kind) ? [scopes.GET] : [[]];

/** Why an application is not built, if anything is wrong with it. */
function mistakeOf(one: Declared): string | null {
  const { guard, anonymous, isGuarded } = one;
  const all = scopesIn(one);
  if (guard === "none" && all.flat().length > 0) return "and no guard that runs for it grants any";
  const isOpen = guard !== "required" && anonymous === "none" && all.some((needed) => needed.length === 0);
  return isGuarded && isOpen ? "nobody guards" : null;
}

/** What the identities of a request send. */
const fieldsOf = ({ first, second }: Asked): Record<string, string> => ({
  ...(first !== null && { "x-one": ["x", ...first].join(" ") }),
  ...(second !== null && { "x-two": ["x", ...second].join(" ") }),
});

async function connected(app: Application, headers: Record<string, string>): Promise<Response> {
  try {
    const peer = await app.connect("/thing", { headers });
    await peer.return!();
    return { status: 101 } as Response;
  } catch (error) {
    return (error as Error).cause as Response;
  }
}

/** What agents get. */
async function toolsBy(app: Application, headers: object, method: string, params: object): Promise<string> {
  const accept = "application/json, text/event-stream";
  const json = { jsonrpc: "2.0", id: 1, method, params };
  return (await app.request("/mcp", { method: "POST", headers: { accept, ...headers }, json })).text();
}

describe("who may do what", () => {
  it("runs a handler if, and only if, the declaration allows it", { timeout }, async () => {
    await holds(
      fc.asyncProperty(declared, fc.array(asked, { minLength: 1, maxLength: 4 }), async (one, requests) => {
        let runsOf = 0;
        const build = (): Application => built(one, () => void runsOf++);
        const mistake = mistakeOf(one);
        if (mistake !== null) return void expect(build).toThrow(mistake);
        const app = build();
        for (const request of requests) {
          runsOf = 0;
          const { method } = request;
          const headers: Record<string, string> = { ...fieldsOf(request), "content-type": "text/plain" };
          if (method === "PUT") headers["content-type"] = "application/json";
          if (method === "PATCH") headers["content-type"] = "application/merge-patch+json";
          const body = ["PUT", "PATCH"].includes(method) ? '{"n":2}' : method === "QUERY" ? "q" : undefined;
          const options = { method, headers, ...(body === undefined ? {} : { body }) };
          const response = await (one.kind === "socket" && method === "GET"
            ? connected(app, headers)
            : app.request("/thing", options));
          const expected = refusalBy(one, request);
          const { status } = response;
          const allowed = { files: 404, socket: 101, line: 200, native: 200, mount: 200 }[one.kind];
          if (expected === 0) expect([status, runsOf > 0]).toEqual([allowed, true]);
          else expect([runsOf, expected === null ? 0 : status]).toEqual([0, expected ?? 0]);
          if (
            ![101, 405].includes(status) &&
            expected !== null &&
            method === "GET" &&
            (one.guard !== "none" || expected !== 0)
          )
            expect(response.headers.get("cache-control")).toBe("private");
        }
        if (one.kind !== "line") return undefined;
        for (const request of requests.slice(0, 1)) {
          const headers = fieldsOf(request);
          const explained = await app.explain(new Request("http://localhost/thing", { headers }), { run: true });
          const { status } = await app.request("/thing", { headers });
          expect(explained.status).toBe(status);
          const listed = await toolsBy(app, headers, "tools/list", {});
          for (const [name, method] of [
            ["get", "GET"],
            ["put", "PUT"],
          ] as const) {
            const open = { ...one, group: "none", ofClass: "none", operation: "none" } as const;
            expect(listed.includes(`"${name}"`)).toBe(refusalBy(open, { ...request, method }) === 0);
            runsOf = 0;
            await toolsBy(app, headers, "tools/call", { name, arguments: method === "PUT" ? { n: 2 } : {} });
            expect(runsOf > 0).toBe(refusalBy(one, { ...request, method }) === 0);
          }
        }
        const { paths } = document(app, { title: "a", version: "1" });
        const articles = (await (await app.request("/docs")).text()).split("<article id=");
        for (const name of ["GET", "PUT"] as const) {
          const { operationId, security = [] } = paths["/thing"]![name.toLowerCase()]!;
          const written = JSON.stringify(security);
          const article = articles.find((entry) => entry.startsWith(`"${operationId}"`))!;
          for (const scope of names) {
            expect([written.includes(`"${scope}"`), article.includes(`<code>${scope}</code>`)]).toEqual([
              one.scopes[name].includes(scope),
              one.scopes[name].includes(scope),
            ]);
          }
        }
      }),
      // 5,000 for a push: each takes 2 ms.
      2.5 * runs,
    );
  });
});
