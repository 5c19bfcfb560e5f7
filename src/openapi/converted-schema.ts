import { pathOf } from "../json-schema/json-pointer.ts";
import { isJsonSchema, namedOf, type JsonSchema } from "../json-schema/json-schema.ts";

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

/**
 * Makes a component of a schema, and returns its key. `make` returns its body, and adds the references in it to a list.
 */
export type Register = (named: NamedSchema, make: (references: Reference[]) => JsonSchema) => string;

type Mutable = Record<string, unknown>;

/** A schema that references can lead to, and the key of its component. */
interface Named {
  readonly key: string;
  readonly schema: JsonSchema;
  /** Whether the name only holds within one schema, so that others may have it, too: no id says it. */
  readonly isLocal: boolean;
}

/** A schema that becomes a component. */
export interface NamedSchema extends Named {
  /** The whole schema as text, with what it refers to. Equal schemas have the same text. */
  readonly meaning: string;
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
  /** The key of the component that the whole schema is; null as long as nothing refers to it. */
  #ownKey: string | null = null;
  readonly #meanings = new Map<JsonSchema, string>();

  /** @param owner what has the schema, for the names of what has none. */
  constructor(root: JsonSchema, side: Side, owner: string, register: Register) {
    this.root = root;
    this.#side = side;
    this.#register = register;
    const rootKey = keyOf(root) ?? componentNameOf(owner);
    this.#names = namesIn(root, rootKey, owner);
    let { body, references } = this.rewrite(root, true);
    // What holds itself must have a name, and so does what has an id.
    if (keyOf(root) !== null || references.some(({ key }) => key === this.#ownKey))
      body = this.#refer(this.#names.get("#")!, "", (references = []));
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
      return this.#refer({ key: ownKey, schema: value, isLocal: false }, "", references);
    }
    if (typeof value["$ref"] === "string") {
      const { $ref: _, ...beside } = value;
      const target = targetOf(value["$ref"], this.#names);
      if (target !== null) {
        const reference = this.#refer(target, target.rest, references);
        return Object.assign(reference, this.#walk(beside, references, true));
      }
      // A name that nothing has: as where it is read, it accepts everything.
      if (value["$ref"].startsWith("#")) return this.#walk(beside, references, isTop);
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

  #refer(named: Named, rest: string, references: Reference[]): Mutable & { $ref: string } {
    const { schema } = named;
    let meaning = this.#meanings.get(schema);
    if (meaning === undefined) this.#meanings.set(schema, (meaning = meaningOf(schema, this.#names)));
    const key = this.#register({ ...named, meaning }, (own) => this.#walk(schema, own, true) as JsonSchema);
    if (schema === this.root) this.#ownKey = key;
    const object: Mutable & { $ref: string } = { $ref: `#/components/schemas/${key}${rest}` };
    references.push({ object, key, side: this.#side, rest });
    return object;
  }
}

/** What the references in a schema can lead to: its definitions, what has an id or an anchor, and itself. */
function namesIn(root: JsonSchema, rootKey: string, owner: string): Map<string, Named> {
  const names = new Map<string, Named>();
  const entryOfRoot = { key: rootKey, schema: root, isLocal: keyOf(root) === null };
  names.set("#", entryOfRoot);
  for (const id of [root["$id"], root["id"]]) if (typeof id === "string" && id !== "") names.set(id, entryOfRoot);
  if (typeof root["$anchor"] === "string") names.set(`#${root["$anchor"]}`, entryOfRoot);
  for (const keyword of ofDefinitions) {
    for (const [name, definition] of namedOf(root, keyword)) {
      const schema = isJsonSchema(definition) ? definition : {};
      const key = /^(?:__schema)?\d+$/.test(name)
        ? (keyOf(schema) ?? `${componentNameOf(owner)}Part${name.replace("__schema", "")}`)
        : safe(name);
      const entry = { key, schema, isLocal: keyOf(schema) === null };
      names.set(`#/${keyword}/${escaped(name)}`, entry);
      addOwnNames(schema, entry, names);
    }
  }
  addNamesInside(root, owner, names);
  return names;
}

function addOwnNames(schema: JsonSchema, entry: Named, names: Map<string, Named>): void {
  const { $id: id, $anchor: anchor } = schema;
  for (const name of [id, typeof anchor === "string" ? `#${anchor}` : null])
    if (typeof name === "string" && !names.has(name)) names.set(name, entry);
}

/** Anchors and ids of schemas that are no definitions, however deep. */
function addNamesInside(value: unknown, owner: string, names: Map<string, Named>, isMap = false): void {
  if (typeof value !== "object" || value === null) return;
  for (const [keyword, member] of Object.entries(value)) {
    if (!isMap && ofValues.has(keyword)) continue;
    if (isJsonSchema(member)) {
      const { $anchor: anchor } = member;
      const key = keyOf(member) ?? (typeof anchor === "string" ? componentNameOf(owner) + safe(anchor) : null);
      if (key !== null) addOwnNames(member, { key, schema: member, isLocal: keyOf(member) === null }, names);
    }
    addNamesInside(member, owner, names, !isMap && (ofNames.has(keyword) || ofDefinitions.has(keyword)));
  }
}

/**
 * What a schema says, with all that it refers to, each by its place: so two definitions are known to be the same,
 * whatever the schemas around them call them.
 */
function meaningOf(schema: JsonSchema, names: ReadonlyMap<string, Named>): string {
  const schemas = [schema];
  const texts: string[] = [];
  for (const one of schemas) {
    const { $schema: _, $defs: _defs, definitions: _definitions, $id: _$id, id: _id, ...own } = one;
    const text = JSON.stringify(own).replaceAll(/"\$ref":("(?:[^"\\]|\\.)*")/g, (found, link: string) => {
      const target = targetOf(JSON.parse(link) as string, names);
      if (target === null) return found;
      if (!schemas.includes(target.schema)) schemas.push(target.schema);
      return `"$ref":"${schemas.indexOf(target.schema)}${target.rest}"`;
    });
    texts.push(text);
  }
  return texts.join("\n");
}

/** Null if the reference leads out of the schema, or nowhere. */
function targetOf(link: string, names: ReadonlyMap<string, Named>): (Named & { readonly rest: string }) | null {
  const root = names.get("#")!;
  const id = root.schema["$id"];
  // The id of the schema may stand before a part of itself.
  const reference = typeof id === "string" && link.startsWith(`${id}#`) ? link.slice(id.length) : link;
  const whole = names.get(reference) ?? names.get(decoded(reference));
  if (whole !== undefined) return { ...whole, rest: "" };
  const [, definition, inside] = /^(#\/(?:\$defs|definitions)\/[^/]+)(\/.*)$/.exec(reference) ?? [];
  const target = definition === undefined ? root : (names.get(definition) ?? names.get(decoded(definition)) ?? root);
  const rest = target === root ? reference.slice(1) : inside!;
  return reference.startsWith("#/") && hasAt(target.schema, decoded(rest)) ? { ...target, rest } : null;
}

/** Returns whether a pointer leads to something that the document will have: definitions are components by then. */
function hasAt(schema: JsonSchema, pointer: string): boolean {
  let at: unknown = schema;
  for (const name of pathOf(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name) || (at === schema && ofDefinitions.has(name)))
      return false;
    at = (at as JsonSchema)[name];
  }
  return true;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that does not escape anything is literal.
    return text;
  }
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
export function componentNameOf(owner: string): string {
  return safe(owner.replaceAll(" ", ""));
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

const dropped = new Set(["$schema", "$id", "id", "$defs", "definitions", "$anchor"]);
/** What these hold is no schema. */
const ofValues = new Set(["const", "enum", "default", "examples", "example"]);
const ofDefinitions = new Set(["$defs", "definitions"]);
const ofNames = new Set(["properties", "patternProperties", "dependentSchemas"]);
const ofLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const ofSchemas = new Set(
  "items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else contentSchema".split(
    " ",
  ),
);
