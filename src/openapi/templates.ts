import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import type { PathParam, PathSegment } from "../routing/pattern/path-segment.ts";

/** A path as OpenAPI writes it, with a name in braces for each param. */
export interface Template {
  readonly text: string;
  /** The same text without the names: two templates that have it in common are one for OpenAPI. */
  readonly shape: string;
  readonly params: readonly TemplateParam[];
}

interface TemplateParam {
  readonly name: string;
  /** The source of the expression that its text matches; null if any text will do. */
  readonly expression: string | null;
  /** The constraints of a param that a template cannot express; null if there are none. */
  readonly description: string | null;
  /** Whether the param takes several segments. */
  readonly isRest: boolean;
}

/**
 * Writes a path pattern as templates: OpenAPI has no optional params, so that there is one for each length of the path.
 * A rest is one param, which has no sign of its own.
 */
export function templatesOf({ segments, hasTrailingSlash }: PathPattern): Template[] {
  const firstOptional = segments.findIndex(({ isOptional, kind }) => isOptional && kind !== "rest");
  const shortest = firstOptional === -1 ? segments.length : firstOptional;
  return Array.from({ length: segments.length - shortest + 1 }, (_, more) =>
    templateOf(segments.slice(0, shortest + more), hasTrailingSlash),
  );
}

function templateOf(segments: readonly PathSegment[], hasTrailingSlash: boolean): Template {
  const params: TemplateParam[] = [];
  const write = (name: (param: PathParam) => string): string => {
    const text = segments
      .map(
        ({ pieces }) => `/${pieces.map((piece) => (typeof piece === "string" ? piece : `{${name(piece)}}`)).join("")}`,
      )
      .join("");
    return hasTrailingSlash || text === "" ? `${text}/` : text;
  };
  for (const [at, { kind, pieces, isOptional }] of segments.entries()) {
    const isRest = kind === "rest";
    const description = isRest ? restOf(isOptional, at === segments.length - 1) : null;
    for (const piece of pieces) if (typeof piece !== "string") params.push({ ...piece, description, isRest });
  }
  return { text: write(({ name }) => name), shape: write(() => ""), params };
}

function restOf(isOptional: boolean, isLast: boolean): string {
  const count = isOptional ? "no segment, one or several" : "one segment or several";
  return `${isLast ? `The rest of the path: ${count}` : "One segment or several"}, with slashes between them`;
}
