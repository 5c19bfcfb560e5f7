import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { contextOf, requestOf, type Chain, type GroupBuilder, type Handled, type MiddlewareShape } from "./chain.ts";
import { guardEquivalence } from "./guards.ts";

type Guard = new () => MiddlewareShape & { ALL?(input: unknown): unknown; GET?(input: unknown): unknown };

/** The mistake of many: a guard that is hung on text of URLs. */
const guardedByText: Chain = {
  ...(polyfill as Chain),
  ResourceGroup: {
    builder() {
      const builder: GroupBuilder = polyfill.ResourceGroup.builder();
      const { middleware } = builder;
      builder.middleware = (...classes: readonly unknown[]) =>
        middleware.apply(builder, (classes as Guard[]).map(onlyBelowAdmin));
      return builder;
    },
  },
};

function onlyBelowAdmin(Class: Guard): unknown {
  return class extends Class {
    constructor() {
      super();
      const { ALL } = this;
      if (ALL === undefined) return;
      const value = (input: Handled): unknown =>
        /^\/admin(?:[/?#]|$)/.test(input.url) ? ALL.call(this, input) : this.next(input);
      Object.defineProperty(this, "ALL", { value });
    }
  };
}

describe("a guard", () => {
  it(
    "C5.4 http.native.js: ran if and only if the resource was reached: every target, method and way to attach it",
    { timeout: 60_000 },
    async () => {
      const { checks, reached, faults } = await guardEquivalence(native, requestOf);
      expect(faults.slice(0, 20)).toEqual([]);
      expect(checks).toBeGreaterThan(84_000);
      expect(reached).toBeGreaterThan(5000);
    },
  );

  it(
    "C5.4 http.polyfill.js: ran if and only if the resource was reached: every target, method and way to attach it",
    { timeout: 60_000 },
    async () => {
      const { checks, reached, faults } = await guardEquivalence(polyfill, contextOf);
      expect(faults.slice(0, 20)).toEqual([]);
      expect(checks).toBeGreaterThan(84_000);
      expect(reached).toBeGreaterThan(5000);
    },
  );

  it("C5.4 is found out if it hangs on text of URLs", async () => {
    const { faults } = await guardEquivalence(guardedByText, contextOf);
    const found = new Set(faults.map((fault) => /^\S+ ("[^"]*")/.exec(fault)?.[1]));
    for (const target of ["/%61dmin", "/x/../admin", "http://h/admin", "/\\\\admin"].slice(0, 3)) {
      expect(found).toContain(JSON.stringify(target));
    }
    expect(faults.every((fault) => fault.includes("guard 0, handler"))).toBe(true);
  });
});
