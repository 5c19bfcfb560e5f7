import { allowedMethods } from "fingerpost/middleware/allowed-methods";
import * as native from "fingerpost/modules/http.native.js";
import { Attribute, HTTPError, ResourceGroup, Status, type MiddlewareClass } from "fingerpost/modules/http.native.js";
import { Middleware } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { chains, rejectionOf, statusOf, thrownBy, type Chain, type Handled } from "../support/chains.ts";

/** Lets everything else have its turn; the sockets of `support/` are not there on every runtime. */
const turn = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

class Pass extends Middleware {
  ALL(input: unknown): unknown {
    return this.next(input);
  }
}

/** A middleware class that puts its name in front of what it passes on. */
function mark(name: string): MiddlewareClass {
  return class extends Middleware {
    ALL(input: unknown): unknown {
      return `${name} ${String(this.next(input))}`;
    }
  };
}

/** Every way of hanging a guard on resources below /admin; each gives the target that leads to them. */
const attachments: readonly (readonly [
  string,
  (chain: Chain, Guard: MiddlewareClass, Class: never) => ReturnType<typeof appOf>,
])[] = [
  ["a group", (chain, Guard, Class) => appOf(chain, group([Class], Guard).prefix("/admin"))],
  [
    "a group without a prefix",
    (chain, Guard, Class) => appOf(chain, group([group([Class]).prefix("/admin").build()], Guard)),
  ],
  [
    "the innermost of three groups",
    (chain, Guard, Class) =>
      appOf(
        chain,
        group(
          [
            group([group([Class], Guard).prefix("/").build()], Pass)
              .prefix("/")
              .build(),
          ],
          Pass,
        ).prefix("/admin"),
      ),
  ],
  [
    "the outermost of three groups",
    (chain, Guard, Class) =>
      appOf(chain, group([group([group([Class], Pass).build()], Pass).build()], Guard).prefix("/admin")),
  ],
  [
    "a group of an application with middleware",
    (chain, Guard, Class) => appOf(chain, group([Class], Guard).prefix("/admin"), Pass),
  ],
  ["the class itself", (chain, Guard, Class) => appOf(chain, group([naming(Class, Guard)]).prefix("/admin"), Pass)],
  [
    "a base class",
    (chain, Guard, Class) => appOf(chain, group([naming(naming(Class, Guard), Pass)], Pass).prefix("/admin")),
  ],
];

/** A subclass that names its own middleware. */
function naming(Class: new () => object, Guard: MiddlewareClass): never {
  return class extends Class {
    static middleware = [Guard];
  } as never;
}

function group(members: readonly (ResourceGroup | never)[], ...middleware: MiddlewareClass[]) {
  return ResourceGroup.builder()
    .resources(...members)
    .middleware(...middleware);
}

function appOf(chain: Chain, builder: ReturnType<typeof group>, ...middleware: MiddlewareClass[]) {
  return chain.Application.builder()
    .resources(builder.build())
    .middleware(...middleware)
    .build();
}

/** Targets that some system or other takes for /admin, or for something below it. */
const targets =
  "/ /admin /admin/ /admin// //admin ///admin /%61dmin /%61%64%6d%69%6e /ADMIN /Admin /admin; /admin;x /admin;x=1/a " +
  "/./admin /admin/. " +
  "/x/../admin /%2e/admin /x/%2e%2e/admin /..;/admin /admin/..;/a /admin%2F /admin%2Fa /admin%2fa /admin%5Ca " +
  "/admin%00 /admin%20 /admin%0a " +
  "/admin? /admin?x /admin# /admin#x /admin/?x /admin/a /admin/a/ /admin//a /admin/a//b /admin/%2e%2e/admin/a " +
  "/admin/../admin /admin/.. " +
  "/administrator /admin.json /admi /adminx/a /%2561dmin /%25%36%31dmin /%%36%31dmin /admin/%61 /admin/%2561 " +
  "/admin/a%2Fb /admin/constructor " +
  "/admin/__proto__ /admin/%ff /admin/% \\admin /\\admin /admin\\a //h/admin http://h/admin http://h//admin " +
  "http://admin/ http://h/x?/admin " +
  "http://h/x#/admin http://h:80/admin/a http://u:p@h/admin HTTP://H/admin http://h\\admin http://h/%61dmin " +
  "https://h/admin/ ftp://h/admin " +
  "http:///admin http:admin * admin h:80 http://[::1/admin http://h:99999/admin /admin/1 /admin/1/ /admin/item/7 " +
  "/admin/item/7/ /admin/item " +
  "/admin/item//7 /admin/item/%37 /admin/ITEM/7 /item/7 /a /1";
const methods = ["GET", "PUT", "POST", "HEAD", "get", "PURGE", "ALL", "constructor"];

describe.each(chains)("$name", (chain) => {
  const { Application, Resource, inputOf } = chain;
  const get = (target: string) => inputOf("GET", target);

  /** A resource at `path` that answers what `answer` does. */
  const resource = (path: string, answer: (input: Handled) => unknown) =>
    class Item extends Resource {
      paths = [path];
      GET(input: Handled): unknown {
        return answer(input);
      }
      POST = (input: Handled): unknown => answer(input);
    };

  describe("Middleware", () => {
    class Item extends Resource {
      paths = ["/item"];
      GET(_input: unknown): unknown {
        return "GET";
      }
      PUT(_input: unknown): unknown {
        return "PUT";
      }
      POST(_input: unknown): unknown {
        return "POST";
      }
    }

    it("C5.1 passes ALL every method of the nine", async () => {
      const app = appOf(chain, group([Item as never], mark("ALL")));
      expect(await app.handle(inputOf("GET", "/item"))).toBe("ALL GET");
      expect(await app.handle(inputOf("PUT", "/item"))).toBe("ALL PUT");
      expect(await statusOf(app.handle(inputOf("DELETE", "/item")))).toBe(501);
    });

    it("C5.1 prefers a single method to ALL; what is not implemented passes through", async () => {
      class Both extends Middleware {
        ALL(input: unknown): unknown {
          return `all ${String(this.next(input))}`;
        }
        PUT = (input: unknown): unknown => `put ${String(this.next(input))}`;
      }
      class OnlyPut extends Middleware {
        PUT(input: unknown): unknown {
          return `only ${String(this.next(input))}`;
        }
      }
      const app = appOf(chain, group([Item as never], Both, OnlyPut));
      expect(await app.handle(inputOf("GET", "/item"))).toBe("all GET");
      expect(await app.handle(inputOf("PUT", "/item"))).toBe("put only PUT");
      expect(await app.handle(inputOf("POST", "/item"))).toBe("all POST");
    });

    it("C5.1 returns from next() the result of what it wraps, sync or Promise", async () => {
      const results: unknown[] = [];
      class Look extends Middleware {
        ALL(input: unknown): unknown {
          const result = this.next(input);
          results.push(result);
          return result;
        }
      }
      const value = {};
      const app = appOf(
        chain,
        group([resource("/sync", () => value), resource("/async", async () => value)] as never[], Look),
      );
      expect(await app.handle(get("/sync"))).toBe(value);
      expect(await app.handle(get("/async"))).toBe(value);
      expect(results[0]).toBe(value);
      expect(results[1]).toBeInstanceOf(Promise);
    });

    it("C5.1 may answer without next(), and sees what was thrown", async () => {
      class Short extends Middleware {
        ALL(input: Handled): unknown {
          if (input.params.queryParam("short") !== undefined) return "short";
          try {
            return this.next(input);
          } catch (error) {
            return `caught ${String(error)}`;
          }
        }
      }
      const run = vi.fn(() => {
        throw "thrown";
      });
      const app = appOf(chain, group([resource("/", run) as never], Short));
      expect(await app.handle(get("/?short"))).toBe("short");
      expect(run).not.toHaveBeenCalled();
      expect(await app.handle(get("/"))).toBe("caught thrown");
    });

    it("C5.1 refuses at build() what is no middleware", () => {
      const build = (Class: unknown) => () => appOf(chain, group([Item as never], Class as MiddlewareClass));
      class Plain {
        ALL(): void {}
      }
      class Broken extends Middleware {
        // @ts-expect-error -- JavaScript does not mind
        ALL = 5;
      }
      expect(thrownBy(build(Plain)).message).toBe("Cannot add Plain as middleware: it must extend Middleware");
      expect(thrownBy(build(new Pass())).message).toBe(
        "Cannot add middleware: expected a class, got an instance of Pass" +
          "; write class Name extends Middleware with ALL(input) { return this.next(input); }",
      );
      expect(thrownBy(build(Broken)).message).toBe("Cannot add Broken as middleware: its ALL must be a method, got 5");
    });
  });

  describe("a wrapped handler", () => {
    const answer = (value: unknown) => {
      class Item extends Resource {
        paths = ["/"];
        GET(_input: unknown): unknown {
          return value;
        }
      }
      return appOf(chain, group([Item as never], Pass)).handle(get("/"));
    };
    const message = "Cannot continue after next(): GET of Item returned no value; write return";

    it("C5.2 must return a value: undefined and null are refused", async () => {
      expect(await rejectionOf(answer(undefined))).toEqual(new TypeError(message));
      expect(await rejectionOf(answer(null))).toEqual(new TypeError(message));
    });

    it("C5.2 must resolve to a value when it is async", async () => {
      expect(await rejectionOf(answer(Promise.resolve()))).toEqual(new TypeError(message));
      expect(await rejectionOf(answer(Promise.resolve(null)))).toEqual(new TypeError(message));
    });

    it("C5.2 may return 0, the empty string and false, sync or async", async () => {
      for (const value of [0, "", false, Number.NaN, 0n]) {
        expect(await answer(value)).toBe(value);
        expect(await answer(Promise.resolve(value))).toBe(value);
      }
    });

    it("C5.2 makes next() throw when it is sync, reject when it is async", async () => {
      const caught: string[] = [];
      class Look extends Middleware {
        async ALL(input: Handled): Promise<unknown> {
          let result: unknown;
          try {
            result = this.next(input);
          } catch {
            return caught.push("thrown");
          }
          return (result as Promise<unknown>).catch(() => caught.push("rejected"));
        }
      }
      const app = appOf(
        chain,
        group([resource("/sync", () => {}), resource("/async", async () => {})] as never[], Look),
      );
      await app.handle(get("/sync"));
      await app.handle(get("/async"));
      expect(caught).toEqual(["thrown", "rejected"]);
    });

    it("C5.2 must return a value inside application middleware too", async () => {
      class Item extends Resource {
        paths = ["/"];
        GET(_input: unknown): void {}
      }
      const app = Application.builder().resources(Item).middleware(Pass).build();
      expect(await rejectionOf(app.handle(get("/")))).toEqual(new TypeError(message));
    });

    it("C5.2 need not return a value when nothing wraps it", async () => {
      const app = Application.builder()
        .resources(resource("/", () => {}))
        .build();
      expect(await app.handle(get("/"))).toBeUndefined();
    });
  });

  describe("ResourceGroup", () => {
    const reached = (input: Handled): unknown => input.params.pattern;

    it("C5.3 gives a frozen value", () => {
      expect(Object.isFrozen(ResourceGroup.builder().build())).toBe(true);
    });

    it("C5.3 multiplies prefixes with paths", async () => {
      class Users extends Resource {
        paths = ["/users", "/people/:id"];
        GET(input: Handled): unknown {
          return reached(input);
        }
      }
      const users = ResourceGroup.builder().resources(Users).prefix("/api/v1", "/v1").build();
      const app = Application.builder().resources(users).build();
      for (const path of ["/api/v1/users", "/v1/users"]) expect(await app.handle(get(path))).toBe(path);
      expect(await app.handle(get("/v1/people/7"))).toBe("/v1/people/:id");
      expect(await statusOf(app.handle(get("/users")))).toBe(404);
    });

    it("C5.3 joins prefixes and paths canonically", async () => {
      const join = async (prefix: string, path: string) => {
        const app = appOf(chain, group([resource(path, reached) as never]).prefix(prefix));
        return app.resources[0]!.patterns.map(({ source }) => source);
      };
      expect(await join("/api", "/")).toEqual(["/api"]);
      expect(await join("/api/", "/x")).toEqual(["/api/x"]);
      expect(await join("/", "/x")).toEqual(["/x"]);
      expect(await join("/", "/")).toEqual(["/"]);
      expect(await join("/api", "/x/")).toEqual(["/api/x/"]);
    });

    it("C5.3 takes prefixes with params", async () => {
      const tenant = (input: Handled): unknown => [input.params.pathParam("tenant"), input.params.pathParam("id")];
      const app = appOf(chain, group([resource("/users/:id", tenant) as never]).prefix("/:tenant"));
      expect(await app.handle(get("/acme/users/7"))).toEqual(["acme", "7"]);
    });

    it("C5.3 nests: prefixes join, outer groups wrap inner ones, M1 is outermost", async () => {
      const inner = group([resource("/item", () => "item") as never], mark("3"), mark("4"))
        .prefix("/inner")
        .build();
      const outer = group([inner], mark("1"), mark("2")).prefix("/outer");
      const app = appOf(chain, outer, mark("0"));
      expect(await app.handle(get("/outer/inner/item"))).toBe("0 1 2 3 4 item");
    });

    it("C5.3 adds up resources(), prefix() and middleware() of several calls", async () => {
      const builder = ResourceGroup.builder()
        .prefix("/a")
        .middleware(mark("1"))
        .resources(resource("/x", () => "x"))
        .prefix("/b")
        .middleware(mark("2"));
      const app = Application.builder().resources(builder.build()).build();
      expect(await app.handle(get("/a/x"))).toBe("1 2 x");
      expect(await app.handle(get("/b/x"))).toBe("1 2 x");
    });

    it("C5.3 refuses a prefix that is no path pattern", () => {
      for (const prefix of ["api", "", 5, null]) {
        const error = thrownBy(() => ResourceGroup.builder().prefix(prefix as string));
        expect(error).toBeInstanceOf(TypeError);
        expect(error.message).toMatch(/^Cannot add a prefix: expected a path pattern such as "\/api", got /);
      }
      const error = thrownBy(() => appOf(chain, group([resource("/:id", reached) as never]).prefix("/:id")));
      expect(error.message).toContain('duplicate name "id"');
    });
  });

  describe("a guard", () => {
    const run = vi.fn((): unknown => "reached");
    class Inherited extends Resource {
      HEAD(_input: unknown): unknown {
        return run();
      }
    }
    class Admin extends Inherited {
      paths = ["/", "/:one", "/item/:id(\\d+)?"];
      GET = (_input: unknown): unknown => run();
      PUT(_input: unknown): unknown {
        return run();
      }
    }
    const guard = vi.fn();
    class Counting extends Middleware {
      ALL(input: unknown): unknown {
        guard();
        return this.next(input);
      }
    }
    class Refusing extends Middleware {
      ALL(_input: unknown): unknown {
        guard();
        throw new HTTPError(Status.Unauthorized);
      }
    }

    it.each(attachments)(
      "C5.4 on %s runs exactly once if the resource is reached, and only then",
      async (_name, attach) => {
        const app = attach(chain, Counting, Admin as never);
        const free = Application.builder()
          .resources(
            group([Admin as never])
              .prefix("/admin")
              .build(),
          )
          .build();
        const reached = new Set<string>();
        for (const target of targets.split(" ")) {
          for (const method of methods) {
            guard.mockClear();
            run.mockClear();
            const guarded = await statusOf(app.handle(inputOf(method, target)));
            const runs = run.mock.calls.length;
            const isReached = guarded !== 404 && guarded !== 400 && ["GET", "PUT", "HEAD", "POST"].includes(method);
            expect(guard.mock.calls.length, `${method} ${target}`).toBe(isReached ? 1 : 0);
            expect(runs, `${method} ${target}`).toBe(isReached && method !== "POST" ? 1 : 0);
            expect(guarded, `${method} ${target}`).toBe(await statusOf(free.handle(inputOf(method, target))));
            if (runs > 0) reached.add(target);
          }
        }
        expect([...reached]).toEqual(
          expect.arrayContaining(["/admin", "/admin/", "/%61dmin", "/x/../admin", "http://h/admin", "/admin/item/%37"]),
        );
        for (const target of ["//admin", "/ADMIN", "/admin;x", "/administrator", "/%2561dmin"]) {
          expect(reached).not.toContain(target);
        }
      },
    );

    it.each(attachments)("C5.4 on %s that always throws 401 lets no handler run", async (_name, attach) => {
      const app = attach(chain, Refusing, Admin as never);
      run.mockClear();
      const outcomes = new Set<unknown>();
      for (const target of targets.split(" ")) {
        for (const method of methods) outcomes.add(await statusOf(app.handle(inputOf(method, target))));
      }
      expect(run).not.toHaveBeenCalled();
      expect(outcomes).toEqual(new Set([400, 401, 404, 501]));

      guard.mockClear();
      const outcome = (method: string, target: string) => statusOf(app.handle(inputOf(method, target)));
      expect(await outcome("PURGE", "/admin")).toBe(501);
      expect(await outcome("GET", "//admin")).toBe(404);
      expect(guard).toHaveBeenCalledTimes(0);
      expect(await outcome("GET", "/admin")).toBe(401);
      expect(await outcome("HEAD", "/admin")).toBe(401);
      expect(await outcome("GET", "/%61dmin")).toBe(401);
      expect(await outcome("GET", "/admin/")).toBe(401);
      expect(await outcome("POST", "/admin")).toBe(401);
      expect(guard).toHaveBeenCalledTimes(5);
    });

    it("C5.4 hangs on no path: there is no other way to attach middleware", () => {
      const builder = Application.builder();
      expect(() => builder.middleware("/admin" as never, Pass)).toThrow(TypeError);
      expect(() => ResourceGroup.builder().middleware("/admin" as never)).toThrow(TypeError);
    });

    it("C5.4 refuses one class with two lists of middleware: one of them would be walked around", () => {
      const guarded = group([Admin as never], Refusing)
        .prefix("/admin")
        .build();
      const error = thrownBy(() => Application.builder().resources(guarded, Admin).build());
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toMatch(/^Cannot add Admin to the application: it is there already with other middleware/);
    });

    it("C5.4 stays on the resource when the instance is changed after build()", async () => {
      let instance: Admin | undefined;
      const app = Application.builder()
        .resources(
          group([Admin as never], Refusing)
            .prefix("/admin")
            .build(),
        )
        .instantiate((Class) => (instance = new Class() as Admin))
        .build();
      instance!.GET = () => "changed";
      (instance as unknown as Record<string, unknown>)["PURGE"] = () => "changed";
      expect(await statusOf(app.handle(get("/admin")))).toBe(401);
      expect(await statusOf(app.handle(inputOf("PURGE", "/admin")))).toBe(501);
    });
  });

  describe("instances", () => {
    it("C5.5 there is one middleware per wrapped resource and application", () => {
      const construct = vi.fn();
      class Counted extends Pass {
        constructor() {
          super();
          construct();
        }
      }
      const builder = Application.builder().resources(
        group([resource("/a", () => 1), resource("/b", () => 1)] as never[], Counted)
          .prefix("/x", "/y")
          .build(),
      );
      builder.build();
      expect(construct).toHaveBeenCalledTimes(2);
      builder.build();
      expect(construct).toHaveBeenCalledTimes(4);
    });

    it("C5.5 a resource is constructed once, grouped or not", () => {
      const construct = vi.fn();
      class Item extends Resource {
        paths = ["/item"];
        constructor() {
          super();
          construct();
        }
      }
      const one = group([Item as never], Pass)
        .prefix("/a", "/b")
        .build();
      const two = group([Item as never], Pass)
        .prefix("/c")
        .build();
      Application.builder().resources(one, two).build();
      expect(construct).toHaveBeenCalledTimes(1);
    });

    it("C5.5 shared state lives in what a factory closes over", async () => {
      const counter = () => {
        let count = 0;
        return class extends Middleware {
          ALL(input: unknown): unknown {
            this.next(input);
            return ++count;
          }
        };
      };
      const items = [resource("/a", () => 1), resource("/b", () => 1)] as never[];
      const app = appOf(chain, group(items, counter()));
      expect([await app.handle(get("/a")), await app.handle(get("/b"))]).toEqual([1, 2]);
    });

    const answer = (input: Handled): unknown => [input, input.params.pathParam("id"), input.params.pattern];

    /** Passes on a replacement, at once or after an await. */
    const replacing = (make: (input: Handled) => unknown, isLate = false): MiddlewareClass =>
      class Replacing extends Middleware {
        ALL(input: Handled): unknown {
          return isLate ? Promise.resolve().then(() => this.next(input, make(input))) : this.next(input, make(input));
        }
      };

    it.each([false, true])(
      "C5.5 a replacement around a resource keeps params, whatever its URL (late: %s)",
      async (isLate) => {
        const Replace = replacing(({ method }) => ({ url: "/elsewhere", method }), isLate);
        const app = appOf(chain, group([resource("/items/:id", answer) as never], Replace, Pass));
        const answers = (await Promise.all(
          ["/items/7", "/items/8", "/items/9"].map((path) => app.handle(get(path))),
        )) as [{ url: string }, string, string][];
        expect(answers.map(([{ url }, id, pattern]) => [url, id, pattern])).toEqual(
          ["7", "8", "9"].map((id) => ["/elsewhere", id, "/items/:id"]),
        );
      },
    );

    it.each([false, true])(
      "C5.5 a replacement around the application goes where its own URL leads (late: %s)",
      async (isLate) => {
        const Replace = replacing(() => ({ url: "/items/8", method: "GET" }), isLate);
        const app = appOf(chain, group([resource("/items/:id", answer) as never], Pass), Replace);
        for (const path of ["/items/7", "/nothing"]) {
          expect(((await app.handle(get(path))) as unknown[]).slice(1)).toEqual(["8", "/items/:id"]);
        }
        const away = appOf(
          chain,
          group([resource("/items/:id", answer) as never], Pass),
          replacing(() => get("/nothing"), isLate),
        );
        expect(await statusOf(away.handle(get("/items/7")))).toBe(404);
      },
    );

    it.each([false, true])(
      "C5.5 next() of an object that did not come in says to write a replacement (late: %s)",
      async (isLate) => {
        class Wrong extends Middleware {
          ALL({ url, method }: Handled): unknown {
            return isLate ? Promise.resolve().then(() => this.next({ url, method })) : this.next({ url, method });
          }
        }
        const inside = appOf(chain, group([resource("/items/:id", answer) as never], Wrong));
        const around = appOf(chain, group([resource("/items/:id", answer) as never]), Wrong);
        for (const app of [inside, around]) {
          const error = await rejectionOf(app.handle(get("/items/7")));
          expect(error).toBeInstanceOf(TypeError);
          expect((error as Error).message).toMatch(
            /^Cannot continue after next\(\) of Wrong: the input did not come in here.*; to pass on another one, write next\(input, replacement\)$/,
          );
        }
      },
    );

    it.each([false, true])(
      "C5.5 next() of what was replaced further out says to write a replacement (late: %s)",
      async (isLate) => {
        const came: Handled[] = [];
        class Outer extends Middleware {
          ALL(input: Handled): unknown {
            came[0] = input;
            return this.next(input, { url: input.url, method: input.method });
          }
        }
        class Inner extends Middleware {
          ALL(): unknown {
            return isLate ? Promise.resolve().then(() => this.next(came[0])) : this.next(came[0]);
          }
        }
        for (const app of [
          appOf(chain, group([resource("/items/:id", answer) as never], Outer, Inner)),
          appOf(chain, group([resource("/items/:id", answer) as never], Inner), Outer),
          appOf(chain, group([resource("/items/:id", answer) as never]), Outer, Inner),
        ]) {
          expect(((await rejectionOf(app.handle(get("/items/7")))) as Error).message).toMatch(
            /^Cannot continue after next\(\) of Inner: the input did not come in here/,
          );
        }
      },
    );

    it("C5.5 the input itself may go on after a replacement of it did", async () => {
      const came: Handled[] = [];
      class Retry extends Middleware {
        async ALL(input: Handled): Promise<unknown> {
          await this.next(input, { url: input.url, method: input.method });
          return this.next(input);
        }
      }
      class Inner extends Middleware {
        ALL(input: Handled): unknown {
          came.push(input);
          return this.next(input);
        }
      }
      const input = get("/items/7");
      const app = appOf(chain, group([resource("/items/:id", answer) as never], Retry, Inner));
      expect(((await app.handle(input)) as unknown[])[1]).toBe("7");
      expect(came.map((one) => one === input)).toEqual([false, true]);
    });

    it("C5.5 refuses a replacement that belongs to another request under way", async () => {
      const came: Handled[] = [];
      class Hold extends Middleware {
        async ALL(input: Handled): Promise<unknown> {
          came.push(input);
          await Promise.resolve();
          return this.next(input, came[0]);
        }
      }
      for (const paths of [
        ["/items/7", "/items/8"],
        ["/items/7", "/items/7"],
      ]) {
        came.length = 0;
        const app = appOf(chain, group([resource("/items/:id", answer) as never], Hold));
        const outcomes = await Promise.all(paths.map((path) => statusOf(app.handle(get(path)))));
        expect((outcomes[0] as unknown[])[1]).toBe("7");
        expect(outcomes[1]).toEqual(
          new TypeError(
            "Cannot continue after next() of Hold: the replacement belongs to another request; make one for each call",
          ),
        );
      }
      const around = appOf(chain, group([resource("/items/:id", answer) as never]), Hold);
      came.length = 0;
      const outcomes = await Promise.all(["/nothing", "/nothing/2"].map((path) => statusOf(around.handle(get(path)))));
      expect(outcomes).toEqual([404, expect.any(TypeError)]);
    });

    it("C5.5 a replacement decides by its method which handler and which middleware run", async () => {
      class Override extends Middleware {
        POST(input: Handled): unknown {
          return this.next(input, { url: input.url, method: "GET" });
        }
      }
      class Item extends Resource {
        paths = ["/items/:id"];
        GET(_input: unknown): unknown {
          return "GET";
        }
        POST(_input: unknown): unknown {
          return "POST";
        }
      }
      class Guard extends Middleware {
        GET(_input: unknown): unknown {
          return `guarded ${String(this.next(_input))}`;
        }
      }
      const app = appOf(chain, group([Item as never], Override, Guard));
      expect(await app.handle(inputOf("POST", "/items/7"))).toBe("guarded GET");

      const outside = Application.builder()
        .resources(group([Item as never], Guard).build())
        .middleware(Override)
        .build();
      expect(await outside.handle(inputOf("POST", "/items/7"))).toBe("guarded GET");
    });
  });

  describe("a replacement with another method", () => {
    const run = vi.fn((): unknown => "reached");
    const guard = vi.fn();
    class Item extends Resource {
      paths = ["/items/:id"];
      GET(_input: unknown): unknown {
        return run();
      }
    }
    class Guard extends Middleware {
      ALL(input: unknown): unknown {
        guard();
        return this.next(input);
      }
    }
    const passing = (method: string, isAsync: boolean): MiddlewareClass =>
      class extends Middleware {
        ALL(input: Handled): unknown {
          const replacement = { url: input.url, method };
          if (isAsync) return Promise.resolve().then(() => this.next(input, replacement));
          return this.next(input, replacement);
        }
      };
    const outcome = async (app: ReturnType<typeof appOf>, method: string) => {
      guard.mockClear();
      run.mockClear();
      return [await statusOf(app.handle(inputOf(method, "/items/7"))), guard.mock.calls.length, run.mock.calls.length];
    };

    it.each([false, true])(
      "C5.5 is 501 if that is not one of the nine, and reaches no user code (async: %s)",
      async (isAsync) => {
        const Purge = passing("PURGE", isAsync);
        expect(await outcome(appOf(chain, group([Item as never], Guard), Purge), "GET")).toEqual([501, 0, 0]);
        expect(await outcome(appOf(chain, group([Item as never], Purge, Guard)), "GET")).toEqual([501, 0, 0]);
        expect(await outcome(appOf(chain, group([Item as never], Purge)), "GET")).toEqual([501, 0, 0]);
      },
    );

    it.each([false, true])(
      "C5.5 is answered if the first method was not one of the nine (async: %s)",
      async (isAsync) => {
        const app = appOf(chain, group([Item as never], Guard), passing("GET", isAsync));
        expect(await outcome(app, "PURGE")).toEqual(["reached", 1, 1]);
      },
    );
  });

  describe("Attribute", () => {
    interface User {
      readonly name: string;
    }
    const user = new Attribute<User>("user");

    it("C5.6 travels with an input from middleware to handler", async () => {
      class Auth extends Middleware {
        ALL(input: Handled): unknown {
          user.set(input, { name: input.params.queryParam("as") ?? "nobody" });
          return this.next(input);
        }
      }
      const app = appOf(chain, group([resource("/", (input) => user.get(input).name) as never], Auth));
      expect(await Promise.all([app.handle(get("/?as=Ada")), app.handle(get("/?as=Bo"))])).toEqual(["Ada", "Bo"]);
    });

    it("C5.6 get() throws a clear error if the value is absent, find() gives undefined", () => {
      const input = get("/");
      expect(() => user.get(input)).toThrow(
        'Cannot get attribute "user": it was not set for this input; use find() where it may be absent',
      );
      expect(user.find(input)).toBeUndefined();
      user.set(input, { name: "Ada" });
      expect(user.find(input)).toEqual({ name: "Ada" });
      expect(new Attribute<User>("user").find(input)).toBeUndefined();
    });

    it("C5.6 keeps undefined and other falsy values", () => {
      const flag = new Attribute<unknown>("flag");
      for (const value of [undefined, null, 0, "", false]) {
        const input = get("/");
        flag.set(input, value);
        expect(flag.get(input)).toBe(value);
      }
    });

    it("C5.6 adds no property to the input", () => {
      const input = Object.freeze({ url: "/", method: "GET" });
      user.set(input, { name: "Ada" });
      expect(Reflect.ownKeys(input)).toEqual(["url", "method"]);
      expect(user.get(input).name).toBe("Ada");
    });
  });
});

describe.each(chains)("on() of $name", (chain) => {
  const { Application, Resource, inputOf } = chain;
  class Item extends Resource {
    paths = ["/item"];
    GET(_input: unknown): unknown {
      return "GET";
    }
    PUT(_input: unknown): unknown {
      return "PUT";
    }
    POST(_input: unknown): unknown {
      return "POST";
    }
  }
  const asked = async (...classes: MiddlewareClass[]): Promise<unknown[]> => {
    const app = appOf(chain, group([Item as never], ...classes));
    return Promise.all(["GET", "PUT", "POST"].map((method) => app.handle(inputOf(method, "/item"))));
  };
  class Named extends Middleware {
    ALL(input: unknown): unknown {
      return `all ${String(this.next(input))}`;
    }
    PUT(input: unknown): unknown {
      return `put ${String(this.next(input))}`;
    }
  }

  class GetGuard extends native.Middleware {
    override GET(): never {
      throw new HTTPError(Status.Forbidden);
    }
  }

  it("C5.9 guards HEAD by a guard of GET wherever HEAD is made of GET", async () => {
    class Page extends native.Resource {
      override paths = ["/"];
      override GET(): Response {
        return new Response("page");
      }
    }
    const makes = allowedMethods();
    for (const [outside, inside] of [
      [[GetGuard, makes], []],
      [[makes, GetGuard], []],
      [[], [GetGuard, makes]],
      [[], [makes, GetGuard]],
      [[GetGuard], [makes]],
      [[makes], [GetGuard]],
    ]) {
      const app = native.Application.builder()
        .middleware(...outside!)
        .resources(
          ResourceGroup.builder()
            .resources(Page)
            .middleware(...inside!)
            .build(),
        )
        .build();
      for (const method of ["GET", "HEAD"]) {
        expect((await app.fetch(new Request("http://h/", { method }))).status).toBe(403);
      }
    }
  });

  it("C5.9 has no guard of GET for a HEAD of its own, where HEAD is not made of GET", async () => {
    class Page extends native.Resource {
      override paths = ["/"];
      override HEAD(): Response {
        return new Response(null);
      }
    }
    const app = native.Application.builder().middleware(GetGuard).resources(Page).build();
    expect((await app.fetch(new Request("http://h/", { method: "HEAD" }))).status).toBe(200);
  });

  it("C5.9 restricts a middleware class to methods; the others pass through", async () => {
    expect(await asked(Named.on("PUT", "POST"))).toEqual(["GET", "put PUT", "all POST"]);
    expect(await asked(Named.on("GET"))).toEqual(["all GET", "PUT", "POST"]);
    expect(await asked(Named)).toEqual(["all GET", "put PUT", "all POST"]);
  });

  it("C5.9 restricts what a factory returns, and middleware of the application, to which any token comes", async () => {
    const app = Application.builder().resources(Item).middleware(mark("ALL").on("POST")).build();
    expect(await app.handle(inputOf("GET", "/item"))).toBe("GET");
    expect(await app.handle(inputOf("POST", "/item"))).toBe("ALL POST");
    expect(await statusOf(app.handle(inputOf("PURGE", "/item")))).toBe(501);
  });

  it("C5.9 restricts further, a subclass too", async () => {
    const Changing = Named.on("PUT", "POST");
    class Own extends Changing {
      override ALL(input: unknown): unknown {
        return `own ${String(super.ALL(input))}`;
      }
    }
    expect(await asked(Changing.on("POST"))).toEqual(["GET", "PUT", "all POST"]);
    expect(await asked(Own)).toEqual(["GET", "put PUT", "own all POST"]);
  });

  it("C5.9 gives another class each time, of the same name", () => {
    const Restricted = Named.on("PUT");
    expect([Restricted.name, Restricted === Named.on("PUT"), new Restricted() instanceof Named]).toEqual([
      "Named",
      false,
      true,
    ]);
    expect(appOf(chain, group([Item as never], Restricted)).resources[0]!.middleware).toEqual(["Named"]);
  });

  it("C5.9 refuses names that are no methods, none, and those that are not of the restriction", () => {
    const all = "CONNECT, DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, TRACE, QUERY";
    for (const [names, got] of [
      [["post"], '"post"'],
      [["PUT", "ALL"], '"ALL"'],
      [["PURGE"], '"PURGE"'],
      [[["PUT", "POST"]], "an array"],
      [[], "none"],
    ] as const) {
      expect(thrownBy(() => Named.on(...(names as unknown as ["PUT"])))).toEqual(
        new TypeError(`Cannot restrict Named to methods: expected some of ${all}, got ${got}`),
      );
    }
    expect(thrownBy(() => Named.on("PUT", "POST").on("GET"))).toEqual(
      new TypeError('Cannot restrict Named to methods: expected some of PUT, POST, got "GET"'),
    );
  });

  it("C5.9 refuses a class that has no handler of a method that it is restricted to", () => {
    class OnlyPut extends Middleware {
      PUT(input: unknown): unknown {
        return this.next(input);
      }
    }
    expect(thrownBy(() => appOf(chain, group([Item as never], OnlyPut.on("PUT", "POST"))))).toEqual(
      new TypeError("Cannot add OnlyPut as middleware: it is restricted to POST and has no such handler; write ALL()"),
    );
  });
});

describe("a middleware that does not wait for next()", () => {
  const fault = new Error("disk");
  /** What is told of errors of a handler by a middleware, inside others; answers are "early" at once. */
  async function toldBy(handler: () => unknown, ...around: readonly MiddlewareClass[]): Promise<unknown[]> {
    const told: unknown[] = [];
    class Item extends native.Resource {
      override paths = ["/item"];
      override GET(): never {
        return handler() as never;
      }
    }
    const app = native.Application.builder()
      .resources(Item)
      .middleware(...around)
      .onError((error, { url }) => void told.push(error, url))
      .build();
    const response = await app.fetch(new Request("http://localhost/item"));
    expect(await response.text()).toBe("early");
    await turn(20);
    return told;
  }
  const late = async (): Promise<never> => {
    await turn(5);
    throw fault;
  };
  const at = "http://localhost/item";

  class Forgets extends Middleware {
    ALL(input: unknown): unknown {
      void this.next(input);
      return new Response("early");
    }
  }
  class Slow extends Middleware {
    async ALL(input: unknown): Promise<unknown> {
      void this.next(input);
      await turn(10);
      return new Response("early");
    }
  }
  class Awaits extends Middleware {
    async ALL(input: unknown): Promise<unknown> {
      return await this.next(input);
    }
  }
  class Recovers extends Middleware {
    async ALL(input: unknown): Promise<unknown> {
      const going = this.next(input);
      await turn(10);
      try {
        return await going;
      } catch {
        return new Response("early");
      }
    }
  }

  it("C5.2 has an error that comes later reported once, wherever others stand", async () => {
    for (const around of [[Forgets], [Awaits, Forgets], [Forgets, Awaits, Pass], [Pass, Forgets, Pass]])
      expect(await toldBy(late, ...around)).toEqual([fault, at]);
    expect(await toldBy(() => Promise.reject(fault), Forgets)).toEqual([fault, at]);
    expect(await toldBy(() => Promise.resolve(null), Forgets)).toEqual([
      new TypeError("Cannot continue after next(): GET of Item returned no value; write return"),
      at,
    ]);
  });

  it("C5.2 has a later error reported, though another run goes on, or the middleware has failed", async () => {
    let runs = 0;
    const failsSecond = (): Promise<never> => (++runs === 1 ? new Promise(() => {}) : late());
    class ForgetsTwice extends Middleware {
      ALL(input: unknown): unknown {
        void this.next(input);
        void this.next(input);
        return new Response("early");
      }
    }
    expect(await toldBy(failsSecond, ForgetsTwice)).toEqual([fault, at]);
    class Fails extends Middleware {
      async ALL(input: unknown): Promise<never> {
        void this.next(input);
        throw new Error("another");
      }
    }
    expect(await toldBy(late, Recovers, Fails)).toEqual([fault, at]);
  });

  it("C5.2 has nobody told of an error that one of two requests by one input waits for", async () => {
    const told: unknown[] = [];
    class Item extends native.Resource {
      override paths = ["/item"];
      override GET = late;
    }
    let requests = 0;
    class SecondAnswers extends native.Middleware {
      override async ALL(input: unknown): Promise<Response> {
        if (++requests === 2) return new Response("early");
        await turn(10);
        return this.next(input);
      }
    }
    const app = native.Application.builder()
      .resources(Item)
      .middleware(SecondAnswers)
      .onError((error) => void told.push(error))
      .build();
    const request = new Request(at);
    const first = app.handle(request);
    expect(await (await app.handle(request)).text()).toBe("early");
    await expect(first).rejects.toBe(fault);
    await turn(20);
    expect(told).toEqual([]);
  });

  it("C5.2 has nobody told of an error that middleware waits for, and answers", async () => {
    expect(await toldBy(late, Recovers)).toEqual([]);
    expect(await toldBy(late, Recovers, Pass, Awaits)).toEqual([]);
  });

  it("C5.2 has nobody told of an error that one of two runs at once waits for, and answers", async () => {
    let runs = 0;
    const failsFirst = (): unknown => (++runs === 1 ? late() : new Response("early"));
    class Hedges extends Middleware {
      async ALL(input: unknown): Promise<unknown> {
        return (await Promise.all([this.next(input), this.next(input)]))[1];
      }
    }
    class Catches extends Middleware {
      async ALL(input: unknown): Promise<unknown> {
        await turn(1);
        try {
          return await this.next(input);
        } catch {
          return new Response("late");
        }
      }
    }
    // The same replacement, with which both go on.
    class Replaces extends Middleware {
      async ALL(input: Handled): Promise<unknown> {
        const other = new Request(input.url);
        return (await Promise.all([this.next(input, other), this.next(input, other)]))[1];
      }
    }
    for (const outer of [Hedges, Replaces]) {
      for (const inner of [Catches, Recovers]) {
        runs = 0;
        expect(await toldBy(failsFirst, outer, inner)).toEqual([]);
      }
    }
    runs = 0;
    expect(await toldBy(failsFirst, Hedges, Forgets)).toEqual([fault, at]);
  });

  it("C5.2 goes on where the error comes while the middleware does something else", async () => {
    expect(await toldBy(late, Slow)).toEqual([]);
  });

  it("C5.2 writes it to the console where there is no onError(), and with the polyfill module", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    for (const { Application, Resource, inputOf } of chains) {
      class Item extends Resource {
        override paths = ["/item"];
        override GET(): unknown {
          return late();
        }
      }
      const app = Application.builder().resources(Item).middleware(Forgets).build();
      expect(await app.handle(inputOf("GET", "/item"))).toBeInstanceOf(Response);
    }
    await turn(20);
    const line = ["%s:", 'GET "/item" at "/item" of Item', fault];
    expect(printed.mock.calls).toEqual([line, line]);
  });
});

describe.each(chains)("static middleware of $name", (chain) => {
  const { Application, Resource, inputOf } = chain;
  const get = (target: string) => inputOf("GET", target);
  const itemOf = (middleware: unknown) =>
    class Item extends Resource {
      static middleware = middleware as MiddlewareClass[];
      paths = ["/item"];
      GET(_input: unknown): unknown {
        return "item";
      }
    };

  it("C5.8 is innermost, inside that of the groups, the first outermost", async () => {
    const app = appOf(chain, group([itemOf([mark("3"), mark("4")]) as never], mark("1"), mark("2")), mark("0"));
    expect(await app.handle(get("/item"))).toBe("0 1 2 3 4 item");
  });

  it("C5.8 of a subclass is added inside that of its base, which cannot be lost", async () => {
    const [Outer, Inner] = [mark("base"), mark("own")];
    class Base extends itemOf([Outer]) {}
    class Own extends Base {
      static override middleware = [Inner];
      paths = ["/own"];
    }
    class Spread extends Own {
      static override middleware = [...Base.middleware, mark("last")];
      paths = ["/spread"];
    }
    const app = Application.builder().resources(Base, Own, Spread).build();
    expect(await app.handle(get("/item"))).toBe("base item");
    expect(await app.handle(get("/own"))).toBe("base own item");
    expect(await app.handle(get("/spread"))).toBe("base own last item");
  });

  it("C5.8 is in app.resources", () => {
    class Deeper extends itemOf([Pass]) {
      static override middleware = [class Own extends Pass {}];
    }
    expect(appOf(chain, group([Deeper as never], class Outer extends Pass {})).resources[0]!.middleware).toEqual([
      "Outer",
      "Pass",
      "Own",
    ]);
  });

  it("C5.8 stays where the class is added twice", async () => {
    const Item = itemOf([mark("own")]);
    const app = Application.builder()
      .resources(group([Item as never]).build(), ResourceGroup.builder().resources(Item).prefix("/a", "/b").build())
      .build();
    for (const path of ["/item", "/a/item", "/b/item"]) expect(await app.handle(get(path))).toBe("own item");
  });

  it("C5.8 refuses what is not an array of Middleware classes, and names the class", () => {
    for (const [value, got] of [
      [Pass, "the class Pass"],
      [undefined, "undefined"],
      [[Pass, new Pass()], "an instance of Pass as middleware[1]"],
      [[Resource], "the class Resource as middleware[0]"],
      [[Middleware], "the class Middleware as middleware[0]"],
      [["auth"], '"auth" as middleware[0]'],
    ] as const) {
      class Sub extends itemOf(value) {}
      expect(thrownBy(() => Application.builder().resources(Sub).build())).toEqual(
        new TypeError(
          "Cannot add Sub to the application: static middleware of Item must be an array of middleware classes, got " +
            `${got}`,
        ),
      );
    }
  });

  it("C5.8 that is not static would guard nothing, and is refused", () => {
    for (const middleware of [[Pass], ["log", Pass]]) {
      class Item extends Resource {
        paths = ["/item"];
        middleware = middleware;
      }
      expect(thrownBy(() => Application.builder().resources(Item).build())).toEqual(
        new TypeError("Cannot add Item to the application: its middleware has no effect; write static middleware"),
      );
    }
  });
});

describe("fetch()", () => {
  class Stamp extends Middleware {
    async ALL(request: Request): Promise<unknown> {
      this.errorHeaders(request).set("x-stamp", "1");
      const response = (await this.next(request)) as Response;
      response.headers.set("x-stamp", "1");
      return response;
    }
  }
  class Item extends native.Resource {
    paths = ["/item/:what"];
    GET({ params }: Handled): Response {
      if (params.pathParam("what") === "no")
        throw new HTTPError(Status.Conflict, undefined, { headers: { "x-own": "2" } });
      if (params.pathParam("what") === "bug") throw new Error("bug");
      return new Response("yes");
    }
  }
  const fieldsOf = async (app: native.Application, path: string) => {
    const { status, headers } = await app.fetch(new Request(`http://localhost${path}`));
    return [status, headers.get("x-stamp"), headers.get("x-own")];
  };

  it("C5.7 has the fields that middleware of a resource adds on responses made from errors", async () => {
    const app = native.Application.builder()
      .resources(ResourceGroup.builder().resources(Item).middleware(Stamp).build())
      .onError(() => {})
      .build();
    expect(await fieldsOf(app, "/item/yes")).toEqual([200, "1", null]);
    expect(await fieldsOf(app, "/item/no")).toEqual([409, "1", "2"]);
    expect(await fieldsOf(app, "/item/bug")).toEqual([500, "1", null]);
    expect(await fieldsOf(app, "/nothing")).toEqual([404, null, null]);
  });

  it("C5.7 has the fields that middleware of the application adds, on 404 and 501 too", async () => {
    const app = native.Application.builder()
      .resources(Item)
      .middleware(Stamp)
      .onError(() => {})
      .build();
    expect(await fieldsOf(app, "/item/no")).toEqual([409, "1", "2"]);
    expect(await fieldsOf(app, "/nothing")).toEqual([404, "1", null]);
    const response = await app.fetch(new Request("http://localhost/item/1", { method: "DELETE" }));
    expect([response.status, response.headers.get("x-stamp")]).toEqual([501, "1"]);
  });

  it.each([false, true])(
    "C5.7 has them also when middleware further in passes on a replacement, late: %s",
    async (isLate) => {
      class Copy extends Middleware {
        async ALL(request: Request): Promise<unknown> {
          if (isLate) await Promise.resolve();
          return this.next(request, new Request(request));
        }
      }
      const app = native.Application.builder()
        .resources(ResourceGroup.builder().resources(Item).middleware(Copy, Stamp).build())
        .build();
      expect(await fieldsOf(app, "/item/no")).toEqual([409, "1", "2"]);
    },
  );

  it("C5.7 has them also when onError() answers", async () => {
    const app = native.Application.builder()
      .resources(Item)
      .middleware(Stamp)
      .onError(() => new Response("sorry", { status: 503 }))
      .build();
    expect(await fieldsOf(app, "/item/bug")).toEqual([503, "1", null]);
  });

  it("C5.7 leaves a response as it is that onError() gives to everyone", async () => {
    const sorry = Response.redirect("http://localhost/sorry");
    const app = native.Application.builder()
      .resources(Item)
      .middleware(Stamp)
      .onError(() => sorry)
      .build();
    expect(await fieldsOf(app, "/item/bug")).toEqual([302, "1", null]);
    expect(sorry.headers.has("x-stamp")).toBe(false);
  });
});
