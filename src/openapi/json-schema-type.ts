import { isJsonSchema, keywordOf, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import {
  nodeOf,
  type ListKind,
  type ObjectKind,
  type SchemaKind,
  type SchemaNode,
} from "../json-schema/shape/schema-node.ts";

/** The name of a type that JSON Schema does not have: a client writes such a value as a text. */
export const sentDate = "Date";

/** The end of the type of a member that may be absent: compilers ask for it under `exactOptionalPropertyTypes`. */
export const orUndefined = " | undefined";

/** Writes JSON Schemas as types of TypeScript. A schema that refers to itself becomes a type with a name. */
export class JsonSchemaTypes {
  readonly declarations: string[] = [];
  readonly #names = new Map<JsonSchema, string>();
  readonly #open: JsonSchema[] = [];
  #absent = "";

  /**
   * Returns the type of a schema within its document; of none `unknown`.
   * @param isSent whether members that may be absent may be `undefined`, too: a client leaves them out.
   */
  typeOf(schema: JsonSchema | undefined, isSent?: boolean): string {
    this.#absent = isSent ? orUndefined : "";
    return schema === undefined ? "unknown" : this.#typeAt(schema, schema);
  }

  #typeAt(value: unknown, root: JsonSchema): string {
    const node = nodeOf(value, root);
    const { schema } = node;
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    if (this.#open.includes(schema)) {
      const name = `Recursive${this.#names.size + 1}`;
      this.#names.set(schema, name);
      return name;
    }
    this.#open.push(schema);
    const type = this.#written(node, root);
    this.#open.pop();
    const name = this.#names.get(schema);
    if (name === undefined) return type;
    this.declarations.push(`type ${name} = ${type};`);
    return name;
  }

  #written({ schema, kinds, unions, parts, isNullable }: SchemaNode, root: JsonSchema): string {
    const each = [
      united(kinds.map((kind) => this.#ofKind(kind, schema, root))),
      ...unions.map((branches) => united(branches.map((branch) => this.#typeAt(branch, root)))),
      ...parts.map((part) => this.#typeAt(part, root)),
    ];
    const known = [...new Set(each)].filter((part) => part !== "unknown");
    const type = known.length < 2 ? (known[0] ?? "unknown") : known.map((part) => `(${part})`).join(" & ");
    return isNullable ? united([type, "null"]) : type;
  }

  #ofKind(kind: SchemaKind, schema: JsonSchema, root: JsonSchema): string {
    switch (kind.kind) {
      case "string":
        return keywordOf(schema, "format") === "binary" ? "Blob" : "string";
      case "number":
      case "integer":
        return "number";
      case "boolean":
      case "null":
        return kind.kind;
      case "nothing":
        return "never";
      case "constant":
        return united(kind.values.map(literalOf));
      case "list":
        return this.#list(kind, root);
      case "object":
        // What only requires members, beside an object, is not seen in a type.
        return isOfNames(kind) || Object.hasOwn(schema, "type") ? this.#object(kind, root) : "unknown";
      default:
        return kind.kind === "foreign" && kind.type === sentDate ? sentDate : "unknown";
    }
  }

  #list({ first, rest }: ListKind, root: JsonSchema): string {
    const others = `readonly (${this.#typeAt(rest, root)})[]`;
    if (first.length === 0) return others;
    const places = first.map((place) => this.#typeAt(place, root));
    return `readonly [${[...places, ...(rest === false ? [] : [`...${others}`])].join(", ")}]`;
  }

  #object({ members, required, others }: ObjectKind, root: JsonSchema): string {
    const each = members.map(([name, member]) => {
      const type = this.#typeAt(member, root);
      if (required.has(name)) return `readonly ${keyOf(name)}: ${type};`;
      return `readonly ${keyOf(name)}?: ${type}${type === "unknown" ? "" : this.#absent};`;
    });
    const named = each.length > 0 ? `{ ${each.join(" ")} }` : null;
    if (others === false) return named ?? "{}";
    if (!isJsonSchema(others)) return named ?? "{ readonly [name: string]: unknown }";
    const all = `{ readonly [name: string]: ${this.#typeAt(others, root)} }`;
    return named === null ? all : `${named} & ${all}`;
  }
}

function isOfNames({ members, others }: ObjectKind): boolean {
  return members.length > 0 || others !== undefined;
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
