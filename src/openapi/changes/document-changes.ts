import { OperationComparison } from "./operation-changes.ts";
import { listOf, membersOf, namesOf, resolved, textOf, type Change, type Members } from "./change.ts";

export interface ComparisonOptions {
  /** The day on which the newer document is in force, such as `2027-01-31`. Default: today. */
  readonly date?: string | undefined;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query", "x-query"];

/**
 * Lists the differences between two versions of an OpenAPI document, 3.0 to 3.2. Each says whether it breaks clients of
 * the older one. A request may only take more than before, and an answer may only give what it gave. An operation whose
 * `x-sunset` has passed may go (RFC 8594 §3).
 */
export function changesBetween(before: unknown, after: unknown, options: ComparisonOptions = {}): Change[] {
  const { date = new Date().toISOString().slice(0, 10) } = options;
  const [older, newer] = [membersOf(before), membersOf(after)];
  return [
    ...pathChanges(older, newer, date),
    ...webhookChanges(older, newer),
    ...serverChanges(older, newer),
    ...infoChanges(older, newer),
  ];
}

function* pathChanges(before: Members, after: Members, date: string): Generator<Change> {
  const [older, newer] = [pathsOf(before), pathsOf(after)];
  const comparison = new OperationComparison(before, after);
  for (const shape of new Set([...older.keys(), ...newer.keys()])) {
    const [was, is] = [older.get(shape), newer.get(shape)];
    for (const method of methods) {
      const [one, other] = [was?.operations.get(method), is?.operations.get(method)];
      const name = `${method.replace("x-", "").toUpperCase()} ${(is ?? was)!.path}`;
      yield* comparedOperation(name, one, other, comparison, (operation) => removal(operation, date));
    }
  }
}

function* comparedOperation(
  operation: string,
  before: Members | undefined,
  after: Members | undefined,
  comparison: OperationComparison,
  removalOf: (operation: Members) => Removal,
): Generator<Change> {
  const side = { for: comparison.isSent ? "readers" : "callers", operation, place: "" } as const;
  if (before === undefined) {
    if (after !== undefined) yield { ...side, verdict: "compatible", what: "is new" };
  } else if (after === undefined) yield { ...side, ...removalOf(before) };
  else for (const change of comparison.compare(before, after)) yield { ...change, operation };
}

type Removal = Pick<Change, "verdict" | "what">;

function removal({ "x-sunset": sunset, deprecated }: Members, date: string): Removal {
  if (typeof sunset === "string" && !Number.isNaN(Date.parse(sunset))) {
    return sunset.slice(0, 10) <= date
      ? { verdict: "compatible", what: `is gone, after its sunset on ${sunset}` }
      : { verdict: "breaking", what: `is gone, before its sunset on ${sunset}` };
  }
  return { verdict: "breaking", what: deprecated === true ? "is gone, deprecated without a sunset" : "is gone" };
}

/** A path of a document: names of params do not tell paths apart. */
interface Path {
  readonly path: string;
  readonly operations: ReadonlyMap<string, Members>;
}

function pathsOf(document: Members): Map<string, Path> {
  const paths = new Map<string, Path>();
  for (const [path, item] of Object.entries(membersOf(document["paths"]))) {
    const members = membersOf(resolved(item, document));
    const operations = new Map<string, Members>();
    for (const method of methods) {
      const operation = members[method];
      if (operation === undefined) continue;
      // In 3.1 QUERY has no name of its own.
      operations.set(
        method === "x-query" ? "query" : method,
        inheriting(membersOf(operation), members, document, path),
      );
    }
    paths.set(path.replaceAll(/\{[^{}]*\}/g, "{}"), { path, operations });
  }
  return paths;
}

/** Gives an operation what it takes over from its path and its document. */
function inheriting(operation: Members, item: Members, document: Members, path: string): Members {
  const own = listOf(operation["parameters"]).map((one) => membersOf(resolved(one, document)));
  const shared = listOf(item["parameters"])
    .map((one) => membersOf(resolved(one, document)))
    .filter((one) => !own.some((other) => other["name"] === one["name"] && other["in"] === one["in"]));
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  const parameters = [...shared, ...own].map((one) =>
    // Params are paired by their places, because a renamed param is the same one.
    one["in"] === "path" ? { ...one, place: names.indexOf(one["name"] as string) } : one,
  );
  return { ...operation, parameters, security: operation["security"] ?? document["security"] ?? [] };
}

/** What a webhook sends is for readers, and what it takes back is theirs: the sides are the other way round. */
function* webhookChanges(before: Members, after: Members): Generator<Change> {
  const [older, newer] = [membersOf(before["webhooks"]), membersOf(after["webhooks"])];
  const comparison = new OperationComparison(before, after, true);
  for (const name of namesOf(older, newer)) {
    const [was, is] = [membersOf(resolved(older[name], before)), membersOf(resolved(newer[name], after))];
    for (const method of methods) {
      const [one, other] = [was[method], is[method]] as [Members | undefined, Members | undefined];
      yield* comparedOperation(`webhook ${name}`, one, other, comparison, () => gone);
    }
  }
}

const gone = { verdict: "breaking", what: "is gone" } as const;

function* serverChanges(before: Members, after: Members): Generator<Change> {
  const [older, newer] = [urlsOf(before), urlsOf(after)];
  const change = { for: "callers", operation: null, place: "servers" } as const;
  for (const url of older) if (!newer.includes(url)) yield { ...change, verdict: "unclear", what: `${url} is gone` };
  for (const url of newer) if (!older.includes(url)) yield { ...change, verdict: "compatible", what: `${url} is new` };
}

function* infoChanges(before: Members, after: Members): Generator<Change> {
  const [older, newer] = [membersOf(before["info"]), membersOf(after["info"])];
  for (const name of namesOf(older, newer)) {
    if (textOf(older[name]) === textOf(newer[name])) continue;
    yield { verdict: "compatible", for: "readers", operation: null, place: "info", what: `${name} differs` };
  }
}

function urlsOf(document: Members): string[] {
  return listOf(document["servers"]).map((one) => String(membersOf(one)["url"]));
}
