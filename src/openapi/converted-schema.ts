import { anyValue } from "./documented-schema.ts";
import { decodedFragment, pathOf, tokenOf } from "../json-schema/json-pointer.ts";
import { isJsonSchema, type JsonSchema } from "../json-schema/json-schema.ts";

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
  readonly #names: Names;
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
      body = this.#refer(this.#names.named.get("#")!, "", (references = []));
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
      const target = targetOf(value["$ref"], value, this.#names);
      if (target !== null) {
        const reference = this.#refer(target, target.rest, references);
        return Object.assign(reference, this.#walk(beside, references, true));
      }
      // A name that nothing has: as where it is read, it accepts everything.
      if (!/^[a-z][\w+.-]*:/i.test(value["$ref"])) return this.#walk(beside, references, isTop);
    }
    const walk = (one: unknown): JsonSchema | boolean => this.#walk(one, references);
    const written: Mutable = {};
    for (const [keyword, member] of Object.entries(value)) {
      if (dropped.has(keyword)) continue;
      if (ofNames.has(keyword) && isJsonSchema(member))
        written[keyword] = Object.fromEntries(Object.entries(member).map(([name, one]) => [name, said(walk(one))]));
      else if (ofLists.has(keyword) && Array.isArray(member)) written[keyword] = member.map((one) => said(walk(one)));
      else if (keyword === "items" && Array.isArray(member))
        written["prefixItems"] = member.map((one) => said(walk(one)));
      else if (keyword === "items") written["items"] = member === true ? true : said(walk(member));
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

/** A schema that says nothing says so. */
export function said<Schema extends JsonSchema | boolean>(schema: Schema): Schema | JsonSchema {
  return typeof schema === "object" && Object.keys(schema).length === 0 ? { description: anyValue } : schema;
}

/** Names of schemas: by their pointers, ids, and anchors. */
interface Names {
  readonly named: Map<string, Named>;
  /** By the id of a schema that is no part of another document, resolved against those around it, the pointer to it. */
  readonly places: Map<string, string>;
  /** The id against which a reference of a schema is resolved (JSON Schema §8.2). */
  readonly bases: Map<JsonSchema, string>;
}

/**
 * What the references in a schema can lead to: its definitions, however deep, what has an id or an anchor, and itself.
 */
function namesIn(root: JsonSchema, rootKey: string, owner: string): Names {
  const names: Names = { named: new Map(), places: new Map(), bases: new Map() };
  const { named } = names;
  const entryOfRoot = { key: rootKey, schema: root, isLocal: keyOf(root) === null };
  named.set("#", entryOfRoot);
  for (const id of [root["$id"], root["id"]]) if (typeof id === "string" && id !== "") named.set(id, entryOfRoot);
  if (typeof root["$anchor"] === "string") named.set(`#${root["$anchor"]}`, entryOfRoot);
  addNamesInside(root, "#", unnamedBase, owner, names);
  return names;
}

/** The base of a schema without an id. It is no address: nothing is looked for there. */
const unnamedBase = "schema:/";

function addOwnNames(schema: JsonSchema, entry: Named, names: Map<string, Named>): void {
  const { $id: id, $anchor: anchor } = schema;
  for (const name of [id, typeof anchor === "string" ? `#${anchor}` : null])
    if (typeof name === "string" && !names.has(name)) names.set(name, entry);
}

/** Visits the schemas in a schema. Definitions come first: they keep their names. */
function addNamesInside(
  value: unknown,
  pointer: string,
  around: string,
  owner: string,
  names: Names,
  kind: "definitions" | "map" | "schema" = "schema",
): void {
  if (typeof value !== "object" || value === null) return;
  let base = around;
  if (kind === "schema" && isJsonSchema(value)) {
    const { $id: id } = value;
    if (typeof id === "string") base = resolved(id, around) ?? around;
    if (base !== around || pointer === "#") names.places.set(base.replace(/#$/, ""), pointer);
    names.bases.set(value, base);
  }
  for (const [keyword, member] of definitionsFirst(value)) {
    if (kind === "schema" && ofValues.has(keyword)) continue;
    const place = `${pointer}/${tokenOf(keyword)}`;
    if (kind === "definitions") addDefinition(keyword, isJsonSchema(member) ? member : {}, place, owner, names.named);
    else if (isJsonSchema(member)) {
      const { $anchor: anchor } = member;
      const key = keyOf(member) ?? (typeof anchor === "string" ? componentNameOf(owner) + safe(anchor) : null);
      const entry = key === null ? null : { key, schema: member, isLocal: keyOf(member) === null };
      if (entry !== null) addOwnNames(member, entry, names.named);
      // What has an id is a component: a pointer into it leads there.
      if (entry !== null && !entry.isLocal) names.named.set(place, entry);
    }
    const isSchema = kind === "schema";
    const inside =
      isSchema && ofDefinitions.has(keyword) ? "definitions" : isSchema && ofNames.has(keyword) ? "map" : "schema";
    addNamesInside(member, place, base, owner, names, inside);
  }
}

function definitionsFirst(value: object): [string, unknown][] {
  const entries = Object.entries(value);
  return [
    ...entries.filter(([keyword]) => ofDefinitions.has(keyword)),
    ...entries.filter(([keyword]) => !ofDefinitions.has(keyword)),
  ];
}

function addDefinition(
  name: string,
  schema: JsonSchema,
  place: string,
  owner: string,
  names: Map<string, Named>,
): void {
  const key = /^(?:__schema)?\d+$/.test(name)
    ? (keyOf(schema) ?? `${componentNameOf(owner)}Part${name.replace("__schema", "")}`)
    : safe(name);
  const entry = { key, schema, isLocal: keyOf(schema) === null };
  names.set(place, entry);
  addOwnNames(schema, entry, names);
}

/** Resolves a reference (RFC 3986 §5). Null where it is none. */
function resolved(reference: string, base: string | undefined): string | null {
  return URL.canParse(reference, base) ? new URL(reference, base).href : null;
}

/**
 * What a schema says, with all that it refers to, each by its place: so two definitions are known to be the same,
 * whatever the schemas around them call them.
 */
function meaningOf(schema: JsonSchema, names: Names): string {
  const schemas = [schema];
  const texts: string[] = [];
  for (const one of schemas) {
    const { $schema: _, $defs: _defs, definitions: _definitions, $id: _$id, id: _id, ...own } = one;
    const text = JSON.stringify(own).replaceAll(/"\$ref":("(?:[^"\\]|\\.)*")/g, (found, link: string) => {
      const target = targetOf(JSON.parse(link) as string, one, names);
      if (target === null) return found;
      if (!schemas.includes(target.schema)) schemas.push(target.schema);
      return `"$ref":"${schemas.indexOf(target.schema)}${target.rest}"`;
    });
    texts.push(text);
  }
  return texts.join("\n");
}

/**
 * Finds what a reference in a schema leads to. Null if it leads out of the schema, or nowhere.
 *
 * @param from the schema that has the reference: a relative one is resolved against the id around it.
 */
function targetOf(link: string, from: JsonSchema, { named, places, bases }: Names): Target | null {
  const whole = named.get(link) ?? named.get(decodedFragment(link));
  if (whole !== undefined) return { ...whole, rest: "" };
  const [document, fragment = ""] = (resolved(link, bases.get(from)) ?? "").split("#") as [string, string?];
  const place = places.get(document);
  if (place === undefined || (fragment !== "" && !fragment.startsWith("/"))) return null;
  return pointed(`${place}${fragment}`, named) ?? pointed(decodedFragment(`${place}${fragment}`), named);
}

type Target = Named & { readonly rest: string };

/** The named schema that holds what a pointer leads to: the innermost one. */
function pointed(pointer: string, named: ReadonlyMap<string, Named>): Target | null {
  let end = pointer.length;
  // The loop ends: the empty pointer, of the whole, has a name.
  while (!named.has(pointer.slice(0, end))) end = pointer.lastIndexOf("/", end - 1);
  const target = named.get(pointer.slice(0, end))!;
  const rest = pointer.slice(end);
  return hasAt(target.schema, decodedFragment(rest)) ? { ...target, rest } : null;
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
