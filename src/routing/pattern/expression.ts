/** An expression of a path pattern without its parentheses, and the index behind them; or what is wrong with it. */
export type ScannedExpression = { fault: null; source: string; end: number } | { fault: string; index: number };

/**
 * Reads the expression whose opening parenthesis is at `open`, up to the parenthesis that balances it.
 *
 * Escapes and character classes are passed over, as the engine does. Back references are refused: they would count the
 * groups of the whole pattern, not those the user wrote.
 */
export function scanExpression(pattern: string, open: number): ScannedExpression {
  let depth = 0;
  let inClass = false;
  for (let index = open; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === "\\") {
      if (!inClass && /^(?:[1-9]|k<)/.test(pattern.slice(index + 1, index + 3))) {
        return { fault: "back references cannot be used; write the alternatives out", index };
      }
      index++;
    } else if (inClass) {
      inClass = character !== "]";
    } else if (character === "[") {
      inClass = true;
    } else if (character === "(") {
      depth++;
    } else if (character === ")" && --depth === 0) {
      return checked(pattern.slice(open + 1, index), open, index + 1);
    }
  }
  return { fault: 'unbalanced parenthesis; write "\\\\(" for the character', index: open };
}

function checked(source: string, open: number, end: number): ScannedExpression {
  if (source === "")
    return { fault: 'invalid expression: it is empty; write "\\\\(\\\\)" for the characters', index: open };
  if (source.startsWith("?")) {
    return {
      fault: `invalid expression: write ${JSON.stringify(`((${source.slice(0, 80)}))`)}, a group inside the parentheses`,
      index: open,
    };
  }
  try {
    // oxlint-disable-next-line no-new -- only whether it compiles is of interest
    new RegExp(source);
  } catch (error) {
    const reason = String((error as Error).message).replace(/^Invalid regular expression: (?:\/.*\/: )?/s, "");
    return { fault: `invalid expression: ${reason}`, index: open };
  }
  return { fault: null, source, end };
}

/**
 * What follows the expression whose opening parenthesis is in front of a text, as a type: what {@link scanExpression} finds at run
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
