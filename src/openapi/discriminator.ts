import { schemaAt, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { schemaMembersOf } from "../json-schema/shape/schema-members.ts";
import { constantsOf } from "../json-schema/shape/schema-node.ts";

/** The member whose value names a branch of a union. */
export interface Discriminator {
  readonly propertyName: string;
  /** The values of the member, by branch. */
  readonly values: readonly (readonly string[])[];
}

/** Returns the first member that each branch requires, and whose texts are others in each. Null without one. */
export function discriminatorOf(branches: readonly unknown[], root: JsonSchema): Discriminator | null {
  if (branches.length < 2) return null;
  const members = branches.map((branch) => schemaMembersOf(branch, root));
  for (const propertyName of members[0]!.required) {
    const values = members.map(({ named, required }) =>
      required.has(propertyName) ? textsOf(named.get(propertyName), root) : [],
    );
    const all = values.flat();
    if (values.every(({ length }) => length > 0) && new Set(all).size === all.length) return { propertyName, values };
  }
  return null;
}

/** The only texts that a member may be; none if it may be something else. */
function textsOf(member: unknown, root: JsonSchema): readonly string[] {
  const constants = constantsOf(schemaAt(member, root)) ?? [];
  return constants.every((value) => typeof value === "string") ? constants : [];
}
