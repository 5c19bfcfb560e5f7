import { compileRemainder } from "../routing/build/remainder.ts";
import { isNumbered, type PathParam, type PathSegment } from "../routing/pattern/path-segment.ts";
import { canonicalEscapes, encodeLiteral } from "../routing/percent-encoding.ts";
import { textOf } from "./form.ts";

/**
 * Fills the params of a path pattern, so that the router reads the same values back.
 *
 * Values are encoded once, and values of rests and expressions segment by segment. No dot segment, query, fragment or
 * backslash is in the path, so that a URL parser leaves it as it is.
 *
 * @throws {TypeError} when a segment is a dot segment, which URLs resolve, or a required param is absent or empty, or the
 * router would read another value.
 */
export function filledPath(pattern: string, given: object | undefined): string {
  // An object inherits names such as `constructor`.
  const values: Readonly<Record<string, unknown>> = { __proto__: null, ...given };
  const segments = segmentsOf(pattern);
  const failAbsent = (name: string): never => {
    throw new TypeError(`Cannot fill ${pattern}: the path param "${name}" is absent, empty or a dot segment`);
  };
  const failOther = (name: string): never => {
    throw new TypeError(
      `Cannot fill ${pattern}: the path param "${name}" would be read as another value, or not at all`,
    );
  };
  const failHalf = (name: string): never => {
    throw new TypeError(`Cannot fill ${pattern}: the path param "${name}" has half of a surrogate pair`);
  };
  let absent: string | undefined;
  const filled = segments.map(({ kind, pieces, isOptional }) => {
    const sent: Sent[] = [];
    const texts = pieces.map((piece) => {
      if (typeof piece === "string") return piece;
      const { name } = piece;
      const text = encodedValue(values[name] ?? "", name, kind === "rest" || isNumbered(piece), failHalf);
      if (!text && isOptional) absent = name;
      else if (absent || !text) failAbsent(absent ?? name);
      sent.push({ name, text });
      return text;
    });
    const text = texts.join("");
    if (sent.length && isDots.test(text)) failAbsent(sent[0]!.name);
    // With a percent sign of the pattern, a value would be an escape.
    if (canonicalEscapes(text) !== text) failOther(sent[0]!.name);
    return { sent, text: absent && isOptional ? "" : `/${text}` };
  });
  const textFrom = (from: number, to?: number): string =>
    filled
      .slice(from, to)
      .map(({ text }) => text)
      .join("");
  for (const [at, { kind, pieces }] of segments.entries()) {
    const isTail = kind === "expression";
    // A text that fills its segment is read back.
    if (
      !filled[at]!.text ||
      kind === "rest" ||
      (!isTail && pieces.every((piece) => typeof piece === "string" || isPlain(piece, pieces)))
    )
      continue;
    // The router ignores a slash at the end.
    const to = isTail ? segments.length - (segments.at(-1)!.pieces.length ? 0 : 1) : at + 1;
    const { expression, groups } = compileRemainder(segments.slice(at, to), false);
    const read = expression.exec(textFrom(at, to).slice(1));
    const sent = filled.slice(at, to).flatMap((one) => one.sent);
    const other = sent.find(({ text }, index) => (read?.[groups[index]!] ?? "") !== text);
    if (other) failOther(other.name);
    if (isTail) break;
  }
  return textFrom(0) || "/";
}

/** A param with its text in the path. */
interface Sent {
  readonly name: string;
  readonly text: string;
}

/** What URLs resolve, in any spelling. */
const isDots = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** Without an expression, and alone between literals: it takes whatever is there. */
function isPlain({ expression }: PathParam, pieces: PathSegment["pieces"]): boolean {
  return !expression && pieces.filter((piece) => typeof piece === "object").length === 1;
}

function encodedValue(value: unknown, name: string, hasSlashes: boolean, failHalf: (name: string) => never): string {
  const segments = hasSlashes ? [(value as string).split?.("/") ?? value].flat() : [value];
  return segments
    .map((segment: unknown) => {
      const text = textOf(segment, name);
      if (/\p{Cs}/u.test(text)) failHalf(name);
      // The router reads this escape as the character.
      return encodeURIComponent(text).replaceAll("%5E", "^");
    })
    .join("/");
}

/** Reads a pattern, which the server has checked. */
function segmentsOf(pattern: string): PathSegment[] {
  const drafts: { pieces: (string | Draft)[]; marker: string }[] = [];
  let unnamed = 0;
  let depth = 0;
  let isInClass = false;
  for (const [token, escaped, name] of pattern.matchAll(lexeme)) {
    const draft = drafts.at(-1);
    const last = draft?.pieces.at(-1);
    if (depth) {
      if (isInClass) isInClass = token !== "]";
      else if (token === "[") isInClass = true;
      else if (token === "(") depth++;
      else if (token === ")") depth--;
      if (depth) (last as Draft).expression += token;
    } else if (!draft || token === "/") drafts.push({ pieces: [], marker: "" });
    else if (name) draft.pieces.push({ name, expression: "" });
    else if (token === "(") {
      depth++;
      if (typeof last !== "object" || last.expression) draft.pieces.push({ name: `${unnamed++}`, expression: "" });
    } else if (/^[?+*]$/.test(token)) {
      if (!last) draft.pieces.push({ name: `${unnamed++}`, expression: "" });
      draft.marker = token;
    } else if (typeof last === "string") draft.pieces.push(draft.pieces.pop() + (escaped ?? token));
    else draft.pieces.push(escaped ?? token);
  }
  return drafts.map(({ pieces, marker }) => ({
    kind: /[+*]/.test(marker)
      ? "rest"
      : pieces.some((piece) => typeof piece === "object" && isNumbered(piece))
        ? "expression"
        : "affixed",
    pieces: pieces.map((piece) =>
      typeof piece === "string" ? encodeLiteral(piece) : { ...piece, expression: piece.expression || null },
    ),
    isOptional: /[?*]/.test(marker),
    source: "",
  }));
}

/** A param under way: its expression is empty where there is none. */
interface Draft {
  readonly name: string;
  expression: string;
}

const lexeme = /\\([^])|:([\p{IDC}$\u200c\u200d]+)|[^]/gu;
