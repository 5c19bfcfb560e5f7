import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import * as semantics from "fingerpost";
import { describe, expect, it } from "vitest";
import type { MiddlewareClass } from "../application/middleware.ts";
import { methods } from "../http/protocol/method.ts";
import { allowedMethods } from "./allowed-methods.ts";
import { compress } from "./compress.ts";
import { conditional } from "./conditional.ts";
import { cors } from "./cors.ts";

class Motto extends native.Resource {
  override paths = ["/motto"];

  override GET(request: Request): Response {
    return new Response("Less is more", { headers: { "x-asked": request.method } });
  }
}

class Wishes extends native.Resource {
  override paths = ["/wishes"];

  override POST = (): Response => new Response(null, native.Status.NoContent);
}

/** The least that is a request of any method. */
function input(method: string, path: string, headers: HeadersInit = {}): Request {
  const url = `http://localhost${path}`;
  return { url, method, headers: new Headers(headers), body: null } as unknown as Request;
}

type Asked = { fetch(request: Request): Promise<Response> };

async function asked(app: Asked, method: string, path: string): Promise<readonly [number, string | null]> {
  const { status, headers } = await app.fetch(input(method, path));
  return [status, headers.get("allow")];
}

function around(...middleware: readonly MiddlewareClass[]): native.Application {
  return native.Application.builder()
    .resources(Motto, Wishes)
    .middleware(...middleware)
    .onError(() => {})
    .build();
}

describe("allowedMethods()", () => {
  const app = around(allowedMethods());

  it("answers 405 to methods that a resource does not implement, with those that it does in Allow", async () => {
    for (const method of methods) {
      const own = /^(?:GET|HEAD|OPTIONS)$/.test(method);
      if (!own) expect(await asked(app, method, "/motto"), method).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    expect(await asked(app, "HEAD", "/wishes")).toEqual([405, "OPTIONS, POST"]);
    expect(await asked(app, "GET", "/wishes")).toEqual([405, "OPTIONS, POST"]);
    expect(await (await app.fetch(input("PUT", "/motto"))).json()).toEqual({
      title: "Method Not Allowed",
      status: 405,
    });
  });

  it("answers OPTIONS by 204 with Allow", async () => {
    expect(await asked(app, "OPTIONS", "/motto")).toEqual([204, "GET, HEAD, OPTIONS"]);
    expect(await asked(app, "OPTIONS", "/wishes")).toEqual([204, "OPTIONS, POST"]);
  });

  it("answers HEAD by GET, without the content, which is canceled", async () => {
    let isCanceled = false;
    class Stream extends native.Resource {
      override paths = ["/stream"];
      override GET(): Response {
        return new Response(new ReadableStream({ cancel: () => void (isCanceled = true) }), {
          status: 203,
          headers: [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
          ],
        });
      }
    }
    const streaming = native.Application.builder().resources(Stream).middleware(allowedMethods()).build();
    const head = await streaming.fetch(input("HEAD", "/stream"));
    expect([head.status, head.body, head.headers.getSetCookie()]).toEqual([203, null, ["a=1", "b=2"]]);
    expect(isCanceled).toBe(true);
    const motto = await app.fetch(input("HEAD", "/motto"));
    expect([motto.status, motto.body, motto.headers.get("x-asked")]).toEqual([200, null, "HEAD"]);
  });

  it("leaves alone what a resource implements, what has no path, and what HTTP does not have", async () => {
    class Own extends native.Resource {
      override paths = ["/own"];
      override GET = (): Response => new Response("x");
      override HEAD = (): Response => new Response(null, { status: 202 });
      override OPTIONS = (): Response => new Response("own");
      override PUT(request: Request): Response {
        return super.PUT(request) as Response;
      }
    }
    const own = native.Application.builder()
      .resources(Own)
      .middleware(allowedMethods())
      .onError(() => {})
      .build();
    expect(await asked(own, "HEAD", "/own")).toEqual([202, null]);
    expect(await asked(own, "OPTIONS", "/own")).toEqual([200, null]);
    expect(await asked(own, "PUT", "/own")).toEqual([501, null]);
    expect(await asked(own, "DELETE", "/own")).toEqual([405, "GET, HEAD, OPTIONS, PUT"]);
    expect(await asked(own, "PURGE", "/own")).toEqual([501, null]);
    expect(await asked(own, "QUERY", "/own")).toEqual([501, null]);
    expect(await asked(own, "PUT", "/nowhere")).toEqual([404, null]);
  });

  it("C9.3 has a guard answer before it says anything of methods", async () => {
    class Closed extends native.Middleware {
      ALL(): never {
        throw new native.HTTPError(native.Status.Forbidden);
      }
    }
    const group = native.ResourceGroup.builder().resources(Motto).middleware(Closed).build();
    const closed = native.Application.builder()
      .resources(group)
      .middleware(allowedMethods())
      .onError(() => {})
      .build();
    for (const method of methods) expect(await asked(closed, method, "/motto"), method).toEqual([403, null]);
  });

  it("C5.9 guards HEAD by what guards GET, wherever that is", async () => {
    class Guard extends native.Middleware {
      GET(): never {
        throw new native.HTTPError(native.Status.Unauthorized, undefined, { headers: { "www-authenticate": "x" } });
      }
    }
    class Guarded extends Motto {
      static override readonly middleware = [Guard];
    }
    const places = [
      native.Application.builder().resources(Motto).middleware(Guard, allowedMethods()),
      native.Application.builder().resources(Motto).middleware(allowedMethods(), Guard),
      native.Application.builder().resources(Guarded).middleware(allowedMethods()),
      native.Application.builder()
        .resources(native.ResourceGroup.builder().resources(Motto).middleware(Guard, allowedMethods()).build())
        .middleware(Guard),
      native.Application.builder()
        .resources(native.ResourceGroup.builder().resources(Motto).middleware(allowedMethods()).build())
        .middleware(Guard),
    ];
    for (const builder of places) {
      const guarded = builder.onError(() => {}).build();
      expect((await guarded.fetch(input("HEAD", "/motto"))).status).toBe(401);
      expect((await guarded.fetch(input("GET", "/motto"))).status).toBe(401);
      expect(await asked(guarded, "PUT", "/motto")).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
  });

  it("C5.9 runs HEAD() of a middleware, else GET(), else ALL()", async () => {
    const ran: string[] = [];
    const noting = (...names: readonly string[]): MiddlewareClass => {
      class Noting extends native.Middleware {}
      for (const name of names) {
        Object.defineProperty(Noting.prototype, name, {
          value(this: native.Middleware, request: Request) {
            ran.push(`${name} ${request.method}`);
            return this.next(request);
          },
        });
      }
      return Noting;
    };
    const noted = around(noting("HEAD", "GET", "ALL"), noting("GET", "ALL"), allowedMethods(), noting("ALL"));
    expect((await noted.fetch(input("HEAD", "/motto"))).status).toBe(200);
    expect(ran).toEqual(["HEAD HEAD", "GET HEAD", "ALL HEAD"]);
  });

  it("leaves a preflight to cors() outside of it, and adds its fields to OPTIONS", async () => {
    const shared = around(cors({ origins: "*" }), allowedMethods());
    const preflight = await shared.fetch(
      input("OPTIONS", "/motto", { origin: "https://a.example", "access-control-request-method": "PUT" }),
    );
    expect([preflight.status, preflight.headers.has("allow")]).toEqual([204, false]);
    const plain = await shared.fetch(input("OPTIONS", "/motto", { origin: "https://a.example" }));
    expect([plain.headers.get("allow"), plain.headers.get("access-control-allow-origin")]).toEqual([
      "GET, HEAD, OPTIONS",
      "*",
    ]);
    const refused = await shared.fetch(input("PUT", "/motto", { origin: "https://a.example" }));
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([405, "*"]);
  });

  it("answers HEAD with the fields of GET, including fields that middleware computes of the content", async () => {
    class Text extends native.Resource {
      override paths = ["/text"];
      override GET(): Response {
        return new Response("a".repeat(5000), { headers: { "content-type": "text/plain" } });
      }
    }
    const text = native.Application.builder()
      .resources(Text)
      .middleware(allowedMethods(), compress({ codings: ["gzip"] }), conditional())
      .onError(() => {})
      .build();
    const get = await text.fetch(input("GET", "/text"));
    const etag = get.headers.get("etag")!;
    expect(etag).toMatch(/^"/);
    for (const headers of [{}, { "if-none-match": etag }, { "if-match": '"x"' }, { "accept-encoding": "gzip" }]) {
      const [whole, head] = [
        await text.fetch(input("GET", "/text", headers)),
        await text.fetch(input("HEAD", "/text", headers)),
      ];
      expect(head.status, JSON.stringify(headers)).toBe(whole.status);
      expect([...head.headers], JSON.stringify(headers)).toEqual([...whole.headers]);
    }
  });

  it("may be there twice, around the application and a group", async () => {
    const group = native.ResourceGroup.builder().resources(Motto).middleware(allowedMethods()).build();
    const twice = native.Application.builder()
      .resources(group, Wishes)
      .middleware(allowedMethods())
      .onError(() => {})
      .build();
    expect(await asked(twice, "PUT", "/motto")).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await twice.fetch(input("HEAD", "/motto"))).body).toBeNull();
    const once = native.Application.builder()
      .resources(group, Wishes)
      .onError(() => {})
      .build();
    expect(await asked(once, "OPTIONS", "/motto")).toEqual([204, "GET, HEAD, OPTIONS"]);
    expect(await asked(once, "OPTIONS", "/wishes")).toEqual([501, null]);
  });

  it.each<[only: readonly native.Method[], statuses: readonly number[], allow: string]>([
    [["HEAD"], [200, 501, 501], "GET, HEAD"],
    [["OPTIONS"], [501, 204, 501], "GET, OPTIONS"],
    [["POST"], [501, 501, 405], "GET"],
    [["HEAD", "POST"], [200, 501, 405], "GET, HEAD"],
    [["GET", "PUT"], [501, 501, 501], ""],
  ])("C5.9 answers %j only, where it is restricted to that", async (only, statuses, allow) => {
    const inner = native.ResourceGroup.builder()
      .resources(Motto)
      .middleware(allowedMethods().on(...only))
      .build();
    const grouped = native.Application.builder()
      .resources(inner)
      .onError(() => {})
      .build();
    for (const one of [around(allowedMethods().on(...only)), grouped]) {
      const answers = await Promise.all(["HEAD", "OPTIONS", "POST"].map((method) => asked(one, method, "/motto")));
      expect(answers.map(([status]) => status)).toEqual(statuses);
      for (const [status, field] of answers) if (status === 204 || status === 405) expect(field).toBe(allow);
      const known = ["HEAD", "OPTIONS", "POST"].map((method) => one.match(input(method, "/motto")));
      expect(known.map((decision) => (decision.matched ? null : decision.status.status))).toEqual(
        statuses.map((status) => (status < 400 ? null : status)),
      );
      expect((await one.fetch(input("HEAD", "/motto"))).body === null).toBe(statuses[0] === 200);
      expect(await asked(one, "GET", "/motto")).toEqual([200, null]);
    }
  });

  it("C5.9 may be there several times, each for other methods", async () => {
    const group = native.ResourceGroup.builder()
      .resources(Motto)
      .middleware(allowedMethods().on("HEAD", "PUT"))
      .build();
    const both = native.Application.builder()
      .resources(group)
      .middleware(allowedMethods().on("OPTIONS"))
      .onError(() => {})
      .build();
    const answers = await Promise.all(
      ["HEAD", "OPTIONS", "PUT", "POST"].map((method) => asked(both, method, "/motto")),
    );
    expect(answers).toEqual([
      [200, null],
      [204, "GET, HEAD, OPTIONS"],
      [405, "GET, HEAD, OPTIONS"],
      [501, null],
    ]);
  });

  it("C5.9 makes HEAD of GET, for other middleware too, unless it is restricted to other methods", async () => {
    class Guard extends native.Middleware {
      GET(): never {
        throw new native.HTTPError(native.Status.Forbidden);
      }
    }
    class OptionsOnly extends allowedMethods().on("OPTIONS", "HEAD").on("OPTIONS") {}
    expect(await asked(around(allowedMethods().on("HEAD"), Guard), "HEAD", "/motto")).toEqual([403, null]);
    expect(await asked(around(OptionsOnly, Guard), "HEAD", "/motto")).toEqual([501, null]);
    expect(await asked(around(OptionsOnly, Guard), "OPTIONS", "/motto")).toEqual([204, "GET, OPTIONS"]);
  });

  it("is known to match() and explain(), which say what is answered", async () => {
    class Asked extends semantics.Resource {
      override paths = ["/asked"];
      static QUERY = { 200: semantics.text() };
      override QUERY(): string {
        return "x";
      }
    }
    const group = native.ResourceGroup.builder().resources(Motto).middleware(allowedMethods()).build();
    const grouped = semantics.Application.builder()
      .resources(group, Wishes, Asked)
      .onError(() => {})
      .build();
    const whole = semantics.Application.builder().resources(Motto, Asked).middleware(allowedMethods()).build();
    for (const [one, path] of [
      [grouped, "/motto"],
      [grouped, "/wishes"],
      [whole, "/motto"],
      [whole, "/asked"],
    ] as const) {
      for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "QUERY", "PURGE"]) {
        const { status } = await one.fetch(input(method, path));
        const decision = one.match(input(method, path));
        expect(decision.matched ? "answers" : decision.status.status, `${method} ${path}`).toBe(
          status < 400 ? "answers" : status,
        );
        expect(
          (await one.explain(new Request(`http://localhost${path}`, { method }))).status ?? "answers",
          `${method} ${path}`,
        ).toBe(status < 400 && !(method === "OPTIONS" && path === "/asked") ? "answers" : status);
      }
    }
    expect(whole.match(input("PUT", "/motto"))).toMatchObject({ reason: "Motto allows GET, HEAD, OPTIONS" });
    const { questions } = await whole.explain(new Request("http://localhost/motto", { method: "HEAD" }));
    expect(questions.at(-1)!.finding).toMatch(/^yes: Motto answers HEAD, /);
  });

  it("writes to the response of a context in the polyfill chain", async () => {
    class Greeting extends polyfill.Resource {
      override paths = ["/"];
      override GET({ response }: { readonly response: { end(text: string): unknown } }): unknown {
        return response.end("Hello");
      }
    }
    const contexts = polyfill.Application.builder().resources(Greeting).middleware(allowedMethods()).build();
    const answered = async (method: string): Promise<unknown> => {
      const fields: Record<string, string> = {};
      const response = {
        statusCode: 200,
        getHeader: (name: string) => fields[name],
        setHeader: (name: string, value: string) => void (fields[name.toLowerCase()] = value),
        end: (text?: string) => ({ text, fields, status: response.statusCode }),
      };
      const result = await contexts.handle({ url: "/", method, request: {}, response });
      return result === response ? { status: response.statusCode, fields } : result;
    };
    expect(await answered("HEAD")).toEqual({ text: "Hello", fields: {}, status: 200 });
    expect(await answered("OPTIONS")).toEqual({ status: 204, fields: { allow: "GET, HEAD, OPTIONS" } });
    const refusal = (await answered("PUT").catch((error: unknown) => error)) as native.HTTPError;
    expect([refusal.status, new Headers(refusal.headers).get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it("leaves resources of the semantics chain to that", async () => {
    class Declared extends semantics.Resource {
      override paths = ["/declared"];
      static GET = { 200: semantics.text() };
      override GET(): string {
        return "x";
      }
    }
    const mixed = semantics.Application.builder().resources(Declared, Motto).middleware(allowedMethods()).build();
    expect(await asked(mixed, "PUT", "/declared")).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await asked(mixed, "PUT", "/motto")).toEqual([405, "GET, HEAD, OPTIONS"]);
    const head = await mixed.fetch(input("HEAD", "/declared"));
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "1"]);
    expect((await mixed.fetch(input("HEAD", "/motto"))).headers.get("x-asked")).toBe("HEAD");
  });

  it("C10.2 says of 405, for documents", () => {
    expect(Reflect.get(allowedMethods(), "answers")).toEqual({ 405: expect.stringContaining("Allow") });
  });
});
