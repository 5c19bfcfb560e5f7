import { bodyLimit } from "fingerpost/middleware/body-limit";
import {
  Application,
  Attribute,
  HTTPError,
  Middleware,
  Resource,
  ResourceGroup,
  Status,
} from "fingerpost/modules/http.native.js";
import { mount, type FetchHandler, type MountOptions } from "fingerpost/mount";
import { eventStream } from "fingerpost/native/content";
import { serve, stoppingSignalOf } from "fingerpost/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { methods } from "../http/protocol/method.ts";
import { freePort } from "../../tests/support/sockets.ts";

const echo: FetchHandler = (request) => {
  const { pathname, search } = new URL(request.url);
  return new Response(`${request.method} ${pathname}${search}`, { headers: { "x-method": request.method } });
};

function mounting(path: string, fetch: FetchHandler, options?: MountOptions) {
  return Application.builder()
    .resources(mount([path], fetch, options))
    .onError(() => {})
    .build();
}

const textOf = async (answer: Promise<Response>): Promise<string> => (await answer).text();

describe("mount()", () => {
  it("passes on every method that a Request can have", async () => {
    const app = mounting("/inner/:path*", echo);
    for (const method of methods) {
      if (method === "CONNECT" || method === "TRACE") continue;
      const response = await app.request("/inner/a", { method });
      expect([response.status, response.headers.get("x-method")]).toEqual([200, method]);
    }
  });

  it("passes on what no Request can have as the object that the host gave", async () => {
    const seen: unknown[] = [];
    const app = mounting("/inner/:path*", (request) => {
      seen.push(request);
      return new Response();
    });
    for (const method of ["CONNECT", "TRACE"]) {
      const input = { method, url: "/inner/a" };
      await app.handle(input);
      expect(seen.pop()).toBe(input);
    }
  });

  it("passes on what Workers know of the request, with and without the prefix", async () => {
    for (const options of [{}, { stripPrefix: true }]) {
      const seen: unknown[] = [];
      const app = mounting(
        "/inner/:path*",
        (request) => {
          seen.push((request as { readonly cf?: unknown }).cf);
          return new Response();
        },
        options,
      );
      const cf = { country: "DE" };
      await app.fetch(Object.defineProperty(new Request("http://localhost/inner/a"), "cf", { value: cf }));
      expect(seen).toEqual([cf]);
    }
  });

  it("answers 404 beside its paths, and 501 to another method", async () => {
    const app = mounting("/inner/:path*", echo);
    expect((await app.request("/other")).status).toBe(404);
    expect((await app.request("/inner", { method: "PROPFIND" })).status).toBe(501);
  });

  it("passes on the request itself, as it came", async () => {
    let seen: Request | undefined;
    const app = mounting("/inner/:path*", (request) => {
      seen = request;
      return new Response();
    });
    const request = new Request("http://localhost/inner/a%2Fb//?q=1");
    await app.fetch(request);
    expect(seen).toBe(request);
  });

  it("passes on nothing after the request", async () => {
    let count = 0;
    const app = mounting("/:path*", (...all: unknown[]) => {
      count = all.length;
      return new Response();
    });
    await app.request("/");
    expect(count).toBe(1);
  });

  it("passes to onError() what the handler throws or rejects with", async () => {
    const errors: unknown[] = [];
    const broken = new Error("broken");
    const app = Application.builder()
      .resources(
        mount(["/throws"], () => {
          throw broken;
        }),
        mount(["/rejects"], () => Promise.reject(broken)),
        mount(["/refuses"], () => Promise.reject(new HTTPError(Status.Conflict))),
        mount(["/nothing"], (() => {}) as unknown as FetchHandler),
      )
      .onError((error) => void errors.push(error))
      .build();
    for (const [path, status] of [
      ["/throws", 500],
      ["/rejects", 500],
      ["/refuses", 409],
      ["/nothing", 500],
    ] as const) {
      expect((await app.request(path)).status, path).toBe(status);
    }
    expect(errors.slice(0, 2)).toEqual([broken, broken]);
  });

  it("comes after the guards of its group, its own and the application's", async () => {
    const calls: string[] = [];
    const guard = (name: string) =>
      class extends Middleware {
        override ALL(request: Request): Response | Promise<Response> {
          calls.push(name);
          return request.headers.has("authorization") ? this.next(request) : new Response(null, Status.Unauthorized);
        }
      };
    class Inner extends mount(["/:path*"], echo) {
      static override readonly middleware = [guard("own")];
    }
    const group = ResourceGroup.builder().resources(Inner).prefix("/api").middleware(guard("group")).build();
    const app = Application.builder().resources(group).middleware(guard("application")).build();
    for (const method of ["GET", "HEAD", "OPTIONS", "DELETE"]) {
      expect((await app.request("/api/a", { method })).status).toBe(401);
    }
    calls.length = 0;
    expect(await textOf(app.request("/api/a", { headers: { authorization: "x" } }))).toBe("GET /api/a");
    expect(calls).toEqual(["application", "group", "own"]);
  });

  it("returns a class with the name of a subclass", () => {
    class Legacy extends mount(["/legacy/:path*"], echo) {}
    const [model] = Application.builder().resources(Legacy).build().resources;
    expect([model!.name, model!.patterns.map(({ source }) => source)]).toEqual(["Legacy", ["/legacy/:path*"]]);
  });

  it("leads into an application of its own kind, whose attributes stay", async () => {
    const user = new Attribute<string>("user");
    class Name extends Middleware {
      override ALL(request: Request): Response | Promise<Response> {
        user.set(request, "Ada");
        return this.next(request);
      }
    }
    const inner = mounting("/in/:name", (request) => new Response(user.get(request)));
    const app = Application.builder()
      .resources(mount(["/in/:path*"], inner.fetch))
      .middleware(Name)
      .build();
    expect(await textOf(app.request("/in/a"))).toBe("Ada");
  });

  it("has middleware around it", async () => {
    class Guard extends Middleware {
      override ALL(): never {
        throw new HTTPError(403);
      }
    }
    const app = Application.builder()
      .resources(mount(["/:path*"], echo, { middleware: [Guard] }))
      .build();
    expect((await app.request("/a")).status).toBe(403);
  });

  it("refuses what is not a function", () => {
    expect(() => mount(["/:path*"], { fetch: echo } as unknown as FetchHandler)).toThrow(
      new TypeError("Cannot mount the handler: expected a function, such as app.fetch, got an object"),
    );
  });

  it("refuses options that it does not know", () => {
    expect(() => mount(["/:path*"], echo, { stripPrefix: 1 as never })).toThrow(
      'Cannot call mount(): its option "stripPrefix" must be true or false, got 1',
    );
    expect(() => mount(["/:path*"], echo, { middleware: [echo] as never })).toThrow(
      'Cannot call mount(): its option "middleware" must be an array of middleware classes, got ',
    );
    expect(() => mount(["/:path*"], echo, { strip: true } as MountOptions)).toThrow(/it has no option "strip"/);
  });
});

describe("mount() with the prefix stripped", () => {
  const stripped = { stripPrefix: true };

  it.each([
    ["/inner", "/"],
    ["/inner/", "/"],
    ["/inner/a", "/a"],
    ["/inner/a/b/", "/a/b/"],
    ["/inner//a", "//a"],
    ["/inner/a//", "/a//"],
    ["/inner/a%2Fb", "/a%2Fb"],
    ["/inner/a%3Fb%23c", "/a%3Fb%23c"],
    ["/inner/a,b:c@d", "/a,b:c@d"],
    ["/inner/%C3%A9%25", "/%C3%A9%25"],
    ["/%69nner/a", "/a"],
    ["/inner/a?q=%20&q=/inner/b", "/a?q=%20&q=/inner/b"],
    ["/x/../inner/a", "/a"],
    ["/inner/b/../a", "/a"],
    ["/inner/.b/y/../admin/z", "/.b/admin/z"],
  ])("makes of %s %s", async (path, expected) => {
    expect(await textOf(mounting("/inner/:path*", echo, stripped).request(path))).toBe(`GET ${expected}`);
  });

  it("strips params in the prefix, and the prefixes of groups", async () => {
    const Inner = mount(["/of/:tenant/v:version/:rest+"], echo, stripped);
    const group = ResourceGroup.builder().resources(Inner).prefix("/api/:region").build();
    const app = Application.builder().resources(group).build();
    expect(await textOf(app.request("/api/eu/of/7/v1/a/b?c"))).toBe("GET /a/b?c");
  });

  it("answers 400 to a path that cannot be decoded", async () => {
    expect((await mounting("/inner/:path*", echo, stripped).request("/inner/%ff")).status).toBe(400);
  });

  it("keeps method, fields, signal and content", async () => {
    const seen: Request[] = [];
    const app = mounting(
      "/inner/:path*",
      async (request) => {
        seen.push(request);
        return new Response(await request.text());
      },
      stripped,
    );
    const abort = new AbortController();
    const init = { method: "PUT", headers: { "x-id": "7" }, body: "content", signal: abort.signal };
    expect(await textOf(app.fetch(new Request("http://localhost/inner/a", init)))).toBe("content");
    expect([seen[0]!.method, seen[0]!.headers.get("x-id"), seen[0]!.signal.aborted]).toEqual(["PUT", "7", false]);
    abort.abort();
    expect(seen[0]!.signal.aborted).toBe(true);
  });

  it("lets content through as it comes, either way", async () => {
    const app = mounting("/inner/:path*", (request) => new Response(request.body), stripped);
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls++;
          controller.enqueue(new Uint8Array([pulls]));
          if (pulls === 1000) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const reader = (await app.request("/inner", { method: "POST", body })).body!.getReader();
    expect((await reader.read()).value).toEqual(new Uint8Array([1]));
    expect(pulls).toBeLessThan(10);
    await reader.cancel();
  });

  it("works after middleware that replaces the content", async () => {
    const app = Application.builder()
      .resources(mount(["/inner/:path*"], async (request) => new Response(await request.text()), stripped))
      .middleware(bodyLimit({ maxBytes: 5 }))
      .build();
    expect(await textOf(app.request("/inner", { method: "POST", body: "abc" }))).toBe("abc");
    expect((await app.request("/inner", { method: "POST", body: "abcdef" })).status).toBe(413);
  });

  it("works with the requests of a server", async () => {
    const app = mounting(
      "/inner/:path*",
      async (request) => new Response(`${new URL(request.url).pathname} ${await request.text()}`),
      stripped,
    );
    const stop = new AbortController();
    const port = await freePort();
    await serve(app, { port: Number(port), signal: stop.signal });
    onTestFinished(() => stop.abort());
    const answer = await fetch(`http://localhost:${port}/inner/a`, { method: "POST", body: "content" });
    expect(await answer.text()).toBe("/a content");
  });

  /** A mounted application, whose middleware passes on another request. */
  function copying(answer: FetchHandler): FetchHandler {
    class Copy extends Middleware {
      override ALL(request: Request): Response | Promise<Response> {
        return this.next(request, new Request(request));
      }
    }
    class Item extends Resource {
      override paths = ["/a"];
      override GET(request: Request): Response | Promise<Response> {
        return answer(request);
      }
    }
    return Application.builder().resources(Item).middleware(Copy).build().fetch;
  }

  const within: [string, (answer: FetchHandler) => FetchHandler][] = [
    ["a function", (answer) => answer],
    ["an application with middleware that replaces requests", copying],
    ["a mounted function", (answer) => mounting("/:path*", answer, stripped).fetch],
  ];

  it.each(within)("ends events when the server stops, in %s", async (_name, mounted) => {
    const signals: AbortSignal[] = [];
    const app = mounting(
      "/inner/:path*",
      mounted((request) => {
        signals.push(stoppingSignalOf(request));
        return eventStream(request, async function* (signal) {
          yield { data: "first" };
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        });
      }),
      stripped,
    );
    const stop = new AbortController();
    const port = await freePort();
    const server = await serve(app, { port: Number(port), signal: stop.signal, graceMs: 3000 });
    const closed = new Promise((resolve) => server.once("close", resolve));
    const answer = await fetch(`http://localhost:${port}/inner/a`);
    stop.abort();
    expect(await answer.text()).toContain("data: first");
    expect(signals[0]!.aborted).toBe(true);
    await closed;
  });

  it.each(within)("C5.6 has the attributes of the request that came in, in %s", async (_name, mounted) => {
    const user = new Attribute<string>("user");
    const app = mounting(
      "/inner/:path*",
      mounted((request) => new Response(user.find(request) ?? "nobody")),
      stripped,
    );
    const request = new Request("http://localhost/inner/a");
    user.set(request, "Ada");
    expect(await textOf(app.fetch(request))).toBe("Ada");
  });

  it.each(["/inner", "/inner/*", "/inner/:path", "/inner/(.*)"])("refuses %s, which has no rest to keep", (path) => {
    expect(() => mount([path], echo, stripped)).toThrow(
      'Cannot strip the prefix of a path of mount(): expected a pattern that ends in "/:path*" or "/:path+", got ' +
        `"${path}"`,
    );
  });

  it("C3.7 refuses other paths of a subclass when the application is built", () => {
    class Legacy extends mount(["/inner/:path*"], echo, stripped) {
      override paths = ["/legacy"];
    }
    expect(() => Application.builder().resources(Legacy).build()).toThrow(
      'Cannot strip the prefix of a path of Legacy: expected a pattern that ends in "/:path*" or "/:path+", got ' +
        '"/legacy"',
    );
    class Whole extends mount(["/inner/:path*"], echo) {
      override paths = ["/legacy"];
    }
    expect(Application.builder().resources(Whole).build().resources[0]!.patterns[0]!.source).toBe("/legacy");
  });
});
