/**
 * Counts the characters that a function reads, by watching the methods through which it can: what it costs, on any
 * machine. A search counts as far as it got, and an expression as reading once what it matches, or all if it does not.
 */
export function charactersRead(run: () => void): number {
  let count = 0;
  const restore = [
    watch(String.prototype, "charCodeAt", () => count++),
    watch<number>(String.prototype, "indexOf", (text, [, from = 0], found) => {
      count += (found < 0 ? text.length : found + 1) - Number(from);
    }),
    watch(String.prototype, "includes", (text) => (count += text.length)),
    watch(String.prototype, "startsWith", (_, [part]) => (count += String(part).length)),
    watch<string>(String.prototype, "slice", (_, _bounds, part) => (count += part.length)),
    watch(String.prototype, "replace", (text) => (count += text.length)),
    watch<RegExpExecArray | null>(
      RegExp.prototype,
      "exec",
      (_, [text], found) => (count += found?.[0].length ?? String(text).length),
    ),
    watch(RegExp.prototype, "test", (_, [text]) => (count += String(text).length)),
  ];
  try {
    run();
  } finally {
    for (const one of restore) one();
  }
  return count;
}

/**
 * Counts the characters that a function has the URL parser read, which is worse than linear in the length of a host.
 */
export function charactersParsed(run: () => void): number {
  let count = 0;
  const { URL: Original } = globalThis;
  class Counting extends Original {
    constructor(url: string | URL, base?: string | URL) {
      // First: it may throw.
      count += String(url).length;
      super(url, base);
    }
    static override canParse(url: string | URL, base?: string): boolean {
      count += String(url).length;
      return Original.canParse(url, base);
    }
  }
  globalThis.URL = Counting;
  try {
    run();
  } finally {
    globalThis.URL = Original;
  }
  return count;
}

/** Counts how often a function looks into a Map or writes to one. */
export function mapCalls(run: () => void): number {
  let count = 0;
  const restore = (["get", "set", "has"] as const).map((name) => watch(Map.prototype, name, () => count++));
  try {
    run();
  } finally {
    for (const one of restore) one();
  }
  return count;
}

/** Counts the elements of the arrays that a function has array methods copy. */
export function elementsCopied(run: () => void): number {
  let count = 0;
  const restore = (["concat", "slice", "map", "filter"] as const).map((name) =>
    watch<unknown[]>(Array.prototype, name, (_, _values, copy) => (count += copy.length)),
  );
  try {
    run();
  } finally {
    for (const one of restore) one();
  }
  return count;
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Has a method call `note` after each call; what is returned ends that. */
function watch<Result>(
  prototype: object,
  name: string,
  note: (self: string, values: readonly unknown[], result: Result) => void,
): () => void {
  const methods = prototype as Record<string, Method>;
  const original = methods[name]!;
  methods[name] = function (...values) {
    const result = Reflect.apply(original, this, values);
    note(this as string, values, result as Result);
    return result;
  };
  return () => {
    methods[name] = original;
  };
}
