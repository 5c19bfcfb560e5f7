import { encoded } from "./oracle-path.ts";

/** What a pattern asks of a path, one after the other. */
export type Step =
  | { readonly kind: "slash"; readonly segment: number; readonly marker: string }
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "param" | "expression" | "rest";
      readonly name: string;
      readonly expression: string | null;
      readonly marker: string;
    };

export interface Segment {
  /** A slash, then what follows it. */
  readonly steps: readonly Step[];
  /** Behind a param that fills its segment: `?`, `+`, `*`, or nothing. */
  readonly marker: string;
}

export interface Pattern {
  readonly source: string;
  readonly segments: readonly Segment[];
  /** Those of all segments. */
  readonly steps: readonly Step[];
  readonly names: readonly string[];
  readonly endsInSlash: boolean;
  /** Whether it ends in an expression or rest, which see the path with the slash at its end. */
  readonly isOpen: boolean;
  /**
   * The step that begins the first segment with an expression, or a rest that is not last: from there on the pattern is
   * matched as a whole.
   */
  readonly expressionAt: number;
}

/** Reads a path pattern, which must be correct. */
export function patternOf(source: string): Pattern {
  const segments: Segment[] = [];
  const names: string[] = [];
  let rest = source;
  let unnamed = 0;
  while (rest !== "" && rest !== "/") {
    rest = rest.slice(1);
    const steps: Step[] = [{ kind: "slash", segment: segments.length, marker: "" }];
    let literal = "";
    const endLiteral = (): void => {
      if (literal !== "") steps.push({ kind: "literal", text: encoded(literal) });
      literal = "";
    };
    while (rest !== "" && rest[0] !== "/") {
      const name = /^:([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)/u.exec(rest)?.[1];
      if (name !== undefined || rest[0] === "(" || rest[0] === "*") {
        endLiteral();
        if (name !== undefined) rest = rest.slice(1 + name.length);
        const expression = expressionAt(rest);
        rest = rest.slice(expression.length);
        const marker = name === undefined && expression !== "" ? "" : (/^[?+*]/.exec(rest)?.[0] ?? "");
        rest = rest.slice(marker.length);
        names.push(name ?? String(unnamed++));
        const kind = marker === "+" || marker === "*" ? "rest" : name === undefined ? "expression" : "param";
        if (marker !== "") steps[0] = { kind: "slash", segment: segments.length, marker };
        steps.push({
          kind,
          name: names.at(-1)!,
          expression: expression === "" ? null : expression.slice(1, -1),
          marker,
        });
      } else {
        if (rest[0] === "\\") rest = rest.slice(1);
        const [character = ""] = rest;
        literal += character;
        rest = rest.slice(character.length);
      }
    }
    endLiteral();
    segments.push({ steps, marker: steps[0]?.kind === "slash" ? steps[0].marker : "" });
  }
  const steps = segments.flatMap((segment) => segment.steps);
  const last = steps.at(-1)?.kind;
  const before = segments.findIndex(({ steps: parts, marker }, at) => {
    const isSpanning = marker === "+" && at < segments.length - 1;
    return isSpanning || parts.some(({ kind }) => kind === "expression");
  });
  return {
    source,
    segments,
    steps,
    names,
    endsInSlash: rest === "/",
    isOpen: rest === "" && (last === "expression" || last === "rest"),
    expressionAt: before < 0 ? Infinity : steps.findIndex((step) => step.kind === "slash" && step.segment === before),
  };
}

/** The shortest text in parentheses that the engine takes for an expression. */
function expressionAt(text: string): string {
  if (text[0] !== "(") return "";
  for (let end = text.indexOf(")"); end >= 0; end = text.indexOf(")", end + 1)) {
    if (isExpression(text.slice(0, end + 1))) return text.slice(0, end + 1);
  }
  throw new SyntaxError(`No expression at the beginning of ${text}`);
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
