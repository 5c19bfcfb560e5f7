import type { Terminal } from "../index/path-match.ts";
import type { PathSegment } from "../pattern/path-segment.ts";
import { Branch, Node, type Choice } from "../index/index-node.ts";
import { compareSegments, rankOf, ranks, shapeOf } from "../pattern/precedence.ts";

/** Collects what becomes a node while patterns are added. */
export class NodeBuilder<T> {
  readonly node: Node<T> = new Node();
  readonly staticEnds: Map<string, Terminal<T>> = new Map();
  readonly branches: Map<string, BranchBuilder<T>> = new Map();
}

/** Collects what becomes a branch while patterns are added. */
export class BranchBuilder<T> {
  declare readonly branch: Branch<T>;
  param: NodeBuilder<T> | null = null;
  /** By where they end. An expression followed by optional params has one key for each of its forms. */
  readonly choices: Map<string, Ranked<T>> = new Map();
  /** Numbers for shapes that follow shapes, in the order in which they were first seen. */
  readonly #numbers = new Map<string, number>();

  constructor(literal: string) {
    this.branch = new Branch(literal);
  }

  /** Returns one number for each segment: equal for patterns with the same shapes up to that segment. */
  numbersOf(segments: readonly PathSegment[]): number[] {
    let number = 0;
    return segments.map((segment) => {
      const key = `${number} ${shapeOf(segment)}`;
      number = this.#numbers.get(key) ?? this.#numbers.size + 1;
      this.#numbers.set(key, number);
      return number;
    });
  }
}

/** A choice with the facts that decide its place among the others. */
interface Ranked<T> {
  readonly choice: Choice<T>;
  /** The node that follows. Null if the choice takes the whole rest of the path. */
  readonly node: NodeBuilder<T> | null;
  /** The segments of the pattern from there on. Only the first of them if a node follows. */
  readonly segments: readonly PathSegment[];
  readonly numbers: readonly number[];
}

/** Makes the branch, and sorts its choices by precedence. */
export function finish<T>({ branch, param, choices }: BranchBuilder<T>): Branch<T> {
  branch.param = param?.node ?? null;
  if (choices.size > 0) {
    const ordered = [...choices.values()].toSorted(compareRanked);
    const choicesOf = (isRest: boolean): Choice<T>[] => [
      ...new Set(
        ordered.filter(({ segments }) => (rankOf(segments[0]!) === ranks.rest) === isRest).map(({ choice }) => choice),
      ),
    ];
    branch.choices = choicesOf(false);
    const rests = choicesOf(true);
    if (rests.length === 1 && rests[0]!.expression === null) branch.rest = rests[0]!.terminal;
    else branch.rests = rests;
  }
  const [first, ...others] = branch.choices;
  if (branch.rest !== null || branch.rests.length > 0) return branch;
  if (first === undefined) branch.next = branch.param;
  else if (param === null && others.length === 0 && first.matcher?.characters) {
    branch.next = first.next;
    branch.characters = first.matcher.characters;
  }
  return branch;
}

function compareRanked<T>(a: Ranked<T>, b: Ranked<T>): number {
  // The place at which one list of numbers differs from the other, or ends.
  let at = 0;
  while (at < a.numbers.length && a.numbers[at] === b.numbers[at]) at++;
  return (
    compareSegments(a.segments, b.segments, at) ||
    // Not a number where both end.
    a.numbers[at]! - b.numbers[at]! ||
    // Equal except for a trailing slash: the pattern that sees the path as it is matches fewer paths.
    Number(isOpen(b)) - Number(isOpen(a))
  );
}

function isOpen<T>({ choice }: Ranked<T>): boolean {
  return choice.terminal?.signature.isOpen === true;
}
