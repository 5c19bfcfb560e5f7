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
    /\\([^])|(\/?)(?::([\p{IDC}$\u200c\u200d]+)[)?+*]*|[)*])/gu,
    (found, literal: string | undefined, slash: string, key: string | undefined) => {
      if (literal) return literal;
      const name = key ?? unnamed++;
      const value = values[name] ?? "";
      const isOneSegment = key && !/[+*]$/.test(found);
      const segments = isOneSegment ? [value] : [(value as string).split?.("/") ?? value].flat();
      const text = segments.map((segment) => encodeURIComponent(textOf(segment, name))).join("/");
      if (!text && /[?*]$/.test(found)) {
        absent = name;
        return "";
      }
      if (absent || /^$|(^|\/)\.\.?($|\/)/.test(text))
        throw new TypeError(
          `Cannot fill ${pattern}: the path param "${absent ?? name}" is absent, empty or a dot segment`,
        );
      return slash + text;
    },
  );
  // What ends the path of a URL, or is a slash in it, is not literal there.
  return path.replace(/[?#\\]/g, encodeURIComponent) || "/";
}

/** Leaves of each expression its last parenthesis. What is left has no other one but by `\(` and `\)`. */
function withoutExpressions(pattern: string): string {
  let depth = 0;
  let isInClass = false;
  return pattern.replace(/\\?[^]/g, (part) => {
    if (depth && part === "[") isInClass = true;
    else if (part === "]") isInClass = false;
    else if (!isInClass && part === "(") depth++;
    else if (!isInClass && part === ")") depth--;
    return depth ? "" : part;
  });
}
