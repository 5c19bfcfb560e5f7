/**
 * Reads the expression whose opening parenthesis is at `open`, up to the parenthesis that balances it.
 *
 * Escapes and character classes are passed over, as the engine does. Back references are refused: they would count the
 * groups of the whole pattern, not those the user wrote.
 *
 * @param refuse throws, saying what is wrong and where.
 * @returns the expression without its parentheses.
 */
export function readExpression(
  pattern: string,
  open: number,
  refuse: (reason: string, index: number) => never,
): string {
  let depth = 0;
  lexeme.lastIndex = open;
  for (const found of pattern.matchAll(lexeme)) {
    const [part, reference] = found;
    if (reference) refuse("back references cannot be used; write the alternatives out", found.index);
    if (part === "(") depth++;
    if (part === ")" && --depth === 0) {
      const source = pattern.slice(open + 1, found.index);
      if (source === "") refuse('invalid expression: it is empty; write "\\\\(\\\\)" for the characters', open);
      if (source.startsWith("?")) {
        const group = JSON.stringify(`((${source.slice(0, 80)}))`);
        refuse(`invalid expression: write ${group}, a group inside the parentheses`, open);
      }
      try {
        // oxlint-disable-next-line no-new -- only whether it compiles is of interest
        new RegExp(source);
      } catch (error) {
        const reason = String((error as Error).message).replace(/^Invalid regular expression: (?:\/.*\/: )?/s, "");
        refuse(`invalid expression: ${reason}`, open);
      }
      return source;
    }
  }
  return refuse('unbalanced parenthesis; write "\\\\(" for the character', open);
}

/** What is, or holds, a parenthesis, or refers back. */
const lexeme = /\\(?:([1-9]|k<)|[^])|\[(?:\\[^]|[^\\\]])*|[()]/g;

/**
 * What follows the expression whose opening parenthesis is in front of a text, as a type: what {@link readExpression} finds at run
 * time. One that holds neither a group nor a class is read at once, the others character by character.
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
export function quoted(literal: string): string {
  return literal.replace(/[$()*+.?[\\\]^{|}/]/g, "\\$&");
}

/** Whether an expression matches any text: it then ranks as a rest (C4.5). */
export function matchesAnything(source: string): boolean {
  return source === ".*" || source === ".+";
}
