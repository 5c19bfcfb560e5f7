import { countGroups, escapedLiteral } from "../pattern/expression.ts";
import { isNumbered, type PathParam, type PathSegment } from "../pattern/path-segment.ts";

/** The rest of a pattern from its first expression on, as one expression that is tried at a place in the path. */
export interface Remainder {
  /** Sticky: set `lastIndex` to the place. It matches to the end of the path or not at all. */
  readonly expression: RegExp;
  /** The capture group of each param, in order. */
  readonly groups: readonly number[];
}

/**
 * Returns where the part of a pattern begins that `compileRemainder()` compiles: at its first expression, or at a rest
 * with segments after it. Returns -1 if there is none.
 */
export function remainderAt(segments: readonly PathSegment[]): number {
  return segments.findIndex(({ kind }, at) => kind === "expression" || (kind === "rest" && at < segments.length - 1));
}

/**
 * Compiles segments of which the first may match slashes: it holds an expression, or is a rest. Only the engine can
 * find what follows them. Everything else is written so that the engine never tries a split of a segment twice.
 * @throws {SyntaxError} when the expressions do not compile together: two groups with one name, or thousands of
 * segments.
 */
export function compileRemainder(segments: readonly PathSegment[], endsInSlash: boolean): Remainder {
  const writer = new Writer();
  const [first, ...others] = segments;
  let source = writer.segment(first!);
  const end = endsInSlash ? "\\/$" : "$";
  for (const segment of others) {
    const part = `\\/${writer.segment(segment)}`;
    // Groups are not nested: engines take seconds to compile a thousand nested ones.
    source += segment.isOptional ? `(?:${part}|(?=${end}))` : part;
  }
  const expression = new RegExp(source + end, "y");
  // Engines compile an expression on its first use. An expression that may be too long for them has to fail now.
  if (source.length > 10_000) expression.test("");
  return { expression, groups: writer.groups };
}

class Writer {
  readonly groups: number[] = [];
  #count = 0;

  segment({ kind, pieces, isOptional }: PathSegment): string {
    return pieces
      .map((piece, index) => {
        if (typeof piece === "string") return escapedLiteral(piece);
        if (kind === "rest") return this.#group(isOptional ? "[^]*" : "[^]+");
        if (kind === "expression" && isNumbered(piece)) return this.#group(piece.expression!);
        const after = pieces.at(index + 1);
        const literal = typeof after === "string" ? escapedLiteral(after) : "";
        // Only numbered params may be adjacent: another param follows the literal.
        return this.#param(piece, literal, index + 2 < pieces.length);
      })
      .join("");
  }

  #group(source: string): string {
    this.groups.push(++this.#count);
    this.#count += countGroups(source);
    return `(${source})`;
  }

  /**
   * A look-ahead keeps its capture, and the back reference takes exactly that capture: a segment is split only once. An
   * expression must then end where the split does, which the captured ending checks. The back reference is in a group,
   * because a digit after it would become part of its number.
   */
  #param({ expression }: PathParam, literal: string, isFollowed: boolean): string {
    if (literal === "" && expression === null) return this.#group("[^/]+");
    const split = this.#group(isFollowed ? "[^/]+?" : "[^/]+");
    const value = this.#count;
    const behind = isFollowed ? literal : `${literal}(?![^/])`;
    if (expression === null) return `(?=${split}${behind})(?:\\${value})`;
    const ending = ++this.#count;
    this.#count += countGroups(expression);
    return `(?=${split}(${behind}[^]*)$)(?=(?:${expression})\\${ending}$)(?:\\${value})`;
  }
}
