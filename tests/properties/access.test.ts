import fc from "fast-check";
import { Application, patch, Resource, ResourceGroup, text, type Call } from "fingerpost";
import { bearer } from "fingerpost/middleware/bearer";
import { mount } from "fingerpost/mount";
import { Resource as NativeResource } from "fingerpost/native";
import { document } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { holds, timeout } from "./runs.ts";

// C23: a handler runs if, and only if, what is declared allows it. The oracle knows the declaration alone.

const names = ["a", "b"] as const;
const kinds = ["line", "native", "mount"] as const;
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

function built({ kind, guard, scopes, group, ofClass, operation }: Declared, ran: () => void): Application {
  const guards = { none: [], required: [guardOf("x-one", false)], optional: [guardOf("x-one", true)] };
  const around = guard === "two" ? [guardOf("x-one", true), guardOf("x-two", true)] : guards[guard];
  class Line extends Resource {
    paths = ["/thing"] as const;
    validator(): object {
      return { etag: '"1"' };
    }
    static GET = { ...scoped(scopes.GET), ...mayOf(operation), 200: thing, 404: "None" };
    override GET(): z.infer<typeof thing> {
      ran();
      return { n: 1 };
    }
    static PUT = { ...scoped(scopes.PUT), content: thing, 200: thing, 404: "None" };
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
    static GET = { ...scoped(scopes.GET), ...mayOf(operation) };
    override GET(): Response {
      ran();
      return new Response("native");
    }
  }
  class Mounted extends mount(["/thing"], () => (ran(), new Response("mounted"))) {}
  const Class = { line: Line, native: Native, mount: Mounted }[kind];
  Object.assign(Class, mayOf(ofClass));
  const begun = ResourceGroup.builder()
    .middleware(...around)
    .resources(Class as never);
  const { may } = mayOf(group) as { readonly may?: never };
  return Application.builder()
    .resources((may === undefined ? begun : begun.may(may)).build())
    .onError(() => undefined)
    .build();
}

/** The status by which a request is refused: 0 where its handler runs, null where nobody answers it but the line. */
function refusalBy({ kind, guard, scopes, group, ofClass, operation }: Declared, one: Asked): number | null {
  const { method, first, second } = one;
  const own = method === "HEAD" ? "GET" : method;
  const known = {
    line: ["GET", "PUT", "PATCH", "QUERY"],
    native: method === "HEAD" ? [] : ["GET"],
    mount: ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"],
  }[kind];
  if (!known.includes(own)) return null;
  if (guard === "required" && first === null) return 401;
  const of = own === "PATCH" ? (["GET", "PUT"] as const) : [own as "GET"];
  const needed = kind === "mount" ? [] : of.flatMap((name) => scopes[name]);
  const granted = guard === "none" ? [] : [first, guard === "two" ? second : null].filter((all) => all !== null);
  if (needed.length > 0) {
    if (granted.length === 0) return 401;
    if (!granted.some((all) => needed.every((scope) => all.includes(scope)))) return 403;
  }
  const ofOperation = kind !== "mount" && (own === "GET" || own === "PATCH") ? operation : "none";
  const decision = [group, ofClass, ofOperation].find((each) => each === "no" || each === "hides");
  return decision === undefined ? 0 : decision === "no" ? 403 : 404;
}

function hasUngranted({ kind, guard, scopes }: Declared): boolean {
  if (guard !== "none" || kind === "mount") return false;
  return (kind === "line" ? (["GET", "PUT", "QUERY"] as const) : (["GET"] as const)).some(
    (name) => scopes[name].length > 0,
  );
}

describe("who may do what", () => {
  it("runs a handler if, and only if, the declaration allows it", { timeout }, async () => {
    await holds(
      fc.asyncProperty(declared, fc.array(asked, { minLength: 1, maxLength: 4 }), async (one, requests) => {
        let runsOf = 0;
        const build = (): Application => built(one, () => void runsOf++);
        if (hasUngranted(one)) return void expect(build).toThrow("and no guard that runs for it grants any");
        const app = build();
        for (const request of requests) {
          runsOf = 0;
          const { method, first, second } = request;
          const headers: Record<string, string> = { "content-type": "text/plain" };
          if (method === "PUT") headers["content-type"] = "application/json";
          if (method === "PATCH") headers["content-type"] = "application/merge-patch+json";
          if (first !== null) headers["x-one"] = ["x", ...first].join(" ");
          if (second !== null) headers["x-two"] = ["x", ...second].join(" ");
          const body = ["PUT", "PATCH"].includes(method) ? '{"n":2}' : method === "QUERY" ? "q" : undefined;
          const response = await app.request("/thing", { method, headers, ...(body === undefined ? {} : { body }) });
          const expected = refusalBy(one, request);
          const { status } = response;
          if (expected === 0) expect([status, runsOf > 0]).toEqual([200, true]);
          else expect([runsOf, expected === null ? 0 : status]).toEqual([0, expected ?? 0]);
          if (status !== 405 && expected !== null && method === "GET" && (one.guard !== "none" || expected !== 0))
            expect(response.headers.get("cache-control")).toBe("private");
        }
        if (one.kind !== "line") return undefined;
        const { paths } = document(app, { title: "a", version: "1" });
        for (const name of ["GET", "PUT"] as const) {
          const written = JSON.stringify(paths["/thing"]![name.toLowerCase()]!.security ?? []);
          for (const scope of names) expect(written.includes(`"${scope}"`)).toBe(one.scopes[name].includes(scope));
        }
      }),
    );
  });
});
