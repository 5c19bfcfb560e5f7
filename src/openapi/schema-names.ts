import { decodedFragment, pathOf, tokenOf } from "../json-schema/value/json-pointer.ts";
import { isJsonSchema, type JsonSchema } from "../json-schema/shape/json-schema.ts";

/** A schema that references can lead to, and the key of its component. */
export interface Named {
  readonly key: string;
  readonly schema: JsonSchema;
  /** Whether the name only holds within one schema, so that others may have it, too: no id says it. */
  readonly isLocal: boolean;
}

/** Names of schemas: by their pointers, ids, and anchors. */
export interface Names {
  readonly named: Map<string, Named>;
  /** The pointers of schemas outside of all other documents, by their ids, each resolved against those around it. */
  readonly places: Map<string, string>;
  /** The id against which a reference of a schema is resolved (JSON Schema §8.2). */
  readonly bases: Map<JsonSchema, string>;
}

/**
 * Collects what the references in a schema can lead to: its definitions, however deep, what has an id or an anchor, and
 * itself.
 */
export function namesIn(root: JsonSchema, rootKey: string, owner: string): Names {
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
 * Returns what a schema says, with all that it refers to, each by its place. Two definitions that say the same have one
 * meaning, whatever the schemas around them call them.
 */
export function meaningOf(schema: JsonSchema, names: Names): string {
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
 * @param from the schema that has the reference: a relative one is resolved against the id around it.
 */
export function targetOf(link: string, from: JsonSchema, { named, places, bases }: Names): Target | null {
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
export function keyOf(schema: JsonSchema): string | null {
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

/** Keywords that hold values, which only look like schemas. */
export const ofValues: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);
const ofDefinitions = new Set(["$defs", "definitions"]);
/** What these hold are schemas by names. */
export const ofNames: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);
