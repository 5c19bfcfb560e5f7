import { bearer } from "fingerpost/middleware/bearer";
import { Attribute } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, vi } from "vitest";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { ask, started } from "../../tests/support/sockets.ts";
import { Secrets } from "./lib/secrets.ts";

interface Client {
  readonly name: string;
  readonly scopes: readonly string[];
}

const ada: Client = { name: "Ada", scopes: ["read", "write"] };
const bo: Client = { name: "Bo", scopes: ["read"] };
const tokens = { "ada-token": ada, "bo-token==": bo };
const guard = bearer({ tokens });

/** Status and challenge that a request gets. */
async function outcome(authorization: string | null, Guard = guard): Promise<[number, string | null]> {
  const headers: HeadersInit = authorization === null ? {} : { authorization };
  const response = await nativeAround(Guard).fetch(requestFor({ headers }));
  return [response.status, response.headers.get("www-authenticate")];
}

describe("bearer()", () => {
  it("RFC 6750 §2.1 lets in who shows a token", async () => {
    expect(await outcome("Bearer ada-token")).toEqual([200, null]);
    expect(await outcome("Bearer bo-token==")).toEqual([200, null]);
    expect(await outcome("bearer ada-token")).toEqual([200, null]);
  });

  it("RFC 6750 §3.1 answers 401 without an error to who shows no token", async () => {
    expect(await outcome(null)).toEqual([401, 'Bearer realm="default"']);
    expect(await outcome("Basic YTpi")).toEqual([401, 'Bearer realm="default"']);
    expect(await outcome("Basic ada-token")).toEqual([401, 'Bearer realm="default"']);
    expect(await outcome("NotBearer ada-token")).toEqual([401, 'Bearer realm="default"']);
    expect(await outcome("Bearerada-token")).toEqual([401, 'Bearer realm="default"']);
    expect(await outcome("")).toEqual([401, 'Bearer realm="default"']);
  });

  it("takes no place of a token and no parameter of a challenge from what all objects have", async () => {
    const polluted = { header: "X-Polluted", scope: "polluted" };
    Object.assign(Object.prototype, polluted);
    try {
      const Guard = bearer({ tokens, token: { cookie: "session" }, challenge: () => ({ service: "s" }) });
      expect(Reflect.get(Guard, "security")).toEqual({ session: { type: "apiKey", in: "cookie", name: "session" } });
      expect(await outcome(null, Guard)).toEqual([401, 'Bearer realm="default", service="s"']);
    } finally {
      for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name);
    }
  });

  it("RFC 6750 §3.1 answers 401 with invalid_token to a token that nobody has", async () => {
    for (const token of ["x", "ada-toke", "ada-token=", "ADA-TOKEN", "__proto__", "constructor"]) {
      expect(await outcome(`Bearer ${token}`), token).toEqual([401, 'Bearer realm="default", error="invalid_token"']);
    }
  });

  it("RFC 6750 §3.1 answers 400 with invalid_request to what is malformed", async () => {
    for (const authorization of [
      "Bearer",
      "Bearer ",
      "Bearer a b",
      'Bearer "ada-token"',
      "Bearer token=ada-token",
      "Bearer ada-token, Bearer bo-token==",
      "Bearer ä",
    ]) {
      expect(await outcome(authorization), authorization).toEqual([
        400,
        'Bearer realm="default", error="invalid_request"',
      ]);
    }
  });

  it("RFC 6750 §3.1 answers 403 with insufficient_scope and the scope that is needed", async () => {
    const Guard = bearer({ tokens, scopes: ["read", "write"], scopesOf: ({ scopes }) => scopes });
    expect(await outcome("Bearer ada-token", Guard)).toEqual([200, null]);
    expect(await outcome("Bearer bo-token==", Guard)).toEqual([
      403,
      'Bearer realm="default", scope="read write", error="insufficient_scope"',
    ]);
    expect(await outcome(null, Guard)).toEqual([401, 'Bearer realm="default"']);
  });

  it("RFC 6750 §3 names the realm in each challenge, as something must follow the scheme", async () => {
    const Guard = bearer({ tokens, realm: "library" });
    expect(await outcome(null, Guard)).toEqual([401, 'Bearer realm="library"']);
    expect(await outcome("Bearer x", Guard)).toEqual([401, 'Bearer realm="library", error="invalid_token"']);
  });

  it("RFC 6750 §2.2 §2.3 takes no token from the query or the content", async () => {
    const body = new URLSearchParams({ access_token: "ada-token" });
    const response = await nativeAround(guard).fetch(
      requestFor({ method: "POST", body }, "/items?access_token=ada-token"),
    );
    expect(response.status).toBe(401);
  });

  it("asks a function, with the token and the input", async () => {
    const verify = vi.fn(async (token: string) => (token === "good" ? ada : null));
    const request = requestFor({ headers: { authorization: "Bearer good" } });
    expect((await nativeAround(bearer({ verify })).fetch(request)).status).toBe(200);
    expect(verify).toHaveBeenCalledWith("good", request);
    expect((await outcome("Bearer bad", bearer({ verify })))[0]).toBe(401);
    for (const nobody of [null, undefined, false] as const) {
      expect((await outcome("Bearer x", bearer({ verify: () => nobody })))[0]).toBe(401);
    }
  });

  it("RFC 6750 §3.1 takes no scope for part of another, if scopesOf() returns the string", async () => {
    for (const none of [undefined, null, []]) {
      const [status, challenge] = await outcome(
        "Bearer ada-token",
        bearer({ tokens, scopes: ["read"], scopesOf: () => none as never }),
      );
      expect([status, challenge]).toEqual([403, expect.stringContaining("insufficient_scope")]);
    }
    const scopesOf = (): never => "readonly" as never;
    const errors: unknown[] = [];
    const app = nativeAround(
      bearer({ tokens, scopes: ["read"], scopesOf }),
      undefined,
      (error) => void errors.push(error),
    );
    const { status } = await app.fetch(requestFor({ headers: { authorization: "Bearer ada-token" } }));
    expect([status, String(errors)]).toEqual([
      500,
      'TypeError: Cannot check the scope: expected scopesOf() of bearer() to return an array of scopes, got "readonly"',
    ]);
  });

  it("fails as the function does", async () => {
    const verify = (): never => {
      throw new Error("the store cannot be reached");
    };
    expect(await outcome("Bearer x", bearer({ verify }))).toEqual([500, null]);
  });

  it("C5.6 sets whom the token identifies as an attribute", async () => {
    const client = new Attribute<Client>("client");
    const app = nativeAround(bearer({ tokens, identity: client }), (request) => new Response(client.get(request).name));
    const request = requestFor({ headers: { authorization: "Bearer bo-token==" } });
    expect(await (await app.fetch(request)).text()).toBe("Bo");
  });

  it("lets in who shows no credentials where they are optional, and nobody whose credentials are wrong", async () => {
    const client = new Attribute<Client>("client");
    const Guard = bearer({
      tokens,
      identity: client,
      optional: true,
      scopes: ["write"],
      scopesOf: ({ scopes }) => scopes,
    });
    const app = nativeAround(Guard, (request) => new Response(client.find(request)?.name ?? "nobody"));
    const answer = async (headers: HeadersInit): Promise<unknown> => {
      const response = await app.fetch(requestFor({ headers }));
      return response.status === 200 ? response.text() : response.status;
    };
    expect(await answer({})).toBe("nobody");
    expect(await answer({ authorization: "Bearer ada-token" })).toBe("Ada");
    expect(await answer({ authorization: "Bearer bo-token==" })).toBe(403);
    for (const authorization of ["Bearer x", "Basic YTpi", "Bearerada-token", ""]) {
      expect(await answer({ authorization }), authorization).toBe(401);
    }
    expect(await answer({ authorization: "Bearer" })).toBe(400);
    expect(await outcome(null, bearer({ tokens, optional: false }))).toEqual([401, 'Bearer realm="default"']);
  });

  it("takes tokens of a scheme of another name, which challenges name", async () => {
    const Guard = bearer({ tokens, scheme: "Token" });
    for (const authorization of ["Token ada-token", "token ada-token", "TOKEN ada-token"]) {
      expect(await outcome(authorization, Guard), authorization).toEqual([200, null]);
    }
    for (const authorization of [null, "Bearer ada-token", "Tokens ada-token", "Token\tada-token", "Toke", ""]) {
      expect(await outcome(authorization, Guard), String(authorization)).toEqual([401, 'Token realm="default"']);
    }
    expect(await outcome("Token x", Guard)).toEqual([401, 'Token realm="default", error="invalid_token"']);
    expect(await outcome("Token", Guard)).toEqual([400, 'Token realm="default", error="invalid_request"']);
    expect(await outcome("a.b c", bearer({ tokens: { c: ada }, scheme: "A.B" }))).toEqual([200, null]);
    expect(await outcome("axb c", bearer({ tokens: { c: ada }, scheme: "A.B" }))).toEqual([401, 'A.B realm="default"']);
  });

  it("takes tokens from a field or a cookie, whose answers no shared cache gives to others", async () => {
    const places: [object, string, string, string][] = [
      [{ header: "X-API-Key" }, "x-api-key", "a", "X-API-Key"],
      [{ cookie: "session" }, "cookie", "other=1; session=a", "Cookie"],
    ];
    for (const [token, field, value, vary] of places) {
      for (const optional of [false, true]) {
        const Guard = bearer({ tokens: { a: ada }, optional, token: token as { header: string } });
        const fieldsFor = async (headers: Record<string, string>): Promise<unknown[]> => {
          const answer = await nativeAround(Guard).fetch(requestFor({ headers }));
          return [answer.status, answer.headers.get("vary"), answer.headers.get("cache-control")];
        };
        expect(await fieldsFor({ [field]: value })).toEqual([200, vary, "private"]);
        expect(await fieldsFor({ [field]: `${value}b` })).toEqual([401, null, null]);
        expect(await fieldsFor({ authorization: "Bearer a" })).toEqual(
          optional ? [200, vary, "private"] : [401, null, null],
        );
      }
    }
    const guarded = bearer({ tokens: { a: ada }, token: { cookie: "a" } });
    const byHandler = nativeAround(guarded, () => new Response("", { headers: { "cache-control": "no-store" } }));
    const response = await byHandler.fetch(requestFor({ headers: { cookie: "a=a" } }));
    expect(response.headers.get("cache-control")).toBe("no-store");
    const missing = nativeAround(guarded).fetch(requestFor({ headers: { cookie: "a=a" } }, "/nowhere"));
    expect((await missing).status).toBe(404);
  });

  it("refuses a token that names no place, or several", () => {
    for (const token of [{}, { header: "" }, { header: "a b" }, { header: "a", cookie: "b" }, { query: "a" }, [], 5]) {
      expect(() => bearer({ tokens: { a: ada }, token: token as never })).toThrow(
        'its option "token" must be a function, { header: "X-API-Key" } or { cookie: "session" }',
      );
    }
  });

  it("takes tokens from where a function says, and from nowhere else", async () => {
    const verify = vi.fn((token: string) => (token === "a key" ? ada : null));
    const seen: unknown[] = [];
    for (const optional of [false, true]) {
      const Guard = bearer({ verify, optional, token: (request) => request.headers.get("x-api-key") });
      const app = nativeAround(Guard);
      for (const headers of [
        { "x-api-key": "a key" },
        { "x-api-key": "another" },
        { "x-api-key": "" },
        { authorization: "Bearer a key" },
      ]) {
        const response = await app.fetch(requestFor({ headers }));
        seen.push([response.status, response.headers.get("www-authenticate")]);
      }
    }
    const wrong = [401, 'Bearer realm="default", error="invalid_token"'];
    expect(seen).toEqual([
      [200, null],
      wrong,
      wrong,
      [401, 'Bearer realm="default"'],
      [200, null],
      wrong,
      wrong,
      [200, null],
    ]);
    // An empty string is not a token that anyone has, whatever verify() makes of it.
    expect(verify).not.toHaveBeenCalledWith("", expect.anything());
  });

  it("passes the input of either chain to the function for the token", async () => {
    const key = ({ url }: object & { readonly url: string }): string | undefined => url.split("?")[1];
    const Guard = bearer({ tokens, token: key });
    for (const app of [nativeAround(Guard), polyfillAround(Guard)]) {
      const server = await started(app);
      expect((await ask(server, { path: "/items?ada-token" })).status).toBe(200);
      expect((await ask(server, { path: "/items?x" })).status).toBe(401);
      expect((await ask(server, { path: "/items" })).status).toBe(401);
    }
  });

  it("refuses anything but a token, such as a Promise, without showing it", async () => {
    for (const token of [Promise.resolve("hush-hush"), 5, true, {}]) {
      const errors: unknown[] = [];
      const Guard = bearer({ tokens, optional: true, token: () => token as never });
      const { status } = await nativeAround(Guard, undefined, (error) => void errors.push(error)).fetch(requestFor());
      expect([status, String(errors)]).toEqual([
        500,
        expect.stringMatching(
          /^TypeError: Cannot read the token: expected token\(\) to return a string, null or undefined, got (?!.*hush)/,
        ),
      ]);
    }
  });

  it("looks once for a token, whatever it is", async () => {
    const Guard = bearer({ tokens });
    await outcome("Bearer ada-token", Guard);
    const search = vi.spyOn(Secrets.prototype, "find");
    for (const token of ["ada-token", "x", "a".repeat(1000)]) await outcome(`Bearer ${token}`, Guard);
    expect(search).toHaveBeenCalledTimes(3);
    search.mockRestore();
  });

  it("works over a socket, by both chains", async () => {
    for (const app of [nativeAround(guard), polyfillAround(guard)]) {
      const server = await started(app);
      const refused = await ask(server, { path: "/items", headers: { authorization: "Bearer x" } });
      expect([refused.status, refused.headers["www-authenticate"]]).toEqual([
        401,
        'Bearer realm="default", error="invalid_token"',
      ]);
      const headers = { authorization: "Bearer ada-token" };
      expect((await ask(server, { path: "/items", headers })).text).toBe("reached");
    }
  });

  it("names in each challenge what challenge() says of the request", async () => {
    const Guard = bearer({
      tokens: { "bo-token": bo },
      realm: "https://auth.example/token",
      scopes: ["write"],
      scopesOf: ({ scopes }: Client) => scopes,
      challenge: (request) => ({
        service: "registry.example",
        scope: `repository:${request.params?.pathParam("id")}:pull`,
        hint: undefined,
        error: "mine",
      }),
    });
    const challengeTo = async (authorization: string | null, path = "/items/a%22b"): Promise<string | null> => {
      const headers: HeadersInit = authorization === null ? {} : { authorization };
      return (await nativeAround(Guard).fetch(requestFor({ headers }, path))).headers.get("www-authenticate");
    };
    const start =
      'Bearer realm="https://auth.example/token", service="registry.example", scope="repository:a\\"b:pull"';
    expect(await challengeTo(null)).toBe(start);
    for (const [authorization, error] of [
      ["Bearer x", "invalid_token"],
      ["Bearer ", "invalid_request"],
      ["Bearer bo-token", "insufficient_scope"],
    ] as const)
      expect(await challengeTo(authorization)).toBe(`${start}, error="${error}"`);
    // No field can hold it, and the client chose it.
    for (const id of ["%0d%0aSet-Cookie:a", "%e2%82%ac", "a%00"])
      expect(await challengeTo(null, `/items/${id}`)).toBe(
        'Bearer realm="https://auth.example/token", service="registry.example"',
      );
  });

  it("C7.4 names the option that is wrong, and no token", () => {
    expect(refusalOf(() => bearer({}))).toContain('"tokens"');
    expect(refusalOf(() => bearer({ tokens, verify: () => ada }))).toContain('"tokens"');
    for (const wrong of ["x", null, { "ada-token": ada, "hidden token": bo }] as never[]) {
      expect(refusalOf(() => bearer({ tokens: wrong }))).toContain('"tokens"');
    }
    expect(refusalOf(() => bearer({ tokens: { "hidden token": ada } }))).toMatch(/^(?!.*hidden).*"tokens"/);
    expect(refusalOf(() => bearer({ tokens: { "hidden token": ada } }))).toContain(
      '"tokens" must be an object whose keys are tokens (RFC 6750 §2.1), and not "undefined" or "null", got an object',
    );
    // The names that a computed key gets from a variable that is not set.
    for (const unset of [undefined, null]) {
      expect(refusalOf(() => bearer({ tokens: { ...tokens, [String(unset)]: ada } }))).toContain('"tokens"');
    }
    expect(refusalOf(() => bearer({ verify: "x" as never }))).toContain('"verify"');
    for (const realm of ["", "a\nb", "é", 5] as never[]) {
      expect(refusalOf(() => bearer({ tokens, realm }))).toContain('"realm"');
    }
    expect(refusalOf(() => bearer({ tokens, scopes: ["read"] }))).toContain(
      '"scopesOf" must be given with "scopes", got',
    );
    expect(refusalOf(() => bearer({ tokens, scopes: "read" as never, scopesOf: () => [] }))).toContain('"scopes"');
    for (const scopes of [["a b"], [5], ['"'], [""]] as never[]) {
      expect(refusalOf(() => bearer({ tokens, scopes, scopesOf: () => [] }))).toContain('"scopes"');
    }
    for (const scheme of ["", "a b", "é", 5, "Token:"] as never[]) {
      expect(refusalOf(() => bearer({ tokens, scheme }))).toContain('"scheme" must be an authentication scheme');
    }
    expect(refusalOf(() => bearer({ tokens, optional: "yes" as never }))).toContain('"optional"');
    for (const identity of [{}, null] as never[]) {
      expect(refusalOf(() => bearer({ tokens, identity }))).toContain('"identity"');
    }
    expect(refusalOf(() => bearer({ tokens, token: 5 as never }))).toContain(
      '"token" must be a function, { header: "X-API-Key" } or { cookie: "session" }, got a number',
    );
    expect(refusalOf(() => bearer({ token: "hush" as never }))).toBe(
      'Cannot call bearer(): its option "token" must be a function that reads the token of a request, { header: ' +
        '"X-API-Key" } or { cookie: "session" } (was "tokens" meant, as in { tokens: { "a-long-random-token": ' +
        '"billing" } }?), got a string',
    );
    expect(refusalOf(() => bearer({ tokens, key: "x" } as never))).toContain("key");
  });
});
