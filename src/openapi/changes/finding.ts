import { textOf, verdictOf, type Effect, type Members, type Side } from "./change.ts";
import type { KeywordChange } from "./keyword-changes.ts";
import type { NormalSchemas } from "./normal-schema.ts";

/** A difference as it is known: for any place that leads to the two schemas. */
export interface Finding {
  readonly effect: Effect;
  /** The place in the schemas, such as `.title`. */
  readonly place: string;
  readonly what: string;
  readonly schema?: string;
}

/** The comparison of two documents that goes on, on one side. */
export interface Comparison {
  readonly before: NormalSchemas;
  readonly after: NormalSchemas;
  readonly side: Side;
  /** Lists the differences between two schemas. */
  findings(before: unknown, after: unknown, isText?: boolean): readonly Finding[];
}

export function finding(effect: Effect, what: string): Finding {
  return { effect, place: "", what };
}

export function* told(changes: Iterable<KeywordChange>): Generator<Finding> {
  for (const [effect, what] of changes) yield finding(effect, what);
}

/** Lists the differences between two schemas inside of others. */
export function* inside(comparison: Comparison, place: string, before: unknown, after: unknown): Generator<Finding> {
  for (const one of comparison.findings(before, after)) yield { ...one, place: place + one.place };
}

/** Lists the differences of a keyword that narrows what fits by a schema. */
export function* constraint(
  comparison: Comparison,
  keyword: string,
  before: Members,
  after: Members,
): Generator<Finding> {
  const [older, newer] = [before[keyword], after[keyword]];
  if (older === undefined && newer === undefined) return;
  if (older === undefined || newer === undefined) yield presence(keyword, older);
  else yield* inside(comparison, ` ${keyword}`, older, newer);
}

/** A keyword that only one schema has narrows what fits. */
export function presence(what: string, before: unknown): Finding {
  return finding(before === undefined ? "narrows" : "widens", `${what} is ${before === undefined ? "new" : "gone"}`);
}

/** Returns whether differences break nobody. */
export function isFine(findings: readonly Finding[], side: Side): boolean {
  return findings.every(({ effect }) => verdictOf(side, effect) === "compatible");
}

/** Returns whether a schema takes any value. */
export function isOpen(additional: unknown): boolean {
  return textOf(additional) === "true" || textOf(additional) === "{}";
}

/** Returns whether schemas are of objects only: what is practice for objects does not hold for any value. */
export function isTyped(...schemas: readonly Members[]): boolean {
  return schemas.every(({ type }) => textOf(type) === '["object"]');
}
