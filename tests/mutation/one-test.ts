/**
 * What the tests of `tests/cases/` import as "vitest" when mutants are tried: a table becomes one test. To note which
 * mutants each of thousands of rows reaches would take longer than to run the rows.
 */
import { it as one } from "vitest";

export { describe, expect } from "vitest";

type Row = unknown;

function each(rows: readonly Row[]) {
  return (name: string, run: (...row: readonly unknown[]) => unknown): void => {
    one(name, async () => {
      for (const row of rows) await run(...(Array.isArray(row) ? (row as readonly unknown[]) : [row]));
    });
  };
}

export const it = Object.assign(one.bind(null), { each });
