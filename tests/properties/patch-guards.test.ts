import { Application, HTTPError, Middleware, patch, reply, Resource, ResourceGroup, Status } from "fingerpost";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { holds, runs, timeout } from "./runs.ts";

const members = ["GET", "PUT", "PATCH", "ALL"] as const;
type Member = (typeof members)[number];

/**
 * What a handler of middleware does with a request. It marks requests for guards inside of it, which refuse those
 * without a mark, or goes on with another request that says the same.
 */
const deeds = ["passes", "refuses", "refuses the unmarked", "marks", "replaces"] as const;
type Deed = (typeof deeds)[number];

/** One middleware: a deed for each member that it has. */
const around = fc.dictionary(fc.constantFrom(...members), fc.constantFrom(...deeds), {
  minKeys: 1,
  noNullPrototype: true,
});
type Around = Readonly<Partial<Record<Member, Deed>>>;

/** Middleware of the application, of an outer and an inner group, and of the class. */
const places = fc.tuple(
  ...(["application", "outer", "inner", "class"] as const).map(() => fc.array(around, { maxLength: 2 })),
);

const note = z.object({ text: z.string() });
const type = { "content-type": "application/merge-patch+json" };

function replacementOf(request: Request, fields: Record<string, string>): Request {
  return new Request(request, { headers: { ...Object.fromEntries(request.headers), ...fields } });
}

/** Returns whether a request for PATCH is marked on its way: guards of GET and PUT see that request. */
function isMarked(all: readonly (readonly Around[])[]): boolean {
  return all.flat().some(({ ALL, PATCH = ALL }) => PATCH === "marks");
}

function middlewareOf(deedsOf: Around): typeof Middleware {
  class Around extends Middleware {}
  for (const [member, deed] of Object.entries(deedsOf)) {
    Object.defineProperty(Around.prototype, member, {
      value(this: Middleware, request: Request) {
        if (deed === "refuses") throw new HTTPError(Status.Forbidden);
        if (deed === "refuses the unmarked" && !request.headers.has("x-mark")) throw new HTTPError(Status.Forbidden);
        if (deed === "marks") return this.next(request, replacementOf(request, { "x-mark": "1" }));
        if (deed === "replaces") return this.next(request, replacementOf(request, {}));
        return this.next(request);
      },
    });
  }
  return Around;
}

/** Asks an application, and tells which handlers a request has reached. */
function askerOf([ofApplication = [], outer = [], inner = [], ofClass = []]: readonly Around[][]) {
  const reached: string[] = [];
  class Note extends Resource {
    override paths = ["/note"] as const;
    static middleware = ofClass.map(middlewareOf);
    validator() {
      return { etag: '"1"' };
    }
    static GET = { 200: note };
    override GET() {
      reached.push("GET");
      return { text: "a" };
    }
    static PUT = { content: { "application/json": note, "application/merge-patch+json": note }, 204: "Written" };
    override PUT() {
      reached.push("PUT");
      return reply(204);
    }
    static PATCH = patch(this.GET, this.PUT);
  }
  const innerGroup = ResourceGroup.builder()
    .resources(Note)
    .middleware(...inner.map(middlewareOf))
    .build();
  const outerGroup = ResourceGroup.builder()
    .resources(innerGroup)
    .middleware(...outer.map(middlewareOf))
    .build();
  const app = Application.builder()
    .middleware(...ofApplication.map(middlewareOf))
    .resources(outerGroup)
    .build();
  return async (
    method: string,
    fields: Record<string, string> = {},
  ): Promise<{ status: number; reached: readonly string[] }> => {
    reached.length = 0;
    const body = method === "GET" ? {} : { body: '{"text":"b"}' };
    const { status } = await app.request("/note", { method, headers: { ...type, ...fields }, ...body });
    return { status, reached: [...reached] };
  };
}

describe("C18.3 a PATCH that is made of GET and PUT", () => {
  it(
    "reaches no handler that a GET and a PUT would not reach, whatever middleware is around it",
    { timeout },
    async () => {
      let passed = 0;
      await holds(
        fc.asyncProperty(places, async (all) => {
          const ask = askerOf(all);
          const marks: Record<string, string> = isMarked(all) ? { "x-mark": "1" } : {};
          const [get, put, patched] = [await ask("GET", marks), await ask("PUT", marks), await ask("PATCH")];
          if (patched.reached.includes("GET")) expect(get).toEqual({ status: 200, reached: ["GET"] });
          if (patched.reached.includes("PUT"))
            expect([get.status, put]).toEqual([200, { status: 204, reached: ["PUT"] }]);
          expect(patched.status).toBe(patched.reached.includes("PUT") ? 204 : 403);
          if (patched.status === 204) passed++;
        }),
        Math.min(runs, 300),
      );
      // Otherwise it would hold where nothing passes.
      expect(passed).toBeGreaterThan(10);
    },
  );

  it("reaches both handlers where no guard refuses", { timeout }, async () => {
    const harmless = fc.constantFrom(...deeds.filter((deed) => !deed.startsWith("refuses")));
    const some = fc.array(fc.dictionary(fc.constantFrom(...members), harmless, { noNullPrototype: true }), {
      maxLength: 2,
    });
    await holds(
      fc.asyncProperty(fc.tuple(some, some, some, some), async (all) => {
        expect(await askerOf(all)("PATCH")).toEqual({ status: 204, reached: ["GET", "PUT"] });
      }),
      Math.min(runs, 100),
    );
  });
});
