import * as native from "fingerpost/modules/http.native.js";
import { Application, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { PathPatternError } from "../routing/pattern/path-pattern.ts";

const resource = (name: string, paths: unknown) =>
  ({
    [name]: class extends Resource {
      override paths = paths as string[];
      override GET({ params }: { params: { pattern: string } }): unknown {
        return `${name} ${params.pattern}`;
      }
    },
  })[name]!;

const buildOf =
  (...classes: readonly unknown[]) =>
  () =>
    Application.builder()
      .resources(...(classes as (new () => Resource)[]))
      .build();

class A extends Middleware {}
class B extends Middleware {}

describe("instantiate()", () => {
  it("refuses anything but a function", () => {
    expect(() => Application.builder().instantiate({} as never)).toThrow(
      new TypeError("Cannot instantiate resources: expected a function, got an object"),
    );
  });

  it("freezes what tools read, throughout, but no class of the user", () => {
    const { resources } = Application.builder()
      .resources(resource("Users", ["/a/:id(\\d+)-x"]))
      .build();
    const values: unknown[] = [];
    const visit = (value: unknown): void => {
      values.push(value);
      if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
    };
    visit(resources);
    expect(values.length).toBeGreaterThan(10);
    expect(values.filter((value) => typeof value !== "function" && !Object.isFrozen(value))).toEqual([]);
  });

  it("refuses a class that does not extend the resource of the module, though its instance would", () => {
    class Users {
      paths = ["/users"];
    }
    const builder = Application.builder()
      .resources(Users as never)
      .instantiate(() => new Resource());
    expect(() => builder.build()).toThrow(
      new TypeError("Cannot add Users to the application: it must extend the Resource of the same entry"),
    );
  });

  it("has the function make each resource once, and refuses what is none", async () => {
    const made: unknown[] = [];
    const Users = resource("Users", ["/users", "/people"]);
    Application.builder()
      .resources(Users)
      .instantiate((Class) => {
        made.push(Class);
        return new Class();
      })
      .build();
    expect(made).toEqual([Users]);
    for (const [value, got] of [
      [undefined, "undefined"],
      [Promise.resolve(), "an instance of Promise"],
      [new native.Resource(), "an instance of Resource"],
      [new (class Groups extends Resource {})(), "an instance of Groups"],
    ]) {
      expect(() =>
        Application.builder()
          .resources(Users)
          .instantiate(() => value as Resource)
          .build(),
      ).toThrow(new TypeError(`Cannot add Users to the application: expected an instance of it, got ${got as string}`));
    }
  });
});

describe("trailingSlash()", () => {
  it("takes one of two words", async () => {
    const handle = (trailingSlash?: "strict" | "ignore") =>
      Application.builder()
        .resources(resource("A", ["/a"]))
        .trailingSlash(trailingSlash)
        .build()
        .handle({ url: "/a/", method: "GET" });
    expect(await handle("ignore")).toBe("A /a");
    expect(await handle(undefined)).toBe("A /a");
    await expect(handle("strict")).rejects.toMatchObject({ status: 404 });
    expect(() => Application.builder().trailingSlash("lenient" as never)).toThrow(
      new TypeError('Cannot set trailingSlash: expected "strict" or "ignore", got "lenient"'),
    );
  });
});

describe("build()", () => {
  it("refuses paths that is not an array, and says what to write for a string", () => {
    const error = (paths: unknown): Error => {
      try {
        buildOf(resource("Users", paths))();
      } catch (caught) {
        return caught as Error;
      }
      throw new Error("accepted");
    };
    expect(error("/users")).toBeInstanceOf(PathPatternError);
    expect(error("/users").message.split("\n")[0]).toBe(
      'Cannot parse path pattern of Users: paths must be an array of strings, got "/users"; write ["/users"]',
    );
    expect(error({ 0: "/users" }).message.split("\n")[0]).toBe(
      "Cannot parse path pattern of Users: paths must be an array of strings, got an object",
    );
    expect(error({})).toMatchObject({ pattern: "", index: 0 });
  });

  it("refuses an entry of paths that is not a string, after a prefix, too", () => {
    const wrong = [
      [7, "7"],
      [null, "null"],
      [undefined, "undefined"],
      [{}, "an object"],
      [["/a"], "an array"],
      [/a/, "an instance of RegExp"],
    ] as const;
    for (const prefix of ["/", "/api"]) {
      for (const [entry, got] of wrong) {
        const group = ResourceGroup.builder()
          .resources(resource("Users", ["/users", entry]))
          .prefix(prefix)
          .build();
        expect(buildOf(group)).toThrow(PathPatternError);
        expect(buildOf(group)).toThrow(
          new PathPatternError(`paths must be an array of strings, got ${got} as paths[1]`, "", 0, "Users"),
        );
      }
    }
  });

  it("refuses an entry of paths that does not begin with a slash, after a prefix, too", () => {
    for (const prefix of ["/", "/api"]) {
      const group = ResourceGroup.builder()
        .resources(resource("Users", ["users"]))
        .prefix(prefix)
        .build();
      expect(buildOf(group)).toThrow(PathPatternError);
      expect(buildOf(group)).toThrow(/^Cannot parse path pattern of Users: no leading slash; write "\/users"\n/);
    }
  });

  it("refuses expressions that do not compile together, by the message of the engine", () => {
    const pattern = "/((?<year>\\d+))/((?<year>\\d+))";
    expect(buildOf(resource("Users", [pattern]))).toThrow(PathPatternError);
    expect(buildOf(resource("Users", [pattern]))).toThrow(
      /^Cannot parse path pattern of Users: the expressions do not compile together \(Invalid regular expression: [^\n]{10,60}\)\n/,
    );
  });

  it.each(["CONNECT", "DELETE", "TRACE"] as const)("refuses a resource whose %s is no method", (method) => {
    class Users extends Resource {}
    Object.defineProperty(Users.prototype, method, { value: undefined });
    expect(buildOf(Users)).toThrow(
      new TypeError(`Cannot add Users to the application: its ${method} must be a method, got undefined`),
    );
  });

  it("lists a pattern once for each text in which it was written", () => {
    const Users = resource("Users", ["/users/:id", "/users/:id", "/users/:name", "/users/:id?", "/users"]);
    const app = buildOf(Users, Users)();
    expect(app.resources[0]!.patterns.map(({ source }) => source)).toEqual([
      "/users/:id",
      "/users/:name",
      "/users/:id?",
      "/users",
    ]);
  });

  it("takes a class several times inside the same middleware, in the same order", async () => {
    const Users = resource("Users", ["/users"]);
    const group = (prefix: string, ...middleware: (new () => Middleware)[]) =>
      ResourceGroup.builder()
        .resources(Users)
        .prefix(prefix)
        .middleware(...middleware)
        .build();
    const app = buildOf(group("/a", A, B), group("/b", A, B))();
    expect(await app.handle({ url: "/b/users", method: "GET" })).toBe("Users /b/users");
    for (const [other, here] of [
      [group("/b", B, A), "[B, A]"],
      [group("/b", A), "[A]"],
      [group("/b", A, B, B), "[A, B, B]"],
      [group("/b"), "[]"],
      [Users, "[]"],
    ] as const) {
      const message =
        `Cannot add Users to the application: it is there already with other middleware: [A, B], and here ${here}; ` +
        "use one list in both places, or add a subclass here";
      expect(buildOf(group("/a", A, B), other)).toThrow(new TypeError(message));
    }
  });

  it("does not change an application when the builder goes on", async () => {
    class Stop extends Middleware {
      override ALL(): unknown {
        return "stopped";
      }
    }
    const builder = Application.builder().resources(resource("Users", ["/users"]));
    const app = builder.build();
    builder.middleware(Stop).resources(resource("Others", ["/others"]));
    expect(await app.handle({ url: "/users", method: "GET" })).toBe("Users /users");
    expect(await builder.build().handle({ url: "/users", method: "GET" })).toBe("stopped");
  });

  it("takes the static middleware of the class that was made, where that is a subclass", async () => {
    class Stop extends Middleware {
      override ALL(): unknown {
        return "stopped";
      }
    }
    const Users = resource("Users", ["/users"]);
    class Guarded extends Users {
      static middleware = [Stop];
    }
    const app = Application.builder()
      .resources(Users)
      .instantiate(() => new Guarded())
      .build();
    expect(await app.handle({ url: "/users", method: "GET" })).toBe("stopped");
  });

  it("reads static middleware once, also from a getter", () => {
    let reads = 0;
    class Users extends Resource {
      static get middleware() {
        reads++;
        return [A];
      }
    }
    expect(buildOf(Users, Users)().resources[0]!.middleware).toEqual(["A"]);
    expect(reads).toBe(1);
  });

  it("reads static middleware of a class that was made by a function", () => {
    function Old(): unknown {
      return Reflect.construct(Resource, [], Old);
    }
    Old.prototype = Object.create(Resource.prototype, { constructor: { value: Old } });
    Old.middleware = [A];
    expect(buildOf(Old)().resources[0]!.middleware).toEqual(["A"]);
  });

  it("takes an array named middleware that holds something else for the resource's own", () => {
    class Users extends Resource {
      middleware = ["own"];
    }
    expect(buildOf(Users)).not.toThrow();
  });

  it("names a class without a name", () => {
    const anonymous = [class extends native.Resource {}][0]!;
    expect(buildOf(anonymous)).toThrow("Cannot add (anonymous class) to the application");
  });
});

describe("middleware()", () => {
  it("refuses anything but middleware at once", () => {
    expect(() => Application.builder().middleware("auth" as never)).toThrow(
      new TypeError(
        'Cannot add middleware: expected a class, got "auth"' +
          "; write class Name extends Middleware with ALL(input) { return this.next(input); }",
      ),
    );
    class Plain {
      GET(): void {}
    }
    for (const Class of [Plain, Resource, Middleware]) {
      expect(() => Application.builder().middleware(Class as never)).toThrow(
        new TypeError(`Cannot add ${Class.name} as middleware: it must extend Middleware`),
      );
    }
  });
});

describe("resources()", () => {
  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["Users", '"Users"'],
    [{}, "an object"],
    [{ members: [] }, "an object"],
    [{ prefixes: [] }, "an object"],
    [() => {}, "a function"],
    [Symbol, null],
  ])("refuses %o", (member, got) => {
    const act = () => Application.builder().resources(member as never);
    if (got !== null)
      expect(act).toThrow(new TypeError(`Cannot add a resource: expected a class or a built group, got ${got}`));
    else expect(() => act().build()).toThrow(TypeError);
  });
});
