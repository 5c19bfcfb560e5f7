import { listOf, namedOf, schemaAt, type JsonSchema } from "../semantics/content/json-schema.ts";

/** A member of an object, as a schema declares it. */
interface SchemaMember {
  readonly isRequired: boolean;
  readonly member: unknown;
}

/**
 * Returns the members of an object by name, as the schema declares them in all its branches. A member that a branch does not require is
 * not required.
 */
export function membersIn(root: JsonSchema): Map<string, SchemaMember> {
  return membersOf(root, root, new Set());
}

function membersOf(value: unknown, root: JsonSchema, above: ReadonlySet<JsonSchema>): Map<string, SchemaMember> {
  const schema = schemaAt(value, root);
  const found = new Map<string, SchemaMember>();
  if (above.has(schema)) return found;
  const inside = new Set([...above, schema]);
  const required = new Set(listOf(schema, "required"));
  for (const [name, member] of namedOf(schema, "properties"))
    found.set(name, { isRequired: required.has(name), member });
  for (const part of listOf(schema, "allOf")) {
    for (const [name, { isRequired, member }] of membersOf(part, root, inside))
      found.set(name, {
        member: found.get(name)?.member ?? member,
        isRequired: isRequired || found.get(name)?.isRequired === true,
      });
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema, keyword).map((branch) => membersOf(branch, root, inside));
    for (const name of new Set(branches.flatMap((branch) => [...branch.keys()]))) {
      const own = branches.flatMap((branch) => branch.get(name) ?? []);
      const isRequired = own.length === branches.length && own.every((one) => one.isRequired);
      const members = own.map(({ member }) => member);
      if (!found.has(name))
        found.set(name, { isRequired, member: members.length === 1 ? members[0] : { anyOf: members } });
    }
  }
  return found;
}
