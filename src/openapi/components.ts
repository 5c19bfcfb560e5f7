import { keywordOf, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { schemaMembersOf } from "../json-schema/shape/schema-members.ts";
import { branchesIn, nodeOf, objectIn } from "../json-schema/shape/schema-node.ts";
import type { StandardSchema } from "../json-schema/shape/standard-schema.ts";
import {
  ConvertedSchema,
  said,
  type NamedSchema,
  type Reference,
  type Register,
  type Side,
} from "./converted-schema.ts";
import { componentNameOf } from "./schema-names.ts";
import { documentedSchemaOf, undescribed } from "./documented-schema.ts";
import { otherMembersIn } from "./other-members.ts";

/** A member of an object that a schema names. */
export interface DescribedMember {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

interface Component {
  readonly key: string;
  readonly body: JsonSchema;
  /** What the schema says, with what it refers to. */
  readonly meaning: string;
  readonly isLocal: boolean;
  readonly references: Reference[];
  readonly owner: string;
}

/** Collects the schemas of a document. Those with an id, and those that hold themselves, become components. */
export class Components {
  readonly #sides: Readonly<Record<Side, Map<string, Component>>> = { input: new Map(), output: new Map() };
  readonly #converted = new Map<StandardSchema, Partial<Record<Side, ConvertedSchema | null>>>();
  readonly #used: Reference[] = [];
  #added: string[] = [];
  readonly #hasDiscriminators: boolean;

  /** @param hasDiscriminators whether unions have the keyword of OpenAPI, which no JSON Schema has. Default: false. */
  constructor(hasDiscriminators = false) {
    this.#hasDiscriminators = hasDiscriminators;
  }

  /**
   * Describes one side of a schema, whole or by reference to its component.
   * @param owner what has the schema, for messages, and for the name of one that holds itself and has no id.
   * @throws {TypeError} when another schema has the same id.
   */
  describe(schema: StandardSchema, side: Side, owner: string): JsonSchema {
    const converted = this.#sideOf(schema, side, owner);
    if (converted === null) return { description: undescribed };
    this.#used.push(...converted.references);
    return said(converted.body);
  }

  /** Describes the members of an object, as parameters are. Returns none if the schema has no JSON Schema. */
  membersOf(schema: StandardSchema, owner: string): DescribedMember[] {
    const converted = this.#sideOf(schema, "input", owner);
    if (converted === null) return [];
    const { named, required } = schemaMembersOf(converted.root, converted.root);
    return [...named].map(([name, member]) => {
      const { body, references } = converted.rewrite(member);
      this.#used.push(...references);
      return { name, isRequired: required.has(name), schema: said(body) };
    });
  }

  /** Describes the members of an object that it does not name. Null where its schema says nothing of them. */
  othersOf(schema: StandardSchema, owner: string): JsonSchema | null {
    const converted = this.#sideOf(schema, "input", owner);
    const others = converted === null ? null : otherMembersIn(converted.root);
    if (others === null) return null;
    const { body, references } = converted!.rewrite(others);
    this.#used.push(...references);
    return body;
  }

  /** How a form has the members that are lists, by name. */
  encodingsOf(schema: StandardSchema, owner: string): Record<string, object> {
    const root = this.#sideOf(schema, "input", owner)?.root ?? {};
    const { named } = schemaMembersOf(root, root);
    return Object.fromEntries(
      [...named].flatMap(([name, member]) => {
        const encoding = encodingOf(member, root);
        return encoding === null ? [] : [[name, encoding]];
      }),
    );
  }

  /** How a form has a member; null where it is not a list, or one of files. */
  encodingOf(schema: StandardSchema, owner: string): object | null {
    const root = this.#sideOf(schema, "input", owner)?.root;
    return root === undefined ? null : encodingOf(root, root);
  }

  /** Adds a component that no schema of the application has, and returns the reference to it. */
  add(key: string, body: JsonSchema, owner: string): JsonSchema {
    let name = key;
    for (let more = 2; this.#isOther(name, body); more++) name = `${key}${more}`;
    const component = { key: name, body, meaning: JSON.stringify(body), isLocal: true, references: [], owner };
    for (const side of ["input", "output"] as const) this.#sides[side].set(name, component);
    const reference = { object: { $ref: "" }, key: name, side: "output" as const, rest: "" };
    this.#used.push(reference);
    return reference.object;
  }

  /** Names a schema that is not one already, and returns the reference to it. */
  named(body: JsonSchema, key: string, owner: string): JsonSchema {
    return "$ref" in body ? body : this.add(key, body, owner);
  }

  /**
   * Decides which components have two sides, completes all references, and returns what is referred to, by name.
   * @param at the beginning of each reference.
   */
  finish(at: string = "#/components/schemas/"): Record<string, JsonSchema> {
    const split = this.#split();
    const schemas = new Map<string, JsonSchema>();
    const queue = [...this.#used];
    const done = new Set<Reference>();
    for (const reference of queue) {
      if (done.has(reference)) continue;
      done.add(reference);
      const { object, key, side, rest } = reference;
      const isSplit = split.has(key);
      let name = key;
      if (isSplit && side === "input") for (name = `${key}Input`; this.#sides.output.has(name);) name += "_";
      object.$ref = `${at}${name}${rest}`;
      const component = (isSplit ? null : this.#sides.input.get(key)) ?? this.#sides[side].get(key)!;
      if (!schemas.has(name)) {
        schemas.set(name, component.body);
        queue.push(...component.references);
      }
    }
    return Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #isOther(key: string, body: JsonSchema): boolean {
    const meaning = JSON.stringify(body);
    return [this.#sides.input, this.#sides.output].some((side) => (side.get(key)?.meaning ?? meaning) !== meaning);
  }

  /** Components whose sides differ, and those that refer to them. */
  #split(): Set<string> {
    const split = new Set<string>();
    for (const [key, { body }] of this.#sides.output) {
      const other = this.#sides.input.get(key);
      if (other !== undefined && JSON.stringify(body) !== JSON.stringify(other.body)) split.add(key);
    }
    for (let size = -1; size !== split.size;) {
      size = split.size;
      for (const [key, component] of [...this.#sides.input, ...this.#sides.output])
        if (component.references.some((reference) => split.has(reference.key))) split.add(key);
    }
    return split;
  }

  /**
   * PERF: the other side is converted only where a component is new, and has to be compared. Conversions take two
   * thirds of a document's time (`node bench/document.js`).
   */
  #sideOf(schema: StandardSchema, side: Side, owner: string): ConvertedSchema | null {
    const sides = this.#converted.get(schema) ?? {};
    this.#converted.set(schema, sides);
    let converted = sides[side];
    if (converted === undefined) {
      this.#added = [];
      const root = documentedSchemaOf(schema, side, owner);
      const register: Register = (named, make) => this.#register(named, side, owner, make);
      sides[side] = converted =
        root === undefined ? null : new ConvertedSchema(root, side, owner, register, this.#hasDiscriminators);
      const other = side === "input" ? "output" : "input";
      if (this.#added.some((key) => !this.#sides[other].has(key))) this.#sideOf(schema, other, owner);
    }
    return converted;
  }

  /**
   * A component is there before its body is, which may refer to it. A name that no id says yields to one that is there:
   * then the owner stands before it.
   */
  #register(
    { key: wanted, isLocal, meaning }: NamedSchema,
    side: Side,
    owner: string,
    make: (references: Reference[]) => JsonSchema,
  ): string {
    const components = this.#sides[side];
    const own = isLocal && !wanted.startsWith(componentNameOf(owner)) ? componentNameOf(owner) + wanted : wanted;
    let key = wanted;
    for (let more = 1; ; more++) {
      const known = components.get(key);
      if (known === undefined) break;
      if (known.meaning === meaning) return key;
      if (!isLocal && !known.isLocal) {
        throw new TypeError(
          `Cannot describe the application: the schemas of ${known.owner} and of ${owner} have the id "${key}" and ` +
            "differ; rename one",
        );
      }
      key = more === 1 ? own : `${own}${more}`;
    }
    const body: Record<string, unknown> = {};
    const references: Reference[] = [];
    components.set(key, { key, body, meaning, isLocal, references, owner });
    this.#added.push(key);
    Object.assign(body, said(make(references)));
    return key;
  }
}

/**
 * Each item of a list is a pair or a part of its own: without saying so, OpenAPI has a list as one text (3.1
 * §4.8.15.1). Items that are objects are JSON.
 */
function encodingOf(member: unknown, root: JsonSchema): object | null {
  for (const { kinds } of branchesIn(member, root)) {
    const list = kinds.find((one) => one.kind === "list");
    if (list === undefined) continue;
    const item = nodeOf(list.first[0] ?? list.rest, root);
    if (keywordOf(item.schema, "format") === "binary") return null;
    return objectIn(item) === undefined ? { style: "form", explode: true } : { contentType: "application/json" };
  }
  return null;
}
