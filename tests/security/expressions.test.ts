import { check } from "recheck";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parseAst } from "vitest/node";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { compileRemainder } from "../../src/routing/build/remainder.ts";
import { sampled } from "../support/sampled.ts";
import { calleeOf, visit, type Node } from "../package/syntax-tree.ts";
import { root, sourcesBelow } from "./sources.ts";

/** The regular expressions that are written in a source. */
function expressionsIn(text: string): RegExp[] {
  const found: RegExp[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex !== undefined) found.push(new RegExp(regex.pattern, regex.flags));
    for (const child of Object.values(node)) look(child);
  };
  look(parseAst(text, { lang: "ts" }));
  return found;
}

/** How often a source makes expressions of text: by RegExp, or by methods of strings that do so with text. */
function expressionsMadeIn(text: string): number {
  let made = 0;
  visit(parseAst(text, { lang: "ts" }) as unknown as Node, null, (node) => {
    const { type, name } = node as { type?: string; name?: string };
    if (type === "Identifier" && name === "RegExp") made++;
    const method = calleeOf(node).property?.name ?? "";
    const [argument] = (node as { arguments?: { type: string; value?: unknown }[] }).arguments ?? [];
    const isText = argument?.type === "TemplateLiteral" || typeof argument?.value === "string";
    if (isText && ["match", "matchAll", "search"].includes(method)) made++;
    return true;
  });
  return made;
}

/** What is worse than linear, with the text by which it was shown. */
async function faultsOf(expressions: Iterable<RegExp>): Promise<string[]> {
  const faults: string[] = [];
  for (const { source, flags } of expressions) {
    // The test has a limit of its own; that of the check would be over where others work.
    const found = await check(source, flags, { timeout: null });
    if (found.status === "safe") continue;
    const why =
      found.status === "vulnerable" ? `${found.complexity.summary}, ${found.attack.pattern}` : found.error.kind;
    faults.push(`/${source}/${flags}: ${why}`);
  }
  return faults;
}

const sources = sourcesBelow("src");

/** Put together when a source is loaded, of text that is ours. */
const expressionsOfOurs = {
  "src/fields/http-date.ts": 3,
  "src/openapi/changes/normal-schema.ts": 1,
  "src/writes/idempotency-key.ts": 1,
};

const written = new Map(
  sources.flatMap(({ text }) => expressionsIn(text)).map((expression) => [String(expression), expression]),
);

describe("regular expressions", () => {
  it("field parsing: the sources have some", () => {
    expect(written.size).toBeGreaterThan(30);
  });

  // A third of them: all take half a minute.
  it.each(sampled([...written.values()], 3))("field parsing: %s is no worse than linear", async (expression) => {
    expect(await faultsOf([expression])).toEqual([]);
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
    vi.resetModules();
    const places = sources.filter(({ text }) => expressionsMadeIn(text) > 0);
    for (const { file } of places) await import(/* @vite-ignore */ root + file);
    expect(made).toHaveLength(Object.values(expressionsOfOurs).reduce((sum, count) => sum + count));
    expect(await faultsOf(made)).toEqual([]);
  });

  it("field parsing: each place where the sources put one together is known", () => {
    const made = sources.map(({ file, text }) => [file, expressionsMadeIn(text)] as const);
    expect(Object.fromEntries(made.filter(([, count]) => count > 0))).toEqual({
      ...expressionsOfOurs,
      // One class, repeated: the name of a param. The other one, like those below, is what the user wrote.
      "src/routing/pattern/path-pattern.ts": 2,
      // These compile what the user wrote, which is trusted; see SECURITY.md.
      "src/cli/expression-sample.ts": 1,
      "src/routing/pattern/expression.ts": 1,
      "src/routing/pattern/filled-path.ts": 2,
      "src/routing/build/remainder.ts": 1,
      "src/routing/index/segment-matcher.ts": 2,
      "src/json-schema/shape/json-schema.ts": 1,
      // Of two documents that a command is given: their authors wrote it.
      "src/openapi/changes/schema-keywords.ts": 1,
    });
  });

  it("field parsing: a place where one is put together is found, however it is done", () => {
    const ways = ["new RegExp(a)", "RegExp(a)", "new globalThis.RegExp(a)", 'a.match("b+")', "a.search(`b`)"];
    expect(ways.map(expressionsMadeIn)).toEqual(ways.map(() => 1));
    expect(expressionsMadeIn("const a: RegExp = /a/; a.match({ url }); a.search(/b/) as RegExp;")).toBe(0);
    expect(expressionsIn("const a = [/a/g, { b: /b/ }, (c = /c/u) => /d/.test(c)]").map(String)).toEqual([
      "/a/g",
      "/b/",
      "/c/u",
      "/d/",
    ]);
  });
});
