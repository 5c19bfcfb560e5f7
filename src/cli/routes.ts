import type { LoadedApplication } from "./loaded-application.ts";
import { shown, tableOf } from "./text-table.ts";

/** One pattern of an application, as `fingerpost routes` lists it. */
export interface ListedPattern {
  /** Null for a resource without paths. */
  readonly pattern: string | null;
  readonly resource: string;
  readonly methods: readonly string[];
  /** Outermost first. */
  readonly middleware: readonly string[];
}

/** Lists the patterns of an application by their text; resources without paths come last. */
export function routesOf({ resources }: LoadedApplication): ListedPattern[] {
  const listed = resources.flatMap(({ name, patterns, methods, middleware }) =>
    (patterns.length === 0 ? [null] : patterns.map(({ source }) => source)).map((pattern) => ({
      pattern,
      resource: name,
      methods,
      middleware,
    })),
  );
  return listed.toSorted((a, b) => {
    if (a.pattern === null || b.pattern === null) return Number(a.pattern === null) - Number(b.pattern === null);
    return a.pattern < b.pattern ? -1 : Number(a.pattern > b.pattern);
  });
}

/** Writes the list for a terminal. */
export function routesText(routes: readonly ListedPattern[]): string {
  if (routes.length === 0) return "The application has no resources";
  const rows = routes.map(({ pattern, resource, methods, middleware }) => [
    pattern === null ? "(no paths)" : shown(pattern),
    shown(resource),
    methods.join(" ") || "(none)",
    middleware.map((name) => shown(name)).join(" > "),
  ]);
  return tableOf([["PATTERN", "RESOURCE", "METHODS", "MIDDLEWARE"], ...rows]);
}
