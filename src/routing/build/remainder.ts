import { countGroups, escapedLiteral } from "../pattern/expression.ts";
import { isNumbered, type PathParam, type PathSegment } from "../pattern/path-segment.ts";

/** What is left of a pattern from its first expression on, as one expression that is tried at a place of the path. */
export interface Remainder {
  /** Sticky: set `lastIndex` to the place. It matches to the end of the path or not at all. */
  readonly expression: RegExp;
  /** The capture group of each param, in order. */
  readonly groups: readonly number[];
}

/**
 * Compiles segments of which the first holds an expression. Expressions may match slashes, so that what follows them can
 * only be found by the engine; everything else is written so that the engine never tries a split of a segment twice.
 *
 * @throws {SyntaxError} when the expressions do not compile together: two groups of one name, or thousands of segments.
 */
export function compileRemainder(segments: readonly PathSegment[], endsInSlash: boolean): Remainder {
  const writer = new Writer();
  const [first, ...others] = segments;
  let source = writer.segment(first!);
  const end = endsInSlash ? "\\/$" : "$";
  for (const segment of others) {
    const part = `\\/${writer.segment(segment)}`;
    // Not one group inside the other: for a thousand of them engines take seconds to compile that.
    source += segment.isOptional ? `(?:${part}|(?=${end}))` : part;
  }
  const expression = new RegExp(source + end, "y");
  // Engines compile an expression when it is first tried; one that may be too long for them has to fail now.
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
        // Only numbered params may stand side by side: behind the literal there is another one.
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
   * A look-ahead keeps what it found, and the back reference takes exactly that: the split of a segment is made once.
   * An expression must then end where the split does, which the captured tail tells. The back reference stands in a group,
   * or a digit after it would become part of its number.
   */
  #param({ expression }: PathParam, literal: string, isFollowed: boolean): string {
    if (literal === "" && expression === null) return this.#group("[^/]+");
    const value = ++this.#count;
    this.groups.push(value);
    const split = isFollowed ? `([^/]+?)` : `([^/]+)`;
    const behind = isFollowed ? literal : `${literal}(?![^/])`;
    if (expression === null) return `(?=${split}${behind})(?:\\${value})`;
    const tail = ++this.#count;
    this.#count += countGroups(expression);
    return `(?=${split}(${behind}[^]*)$)(?=(?:${expression})\\${tail}$)(?:\\${value})`;
  }
}
