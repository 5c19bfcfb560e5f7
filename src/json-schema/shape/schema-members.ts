import { everything, isJsonSchema, schemaAt, type JsonSchema } from "./json-schema.ts";
import { constantsOf, nodeOf, objectIn, type ObjectKind } from "./schema-node.ts";

/** The members of an object that a JSON Schema declares, in all of its branches. */
export interface SchemaMembers {
  /** The schema of each name. What several branches say of one name is joined. */
  readonly named: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** The schemas of names that match an expression; the first that fits counts. */
  readonly patterns: readonly (readonly [expression: string, schema: unknown])[];
  /** The schema of all other names; `undefined` where nothing is said of them. */
  readonly others: unknown;
}

const none: SchemaMembers = { named: new Map(), required: new Set(), patterns: [], others: undefined };

/**
 * Reads the members of an object. A union requires what all of its schemas require. What holds on a condition is not
 * required, and says nothing of names that are there without it.
 */
export function schemaMembersOf(object: unknown, root: JsonSchema): SchemaMembers {
  const known = new Map<JsonSchema, SchemaMembers>();

  function membersAt(value: unknown): SchemaMembers {
    const node = nodeOf(value, root);
    const { schema, unions, parts, conditional } = node;
    const before = known.get(schema);
    if (before !== undefined) return before;
    // A schema that holds itself adds nothing to itself.
    known.set(schema, none);
    const all = joined("allOf", [
      ownMembers(objectIn(node), root),
      ...parts.map(membersAt),
      ...unions.map((branches) => joined("anyOf", branches.map(membersAt))),
    ]);
    const more = conditional.map(membersAt);
    const members = {
      ...all,
      named: new Map([...more.toReversed().flatMap(({ named }) => [...named]), ...all.named]),
      patterns: [...all.patterns, ...more.flatMap(({ patterns }) => patterns)],
    };
    known.set(schema, members);
    return members;
  }

  return membersAt(object);
}

/** Names that are listed for all members are names, too: libraries describe so a record by names of an enum. */
function ownMembers(object: ObjectKind | undefined, root: JsonSchema): SchemaMembers {
  if (object === undefined) return none;
  const { members, required, patterns, names, others } = object;
  return {
    named: new Map([...namesIn(names, root).map((name) => [name, others] as const), ...members]),
    required,
    patterns,
    others: isJsonSchema(others) ? others : undefined,
  };
}

/** Returns the only names that members may have, or an empty list. */
export function namesIn(names: unknown, root: JsonSchema): string[] {
  return (constantsOf(schemaAt(names, root)) ?? []).filter((name) => typeof name === "string");
}

function joined(keyword: "allOf" | "anyOf", all: readonly SchemaMembers[]): SchemaMembers {
  const named = new Map<string, unknown[]>();
  for (const [name, schema] of all.flatMap((one) => [...one.named]))
    named.set(name, [...(named.get(name) ?? []), schema]);
  const [first = none.required, ...rest] = all.map(({ required }) => required);
  const others = all.map((one) => one.others).filter((schema) => schema !== undefined);
  const isOpen = keyword === "anyOf" && others.length < all.length;
  return {
    named: new Map([...named].map(([name, schemas]) => [name, oneOf(keyword, schemas)])),
    required: rest.reduce((one, other) => {
      return keyword === "allOf" ? new Set([...one, ...other]) : new Set([...one].filter((name) => other.has(name)));
    }, first),
    patterns: all.flatMap(({ patterns }) => patterns),
    others: others.length === 0 ? undefined : oneOf(keyword, isOpen ? [...others, everything] : others),
  };
}

function oneOf(keyword: "allOf" | "anyOf", schemas: readonly unknown[]): unknown {
  return schemas.length === 1 ? schemas[0] : { [keyword]: schemas };
}
