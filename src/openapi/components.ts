import { isJsonSchema, listOf, namedOf, schemaAt, type JsonSchema } from "../semantics/content/json-schema.ts";
import type { StandardSchema } from "../semantics/declaration/standard-schema.ts";
import { documentedSchemaOf } from "./documented-schema.ts";

/** The side of a schema: what is sent to the server, or what it answers. */
export type Side = "input" | "output";

/** A member of an object that a schema names. */
export interface DescribedMember {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

type Mutable = Record<string, unknown>;

/** A reference, whose text is final when all components are known. */
interface Reference {
  readonly object: { $ref: string };
  readonly key: string;
  readonly side: Side;
  /** The referenced part of a component: a pointer after its name. */
  readonly rest: string;
}

interface Component {
  readonly key: string;
  readonly body: JsonSchema;
  /** The body before its references are rewritten. */
  readonly raw: string;
  readonly references: Reference[];
  readonly owner: string;
}

/** A side of a schema. */
interface Converted {
  readonly root: JsonSchema;
  readonly body: JsonSchema;
  readonly references: readonly Reference[];
  rewrite(member: unknown): { readonly body: JsonSchema; readonly references: readonly Reference[] };
}

/** Collects the schemas of a document. Those with an id, and those that hold themselves, become components. */
export class Components {
  readonly #sides: Readonly<Record<Side, Map<string, Component>>> = { input: new Map(), output: new Map() };
  readonly #converted = new Map<StandardSchema, Partial<Record<Side, Converted | null>>>();
  readonly #used: Reference[] = [];
  /** The components that the last conversion has added. */
  #added: string[] = [];

  /**
   * Describes one side of a schema, whole or by reference to its component.
   *
   * @param owner what has the schema, for messages, and for the name of one that holds itself and has no id.
   * @throws {TypeError} when another schema has the same id.
   */
  describe(schema: StandardSchema, side: Side, owner: string): JsonSchema {
    const converted = this.#sideOf(schema, side, owner);
    if (converted === null) return { description: "A value that is not described: its schema has no JSON Schema" };
    this.#used.push(...converted.references);
    return said(converted.body);
  }

  /** Describes the members of an object, as parameters are. Returns none if the schema has no JSON Schema. */
  membersOf(schema: StandardSchema, owner: string): DescribedMember[] {
    const converted = this.#sideOf(schema, "input", owner);
    if (converted === null) return [];
    return [...membersIn(converted.root, converted.root, new Set())].map(([name, { isRequired, member }]) => {
      const { body, references } = converted.rewrite(member);
      this.#used.push(...references);
      return { name, isRequired, schema: said(body) };
    });
  }

  /** Adds a component that no schema of the application has, and returns the reference to it. */
  add(key: string, body: JsonSchema, owner: string): JsonSchema {
    let name = key;
    for (let more = 2; this.#isOther(name, body); more++) name = `${key}${more}`;
    const component = { key: name, body, raw: JSON.stringify(body), references: [], owner };
    for (const side of ["input", "output"] as const) this.#sides[side].set(name, component);
    const reference = { object: { $ref: "" }, key: name, side: "output" as const, rest: "" };
    this.#used.push(reference);
    return reference.object;
  }

  /** Names a schema that is not one already, and returns the reference to it. */
  named(body: JsonSchema, key: string, owner: string): JsonSchema {
    return "$ref" in body ? body : this.add(key, body, owner);
  }

  /** Decides which components have two sides, completes all references, and returns what is referred to, by name. */
  finish(): Record<string, JsonSchema> {
    const split = this.#split();
    const schemas: Record<string, JsonSchema> = {};
    const queue = [...this.#used];
    const done = new Set<Reference>();
    for (const reference of queue) {
      if (done.has(reference)) continue;
      done.add(reference);
      const { object, key, side, rest } = reference;
      const isSplit = split.has(key);
      let name = key;
      if (isSplit && side === "input") for (name = `${key}Input`; this.#sides.output.has(name);) name += "_";
      object.$ref = `#/components/schemas/${name}${rest}`;
      const component = (isSplit ? null : this.#sides.input.get(key)) ?? this.#sides[side].get(key)!;
      if (schemas[name] === undefined) {
        schemas[name] = component.body;
        queue.push(...component.references);
      }
    }
    return Object.fromEntries(Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #isOther(key: string, body: JsonSchema): boolean {
    const raw = JSON.stringify(body);
    return [this.#sides.input, this.#sides.output].some((side) => (side.get(key)?.raw ?? raw) !== raw);
  }

  /** Components whose sides differ, and those that refer to them. */
  #split(): Set<string> {
    const split = new Set<string>();
    for (const [key, { body }] of this.#sides.output) {
      const other = this.#sides.input.get(key);
      if (other !== undefined && JSON.stringify(opened(body, other.body)) !== JSON.stringify(other.body))
        split.add(key);
    }
    for (let size = -1; size !== split.size;) {
      size = split.size;
      for (const [key, component] of [...this.#sides.input, ...this.#sides.output])
        if (component.references.some((reference) => split.has(reference.key))) split.add(key);
    }
    return split;
  }

  /**
   * PERF: the other side is converted only where a component is new, and has to be compared. Conversions take two thirds of the
   * time of a document (`node bench/document.js`).
   */
  #sideOf(schema: StandardSchema, side: Side, owner: string): Converted | null {
    const sides = this.#converted.get(schema) ?? {};
    this.#converted.set(schema, sides);
    let converted = sides[side];
    if (converted === undefined) {
      this.#added = [];
      sides[side] = converted = this.#convert(schema, side, owner);
      const other = side === "input" ? "output" : "input";
      if (this.#added.some((key) => !this.#sides[other].has(key))) this.#sideOf(schema, other, owner);
    }
    return converted;
  }

  #convert(schema: StandardSchema, side: Side, owner: string): Converted | null {
    const root = documentedSchemaOf(schema, side);
    if (root === undefined) return null;
    const names = new Map<string, { readonly key: string; readonly schema: JsonSchema }>();
    const rootKey = keyOf(root) ?? nameOf(owner);
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

    const walk = (value: unknown, references: Reference[], isTop = false): JsonSchema | boolean => {
      if (!isJsonSchema(value)) return value === false ? false : {};
      const ownKey = isTop ? null : keyOf(value);
      if (ownKey !== null && value !== root) {
        names.set(String(value["$id"]), { key: ownKey, schema: value });
        return refer(ownKey, value, "", references);
      }
      if (typeof value["$ref"] === "string") {
        const target = targetOf(value["$ref"], names);
        if (target !== null) {
          const reference = refer(target.key, target.schema, target.rest, references);
          const { $ref: _, ...beside } = value;
          const others = walk(beside, references, true) as Mutable;
          return Object.assign(reference, others);
        }
      }
      const written: Mutable = {};
      for (const [keyword, member] of Object.entries(value)) {
        if (dropped.has(keyword)) continue;
        if (ofNames.has(keyword) && isJsonSchema(member))
          written[keyword] = Object.fromEntries(
            Object.entries(member).map(([name, one]) => [name, walk(one, references)]),
          );
        else if (ofLists.has(keyword) && Array.isArray(member))
          written[keyword] = member.map((one) => walk(one, references));
        else if (keyword === "items" && Array.isArray(member))
          written["prefixItems"] = member.map((one) => walk(one, references));
        else if (ofSchemas.has(keyword)) written[keyword] = member === true ? true : walk(member, references);
        else if (keyword === "additionalItems") written["items"] = walk(member, references);
        else if (keyword === "nullable" && member === true) written["type"] = [value["type"], "null"].flat();
        else if (!(keyword === "type" && value["nullable"] === true)) written[keyword] = member;
      }
      return written;
    };
    const refer = (
      key: string,
      target: JsonSchema,
      rest: string,
      references: Reference[],
    ): Mutable & { $ref: string } => {
      const object: Mutable & { $ref: string } = { $ref: `#/components/schemas/${key}${rest}` };
      references.push({ object, key, side, rest });
      this.#register(key, target, side, owner, (own) => walk(target, own, true) as JsonSchema);
      return object;
    };
    const rewrite = (member: unknown): { body: JsonSchema; references: Reference[] } => {
      const references: Reference[] = [];
      return { body: walk(member, references) as JsonSchema, references };
    };
    let references: Reference[] = [];
    let body: JsonSchema = walk(root, references, true) as JsonSchema;
    // What holds itself must have a name, and so does what has an id.
    if (keyOf(root) !== null || references.some(({ key }) => key === rootKey))
      body = refer(rootKey, root, "", (references = []));
    return { root, body, references, rewrite };
  }

  /** A component is there before its body is, which may refer to it. */
  #register(
    key: string,
    target: JsonSchema,
    side: Side,
    owner: string,
    make: (references: Reference[]) => JsonSchema,
  ): void {
    const { $schema: _, $defs: _defs, definitions: _definitions, ...own } = target;
    const raw = JSON.stringify(own);
    const known = this.#sides[side].get(key);
    if (known !== undefined && known.raw !== raw) {
      throw new TypeError(
        `Cannot describe the application: the schemas of ${known.owner} and of ${owner} have the id "${key}" and differ; rename one`,
      );
    }
    if (known !== undefined) return;
    const body: Mutable = {};
    const references: Reference[] = [];
    this.#sides[side].set(key, { key, body, raw, references, owner });
    this.#added.push(key);
    Object.assign(body, make(references));
  }
}

/** Members by name, in all branches; one that a branch does not require is not required. */
function membersIn(
  value: unknown,
  root: JsonSchema,
  above: ReadonlySet<JsonSchema>,
): Map<string, { readonly isRequired: boolean; readonly member: unknown }> {
  const schema = schemaAt(value, root);
  const found = new Map<string, { isRequired: boolean; member: unknown }>();
  if (above.has(schema)) return found;
  const inside = new Set([...above, schema]);
  const required = new Set(listOf(schema, "required"));
  for (const [name, member] of namedOf(schema, "properties"))
    found.set(name, { isRequired: required.has(name), member });
  for (const part of listOf(schema, "allOf")) {
    for (const [name, { isRequired, member }] of membersIn(part, root, inside))
      found.set(name, {
        member: found.get(name)?.member ?? member,
        isRequired: isRequired || found.get(name)?.isRequired === true,
      });
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema, keyword).map((branch) => membersIn(branch, root, inside));
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

function targetOf(
  reference: string,
  names: ReadonlyMap<string, { readonly key: string; readonly schema: JsonSchema }>,
): { readonly key: string; readonly schema: JsonSchema; readonly rest: string } | null {
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

/** A schema that says nothing says so. */
function said(schema: JsonSchema): JsonSchema {
  return Object.keys(schema).length === 0 ? { description: "Any value" } : schema;
}

/**
 * Returns the output side without keywords that only close it. All answers have only the members that they name, so
 * that alone does not make a second component.
 */
function opened(output: unknown, input: unknown): unknown {
  if (Array.isArray(output) && Array.isArray(input)) return output.map((one, at) => opened(one, input[at]));
  if (!isJsonSchema(output) || !isJsonSchema(input)) return output;
  const isClosed = output["additionalProperties"] === false && !Object.hasOwn(input, "additionalProperties");
  return Object.fromEntries(
    Object.entries(output)
      .filter(([keyword]) => !(isClosed && keyword === "additionalProperties"))
      .map(([keyword, member]) => [keyword, opened(member, input[keyword])]),
  );
}

const dropped = new Set(["$schema", "$id", "id", "$defs", "definitions", "$anchor"]);
const ofNames = new Set(["properties", "patternProperties", "dependentSchemas"]);
const ofLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const ofSchemas = new Set(
  "items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else contentSchema".split(
    " ",
  ),
);
