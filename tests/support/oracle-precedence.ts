import { patternOf, type Pattern, type Segment } from "./oracle-pattern.ts";

/** Whether pattern `a` wins over `b` for a path that both match, of which they need so many segments (C4.5). */
export function isMoreSpecific(
  a: Pattern,
  usedByA: number,
  b: Pattern,
  usedByB: number,
  patterns: readonly Pattern[],
): boolean {
  const ofA = a.expressionAt === Infinity ? a.segments.slice(0, usedByA) : a.segments;
  const ofB = b.expressionAt === Infinity ? b.segments.slice(0, usedByB) : b.segments;
  const at = firstDifference(ofA, ofB);
  const [one, other] = [ofA[at], ofB[at]];
  if (one === undefined && other === undefined) return a.isOpen && !b.isOpen;
  // One ends where the other goes on: behind an expression or a rest the longer one wins, unless it goes on with a rest
  // of none.
  if (one === undefined) return !takesSlashes(a, ofA) || other?.marker === "*";
  if (other === undefined) return takesSlashes(b, ofB) && one.marker !== "*";
  const keys = keysOf(one, goesOn(ofA[at + 1]));
  const otherKeys = keysOf(other, goesOn(ofB[at + 1]));
  const decisive = keys.findIndex((key, index) => key !== otherKeys[index]);
  if (decisive >= 0) return keys[decisive]! < otherKeys[decisive]!;
  return firstWith(ofA.slice(0, at + 1), patterns) < firstWith(ofB.slice(0, at + 1), patterns);
}

function takesSlashes({ expressionAt }: Pattern, used: readonly Segment[]): boolean {
  return expressionAt < Infinity || used.at(-1)?.marker === "+";
}

/** Whether two patterns are equal but for names, an optional param counting as with and without it (C4.6). */
export function isSamePaths(one: string, other: string, trailingSlash = "ignore"): boolean {
  const forms = formsOf(patternOf(other), trailingSlash === "strict");
  return formsOf(patternOf(one), trailingSlash === "strict").some((form) => forms.includes(form));
}

function formsOf({ segments, endsInSlash }: Pattern, isStrict: boolean): string[] {
  const forms: string[] = [];
  for (let length = segments.length; length >= 0; length--) {
    // Where the slash counts, an empty segment at the end and a slash at the end are one thing.
    const form = segments.slice(0, length).map((segment) => (isStrict ? shapeOf(segment) : shapeOf(segment) || '""'));
    const text = form.map((shape) => `/${shape}`).join("");
    const isExpression = segments[length - 1]?.steps.at(-1)?.kind === "expression";
    const isShort = length < segments.length;
    if (isStrict) forms.push(endsInSlash || length === 0 ? `${text}/` : text);
    else {
      if (!isExpression || isShort || !endsInSlash) forms.push(text);
      if (isExpression && (isShort || endsInSlash)) forms.push(`${text}/`);
    }
    if (segments[length - 1]?.marker !== "?") break;
  }
  return forms;
}

/** A segment without names. */
function shapeOf({ steps }: Segment): string {
  return steps
    .map((step) => {
      if (step.kind === "slash") return "";
      if (step.kind === "literal") return JSON.stringify(step.text);
      if (step.kind === "rest") return step.marker;
      return (step.kind === "param" ? ":" : "") + (step.expression === null ? "" : `(${step.expression})`);
    })
    .join("");
}

function firstDifference(one: readonly Segment[], other: readonly Segment[]): number {
  const at = one.findIndex(
    (segment, index) => other[index] === undefined || shapeOf(segment) !== shapeOf(other[index]),
  );
  return at < 0 ? one.length : at;
}

/** Whether what stands behind a segment makes it less than a rest; a rest of none does not. */
function goesOn(next: Segment | undefined): boolean {
  return next !== undefined && next.marker !== "*";
}

/** Which pattern was the first to have these segments: the order of registration. */
function firstWith(segments: readonly Segment[], patterns: readonly Pattern[]): number {
  return patterns.findIndex((pattern) => firstDifference(segments, pattern.segments) === segments.length);
}

/** What decides between two segments: the smaller key wins, the first of them first. */
function keysOf({ steps, marker }: Segment, isFollowed: boolean): readonly (string | number)[] {
  const pieces = steps.slice(1);
  const [only] = pieces;
  const literals = pieces.flatMap((piece) => (piece.kind === "literal" ? piece.text : []));
  const taken = pieces.flatMap((piece) => (piece.kind === "param" || piece.kind === "expression" ? piece : []));
  if (marker === "+") return [4, isFollowed ? 0 : 1];
  if (marker === "*") return [4, 3];
  if (taken.length === 0) return [0, literals.join("")];
  if (pieces.length === 1 && only?.kind === "expression" && /^\.[+*]$/.test(only.expression!)) {
    return [4, isFollowed ? 0 : 2];
  }
  if (taken.some(({ kind }) => kind === "expression")) return [2];
  const constraints = taken.filter(({ expression }) => expression !== null);
  if (pieces.length === 1) return [constraints.length === 1 ? 2 : 3];
  const text = pieces.map((piece) => (piece.kind === "literal" ? piece.text : "\0")).join("");
  return [1, -literals.join("").length, -constraints.length, text];
}
