import { discriminatorOf } from "./discriminator.ts";
import { anyValue } from "./documented-schema.ts";
import { isJsonSchema, listOf, schemaAt, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { constantsOf } from "../json-schema/shape/schema-node.ts";
import {
  componentNameOf,
  keyOf,
  meaningOf,
  namesIn,
  ofNames,
  targetOf,
  type Named,
  type Names,
} from "./schema-names.ts";
import { wordSet } from "../http/javascript/word-set.ts";

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
  readonly root: JsonSchema;
  readonly body: JsonSchema;
  readonly references: readonly Reference[];
  readonly #side: Side;
  readonly #register: Register;
  readonly #names: Names;
  /** The key of the component that the whole schema is; null as long as nothing refers to it. */
  #ownKey: string | null = null;
  readonly #meanings = new Map<JsonSchema, string>();

  readonly #hasDiscriminators: boolean;

  /**
   * @param owner what has the schema, for the names of what has none.
   * @param hasDiscriminators whether unions have the keyword of OpenAPI that names their discriminator.
   */
  constructor(root: JsonSchema, side: Side, owner: string, register: Register, hasDiscriminators: boolean) {
    this.#hasDiscriminators = hasDiscriminators;
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
    for (const [keyword, member] of Object.entries(this.#withNames(value))) {
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
    if (written["items"] === false) endList(written);
    if (this.#hasDiscriminators) this.#discriminate(value, written, references);
    return written;
  }

  /** A record of listed keys, with its members by their names: generators of clients read those. */
  #withNames(value: JsonSchema): JsonSchema {
    const { propertyNames, additionalProperties: others, ...own } = value;
    const names = isJsonSchema(others) ? constantsOf(schemaAt(propertyNames, this.root)) : null;
    if (names === null) return value;
    const members = Object.fromEntries(names.map((name) => [String(name), others]));
    return { ...own, properties: { ...members, ...Object(own["properties"]) }, additionalProperties: false };
  }

  /** Names the discriminator of a union, and the components to which its values lead. */
  #discriminate(value: JsonSchema, written: Mutable, references: Reference[]): void {
    for (const keyword of ["oneOf", "anyOf"]) {
      const found = written["discriminator"] === undefined ? discriminatorOf(listOf(value, keyword), this.root) : null;
      if (found === null) continue;
      const mapping: Record<string, string> = {};
      for (const [at, branch] of (written[keyword] as JsonSchema[]).entries()) {
        const reference = references.find(({ object }) => object === branch);
        if (reference === undefined) continue;
        for (const text of found.values[at]!) {
          mapping[text] = reference.object.$ref;
          // Completed like the reference of the branch.
          const object = {
            get $ref(): string {
              return mapping[text]!;
            },
            set $ref(link: string) {
              mapping[text] = link;
            },
          };
          references.push({ ...reference, object });
        }
      }
      const hasMapping = Object.keys(mapping).length > 0;
      written["discriminator"] = { propertyName: found.propertyName, ...(hasMapping ? { mapping } : {}) };
    }
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

/** The end of a tuple by its length, since linters and mocks of others know no `items` that is a boolean. */
function endList(written: Mutable): void {
  const { prefixItems = [], maxItems } = written as { readonly prefixItems?: unknown[]; readonly maxItems?: number };
  delete written["items"];
  written["maxItems"] = Math.min(prefixItems.length, maxItems ?? prefixItems.length);
}

/** A schema that says nothing says so. */
export function said<Schema extends JsonSchema | boolean>(schema: Schema): Schema | JsonSchema {
  return typeof schema === "object" && Object.keys(schema).length === 0 ? { description: anyValue } : schema;
}

const dropped = new Set(["$schema", "$id", "id", "$defs", "definitions", "$anchor"]);
const ofLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const ofSchemas = /* @__PURE__ */ wordSet(
  "items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else " +
    "contentSchema",
);
