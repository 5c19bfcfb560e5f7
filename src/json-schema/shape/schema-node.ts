import { everything, isJsonSchema, keywordOf, listOf, namedOf, schemaAt, type JsonSchema } from "./json-schema.ts";

/**
 * A JSON Schema that was read. A value is of one of its kinds, fits one schema of each union, and fits all parts.
 * Schemas inside are as they are written; `nodeOf()` reads them in turn.
 */
export interface SchemaNode {
  /** The schema that was read, after its references. */
  readonly schema: JsonSchema;
  readonly kinds: readonly SchemaKind[];
  /** The lists of `anyOf` and `oneOf`. */
  readonly unions: readonly (readonly unknown[])[];
  /** The schemas of `allOf`. */
  readonly parts: readonly unknown[];
  /** The schemas that hold on a condition: of `then`, `else` and `dependentSchemas`. */
  readonly conditional: readonly unknown[];
  /** Null fits, too, whatever else is said: `nullable` of OpenAPI 3.0. */
  readonly isNullable: boolean;
}

export type SchemaKind =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "null" | "nothing" }
  /** Any value. `isUnknown`: the schema says nothing. Libraries describe so what JSON Schema cannot show. */
  | { readonly kind: "any"; readonly isUnknown: boolean }
  /** A type that JSON does not have, as TypeBox names some. */
  | { readonly kind: "foreign"; readonly type: unknown }
  /** A value of `const` or `enum`, of the types beside them. */
  | { readonly kind: "constant"; readonly values: readonly unknown[] }
  | ListKind
  | ObjectKind;

/** A list: items with a schema for their position, and the schema of all others. */
export interface ListKind {
  readonly kind: "list";
  readonly first: readonly unknown[];
  /** `undefined` where nothing is said of them. */
  readonly rest: unknown;
}

export interface ObjectKind {
  readonly kind: "object";
  readonly members: readonly (readonly [name: string, schema: unknown])[];
  /** Whether the schema says which members there are, if only that there is none. */
  readonly isNamed: boolean;
  /** The names of members that have to be there, whether the schema names them or not. */
  readonly required: ReadonlySet<string>;
  /** The members whose names match an expression. */
  readonly patterns: readonly (readonly [expression: string, schema: unknown])[];
  /** The schema of all names; `undefined` without one. */
  readonly names: unknown;
  /** The schema of members that are not named; `undefined` where nothing is said of them. */
  readonly others: unknown;
}

/** Reads a member of a JSON Schema, or the schema itself, with its references to `root` followed. */
export function nodeOf(value: unknown, root: JsonSchema): SchemaNode {
  const schema = schemaAt(value, root);
  return {
    schema,
    kinds: kindsOf(schema),
    unions: ["anyOf", "oneOf"].map((keyword) => listOf(schema, keyword)).filter(({ length }) => length > 0),
    parts: listOf(schema, "allOf"),
    conditional: [
      ...["then", "else"].flatMap((keyword) => (Object.hasOwn(schema, keyword) ? [schema[keyword]] : [])),
      ...namedOf(schema, "dependentSchemas").map(([, dependent]) => dependent),
    ],
    isNullable: keywordOf(schema, "nullable") === true,
  };
}

/** Yields a schema, and the schemas of its unions and parts, however deep: each once, so that a circle ends. */
export function* branchesIn(
  value: unknown,
  root: JsonSchema,
  seen: Set<JsonSchema> = new Set(),
): Generator<SchemaNode, void> {
  const node = nodeOf(value, root);
  if (seen.has(node.schema)) return;
  seen.add(node.schema);
  yield node;
  for (const branch of [...node.parts, ...node.unions.flat()]) yield* branchesIn(branch, root, seen);
}

/** Returns what a schema says of objects, if they fit it. */
export function objectIn({ kinds }: SchemaNode): ObjectKind | undefined {
  return kinds.find((one) => one.kind === "object");
}

/** Returns the values of `const` or `enum`. Null without either. */
export function constantsOf(schema: JsonSchema): readonly unknown[] | null {
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  const values = keywordOf(schema, "enum");
  return Array.isArray(values) ? values : null;
}

function kindsOf(schema: JsonSchema): SchemaKind[] {
  const types = [keywordOf(schema, "type") ?? []].flat();
  const constants = constantsOf(schema);
  if (constants !== null) {
    const values = constants.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)));
    return [values.length === 0 ? { kind: "nothing" } : { kind: "constant", values }];
  }
  if (types.length > 0) return types.map((type) => kindOf(type, schema));
  // A schema that names members without a type means an object, one that has items a list.
  if (hasAny(schema, ofObjects)) return [objectKindOf(schema)];
  if (hasAny(schema, ofLists)) return [listKindOf(schema)];
  const not = keywordOf(schema, "not");
  if (isJsonSchema(not) && Object.keys(not).length === 0) return [{ kind: "nothing" }];
  return [{ kind: "any", isUnknown: schema !== everything }];
}

function kindOf(type: unknown, schema: JsonSchema): SchemaKind {
  switch (type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return { kind: type };
    case "array":
      return listKindOf(schema);
    case "object":
      return objectKindOf(schema);
    default:
      return { kind: "foreign", type };
  }
}

/** Draft-07 has a list under `items` where later drafts have `prefixItems`. */
function listKindOf(schema: JsonSchema): ListKind {
  const items = keywordOf(schema, "items");
  return Array.isArray(items)
    ? { kind: "list", first: items as unknown[], rest: keywordOf(schema, "additionalItems") }
    : { kind: "list", first: listOf(schema, "prefixItems"), rest: items };
}

function objectKindOf(schema: JsonSchema): ObjectKind {
  return {
    kind: "object",
    members: namedOf(schema, "properties"),
    isNamed: Object.hasOwn(schema, "properties"),
    required: new Set(listOf(schema, "required").filter((name) => typeof name === "string")),
    patterns: namedOf(schema, "patternProperties"),
    names: keywordOf(schema, "propertyNames"),
    others: keywordOf(schema, "additionalProperties") ?? keywordOf(schema, "unevaluatedProperties"),
  };
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonSchema(value);
    default:
      return true;
  }
}

function hasAny(schema: JsonSchema, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => Object.hasOwn(schema, keyword));
}

const ofObjects = ["properties", "patternProperties", "additionalProperties", "propertyNames", "required"];
const ofLists = ["items", "prefixItems"];
