import { bodyLimit } from "fingerpost/middleware/body-limit";
import { rateLimit, type Consumption, type RateLimitOptions } from "fingerpost/middleware/rate-limit";
import { timeout } from "fingerpost/middleware/timeout";
import { Application, HTTPError, Resource, Status } from "fingerpost/modules/http.native.js";
import { Attribute, Middleware, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { conditional } from "fingerpost/native/content";
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterUnion, RLWrapperBlackAndWhite } from "rate-limiter-flexible";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { ask, started } from "../../tests/support/sockets.ts";

const memory = (points = 2, duration = 60): RateLimiterMemory => new RateLimiterMemory({ points, duration });

/** Options for a client whose name the request says. */
function named(limiter: RateLimitOptions["limiter"]): RateLimitOptions {
  return { limiter, keyOf: (input) => new URL((input as Request).url).searchParams.get("client") ?? "somebody" };
}

type App = { fetch(request: Request): Promise<Response> };

/** Status and fields that a client's request gets. */
async function outcome(app: App, client = "ada") {
  const { status, headers } = await app.fetch(requestFor({}, `/items?client=${client}`));
  const [policy, limit, retry] = ["ratelimit-policy", "ratelimit", "retry-after"].map((name) => headers.get(name));
  return { status, policy, limit, retry };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("rateLimit()", () => {
  it("RFC 6585 §4 answers 429 to who asks too often, until the window ends", async () => {
    const app = nativeAround(rateLimit(named(memory())));
    const statusOf = async (): Promise<number> => (await outcome(app)).status;
    expect([await statusOf(), await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 429, 429]);
    vi.advanceTimersByTime(59_999);
    expect(await statusOf()).toBe(429);
    vi.advanceTimersByTime(1);
    expect(await statusOf()).toBe(200);
  });

  it("does not run the handler for who asks too often", async () => {
    const handler = vi.fn(() => new Response());
    const app = nativeAround(rateLimit(named(memory(1))), handler);
    await outcome(app);
    await outcome(app);
    expect(handler).toHaveBeenCalledOnce();
  });

  it("draft-ietf-httpapi-ratelimit-headers-11 §3 §4 has RateLimit-Policy and RateLimit on every response", async () => {
    const app = nativeAround(rateLimit(named(memory())));
    const policy = '"default";q=2;w=60';
    expect(await outcome(app)).toEqual({ status: 200, policy, limit: '"default";r=1;t=60', retry: null });
    vi.advanceTimersByTime(20_500);
    expect(await outcome(app)).toEqual({ status: 200, policy, limit: '"default";r=0;t=40', retry: null });
    expect(await outcome(app)).toEqual({ status: 429, policy, limit: '"default";r=0;t=40', retry: "40" });
  });

  it("draft-ietf-httpapi-ratelimit-headers-11 §3.1 takes name, quota and window from the options", async () => {
    const options = { ...named(memory()), name: 'per "client"', quota: 3, windowSeconds: 90 };
    const { policy, limit } = await outcome(nativeAround(rateLimit(options)));
    expect([policy, limit]).toEqual(['"per \\"client\\"";q=3;w=90', '"per \\"client\\"";r=1;t=60']);
  });

  it("draft-ietf-httpapi-ratelimit-headers-11 §6 has no Retry-After before the window's end", async () => {
    const app = nativeAround(rateLimit(named(memory(1))));
    await outcome(app);
    vi.advanceTimersByTime(100);
    const { limit, retry } = await outcome(app);
    expect([limit, retry]).toEqual(['"default";r=0;t=60', "60"]);
  });

  it("RFC 9110 §10.2.3 has Retry-After on 429 only, and only if there is a time to come back at", async () => {
    const app = nativeAround(rateLimit(named(memory(1, 0))));
    const policy = '"default";q=1';
    expect(await outcome(app)).toEqual({ status: 200, policy, limit: '"default";r=0', retry: null });
    expect(await outcome(app)).toEqual({ status: 429, policy, limit: '"default";r=0', retry: null });
  });

  it("C5.7 has the fields on responses made from errors", async () => {
    const app = nativeAround(rateLimit(named(memory())), () => {
      throw new HTTPError(Status.Conflict, undefined, { headers: { "Retry-After": "7" } });
    });
    expect(await outcome(app)).toMatchObject({ status: 409, limit: '"default";r=1;t=60', retry: "7" });
  });

  it("changes no status that the handler chose", async () => {
    const app = nativeAround(rateLimit(named(memory())), () => new Response(null, { status: 201 }));
    expect((await outcome(app)).status).toBe(201);
  });

  it("counts each client on its own, whatever it is called", async () => {
    const app = nativeAround(rateLimit(named(memory(1))));
    for (const client of ["ada", "bo", "__proto__", "constructor", "toString", "%00"]) {
      expect((await outcome(app, client)).status, client).toBe(200);
      expect((await outcome(app, client)).status, client).toBe(429);
    }
  });

  it("C5.5 counts over all resources that it wraps, and over applications", async () => {
    class One extends Resource {
      paths = ["/one"];
      GET(): Response {
        return new Response();
      }
    }
    class Two extends One {
      paths = ["/two"];
    }
    const Limit = rateLimit(named(memory(2)));
    const group = ResourceGroup.builder().resources(One, Two).middleware(Limit).build();
    const apps = [Application.builder().resources(group).build(), Application.builder().resources(group).build()];
    const statuses: number[] = [];
    for (const app of apps) {
      for (const path of ["/one", "/two"]) statuses.push((await app.fetch(requestFor({}, path))).status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it("draft-ietf-httpapi-ratelimit-headers-11 §3 lists several limits", async () => {
    const limits = [
      rateLimit({ ...named(memory(3)), name: "burst" }),
      rateLimit({ ...named(memory(1, 3600)), name: "hourly" }),
    ];
    const app = nativeAround(limits);
    const first = await outcome(app);
    expect(first.policy!.split(", ").toSorted()).toEqual(['"burst";q=3;w=60', '"hourly";q=1;w=3600']);
    expect(first.limit!.split(", ").toSorted()).toEqual(['"burst";r=2;t=60', '"hourly";r=0;t=3600']);
    const second = await outcome(app);
    expect(second.status).toBe(429);
    expect(second.limit!.split(", ").toSorted()).toEqual(['"burst";r=1;t=60', '"hourly";r=0;t=3600']);
    expect(second.retry).toBe("3600");
  });

  it("C5.7 has each limit once, the last, where middleware outside asks twice, on both chains", async () => {
    class Again extends Middleware {
      async ALL(input: object): Promise<unknown> {
        await Promise.resolve(this.next(input)).catch(() => {});
        return this.next(input);
      }
    }
    const limits = [rateLimit({ ...named(memory(3)), name: "a, b" }), rateLimit({ ...named(memory(5)), name: "c" })];
    const expected = { policy: '"a, b";q=3;w=60, "c";q=5;w=60', limit: '"a, b";r=1;t=60, "c";r=3;t=60' };
    const failing = (): never => {
      throw new HTTPError(Status.Conflict);
    };
    expect(await outcome(nativeAround([Again, ...limits], failing))).toMatchObject({ status: 409, ...expected });
    vi.useRealTimers();
    const limit = (name: string) => rateLimit({ limiter: memory(5), keyOf: () => "somebody", name });
    const server = await started(polyfillAround([Again, limit("a, b"), limit("c")], failing), { onError: () => {} });
    const { status, headers } = await ask(server, { path: "/items" });
    expect([status, headers["ratelimit-policy"], headers["ratelimit"]]).toEqual([
      409,
      '"a, b";q=5;w=60, "c";q=5;w=60',
      '"a, b";r=3;t=60, "c";r=3;t=60',
    ]);
  });

  it("C5.7 has each limit once where conditional() outside asks for the whole after a part", async () => {
    const app = nativeAround([conditional(), rateLimit(named(memory(9)))], ({ headers }) =>
      headers.has("range") ? new Response("a", { status: 206 }) : new Response("all"),
    );
    const { status, headers } = await app.fetch(requestFor({ headers: { range: "bytes=0-0", "if-match": '"z"' } }));
    expect([status, headers.get("ratelimit-policy"), headers.get("ratelimit")]).toEqual([
      412,
      '"default";q=9;w=60',
      '"default";r=7;t=60',
    ]);
  });

  it("C2.5 counts requests that end in 404, when it wraps the application", async () => {
    const app = Application.builder()
      .middleware(rateLimit(named(memory(1))))
      .build();
    expect(await outcome(app)).toMatchObject({ status: 404, limit: '"default";r=0;t=60' });
    expect(await outcome(app)).toMatchObject({ status: 429, limit: '"default";r=0;t=60' });
  });

  it("works inside middleware that awaits", async () => {
    class Slow extends Middleware {
      async ALL(input: object): Promise<unknown> {
        await Promise.resolve();
        return this.next(input);
      }
    }
    const app = nativeAround([Slow, rateLimit(named(memory(1))), Slow]);
    expect((await outcome(app)).limit).toBe('"default";r=0;t=60');
    expect(await outcome(app)).toMatchObject({ status: 429, limit: '"default";r=0;t=60', retry: "60" });
  });

  it("is 503 where the store fails and the limiter has no insurance, and the observer gets the cause", async () => {
    const error = new Error("the store cannot be reached");
    const seen: unknown[] = [];
    const limiter = { points: 1, consume: () => Promise.reject(error) };
    const app = nativeAround(rateLimit(named(limiter)), undefined, (reason) => void seen.push(reason));
    expect(await outcome(app)).toMatchObject({ status: 503, retry: "5" });
    expect(seen).toMatchObject([{ status: 503, cause: error }]);
  });

  it("takes a window that has just ended", async () => {
    const consumption = { remainingPoints: 0, msBeforeNext: 0 };
    const limiter = { points: 1, consume: () => Promise.reject(consumption) };
    expect(await outcome(nativeAround(rateLimit(named(limiter))))).toMatchObject({
      status: 429,
      limit: '"default";r=0;t=0',
      retry: "0",
    });
  });

  it.each([
    ["X-Forwarded-For", "203.0.113.7, 198.51.100.2"],
    ["Forwarded", "for=203.0.113.7, for=198.51.100.2"],
  ] as const)("counts by the address that trusted proxies wrote to %s", async (forwardedHeader, value) => {
    const limiter = memory(1);
    const consume = vi.spyOn(limiter, "consume");
    const Limit = rateLimit({ limiter, address: () => "192.0.2.1", trustedHops: 1, forwardedHeader });
    await nativeAround(Limit).fetch(requestFor({ headers: { [forwardedHeader]: value } }));
    expect(consume).toHaveBeenCalledWith("198.51.100.2");
  });

  it("takes a union of limiters, and says what the tightest leaves", async () => {
    const union = new RateLimiterUnion(memory(), new RateLimiterMemory({ keyPrefix: "b", points: 1, duration: 9 }));
    const app = nativeAround(rateLimit({ ...named(union), quota: 1 }));
    const passed = await app.fetch(requestFor());
    expect([passed.status, passed.headers.get("ratelimit")]).toEqual([200, expect.stringMatching(/;r=0;t=9$/)]);
    expect((await app.fetch(requestFor())).status).toBe(429);
  });

  it("refuses what says nothing of a client", async () => {
    const seen: unknown[] = [];
    const silent = { consume: async () => ({}) } as unknown as RateLimitOptions["limiter"];
    const app = nativeAround(rateLimit({ ...named(silent), quota: 2 }), undefined, (reason) => void seen.push(reason));
    expect((await outcome(app)).status).toBe(500);
    expect(String(seen[0])).toBe(
      "TypeError: Cannot limit the rate: expected remainingPoints and msBeforeNext from consume(), got an object",
    );
  });

  it("refuses a key that is none, which would make one client of all", async () => {
    for (const key of [undefined, null, "", 7]) {
      const seen: unknown[] = [];
      const Limit = rateLimit({ limiter: memory(), keyOf: () => key as string });
      const app = nativeAround(Limit, undefined, (reason) => void seen.push(reason));
      expect((await outcome(app)).status).toBe(500);
      expect(String(seen[0])).toContain('Cannot limit the rate: expected a text from "keyOf", got');
    }
  });

  it("takes a key that comes later", async () => {
    const keys: string[] = [];
    const limiter = {
      points: 1,
      async consume(key: string): Promise<Consumption> {
        keys.push(key);
        return { remainingPoints: 0.5, msBeforeNext: 1 };
      },
    };
    const app = nativeAround(rateLimit({ limiter, keyOf: async () => "later" }));
    expect((await outcome(app)).limit).toBe('"default";r=0;t=1');
    expect(keys).toEqual(["later"]);
  });

  it("works with a bursty limiter", async () => {
    const limiter = new BurstyRateLimiter(memory(1), memory(1, 120));
    const app = nativeAround(rateLimit({ ...named(limiter), quota: 2 }));
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await outcome(app)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("C5.5 passes functions and handler the same in and outside of middleware that replaces the input", async () => {
    const keys: string[] = [];
    const limiter = {
      consume: async (key: string) => (keys.push(key), { remainingPoints: 1, msBeforeNext: 1 }),
      points: 1,
    };
    type Hosted = Request & { readonly ip: string };
    const replacing = [timeout({ timeoutMs: 1000 }), bodyLimit({ maxBytes: 9 })];
    for (const options of [{}, { address: ({ ip }: Hosted) => ip }, { keyOf: ({ ip }: Hosted) => ip }]) {
      const limit = rateLimit<Hosted>({ limiter, ...options });
      for (const middleware of [
        [limit, ...replacing],
        [...replacing, limit],
      ]) {
        const app = nativeAround(middleware, (request) => new Response((request as unknown as Hosted).ip));
        const request = requestFor({ method: "PUT", body: "content" });
        Object.defineProperty(request, "ip", { get: () => "192.0.2.1", enumerable: true });
        expect(await (await app.fetch(request)).text()).toBe("192.0.2.1");
      }
    }
    expect(keys).toEqual(Array.from({ length: 6 }, () => "192.0.2.1"));
  });

  it("RFC 9651 §3.3.1 takes a limiter that bounds nothing, or lets some through", async () => {
    const most = '"default";r=999999999999999';
    const letThrough = new RLWrapperBlackAndWhite({ limiter: memory(1), whiteList: ["ada"] });
    const app = nativeAround(rateLimit({ ...named(letThrough), quota: 1 }));
    expect(await outcome(app)).toMatchObject({ status: 200, limit: `${most};t=0` });
    expect(await outcome(app)).toMatchObject({ status: 200, limit: `${most};t=0` });
    const consume = async (): Promise<Consumption> => ({ remainingPoints: Infinity, msBeforeNext: Infinity });
    const boundless = nativeAround(rateLimit({ ...named({ consume }), quota: 1 }));
    expect(await outcome(boundless)).toMatchObject({ status: 200, limit: most });
  });

  it("takes nothing at all for a failure, whether it is given or thrown", async () => {
    const seen: unknown[] = [];
    const failing = async (consume: () => Promise<never>): Promise<number> => {
      const Limit = rateLimit(named({ consume, points: 1 }));
      return (await outcome(nativeAround(Limit, undefined, (reason) => void seen.push(reason)))).status;
    };
    expect(await failing(async () => undefined as never)).toBe(500);
    expect(await failing(() => Promise.reject(undefined))).toBe(503);
    const message = "Cannot limit the rate: expected remainingPoints and msBeforeNext from consume(), got undefined";
    expect(seen).toMatchObject([new TypeError(message), { status: 503, cause: undefined }]);
  });

  it("RFC 9651 §3.3.1 C7.4 refuses a quota or a window that no field can carry, from options and limiter alike", () => {
    const limiter = memory();
    const refusal = "must be a number of at most 15 digits, got 1000000000000000";
    for (const option of ["quota", "windowSeconds"]) {
      expect(refusalOf(() => rateLimit({ limiter, [option]: 1e15 }))).toContain(`"${option}" ${refusal}`);
      expect(rateLimit({ limiter, [option]: 1e15 - 1 })).toBeTypeOf("function");
    }
    const { consume } = limiter;
    expect(refusalOf(() => rateLimit({ limiter: { consume, points: 1e15 } }))).toContain(`"quota" ${refusal}`);
  });

  it("C7.4 says what an option must be", () => {
    const limiter = memory();
    const wrong = (options: object): string => refusalOf(() => rateLimit({ limiter, ...options } as RateLimitOptions));
    expect(wrong({ address: "192.0.2.1" })).toContain('"address" must be an Attribute or a function, got "192.0.2.1"');
    expect(wrong({ forwardedHeader: "X-Real-IP", trustedHops: 1 })).toContain(
      '"forwardedHeader" must be "X-Forwarded-For" or "Forwarded", got "X-Real-IP"',
    );
    for (const [option, value] of [
      ["trustedHops", 1],
      ["forwardedHeader", "Forwarded"],
    ] as const) {
      expect(wrong({ keyOf: () => "", [option]: value })).toContain(
        `"${option}" must be absent where "keyOf" is given, got`,
      );
    }
  });

  it("C7.4 names the option that is wrong", () => {
    const limiter = memory();
    const wrong = (options: object): string => refusalOf(() => rateLimit(options as RateLimitOptions));
    expect(wrong({})).toContain('its option "limiter" must be an object with a method consume()');
    expect(wrong({ limiter: {} })).toContain('"limiter"');
    expect(wrong({ limiter: { consume() {} } })).toContain('"quota"');
    expect(wrong({ limiter, quota: -1 })).toContain('"quota"');
    expect(wrong({ limiter, windowSeconds: 0.5 })).toContain('"windowSeconds"');
    for (const name of ["", "é", "a\nb", 5]) expect(wrong({ limiter, name })).toContain('"name"');
    expect(wrong({ limiter, keyOf: "ip" })).toContain('"keyOf"');
    for (const address of ["192.0.2.1", null, {}]) expect(wrong({ limiter, address })).toContain('"address"');
    for (const trustedHops of [-1, true, 1.5]) expect(wrong({ limiter, trustedHops })).toContain('"trustedHops"');
    expect(wrong({ limiter, forwardedHeader: "X-Real-IP" })).toContain('"forwardedHeader"');
    for (const trustedHops of [undefined, 0]) {
      expect(wrong({ limiter, forwardedHeader: "Forwarded", trustedHops })).toBe(
        'Cannot call rateLimit(): its option "trustedHops" must be at least 1 where "forwardedHeader" is given, got ' +
          String(trustedHops),
      );
    }
    for (const option of [{ address: () => "" }, { trustedHops: 1 }, { forwardedHeader: "Forwarded" }]) {
      expect(wrong({ limiter, keyOf: () => "", ...option })).toContain(`"${Object.keys(option)[0]}"`);
    }
    expect(wrong({ limiter, max: 5 })).toContain("max");
  });
});

describe("rateLimit() over a socket", () => {
  beforeEach(() => void vi.useRealTimers());

  const address = new Attribute<string>("address");

  it.each([
    ["native", () => nativeAround(rateLimit({ limiter: memory(1), address }))],
    ["polyfill", () => polyfillAround(rateLimit({ limiter: memory(1) }))],
    ["polyfill with an attribute", () => polyfillAround(rateLimit({ limiter: memory(1), address }))],
  ] as const)("counts by the address of the client, by the chain %s", async (_, create) => {
    const server = await started(create(), { address });
    const spoofed = (n: number) => ({ "x-forwarded-for": `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` });
    const first = await ask(server, { path: "/items", headers: spoofed(1) });
    const second = await ask(server, { path: "/items", headers: spoofed(2) });
    expect([first.status, second.status]).toEqual([200, 429]);
    expect([first.headers["ratelimit-policy"], first.headers["ratelimit"]]).toEqual([
      '"default";q=1;w=60',
      '"default";r=0;t=60',
    ]);
    expect(second.headers).toMatchObject({ ratelimit: '"default";r=0;t=60', "retry-after": "60" });
    expect(first.headers["retry-after"]).toBeUndefined();
    expect(JSON.parse(second.text)).toEqual({ title: "Too Many Requests", status: 429 });
  });
});
