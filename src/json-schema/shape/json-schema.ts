import { decodedFragment, pathOf } from "../value/json-pointer.ts";
import { wordSet } from "../../http/javascript/word-set.ts";

/** A JSON Schema as libraries return it and users write it: an object of keywords. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the schema that a member of a JSON Schema holds, with its references to `root` followed. `true` and `false`
 * are schemas, too: `true` accepts everything, and `false` accepts nothing. A keyword beside `$ref` holds as well (JSON
 * Schema 2020-12 §8.2.3.1), so both become members of one `allOf`. A reference that leads nowhere, or only to itself,
 * accepts everything.
 */
export function schemaAt(value: unknown, root: JsonSchema): JsonSchema {
  if (value === false) return nothing;
  if (!isJsonSchema(value)) return everything;
  const followed = new Set<JsonSchema>();
  for (let schema = value; ;) {
    const reference = keywordOf(schema, "$ref");
    if (typeof reference !== "string") return schema;
    if (followed.has(schema)) return everything;
    followed.add(schema);
    const target = targetOf(reference, root);
    if (target === false) return nothing;
    if (!isJsonSchema(target)) return everything;
    if (Object.keys(schema).some((keyword) => !annotations.has(keyword))) return both(schema, target);
    schema = target;
  }
}

export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the schemas that a keyword lists, or an empty list. */
export function listOf(schema: JsonSchema, keyword: string): readonly unknown[] {
  const list = keywordOf(schema, keyword);
  return Array.isArray(list) ? list : [];
}

/** Returns the schemas that a keyword names, by name, or an empty list. */
export function namedOf(schema: JsonSchema, keyword: string): readonly (readonly [string, unknown])[] {
  const named = keywordOf(schema, keyword);
  return isJsonSchema(named) ? Object.entries(named) : [];
}

/** Returns the value of a keyword in a schema, or `undefined`. Properties on all objects do not count. */
export function keywordOf(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

/** Makes an expression of JSON Schema. By now all of them have the flag `u`. An invalid expression matches nothing. */
export function expressionOf(pattern: string): RegExp {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // An older one may be valid without the flag.
    }
  }
  return /(?!)/;
}

/** The schema of `true`, which accepts everything. */
export const everything: JsonSchema = /* @__PURE__ */ Object.freeze({});
const nothing: JsonSchema = /* @__PURE__ */ Object.freeze({ not: everything });

/** Keywords that do not affect a value's shape. */
const annotations = /* @__PURE__ */ wordSet(
  "$ref $schema $id id $comment $defs definitions title description default examples example deprecated " +
    "readOnly writeOnly",
);

/** One schema for each pair, so that code that follows a cycle meets the same object again. */
const pairs = new WeakMap<JsonSchema, JsonSchema>();
function both(schema: JsonSchema, target: JsonSchema): JsonSchema {
  let pair = pairs.get(schema);
  if (pair === undefined) {
    const { $ref: _, ...beside } = schema;
    pair = { allOf: [beside, target] };
    pairs.set(schema, pair);
  }
  return pair;
}

/**
 * Finds the target of a reference: a JSON Pointer in a fragment (RFC 6901 §6), or the name of an anchor. Others lead
 * out of the document.
 */
function targetOf(reference: string, root: JsonSchema): unknown {
  if (reference === "#") return root;
  const id = keywordOf(root, "$id");
  const local =
    typeof id === "string" && id !== "" && reference.startsWith(id) ? reference.slice(id.length) : reference;
  if (local === "") return root;
  if (!local.startsWith("#/")) return anchored(local.replace("#", ""), reference, root);
  let at: unknown = root;
  for (const name of pathOf(decodedFragment(local))) at = keywordOf(Object(at) as JsonSchema, name);
  return at;
}

/** TypeBox and hand-written schemas name a part by its `$id` or `$anchor`, wherever it is. */
function anchored(anchor: string, id: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const schema = value as JsonSchema;
  if (keywordOf(schema, "$anchor") === anchor || keywordOf(schema, "$id") === id) return schema;
  for (const member of Object.values(schema)) {
    const found = anchored(anchor, id, member);
    if (found !== undefined) return found;
  }
  return undefined;
}
