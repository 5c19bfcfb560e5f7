import { parsePathPattern } from "./path-pattern.ts";

/**
 * Returns a path pattern without what no client sees: the names of its params, their expressions, its spelling.
 * `/accounts/:id/payments` is `/accounts/:/payments`.
 * @throws {PathPatternError} when it is not a path pattern.
 */
export function namelessOf(pattern: string): string {
  const segments = parsePathPattern(pattern).segments.map(({ pieces, kind, isOptional }) => {
    const text = pieces.map((piece) => (typeof piece === "string" ? piece : ":")).join("");
    if (kind === "rest") return text + (isOptional ? "*" : "+");
    return isOptional ? `${text}?` : text;
  });
  return `/${segments.join("/")}`;
}
