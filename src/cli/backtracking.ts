import type { check as checkExpression } from "recheck";
import { compileRemainder, remainderAt } from "../routing/build/remainder.ts";
import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import { isPlainlyLinear } from "./linear-expression.ts";

export interface Backtracking {
  /** False if the checker could not decide, or is not installed. */
  readonly isChecked: boolean;
  readonly message: string;
  /** How to make a string that takes long. */
  readonly example: string | null;
}

type Checker = typeof checkExpression;

let checker: Promise<Checker | null> | null = null;
/** By expression: a thousand patterns with a number in them have only one expression to check. */
const results = new Map<string, ReturnType<Checker>>();

/** Checks the expressions of a pattern as they are compiled. Null if there are none, or none that takes long. */
export async function backtrackingOf(pattern: PathPattern): Promise<Backtracking | null> {
  for (const source of expressionsOf(pattern)) {
    if (isPlainlyLinear(source)) continue;
    const check = await (checker ??= loadChecker());
    if (check === null) {
      const message = "its expressions were not checked: install recheck, as in npm install --save-dev recheck";
      return { isChecked: false, message, example: null };
    }
    let checked = results.get(source);
    if (checked === undefined) results.set(source, (checked = check(source, "", { timeout: 20_000 })));
    const found = await checked;
    if (found.status === "vulnerable") {
      const message = `an expression takes more than linear time: ${found.complexity.summary}`;
      return { isChecked: true, message, example: found.attack.pattern };
    }
    if (found.status === "unknown") {
      const message = `the checker could not tell how long its expressions take: ${found.error.kind}`;
      return { isChecked: false, message, example: null };
    }
  }
  return null;
}

/**
 * Returns the expressions that are run for a pattern: one for each constrained param, and one for everything from an
 * expression on.
 */
function expressionsOf({ segments, hasTrailingSlash }: PathPattern): string[] {
  const from = remainderAt(segments);
  const single = segments.slice(0, from < 0 ? undefined : from).flatMap(({ pieces }) =>
    pieces.flatMap((piece) => {
      const expression = typeof piece === "object" ? piece.expression : null;
      return expression === null ? [] : [`^(?:${expression})$`];
    }),
  );
  if (from < 0) return single;
  return [...single, `^${compileRemainder(segments.slice(from), hasTrailingSlash).expression.source}`];
}

async function loadChecker(): Promise<Checker | null> {
  try {
    return (await import("recheck")).check;
  } catch {
    return null;
  }
}
