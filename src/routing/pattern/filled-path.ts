/** A list has the segments of a rest param, each of which may hold a slash. */
export type PathValue = string | number | bigint | readonly string[];

/**
 * Fills the params of a path pattern, so that the router reads the same values back.
 *
 * Values are encoded once, and values of rests and expressions segment by segment. No dot segment, query, fragment or
 * backslash is in the path, so that a URL parser leaves it as it is.
 *
 * @throws {TypeError} when a segment is a dot segment, which URLs resolve, or a required param is absent or empty, or
 * the router may read another value.
 */
export function filledPath(pattern: string, given: object | undefined): string {
  // An object inherits names such as `constructor`.
  const values: Readonly<Record<string, unknown>> = { __proto__: null, ...given };
  let unnamed = 0;

  /** Adds the rest of the pattern to the path so far. */
  const fill = (path: string, rest: string): string => {
    if (!rest) return path || "/";
    const [token, slash, key, literal] = lexeme.exec(rest)!;
    const after = rest.slice(token.length);
    const start = path + slash;
    if (literal !== undefined) return fill(start + written(literal), after);
    const name = key ?? unnamed++;
    const expression = after[0] === "(" ? expressionAt(after) : "";
    const [, marker, between] = afterParam.exec(after.slice(expression.length))!;
    const value = values[name] ?? "";
    const text = (key && !/[+*]/.test(marker!) ? [value] : [(value as string).split?.("/") ?? value].flat())
      .map((segment: unknown) => {
        const decoded = textOf(segment, name);
        if (/\p{Cs}/u.test(decoded))
          throw new TypeError(`Cannot fill ${pattern}: the path param "${name}" has half of a surrogate pair`);
        return encodeURIComponent(decoded);
      })
      .join("/");
    const filled = text ? start + text : path;
    const next = after.slice(expression.length + marker!.length);
    const whole = fill(filled, next);
    const remaining = whole.slice(filled.length);
    if (!text ? !/[?*]/.test(marker!) || remaining[1] : /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(filled))
      throw new TypeError(`Cannot fill ${pattern}: the path param "${name}" is absent, empty or a dot segment`);
    // The router ends a param where the literal after it begins. It decodes escapes that the pattern has.
    const end = between && encodeURIComponent(unescaped(between));
    // The first match is the one that is read, with all that follows. Where no param follows, there is no other.
    const isOpen = /[:(*]/.test(next) && (!key || marker === "+");
    if (
      text &&
      (/%[\da-f]?$/i.test(start) ||
        (end && (/%/.test(between) || (key && (text + end).indexOf(end, 1) < text.length))) ||
        // A slash at the end of a path is ignored.
        (isOpen && text.endsWith("/")) ||
        ((expression || isOpen) &&
          new RegExp(`^${expression || "(.+)"}${isOpen ? sourceOf(next) : ""}$`).exec(
            isOpen ? text + remaining : text,
          )?.[1] !== text))
    )
      throw new TypeError(
        `Cannot fill ${pattern}: the path param "${name}" would be read as another value, or not at all`,
      );
    return whole;
  };
  // Without a host before it, two slashes would begin one. A URL parser drops the dot.
  return fill("", pattern).replace(/^\/\//, "/.//");
}

/** A slash, and the param or the literal after it. */
const lexeme = /^(\/?)(?::([\p{IDC}$\u200c\u200d]+)|(?=[(*])|((?:\\[^]|[^\\/:(*])+|[^(*/]?))/u;

/** A marker, and the literal after it if another param follows that. */
const afterParam = /^([?+*]?)((?:\\[^]|[^\\/:(*])+(?=[:(]))?/;

/** The expression with which a text begins: up to the first parenthesis with which it compiles. */
function expressionAt(text: string, end = text.indexOf(")") + 1): string {
  const expression = text.slice(0, end);
  try {
    // oxlint-disable-next-line no-new -- only whether it compiles is of interest
    new RegExp(expression);
    return expression;
  } catch {
    return expressionAt(text, text.indexOf(")", end) + 1);
  }
}

/** An expression of what the rest of a pattern matches. */
function sourceOf(rest: string): string {
  if (!rest) return "";
  const [token, slash, , literal] = lexeme.exec(rest)!;
  const after = rest.slice(token.length);
  if (literal !== undefined) return (slash + written(literal)).replace(/\W/g, "\\$&") + sourceOf(after);
  const expression = after[0] === "(" ? expressionAt(after) : "";
  const [, marker] = afterParam.exec(after.slice(expression.length))!;
  return `(?:${slash}${expression || "[^/]*?"})${marker}${sourceOf(after.slice(expression.length + marker!.length))}`;
}

/** A literal as it stands in a path. */
function written(literal: string): string {
  return unescaped(literal).replace(/[?#\\/]/g, encodeURIComponent);
}

function unescaped(literal: string): string {
  return literal.replace(/\\([^])/g, "$1");
}

/**
 * A value as the text that the server reads it from: a date as ISO 8601, an object as JSON. Refuses `null`, and an
 * invalid date, which is `null` in JSON: where a text is accepted, the server reads the text "null".
 */
export function textOf(value: unknown, name: unknown): string {
  const json: unknown = (value as HasJson | null | undefined)?.toJSON ? (value as HasJson).toJSON() : value;
  if (json === null)
    throw new TypeError(`Cannot send "${name as string}": null has no text; leave it out, or write ""`);
  return json === Object(json) ? JSON.stringify(json) : `${json as string}`;
}

/** A value that says itself what it is in JSON, such as a date. */
interface HasJson {
  toJSON(): unknown;
}
