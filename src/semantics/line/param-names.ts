import { parsePathPattern } from "../../routing/pattern/path-pattern.ts";

/** The names of the params of path patterns. Each pattern is parsed once: there are as many as its author wrote. */
export class ParamNames {
  readonly #known = new Map<string, readonly string[]>();

  of(pattern: string): readonly string[] {
    let names = this.#known.get(pattern);
    if (names === undefined) this.#known.set(pattern, (names = parsePathPattern(pattern).names));
    return names;
  }
}
