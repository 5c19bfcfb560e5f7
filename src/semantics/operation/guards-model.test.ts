import { describe, expect, it } from "vitest";
import { authenticatorOf, challengesOf, type GuardModel } from "./guards-model.ts";

const guard = (name: string, security: GuardModel["security"]): GuardModel => ({
  name,
  security,
  answers: new Map(),
  isOptional: false,
  scopes: [],
  granting: null,
  sets: undefined,
  challengeOf: () => null,
});
const security = { key: { type: "apiKey", in: "header", name: "x-key" } } as const;

describe("authenticatorOf()", () => {
  it("names the first guard with security, else the operation, unless it declares no scheme", () => {
    const guards = [guard("Quota", null), guard("Keys", security), guard("Admins", security)];
    expect(authenticatorOf(guards, { security }, "GET")).toBe("Keys");
    expect(authenticatorOf([guards[0]!], { security }, "GET")).toBe("security of static GET");
    expect(authenticatorOf([], { security: {} }, "GET")).toBeNull();
    expect(authenticatorOf([], {}, "GET")).toBeNull();
  });
});

describe("challengesOf()", () => {
  it("lists each once, of guards and of the operation, and none of keys", () => {
    const token = { token: { type: "http", scheme: "bearer" } } as const;
    const guards = [guard("Keys", security), guard("Tokens", token), guard("Quota", null)];
    const [first, ...others] = challengesOf(guards, { security: token });
    expect(first).toMatch(/^bearer/i);
    expect(others).toEqual([]);
    expect(challengesOf([guards[0]!], {})).toEqual([]);
  });

  it("is Bearer for tokens of OAuth 2.0 and OpenID Connect, of a guard or of the operation", () => {
    const schemes = [
      { type: "oauth2", flows: {} },
      { type: "openIdConnect", openIdConnectUrl: "https://id.example/" },
    ];
    for (const scheme of schemes) {
      expect(challengesOf([guard("Tokens", { scheme } as never)], {})).toEqual(["Bearer"]);
      expect(challengesOf([], { security: { scheme } as never })).toEqual(["Bearer"]);
    }
  });
});
