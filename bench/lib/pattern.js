/*
 * Reads the path patterns of the tables, apart from the package's own parser: what measures it must not depend on it.
 * Each segment is { kind, name, text, expression }, kind being static, param, optional, constrained, rest or
 * expression.
 */

export function segmentsOf(pattern) {
  if (pattern === "/") return [];
  let unnamed = 0;
  return splitAtSlashes(pattern.slice(1)).map((text) => {
    if (text === "*") return { kind: "rest", name: String(unnamed++), text };
    if (text.startsWith("("))
      return { kind: "expression", name: String(unnamed++), text, expression: text.slice(1, -1) };
    const [, name, expression, marker] = /^:(\w+)(?:\((.*)\))?(\??)$/.exec(text) ?? [];
    if (name === undefined) return { kind: "static", text };
    if (marker === "?") return { kind: "optional", name, text, expression };
    return expression === undefined ? { kind: "param", name, text } : { kind: "constrained", name, text, expression };
  });
}

function splitAtSlashes(text) {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "/" && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/**
 * The segments of a pattern without its last optional params: one list for each number of them that a path may have.
 */
export function formsOf(segments) {
  const forms = [segments];
  while (forms.at(-1).at(-1)?.kind === "optional") forms.push(forms.at(-1).slice(0, -1));
  return forms;
}

/** What two patterns have in common when they match the same paths: everything but names. */
export function shapeOf(pattern) {
  return segmentsOf(pattern)
    .map(({ kind, text, expression = "" }) => (kind === "static" ? text : `${kind}(${expression})`))
    .join("/");
}
