import { HTTPError, ResourceGroup } from "fingerpost/modules/http.native.js";
import { Middleware, type ParamsOf } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, vi } from "vitest";
import { ask, chains, rejectionOf, statusOf, thrownBy, type Handled } from "../support/chains.ts";

const methods = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"] as const;
const words = "get Get PURGE PROPFIND QUERY ALL PATHS paths constructor __proto__ toString params handle next";
const strangers = words.split(" ").concat("", " GET", "GET ", "GET\0", "X".repeat(10_000));

describe.each(chains)("$name", (chain) => {
  const { Application, Resource, inputOf } = chain;

  it("C3.1 has no paths by default, and then cannot be reached", async () => {
    class Hidden extends Resource {}
    expect(new Resource().paths).toEqual([]);
    const request = ask(chain, Hidden);
    for (const target of ["/", "", "*", "/Hidden", "/undefined"])
      expect(await statusOf(request("GET", target))).toBe(404);
  });

  it("C3.1 has nine handlers with one parameter, whose default throws HTTPError 501", () => {
    const resource = new Resource();
    const handlers = Object.getOwnPropertyNames(Object.getPrototypeOf(Resource.prototype)).filter(
      (name) => name !== "constructor",
    );
    expect(handlers.toSorted()).toEqual(methods);
    for (const method of methods) {
      expect(resource[method]).toHaveLength(1);
      let error: unknown;
      try {
        resource[method]({});
      } catch (caught) {
        error = caught;
      }
      expect(error).toBeInstanceOf(HTTPError);
      expect(error).toMatchObject({ status: 501, statusText: "Not Implemented", message: "Not Implemented" });
    }
  });

  it("C3.1 calls the handler named after the method", async () => {
    class Echo extends Resource {
      paths = ["/"];
      CONNECT = (): string => "CONNECT";
      DELETE = (): string => "DELETE";
      GET = (): string => "GET";
      HEAD = (): string => "HEAD";
      OPTIONS = (): string => "OPTIONS";
      PATCH = (): string => "PATCH";
      POST = (): string => "POST";
      PUT = (): string => "PUT";
      TRACE = (): string => "TRACE";
    }
    const request = ask(chain, Echo);
    for (const method of methods) expect(await request(method, "/")).toBe(method);
  });

  it("C3.1 calls handlers on the resource", async () => {
    class Counter extends Resource {
      paths = ["/"];
      #count = 0;
      GET(_input: unknown): unknown {
        return ++this.#count;
      }
    }
    const request = ask(chain, Counter);
    expect([await request("GET", "/"), await request("GET", "/")]).toEqual([1, 2]);
  });

  it("C3.2 answers 501 to HEAD and OPTIONS where only GET is implemented", async () => {
    class Page extends Resource {
      paths = ["/"];
      GET(_input: unknown): unknown {
        return "page";
      }
    }
    const request = ask(chain, Page);
    for (const method of methods) expect(await statusOf(request(method, "/"))).toBe(method === "GET" ? "page" : 501);
  });

  it("C3.2 takes other defaults from a base class of the user's", async () => {
    class Polite extends Resource {
      HEAD(input: unknown): unknown {
        return this.GET(input);
      }
      OPTIONS(_input: unknown): unknown {
        return "GET, HEAD";
      }
    }
    class Page extends Polite {
      paths = ["/"];
      GET(_input: unknown): unknown {
        return "page";
      }
    }
    const request = ask(chain, Page);
    expect(await request("HEAD", "/")).toBe("page");
    expect(await request("OPTIONS", "/")).toBe("GET, HEAD");
    expect(await statusOf(request("POST", "/"))).toBe(501);
  });

  describe("a method token that is not one of the nine", () => {
    const run = vi.fn();
    class Trap extends Middleware {
      constructor() {
        super();
        for (const name of strangers.filter((token) => !["constructor", "__proto__", "next"].includes(token))) {
          Object.defineProperty(this, name, { value: run });
        }
      }
    }
    const made: object[] = [];
    class Guarded extends Resource {
      paths = ["/guarded", "/users/:id"];
      constructor() {
        super();
        made.push(this);
      }
    }
    class Free extends Guarded {
      paths = ["/free"];
    }
    const group = ResourceGroup.builder().resources(Guarded).middleware(Trap).build();
    /** Has resources get such methods after build(), which refuses some of them. */
    const build = (builder: ReturnType<typeof Application.builder>) => {
      const app = builder.build();
      for (const resource of made.splice(0)) {
        for (const name of strangers.filter((token) => !["constructor", "__proto__", "paths"].includes(token))) {
          Object.defineProperty(resource, name, { value: run });
        }
      }
      return app;
    };

    it.each(strangers.map((token) => [token.slice(0, 20), token]))(
      "C3.3 %j is 501 on a path that matches, 404 on one that does not",
      async (_name, token) => {
        run.mockClear();
        const app = build(Application.builder().resources(group, Free));
        for (const path of ["/guarded", "/users/7", "/free"]) {
          expect(await statusOf(app.handle(inputOf(token, path)))).toBe(501);
        }
        expect(await statusOf(app.handle(inputOf(token, "/nothing")))).toBe(404);
        expect(run).not.toHaveBeenCalled();
      },
    );

    it("C3.3 reaches application-wide middleware, which gets the 501 from next()", async () => {
      const caught: unknown[] = [];
      class Log extends Middleware {
        ALL(input: unknown): unknown {
          try {
            return this.next(input);
          } catch (error) {
            caught.push((error as HTTPError).status);
            throw error;
          }
        }
      }
      run.mockClear();
      const app = build(Application.builder().resources(group, Free).middleware(Log));
      for (const token of strangers) expect(await statusOf(app.handle(inputOf(token, "/guarded")))).toBe(501);
      expect(caught).toEqual(strangers.map(() => 501));
      expect(run).not.toHaveBeenCalled();
    });
  });

  it("C3.3 matches the nine case-sensitively", async () => {
    class Echo extends Resource {
      paths = ["/"];
      GET(_input: unknown): unknown {
        return "GET";
      }
    }
    const app = Application.builder().resources(Echo).build();
    expect(await app.handle({ url: "/", method: "GET" })).toBe("GET");
    for (const method of ["get", "gET", "ＧＥＴ"]) expect(await statusOf(app.handle({ url: "/", method }))).toBe(501);
  });

  describe("handlers", () => {
    class Base extends Resource {
      GET(_input: unknown): unknown {
        return "inherited";
      }
    }
    class Item extends Base {
      paths = ["/item/:id"];
      PUT = (input: Handled): unknown => `field ${input.params.pathParam("id")}`;
    }

    it("C3.4 may be inherited, and may be class fields", async () => {
      const request = ask(chain, Item);
      expect(await request("GET", "/item/7")).toBe("inherited");
      expect(await request("PUT", "/item/7")).toBe("field 7");
    });

    it("C3.4 are wrapped by middleware either way", async () => {
      class Mark extends Middleware {
        ALL(input: unknown): unknown {
          return `<${String(this.next(input))}>`;
        }
      }
      const group = ResourceGroup.builder().resources(Item).middleware(Mark).build();
      const app = Application.builder().resources(group).build();
      expect(await app.handle(inputOf("GET", "/item/7"))).toBe("<inherited>");
      expect(await app.handle(inputOf("PUT", "/item/7"))).toBe("<field 7>");
    });

    it("C3.4 must be functions, or build() refuses the class", () => {
      class Broken extends Resource {
        paths = ["/"];
        GET = 5 as never;
      }
      expect(() => Application.builder().resources(Broken).build()).toThrow(
        new TypeError("Cannot add Broken to the application: its GET must be a method, got 5"),
      );
    });

    const returning = (value: unknown) =>
      class extends Resource {
        paths = ["/"];
        GET(_input: unknown): unknown {
          return value;
        }
      };

    it("C3.5 may be sync or async; thenables are awaited", async () => {
      // oxlint-disable-next-line unicorn/no-thenable -- the subject of this test
      const thenable = { then: (resolve: (value: string) => void) => resolve("then") };
      class Throwing {
        // oxlint-disable-next-line unicorn/no-thenable -- the subject of this test
        get then(): never {
          throw "from then";
        }
      }
      expect(await ask(chain, returning("sync"))("GET", "/")).toBe("sync");
      expect(await ask(chain, returning(Promise.resolve("async")))("GET", "/")).toBe("async");
      expect(await ask(chain, returning(thenable))("GET", "/")).toBe("then");
      expect(await rejectionOf(ask(chain, returning(new Throwing()))("GET", "/"))).toBe("from then");
    });
  });

  describe("a class that cannot work as it is meant", () => {
    const message = (Class: new () => InstanceType<typeof Resource>): string =>
      thrownBy(() => Application.builder().resources(Class).build()).message;
    const accepted = (Class: new () => InstanceType<typeof Resource>): number =>
      Application.builder().resources(Class).build().resources.length;
    const GET = (): unknown => "got";

    it("C3.1 is not a mistake with a handler and no paths: nothing reaches it", () => {
      class Users extends Resource {
        GET = GET;
      }
      class Inherits extends Users {}
      class Nothing extends Resource {}
      for (const Class of [Users, Inherits, Nothing]) expect(accepted(Class)).toBe(1);
    });

    it("C3.7 has path, route, or static paths, in place of paths", () => {
      class One extends Resource {
        path = "/one";
        GET = GET;
      }
      class Two extends Resource {
        route = "/two";
        GET = GET;
      }
      class Three extends Resource {
        static path = "/three";
        GET = GET;
      }
      for (const [Class, name] of [
        [One, "path"],
        [Two, "route"],
        [Three, "path"],
      ] as const) {
        expect(message(Class)).toBe(
          `Cannot add ${Class.name} to the application: its ${name} has no effect; write paths`,
        );
      }
      class Silent extends Resource {
        path = "/silent";
      }
      expect(accepted(Silent)).toBe(1);
      class Download extends Resource {
        path = "/var/files";
        paths = ["/files"];
        GET = GET;
      }
      expect(accepted(Download)).toBe(1);
      class Static extends Resource {
        paths = ["/one"];
      }
      Object.defineProperty(Static, "paths", { value: ["/static"] });
      class Inherits extends Static {}
      for (const Class of [Static, Inherits]) {
        expect(message(Class)).toBe(
          `Cannot add ${Class.name} to the application: its static paths has no effect; write paths`,
        );
      }
    });

    it("C3.7 has a method that no request calls, named like a handler that it lacks", () => {
      class Lower extends Resource {
        paths = ["/"];
        get(): void {}
      }
      expect(message(Lower)).toBe(
        "Cannot add Lower to the application: no request calls its get(); write GET(), or rename it",
      );
      class Field extends Lower {
        GET = GET;
        Delete = (): void => {};
      }
      expect(message(Field)).toBe(
        "Cannot add Field to the application: no request calls its Delete(); write DELETE(), or rename it",
      );
      class Helpers extends Lower {
        GET = GET;
        post = "a path";
        all(): void {}
      }
      expect(accepted(Helpers)).toBe(1);
    });

    it("C3.7 has ALL(), which is for middleware, and not every handler", () => {
      class All extends Resource {
        paths = ["/"];
        GET = GET;
      }
      Object.defineProperty(All.prototype, "ALL", { value: GET, configurable: true });
      expect(message(All)).toBe(
        "Cannot add All to the application: no request calls its ALL(); write each method by its name, or rename it",
      );
      class Every extends All {
        CONNECT = GET;
        DELETE = GET;
        HEAD = GET;
        OPTIONS = GET;
        PATCH = GET;
        POST = GET;
        PUT = GET;
        TRACE = GET;
      }
      expect(accepted(Every)).toBe(1);
    });

    it("C3.7 has a constructor that requires parameters, unless instantiate() passes them", () => {
      class Books extends Resource {
        paths = ["/books"];
        readonly title: string;
        constructor(title: string) {
          super();
          this.title = title;
        }
      }
      const builder = Application.builder().resources(Books);
      expect(thrownBy(() => builder.build()).message).toBe(
        "Cannot add Books to the application: its constructor requires parameters; pass them by instantiate(), " +
          "or give each a default",
      );
      expect(builder.instantiate(() => new Books("Emma")).build().resources).toHaveLength(1);
      class Defaults extends Resource {
        constructor(_clock: unknown = Date, ..._more: unknown[]) {
          super();
        }
      }
      expect(accepted(Defaults)).toBe(1);
    });

    it("C3.7 has ^ or $ as an assertion in the constraint of a param, but not in a class nor escaped", () => {
      const withPath = (path: string) =>
        class Users extends Resource {
          paths = [path];
        };
      for (const path of ["/:id(^\\d+)", "/:id(\\d+$)?", "/v:id(a|b$)-:x", "/:id((?!$).*)"]) {
        expect(message(withPath(path)), path).toMatch(
          /^Cannot parse path pattern of Users: the constraint of a param is anchored already; leave out "[$^]"/,
        );
      }
      for (const path of ["/:id([^0-9$]+)", "/:id(\\^\\$)", "/([0-9]$)", "/(^/a)"]) {
        expect(accepted(withPath(path)), path).toBe(1);
      }
    });
  });

  // What the compiler refuses is in tests/types/; here, what it accepts is what there is.
  it("C3.6 infers the names and types of path params from paths written as const", async () => {
    class Book extends Resource {
      override paths = ["/books/:id", "/shelves/:shelf(\\w+)/:id/:page?"] as const;
      override GET({ params }: { readonly params: ParamsOf<Book> }): unknown {
        const id: string = params.pathParam("id");
        const shelf: string | undefined = params.pathParam("shelf");
        const page: string | undefined = params.pathParam("page");
        // @ts-expect-error -- no pattern has it
        return [id, shelf, page, params.pathParam("isbn")];
      }
    }
    const request = ask(chain, Book);
    expect(await request("GET", "/books/7")).toEqual(["7", undefined, undefined, undefined]);
    expect(await request("GET", "/shelves/top/7")).toEqual(["7", "top", undefined, undefined]);
    expect(await request("GET", "/shelves/top/7/2")).toEqual(["7", "top", "2", undefined]);
  });
});
