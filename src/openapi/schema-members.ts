import { isJsonSchema, keywordOf, listOf, namedOf, schemaAt, type JsonSchema } from "../json-schema/json-schema.ts";

/** A member of an object, as a schema declares it. */
interface SchemaMember {
  readonly isRequired: boolean;
  readonly member: unknown;
}

/**
 * Returns the members of an object by name, with references to `root` followed, as the schema declares them in all its branches. A member that a branch does not require is
 * not required.
 */
export function membersIn(schema: unknown, root: JsonSchema): Map<string, SchemaMember> {
  return membersOf(schema, root, new Set());
}

/**
 * Returns a schema of the members that an object may have beside those that it names, in any of its branches. Null where the schema says
 * nothing of them.
 */
export function otherMembersIn(root: JsonSchema): JsonSchema | null {
  const open = [...othersOf(root, root, new Set())];
  return open.length > 1 ? { anyOf: open } : (open[0] ?? null);
}

function* othersOf(value: unknown, root: JsonSchema, above: ReadonlySet<JsonSchema>): Generator<JsonSchema> {
  const schema = schemaAt(value, root);
  if (above.has(schema)) return;
  const inside = new Set([...above, schema]);
  const others = keywordOf(schema, "additionalProperties");
  const isOpen = others === true || (isJsonSchema(others) && namesOf(schema, root).length === 0);
  if (isOpen || namedOf(schema, "patternProperties").length > 0) {
    const said = Object.entries(schema).filter(([keyword]) => ofOthers.has(keyword));
    yield { type: "object", ...Object.fromEntries(said) };
  }
  for (const keyword of ["allOf", "anyOf", "oneOf"])
    for (const part of listOf(schema, keyword)) yield* othersOf(part, root, inside);
}

const ofOthers = new Set(["propertyNames", "patternProperties", "additionalProperties"]);

/** The names that `propertyNames` lists, as a record by names of an enum has them. */
function namesOf(schema: JsonSchema, root: JsonSchema): string[] {
  const names = schemaAt(keywordOf(schema, "propertyNames"), root);
  return [...listOf(names, "enum"), keywordOf(names, "const")].filter((name) => typeof name === "string");
}

function membersOf(value: unknown, root: JsonSchema, above: ReadonlySet<JsonSchema>): Map<string, SchemaMember> {
  const schema = schemaAt(value, root);
  const found = new Map<string, SchemaMember>();
  if (above.has(schema)) return found;
  const inside = new Set([...above, schema]);
  const required = new Set(listOf(schema, "required"));
  for (const name of namesOf(schema, root))
    found.set(name, { isRequired: required.has(name), member: keywordOf(schema, "additionalProperties") });
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
