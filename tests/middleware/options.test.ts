// Every option of every factory, with values that cannot work: each is refused when the factory is called, by its name.
import { runInNewContext } from "node:vm";
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { cookie, cookies } from "fingerpost/middleware/cookies";
import { jwt } from "fingerpost/middleware/jwt";
import { describe, expect, it } from "vitest";
import { refusalOf } from "./around.ts";
import { everyRow } from "./every-row.ts";
import type { MiddlewareRow } from "./middleware-row.ts";

type Options = Readonly<Record<string, unknown>>;
type Factory = MiddlewareRow["factory"];

const keyless = { algorithms: ["HS256"], issuer: "i", audience: "a" };
const token = { ...keyless, key: new Uint8Array(32) };

/**
 * Options that hold what nobody else may know, with it where another thing is due; besides, in place of all options.
 */
const secretive: readonly (readonly [create: Factory, options: unknown])[] = [
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
      'Cannot call jwt(): its option "key" must be a key, or a function that finds one (a secret in a string becomes ' +
        "one by " +
        "new TextEncoder().encode(secret)), got a string",
    );
    expect(refusalOf(() => bearer({ tokens: ["hush-hush"] as never }))).toBe(
      'Cannot call bearer(): its option "tokens" must be a plain object that says whom each token identifies, one at ' +
        "least, " +
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
    const both: readonly (readonly [create: Factory, options: Options, expected: string])[] = [
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

const refused = (factory: Factory, options: unknown): string => refusalOf(() => factory(options as never));

const withOptions = [...everyRow.values()].filter(({ options }) => options.length > 0);
const tables = withOptions.flatMap(({ factory, options }) => options.map((table) => ({ factory, ...table })));

describe.each(tables)("$factory.name()", ({ factory, base, wrong, without = {} }) => {
  const name = factory.name;

  it.each(Object.entries(wrong))("C7.4 refuses what cannot be %s, and names it", (option, values) => {
    const others = { ...base, ...(Object.hasOwn(without, option) && { [without[option]!]: undefined }) };
    for (const value of [null, ...values]) {
      expect(refused(factory, { ...others, [option]: value })).toContain(
        `Cannot call ${name}(): its option "${option}" must be `,
      );
    }
  });

  it("C7.4 refuses options that there are not, and what is no object", () => {
    expect(refused(factory, { ...base, nonsense: 1 })).toContain(
      `Cannot call ${name}(): it has no option "nonsense"; write one of `,
    );
    for (const options of [null, "x", 5, [], () => {}]) {
      expect(refused(factory, options)).toContain(`Cannot call ${name}(): its options must be an object, got `);
    }
  });

  it("takes the options that the wrong ones are put among, and undefined for all others", () => {
    const absent = Object.fromEntries(
      Object.keys(wrong).flatMap((option) => (Object.hasOwn(base, option) ? [] : [[option, undefined]])),
    );
    expect(factory(base as never)).toBeTypeOf("function");
    expect(factory({ ...base, ...absent } as never)).toBeTypeOf("function");
  });
});

describe("options that can be left out", () => {
  it("may be undefined among the attributes of cookies", () => {
    const absent = { domain: undefined, path: undefined, expires: undefined, maxAgeSeconds: undefined } as const;
    const flags = { secure: undefined, httpOnly: undefined, sameSite: undefined, partitioned: undefined } as const;
    expect(cookie("a", "b", { ...absent, ...flags })).toBe(cookie("a", "b"));
    expect(cookies({ attributes: { ...absent, ...flags } })).toBeTypeOf("function");
  });
});

describe.each(withOptions)("the row of $factory.name()", ({ factory, options }) => {
  it("has each option that the factory knows", () => {
    const known = refused(factory, { nonsense: 1 }).split("; write one of ")[1]!.split(", ");
    expect(options.flatMap(({ wrong }) => Object.keys(wrong)).toSorted()).toEqual(known.toSorted());
  });
});

it("tests/middleware/rows/ has options for each factory that takes some", () => {
  for (const { factory, options } of everyRow.values()) expect(factory.length === 0 || options.length > 0).toBe(true);
  expect(
    [...everyRow.values()].filter(({ options }) => options.length === 0).map(({ factory }) => factory.name),
  ).toEqual(["allowedMethods"]);
});
