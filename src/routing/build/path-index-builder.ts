import { Draft, EdgeDraft, finish } from "./node-builder.ts";
import { LiteralTablesBuilder } from "./literal-table-builder.ts";
import { PathIndex } from "../index/path-index.ts";
import { Leaf } from "../index/path-match.ts";
import type { PathPattern } from "../pattern/path-pattern.ts";
import type { Edge } from "../index/node.ts";
import { isOpenEnded, type PathSegment } from "../pattern/path-segment.ts";
import { shapeOf } from "../pattern/precedence.ts";
import { compileRemainder } from "./remainder.ts";
import { SegmentMatcher } from "../index/segment-matcher.ts";
import { signaturesOf, type SignaturesOfNames } from "../index/signature.ts";

/** Whether a slash at the end of paths and patterns counts (C4.7). */
export type TrailingSlash = "ignore" | "strict";

/** Collects path patterns and makes an index of them. */
export class PathIndexBuilder<T> {
  readonly #isStrict: boolean;
  readonly #drafts: Draft<T>[] = [];
  readonly #root: Draft<T>;
  readonly #signatures = new Map<string, SignaturesOfNames>();
  #mostParams = 0;
  /** The number of ways in which the patterns can end: n + 1 for one with n optional params. */
  leaves = 0;

  constructor(trailingSlash: TrailingSlash = "ignore") {
    this.#isStrict = trailingSlash === "strict";
    this.#root = this.#draft();
  }

  /**
   * Adds a pattern and what it leads to.
   *
   * Costs O(n) for n segments: a pattern with n optional params has n + 1 leaves, along one line of places.
   *
   * @returns the leaves of patterns that already match the same paths, as a whole or in one form, and stay (C4.6).
   * @throws {SyntaxError} when expressions of the pattern do not compile together.
   */
  add(pattern: PathPattern, value: T): readonly Leaf<T>[] {
    const { segments, source } = pattern;
    const signatureOf = signaturesOf(this.#signatures, pattern);
    let draft = this.#root;
    let from = 0;
    let count = 0;
    const rivals: Leaf<T>[] = [];
    this.#mostParams = Math.max(this.#mostParams, pattern.names.length);
    for (let at = 0; at < segments.length; at++) {
      const segment = segments[at]!;
      if (segment.kind === "static") continue;
      if (segment.isOptional) {
        const isEmptyRest = segment.kind === "rest";
        const end = isEmptyRest ? textOf(segments, from, at, false) : this.#ending(pattern, from, at);
        this.#end(draft, end, new Leaf(source, value, signatureOf(count, undefined, isEmptyRest)), rivals);
      }
      const edge = edgeOf(draft, textOf(segments, from, at, true));
      from = at + 1;
      if (segment.kind === "rest" || segment.kind === "expression") {
        const leafOf = (groups: readonly number[]): Leaf<T> =>
          new Leaf(source, value, signatureOf(pattern.names.length, groups));
        this.#takeAll(edge, segments.slice(at), pattern, leafOf, rivals);
        return rivals;
      }
      const isParam = segment.kind === "param";
      draft = isParam ? (edge.param ??= this.#draft()) : this.#take(edge, segment);
      count += isParam ? 1 : segment.pieces.filter((piece) => typeof piece === "object").length;
    }
    const end = this.#ending(pattern, from, segments.length);
    this.#end(draft, end, new Leaf(source, value, signatureOf(count)), rivals);
    return rivals;
  }

  /** Makes the index. The builder must not be used after that. */
  build(): PathIndex<T> {
    const lengths = Array.from(this.#root.tails.keys(), ({ length }) => length);
    const tables = new LiteralTablesBuilder<Leaf<T>, Edge<T>>();
    this.#drafts.forEach(({ place, tails, edges }) => {
      place.leaf = tails.get("") ?? null;
      tails.delete("");
      const ends = Array.from(tails.values());
      if (ends.length > 1) place.tails = tables.addTails(ends);
      else place.tail = ends[0] ?? null;
      const finished = Array.from(edges.values(), finish);
      if (finished.length > 1) place.edges = tables.addPrefixes(finished);
      else place.edge = finished[0] ?? null;
    });
    return new PathIndex(this.#root.place, tables.build(), lengths, this.#isStrict, this.#mostParams);
  }

  #draft(): Draft<T> {
    const draft = new Draft<T>();
    this.#drafts.push(draft);
    return draft;
  }

  /** How a path is spelled that ends behind some segments: it has at least one slash, and where it counts, the last one. */
  #ending({ segments, hasTrailingSlash }: PathPattern, from: number, to: number): string {
    return textOf(segments, from, to, this.#isStrict && (hasTrailingSlash || to === 0));
  }

  #end(draft: Draft<T>, literal: string, leaf: Leaf<T>, rivals: Leaf<T>[]): void {
    const there = draft.tails.get(literal);
    // A rest of no segments gives way to a pattern that ends here.
    if (there !== undefined && (leaf.signature.isEmptyRest || !there.signature.isEmptyRest)) {
      if (leaf.signature.isEmptyRest === there.signature.isEmptyRest) rivals.push(there);
      return;
    }
    if (there === undefined) this.leaves++;
    // PERF: a static pattern is its literal: with one text for both, a route of 100,000 takes 15 bytes less (`bench/build`).
    leaf.literal = literal === leaf.source ? leaf.source : literal;
    draft.tails.set(literal, leaf);
  }

  /** Takes one affixed or constrained segment. */
  #take(edge: EdgeDraft<T>, segment: PathSegment): Draft<T> {
    const shape = shapeOf(segment);
    const there = edge.drafts.get(shape);
    if (there !== undefined) return there;
    const draft = this.#draft();
    const choice = { matcher: new SegmentMatcher(segment), next: draft.place, leaf: null, expression: null };
    const numbers = edge.numbersOf([segment]);
    edge.drafts.set(shape, draft);
    edge.choices.set(`${numbers[0]!}`, { choice, segments: [segment], numbers });
    return draft;
  }

  /** Takes all that is left of the path: an expression with what follows it, or a rest. */
  #takeAll(
    edge: EdgeDraft<T>,
    segments: readonly PathSegment[],
    { hasTrailingSlash }: PathPattern,
    leafOf: (groups: readonly number[]) => Leaf<T>,
    rivals: Leaf<T>[],
  ): void {
    const { expression, groups } =
      segments[0]!.kind === "rest"
        ? { expression: null, groups: [] }
        : compileRemainder(segments, this.#isStrict && hasTrailingSlash);
    const leaf = leafOf(groups);
    const choice = { matcher: null, next: null, leaf, expression };
    const numbers = edge.numbersOf(segments);
    let isNew = false;
    for (const end of this.#endsOf(segments, numbers, hasTrailingSlash)) {
      const there = edge.choices.get(end);
      if (there === undefined) {
        edge.choices.set(end, { choice, segments, numbers });
        isNew = true;
      } else {
        // The shapes of what takes one segment are others, so that this takes all, too.
        rivals.push(there.choice.leaf!);
      }
    }
    if (isNew) this.leaves++;
  }

  /** Where a pattern can end from its first expression on: its optional params count as with and without them. */
  #endsOf(segments: readonly PathSegment[], numbers: readonly number[], hasTrailingSlash: boolean): string[] {
    const ends: string[] = [];
    for (let at = segments.length - 1; at >= 0; at--) {
      const segment = segments[at]!;
      const isShort = at < segments.length - 1;
      const countsSlash = this.#isStrict || isOpenEnded(segment);
      if (countsSlash && (hasTrailingSlash || (isShort && !this.#isStrict))) ends.push(`${numbers[at]!}/`);
      if (!countsSlash || !hasTrailingSlash || (isShort && !this.#isStrict)) ends.push(`${numbers[at]!}`);
      if (!segment.isOptional || segment.kind === "rest") break;
    }
    return ends;
  }
}

function edgeOf<T>(draft: Draft<T>, literal: string): EdgeDraft<T> {
  let edge = draft.edges.get(literal);
  if (edge === undefined) draft.edges.set(literal, (edge = new EdgeDraft(literal)));
  return edge;
}

/**
 * The static text of segments, with a slash in front of each, and behind the last of them if the path goes on.
 *
 * PERF: joined, as what `+` makes is a tree of strings to V8, for good (`bench/build`, bytes a pattern).
 */
function textOf(segments: readonly PathSegment[], from: number, to: number, goesOn: boolean): string {
  if (from === to) return goesOn ? "/" : "";
  const texts = [""];
  for (let at = from; at < to; at++) texts.push(segments[at]!.pieces[0] as string);
  if (goesOn) texts.push("");
  return texts.join("/");
}
