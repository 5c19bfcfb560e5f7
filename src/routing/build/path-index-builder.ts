import { NodeBuilder, BranchBuilder, finish } from "./node-builder.ts";
import { LiteralTablesBuilder } from "./literal-table-builder.ts";
import { PathIndex } from "../index/path-index.ts";
import { Terminal } from "../index/path-match.ts";
import type { PathPattern } from "../pattern/path-pattern.ts";
import type { Branch, Choice } from "../index/index-node.ts";
import { isOpenEnded, type PathSegment } from "../pattern/path-segment.ts";
import { compileRemainder, remainderAt } from "./remainder.ts";
import { SegmentMatcher } from "../index/segment-matcher.ts";
import { signaturesOf, type SignaturesOfNames } from "../index/signature.ts";

/** Whether a trailing slash of paths and patterns counts. */
export type TrailingSlash = "ignore" | "strict";

export class PathIndexBuilder<T> {
  readonly #isStrict: boolean;
  readonly #nodes: NodeBuilder<T>[] = [];
  readonly #root: NodeBuilder<T> = this.#addNode();
  readonly #signatures = new Map<string, SignaturesOfNames>();
  #mostParams = 0;
  /** The number of ways in which the patterns can end: n + 1 for a pattern with n optional params. */
  terminals = 0;

  constructor(trailingSlash: TrailingSlash = "ignore") {
    this.#isStrict = trailingSlash === "strict";
  }

  /**
   * Adds a pattern and the value that it leads to. Costs O(n) for n segments: a pattern with n optional params has n +
   * 1 terminals, along one line of nodes.
   * @returns the terminals of earlier patterns that match the same paths, as a whole or in one form. They stay.
   * @throws {SyntaxError} when expressions of the pattern do not compile together.
   */
  add(pattern: PathPattern, value: T): readonly Terminal<T>[] {
    const { segments, source } = pattern;
    const signatureOf = signaturesOf(this.#signatures, pattern);
    let node = this.#root;
    let from = 0;
    let count = 0;
    const rivals: Terminal<T>[] = [];
    const expressionAt = remainderAt(segments);
    this.#mostParams = Math.max(this.#mostParams, pattern.names.length);
    for (let at = 0; at < segments.length; at++) {
      const segment = segments[at]!;
      if (segment.kind === "static") continue;
      if (segment.isOptional) {
        const isEmptyRest = segment.kind === "rest";
        const end = isEmptyRest ? textOf(segments, from, at, false) : this.#ending(pattern, from, at);
        this.#end(node, end, new Terminal(source, value, signatureOf(count, undefined, isEmptyRest)), rivals);
      }
      const branch = branchOf(node, textOf(segments, from, at, true));
      from = at + 1;
      if (segment.kind === "rest" || at === expressionAt) {
        const others = segments.slice(at);
        const remainder =
          at === expressionAt ? compileRemainder(others, this.#isStrict && pattern.hasTrailingSlash) : null;
        const terminal = new Terminal(source, value, signatureOf(pattern.names.length, remainder?.groups));
        const choice = { matcher: null, next: null, terminal, expression: remainder?.expression ?? null };
        this.#takeAll(branch, others, pattern, choice, rivals);
        return rivals;
      }
      node = segment.kind === "param" ? (branch.param ??= this.#addNode()) : this.#take(branch, segment);
      count += segment.pieces.filter((piece) => typeof piece === "object").length;
    }
    const end = this.#ending(pattern, from, segments.length);
    this.#end(node, end, new Terminal(source, value, signatureOf(count)), rivals);
    return rivals;
  }

  /** Makes the index. Do not use the builder afterwards. */
  build(): PathIndex<T> {
    const lengths = Array.from(this.#root.staticEnds.keys(), ({ length }) => length);
    const tables = new LiteralTablesBuilder<Terminal<T>, Branch<T>>();
    this.#nodes.forEach(({ node, staticEnds, branches }) => {
      node.terminal = staticEnds.get("") ?? null;
      staticEnds.delete("");
      const ends = [...staticEnds.values()];
      if (ends.length > 1) node.staticEnds = tables.addStaticEnds(ends);
      else node.staticEnd = ends.at(0) ?? null;
      const finished = Array.from(branches.values(), finish);
      if (finished.length > 1) node.branches = tables.addPrefixes(finished);
      else node.branch = finished.at(0) ?? null;
    });
    return new PathIndex(this.#root.node, tables.build(), lengths, this.#isStrict, this.#mostParams);
  }

  #addNode(): NodeBuilder<T> {
    const node = new NodeBuilder<T>();
    this.#nodes.push(node);
    return node;
  }

  /**
   * Spells a path that ends after some segments. It has at least one slash and, where trailing slashes count, the last
   * one.
   */
  #ending({ segments, hasTrailingSlash }: PathPattern, from: number, to: number): string {
    return textOf(segments, from, to, this.#isStrict && (hasTrailingSlash || to === 0));
  }

  #end(node: NodeBuilder<T>, literal: string, terminal: Terminal<T>, rivals: Terminal<T>[]): void {
    const there = node.staticEnds.get(literal);
    // A rest of zero segments gives way to a pattern that ends here.
    if (there !== undefined && (terminal.signature.isEmptyRest || !there.signature.isEmptyRest)) {
      if (terminal.signature.isEmptyRest === there.signature.isEmptyRest) rivals.push(there);
      return;
    }
    if (there === undefined) this.terminals++;
    // A static pattern shares one string with its literal, which saves 15 bytes a pattern.
    terminal.literal = literal === terminal.source ? terminal.source : literal;
    node.staticEnds.set(literal, terminal);
  }

  /** Takes one affixed or constrained segment. */
  #take(branch: BranchBuilder<T>, segment: PathSegment): NodeBuilder<T> {
    const segments = [segment];
    const numbers = branch.numbersOf(segments);
    const end = String(numbers[0]);
    let there = branch.choices.get(end);
    if (there === undefined) {
      const node = this.#addNode();
      const choice = { matcher: new SegmentMatcher(segment), next: node.node, terminal: null, expression: null };
      branch.choices.set(end, (there = { choice, node, segments, numbers }));
    }
    // A choice that takes everything has other shapes, so that a node follows this one.
    return there.node!;
  }

  /** Takes the whole rest of the path: an expression with everything that follows it, or a rest. */
  #takeAll(
    branch: BranchBuilder<T>,
    segments: readonly PathSegment[],
    { hasTrailingSlash }: PathPattern,
    choice: Choice<T>,
    rivals: Terminal<T>[],
  ): void {
    const numbers = branch.numbersOf(segments);
    let isNew = false;
    for (const end of this.#endsOf(segments, numbers, hasTrailingSlash)) {
      const there = branch.choices.get(end);
      if (there === undefined) {
        branch.choices.set(end, { choice, node: null, segments, numbers });
        isNew = true;
      } else {
        // A choice that takes one segment has other shapes, so that this one takes everything, too.
        rivals.push(there.choice.terminal!);
      }
    }
    if (isNew) this.terminals++;
  }

  /**
   * Lists where a pattern can end from its first expression on. Its optional params count both as present and as
   * absent.
   */
  #endsOf(segments: readonly PathSegment[], numbers: readonly number[], hasTrailingSlash: boolean): string[] {
    const ends: string[] = [];
    for (let at = segments.length - 1; at >= 0; at--) {
      const segment = segments[at]!;
      const countsSlash = this.#isStrict || isOpenEnded(segment);
      // In a short form with slashes ignored, the path may have a trailing slash or not.
      const isEither = !this.#isStrict && at < segments.length - 1;
      if (countsSlash && (hasTrailingSlash || isEither)) ends.push(`${numbers[at]!}/`);
      if (!countsSlash || !hasTrailingSlash || isEither) ends.push(`${numbers[at]!}`);
      if (!segment.isOptional || segment.kind === "rest") break;
    }
    return ends;
  }
}

function branchOf<T>(node: NodeBuilder<T>, literal: string): BranchBuilder<T> {
  let branch = node.branches.get(literal);
  if (branch === undefined) node.branches.set(literal, (branch = new BranchBuilder(literal)));
  return branch;
}

/**
 * Joins the static text of segments, with a slash before each segment, and after the last one if the path goes on. Uses
 * `join()`, as V8 keeps the result of `+` as a tree of strings for good.
 */
function textOf(segments: readonly PathSegment[], from: number, to: number, goesOn: boolean): string {
  const texts = [""];
  for (let at = from; at < to; at++) texts.push(segments[at]!.pieces[0] as string);
  if (goesOn) texts.push("");
  return texts.join("/");
}
