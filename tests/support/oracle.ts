import type { Answer } from "../cases/case.ts";
import { pathOf } from "./oracle-path.ts";
import { patternOf, type Pattern, type Step } from "./oracle-pattern.ts";
import { isMoreSpecific } from "./oracle-precedence.ts";

/*
 * The rules of paths as one would apply them by hand: try every pattern, step by step, then choose between those that
 * match. Slow and obvious; shares no code with what it judges. Patterns are taken to be correct.
 */

interface Match {
  readonly values: Readonly<Record<string, string>>;
  /** How many segments of the pattern were needed. */
  readonly used: number;
}

/** Makes a function that answers request targets as an application with these patterns has to. */
export function oracleOf(sources: readonly string[], trailingSlash = "ignore"): (target: string) => Answer {
  const patterns = sources.map(patternOf);
  return (target) => {
    const path = pathOf(target);
    if (typeof path === "number") return path;
    let best: { pattern: Pattern; match: Match } | null = null;
    for (const pattern of patterns) {
      const [match] = matchesOf(pattern, path, trailingSlash === "strict");
      if (match === undefined) continue;
      if (best === null || isMoreSpecific(pattern, match.used, best.pattern, best.match.used, patterns))
        best = { pattern, match };
    }
    return best === null ? 404 : { pattern: best.pattern.source, params: decoded(best.pattern, best.match) };
  };
}

/** The first way, in the order in which an engine for expressions would try them, in which a pattern matches a path. */
function matchesOf(pattern: Pattern, path: string, isStrict: boolean): readonly Match[] {
  const cut = isStrict ? path : path.replace(/\/$/, "");
  const text = pattern.isOpen ? path : cut;
  const { steps } = pattern;

  function* from(index: number, at: number, values: Match["values"]): Generator<Match> {
    const step = steps[index];
    if (step === undefined) {
      if (isEnd(at)) yield { values, used: pattern.segments.length };
    } else if (step.kind === "slash") {
      if (text[at] === "/") yield* from(index + 1, at + 1, values);
      if (step.marker === "?" && isEnd(at)) yield { values, used: step.segment };
      if (step.marker === "*" && isEnd(at) && !isSlashLeft()) yield { values, used: step.segment + 1 };
    } else if (step.kind === "literal") {
      if (text.startsWith(step.text, at)) yield* from(index + 1, at + step.text.length, values);
    } else {
      for (const end of endsOf(step, index, at)) {
        yield* from(index + 1, end, { ...values, [step.name]: text.slice(at, end) });
      }
    }
  }

  function isEnd(at: number): boolean {
    return text.slice(at) === (isStrict && !pattern.isOpen && (pattern.endsInSlash || at === 0) ? "/" : "");
  }

  /** A path that ends in a slash has a last segment, if an empty one; only an expression could have taken the slash. */
  function isSlashLeft(): boolean {
    return text !== cut && pattern.expressionAt === Infinity;
  }

  function endsOf(step: Step & { kind: "param" | "expression" | "rest" }, index: number, at: number): Iterable<number> {
    if (step.kind === "rest") {
      // The longest text first; all but that of the last segment may end anywhere before.
      const ends = Array.from({ length: text.length - at }, (_, count) => text.length - count);
      if (index < steps.length - 1) return ends;
      return at < text.length || step.marker === "*" ? [text.length] : [];
    }
    if (step.kind === "expression" && pattern.isOpen && index === steps.length - 1) {
      return canEndAt(text.length, step.expression!, text, at) ? [text.length] : [];
    }
    if (step.kind === "expression") return endsOfExpression(step.expression!, text, at);
    const end = endOfParam(index, at);
    return end > at && accepts(step.expression, index, at, end) ? [end] : [];
  }

  /** The shortest text before the next literal; for the last param of a segment, all but the literal at its end. */
  function endOfParam(index: number, at: number): number {
    const segmentEnd = text.indexOf("/", at) < 0 ? text.length : text.indexOf("/", at);
    const segment = text.slice(0, segmentEnd);
    const [next, afterNext] = [steps[index + 1], steps[index + 2]];
    if (next?.kind !== "literal") return segmentEnd;
    if (afterNext !== undefined && afterNext.kind !== "slash") return segment.indexOf(next.text, at + 1);
    return segment.endsWith(next.text) ? segmentEnd - next.text.length : -1;
  }

  /** A constraint sees what its param took and no more, unless the pattern is matched as a whole from there on. */
  function accepts(expression: string | null, index: number, at: number, end: number): boolean {
    if (expression === null) return true;
    if (index >= pattern.expressionAt) return canEndAt(end, expression, text, at);
    const inside = expression.replace(/\\.|\[(?:\\.|[^\]])*\]|[$^]/g, (found) =>
      found === "^" || (found === "$" && end !== cut.length) ? "(?!)" : found,
    );
    return compiled(`^(?:${inside})$`).test(text.slice(at, end));
  }

  for (const match of from(0, 0, {})) return [match];
  return [];
}

/** Where an expression that begins at `at` can end, in the order in which the engine finds out. */
function* endsOfExpression(expression: string, text: string, at: number): Generator<number> {
  for (let others = ""; ;) {
    const next = compiled(`(?:${expression})${others}`);
    next.lastIndex = at;
    const found = next.exec(text);
    if (found === null) return;
    yield at + found[0].length;
    others += `(?<!^[^]{${at + found[0].length}})`;
  }
}

function canEndAt(end: number, expression: string, text: string, at: number): boolean {
  const next = compiled(`(?:${expression})(?<=^[^]{${end}})`);
  next.lastIndex = at;
  return next.test(text);
}

const expressions = new Map<string, RegExp>();

/** Compiles each expression once: a million answers take minutes rather than an hour. */
function compiled(source: string): RegExp {
  let expression = expressions.get(source);
  if (expression === undefined) expressions.set(source, (expression = new RegExp(source, "y")));
  expression.lastIndex = 0;
  return expression;
}

function decoded({ names }: Pattern, { values }: Match): Record<string, string | 400 | undefined> {
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(values, name) ? decode(values[name]!) : undefined]),
  );
}

function decode(value: string): string | 400 {
  try {
    return decodeURIComponent(value);
  } catch {
    return 400;
  }
}
