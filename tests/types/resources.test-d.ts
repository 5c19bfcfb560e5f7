import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { describe, expectTypeOf, it } from "vitest";

class Books extends native.Resource {
  paths = ["/books/:id?"] as const;
}
class Guard extends native.Middleware {}
class Leaf extends polyfill.Resource {}
class Passing extends polyfill.Middleware {}

describe("Resource", () => {
  it("C3.1 takes an array of strings as paths, constant or not", () => {
    class Constant extends native.Resource {
      paths = ["/a", "/b"] as const;
    }
    class Plain extends native.Resource {
      paths = ["/a", "/b"];
    }
    class Inherited extends Plain {
      override paths = ["/c"];
    }
    native.Application.builder().resources(Constant, Plain, Inherited);
  });

  it("C3.1 refuses paths that are no array of strings", () => {
    class Text extends native.Resource {
      // @ts-expect-error -- a string
      paths = "/books";
    }
    class PolyfillText extends polyfill.Resource {
      // @ts-expect-error -- a string
      paths = "/books" as const;
    }
    class Numbers extends polyfill.Resource {
      // @ts-expect-error -- numbers
      paths = [1, 2];
    }
    class Expressions extends native.Resource {
      // @ts-expect-error -- regular expressions
      paths = [/books/];
    }
    void [Text, PolyfillText, Numbers, Expressions];
  });

  it("C3.4 takes handlers that are methods, class fields, synchronous or not, with or without a parameter", () => {
    class Item extends native.Resource {
      GET(): Response {
        return new Response();
      }
      async PUT(_request: Request): Promise<Response> {
        return new Response();
      }
      POST = (_request: native.RequestOf): Response => new Response();
      DELETE(_request: native.RequestOf): never {
        throw new native.HTTPError(native.Status.Conflict);
      }
    }
    expectTypeOf<Item>().toExtend<native.Resource>();
  });

  it("C3.1 refuses handlers that are no functions, ask for more than the input, or give no Response", () => {
    class Five extends native.Resource {
      // @ts-expect-error -- a number
      GET = 5;
    }
    class Text extends polyfill.Resource {
      // @ts-expect-error -- a string
      DELETE = "deleted";
    }
    class PolyfillTwo extends polyfill.Resource {
      // @ts-expect-error -- a second parameter
      GET(_context: object, _next: unknown): unknown {
        return true;
      }
    }
    class Two extends native.Resource {
      // @ts-expect-error -- a second parameter
      GET(_request: Request, _next: unknown): Response {
        return new Response();
      }
    }
    class Nothing extends native.Resource {
      // @ts-expect-error -- no Response
      GET(): void {}
    }
    class Words extends native.Resource {
      // @ts-expect-error -- a Promise of no Response
      async GET(): Promise<string> {
        return "hello";
      }
    }
    void [Five, Text, PolyfillTwo, Two, Nothing, Words];
  });

  it("C3.2 can fall back on the default, which gives what handlers give", () => {
    class Item extends native.Resource {
      override async GET(request: native.RequestOf<Books>): Promise<Response> {
        return request.params.pathParam("id") === undefined ? super.GET(request) : new Response();
      }
      override PUT(request: native.RequestOf): Response | Promise<Response> {
        return super.PUT(request);
      }
    }
    expectTypeOf<Item>().toExtend<native.Resource>();
  });

  it("lets handlers of the polyfill chain give anything", () => {
    class Item extends polyfill.Resource {
      GET(): void {}
      PUT(): number {
        return 5;
      }
      async POST(): Promise<string> {
        return "posted";
      }
    }
    expectTypeOf<Item>().toExtend<polyfill.Resource>();
  });
});

describe("what nothing reads", () => {
  it("C3.7 is refused: static paths, and ALL", () => {
    // @ts-expect-error -- of the class
    class Static extends native.Resource {
      static paths = ["/books"];
    }
    class All extends native.Resource {
      // @ts-expect-error -- for middleware
      ALL(): Response {
        return new Response();
      }
    }
    class Field extends polyfill.Resource {
      // @ts-expect-error -- for middleware
      ALL = (): unknown => true;
    }
    void [Static, All, Field];
  });

  it("C3.7 may be a method that handlers call, whatever its name", () => {
    class Item extends native.Resource {
      path = "/var/items";
      get(): Response {
        return new Response(this.path);
      }
      GET(): Response {
        return this.get();
      }
    }
    expectTypeOf<Item>().toExtend<native.Resource>();
  });
});

describe("static middleware", () => {
  it("C5.8 takes an array of middleware classes, constant or not", () => {
    class Item extends native.Resource {
      static middleware = [Guard];
    }
    class Constant extends polyfill.Resource {
      static readonly middleware = [Passing] as const;
    }
    class Sub extends Item {
      static override middleware = [];
    }
    native.Application.builder().resources(Item, Sub);
    polyfill.Application.builder().resources(Constant);
  });

  it("C5.8 refuses what is not an array of middleware classes", () => {
    // @ts-expect-error -- a class
    class One extends native.Resource {
      static middleware = Guard;
    }
    // @ts-expect-error -- an instance
    class Instance extends native.Resource {
      static middleware = [new Guard()];
    }
    // @ts-expect-error -- a resource
    class Other extends polyfill.Resource {
      static middleware = [Leaf];
    }
    void [One, Instance, Other];
  });
});

describe("builders", () => {
  it("C2.1 take classes, groups and arrays of them", () => {
    const group = native.ResourceGroup.builder().resources(Books, [Books]).prefix("/a", "/b").middleware(Guard).build();
    const app = native.Application.builder()
      .resources(group, [Books, [group]])
      .middleware(Guard)
      .build();
    expectTypeOf(app).toEqualTypeOf<native.Application>();
    expectTypeOf(app.handle).returns.toEqualTypeOf<Promise<Response>>();
    expectTypeOf(app.fetch).returns.toEqualTypeOf<Promise<Response>>();
    expectTypeOf(polyfill.Application.builder().build().handle).returns.toEqualTypeOf<Promise<unknown>>();
  });

  it("C2.1 refuse an instance where a class is due", () => {
    // @ts-expect-error -- an instance
    native.Application.builder().resources(new Books());
    // @ts-expect-error -- an instance, in an array
    polyfill.Application.builder().resources([new Books()]);
    // @ts-expect-error -- an instance
    native.ResourceGroup.builder().resources(new Books());
    // @ts-expect-error -- an instance
    polyfill.ResourceGroup.builder().resources(new Leaf());
    // @ts-expect-error -- an instance
    polyfill.Application.builder().middleware(new Passing());
    // @ts-expect-error -- an instance
    native.Application.builder().middleware(new Guard());
    // @ts-expect-error -- an instance
    native.ResourceGroup.builder().middleware(new Guard());
  });

  it("C2.1 refuse what is neither", () => {
    // @ts-expect-error -- a class, but no resource
    native.Application.builder().resources(Date);
    // @ts-expect-error -- a function
    native.Application.builder().resources(() => new Books());
    // @ts-expect-error -- a path
    native.Application.builder().resources("/books");
    // @ts-expect-error -- a resource is no middleware
    native.Application.builder().middleware(Books);
    // @ts-expect-error -- middleware is no resource
    native.Application.builder().resources(Guard);
    // @ts-expect-error -- not a prefix
    native.ResourceGroup.builder().prefix(/api/);
    // @ts-expect-error -- neither "strict" nor "ignore"
    native.Application.builder().trailingSlash("lenient");
  });

  it("C2.1 refuse a class that cannot be constructed, and take one whose constructor has parameters", () => {
    abstract class Titled extends native.Resource {
      abstract title(): string;
      GET(): Response {
        return new Response(this.title());
      }
    }
    class Hidden extends polyfill.Resource {
      protected constructor() {
        super();
      }
    }
    class Shelf extends Titled {
      readonly #title: string;
      constructor(books: readonly string[]) {
        super();
        this.#title = books.join();
      }
      title(): string {
        return this.#title;
      }
    }
    // @ts-expect-error -- without a title
    native.Application.builder().resources(Titled);
    // @ts-expect-error -- in a group
    native.ResourceGroup.builder().resources([Titled]);
    // @ts-expect-error -- by subclasses only
    polyfill.Application.builder().resources(Hidden);
    native.Application.builder().resources(Shelf);
  });

  it("C2.1 refuse a resource of the other module", () => {
    class Mixed extends polyfill.Resource {
      GET(): Response {
        return new Response();
      }
    }
    // @ts-expect-error -- of the polyfill module
    native.Application.builder().resources(Leaf);
    // @ts-expect-error -- of the polyfill module, whatever it returns
    native.Application.builder().resources([Books, [Mixed]]);
    // @ts-expect-error -- of the native module
    polyfill.Application.builder().resources(Leaf, Books);

    const books: (new () => native.Resource)[] = [Books];
    native.Application.builder().resources(books, ...books);
    // Groups do not say what is in them: build() refuses it.
    native.Application.builder().resources(native.ResourceGroup.builder().resources(Leaf).build());
  });

  it("C2.6 give instantiate() the class, and take an instance", () => {
    native.Application.builder().instantiate((Class) => new Class());
    // @ts-expect-error -- the class
    native.Application.builder().instantiate((Class) => Class);
  });

  it("C2.8 have onError() on the native chain only", () => {
    native.Application.builder().onError((error, request) => {
      expectTypeOf(error).toEqualTypeOf<unknown>();
      expectTypeOf(request).toEqualTypeOf<native.ReceivedRequest>();
      expectTypeOf(request.params?.pattern).toEqualTypeOf<string | undefined>();
      // @ts-expect-error -- no pattern may have matched
      void request.params.pattern;
      return new Response();
    });
    native.Application.builder().onError((_error: unknown, _request: Request) => {});
    const report: native.OnError = () => {};
    void report(new Error("late"), new Request("http://localhost"));
    // @ts-expect-error -- that of a server is an option of the server
    polyfill.Application.builder().onError(() => {});
  });
});

describe("HTTPError", () => {
  it("C7.1 takes a registered status code, or its constant", () => {
    expectTypeOf(new native.HTTPError(native.Status.NotFound).status).toEqualTypeOf<number>();
    expectTypeOf(native.Status.NotFound.status).toEqualTypeOf<404>();
    expectTypeOf(new native.HTTPError(404).status).toEqualTypeOf<number>();
    // @ts-expect-error -- nobody has registered it
    void new native.HTTPError(499);
    // @ts-expect-error -- there is no such status
    void native.Status.Teapot;
  });
});
