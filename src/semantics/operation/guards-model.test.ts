import { describe, expect, it } from "vitest";
import { authenticatorOf, type GuardModel } from "./guards-model.ts";

const guard = (name: string, security: GuardModel["security"]): GuardModel => ({
  name,
  security,
  answers: new Map(),
  isOptional: false,
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
