/**
 * Says that an entry of `paths` is not a path pattern: where, why, and what to write instead (C4.4).
 *
 * The message shows the pattern with a caret under the column that is wrong.
 */
export class PathPatternError extends SyntaxError {
  /** The pattern as it was written. */
  readonly pattern: string;
  /** The place of the fault in the pattern, counted from 0. */
  readonly index: number;

  constructor(reason: string, pattern: string, index: number, owner?: string) {
    const shownFrom = Math.max(0, index - 40);
    const shown = pattern.slice(shownFrom, shownFrom + 80).replace(/[^ -~\xa0-\uffff]/g, " ");
    const of = owner === undefined ? "" : ` of ${owner}`;
    super(`Cannot parse path pattern${of}: ${reason}\n  ${shown}\n  ${" ".repeat(index - shownFrom)}^`);
    this.name = "PathPatternError";
    this.pattern = pattern;
    this.index = index;
  }
}
