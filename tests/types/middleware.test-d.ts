import { basic, type BasicOptions } from "fingerpost/middleware/basic";
import { bearer, type BearerOptions } from "fingerpost/middleware/bearer";
import { bodyLimit, type BodyLimitOptions } from "fingerpost/middleware/body-limit";
import type { CompressOptions } from "fingerpost/middleware/compress";
import { cookies, type CookieAttributes, type CookiesOptions } from "fingerpost/middleware/cookies";
import { cors, type AllowOrigin, type CorsOptions } from "fingerpost/middleware/cors";
import type { CsrfOptions } from "fingerpost/middleware/csrf";
import { jwt, type JwtOptions } from "fingerpost/middleware/jwt";
import { log, type LogOptions } from "fingerpost/middleware/log";
import { rateLimit, type RateLimitOptions } from "fingerpost/middleware/rate-limit";
import { requestId, type RequestIdOptions } from "fingerpost/middleware/request-id";
import { secureHeaders, type SecureHeadersOptions } from "fingerpost/middleware/secure-headers";
import type { TimeoutOptions } from "fingerpost/middleware/timeout";
import type { TraceOptions } from "fingerpost/middleware/trace";
import type { ConditionalOptions, negotiate } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import type { NodeContext } from "fingerpost/node";
import { describe, expectTypeOf, it } from "vitest";

describe("Middleware", () => {
  it("C5.1 gives by next() what handlers of the native chain give, without a cast", () => {
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

  it("C5.1 gives by next() what handlers of the polyfill chain give", () => {
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

  it("C5.1 reads what a resource may declare: nothing is known, or what is asked for, absent or there", () => {
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

  it("C5.9 is restricted to methods by on(), with the type that it had", () => {
    class Stamp extends native.Middleware {
      static readonly field = "x-stamp";
      ALL(request: native.RequestOf): Response | Promise<Response> {
        return this.next(request);
      }
    }
    expectTypeOf(Stamp.on("POST", "PUT")).toEqualTypeOf<typeof Stamp>();
    class Own extends Stamp.on("POST") {
      override ALL(request: native.RequestOf): Response | Promise<Response> {
        return super.ALL(request);
      }
    }
    const limiter = { consume: async () => ({ remainingPoints: 1, msBeforeNext: 1 }) };
    const limit = rateLimit({ limiter, keyOf: () => "x" }).on("POST");
    expectTypeOf(limit).toEqualTypeOf<native.MiddlewareClass>();
    native.Application.builder().middleware(Stamp.on("GET"), Own, limit, limit.on("POST"));
    polyfill.Application.builder().middleware(cors({ origins: "*" }).on("GET", "OPTIONS"));
    class Item extends native.Resource {
      static middleware = [limit, Stamp.on("PUT")];
    }
    // @ts-expect-error -- another case
    Stamp.on("post");
    // @ts-expect-error -- no method
    Stamp.on("ALL");
    // @ts-expect-error -- an array
    limit.on(["GET"]);
    void Item;
  });

  it("C5.5 can be made by a factory, for either chain", () => {
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

describe("functions in options of ready-made middleware", () => {
  interface Context extends NodeContext {
    readonly tenant: string;
  }
  const rules = { algorithms: ["HS256"], issuer: "i", audience: "a", key: new Uint8Array(32) };
  const limiter = { consume: async () => ({ remainingPoints: 1, msBeforeNext: 1 }) };

  it("are given a Request, which has params where a pattern matched", () => {
    rateLimit({
      limiter,
      keyOf: (request) => {
        expectTypeOf(request).toEqualTypeOf<native.ReceivedRequest>();
        // @ts-expect-error -- no pattern may have matched
        void request.params.pattern;
        return request.headers.get("x-client") ?? request.params?.pattern ?? "nobody";
      },
    });
    rateLimit({ limiter, address: (request) => request.headers.get("cf-connecting-ip") });
    cors({ origins: (origin, request) => origin === new URL(request.url).origin });
    cors({ origins: async (_, request) => request.headers.has("x") });
    log({ write: (entry, request) => console.log(entry.status, request.headers.get("user-agent")) });
    requestId({
      trust: (request) => request.headers.has("x-proxy"),
      generate: (request) => request.headers.get("x-id") ?? "none",
    });
    secureHeaders({ https: (request) => request.headers.get("x-forwarded-proto") === "https" });
    basic({ realm: "x", verify: (user, password, request) => user + password === request.headers.get("x") });
    const user = new native.Attribute<{ readonly name: string }>("user");
    bearer({ verify: (token, request) => ({ name: token + request.url }), identity: user });
    bearer<string>({ verify: (token, request) => token + request.url });
    bearer({ verify: async (name, request) => (request.params === undefined ? null : { name }), identity: user });
  });

  it("are given what one of them names, wherever it stands among the others", () => {
    const context = ({ tenant }: Context): string => tenant;
    rateLimit({ limiter, keyOf: (input: Context) => input.tenant });
    rateLimit({ limiter, address: (input: Context) => input.request.socket.remoteAddress });
    requestId({
      trust: (input) => {
        expectTypeOf(input).toEqualTypeOf<Context>();
        return true;
      },
      generate: context,
    });
    requestId({ generate: context, trust: (input) => input.tenant === "a" });
    requestId({ generate: (input: Context) => input.tenant, trust: (input: Context) => input.tenant === "a" });
    requestId<Context>({ generate: (input) => input.tenant });
    cors({ origins: (origin, input: Context) => origin === input.tenant });
    log({ write: (_, input: Context) => input.tenant });
    secureHeaders({ https: (input: Context) => input.tenant === "a" });
    basic({ realm: "x", verify: (user, _, input: Context) => user === input.tenant });
    bearer({ verify: (_, input: Context) => input.tenant });
    bearer<string, Context>({ verify: (_, input) => input.tenant });
    bearer({ verify: (token) => token, token: (input: Context) => input.tenant });
    jwt({ ...rules, token: (input: Context) => input.tenant });
  });

  it("take a token from a Request, which may have none", () => {
    const user = new native.Attribute<string>("user");
    bearer({ tokens: { a: "Ada" }, identity: user, optional: true, token: (request) => request.headers.get("x-key") });
    jwt({ ...rules, optional: true, scheme: "Token", token: (request) => request.params?.queryParam("token") });
    const options: JwtOptions = { ...rules, token: ({ headers }) => headers.get("x-key") };
    jwt(options);
    class Who extends native.Resource {
      paths = ["/who"];
      GET(request: Request): Response {
        expectTypeOf(user.find(request)).toEqualTypeOf<string | undefined>();
        // @ts-expect-error -- nobody may be known
        return new Response(user.find(request).length);
      }
    }
    void Who;
    // @ts-expect-error -- it is not waited for
    bearer({ verify: (token) => token, token: async () => "x" });
  });

  it("may say Request, RequestOf or object", () => {
    rateLimit({ limiter, keyOf: (request: Request) => request.url });
    rateLimit({ limiter, keyOf: (request: native.RequestOf) => request.params.pattern });
    rateLimit({ limiter, keyOf: (input: object) => String(input) });
    // @ts-expect-error -- no input is a string
    rateLimit({ limiter, keyOf: (input: string) => input });
    // @ts-expect-error -- a client without the field would have no name
    rateLimit({ limiter, keyOf: (request) => request.headers.get("x-client") });
  });

  it("can be written in options that have a type", () => {
    const limits: RateLimitOptions = { limiter, keyOf: (request) => request.url };
    const ids: RequestIdOptions = { trust: (request) => request.headers.has("x-proxy") };
    const contexts: RequestIdOptions<Context> = { generate: (input) => input.tenant };
    const origins: CorsOptions = { origins: (_, request) => request.headers.has("x") };
    const allow: AllowOrigin = (_, request) => request.headers.has("x");
    const lines: LogOptions = { write: (_, request) => request.url };
    const fields: SecureHeadersOptions = { https: (request) => request.url !== "" };
    const names: BasicOptions = { realm: "x", verify: (_user, _password, request) => request.url !== "" };
    const tokens: BearerOptions<string> = { verify: (_, request) => request.url };
    const all = [
      rateLimit(limits),
      requestId(ids),
      requestId(contexts),
      cors(origins),
      cors({ origins: allow }),
      log(lines),
    ];
    const guards = [secureHeaders(fields), basic(names), bearer(tokens), log(), requestId(), secureHeaders()];
    native.Application.builder().middleware(...all, ...guards);
    polyfill.Application.builder().middleware(...all, ...guards);
  });
});

/** The options that can be left out, but not be undefined, as a setting that is not there is. */
type Strict<Options> = {
  [Name in keyof Options]-?: {} extends Pick<Options, Name>
    ? undefined extends Required<Options>[Name]
      ? never
      : Name
    : never;
}[keyof Options];

describe("options of ready-made middleware", () => {
  it("may be undefined, as if they were not given", () => {
    expectTypeOf<Strict<{ a?: string; b?: number | undefined; c: boolean }>>().toEqualTypeOf<"a">();
    expectTypeOf<Strict<BasicOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<BearerOptions<string>>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<BodyLimitOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<CompressOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<ConditionalOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<CookiesOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<CookieAttributes>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<CorsOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<CsrfOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<JwtOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<LogOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<NonNullable<Parameters<typeof negotiate>[0]>>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<RateLimitOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<RequestIdOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<SecureHeadersOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<TimeoutOptions>>().toEqualTypeOf<never>();
    expectTypeOf<Strict<TraceOptions>>().toEqualTypeOf<never>();
  });

  it("come from settings that may be absent", () => {
    const config: { maxAge?: number; domain?: string; realm?: string; limit?: number } = {};
    cors({ origins: "*", preflightMaxAgeSeconds: config.maxAge });
    cookies({ attributes: { domain: config.domain, maxAgeSeconds: config.maxAge } });
    bearer({ tokens: { a: "Ada" }, realm: config.realm });
    // @ts-expect-error -- an option that is needed
    bodyLimit({ maxBytes: config.limit });
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
