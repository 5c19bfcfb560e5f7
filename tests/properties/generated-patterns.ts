import fc from "fast-check";
import { PathIndexBuilder, type TrailingSlash } from "../../src/routing/build/path-index-builder.ts";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { anyText } from "./generated-targets.ts";
import { affixed, constrained, expressions, param, statics, type Part } from "./pattern-parts.ts";

const segments: fc.Arbitrary<Part> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...statics) },
  { weight: 2, arbitrary: fc.constant(param) },
  { weight: 2, arbitrary: fc.constantFrom(...affixed) },
  { weight: 2, arbitrary: fc.constantFrom(...constrained) },
  { weight: 2, arbitrary: fc.constantFrom(...expressions) },
);
const optionals = fc.array(
  fc.constantFrom<Part>([":1?", ...param.slice(1)], [":1?", "a", "b"], [":1(\\d+)?", "7", "a"], [":1([ab])?", "a"]),
  { minLength: 1, maxLength: 3 },
);
const rests = fc.constantFrom<Part[]>(
  [[":1+", "a", "a/b", "", "/"]],
  [[":1*", "a", "a/b/", "", "%zz/a"]],
  [["*", "a", "", "a//b"]],
);
/** A rest before other segments. */
const spanning: Part = [":1+", "a", "a/b", "b/a/7", "", "a//b"];
const slashes = fc.constantFrom<Part[]>([], [], [], [["", ""]]);

/** A pattern, and for each of its segments texts to build paths from. */
export interface GeneratedPattern {
  readonly source: string;
  readonly samples: readonly (readonly string[])[];
}

const names = ["id", "name", "constructor", "__proto__", "toString", "é", "$", "_"];

function patternOf(parts: readonly Part[]): GeneratedPattern {
  let count = 0;
  const source = parts.map(([text]) => `/${text.replace(/:\d/g, () => `:${names[count++] ?? `p${count}`}`)}`).join("");
  return { source: source === "" ? "/" : source, samples: parts.map(([, ...samples]) => samples) };
}

const patterns: fc.Arbitrary<GeneratedPattern> = fc
  .tuple(
    fc.array(segments, { maxLength: 4 }),
    fc.oneof(slashes, slashes, optionals, rests),
    slashes,
    fc.option(fc.nat(3), { freq: 3 }),
  )
  .map(([body, tail, slash, place]) => {
    const isRest = tail.some(([source]) => /[+*]$/.test(source));
    const parts = [...body, ...tail, ...(isRest ? [] : slash)];
    const goesOn = body.slice(place ?? 4).some(([source]) => source !== "");
    return patternOf(goesOn ? parts.toSpliced(place!, 0, spanning) : parts);
  });

/** Up to 40 patterns of all kinds. */
export const crowds: fc.Arbitrary<GeneratedPattern[]> = fc.array(patterns, {
  minLength: 1,
  maxLength: 40,
  size: "max",
});

/** The same, but mostly few: in a crowd the first segments decide. */
export const tables: fc.Arbitrary<GeneratedPattern[]> = fc.oneof(
  { weight: 9, arbitrary: fc.array(patterns, { minLength: 1, maxLength: 6, size: "max" }) },
  { weight: 1, arbitrary: crowds },
);

export const fewPatterns: fc.Arbitrary<GeneratedPattern[]> = fc.array(patterns, {
  minLength: 1,
  maxLength: 3,
  size: "max",
});

/** Leaves out patterns that match the same paths as an earlier one. */
export function withoutRivals(table: readonly GeneratedPattern[], trailingSlash: TrailingSlash): GeneratedPattern[] {
  const builder = new PathIndexBuilder<null>(trailingSlash);
  return table.filter(({ source }) => builder.add(parsePathPattern(source), null).length === 0);
}

export const trailingSlashes: fc.Arbitrary<TrailingSlash> = fc.constantFrom<TrailingSlash>("ignore", "strict");

/** Choices from which `pathFor` makes a path for a table: numbers, so that they can be made smaller one by one. */
export interface Choices {
  readonly pattern: number;
  readonly samples: readonly number[];
  readonly change: number;
  readonly place: number;
  readonly text: string;
}

const hostileTexts = [
  "",
  "/",
  "a",
  "7",
  "%",
  "%2F",
  "%2e",
  "..",
  ".",
  "%zz",
  "é",
  "\\",
  "\t",
  "//",
  "?",
  "#",
  "\0",
  "^",
  "%5e",
  "𝒳",
  "\ud800",
];

export const choices: fc.Arbitrary<Choices> = fc.record({
  pattern: fc.nat(39),
  samples: fc.array(fc.nat(7), { minLength: 8, maxLength: 8 }),
  change: fc.nat(11),
  place: fc.nat(40),
  text: fc.oneof(fc.constantFrom(...hostileTexts), anyText(3)),
});

/** A path that one of the patterns matches, or would but for one change. */
export function pathFor(
  table: readonly GeneratedPattern[],
  { pattern, samples, change, place, text }: Choices,
): string {
  const { samples: texts } = table[pattern % table.length]!;
  const parts = texts.map((some, index) => some[samples[index % 8]! % some.length]!);
  const path = `/${parts.join("/")}`;
  const at = 1 + (place % path.length);
  if (change === 0) return `${path}/`;
  if (change === 1) return `/${parts.slice(0, -1).join("/")}`;
  if (change === 2) return `${path}/${text}`;
  if (change === 3) return path.slice(0, at) + text + path.slice(at);
  if (change === 4) return path.slice(0, at) + text + path.slice(at + 1);
  if (change === 5) return `${path}?${text}`;
  if (change === 6) return encodedAt(path, at);
  if (change === 7) return path.slice(0, at);
  return path;
}

function encodedAt(path: string, at: number): string {
  const code = path.charCodeAt(at);
  return code < 128 ? `${path.slice(0, at)}%${code.toString(16).padStart(2, "0")}${path.slice(at + 1)}` : path;
}
