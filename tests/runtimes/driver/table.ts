import type { Outcome } from "../suite/registry.ts";

/** What became of the suites of each runtime: `results.get(runtime)?.get(suite)`. */
export type Results = Map<string, Map<string, Outcome>>;

/** Adds outcomes to those of a suite. */
export function add(results: Results, runtime: string, suite: string, { passed, skipped, failed }: Outcome): void {
  const row = results.get(runtime) ?? new Map<string, Outcome>();
  results.set(runtime, row);
  const sum = row.get(suite) ?? { passed: 0, skipped: 0, failed: [] };
  row.set(suite, { passed: sum.passed + passed, skipped: sum.skipped + skipped, failed: [...sum.failed, ...failed] });
}

/** A table of runtime × suite × passed. */
export function tableOf(results: Results): string {
  const suites = [...new Set([...results.values()].flatMap((row) => [...row.keys()]))];
  const rows = [
    ["", ...suites],
    ...[...results].map(([name, row]) => [name, ...suites.map((suite) => cellOf(row.get(suite)))]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, column) => cell[column === 0 ? "padEnd" : "padStart"](widths[column]!)).join("  "))
    .join("\n");
}

export function totalOf(results: Results): { passed: number; failed: number; skipped: number } {
  const outcomes = [...results.values()].flatMap((row) => [...row.values()]);
  const sum = (count: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed.length),
    skipped: sum(({ skipped }) => skipped),
  };
}

function cellOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "–";
  const { passed, skipped, failed } = outcome;
  return failed.length > 0
    ? `${failed.length} FAILED of ${passed + failed.length}`
    : `${passed}${skipped > 0 ? ` (${skipped} skipped)` : ""}`;
}
