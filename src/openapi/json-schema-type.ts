import { isJsonSchema, keywordOf, listOf, namedOf, schemaAt, type JsonSchema } from "../json-schema/json-schema.ts";

/** The name of a type that JSON Schema does not have: a client writes such a value as a text. */
export const sentDate = "Date";

/** The end of the type of a member that may be absent: compilers ask for it under `exactOptionalPropertyTypes`. */
export const orUndefined = " | undefined";

/** Writes JSON Schemas as types of TypeScript. A schema that refers to itself becomes a type with a name. */
export class JsonSchemaTypes {
  /** Declarations of the types that have a name. */
  readonly declarations: string[] = [];
  readonly #names = new Map<JsonSchema, string>();
  readonly #open: JsonSchema[] = [];
  #absent = "";

  /**
   * Returns the type of a schema within its document; of none `unknown`.
   *
   * @param isSent whether members that may be absent may be `undefined`, too: a client leaves them out.
   */
  typeOf(schema: JsonSchema | undefined, isSent?: boolean): string {
    this.#absent = isSent ? orUndefined : "";
    return schema === undefined ? "unknown" : this.#typeAt(schema, schema);
  }

  #typeAt(value: unknown, root: JsonSchema): string {
    const schema = schemaAt(value, root);
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    if (this.#open.includes(schema)) {
      const name = `Recursive${this.#names.size + 1}`;
      this.#names.set(schema, name);
      return name;
    }
    this.#open.push(schema);
    const type = this.#written(schema, root);
    this.#open.pop();
    const name = this.#names.get(schema);
    if (name === undefined) return type;
    this.declarations.push(`type ${name} = ${type};`);
    return name;
  }

  #written(schema: JsonSchema, root: JsonSchema): string {
    const parts = [this.#own(schema, root)];
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = listOf(schema, keyword);
      if (branches.length > 0) parts.push(united(branches.map((branch) => this.#typeAt(branch, root))));
    }
    for (const part of listOf(schema, "allOf")) parts.push(this.#typeAt(part, root));
    const known = [...new Set(parts)].filter((part) => part !== "unknown");
    const type = known.length < 2 ? (known[0] ?? "unknown") : known.map((part) => `(${part})`).join(" & ");
    return keywordOf(schema, "nullable") === true ? united([type, "null"]) : type;
  }

  /** By the keywords that tell a type. */
  #own(schema: JsonSchema, root: JsonSchema): string {
    if (Object.hasOwn(schema, "const")) return literalOf(schema["const"]);
    const constants = keywordOf(schema, "enum");
    if (Array.isArray(constants)) return united(constants.map(literalOf));
    const type = keywordOf(schema, "type") ?? (Object.hasOwn(schema, "properties") ? "object" : undefined);
    if (type !== undefined) return united([type].flat().map((name) => this.#typed(name, schema, root)));
    const not = keywordOf(schema, "not");
    return isJsonSchema(not) && Object.keys(not).length === 0 ? "never" : "unknown";
  }

  #typed(name: unknown, schema: JsonSchema, root: JsonSchema): string {
    if (name === "string") return keywordOf(schema, "format") === "binary" ? "Blob" : "string";
    if (name === "number" || name === "integer") return "number";
    if (name === "boolean" || name === "null" || name === sentDate) return name;
    if (name === "array") return this.#list(schema, root);
    return name === "object" ? this.#object(schema, root) : "unknown";
  }

  #list(schema: JsonSchema, root: JsonSchema): string {
    const items = keywordOf(schema, "items");
    const first = Array.isArray(items) ? (items as unknown[]) : listOf(schema, "prefixItems");
    const rest = Array.isArray(items) ? keywordOf(schema, "additionalItems") : items;
    const others = `readonly (${this.#typeAt(rest, root)})[]`;
    if (first.length === 0) return others;
    const places = first.map((place) => this.#typeAt(place, root));
    return `readonly [${[...places, ...(rest === false ? [] : [`...${others}`])].join(", ")}]`;
  }

  #object(schema: JsonSchema, root: JsonSchema): string {
    const required = new Set(listOf(schema, "required"));
    const members = namedOf(schema, "properties").map(([name, member]) => {
      const type = this.#typeAt(member, root);
      if (required.has(name)) return `readonly ${keyOf(name)}: ${type};`;
      return `readonly ${keyOf(name)}?: ${type}${type === "unknown" ? "" : this.#absent};`;
    });
    const others = keywordOf(schema, "additionalProperties");
    const named = members.length > 0 ? `{ ${members.join(" ")} }` : null;
    if (others === false) return named ?? "{}";
    if (!isJsonSchema(others)) return named ?? "{ readonly [name: string]: unknown }";
    const all = `{ readonly [name: string]: ${this.#typeAt(others, root)} }`;
    return named === null ? all : `${named} & ${all}`;
  }
}

/** Writes a union, each member once. */
export function united(types: readonly string[]): string {
  const each = [...new Set(types)];
  if (each.includes("unknown")) return "unknown";
  const real = each.filter((type) => type !== "never");
  if (real.length === 0) return "never";
  return real.length === 1 ? real[0]! : real.map((type) => (/[&]/.test(type) ? `(${type})` : type)).join(" | ");
}

/** Writes a name as a member of a type. */
export function keyOf(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(literalOf).join(", ")}]`;
  if (!isJsonSchema(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `readonly ${keyOf(name)}: ${literalOf(member)};`);
  return `{ ${members.join(" ")} }`;
}
