import { check } from "recheck";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parseAst } from "vitest/node";
import { parsePathPattern } from "../../src/routing/path-pattern.ts";
import { compileRemainder } from "../../src/routing/remainder.ts";
import { root, sourcesBelow } from "./sources.ts";

/** The regular expressions that are written in a source. */
function expressionsIn(text: string): RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex !== undefined) found.push(new RegExp(regex.pattern, regex.flags));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: "ts" }));
  return found;
}

/** What is worse than linear, with the text by which it was shown. */
async function faultsOf(expressions: Iterable<RegExp>): Promise<string[]> {
  const faults: string[] = [];
  for (const { source, flags } of expressions) {
    const found = await check(source, flags);
    if (found.status === "safe") continue;
    const why =
      found.status === "vulnerable" ? `${found.complexity.summary}, ${found.attack.pattern}` : found.error.kind;
    faults.push(`/${source}/${flags}: ${why}`);
  }
  return faults;
}

const sources = sourcesBelow("src");
const written = new Map(
  sources.flatMap(({ text }) => expressionsIn(text)).map((expression) => [String(expression), expression]),
);

describe("regular expressions", () => {
  it("field parsing: none in the sources is worse than linear", async () => {
    expect(written.size).toBeGreaterThan(30);
    expect(await faultsOf(written.values())).toEqual([]);
  });

  it("field parsing: one that is worse is found out", async () => {
    expect(await faultsOf([/\s*,\s*$/, /^(\w+\s?)*$/, /^[a-z]+$/])).toHaveLength(2);
  });

  it(
    "path-to-regexp: what patterns are compiled to adds nothing to what the user wrote",
    { timeout: 120_000 },
    async () => {
      const patterns = [
        "/(\\d+)",
        "/(\\d+)/:id/x",
        "/(\\d+)/:a-:b-:c-:d",
        "/(\\d+)/:a?/:b?/:c?",
        "/:id-(\\d+)",
        "/(\\d+)x:id/:rest*",
        "/(a|b)/:file.:ext",
      ];
      const compiled = patterns.map((pattern) => {
        const { segments } = parsePathPattern(pattern);
        return compileRemainder(segments.slice(segments.findIndex(({ kind }) => kind === "expression")), false)
          .expression;
      });
      expect(await faultsOf(compiled)).toEqual([]);
    },
  );

  it("field parsing: none that the sources put together is worse than linear", async () => {
    const made: RegExp[] = [];
    vi.stubGlobal(
      "RegExp",
      new Proxy(RegExp, {
        construct(target, args) {
          const expression = Reflect.construct(target, args) as RegExp;
          made.push(expression);
          return expression;
        },
      }),
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const places = sources.filter(({ text }) => /\bnew RegExp\(/.test(text)).map(({ file }) => file);
    for (const file of places) await import(/* @vite-ignore */ root + file);
    const makers = places.filter((file) => !file.startsWith("src/routing/"));
    expect(made.length).toBeGreaterThanOrEqual(makers.length);
    expect(await faultsOf(made)).toEqual([]);
  });
});
