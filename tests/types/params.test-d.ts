import { Resource, type RequestOf } from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import type { NodeContext } from "fingerpost/node";
import { describe, expectTypeOf, it } from "vitest";
import type { Params, ParamsOf } from "../../src/dispatch/params.ts";

type Paths<List extends readonly string[]> = ParamsOf<{ readonly paths: List }>;
declare function paramsOf<const List extends readonly string[]>(...paths: List): Paths<List>;

describe("pathParam()", () => {
  it("C3.6 gives a string for params that are required, affixed, constrained, or one or more segments", () => {
    expectTypeOf(paramsOf("/books/:id").pathParam("id")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/orgs/:org/repos/:repo").pathParam("org")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/orgs/:org/repos/:repo/").pathParam("repo")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/:file.:extension").pathParam("extension")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/v:major-:minor").pathParam("major")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/@:user").pathParam("user")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/:id(\\d+)").pathParam("id")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/:id([)(]|\\)|(?:a(b)))/:sub").pathParam("sub")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/:id(\\d+).json").pathParam("id")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/files/:path+").pathParam("path")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/v2/:name+/blobs/:digest").pathParam("name")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/v2/:name+/blobs/:digest").pathParam("digest")).toEqualTypeOf<string>();
  });

  it("C3.6 gives a string or undefined for params that are optional, or zero or more segments", () => {
    expectTypeOf(paramsOf("/books/:id?").pathParam("id")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf("/:a?/:b?/:c?").pathParam("b")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf("/:id(\\d+)?").pathParam("id")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf("/files/:path*").pathParam("path")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf("/files/*").pathParam("0")).toEqualTypeOf<string | undefined>();
  });

  it("C3.6 reads expressions by number, in order", () => {
    const params = paramsOf("/(\\d+)-(a|\\(b\\))/:name/([^/]+)/*");
    expectTypeOf(params.pathParam("0")).toEqualTypeOf<string>();
    expectTypeOf(params.pathParam("1")).toEqualTypeOf<string>();
    expectTypeOf(params.pathParam("2")).toEqualTypeOf<string>();
    expectTypeOf(params.pathParam("3")).toEqualTypeOf<string | undefined>();
    // @ts-expect-error -- there are four
    params.pathParam("4");
  });

  it("C3.6 gives a string or undefined for a name that only some of the patterns have", () => {
    const params = paramsOf("/books/:id", "/books/:id/:page?", "/shelves/:shelf/:id");
    expectTypeOf(params.pathParam("id")).toEqualTypeOf<string>();
    expectTypeOf(params.pathParam("page")).toEqualTypeOf<string | undefined>();
    expectTypeOf(params.pathParam("shelf")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf("/", "/:id").pathParam("id")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf("/a/:id?", "/b/:id").pathParam("id")).toEqualTypeOf<string | undefined>();
  });

  it("C3.6 refuses a name that no pattern has", () => {
    // @ts-expect-error -- the param is named id
    paramsOf("/books/:id").pathParam("name");
    // @ts-expect-error -- the question mark is not part of the name
    paramsOf("/books/:id?").pathParam("id?");
    // @ts-expect-error -- an escaped colon begins no param
    paramsOf("/books\\:id").pathParam("id");
    // @ts-expect-error -- nor does one inside an expression
    paramsOf("/((?:id))").pathParam("id");
    // @ts-expect-error -- there are no params
    paramsOf("/books").pathParam("0");
    // @ts-expect-error -- without paths it cannot be reached
    paramsOf().pathParam("id");
    // @ts-expect-error -- a number is not a name
    paramsOf("/(.*)").pathParam(0);
  });

  it("C3.6 takes any string where patterns are not known, and may give undefined", () => {
    const list: string[] = [];
    const base: string = "/v1";
    expectTypeOf(paramsOf(...list)).toEqualTypeOf<Params>();
    expectTypeOf(paramsOf(...list).pathParam("id")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf(`/:id/${base}` as const).pathParam("any")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf(`/:id/${base}` as const).pathParam("id")).toEqualTypeOf<string>();
    expectTypeOf(paramsOf("/:id", `${base}` as const).pathParam("id")).toEqualTypeOf<string | undefined>();
    expectTypeOf(paramsOf(`/${base}/:id` as const).pathParam("id")).toEqualTypeOf<string>();
    // @ts-expect-error -- in front of a param it is taken for text
    paramsOf(`/${base}/:id` as const).pathParam("any");
  });

  it("C3.6 knows the params of prefixes", () => {
    type InTenant = ParamsOf<{ readonly paths: readonly ["/:id", "/(a)"] }, "/:tenant/(b)" | "/:tenant">;
    const params = null! as InTenant;
    expectTypeOf(params.pathParam("tenant")).toEqualTypeOf<string>();
    expectTypeOf(params.pathParam("id")).toEqualTypeOf<string | undefined>();
    expectTypeOf(params.pathParam("1")).toEqualTypeOf<string | undefined>();
    // @ts-expect-error -- no pattern has three expressions
    params.pathParam("2");
  });

  it("C3.6 reads forty params and an expression of 200 characters", () => {
    const twenty = "/:a0/:a1/:a2/:a3/:a4/:a5/:a6/:a7/:a8/:a9/:b0/:b1/:b2/:b3/:b4/:b5/:b6/:b7/:b8/:b9";
    const more = "/:c0/:c1/:c2/:c3/:c4/:c5/:c6/:c7/:c8/:c9/:d0/:d1/:d2/:d3/:d4/:d5/:d6/:d7/:d8/:d9";
    const digits = "0123456789|0123456789|0123456789|0123456789|0123456789|0123456789|0123456789|0123456789|0123456789";
    const params = paramsOf(`${twenty}${more}/((?:${digits}|${digits}))` as const);
    expectTypeOf(params.pathParam("d9")).toEqualTypeOf<string>();
    expectTypeOf(params.pathParam("0")).toEqualTypeOf<string>();
  });
});

describe("segments()", () => {
  it("C3.6 takes the names that pathParam() takes, and gives an array", () => {
    expectTypeOf(paramsOf("/files/:path+").segments("path")).toEqualTypeOf<string[]>();
    expectTypeOf(paramsOf("/files/:path*").segments("path", "any")).toEqualTypeOf<string[]>();
    expectTypeOf(paramsOf("/files/*").segments("0")).toEqualTypeOf<string[]>();
    const list: string[] = [];
    expectTypeOf(paramsOf(...list).segments("path")).toEqualTypeOf<string[]>();
    // @ts-expect-error -- the param is named path
    paramsOf("/files/:path+").segments("file");
    // @ts-expect-error -- there is one other word
    paramsOf("/files/:path+").segments("path", "all");
  });
});

describe("handlers", () => {
  it("C3.6 get a request with these params by RequestOf, also without a return type", () => {
    class Book extends Resource {
      paths = ["/books/:id/:page?"] as const;
      GET(request: RequestOf<Book>) {
        expectTypeOf(request).toExtend<Request>();
        expectTypeOf(request.params.pathParam("id")).toEqualTypeOf<string>();
        expectTypeOf(request.params.pathParam("page")).toEqualTypeOf<string | undefined>();
        expectTypeOf(request.params.queryParam("any")).toEqualTypeOf<string | undefined>();
        expectTypeOf(request.params.pattern).toEqualTypeOf<string>();
        return Response.json(request.params.pathParam("id"));
      }
      PUT = async ({ params }: RequestOf<Book>): Promise<Response> => {
        // @ts-expect-error -- a wrong name
        return new Response(params.pathParam("isbn"));
      };
      DELETE({ params }: RequestOf<Book, "/:tenant">): Response {
        return new Response(params.pathParam("tenant"));
      }
    }
    expectTypeOf<Book["GET"]>().returns.toEqualTypeOf<Response>();
  });

  it("C3.6 get a context with these params by ContextOf", () => {
    class Book extends polyfill.Resource {
      paths = ["/books/:id"] as const;
      GET(context: polyfill.ContextOf<Book>): void {
        expectTypeOf(context).toExtend<polyfill.Input>();
        expectTypeOf(context.params.pathParam("id")).toEqualTypeOf<string>();
        // @ts-expect-error -- a wrong name
        context.params.pathParam("isbn");
      }
      PUT(context: polyfill.ContextOf<Book, NodeContext>): unknown {
        return context.response.end(context.params.pathParam("id"));
      }
    }
    expectTypeOf<Book>().toExtend<polyfill.Resource>();
  });

  it("C3.6 can pass what they get to functions that know less of it", () => {
    class Book extends Resource {
      paths = ["/books/:id", "/:shelf/:id?"] as const;
      GET(request: RequestOf<Book>): Response {
        expectTypeOf(request).toExtend<RequestOf>();
        expectTypeOf(request.params).toExtend<Params>();
        expectTypeOf<polyfill.ContextOf<Book, NodeContext>>().toExtend<polyfill.ContextOf<never, NodeContext>>();
        return new Response();
      }
    }
    expectTypeOf<RequestOf<Book>>().toExtend<{ readonly params: Params }>();
  });

  it("C3.6 are inherited where the base says what the paths of subclasses have in common", () => {
    class Fixed extends Resource {
      paths = ["/books/:isbn"] as const;
    }
    class Refused extends Fixed {
      // @ts-expect-error -- these are not the paths of the base (TS2416)
      override paths = ["/drafts/:isbn"] as const;
    }
    class Book extends Resource {
      paths: readonly `/${string}/:isbn`[] = ["/books/:isbn"];
      GET({ params }: RequestOf<Book>): Response {
        expectTypeOf(params.pathParam("isbn")).toEqualTypeOf<string>();
        // @ts-expect-error -- a wrong name
        return new Response(params.pathParam("id"));
      }
    }
    class Draft extends Book {
      override paths = ["/drafts/:isbn", "/authors/:author/drafts/:isbn"] as const;
      PUT({ params }: RequestOf<Draft>): Response {
        expectTypeOf(params.pathParam("author")).toEqualTypeOf<string | undefined>();
        return new Response(params.pathParam("isbn"));
      }
    }
    class Paged extends Book {
      // @ts-expect-error -- what the base reads must be there
      override paths = ["/drafts/:isbn?"] as const;
    }
    class Open extends Resource {
      paths: readonly string[] = ["/books/:isbn"];
      GET({ params }: RequestOf<Open>): Response {
        return new Response(params.pathParam("whatever") ?? "none");
      }
    }
    class Closed extends Open {
      override paths = ["/drafts/:isbn"] as const;
      PUT({ params }: RequestOf<Closed>): Response {
        return new Response(params.pathParam("isbn"));
      }
    }
    for (const One of [Refused, Draft, Paged, Closed]) expectTypeOf(new One()).toExtend<Resource>();
  });

  it("C3.6 lose nothing where paths is a plain array", () => {
    class Book extends Resource {
      paths = ["/books/:id"];
      GET(request: RequestOf<Book>): Response {
        expectTypeOf(request.params).toEqualTypeOf<Params>();
        return new Response(request.params.pathParam("whatever") ?? "none");
      }
    }
    expectTypeOf<RequestOf<Book>>().toEqualTypeOf<RequestOf>();
  });
});

describe("renaming a param", () => {
  it("C3.6 turns every use of the old name into an error", () => {
    class Before extends Resource {
      paths = ["/authors/:author/books/:id"] as const;
      GET({ params }: RequestOf<Before>): Response {
        return new Response(params.pathParam("id"));
      }
      PUT({ params }: RequestOf<Before>): Response {
        return new Response(titleOf(params) + params.pathParam("author"));
      }
    }
    function titleOf(params: ParamsOf<Before>): string {
      return params.pathParam("id");
    }

    class After extends Resource {
      paths = ["/authors/:author/books/:isbn"] as const;
      GET({ params }: RequestOf<After>): Response {
        // @ts-expect-error -- id is isbn now
        return new Response(params.pathParam("id"));
      }
      PUT({ params }: RequestOf<After>): Response {
        return new Response(newTitleOf(params) + params.pathParam("author"));
      }
    }
    function newTitleOf(params: ParamsOf<After>): string {
      // @ts-expect-error -- here, too
      return params.pathParam("id");
    }
    expectTypeOf<After>().toExtend<Resource>();
  });

  it("C3.6 does so on the polyfill chain, in destructured params, class fields and functions", () => {
    class Before extends polyfill.Resource {
      paths = ["/authors/:author/books/:id?"] as const;
      GET({ params, response }: polyfill.ContextOf<Before, NodeContext>): unknown {
        return response.end(params.pathParam("id"));
      }
      DELETE = (context: polyfill.ContextOf<Before>): unknown => context.params.pathParam("id");
      PUT(context: polyfill.ContextOf<Before, NodeContext>): unknown {
        return titleOf(context) + context.params.pathParam("author");
      }
    }
    function titleOf({ params }: polyfill.ContextOf<Before>): string | undefined {
      return params.pathParam("id");
    }

    class After extends polyfill.Resource {
      paths = ["/authors/:author/books/:isbn?"] as const;
      GET({ params, response }: polyfill.ContextOf<After, NodeContext>): unknown {
        // @ts-expect-error -- id is isbn now
        return response.end(params.pathParam("id"));
      }
      // @ts-expect-error -- here, too
      DELETE = (context: polyfill.ContextOf<After>): unknown => context.params.pathParam("id");
      PUT(context: polyfill.ContextOf<After, NodeContext>): unknown {
        return newTitleOf(context) + context.params.pathParam("author");
      }
    }
    function newTitleOf({ params }: polyfill.ContextOf<After>): string | undefined {
      // @ts-expect-error -- and here
      return params.pathParam("id");
    }
    expectTypeOf<After>().toExtend<polyfill.Resource>();
  });
});
