import { textOf } from "./form.ts";

/**
 * Fills the params of a path pattern, so that the router reads the same values back.
 *
 * Values are encoded once, and values of rests and expressions segment by segment.
 *
 * @throws {TypeError} when a param is a dot segment, which URLs resolve, or a required one is absent or empty.
 */
export function filledPath(pattern: string, given: object | undefined): string {
  // An object inherits names such as `constructor`.
  const values: Readonly<Record<string, unknown>> = { __proto__: null, ...given };
  let unnamed = 0;
  let absent: string | number | undefined;
  const path = withoutExpressions(pattern).replace(
    /\\([^])|(\/?)(?::([\p{IDC}$\u200c\u200d]+)\0?|[\0*])([?+*]?)/gu,
    (found, literal: string | undefined, slash: string, key: string | undefined, marker: string) => {
      // What ends the path of a URL, or is a slash in it, is not literal there.
      if (literal) return /[?#\\]/.test(literal) ? encodeURIComponent(literal) : literal;
      const name = key ?? unnamed++;
      const value = values[name] ?? "";
      const isOneSegment = key !== undefined && /^\??$/.test(marker);
      const texts = (isOneSegment ? [value] : ((value as string).split?.("/") ?? [value].flat())).map((one) =>
        textOf(one, name),
      );
      const text = texts.map(encodeURIComponent).join("/");
      if (!text && /[?*]$/.test(found)) {
        absent = name;
        return "";
      }
      if (!text || absent !== undefined || texts.some((one) => /^\.\.?$/.test(one)))
        throw new TypeError(
          `Cannot fill ${pattern}: the path param "${absent ?? name}" is absent, empty or a dot segment`,
        );
      return slash + text;
    },
  );
  return path || "/";
}

/** Leaves NUL in the place of each expression. */
function withoutExpressions(pattern: string): string {
  let depth = 0;
  let text = "";
  for (let at = 0; at < pattern.length;) {
    const [part] = (depth > 0 ? /^(?:\[(?:\\[^]|[^\\\]])*|\\?[^])/ : /^\\?[^]/).exec(pattern.slice(at))!;
    at += part.length;
    if (part === ")") depth--;
    else if (depth === 0) text += part === "(" ? "\0" : part;
    if (part === "(") depth++;
  }
  return text;
}
