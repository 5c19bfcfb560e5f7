// Every option of every factory, with values that cannot work: each is refused when the factory is called, by its name.
import { readdirSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { allowedMethods } from "fingerpost/middleware/allowed-methods.js";
import { basic } from "fingerpost/middleware/basic.js";
import { bearer } from "fingerpost/middleware/bearer.js";
import { bodyLimit } from "fingerpost/middleware/body-limit.js";
import { compress } from "fingerpost/middleware/compress.js";
import { conditional } from "fingerpost/middleware/conditional.js";
import { cookie, cookies } from "fingerpost/middleware/cookies.js";
import { cors } from "fingerpost/middleware/cors.js";
import { csrf } from "fingerpost/middleware/csrf.js";
import { jwt } from "fingerpost/middleware/jwt.js";
import { log } from "fingerpost/middleware/log.js";
import { negotiate } from "fingerpost/middleware/negotiate.js";
import { rateLimit } from "fingerpost/middleware/rate-limit.js";
import { requestId } from "fingerpost/middleware/request-id.js";
import { secureHeaders } from "fingerpost/middleware/secure-headers.js";
import { timeout } from "fingerpost/middleware/timeout.js";
import { trace } from "fingerpost/middleware/trace.js";
import { Status } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { fileURLToPath } from "node:url";
import { refusalOf } from "./around.ts";

type Options = Readonly<Record<string, unknown>>;

interface Row {
  readonly create: (options: never) => unknown;
  /** Options that work, which the wrong ones are put among. */
  readonly base: Options;
  /** Values that each option refuses, besides null. */
  readonly wrong: Readonly<Record<string, readonly unknown[]>>;
}

const limiter = { points: 1, duration: 1, consume: async () => ({ remainingPoints: 1, msBeforeNext: 1 }) };
const field = [true, 5, "", "a\nb", "é\u0100"];
const flag = ["yes", 1];
// Nothing of theirs is known by a name that the user wrote.
const noRecords = [[], new Map(), new Set(["a"]), new Date(), new Headers({ a: "b" }), Promise.resolve({})];
const count = [-1, 1.5, "1", NaN];
const token = { algorithms: ["HS256"], issuer: "i", audience: "a", key: new Uint8Array(32) };
const { key: _key, ...keyless } = token;

const rows: Readonly<Record<string, Row>> = {
  basic: {
    create: basic,
    base: { realm: "x", users: { ada: "secret" } },
    wrong: {
      realm: ["", "é", 5],
      users: ["ada", { "a:b": "x" }, { a: 5 }, { a: "" }, ...noRecords, ["x"], new Map([["a", "x"]]), {}],
      verify: [5],
      user: [{}, "user"],
    },
  },
  bearer: {
    create: bearer,
    base: { tokens: { a: "Ada" }, scopesOf: () => [] },
    wrong: {
      tokens: ["a", { "a b": 1 }, ...noRecords, ["a"], new Map([["a", 1]]), {}],
      verify: [5],
      identity: [{}, "x"],
      realm: ["", "é", 5],
      scope: ["read", [5], ["a b"]],
      scopesOf: [["read"], "read"],
      optional: flag,
      scheme: ["", "a b", 5],
      token: ["cookie"],
    },
  },
  bodyLimit: { create: bodyLimit, base: { maxBytes: 1 }, wrong: { maxBytes: [...count, undefined], streaming: flag } },
  compress: {
    create: compress,
    base: {},
    wrong: { codings: ["gzip", ["brotli"], [5], ["toString"]], minBytes: count, mediaTypes: [["text/html"], "text"] },
  },
  conditional: {
    create: conditional,
    base: {},
    wrong: { maxBytes: count, required: ["PUT", ["GET"], [5]] },
  },
  cookies: {
    create: cookies,
    base: {},
    wrong: {
      secrets: [[], ["short"], "x".repeat(32), [new Uint8Array(32)]],
      attributes: ["Path=/", ...noRecords, { samesite: "Lax" }, { sameSite: "None", secure: false }, { path: "x" }],
    },
  },
  cors: {
    create: cors,
    base: { origin: "https://a.example" },
    wrong: {
      origin: [undefined, /a\.example$/, "a.example", "https://a.example/", ["*"], true],
      credentials: flag,
      methods: ["PUT", ["a b"], [5]],
      allowHeaders: ["a", ["a b"], [""]],
      exposeHeaders: ["a", ["a b"], [""]],
      maxAgeSeconds: count,
      privateNetwork: flag,
    },
  },
  csrf: {
    create: csrf,
    base: {},
    wrong: {
      trustedOrigins: ["https://a.example", ["a.example"], ["*"], ["null"]],
      allowSameSite: flag,
      requireFields: flag,
    },
  },
  jwt: {
    create: jwt,
    base: token,
    wrong: {
      algorithms: [undefined, [], "HS256", ["none"], ["HS256", "HS384"]],
      issuer: [undefined, "", [], [5]],
      audience: [undefined, "", [], [5]],
      key: ["secret", 5, new Uint8Array(31)],
      typ: ["", 5],
      requiredClaims: ["sub", [], [5]],
      clockToleranceSeconds: count,
      maxAgeSeconds: [...count, 0],
      claims: [{}, "x"],
      realm: ["", "é", 5],
      scope: ["read", [5], ["a b"]],
      optional: flag,
      scheme: ["", "a b", 5],
      token: ["cookie"],
      scopesOf: ["scp", {}],
      staleSeconds: [...count, 60],
    },
  },
  "jwt with jwksURI": {
    create: jwt,
    base: keyless,
    wrong: { jwksURI: ["http://issuer.example/jwks", "jwks.json", 5, "https://ada@issuer.example", "http://:x@[::1]"] },
  },
  log: { create: log, base: {}, wrong: { write: ["console", {}], path: flag } },
  negotiate: {
    create: negotiate,
    base: {},
    wrong: {
      produces: ["text/html", [], ["text/*"], ["html"], [undefined]],
      languages: ["en", [], ["en_GB"], [undefined]],
      codings: ["gzip", [], ["g zip"], [undefined]],
      consumes: ["text/html", [], ["html"], [undefined]],
    },
  },
  rateLimit: {
    create: rateLimit,
    base: { limiter },
    wrong: {
      limiter: [undefined, {}, "memory"],
      key: ["ip"],
      name: ["", "é", 5],
      quota: [...count, 1e15],
      windowSeconds: [...count, 1e15],
      address: ["192.0.2.1", {}],
      trustedHops: [...count, true],
      forwardedField: ["X-Real-IP", "x-forwarded-for"],
    },
  },
  requestId: {
    create: requestId,
    base: {},
    wrong: { field: ["", "a b", 5], generate: ["uuid"], trust: ["yes", 1] },
  },
  secureHeaders: {
    create: secureHeaders,
    base: {},
    wrong: {
      contentSecurityPolicy: field,
      contentSecurityPolicyReportOnly: field,
      crossOriginEmbedderPolicy: field,
      crossOriginOpenerPolicy: field,
      crossOriginResourcePolicy: field,
      originAgentCluster: field,
      permissionsPolicy: field,
      referrerPolicy: field,
      strictTransportSecurity: field,
      xContentTypeOptions: field,
      xFrameOptions: field,
      isSecure: [true, "https"],
    },
  },
  timeout: {
    create: timeout,
    base: { timeoutMs: 1 },
    wrong: { timeoutMs: [undefined, 0, -1, NaN, Infinity, 2 ** 31, "5"], status: [503, Status.OK, {}] },
  },
  trace: { create: trace, base: {}, wrong: { tracer: [{}, "x"] } },
};

/**
 * Options that hold what nobody else may know, with it where another thing is due; besides, in place of all options.
 */
const secretive: readonly (readonly [create: Row["create"], options: unknown])[] = [
  ...[basic, bearer, jwt, cookies].map((create) => [create, "hush-hush"] as const),
  [basic, { realm: "x", users: "hush-hush" }],
  [basic, { realm: "x", users: "hush-hush", verify: () => true }],
  [basic, { realm: "x", users: { ada: "hush-hush\n" } }],
  [basic, { realm: "x", users: { "ada:hush-hush": true } }],
  [basic, { realm: "x", users: ["hush-hush"] }],
  [bearer, { tokens: "hush-hush" }],
  [bearer, { tokens: "hush-hush", verify: () => null }],
  [bearer, { tokens: { "hush-hush ": 1 } }],
  [bearer, { tokens: ["hush-hush"] }],
  [jwt, { ...token, key: "hush-hush" }],
  [jwt, { ...keyless, key: "hush-hush", jwksURI: "https://issuer.example/jwks" }],
  [jwt, { ...keyless, jwksURI: "https://ada:hush-hush@issuer.example/jwks" }],
  [jwt, { ...keyless, jwksURI: "http://hush-hush@localhost/jwks" }],
  [jwt, { ...keyless, jwksURI: new URL("ftp://ada:hush-hush@issuer.example/jwks") }],
  [jwt, { ...token, key: { kty: "oct", k: "hush-hush" } }],
  [cookies, { secrets: "hush-hush".repeat(4) }],
  [cookies, { secrets: ["hush-hush"] }],
];

describe("options that hold secrets", () => {
  it("C7.4 are refused without telling any", () => {
    for (const [create, options] of secretive) {
      expect(
        refusalOf(() => create(options as never)),
        create.name,
      ).not.toContain("hush");
    }
  });

  it("C7.4 are refused by saying what was given, and what to write", () => {
    expect(refusalOf(() => jwt({ ...token, key: "hush-hush" as never }))).toBe(
      'Cannot call jwt(): its option "key" must be a key, or a function that finds one (a secret in a string becomes one by ' +
        "new TextEncoder().encode(secret)), got a string",
    );
    expect(refusalOf(() => bearer({ tokens: ["hush-hush"] as never }))).toBe(
      'Cannot call bearer(): its option "tokens" must be a plain object that says whom each token identifies, one at least, ' +
        'such as { "a-long-random-token": "billing" }, got an array',
    );
    expect(refusalOf(() => bearer({ tokens: {} }))).toMatch(/, got an empty object$/);
    expect(refusalOf(() => basic({ realm: "x", users: new Map() as never }))).toBe(
      'Cannot call basic(): its option "users" must be a plain object of passwords by name, one at least, ' +
        'such as { ada: "a long random password" }, got an instance of Map',
    );
    expect(refusalOf(() => basic({ realm: "x", users: { ada: 5 as never } }))).toContain('for "ada", got a number');
    expect(refusalOf(() => cookies({ secrets: "hush-hush" as never }))).toMatch(/, got a string$/);
    const verify = (): never => expect.unreachable();
    const both: readonly (readonly [create: Row["create"], options: Options, expected: string])[] = [
      [
        basic,
        { realm: "x", users: { ada: "x" }, verify },
        '"users" must be given, or else "verify", not both, got an object',
      ],
      [bearer, { tokens: { a: 1 }, verify }, '"tokens" must be given, or else "verify", not both, got an object'],
      [
        jwt,
        { ...token, jwksURI: "https://a/" },
        '"key" must be given, or else "jwksURI", not both, got an instance of ',
      ],
      [jwt, keyless, '"key" must be given, or else "jwksURI", not both, got undefined'],
    ];
    for (const [create, options, expected] of both) {
      expect(refusalOf(() => create(options as never))).toContain(expected);
    }
  });

  it("take a plain object of any realm, with or without a prototype", () => {
    const bare: Record<string, string> = Object.assign(Object.create(null), { ada: "x" });
    for (const users of [bare, runInNewContext('({ ada: "x" })') as typeof bare]) {
      expect(basic({ realm: "x", users })).toBeTypeOf("function");
      expect(bearer({ tokens: users })).toBeTypeOf("function");
    }
  });
});

const refused = ({ create }: Row, options: unknown): string => refusalOf(() => create(options as never));

describe.each(Object.entries(rows))("%s()", (title, row) => {
  const name = title.split(" ")[0]!;

  it.each(Object.entries(row.wrong))("C7.4 refuses what cannot be %s, and names it", (option, values) => {
    for (const value of [null, ...values]) {
      // What is given in place of another option.
      const base =
        option === "verify" ? { ...row.base, ["users" in row.base ? "users" : "tokens"]: undefined } : row.base;
      expect(refused(row, { ...base, [option]: value })).toContain(
        `Cannot call ${name}(): its option "${option}" must be `,
      );
    }
  });

  it("C7.4 refuses options that there are not, and what is no object", () => {
    expect(refused(row, { ...row.base, nonsense: 1 })).toContain(
      `Cannot call ${name}(): it has no option "nonsense"; write one of `,
    );
    for (const options of [null, "x", 5, [], () => {}]) {
      expect(refused(row, options)).toContain(`Cannot call ${name}(): its options must be an object, got `);
    }
  });

  it("takes the options that the wrong ones are put among", () => {
    const base = title === name ? row.base : { ...row.base, jwksURI: "https://issuer.example/jwks" };
    expect(row.create(base as never)).toBeTypeOf("function");
  });
});

describe("options that can be left out", () => {
  it("may be undefined, and are then as if they were left out", () => {
    for (const [title, { create, base, wrong }] of Object.entries(rows)) {
      // That one lacks what it tries.
      if (title === "jwt with jwksURI") continue;
      const absent = Object.fromEntries(
        Object.keys(wrong).flatMap((option) => (Object.hasOwn(base, option) ? [] : [[option, undefined]])),
      );
      expect(create({ ...base, ...absent } as never), title).toBeTypeOf("function");
    }
  });

  it("may be undefined among the attributes of cookies", () => {
    const absent = { domain: undefined, path: undefined, expires: undefined, maxAgeSeconds: undefined } as const;
    const flags = { secure: undefined, httpOnly: undefined, sameSite: undefined, partitioned: undefined } as const;
    expect(cookie("a", "b", { ...absent, ...flags })).toBe(cookie("a", "b"));
    expect(cookies({ attributes: { ...absent, ...flags } })).toBeTypeOf("function");
  });
});

describe("the table of options", () => {
  it("has each option that a factory knows", () => {
    for (const [title, row] of Object.entries(rows)) {
      const known = refused(row, { nonsense: 1 }).split("; write one of ")[1]!.split(", ");
      const tried = Object.entries(rows).flatMap(([, { create, wrong }]) =>
        create === row.create ? Object.keys(wrong) : [],
      );
      expect(tried.toSorted(), title).toEqual(known.toSorted());
    }
  });

  it("has a factory for each page of docs/middleware/", () => {
    const folder = fileURLToPath(new URL("../../docs/middleware", import.meta.url));
    const pages = readdirSync(folder).map((file) =>
      file.replace(/\.md$/, "").replace(/-(.)/g, (_, c: string) => c.toUpperCase()),
    );
    const factories = new Set(Object.values(rows).map(({ create }) => create.name));
    // This one takes none.
    expect(allowedMethods.length).toBe(0);
    factories.add(allowedMethods.name);
    expect([...factories].toSorted()).toEqual(pages.toSorted());
  });
});
