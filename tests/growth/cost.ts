/**
 * What functions of ours cost, on any machine: how often each block of the sources runs, which V8 counts, and how many
 * characters and elements the methods of the platform read for them.
 *
 * Expressions are taken to read what they match, or all where they do not: `tests/security/expressions.test.ts` has
 * each of the sources checked for more than that.
 */
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";

/** What is ours: the sources, and what this is tried by. */
const counted = ["../../src/", "./readers.ts"].map((path) => new URL(path, import.meta.url));

export class CostMeter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  stop(): void {
    this.#session.disconnect();
  }

  /** Forgets what has run since the last cost was taken. */
  async reset(): Promise<void> {
    await this.#blocksRun();
  }

  /** The cost of a run, which may be a Promise, and of all since the last one; what it throws counts for nothing. */
  async costOf(run: () => unknown): Promise<number> {
    let read = 0;
    const restore = watchAll((count) => (read += count));
    try {
      await run();
    } catch {
      // Refusals are answers, too.
    } finally {
      for (const one of restore) one();
    }
    return read + (await this.#blocksRun());
  }

  /** How often blocks of the sources have run since the last call. */
  async #blocksRun(): Promise<number> {
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    let count = 0;
    for (const { url, functions } of result) {
      if (!counted.some((place) => url.startsWith(place.href) || url.startsWith(fileURLToPath(place)))) continue;
      for (const { ranges } of functions) for (const range of ranges) count += range.count;
    }
    return count;
  }
}

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Cost = (self: string, values: readonly unknown[], result: unknown) => number;

const whole: Cost = (text) => text.length;
const one: Cost = () => 1;
const given: Cost = (_, [text]) => String(text).length;
const { indexOf } = String.prototype;

const costsOfText: Readonly<Record<string | symbol, Cost>> = {
  at: one,
  charAt: one,
  charCodeAt: one,
  codePointAt: one,
  endsWith: given,
  includes: (text, [part]) => distance(text, indexOf.call(text, String(part))),
  indexOf: (text, [, from = 0], found) => distance(text, Number(found)) - Math.min(text.length, Number(from)),
  lastIndexOf: (text, _, found) => text.length - Number(found),
  localeCompare: whole,
  match: whole,
  normalize: whole,
  padEnd: whole,
  padStart: whole,
  replace: whole,
  replaceAll: whole,
  search: whole,
  // A copy, though V8 may put it off.
  slice: (_, _bounds, part) => (part as string).length,
  split: whole,
  startsWith: given,
  substring: (_, _bounds, part) => (part as string).length,
  toLowerCase: whole,
  toUpperCase: whole,
  trim: whole,
  trimEnd: whole,
  trimStart: whole,
  [Symbol.iterator]: whole,
};

const methodsOfArrays = ["concat", "includes", "indexOf", "join", "lastIndexOf", "shift", "slice", "splice", "unshift"];

function distance(text: string, found: number): number {
  return found < 0 ? text.length : found + 1;
}

function watchAll(note: (count: number) => void): (() => void)[] {
  const texts = Reflect.ownKeys(costsOfText).map((name) => {
    const cost = costsOfText[name]!;
    return watch(String.prototype, name, (self, values, result) => note(cost(self as string, values, result)));
  });
  const arrays = methodsOfArrays.map((name) =>
    watch(Array.prototype, name, (self) => note((self as readonly unknown[]).length)),
  );
  const readers: readonly (readonly [object, string])[] = [
    [RegExp.prototype, "test"],
    [globalThis, "atob"],
    [globalThis, "decodeURIComponent"],
    [TextEncoder.prototype, "encode"],
    [URL, "canParse"],
  ];
  const readings = readers.map(([holder, name]) => watch(holder, name, (_, [text]) => note(String(text).length)));
  return [...texts, ...arrays, ...readings, watchExpressions(note)];
}

/** Has a method call `note` after each call; what is returned ends that. */
function watch(
  holder: object,
  name: string | symbol,
  note: (self: unknown, values: readonly unknown[], result: unknown) => void,
): () => void {
  return replace(
    holder,
    name,
    (original) =>
      function (...values) {
        const result = Reflect.apply(original, this, values);
        note(this, values, result);
        return result;
      },
  );
}

function watchExpressions(note: (count: number) => void): () => void {
  return replace(
    RegExp.prototype,
    "exec",
    (original) =>
      function (text) {
        const { global, lastIndex, sticky } = this as RegExp;
        const from = global || sticky ? lastIndex : 0;
        const found = original.call(this, text) as RegExpExecArray | null;
        // A sticky one looks at that place only.
        if (found === null) note(sticky ? 1 : String(text).length - from);
        else note(found.index + found[0].length - from);
        return found;
      },
  );
}

function replace(holder: object, name: string | symbol, by: (original: Method) => Method): () => void {
  const methods = holder as Record<string | symbol, Method>;
  const original = methods[name]!;
  methods[name] = by(original);
  return () => {
    methods[name] = original;
  };
}
