import { described } from "../http/javascript/described.ts";
import type { ResourceModel } from "../application/application-model.ts";
import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import { countExpressions } from "../routing/pattern/precedence.ts";
import { backtrackingOf } from "./backtracking.ts";
import { undescribedToolsOf } from "../agents/agent-tool.ts";
import { unguardedOf } from "../openapi/needed-scopes.ts";
import { hasDeclarations, textPartsOf, undeclaredHandlersOf } from "../openapi/drift.ts";
import { documentsOf } from "./application-description.ts";
import type { LoadedApplication } from "./loaded-application.ts";
import { matches } from "./lone-pattern.ts";
import { rivalsAmong } from "./rivals.ts";
import { samplePathsOf } from "./sample-paths.ts";

/** The kinds of findings: `check --ignore` accepts these. */
export const findingKinds = [
  "backtracking",
  "unreachable",
  "no-paths",
  "no-methods",
  "undeclared",
  "text",
  "document",
  "tool",
  "order",
  "unchecked",
  "unguarded",
] as const;

export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  readonly resource: string;
  /** Null if it is about the whole resource. */
  readonly pattern: string | null;
  readonly message: string;
  /** A path that shows it. */
  readonly example: string | null;
}

interface Sampled {
  readonly pattern: PathPattern;
  readonly resource: ResourceModel;
  readonly paths: readonly string[];
}

/** Finds patterns that are dangerous, unreachable, or decided only by registration order. */
export async function findingsOf(app: LoadedApplication): Promise<Finding[]> {
  const { trailingSlash } = app;
  const sampled = app.resources.flatMap((resource) =>
    resource.patterns.map((pattern) => ({ pattern, resource, paths: samplePathsOf(pattern, trailingSlash) })),
  );
  return [
    ...withoutPaths(app),
    ...withoutMethods(app),
    ...undeclared(app),
    ...text(app),
    ...undescribable(app),
    ...toolsWithoutDescription(app),
    ...unguarded(app),
    ...sampled.flatMap((entry) => unreachable(app, entry)),
    ...decidedByOrder(sampled, trailingSlash),
    ...(await backtracking(sampled)),
  ];
}

function ofResource(kind: Finding["kind"], resource: string, message: string): Finding {
  return { kind, resource, pattern: null, message, example: null };
}

function withoutPaths({ resources }: LoadedApplication): Finding[] {
  return resources
    .filter(({ patterns }) => patterns.length === 0)
    .map(({ name }) => ofResource("no-paths", name, "it has no paths, so that no request can reach it"));
}

/** A resource that no request can reach is reported only once. */
function withoutMethods({ resources }: LoadedApplication): Finding[] {
  return resources
    .filter(({ patterns, methods }) => patterns.length > 0 && methods.length === 0)
    .map(({ name }) =>
      ofResource(
        "no-methods",
        name,
        "it implements no method, so that nothing of it is ever called; handlers are named in upper case, as in GET",
      ),
    );
}

/** In an application that declares operations, a handler without one is not in the document. */
function undeclared({ dispatcher }: LoadedApplication): Finding[] {
  if (dispatcher === undefined || !hasDeclarations(dispatcher)) return [];
  return undeclaredHandlersOf(dispatcher).map(({ resource, method }) =>
    ofResource(
      "undeclared",
      resource,
      `its ${method} declares nothing, so that nothing checks it and no document says what it takes and answers`,
    ),
  );
}

/** A schema that takes numbers, or instances of a class, refuses every string, and nothing says how to read one. */
function text({ dispatcher }: LoadedApplication): Finding[] {
  if (dispatcher === undefined || !hasDeclarations(dispatcher)) return [];
  return textPartsOf(dispatcher).map(({ resource, method, part, member }) =>
    ofResource(
      "text",
      resource,
      member === null
        ? `its ${method} reads ${part} as text: the schema has no JSON Schema, which would tell numbers and booleans`
        : `its ${method} reads ${described(member)} of ${part} as text, and refused each text that was tried: JSON ` +
            "Schema cannot show what it takes",
    ),
  );
}

/** What a document refuses of converted schemas would be 500 for who asks for it. */
function undescribable(app: LoadedApplication): Finding[] {
  return documentsOf(app).flatMap(({ resource, pattern, make }): Finding[] => {
    try {
      make();
      return [];
    } catch (error) {
      return [{ kind: "document", resource, pattern, message: (error as Error).message, example: null }];
    }
  });
}

/** An agent chooses tools by what they say of themselves. */
function toolsWithoutDescription({ dispatcher }: LoadedApplication): Finding[] {
  if (dispatcher === undefined) return [];
  return undescribedToolsOf(dispatcher).map(({ name, resource, method }) =>
    ofResource(
      "tool",
      resource,
      `its ${method} is the tool ${described(name)} without a description: write a summary, or tool.description`,
    ),
  );
}

/** Where guards are, an operation without one may have been forgotten. */
function unguarded({ dispatcher }: LoadedApplication): Finding[] {
  if (dispatcher === undefined) return [];
  return unguardedOf(dispatcher).map(({ mounted, method }) =>
    ofResource(
      "unguarded",
      mounted.name,
      `nobody guards its ${method}: add a guard, or say anonymous: true where everybody may`,
    ),
  );
}

function unreachable(app: LoadedApplication, { pattern, resource, paths }: Sampled): Finding[] {
  const { source } = pattern;
  const base = { kind: "unreachable", resource: resource.name, pattern: source } as const;
  if (paths.length === 0) return [{ ...base, message: "no path was found that it matches", example: null }];
  const winners = new Set<string>();
  for (const url of paths) {
    const decision = app.match({ method: "GET", url });
    if (decision.pattern?.source === source) return [];
    if (decision.pattern !== undefined) winners.add(`${decision.pattern.source} of ${decision.resource!.name}`);
  }
  const by = [...winners].slice(0, 3).join(", ") || "nothing";
  const message = `it is never reached: all ${paths.length} paths that were tried are answered by ${by}`;
  return [{ ...base, message, example: paths[0]! }];
}

function decidedByOrder(sampled: readonly Sampled[], trailingSlash: TrailingSlash): Finding[] {
  const withExpressions = sampled.filter(({ pattern }) =>
    pattern.segments.some((segment) => countExpressions(segment) > 0),
  );
  return rivalsAmong(withExpressions).flatMap(([first, second]): Finding[] => {
    // Two classes may have one name.
    if (first.resource === second.resource) return [];
    const example =
      first.paths.find((path) => matches(second.pattern, path, trailingSlash)) ??
      second.paths.find((path) => matches(first.pattern, path, trailingSlash));
    if (example === undefined) return [];
    const loser = `${second.pattern.source} of ${second.resource.name}`;
    const message = `only because it was registered first does it win over ${loser}`;
    return [{ kind: "order", resource: first.resource.name, pattern: first.pattern.source, message, example }];
  });
}

async function backtracking(sampled: readonly Sampled[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { pattern, resource } of sampled) {
    const found = await backtrackingOf(pattern);
    if (found === null) continue;
    const { isChecked, ...said } = found;
    const kind = isChecked ? "backtracking" : "unchecked";
    findings.push({ kind, resource: resource.name, pattern: pattern.source, ...said });
  }
  return findings;
}
