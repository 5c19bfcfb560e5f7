import { createHook } from "node:async_hooks";
import * as native from "fingerpost/modules/http.native.js";
import { ResourceGroup } from "fingerpost/modules/http.native.js";
import { Middleware } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, vi } from "vitest";
import { ask, chains, rejectionOf, statusOf, thrownBy, type Handled } from "../support/chains.ts";

/** The number of promises created from the call of `run` until what it returns is settled. */
async function promisesOf(run: () => Promise<unknown>): Promise<number> {
  const there = Promise.resolve();
  // Whoever waits for this function does so now, and not while promises are counted.
  await there;
  // What counting itself creates.
  const own = await count(() => there);
  return (await count(run)) - own;
}

async function count(run: () => Promise<unknown>): Promise<number> {
  let promises = 0;
  const hook = createHook({ init: (_id, type) => void (promises += type === "PROMISE" ? 1 : 0) });
  hook.enable();
  await run().then(() => hook.disable());
  return promises;
}

describe.each(chains)("$name", (chain) => {
  const { Application, Resource, inputOf } = chain;
  const get = (path = "/") => inputOf("GET", path);

  class Home extends Resource {
    paths = ["/"];
    GET(_input: unknown): unknown {
      return "home";
    }
  }
  class User extends Resource {
    paths = ["/users/:id"];
    GET({ params }: Handled): unknown {
      return params.pathParam("id");
    }
  }

  const answering = (GET: (input: Handled) => unknown) => {
    class Answer extends Resource {
      paths = ["/answer"];
      GET(input: Handled): unknown {
        return GET(input);
      }
    }
    return Application.builder().resources(Answer).build();
  };

  describe("builder()", () => {
    it("C2.1 takes resource classes and groups", async () => {
      const group = ResourceGroup.builder().resources(User).prefix("/api").build();
      const app = Application.builder().resources(Home, group).build();
      expect(await app.handle(get("/"))).toBe("home");
      expect(await app.handle(get("/api/users/7"))).toBe("7");
    });

    it("C2.1 adds up what several calls of resources() are given", async () => {
      const app = Application.builder().resources(Home).resources().resources(User).build();
      expect(await app.handle(get("/"))).toBe("home");
      expect(await app.handle(get("/users/7"))).toBe("7");
    });

    it("C2.1 flattens arrays", async () => {
      const app = Application.builder()
        .resources([Home, [[User]], []])
        .build();
      expect(await app.handle(get("/users/7"))).toBe("7");
    });

    it("C2.1 constructs every resource once, and not before build()", async () => {
      const construct = vi.fn();
      class Counted extends Resource {
        paths = ["/a", "/b/:id?"];
        constructor() {
          super();
          construct();
        }
        GET(_input: unknown): unknown {
          return this;
        }
      }
      const builder = Application.builder().resources(Counted, Counted);
      expect(construct).toHaveBeenCalledTimes(0);
      const app = builder.build();
      expect(await app.handle(get("/a"))).toBe(await app.handle(get("/b/1")));
      expect(construct).toHaveBeenCalledTimes(1);
    });

    it("C2.1 reads paths once and copies it", async () => {
      const read = vi.fn();
      const paths = ["/a"];
      class Counted extends Resource {
        constructor() {
          super();
          Object.defineProperty(this, "paths", { get: () => (read(), paths) });
        }
        GET(_input: unknown): unknown {
          return "a";
        }
      }
      const app = Application.builder().resources(Counted).build();
      paths[0] = "/b";
      paths.push("/c");
      expect(await statusOf(app.handle(get("/a")))).toBe("a");
      expect(await statusOf(app.handle(get("/b")))).toBe(404);
      expect(await statusOf(app.handle(get("/c")))).toBe(404);
      expect(read).toHaveBeenCalledTimes(1);
    });

    it("C2.1 gives two independent applications when built twice", async () => {
      class Self extends Resource {
        paths = ["/self"];
        GET(_input: unknown): unknown {
          return this;
        }
      }
      const builder = Application.builder().resources(Self);
      const first = builder.build();
      const second = builder.resources(Home).build();
      expect(await first.handle(get("/self"))).not.toBe(await second.handle(get("/self")));
      expect(await statusOf(first.handle(get("/")))).toBe(404);
      expect(await statusOf(second.handle(get("/")))).toBe("home");
    });

    it("C2.1 answers 404 to everything without resources", async () => {
      const app = Application.builder().build();
      expect(await statusOf(app.handle(get("/")))).toBe(404);
      expect(await statusOf(app.handle(inputOf("PURGE", "/users/7")))).toBe(404);
    });

    it("C2.6 lets the host construct resources", async () => {
      class Greeting extends Resource {
        paths = ["/"];
        readonly greeting: string;
        constructor(greeting: string) {
          super();
          this.greeting = greeting;
        }
        GET(_input: unknown): unknown {
          return this.greeting;
        }
      }
      const app = Application.builder()
        .resources(Greeting)
        .instantiate((Class) => new Class(...(["hello"] as never[])))
        .build();
      expect(await app.handle(get())).toBe("hello");
    });

    it("C2.6 calls instantiate() once for each class, and refuses what is no instance", () => {
      const instantiate = vi.fn((Class: new () => InstanceType<typeof Resource>) => new Class());
      Application.builder().resources(Home, User, Home).instantiate(instantiate).build();
      expect(instantiate.mock.calls).toEqual([[Home], [User]]);

      const builder = Application.builder()
        .resources(Home)
        .instantiate(() => ({}) as never);
      const error = thrownBy(() => builder.build());
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe("Cannot add Home to the application: expected an instance of it, got an object");
    });

    it("C2.7 makes the slash at the end significant with trailingSlash(strict)", async () => {
      const app = Application.builder().resources(User).trailingSlash("strict").build();
      expect([app.trailingSlash, Application.builder().build().trailingSlash]).toEqual(["strict", "ignore"]);
      expect(await statusOf(app.handle(get("/users/7")))).toBe("7");
      expect(await statusOf(app.handle(get("/users/7/")))).toBe(404);
    });

    it("C2.7 has no other options", () => {
      const names = new Set<string>();
      for (
        let level: object = Application.builder();
        level !== Object.prototype;
        level = Object.getPrototypeOf(level)
      ) {
        for (const name of Object.getOwnPropertyNames(level)) names.add(name);
      }
      const shared = ["build", "constructor", "instantiate", "middleware", "problems", "resources", "trailingSlash"];
      const own = chain.name === "http.native.js" ? ["onError"] : [];
      expect([...names].toSorted()).toEqual([...shared, ...own].toSorted());
    });
  });

  describe("handle()", () => {
    it("C2.2 returns a Promise and never throws synchronously", async () => {
      const app = answering(() => {
        throw new Error("no");
      });
      const hostile = [get("/answer"), get("/nothing"), null, undefined, 5, {}, { url: 5 }, { url: "/" }];
      for (const input of hostile) {
        const promise = app.handle(input);
        expect(promise).toBeInstanceOf(Promise);
        expect(await rejectionOf(promise)).toBeInstanceOf(Error);
      }
    });

    it("C2.2 fulfills with exactly what the handler returned or resolved to", async () => {
      for (const value of [undefined, null, 0, "", false, Number.NaN, {}, [], Symbol("x"), new Response(), () => 1]) {
        expect(await answering(() => value).handle(get("/answer"))).toBe(value);
        expect(await answering(async () => value).handle(get("/answer"))).toBe(value);
      }
    });

    it("C2.2 rejects with exactly what the handler threw", async () => {
      for (const value of [undefined, null, 0, "text", Object.freeze({}), new Error("x"), Symbol("x")]) {
        const throwing = answering(() => {
          throw value;
        });
        const rejecting = answering(() => Promise.reject(value));
        expect(await rejectionOf(throwing.handle(get("/answer")))).toBe(value);
        expect(await rejectionOf(rejecting.handle(get("/answer")))).toBe(value);
      }
    });

    it("C2.3 adds params to an input whose class has a getter of that name, as Bun's routes have", async () => {
      class Routed {
        readonly url = "http://localhost/users/7";
        readonly method = "GET";
        get params(): object {
          return { of: "the class" };
        }
      }
      const input: unknown = new Routed();
      expect(
        await Application.builder()
          .resources(User)
          .build()
          .handle(input as never),
      ).toBe("7");
    });

    it("C2.3 takes a Request", async () => {
      const app = Application.builder().resources(User).build();
      expect(await app.handle(new Request("https://example.com/users/7"))).toBe("7");
    });

    it("C2.3 takes any object with strings url and method", async () => {
      const app = Application.builder().resources(User).build();
      class Exchange {
        get url(): string {
          return "/users/7";
        }
        readonly method = "GET";
      }
      const bare = Object.assign(Object.create(null), { url: "/users/8", method: "GET" });
      const callable = Object.assign(() => {}, { url: "/users/9", method: "GET" });
      const inputs = [new Exchange(), bare, new Proxy({ url: "/users/0", method: "GET" }, {}), callable];
      expect(await Promise.all(inputs.map((input) => app.handle(input)))).toEqual(["7", "8", "0", "9"]);

      class Pass extends Middleware {
        ALL(input: unknown): unknown {
          return this.next(input);
        }
      }
      const wrapped = Application.builder().resources(User).middleware(Pass).build();
      expect(await Promise.all(inputs.map((input) => wrapped.handle(input)))).toEqual(["7", "8", "0", "9"]);
    });

    it("C2.3 passes the same object to the handler", async () => {
      const app = answering((input) => input);
      const input = get("/answer");
      const request = new Request("http://localhost/answer");
      expect(await app.handle(input)).toBe(input);
      expect(await app.handle(request)).toBe(request);
    });

    it("C2.3 adds nothing but params", async () => {
      const input = { url: "/answer", method: "GET", other: 1 };
      const before = Object.getOwnPropertyDescriptors(input);
      await answering(() => 1).handle(input);
      const { params, ...after } = Object.getOwnPropertyDescriptors(input as Handled & typeof input);
      expect(after).toEqual(before);
      expect(params.value?.pattern).toBe("/answer");
    });

    it("C2.3 reads url and method once each, whatever becomes of the input", async () => {
      class Pass extends Middleware {
        ALL(input: unknown): unknown {
          return this.next(input);
        }
      }
      const group = ResourceGroup.builder().resources(User).middleware(Pass).build();
      const plain = Application.builder().resources(Home, group).build();
      const wrapped = Application.builder().resources(Home, group).middleware(Pass).build();
      const requests = [
        ["GET", "/"],
        ["GET", "/users/7?a=1"],
        ["GET", "/users/%37/"],
        ["POST", "/"],
        ["PURGE", "/"],
        ["GET", "/nothing"],
        ["GET", "http://h:99999/"],
        ["GET", `/${"x".repeat(9000)}`],
      ] as const;
      for (const app of [plain, wrapped]) {
        for (const [method, url] of requests) {
          const read: string[] = [];
          const input = {
            get url() {
              read.push("url");
              return url;
            },
            get method() {
              read.push("method");
              return method;
            },
          };
          await statusOf(app.handle(input));
          expect(read.toSorted(), `${method} ${url.slice(0, 40)}`).toEqual(["method", "url"]);
        }
      }
    });

    it("C2.3 handles the same input again, by the same and by another application", async () => {
      class Item extends Resource {
        paths = ["/:kind/:number"];
        GET({ params }: Handled): unknown {
          return params.pathParam("number");
        }
      }
      const users = Application.builder().resources(User).build();
      const items = Application.builder().resources(Item).build();
      const input = get("/users/7");
      expect(await users.handle(input)).toBe("7");
      expect(await users.handle(input)).toBe("7");
      expect(await items.handle(input)).toBe("7");
      expect(input.params.pattern).toBe("/:kind/:number");
      expect(await users.handle(input)).toBe("7");
      expect(input.params.pattern).toBe("/users/:id");
    });

    it("C2.3 handles the same input concurrently: the later call replaces params", async () => {
      class Item extends Resource {
        paths = ["/:kind/:number"];
        async GET(input: Handled): Promise<unknown> {
          const first = input.params;
          await Promise.resolve();
          return [first.pattern, input.params.pattern];
        }
      }
      class Slow extends Resource {
        paths = ["/users/:id"];
        async GET(input: Handled): Promise<unknown> {
          const first = input.params;
          await Promise.resolve();
          return [first.pattern, input.params.pattern];
        }
      }
      const input = get("/users/7");
      const [one, two] = await Promise.all([
        Application.builder().resources(Slow).build().handle(input),
        Application.builder().resources(Item).build().handle(input),
      ]);
      expect(one).toEqual(["/users/:id", "/:kind/:number"]);
      expect(two).toEqual(["/:kind/:number", "/:kind/:number"]);
    });

    it("C2.3 keeps the params of 1,000 concurrent requests apart", async () => {
      class Slow extends Resource {
        paths = ["/:a/:b", "/n/(\\d+)"];
        async GET({ params }: Handled): Promise<unknown> {
          await new Promise((resolve) => setTimeout(resolve));
          return [params.pathParam("a"), params.pathParam("b"), params.pathParam("0"), params.queryParam("q")];
        }
      }
      const request = ask(chain, Slow);
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, i) => request("GET", i % 2 ? `/n/${i}?q=${i}` : `/x${i}/y${i}?q=${i}`)),
      );
      for (const [i, answer] of answers.entries()) {
        expect(answer).toEqual(i % 2 ? [undefined, undefined, `${i}`, `${i}`] : [`x${i}`, `y${i}`, undefined, `${i}`]);
      }
    });

    it("C2.4 is bound", async () => {
      const { handle } = Application.builder().resources(User).build();
      expect(await handle(get("/users/7"))).toBe("7");
    });

    it("C2.4 has one async boundary: at most 2 promises for a synchronous handler", async () => {
      class Pass extends Middleware {
        ALL(input: unknown): unknown {
          return this.next(input);
        }
      }
      const group = ResourceGroup.builder().resources(User).middleware(Pass, Pass).build();
      const plain = Application.builder().resources(Home, User).build();
      const wrapped = Application.builder().resources(Home, group).middleware(Pass).build();
      for (const app of [plain, wrapped]) {
        for (const path of ["/", "/users/7", "/users/%37/?a=1"]) {
          const input = get(path);
          // Node loads its Request when it is first looked up, which takes promises of its own.
          await app.handle(input);
          expect(await promisesOf(() => app.handle(input)), path).toBeLessThanOrEqual(2);
        }
      }
      expect(await promisesOf(async () => 1)).toBe(1);
      expect(await promisesOf(async () => Promise.all([1, 2]))).toBeGreaterThan(2);
    });

    it("C2.4 takes one promise: the handler's own if it is async, or one for what it returned or threw", async () => {
      class Slow extends Resource {
        paths = ["/slow"];
        async GET(_input: unknown): Promise<unknown> {
          return "slow";
        }
      }
      const app = Application.builder().resources(Home, Slow).build();
      for (const path of ["/", "/slow"]) {
        const input = get(path);
        await app.handle(input);
        expect(await promisesOf(() => app.handle(input)), path).toBe(1);
      }
      for (const input of [get("/nothing"), inputOf("PUT", "/"), inputOf("FETCH", "/")]) {
        const caught = (): Promise<unknown> => app.handle(input).then(null, () => null);
        await caught();
        // One of the two is what then() makes.
        expect(await promisesOf(caught), input.url).toBe(2);
      }
    });

    it("C2.4 calls a synchronous handler before handle() returns", () => {
      const call = vi.fn();
      void answering(call).handle(get("/answer"));
      expect(call).toHaveBeenCalledTimes(1);
    });
  });

  describe("middleware()", () => {
    it("C2.5 wraps the whole application: sees every input, those that end in an error too", async () => {
      const seen: unknown[] = [];
      class Log extends Middleware {
        ALL(input: Handled): unknown {
          seen.push(input);
          return this.next(input);
        }
      }
      const app = Application.builder().resources(Home, User).middleware(Log).build();
      const expected: readonly (readonly [Handled, unknown])[] = [
        [get("/"), "home"],
        [get("/users/7"), "7"],
        [get("/nothing"), 404],
        [inputOf("POST", "/"), 501],
        [inputOf("PURGE", "/"), 501],
        [inputOf("PURGE", "/nothing"), 404],
        [inputOf("GET", "*"), 404],
        [inputOf("GET", "http://h:99999/"), 400],
        [get(`/${"x".repeat(9000)}`), 414],
      ];
      for (const [input, outcome] of expected) expect(await statusOf(app.handle(input))).toBe(outcome);
      expect(seen).toEqual(expected.map(([input]) => input));
    });

    it("C2.5 gets a failed match from next(), and may answer instead", async () => {
      class Fallback extends Middleware {
        async ALL(input: unknown): Promise<unknown> {
          try {
            return await this.next(input);
          } catch (error) {
            return (error as native.HTTPError).status;
          }
        }
      }
      const app = Application.builder().resources(Home).middleware(Fallback).build();
      expect(await app.handle(get("/nothing"))).toBe(404);
      expect(await app.handle(inputOf("PURGE", "/"))).toBe(501);
    });

    it("C2.5 has the first outermost, in one instance for the application", async () => {
      const order: string[] = [];
      const construct = vi.fn();
      const named = (name: string) =>
        class extends Middleware {
          constructor() {
            super();
            construct();
          }
          ALL(input: unknown): unknown {
            order.push(name);
            return this.next(input);
          }
        };
      const app = Application.builder()
        .resources(Home, User)
        .middleware(named("a"), named("b"))
        .middleware(named("c"))
        .build();
      expect(construct).toHaveBeenCalledTimes(3);
      await app.handle(get("/"));
      await app.handle(get("/users/7"));
      expect(order).toEqual(["a", "b", "c", "a", "b", "c"]);
      expect(construct).toHaveBeenCalledTimes(3);
    });
  });

  describe("resources", () => {
    class Pass extends Middleware {}
    class Named extends Middleware {}
    class Reader extends Resource {
      HEAD(_input: unknown): unknown {
        return 0;
      }
    }
    class Book extends Reader {
      paths = ["/books/:id(\\d+)?", "/book"];
      PUT = (): unknown => 0;
      GET(_input: unknown): unknown {
        return 0;
      }
    }
    const group = ResourceGroup.builder().resources(Book).prefix("/v1", "/v2").middleware(Pass, Named).build();
    const app = Application.builder().resources(Home, group).build();

    it("C2.9 models each resource: name, class, parsed patterns, methods, middleware", () => {
      const [home, book, ...others] = app.resources;
      expect(others).toEqual([]);
      expect([home!.Class, book!.Class]).toEqual([Home, Book]);
      expect(home).toMatchObject({ name: "Home", methods: ["GET"], middleware: [] });
      expect(book).toMatchObject({ name: "Book", methods: ["GET", "HEAD", "PUT"], middleware: ["Pass", "Named"] });
      expect(book!.patterns.map(({ source }) => source).toSorted()).toEqual([
        "/v1/book",
        "/v1/books/:id(\\d+)?",
        "/v2/book",
        "/v2/books/:id(\\d+)?",
      ]);
      const parsed = book!.patterns.find(({ source }) => source.startsWith("/v1/books"))!;
      expect(parsed.segments.map(({ kind }) => kind)).toEqual(["static", "static", "constrained"]);
      expect(parsed.segments[2]).toMatchObject({ isOptional: true, pieces: [{ name: "id", expression: "\\d+" }] });
      expect(parsed.names).toEqual(["id"]);
    });

    it("C2.9 is frozen throughout", () => {
      const visit = (value: unknown): void => {
        if (typeof value !== "object" || value === null) return;
        expect(Object.isFrozen(value)).toBe(true);
        Object.values(value).forEach(visit);
      };
      visit(app.resources);
      expect(() => Object.assign(app, { resources: [] })).toThrow(TypeError);
    });
  });

  describe("match()", () => {
    const run = vi.fn();
    class Pass extends Middleware {
      ALL(input: unknown): unknown {
        run();
        return this.next(input);
      }
    }
    class Book extends Resource {
      paths = ["/books/:id/:page?"];
      GET(_input: unknown): unknown {
        return run();
      }
    }
    const group = ResourceGroup.builder().resources(Book).middleware(Pass).build();
    const app = Application.builder().resources(group).middleware(Pass).build();

    it("C2.9 says which resource, pattern and params a request has", () => {
      const decision = app.match({ method: "GET", url: "https://h/books/a%20b?q=1" });
      expect(decision).toMatchObject({
        matched: true,
        resource: { name: "Book" },
        pattern: { source: "/books/:id/:page?" },
        params: { id: "a b" },
      });
      expect(decision.resource).toBe(app.resources[0]);
    });

    it.each([
      [404, "a path of no pattern", "GET", "/nothing"],
      [404, "no path", "GET", "*"],
      [501, "a method without a handler", "POST", "/books/7"],
      [501, "a method that is none", "PURGE", "/books/7"],
      [404, "such a method on such a path", "PURGE", "/nothing"],
      [414, "a long path", "GET", `/${"x".repeat(9000)}`],
      [400, "a URL that is none", "GET", "http://h:99999/"],
      [400, "half an escape", "GET", "/books/%ff"],
    ])("C2.9 says why there is none: %i for %s", (status, _name, method, url) => {
      expect(app.match({ method, url })).toMatchObject({
        matched: false,
        status: { status },
        reason: expect.stringMatching(/./),
      });
    });

    it("C2.9 runs nothing and adds nothing", () => {
      const input = { method: "GET", url: "/books/7" };
      app.match(input);
      expect(run).not.toHaveBeenCalled();
      expect(input).toEqual({ method: "GET", url: "/books/7" });
    });
  });
});

const request = (path: string, method = "GET") => new Request(`http://localhost${path}`, { method });

describe("fetch()", () => {
  class Answer extends native.Resource {
    paths = ["/:what"];
    GET({ params }: Handled): Response {
      if (params.pathParam("what") === "error") throw new Error("secret");
      if (params.pathParam("what") === "string") throw "secret";
      if (params.pathParam("what") === "teapot") throw new native.HTTPError(native.Status.Conflict, "Taken");
      if (params.pathParam("what") === "nothing") return undefined as never;
      return new Response("fine");
    }
  }
  const builder = (onError: native.OnError = () => {}) =>
    native.Application.builder().resources(Answer).onError(onError);

  it("C2.8 is of the native chain only", () => {
    expect(chains.map(({ Application }) => "fetch" in Application.builder().build())).toEqual([true, false]);
    expect(chains.map(({ Application }) => "onError" in Application.builder())).toEqual([true, false]);
  });

  it("C2.8 fulfills with the response of the handler", async () => {
    const response = await builder().build().fetch(request("/x"));
    expect([response.status, await response.text()]).toEqual([200, "fine"]);
  });

  it.each([
    ["an error", 500, request("/error")],
    ["a string that is thrown", 500, request("/string")],
    ["nothing", 500, request("/nothing")],
    ["an HTTPError", 409, request("/teapot")],
    ["no resource", 404, request("/a/b")],
    ["no handler", 501, request("/x", "POST")],
    ["no request", 500, null],
    ["no URL", 400, { url: "http://h:99999/", method: "GET" }],
  ])("C2.8 never rejects and always fulfills with a Response: %s is %i", async (_name, status, input) => {
    expect(
      (
        await builder()
          .build()
          .fetch(input as Request)
      ).status,
    ).toBe(status);
  });

  it("C2.8 ignores what a runtime passes behind the request", async () => {
    const app = builder().build();
    expect((await app.fetch(request("/x"), { env: 1 }, { waitUntil() {} })).status).toBe(200);
  });

  it("C2.8 is bound", async () => {
    const { fetch } = builder().build();
    expect((await fetch(request("/x"))).status).toBe(200);
  });

  it("C2.8 waits in settled() for nothing where nothing works late", async () => {
    expect(await native.Application.builder().build().settled()).toBeUndefined();
  });

  it("C2.8 lets onError() observe every error", async () => {
    const observe = vi.fn();
    const app = builder(observe).build();
    const inputs = [request("/error"), request("/string"), request("/teapot"), request("/a/b"), request("/x", "POST")];
    for (const input of inputs) await app.fetch(input);
    expect(observe.mock.calls.map(([, input]) => input)).toEqual(inputs);
    expect(
      observe.mock.calls.map(([error]) => (error instanceof native.HTTPError ? error.status : String(error))),
    ).toEqual(["Error: secret", "secret", 409, 404, 501]);
    await app.fetch(request("/x"));
    expect(observe).toHaveBeenCalledTimes(inputs.length);
  });

  it("C2.8 lets onError() answer an error", async () => {
    const app = builder((error) =>
      error instanceof native.HTTPError ? undefined : new Response("sorry", { status: 503 }),
    ).build();
    const response = await app.fetch(request("/error"));
    expect([response.status, await response.text()]).toEqual([503, "sorry"]);
    expect((await app.fetch(request("/teapot"))).status).toBe(409);
  });

  it.each([
    ["undefined", undefined],
    ["null", null],
    ["an object", {}],
    ['"log"', "log"],
  ])("C2.8 refuses anything but a function in onError(): %s", (shown, value) => {
    const error = new TypeError(`Cannot observe errors: expected a function, got ${shown}`);
    expect(thrownBy(() => native.Application.builder().onError(value as never))).toEqual(error);
  });

  it("C2.8 answers even when onError() fails", async () => {
    const console = vi.spyOn(globalThis.console, "error").mockImplementation(() => {});
    const app = builder(() => {
      throw new Error("observer");
    }).build();
    expect((await app.fetch(request("/error"))).status).toBe(500);
    expect(console.mock.calls.map(([error]) => (error as Error).message)).toEqual(["secret", "observer"]);
    console.mockRestore();
  });
});
