// Apart from guards.test.ts, which every runtime runs: this takes too long for the limit of a test there.
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { givenSeed } from "../support/seed.ts";
import { contextOf, requestOf, type Chain } from "./chain.ts";
import { replacementEquivalence } from "./guards-of-replacements.ts";

describe.each([
  ["http.native.js", native as Chain, requestOf],
  ["http.polyfill.js", polyfill as Chain, contextOf],
])("a guard where middleware passes on replacements, through %s", (_name, chain, inputOf) => {
  const seed = givenSeed ?? Date.now() % 2 ** 31;

  it(
    "C5.4 ran if and only if the resource was reached, with many requests under way at once",
    { timeout: 180_000 },
    async () => {
      const { checks, reached, faults } = await replacementEquivalence(chain, inputOf, seed);
      expect(faults.slice(0, 20)).toEqual([]);
      expect(checks).toBeGreaterThan(15_000);
      expect(reached).toBeGreaterThan(5000);
    },
  );

  it(
    "C5.4 ran if and only if the resource was reached, where one input is in every application at once",
    { timeout: 180_000 },
    async () => {
      const { checks, reached, faults } = await replacementEquivalence(chain, inputOf, seed, true);
      expect(faults.slice(0, 20)).toEqual([]);
      expect(checks).toBeGreaterThan(10_000);
      expect(reached).toBeGreaterThan(3000);
    },
  );
});
