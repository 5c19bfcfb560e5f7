import { describe, expect, it } from "vitest";

const script = new URL("../../scripts/check/names.js", import.meta.url).href;
const { faultsOfNames } = (await import(script)) as {
  faultsOfNames(sources: ReadonlyMap<string, string>, entries: ReadonlySet<string>): string[];
};

const faultsOf = (sources: Readonly<Record<string, string>>, ...entries: string[]): string[] =>
  faultsOfNames(new Map(Object.entries(sources)), new Set(entries));

describe("the check of names", () => {
  it("refuses two files of one name, but of entries", () => {
    expect(faultsOf({ "a/one.ts": "", "b/two.ts": "" })).toEqual([]);
    expect(faultsOf({ "a/one.ts": "", "b/one.ts": "" })).toEqual([
      "a/one.ts and b/one.ts: two files are one.ts; name each after what it has",
    ]);
    expect(faultsOf({ "a/one.ts": "", "b/one.ts": "" }, "a/one.ts")).toHaveLength(1);
    expect(faultsOf({ "a/one.ts": "", "b/one.ts": "" }, "a/one.ts", "b/one.ts")).toEqual([]);
  });

  it("refuses words that the house leaves to others, in names only", () => {
    const text = `
      // A route, https://example.org/route
      const pattern = "route";
      export function routesOf(): void {}
      class HTTPEndpoint {}
      let treeLeaf: number;
    `;
    expect(faultsOf({ "a/call-back.ts": text, "a/callback.ts": "" })).toEqual([
      "a/call-back.ts: routesOf: say path pattern, not route",
      "a/call-back.ts: HTTPEndpoint: say resource, not endpoint",
      "a/call-back.ts: treeLeaf: say terminal, not leaf",
      "a/callback.ts: say handler, or what it does, not callback",
    ]);
    expect(faultsOf({ "cli/routes.ts": "function routes() {}" })).toEqual([]);
  });
});
