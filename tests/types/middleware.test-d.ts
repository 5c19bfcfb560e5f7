import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import type { NodeContext } from "fingerpost/servers/node.js";
import { describe, expectTypeOf, it } from "vitest";

describe("Middleware", () => {
  it("C5.1 gives by next() what handlers of the native door give, without a cast", () => {
    class Stamp extends native.Middleware {
      async ALL(request: native.RequestOf): Promise<Response> {
        expectTypeOf(this.next(request)).toEqualTypeOf<Response | Promise<Response>>();
        expectTypeOf(request.params).toEqualTypeOf<native.Params>();
        const response = await this.next(request);
        response.headers.set("x-stamp", "1");
        return response;
      }
      GET(request: Request): Response | Promise<Response> {
        return this.next(request);
      }
    }
    native.ResourceGroup.builder().middleware(Stamp);
  });

  it("C5.1 gives by next() what handlers of the polyfill door give", () => {
    class Stamp extends polyfill.Middleware {
      ALL(context: polyfill.ContextOf<polyfill.Routed, NodeContext>): unknown {
        context.response.setHeader("x-stamp", "1");
        expectTypeOf(this.next(context)).toEqualTypeOf<unknown>();
        return this.next(context);
      }
    }
    polyfill.ResourceGroup.builder().middleware(Stamp);
  });

  it("C5.1 refuses handlers that are no functions, ask for next, or give no Response", () => {
    class Five extends native.Middleware {
      // @ts-expect-error -- a number
      ALL = 5;
    }
    class Next extends native.Middleware {
      // @ts-expect-error -- next is a method
      ALL(_request: Request, next: () => Response): Response {
        return next();
      }
    }
    class Nothing extends native.Middleware {
      // @ts-expect-error -- no Response
      GET(request: Request): void {
        void this.next(request);
      }
    }
    class Missing extends native.Middleware {
      ALL(): Response | Promise<Response> {
        // @ts-expect-error -- the input is missing
        return this.next();
      }
    }
    void [Five, Next, Nothing, Missing];
  });

  it("C5.1 reads of a resource what it may declare: nothing is known of it, or what is asked for, each of it absent or there", () => {
    interface Cached {
      freshForSeconds: number;
    }
    class Fresh extends native.Middleware {
      async GET(request: native.RequestOf): Promise<Response> {
        const response = await this.next(request);
        const anything = this.resourceOf(request)?.freshForSeconds ?? 0;
        expectTypeOf(anything).toEqualTypeOf<{}>();
        response.headers.set("Cache-Control", `max-age=${anything}`);

        const resource = this.resourceOf<Cached>(request);
        expectTypeOf(resource?.freshForSeconds).toEqualTypeOf<number | undefined>();
        // @ts-expect-error -- there may be no resource
        void resource.freshForSeconds;
        // @ts-expect-error -- a wrong name
        void resource?.freshFor;
        // @ts-expect-error -- another's property
        resource!.freshForSeconds = 5;
        return response;
      }
    }
    class Logged extends polyfill.Middleware {
      ALL(context: polyfill.ContextOf): unknown {
        expectTypeOf(this.resourceOf<{ quiet: boolean }>(context)?.quiet).toEqualTypeOf<boolean | undefined>();
        // @ts-expect-error -- no object
        this.resourceOf<string>(context);
        return this.next(context);
      }
    }
    void [Fresh, Logged];
  });

  it("C5.5 can be made by a factory, for either door", () => {
    function limit(max: number): native.MiddlewareClass {
      let count = 0;
      return class Limit extends native.Middleware {
        ALL(request: native.RequestOf): Response | Promise<Response> {
          if (++count > max) throw new native.HTTPError(native.Status.TooManyRequests);
          return this.next(request);
        }
      };
    }
    native.Application.builder().middleware(limit(5));
    polyfill.Application.builder().middleware(limit(5));
  });
});

describe("Attribute", () => {
  it("C5.6 carries its type from set() to get() and find(), without a cast", () => {
    const user = new native.Attribute<{ readonly name: string }>("user");
    const input = new Request("http://localhost");
    user.set(input, { name: "Ada" });
    expectTypeOf(user.get(input)).toEqualTypeOf<{ readonly name: string }>();
    expectTypeOf(user.find(input)).toEqualTypeOf<{ readonly name: string } | undefined>();
    // @ts-expect-error -- another type
    user.set(input, "Ada");
    // @ts-expect-error -- no input
    user.get("Ada");
    expectTypeOf(new native.Attribute("anything").get(input)).toEqualTypeOf<unknown>();
  });
});
