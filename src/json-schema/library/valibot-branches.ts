import { isThenable } from "../../http/javascript/thenable.ts";
import type { StandardIssue, StandardSchema } from "../shape/standard-schema.ts";
import { unwrappedValibot } from "../shape/valibot-schema.ts";

/**
 * Returns the issues of each branch of a union of Valibot. Valibot lists the issues of all branches as one. So the
 * union is looked for in the schema, and its branches check the value again. Empty if there is no union, or it takes
 * its time.
 * @param path the place of the union in what the schema was given.
 */
export function valibotBranchesOf(
  schema: StandardSchema,
  path: readonly PropertyKey[],
  value: unknown,
): readonly (readonly StandardIssue[])[] {
  for (const { options } of unionsAt(schema, path)) {
    const outcomes = (options as readonly StandardSchema[]).map((option) => option["~standard"].validate(value));
    const branches = outcomes.map((outcome) => (isThenable(outcome) ? undefined : outcome.issues));
    // Another union of an intersection may stand at the place, and fit.
    if (branches.every((issues) => issues !== undefined)) return branches;
  }
  return [];
}

/** The names of members that each branch of a union of Valibot declares, of one with so many branches. */
export function valibotNamesOf(schema: StandardSchema, path: readonly PropertyKey[], count: number): string[][] {
  const { options } = unionsAt(schema, path).find((union) => union.options!.length === count)!;
  return options!.map((option) => [...partsOf(option as object)].flatMap(({ entries = {} }) => Object.keys(entries)));
}

function unionsAt(schema: StandardSchema, path: readonly PropertyKey[]): ValibotSchema[] {
  let found = [...partsOf(unwrappedValibot(schema))];
  for (const key of path) found = found.flatMap((part) => insideOf(part, key)).flatMap((part) => [...partsOf(part)]);
  return found.filter(({ type }) => type === "union");
}

interface ValibotSchema {
  readonly type?: unknown;
  readonly entries?: Readonly<Record<PropertyKey, object>>;
  readonly item?: object;
  readonly items?: readonly object[];
  readonly rest?: unknown;
  readonly value?: unknown;
  readonly wrapped?: object;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly object[];
  readonly getter?: (input: undefined) => object;
}

/** The schemas that are about the same value: a schema, and those that it wraps, joins or chooses from. */
function partsOf(schema: object): ReadonlySet<ValibotSchema> {
  const parts = new Set<ValibotSchema>([schema]);
  // What is added here is visited, too: a schema that holds itself once.
  for (const { wrapped, options = [], pipe = [], getter } of parts) {
    for (const part of [wrapped, ...options, ...pipe, getter?.(undefined)])
      if (typeof part === "object" && part !== null) parts.add(part);
  }
  return parts;
}

function insideOf({ entries = {}, item, items = [], rest, value }: ValibotSchema, key: PropertyKey): object[] {
  const own = Object.hasOwn(entries, key) ? entries[key] : (items[Number(key)] ?? item ?? rest ?? value);
  return typeof own === "object" && own !== null ? [own] : [];
}
