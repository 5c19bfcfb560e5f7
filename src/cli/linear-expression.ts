// Matches one token of an expression without groups, references, \b, \B, \k and \p. No bracket is literal.
const token =
  /(\[(?:[^\]\\]|\\[^])*\]|\\(?:[dDwWsSfnrtv]|0(?!\d)|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|\W)|[^[\](){}*+?|^$\\])|([*+?]|\{\d+(?:,\d*)?\})\??|\|/y;

/**
 * Returns whether an expression plainly takes linear time. It is anchored. In each alternative, at most one character
 * or class has a number of repetitions that varies, and another one is optional. If false, a checker may know better.
 */
export function isPlainlyLinear(source: string): boolean {
  const [, inner] = /^\^\((?:\?:)?([^]*)\)\$$/.exec(source) ?? [];
  if (inner === undefined) return false;
  let choices = 0;
  let isAfterAtom = false;
  token.lastIndex = 0;
  for (let at = 0; at < inner.length; at = token.lastIndex) {
    const found = token.exec(inner);
    if (found === null) return false;
    const [, atom, quantifier] = found;
    if (quantifier !== undefined && !isAfterAtom) return false;
    if (quantifier === undefined) choices = atom === undefined ? 0 : choices;
    else if (!/^\{\d\d?\}$/.test(quantifier)) choices += quantifier === "?" ? 1 : 2;
    if (choices > 3) return false;
    isAfterAtom = atom !== undefined;
  }
  return true;
}
