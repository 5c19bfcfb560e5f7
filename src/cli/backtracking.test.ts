import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";

const safe = { status: "safe" };

/**
 * What `backtrackingOf()` finds of patterns, one after the other, and the expressions that the checker was asked about.
 */
async function found(check: (source: string) => unknown, ...patterns: readonly string[]) {
  const asked: string[] = [];
  const checked = async (source: string): Promise<unknown> => {
    asked.push(source);
    return check(source);
  };
  vi.doMock("recheck", () => ({ check: checked }));
  const { backtrackingOf } = await import("./backtracking.ts");
  const results = [];
  for (const pattern of patterns) results.push(await backtrackingOf(parsePathPattern(pattern)));
  return { asked, results };
}

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.doUnmock("recheck");
});

describe("backtrackingOf()", () => {
  it("takes what is plainly linear without a checker", async () => {
    vi.doMock("recheck", () => {
      throw new Error("Cannot find package 'recheck'");
    });
    const { backtrackingOf } = await import("./backtracking.ts");
    for (const pattern of ["/:a(\\d+)", "/:a([a-z]+-7)/:b(asc|desc)", "/(.+)", "/(.+\\.txt)", "/:a"]) {
      expect(await backtrackingOf(parsePathPattern(pattern)), pattern).toBeNull();
    }
    for (const pattern of ["/:a((?:a+)+)", "/:a(\\d+)/:b([a-z]+-\\d+)", "/(.+)/:b"]) {
      expect(await backtrackingOf(parsePathPattern(pattern)), pattern).toMatchObject({ isChecked: false });
    }
  });

  it("checks other expressions as they run: constrained params alone, all from an expression on as one", async () => {
    const { asked, results } = await found(
      () => safe,
      "/:a((\\d)+)-:b((?=x)x)/:c/(y.*)/:d(z)",
      "/:e((?:a|f)+)",
      "/static/:f",
    );
    expect(asked.slice(0, 2)).toEqual(["^(?:(\\d)+)$", "^(?:(?=x)x)$"]);
    expect(asked[2]).toMatch(/^\^\(y\.\*\)\\\/.*z.*\$$/);
    expect(asked.slice(3)).toEqual(["^(?:(?:a|f)+)$"]);
    expect(results).toEqual([null, null, null]);
  });

  it("has an expression checked once, however many patterns have it", async () => {
    const { asked } = await found(() => safe, "/a/:x((\\d)+)", "/b/:y((\\d)+)/:z((\\d)+)");
    expect(asked).toEqual(["^(?:(\\d)+)$"]);
  });

  it("reports the first expression that takes long, with how long and by what", async () => {
    const slow = { status: "vulnerable", complexity: { summary: "exponential" }, attack: { pattern: "'a'.repeat(9)" } };
    const { asked, results } = await found(
      (source) => (source.includes("+") ? slow : safe),
      "/:a((?=\\d)\\d)/:b((?:a+)+)/:c((?=\\w)\\w)",
    );
    expect(asked.length).toBe(2);
    expect(results).toEqual([
      {
        isChecked: true,
        message: "an expression takes more than linear time: exponential",
        example: "'a'.repeat(9)",
      },
    ]);
  });

  it("says that the checker could not decide", async () => {
    const { results } = await found(() => ({ status: "unknown", error: { kind: "timeout" } }), "/:a((\\d)+)");
    expect(results).toEqual([
      {
        isChecked: false,
        message: "the checker could not tell how long its expressions take: timeout",
        example: null,
      },
    ]);
  });

  it("says that no checker is installed, of patterns with expressions only", async () => {
    vi.doMock("recheck", () => {
      throw new Error("Cannot find package 'recheck'");
    });
    const { backtrackingOf } = await import("./backtracking.ts");
    expect(await backtrackingOf(parsePathPattern("/:a((\\d)+)"))).toEqual({
      isChecked: false,
      message: "its expressions were not checked: install recheck, as in npm install --save-dev recheck",
      example: null,
    });
    expect(await backtrackingOf(parsePathPattern("/:a"))).toBeNull();
  });
});
