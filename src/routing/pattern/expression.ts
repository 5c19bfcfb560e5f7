/**
 * The text after an expression, as a type: the text that `parsePathPattern` finds at run time. The given text begins
 * after the opening parenthesis. An expression with neither a group nor a class is read at once, others character by
 * character.
 */
export type AfterExpression<Text extends string> = Text extends `${infer Expression})${infer Rest}`
  ? Expression extends `${string}${"(" | "["}${string}` | `${string}\\`
    ? AfterGroup<Text>
    : Rest
  : "";
type AfterGroup<Text extends string, Depth extends 0[] = []> = Text extends `${infer Character}${infer Rest}`
  ? Character extends "\\"
    ? AfterGroup<AfterFirst<Rest>, Depth>
    : Character extends "["
      ? AfterClass<Rest, Depth>
      : Character extends "("
        ? AfterGroup<Rest, [...Depth, 0]>
        : Character extends ")"
          ? Depth extends [0, ...infer Outer extends 0[]]
            ? AfterGroup<Rest, Outer>
            : Rest
          : AfterGroup<Rest, Depth>
  : "";
type AfterClass<Text extends string, Depth extends 0[]> = Text extends `${infer Character}${infer Rest}`
  ? Character extends "\\"
    ? AfterClass<AfterFirst<Rest>, Depth>
    : Character extends "]"
      ? AfterGroup<Rest, Depth>
      : AfterClass<Rest, Depth>
  : "";
type AfterFirst<Text extends string> = Text extends `${infer _}${infer Rest}` ? Rest : "";

/** Counts the capture groups of an expression that is known to compile. */
export function countGroups(source: string): number {
  return new RegExp(`${source}|`).exec("")!.length - 1;
}

/** Quotes literal text for use inside an expression. */
export function escapedLiteral(literal: string): string {
  return literal.replace(/[$()*+.?[\\\]^{|}/]/g, "\\$&");
}
