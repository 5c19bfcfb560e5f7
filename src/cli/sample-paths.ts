import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import type { PathParam, PathSegment } from "../routing/pattern/path-segment.ts";
import { ExpressionSampler } from "./expression-sample.ts";
import { matches } from "./lone-pattern.ts";

const values = "x 7 a-b ~ a.b %C3%A9 Q ! x_1 2001-02-03 a%2Fb - zzzzzzzzzzzz a.b-c:d@e".split(" ");
const tries = 60;

/** Makes canonical paths that a pattern matches when it is alone: the same ones each time, none if none was found. */
export function samplePathsOf(pattern: PathPattern, trailingSlash: TrailingSlash = "ignore"): string[] {
  const random = randomNumbers();
  const samplers = new Map<string, ExpressionSampler>();
  const textOf = ({ expression }: PathParam): string => {
    if (expression === null) return values[random(values.length)]!;
    let sampler = samplers.get(expression);
    if (sampler === undefined) samplers.set(expression, (sampler = new ExpressionSampler(expression)));
    return sampler.sample(random);
  };
  const segmentOf = ({ kind, pieces }: PathSegment): string =>
    kind === "rest"
      ? Array.from({ length: 1 + random(3) }, () => values[random(values.length)]!).join("/")
      : pieces.map((piece) => (typeof piece === "string" ? piece : textOf(piece))).join("");
  const paths = new Set<string>();
  for (let attempt = 0; attempt < tries; attempt++) {
    const required = pattern.segments.filter(({ isOptional }) => !isOptional).length;
    const length = required + random(pattern.segments.length - required + 1);
    const path = pattern.segments
      .slice(0, length)
      .map((segment) => `/${segmentOf(segment)}`)
      .join("");
    paths.add(path);
  }
  // A path may need a trailing slash: for the root, if slashes count, or after an empty segment.
  const found = [...paths].map((path) => [path, `${path}/`].find((one) => matches(pattern, one, trailingSlash)));
  return [...new Set(found)].filter((path) => path !== undefined);
}

/** Numbers that look random and are the same in each run (mulberry32). */
function randomNumbers(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
