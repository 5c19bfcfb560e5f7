import { describe, expect, it, vi } from "vitest";
import type * as ResponseModule from "../../http/message/response.ts";
import { z } from "zod";
import { requestId } from "../../middleware/request-id.ts";
import { bearer } from "../../middleware/bearer.ts";
import { basic } from "../../middleware/basic.ts";
import { cors } from "../../middleware/cors.ts";
import { Middleware, type MiddlewareClass } from "../../application/middleware.ts";
import { Application, Resource } from "../../modules/http.semantics.ts";
import { Application as NativeApplication, Resource as NativeResource } from "../../modules/http.native.ts";

// As on Bun and Deno, which have no class of light responses.
const { finish } = vi.hoisted(() => ({ finish: vi.fn<() => void>() }));
vi.mock("../../http/message/response.ts", async (load) => {
  const actual = await load<typeof ResponseModule>();
  const responseOf: typeof actual.responseOf = (answer, isCounted) => {
    finish();
    return actual.responseOf(answer, isCounted, globalThis.Response);
  };
  return { ...actual, responseOf, Response: globalThis.Response };
});

class Teas extends Resource {
  paths = ["/teas/:kind"] as const;
  static GET = { path: z.object({ kind: z.enum(["green", "black", "late", "broken"]) }), 200: z.string() };
  GET({ path: { kind } }: { path: { kind: string } }): string | Promise<string> {
    if (kind === "broken") throw new Error("Broken");
    return kind === "late" ? Promise.resolve(kind) : kind;
  }
  static POST = { content: z.string(), 200: z.string() };
  POST({ content }: { content: string }): string {
    return content;
  }
}

const own = [requestId({ generate: () => "42" }), cors({ origins: "*" }), bearer({ tokens: { token: "a client" } })];
const authorized = { authorization: "Bearer token" };
const posted = (content: unknown): RequestInit => ({
  method: "POST",
  headers: { ...authorized, "content-type": "application/json" },
  body: JSON.stringify(content),
});

function appOf(middleware: readonly MiddlewareClass[]): Application {
  return Application.builder()
    .resources(Teas)
    .middleware(...middleware)
    .onError(() => {})
    .build();
}

async function answerOf(
  { fetch }: { fetch(request: Request): Promise<Response> },
  path: string,
  init: RequestInit = { headers: authorized },
): Promise<{ status: number; text: string; fields: Record<string, string> }> {
  const response = await fetch(new Request(`http://localhost${path}`, init));
  expect(response).toBeInstanceOf(Response);
  return { status: response.status, text: await response.text(), fields: Object.fromEntries(response.headers) };
}

/** Middleware of a user, which notes what it gets. */
function seeing(
  Base: MiddlewareClass,
  call: (self: Middleware, input: Request) => unknown,
): [MiddlewareClass, unknown[]] {
  const seen: unknown[] = [];
  class Seeing extends (Base as typeof Middleware) {
    override ALL(input: Request): unknown {
      const given = call(this, input);
      seen.push(given);
      return given;
    }
  }
  return [Seeing, seen];
}

describe("an answer that passes middleware of this package", () => {
  it("is made once, with all fields and its length", async () => {
    const app = appOf(own);
    for (const kind of ["green", "late"]) {
      finish.mockClear();
      const { status, text, fields } = await answerOf(app, `/teas/${kind}`);
      expect([status, text]).toEqual([200, `"${kind}"`]);
      expect(fields).toMatchObject({
        "content-type": "application/json",
        "content-length": String(kind.length + 2),
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "ETag",
        "x-request-id": "42",
      });
      expect(finish).toHaveBeenCalledOnce();
    }
  });

  it("passes middleware that waits, and middleware of some methods only", async () => {
    const app = appOf([basic({ realm: "teas", users: { ada: "long password" } }), cors({ origins: "*" }).on("GET")]);
    const headers = { authorization: `Basic ${btoa("ada:long password")}` };
    const { status, fields } = await answerOf(app, "/teas/green", { headers });
    expect([status, fields["access-control-allow-origin"]]).toEqual([200, "*"]);
  });

  it("has the fields of middleware where it is an error", async () => {
    const app = appOf(own);
    const statuses = [
      await answerOf(app, "/teas/white"),
      await answerOf(app, "/teas/broken"),
      await answerOf(app, "/teas/green", posted(5)),
      await answerOf(app, "/teas/green", {}),
      await answerOf(app, "/nothing"),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([404, 500, 422, 401, 404]);
    for (const { fields } of statuses)
      expect(fields).toMatchObject({ "x-request-id": "42", "access-control-allow-origin": "*" });
  });

  it("is the result of handle() as users get it", async () => {
    const app = appOf(own);
    const handled = async (path: string, init?: RequestInit): Promise<unknown> =>
      app.handle(new Request(`http://localhost${path}`, { headers: authorized, ...init }));
    expect(await handled("/teas/green")).toBeInstanceOf(Response);
    expect(await handled("/teas/late")).toBeInstanceOf(Response);
    expect(await handled("/teas/green", posted("tea"))).toBeInstanceOf(Response);
    await expect(handled("/teas/white")).rejects.toMatchObject({ status: 404 });
    await expect(handled("/teas/green", posted(5))).rejects.toMatchObject({ status: 422 });
  });
});

describe("middleware of users", () => {
  it("gets a Response from next(), wherever it is", async () => {
    for (const place of [0, 1, 2, 3]) {
      const [Seeing, seen] = seeing(Middleware, (self, input) => self.next(input));
      const app = appOf(own.toSpliced(place, 0, Seeing));
      for (const kind of ["green", "late"]) {
        expect(await answerOf(app, `/teas/${kind}`)).toMatchObject({ status: 200, fields: { "x-request-id": "42" } });
        expect(await seen.pop()).toBeInstanceOf(Response);
      }
    }
  });

  it("gets a Promise that rejects for a refusal", async () => {
    for (const place of [0, 1, 2, 3]) {
      const [Seeing, seen] = seeing(Middleware, (self, input) => self.next(input));
      const app = appOf(own.toSpliced(place, 0, Seeing));
      expect((await answerOf(app, "/teas/white")).status).toBe(404);
      await expect(seen.pop()).rejects.toMatchObject({ status: 404 });
      expect((await answerOf(app, "/teas/green", posted(5))).status).toBe(422);
      await expect(seen.pop()).rejects.toMatchObject({ status: 422 });
    }
  });

  it("gets a Response where it extends middleware of this package, or replaces its handler", async () => {
    const superOf = (Class: MiddlewareClass) => (self: Middleware, input: Request) =>
      Reflect.apply(Class.prototype.ALL!, self, [input]) as unknown;
    const extended = own.map((Class) => seeing(Class, superOf(Class)));
    for (const [Seeing, seen] of [...extended, ...extended.map(([Class, of]) => [Class.on("GET"), of] as const)]) {
      expect((await answerOf(appOf([Seeing]), "/teas/green")).status).toBe(200);
      expect(seen.pop()).toBeInstanceOf(Response);
    }
    const Replaced = requestId();
    const { ALL } = Replaced.prototype;
    const seen: unknown[] = [];
    Replaced.prototype.ALL = function (this: Middleware, input: unknown): unknown {
      const given: unknown = ALL!.call(this, input);
      seen.push(given);
      return given;
    };
    expect((await answerOf(appOf([Replaced]), "/teas/green")).status).toBe(200);
    expect(seen.pop()).toBeInstanceOf(Response);
  });

  it("gets a Response of an application within its own", async () => {
    const inner = appOf([]);
    const given: unknown[] = [];
    class Outside extends NativeResource {
      paths = ["/teas/:kind"];
      async GET(request: Request): Promise<Response> {
        given.push(await inner.handle(request), await inner.fetch(request));
        return given.at(-1) as Response;
      }
    }
    const outer = NativeApplication.builder()
      .resources(Outside)
      .middleware(...own)
      .build();
    expect(await answerOf(outer, "/teas/green")).toMatchObject({ status: 200, fields: { "x-request-id": "42" } });
    expect(given.every((one) => one instanceof Response)).toBe(true);
  });
});
