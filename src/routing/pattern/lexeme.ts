const asciiName = /[a-z$_][\w$]*(?![\w$]|[^ -~])/iy;
let anyName: RegExp | undefined;
const plainText = /[^/\\:()*?#{}]+/y;

/**
 * Reads the name of a param: an identifier of JavaScript.
 *
 * PERF: the classes of Unicode are made when they are first needed: V8 takes a millisecond for them on Node, even where they
 * stand in an expression that is never tried (`bench/cold`).
 */
export function readName(source: string, at: number): string | undefined {
  const name = read(asciiName, source, at);
  if (name !== undefined) return name;
  anyName ??= new RegExp("[\\p{IDS}$_][\\p{IDC}$\\u200c\\u200d]*", "uy");
  return read(anyName, source, at);
}

/** Reads literal text, up to what means something, or is {@link misplaced} where it means nothing. */
export function readText(source: string, at: number): string | undefined {
  return read(plainText, source, at);
}

/** What is wrong with a character that means something, or may seem to, where it means nothing. */
export const misplaced: ReadonlyMap<string, string> = new Map([
  [
    "?",
    'a path holds no query; only a param that fills its segment can be optional, and the character is written "\\\\?"',
  ],
  ["#", 'a path holds no fragment; the character is written "\\\\#"'],
  ["{", 'groups do not exist; write an optional param "/:name?", or "\\\\{" for the character'],
  ["}", 'groups do not exist; write an optional param "/:name?", or "\\\\}" for the character'],
  ["*", '"*" must fill the last segment; write "(.*)" for any text, or "\\\\*" for the character'],
  [")", 'unbalanced parenthesis; write "\\\\)" for the character'],
]);

/** Reads what a sticky expression matches at `at`, if it does. */
function read(expression: RegExp, source: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(source)?.[0];
}
