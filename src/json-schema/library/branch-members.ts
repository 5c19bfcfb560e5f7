import type { JsonSchema } from "../shape/json-schema.ts";
import { nodeOf } from "../shape/schema-node.ts";
import { schemaMembersOf } from "../shape/schema-members.ts";
import { jsonSchemaOf, vendorOf, type StandardSchema } from "../shape/standard-schema.ts";
import { valibotNamesOf } from "./valibot-branches.ts";

/** Schemas with a union that a value did not fit, converted once: nobody completes them after the first request. */
const shown = new WeakMap<StandardSchema, JsonSchema | null>();

/**
 * Counts the members of a value that each branch of a union names. The client meant the branch that names the most.
 * @param path the place of the union in what the schema was given.
 * @param count how many branches it has.
 * @returns nothing where the library does not show such a union at the place.
 */
export function namedByBranches(
  schema: StandardSchema,
  path: readonly PropertyKey[],
  value: unknown,
  count: number,
): readonly number[] {
  if (typeof value !== "object" || value === null) return [];
  const names =
    vendorOf(schema) === "valibot" ? valibotNamesOf(schema, path, count) : namesAt(shownOf(schema), path, count);
  return names.map((branch) => branch.filter((name) => Object.hasOwn(value, name)).length);
}

function shownOf(schema: StandardSchema): JsonSchema | null {
  let known = shown.get(schema);
  if (known === undefined) shown.set(schema, (known = jsonSchemaOf(schema, "input") ?? null));
  return known;
}

function namesAt(root: JsonSchema | null, path: readonly PropertyKey[], count: number): string[][] {
  if (root === null) return [];
  let at: unknown = root;
  for (const step of path) {
    const list = nodeOf(at, root).kinds.find((one) => one.kind === "list");
    const { named, others } = schemaMembersOf(at, root);
    at = list === undefined ? (named.get(String(step)) ?? others) : (list.first[Number(step)] ?? list.rest);
  }
  const branches = nodeOf(at, root).unions.find(({ length }) => length === count) ?? [];
  return branches.map((branch) => [...schemaMembersOf(branch, root).named.keys()]);
}
