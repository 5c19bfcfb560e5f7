import {
  Application as DeclaredApplication,
  reply,
  Resource as DeclaredResource,
  text as declaredText,
} from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asked, askedInGroup, askedOnNode, type Ask } from "../../tests/middleware/asked.ts";
import { cors, type CorsOptions } from "./cors.ts";

const origin = "https://app.example";
const handlers = {
  GET: () => new Response("a", { headers: { "content-type": "text/csv" } }),
  OPTIONS: () => new Response("own options"),
};
const preflight = { method: "OPTIONS", headers: { origin, "access-control-request-method": "PUT" } };

function allowed({ headers }: Response): string | null {
  return headers.get("access-control-allow-origin");
}

async function allowedFor(ask: Ask, from: string, path = "/"): Promise<string | null> {
  return allowed(await ask({ path, headers: { origin: from } }));
}

describe("cors()", () => {
  it("Fetch §3.3.3 allows an origin that is listed, and no other", async () => {
    const ask = asked(handlers, cors({ origins: [origin, "https://b.example"] }));
    expect(await allowedFor(ask, origin)).toBe(origin);
    expect(await allowedFor(ask, "https://b.example")).toBe("https://b.example");
    expect(await allowedFor(ask, "https://c.example")).toBeNull();
    expect(allowed(await ask())).toBeNull();
  });

  it("compares origins as whole texts: no suffix, no other port or scheme, no list", async () => {
    const ask = asked(handlers, cors({ origins: ["https://app.example"] }));
    for (const other of [
      "https://evil-app.example",
      "https://app.example.evil",
      "https://appxexample",
      "https://sub.app.example",
      "http://app.example",
      "https://app.example:8443",
      "https://APP.example",
      "https://app.example/",
      "https://app.example, https://app.example",
      "null",
      "",
      "*",
    ]) {
      expect(await allowedFor(ask, other), other).toBeNull();
    }
    expect(await allowedFor(ask, origin)).toBe(origin);
  });

  it("Fetch §3.3.3 allows everyone with *, without Vary", async () => {
    const ask = asked(handlers, cors({ origins: "*" }));
    const response = await ask({ headers: { origin } });
    expect([allowed(response), response.headers.get("vary")]).toEqual(["*", null]);
    expect(allowed(await ask())).toBe("*");
    expect(await allowedFor(ask, "null")).toBe("*");
  });

  it("asks a function, also about null, and takes nothing but true for a yes", async () => {
    const seen: string[] = [];
    const answers: Record<string, unknown> = { [origin]: true, "https://b.example": "yes", null: 1 };
    const decide = async (text: string) => {
      seen.push(text);
      return answers[text] as boolean;
    };
    const ask = asked(handlers, cors({ origins: decide }));
    expect(await allowedFor(ask, origin)).toBe(origin);
    expect(await allowedFor(ask, "https://b.example")).toBeNull();
    expect(await allowedFor(ask, "null")).toBeNull();
    expect(await allowedFor(ask, "not an origin")).toBeNull();
    expect(seen).toEqual([origin, "https://b.example", "null"]);
    const sandboxes = asked(handlers, cors({ origins: (text) => text === "null" }));
    expect(await allowedFor(sandboxes, "null")).toBe("null");
  });

  it("RFC 9110 §12.5.5 appends Origin to the Vary of each response, not to the Vary of the request", async () => {
    const ask = asked({ GET: () => new Response("a", { headers: { vary: "Accept" } }) }, cors({ origins: [origin] }));
    for (const from of [origin, "https://c.example", null]) {
      const headers: Record<string, string> = from === null ? {} : { origin: from, vary: "X-Evil" };
      expect((await ask({ headers })).headers.get("vary")).toBe("Accept, Origin");
    }
  });

  it("Fetch §3.3.5 allows credentials to who is allowed only", async () => {
    const ask = asked(handlers, cors({ origins: [origin], credentials: true }));
    const credentials = async (from: string) =>
      (await ask({ headers: { origin: from } })).headers.get("access-control-allow-credentials");
    expect(await credentials(origin)).toBe("true");
    expect(await credentials("https://c.example")).toBeNull();
    expect(
      (await asked(handlers, cors({ origins: [origin] }))({ headers: { origin } })).headers.has(
        "access-control-allow-credentials",
      ),
    ).toBe(false);
  });

  it("Fetch §3.3.3 exposes fields to who is allowed only, and not in a preflight", async () => {
    const ask = asked(handlers, cors({ origins: [origin], exposeHeaders: ["ETag", "X-Request-Id"] }));
    const exposed = async (init: RequestInit) => (await ask(init)).headers.get("access-control-expose-headers");
    expect(await exposed({ headers: { origin } })).toBe("ETag, X-Request-Id");
    expect(await exposed({ headers: { origin: "https://c.example" } })).toBeNull();
    expect(await exposed(preflight)).toBeNull();
  });

  it("Fetch §3.3.3 exposes ETag, or what it is told to", async () => {
    const exposed = async (exposeHeaders?: string[], from = origin): Promise<string | null> => {
      const { headers } = await asked(
        handlers,
        cors({ origins: [origin], exposeHeaders }),
      )({ headers: { origin: from } });
      return headers.get("access-control-expose-headers");
    };
    expect(await exposed()).toBe("ETag");
    expect(await exposed([])).toBeNull();
    expect(await exposed(["X-A"])).toBe("X-A");
    expect(await exposed(undefined, "https://evil.example")).toBeNull();
  });

  it("Fetch §3.3.3 exposes the fields that an operation declares for its answers", async () => {
    class Books extends DeclaredResource {
      override paths = ["/items"] as const;
      static GET = { 200: { content: declaredText(), headers: { "X-Total": z.int() } } };
      override GET(): ReturnType<typeof reply> {
        return reply(200, "books", { "X-Total": 5 });
      }
    }
    const app = DeclaredApplication.builder()
      .resources(Books as never)
      .middleware(cors({ origins: [origin] }))
      .build();
    const { headers } = await app.fetch(new Request("http://localhost/items", { headers: { origin } }));
    expect(headers.get("access-control-expose-headers")).toBe("ETag, X-Total");
  });

  it("Fetch §3.3.3 answers a preflight with 204, without the handler", async () => {
    const ask = asked(handlers, cors({ origins: [origin], credentials: true, preflightMaxAgeSeconds: 600 }));
    const { status, headers, body } = await ask({
      ...preflight,
      headers: { ...preflight.headers, "access-control-request-headers": "content-type,x-a" },
    });
    expect([status, body]).toEqual([204, null]);
    expect(Object.fromEntries(headers)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, HEAD, PUT, PATCH, POST, DELETE",
      "access-control-allow-headers": "content-type, x-a",
      "access-control-max-age": "600",
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    });
  });

  it("Fetch §3.3.3 says in a preflight no more than it was told, or asked", async () => {
    const { headers } = await asked(handlers, cors({ origins: [origin] }))(preflight);
    expect([...headers.keys()].toSorted()).toEqual([
      "access-control-allow-methods",
      "access-control-allow-origin",
      "vary",
    ]);
  });

  it("Fetch §3.3.2 distinguishes a preflight from OPTIONS alone, which passes", async () => {
    const ask = asked(handlers, cors({ origins: [origin] }));
    for (const headers of [{}, { origin }, { "access-control-request-method": "PUT" }]) {
      const response = await ask({ method: "OPTIONS", headers });
      expect(await response.text()).toBe("own options");
      expect(response.headers.get("vary")).toBe("Origin");
    }
    const get = await ask({ headers: preflight.headers });
    expect(await get.text()).toBe("a");
  });

  it("Fetch §4.8 reveals nothing to a preflight from elsewhere", async () => {
    const ask = asked(handlers, cors({ origins: [origin], preflightMaxAgeSeconds: 5 }));
    const { status, headers } = await ask({
      ...preflight,
      headers: { ...preflight.headers, origin: "https://c.example" },
    });
    expect(status).toBe(204);
    expect([...headers.keys()]).toEqual(["vary"]);
  });

  it("allows the methods and fields that it is told to, whatever is asked for", async () => {
    const ask = asked(handlers, cors({ origins: [origin], methods: ["PUT", "PATCH"], allowHeaders: ["X-A", "X-B"] }));
    const { headers } = await ask({
      ...preflight,
      headers: { ...preflight.headers, "access-control-request-headers": "x-c" },
    });
    expect(headers.get("access-control-allow-methods")).toBe("PUT, PATCH");
    expect(headers.get("access-control-allow-headers")).toBe("X-A, X-B");
    const none = await asked(
      handlers,
      cors({ origins: [origin], allowHeaders: [] }),
    )({
      ...preflight,
      headers: { ...preflight.headers, "access-control-request-headers": "x-b" },
    });
    expect(none.headers.has("access-control-allow-headers")).toBe(false);
  });

  it("returns only field names of the names that are asked for, in linear time", async () => {
    const ask = asked(handlers, cors({ origins: [origin] }));
    const headersFor = async (value: string) =>
      (
        await ask({ ...preflight, headers: { ...preflight.headers, "access-control-request-headers": value } })
      ).headers.get("access-control-allow-headers");
    expect(await headersFor('x-a, b c, x:y, ,"x", x-d')).toBe("x-a, x-d");
    // No more of them: Deno's Headers take quadratic time for spaces.
    expect(await headersFor(` ,\t,${" ".repeat(16_000)}x-a`)).toBe("x-a");
    expect((await headersFor("x,".repeat(500_000)))?.length).toBe(3 * 500_000 - 2);
  });

  it("Private Network Access §3.2 allows it only if told to, and asked, by an origin that is allowed", async () => {
    const field = "access-control-allow-private-network";
    const asking = {
      ...preflight,
      headers: { ...preflight.headers, "access-control-request-private-network": "true" },
    };
    const ask = asked(handlers, cors({ origins: [origin], privateNetwork: true }));
    expect((await ask(asking)).headers.get(field)).toBe("true");
    expect((await ask(asking)).headers.get("vary")).toContain(", Access-Control-Request-Private-Network");
    expect((await ask(preflight)).headers.has(field)).toBe(false);
    expect(
      (await ask({ ...asking, headers: { ...asking.headers, origin: "https://c.example" } })).headers.has(field),
    ).toBe(false);
    expect((await asked(handlers, cors({ origins: [origin] }))(asking)).headers.has(field)).toBe(false);
  });

  it("C5.7 has the fields on responses made from errors: 404, 501, 500", async () => {
    const ask = asked(
      {
        GET: () => {
          throw new Error("x");
        },
      },
      cors({ origins: [origin], credentials: true, exposeHeaders: ["X-A"] }),
    );
    for (const [status, init] of [
      [404, { path: "/nowhere" }],
      [501, { method: "POST" }],
      [500, {}],
    ] as const) {
      const response = await ask({ ...init, headers: { origin } });
      expect([response.status, allowed(response)]).toEqual([status, origin]);
      expect(response.headers.get("access-control-allow-credentials")).toBe("true");
      expect(response.headers.get("vary")).toBe("Origin");
    }
  });

  it("answers preflights for paths that lead nowhere, so that scripts can read the 404", async () => {
    expect((await asked({}, cors({ origins: [origin] }))({ ...preflight, path: "/nowhere" })).status).toBe(204);
  });

  it("answers preflights in a group, although OPTIONS is not implemented", async () => {
    const ask = askedInGroup({ PUT: () => new Response("a") }, cors({ origins: [origin] }));
    expect((await ask(preflight)).status).toBe(204);
    expect((await ask({ ...preflight, path: "/nowhere" })).status).toBe(404);
    expect((await ask({ method: "OPTIONS", headers: { origin } })).status).toBe(501);
  });

  it("does the same on Node", async () => {
    const own = { GET: ({ response }: { response: { end(text: string): unknown } }) => response.end("a") };
    const Cors = cors({ origins: [origin], credentials: true, exposeHeaders: ["ETag"] });
    const fields = { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" };
    expect(await askedOnNode({ headers: { origin } }, own, Cors)).toMatchObject({
      status: 200,
      text: "a",
      headers: { ...fields, vary: "Origin", "access-control-expose-headers": "ETag" },
    });
    expect(await askedOnNode({ path: "/nowhere", headers: { origin } }, own, Cors)).toMatchObject({
      status: 404,
      headers: { ...fields, vary: "Origin" },
    });
    expect(await askedOnNode({ ...preflight }, own, Cors)).toMatchObject({
      status: 204,
      text: "",
      headers: { ...fields, "access-control-allow-methods": "GET, HEAD, PUT, PATCH, POST, DELETE" },
    });
    const other = await askedOnNode({ headers: { origin: "https://c.example" } }, own, Cors);
    expect(other.headers["access-control-allow-origin"]).toBeUndefined();
    expect(other.headers.vary).toBe("Origin");
  });

  it("Fetch §3.3.5 refuses credentials together with *", () => {
    const create = (options: Partial<CorsOptions>) => () => cors({ origins: [origin], credentials: true, ...options });
    expect(create({ origins: "*" })).toThrow(
      'Cannot call cors(): its option "origins" must be other than *, as credentials are allowed, got "*"',
    );
    for (const name of ["methods", "allowHeaders", "exposeHeaders"]) {
      expect(create({ [name]: ["*"] }), name).toThrow(
        `Cannot call cors(): its option "${name}" must be without *, as credentials are allowed, got "*"`,
      );
      expect(() => cors({ origins: [origin], [name]: ["*"] })).not.toThrow();
    }
  });

  it("refuses wrong options, and names them", () => {
    const refused = (options: unknown, message: string) =>
      expect(() => cors(options as CorsOptions)).toThrow(new TypeError(`Cannot call cors(): ${message}`));
    const expected = 'an array of origins such as "https://example.com", without a path, "*" alone or a function';
    refused({}, `its option "origins" must be ${expected}, got undefined`);
    refused({ origins: /example\.com/ }, `its option "origins" must be ${expected}, got an instance of RegExp`);
    refused({ origins: ["https://a.example", "*"] }, `its option "origins" must be ${expected}, got "*"`);
    refused({ origins: "https://a.example/" }, `its option "origins" must be ${expected}, got "https://a.example/"`);
    refused({ origins: "a.example" }, `its option "origins" must be ${expected}, got "a.example"`);
    refused({ origins: "null" }, `its option "origins" must be ${expected}, got "null"`);
    refused({ origins: true }, `its option "origins" must be ${expected}, got true`);
    refused({ origins: [origin], credentials: "yes" }, 'its option "credentials" must be true or false, got "yes"');
    refused(
      { origins: [origin], preflightMaxAgeSeconds: -1 },
      'its option "preflightMaxAgeSeconds" must be a whole number that is not negative, got -1',
    );
    refused({ origins: [origin], methods: "PUT" }, 'its option "methods" must be an array of tokens, got "PUT"');
    refused(
      { origins: [origin], allowHeaders: ["a b"] },
      'its option "allowHeaders" must be an array of tokens, got "a b"',
    );
    refused(
      { origins: [origin], exposedHeaders: [] },
      'it has no option "exposedHeaders"; write one of origins, credentials, methods, allowHeaders, exposeHeaders, ' +
        "preflightMaxAgeSeconds, privateNetwork",
    );
    refused(undefined, "its options must be an object, got undefined");
  });
});
