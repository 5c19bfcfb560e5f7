import { isJsonSchema, namedOf, type JsonSchema } from "../semantics/content/json-schema.ts";

/** The side of a schema: what is sent to the server, or what it answers. */
export type Side = "input" | "output";

/** A reference, whose text is final when all components are known. */
export interface Reference {
  readonly object: { $ref: string };
  readonly key: string;
  readonly side: Side;
  /** The referenced part of a component: a pointer after its name. */
  readonly rest: string;
}

/** Makes a component of a schema. `make` returns its body, and adds the references in it to a list. */
export type Register = (key: string, schema: JsonSchema, make: (references: Reference[]) => JsonSchema) => void;

type Mutable = Record<string, unknown>;

/** A schema that references can lead to, and the key of its component. */
interface Named {
  readonly key: string;
  readonly schema: JsonSchema;
}

/**
 * One side of a schema in the dialect of OpenAPI. Its definitions, what has an id, and what holds itself are references
 * to components.
 */
export class ConvertedSchema {
  /** The schema before it was converted. */
  readonly root: JsonSchema;
  readonly body: JsonSchema;
  readonly references: readonly Reference[];
  readonly #side: Side;
  readonly #register: Register;
  readonly #names: Map<string, Named>;

  /** @param owner what has the schema, for the names of what has none. */
  constructor(root: JsonSchema, side: Side, owner: string, register: Register) {
    this.root = root;
    this.#side = side;
    this.#register = register;
    const rootKey = keyOf(root) ?? nameOf(owner);
    this.#names = namesIn(root, rootKey, owner);
    let { body, references } = this.rewrite(root, true);
    // What holds itself must have a name, and so does what has an id.
    if (keyOf(root) !== null || references.some(({ key }) => key === rootKey))
      body = this.#refer({ key: rootKey, schema: root }, "", (references = []));
    this.body = body;
    this.references = references;
  }

  /** Converts a member of the schema, or the schema itself. */
  rewrite(member: unknown, isTop = false): { readonly body: JsonSchema; readonly references: Reference[] } {
    const references: Reference[] = [];
    return { body: this.#walk(member, references, isTop) as JsonSchema, references };
  }

  #walk(value: unknown, references: Reference[], isTop = false): JsonSchema | boolean {
    if (!isJsonSchema(value)) return value === false ? false : {};
    const ownKey = isTop ? null : keyOf(value);
    if (ownKey !== null && value !== this.root) {
      const named = { key: ownKey, schema: value };
      this.#names.set(String(value["$id"]), named);
      return this.#refer(named, "", references);
    }
    if (typeof value["$ref"] === "string") {
      const target = targetOf(value["$ref"], this.#names);
      if (target !== null) {
        const reference = this.#refer(target, target.rest, references);
        const { $ref: _, ...beside } = value;
        return Object.assign(reference, this.#walk(beside, references, true));
      }
    }
    const walk = (one: unknown): JsonSchema | boolean => this.#walk(one, references);
    const written: Mutable = {};
    for (const [keyword, member] of Object.entries(value)) {
      if (dropped.has(keyword)) continue;
      if (ofNames.has(keyword) && isJsonSchema(member))
        written[keyword] = Object.fromEntries(Object.entries(member).map(([name, one]) => [name, walk(one)]));
      else if (ofLists.has(keyword) && Array.isArray(member)) written[keyword] = member.map(walk);
      else if (keyword === "items" && Array.isArray(member)) written["prefixItems"] = member.map(walk);
      else if (ofSchemas.has(keyword)) written[keyword] = member === true ? true : walk(member);
      else if (keyword === "additionalItems") written["items"] = walk(member);
      else if (keyword === "nullable" && member === true) written["type"] = [value["type"], "null"].flat();
      else if (!(keyword === "type" && value["nullable"] === true)) written[keyword] = member;
    }
    return written;
  }

  #refer({ key, schema }: Named, rest: string, references: Reference[]): Mutable & { $ref: string } {
    const object: Mutable & { $ref: string } = { $ref: `#/components/schemas/${key}${rest}` };
    references.push({ object, key, side: this.#side, rest });
    this.#register(key, schema, (own) => this.#walk(schema, own, true) as JsonSchema);
    return object;
  }
}

/** What the references in a schema can lead to: its definitions, and itself. */
function namesIn(root: JsonSchema, rootKey: string, owner: string): Map<string, Named> {
  const names = new Map<string, Named>();
  for (const keyword of ["$defs", "definitions"]) {
    for (const [name, definition] of namedOf(root, keyword)) {
      const body = isJsonSchema(definition) ? definition : {};
      const entry = {
        key: /^(?:__schema)?\d+$/.test(name) ? `${nameOf(owner)}Part${name.replace("__schema", "")}` : safe(name),
        schema: body,
      };
      names.set(`#/${keyword}/${escaped(name)}`, entry);
      for (const known of [body["$id"], body["$anchor"]]) {
        if (typeof known === "string") names.set(known === body["$id"] ? known : `#${known}`, entry);
      }
    }
  }
  const entryOfRoot = { key: rootKey, schema: root };
  names.set("#", entryOfRoot);
  for (const id of [root["$id"], root["id"]]) if (typeof id === "string" && id !== "") names.set(id, entryOfRoot);
  return names;
}

function targetOf(reference: string, names: ReadonlyMap<string, Named>): (Named & { readonly rest: string }) | null {
  const whole = names.get(reference);
  if (whole !== undefined) return { ...whole, rest: "" };
  const [, definition, rest] = /^(#\/(?:\$defs|definitions)\/[^/]+)(\/.*)$/.exec(reference) ?? [];
  const inside = definition === undefined ? undefined : names.get(definition);
  if (inside !== undefined) return { ...inside, rest: rest! };
  return reference.startsWith("#/") ? { ...names.get("#")!, rest: reference.slice(1) } : null;
}

/** The key of a component by the id of its schema: of a URL the last segment. */
function keyOf(schema: JsonSchema): string | null {
  const id = Object.hasOwn(schema, "$id") ? schema["$id"] : schema["id"];
  if (typeof id !== "string") return null;
  return (
    safe(
      id
        .replace(/[#?][^]*$/, "")
        .split("/")
        .findLast((part) => part !== "") ?? "",
    ) || null
  );
}

/** Replaces the characters that a component's name may not have. */
function safe(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "_");
}

/** A name out of words: "the content of PUT of Book" is `BookPUTContent`. */
function nameOf(owner: string): string {
  return safe(owner.replaceAll(" ", ""));
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

const dropped = new Set(["$schema", "$id", "id", "$defs", "definitions", "$anchor"]);
const ofNames = new Set(["properties", "patternProperties", "dependentSchemas"]);
const ofLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const ofSchemas = new Set(
  "items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else contentSchema".split(
    " ",
  ),
);
