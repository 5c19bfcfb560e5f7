import type { LoadedApplication } from "./loaded-application.ts";
import { scopesAt } from "../openapi/needed-scopes.ts";
import { shown, tableOf } from "./text-table.ts";

export interface ListedPattern {
  /** Null for a resource without paths. */
  readonly pattern: string | null;
  readonly resource: string;
  readonly methods: readonly string[];
  /** The statuses that each method declares. A method that declares none is left out. */
  readonly statuses: Readonly<Record<string, readonly number[]>>;
  /** The scopes that each method needs. A method that needs none is left out. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  /** Outermost first. */
  readonly middleware: readonly string[];
}

/** Lists the patterns of an application by their text; resources without paths come last. */
export function routesOf({ resources, dispatcher }: LoadedApplication): ListedPattern[] {
  const listed = resources.flatMap(({ name, Class, patterns, methods, middleware }, at) =>
    (patterns.length === 0 ? [null] : patterns.map(({ source }) => source)).map((pattern): ListedPattern => {
      // A resource of the semantics module may have a method at some of its patterns only.
      const mounted = pattern === null ? undefined : dispatcher?.resources[at];
      const here = methods.filter((method) => (mounted?.refusalOf?.(method, pattern!) ?? null) === null);
      const statuses = here.map((method) => [method, statusesOf(Class, method)] as const);
      return {
        pattern,
        resource: name,
        methods: here,
        statuses: Object.fromEntries(statuses.filter(([, { length }]) => length > 0)),
        scopes: dispatcher === undefined || pattern === null ? {} : scopesAt(dispatcher, name, pattern),
        middleware,
      };
    }),
  );
  return listed.toSorted((a, b) => {
    if (a.pattern === null || b.pattern === null) return Number(a.pattern === null) - Number(b.pattern === null);
    return a.pattern < b.pattern ? -1 : Number(a.pattern > b.pattern);
  });
}

function statusesOf(Class: object, method: string): number[] {
  const operation: unknown = (Class as Readonly<Record<string, unknown>>)[method];
  if (typeof operation !== "object" || operation === null) return [];
  return Object.keys(operation).flatMap((member) => (/^(?:101|[2-5]\d\d)$/.test(member) ? [Number(member)] : []));
}

export function routesText(routes: readonly ListedPattern[]): string {
  if (routes.length === 0) return "The application has no resources";
  const isDeclared = routes.some(({ statuses }) => Object.keys(statuses).length > 0);
  const rows = routes.map(({ pattern, resource, methods, statuses, scopes, middleware }) => [
    pattern === null ? "(no paths)" : shown(pattern),
    shown(resource),
    methods
      .map((method) => [method, ...needed(scopes[method]), ...(statuses[method] ?? [])].join(" "))
      .join(isDeclared ? ", " : " ") || "(none)",
    middleware.map((name) => shown(name)).join(" > "),
  ]);
  return tableOf([["PATTERN", "RESOURCE", "METHODS", "MIDDLEWARE"], ...rows]);
}

function needed(scopes: readonly string[] = []): string[] {
  return scopes.length === 0 ? [] : [`(${scopes.map((scope) => shown(scope)).join(" ")})`];
}
